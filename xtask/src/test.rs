//! All that must pass before a change goes in; stops at the first failure.

use std::path::Path;
use std::time::Instant;

use crate::step::{Step, need};
use crate::tidy;

pub(crate) fn run(root: &Path) -> Result<(), String> {
    let start = Instant::now();
    need("fmt", "rustfmt")?;
    need("clippy", "clippy")?;
    Step::cargo("formatting", "fmt").args(["--all", "--", "--check"]).run()?;
    tidy::run(root)?;
    for step in compiled() {
        step.run()?;
    }
    println!("== all passed, {:.1} s", start.elapsed().as_secs_f64());
    Ok(())
}

/// The steps that compile the workspace. The docs are built twice: with private items, so that the links between
/// algorithm files are checked, then as a user of the library sees them.
fn compiled() -> [Step; 5] {
    let docs = |name| Step::cargo(name, "doc").args(["--workspace", "--lib", "--no-deps"]);
    [
        Step::cargo("clippy", "clippy").args(["--workspace", "--all-targets", "--", "-D", "warnings"]),
        Step::cargo("tests", "test").args(["--workspace", "--lib", "--bins", "--tests", "--examples"]),
        Step::cargo("doc tests", "test").args(["--workspace", "--doc"]),
        docs("inner docs").args(["--document-private-items"]).env("RUSTDOCFLAGS", "-D warnings"),
        docs("docs").env("RUSTDOCFLAGS", "-D warnings"),
    ]
}

#[cfg(test)]
mod tests {
    use super::compiled;

    #[test]
    fn warnings_are_denied_where_they_arise() {
        let lines = compiled().map(|step| step.by_hand());
        assert_eq!(lines.iter().filter(|line| line.contains("-D")).count(), 3, "{lines:#?}");
        assert!(lines.iter().any(|line| line == "cargo test --workspace --doc"), "{lines:#?}");
    }
}
