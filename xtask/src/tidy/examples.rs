//! Every example is run by `cargo test`, and short enough to be read at once.

use super::complaint::{Complaint, Source};

/// An example is read at once when it has fewer lines.
const LINES: usize = 40;
/// One in this folder is a program, which is read in one go when it has fewer.
const PROGRAMS: &str = "/examples/programs/";
const PROGRAM_LINES: usize = 200;

pub(super) fn check(sources: &[Source]) -> Vec<Complaint> {
    let mut found = Vec::new();
    for source in sources {
        let Some((package, file)) = example(&source.path) else { continue };
        let manifest = sources.iter().find(|s| s.path == format!("{package}/Cargo.toml"));
        // Cargo finds an example in a folder of its own by the path only.
        let entry = match file.rsplit_once('/') {
            Some((_, name)) => {
                let path = format!("path = \"examples/{file}.rs\"");
                format!("[[example]]\nname = \"{name}\"\n{path}\ntest = true\nharness = false\n")
            }
            None => format!("[[example]]\nname = \"{file}\"\ntest = true\nharness = false\n"),
        };
        if !manifest.is_some_and(|manifest| manifest.text.contains(&entry)) {
            let what = format!("`cargo test` does not run it: write into {package}/Cargo.toml\n{entry}");
            found.push(Complaint::new(&source.path, 0, what));
        }
        let lines = source.text.lines().count();
        let most = if source.path.contains(PROGRAMS) { PROGRAM_LINES } else { LINES };
        if lines >= most {
            found.push(Complaint::new(&source.path, 0, format!("an example has fewer than {most} lines, not {lines}")));
        }
    }
    found
}

/// The folder of the package and the file of the example without its ending, where a path is one.
fn example(path: &str) -> Option<(&str, &str)> {
    let (package, file) = path.split_once("/examples/")?;
    Some((package, file.strip_suffix(".rs")?)).filter(|(package, _)| package.starts_with("crates/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(path: &str, text: &str) -> Source {
        Source { path: path.into(), text: text.into() }
    }

    #[test]
    fn an_example_that_is_not_run_is_told() {
        let entry = "[[example]]\nname = \"one\"\ntest = true\nharness = false\n";
        let tree = [
            source("crates/x/Cargo.toml", entry),
            source("crates/x/examples/one.rs", "fn main() {}"),
            source("crates/x/examples/two.rs", "fn main() {}"),
        ];
        let found = check(&tree);
        assert!(found.len() == 1 && found[0].path == "crates/x/examples/two.rs", "{found:?}");
    }

    #[test]
    fn an_example_in_a_folder_has_a_path() {
        let entry = "[[example]]\nname = \"one\"\npath = \"examples/some/one.rs\"\ntest = true\nharness = false\n";
        let one = || source("crates/x/examples/some/one.rs", "fn main() {}");
        assert!(check(&[source("crates/x/Cargo.toml", entry), one()]).is_empty());
        assert_eq!(check(&[source("crates/x/Cargo.toml", ""), one()]).len(), 1);
    }

    #[test]
    fn a_program_may_be_longer() {
        let entry =
            |path: &str| format!("[[example]]\nname = \"one\"\npath = \"{path}\"\ntest = true\nharness = false\n");
        let manifest = source("crates/x/Cargo.toml", &entry("examples/programs/one.rs"));
        let program = |lines| source("crates/x/examples/programs/one.rs", &"\n".repeat(lines));
        assert!(check(&[manifest.clone(), program(PROGRAM_LINES - 1)]).is_empty());
        assert_eq!(check(&[manifest, program(PROGRAM_LINES)]).len(), 1);
    }

    #[test]
    fn a_long_example_is_told() {
        let entry = "[[example]]\nname = \"one\"\ntest = true\nharness = false\n";
        let long = source("crates/x/examples/one.rs", &"\n".repeat(LINES));
        assert_eq!(check(&[source("crates/x/Cargo.toml", entry), long]).len(), 1);
    }
}
