//! Our answers beside those other peers left in the answers folder, query by query. What differs by more than 1e-6 is
//! told on stderr, and brute force is asked who is right. An answer of NaN is none.

use std::fs;

use super::Request;
use super::files::read_answers;
use crate::error::BenchError;

const SLACK: f64 = 1e-6;

/// Brute force is asked at most so often about one peer.
const TRIED: usize = 32;

/// Compares the answers to `<workload>.<case>.<query>` with those of every other peer; `brute` answers by index.
pub(super) fn with_peers(
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
        let peer = name.strip_prefix(question).and_then(|rest| rest.strip_prefix('.')?.strip_suffix(".f64"));
        if let Some(peer) = peer.filter(|peer| !peer.starts_with("impinge-")) {
            told(question, peer, &between(ours, &read_answers(&path)?, &brute));
        }
    }
    Ok(())
}

/// Compares one of our variants with another of ours.
pub(super) fn with_ourselves(question: &str, variant: &str, ours: &[f64], other: &[f64], brute: impl Fn(usize) -> f64) {
    told(question, &format!("our {variant}"), &between(ours, other, brute));
}

/// What differs between two lists of answers.
#[derive(Debug, Default, PartialEq)]
struct Differences {
    compared: usize,
    differ: usize,
    most: f64,
    /// How many were put to brute force, and on how many of those it sided with us.
    tried: usize,
    ours: usize,
}

fn between(ours: &[f64], theirs: &[f64], brute: impl Fn(usize) -> f64) -> Differences {
    let mut found = Differences::default();
    for (i, (&x, &y)) in ours.iter().zip(theirs).enumerate().filter(|(_, (_, y))| !y.is_nan()) {
        found.compared += 1;
        if (x - y).abs() <= SLACK {
            continue;
        }
        found.differ += 1;
        found.most = found.most.max((x - y).abs());
        if found.tried < TRIED {
            found.tried += 1;
            found.ours += usize::from((x - brute(i)).abs() <= SLACK);
        }
    }
    found
}

fn told(question: &str, peer: &str, found: &Differences) {
    let Differences { compared, differ, most, tried, ours } = found;
    if *differ > 0 {
        eprintln!(
            "{question}: {peer} differs from us on {differ} of {compared}, by up to {most:.1e}; \
             brute force sides with us on {ours} of {tried}"
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brute_force_decides_what_differs() {
        let found =
            between(&[1.0, 2.0, 3.0, f64::NAN, 5.0], &[1.0 + 1e-7, 2.5, 3.5, 4.0, f64::NAN], |i| (i + 1) as f64);
        assert_eq!(found, Differences { compared: 4, differ: 3, most: 0.5, tried: 3, ours: 2 });
        assert_eq!(between(&[0.0; 99], &[1.0; 99], |_| 1.0).tried, TRIED);
    }
}
