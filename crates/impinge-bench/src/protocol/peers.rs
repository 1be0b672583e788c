//! Compares our answers with those that other peers left in the answers folder, and reports differences on stderr.

use std::fs;

use super::files::read_answers;
use super::request::Request;
use crate::agreement::Differences;
use crate::error::BenchError;

/// Compares the answers to `<workload>.<case>.<query>` with those of every other peer; `brute` answers by index.
pub(super) fn compare(
    request: &Request,
    question: &str,
    ours: &[f64],
    brute: impl Fn(usize) -> f64,
) -> Result<(), BenchError> {
    let folder = request.out.join("answers");
    let failed = |source| BenchError::Read { path: folder.clone(), source };
    for entry in fs::read_dir(&folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if let Some(peer) = peer(question, &name) {
            tell(question, peer, ours, &read_answers(&path)?, &brute);
        }
    }
    Ok(())
}

/// Who answered `question` in the file of this name; `None` for other files and for our own.
fn peer<'n>(question: &str, name: &'n str) -> Option<&'n str> {
    let peer = name.strip_prefix(question)?.strip_prefix('.')?.strip_suffix(".f64")?;
    (!peer.starts_with("impinge-")).then_some(peer)
}

/// Compares with one other list.
pub(super) fn tell(question: &str, peer: &str, ours: &[f64], theirs: &[f64], brute: impl Fn(usize) -> f64) {
    if let Some(text) = Differences::between(ours, theirs, brute).told(question, peer) {
        eprintln!("{text}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_answer_files() {
        assert_eq!(peer("w2.sep.dist", "w2.sep.dist.parry-f64-gjk.f64"), Some("parry-f64-gjk"));
        for other in ["w2.sep.dist.impinge-cold.f64", "w2.sep.distance.coal.f64", "w2.sep.dist.coal.csv"] {
            assert_eq!(peer("w2.sep.dist", other), None, "{other}");
        }
    }
}
