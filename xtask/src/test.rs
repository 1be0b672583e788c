//! All that must pass before a change goes in; stops at the first failure.

use std::path::Path;
use std::time::Instant;

use crate::step::{Step, need};
use crate::tidy;

pub(crate) fn run(root: &Path) -> Result<(), String> {
    need("fmt", "rustfmt")?;
    need("clippy", "clippy")?;
    let mut times = Times::default();
    let formatting = Step::cargo("formatting", "fmt").args(["--all", "--", "--check"]);
    times.take(formatting.name(), || formatting.run())?;
    times.take("tidy", || tidy::run(root))?;
    for step in compiled() {
        times.take(step.name(), || step.run())?;
    }
    println!("{}", times.told());
    Ok(())
}

/// What each part took, in seconds.
#[derive(Debug, Default)]
struct Times(Vec<(&'static str, f64)>);

impl Times {
    fn take(&mut self, name: &'static str, part: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
        let start = Instant::now();
        part()?;
        self.0.push((name, start.elapsed().as_secs_f64()));
        Ok(())
    }

    /// One line a part, and the sum.
    fn told(&self) -> String {
        let lines = self.0.iter().map(|(name, seconds)| format!("{seconds:8.1} s  {name}\n"));
        let all: f64 = self.0.iter().map(|(_, seconds)| seconds).sum();
        format!("== all passed\n{}{all:8.1} s  in all", lines.collect::<String>())
    }
}

/// The library alone, which then starts no threads.
const BARE: [&str; 3] = ["-p", "impinge", "--no-default-features"];

/// The features of the library that are tested: all but `vhacd`, which takes long to build.
const FEATURES: [&str; 2] = ["--features", "impinge/serde,impinge/mint"];

/// The steps that compile the workspace: the library without its features first, then all with them. Tests are built
/// first and run then, so that each is timed. The docs are built twice: with private items, so that the links between
/// algorithm files are checked, then as a user of the library sees them.
fn compiled() -> [Step; 7] {
    let with_features = |name, command| Step::cargo(name, command).args(["--workspace"]).args(FEATURES);
    let tests = |name| with_features(name, "test").args(["--lib", "--bins", "--tests", "--examples"]);
    let docs = |name| with_features(name, "doc").args(["--lib", "--no-deps"]);
    [
        Step::cargo("clippy without features", "clippy").args(BARE).args(["--", "-D", "warnings"]),
        with_features("clippy", "clippy").args(["--all-targets", "--", "-D", "warnings"]),
        tests("building tests").args(["--no-run"]),
        tests("tests"),
        with_features("doc tests", "test").args(["--doc"]),
        docs("inner docs").args(["--document-private-items"]).env("RUSTDOCFLAGS", "-D warnings"),
        docs("docs").env("RUSTDOCFLAGS", "-D warnings"),
    ]
}

#[cfg(test)]
mod tests {
    use super::{Times, compiled};

    #[test]
    fn warnings_are_denied_where_they_arise() {
        let lines = compiled().map(|step| step.by_hand());
        assert_eq!(lines.iter().filter(|line| line.contains("-D")).count(), 4, "{lines:#?}");
        assert!(
            lines.iter().any(|line| line == "cargo test --workspace --features impinge/serde,impinge/mint --doc"),
            "{lines:#?}"
        );
    }

    #[test]
    fn each_part_is_told_and_the_sum() {
        let times = Times(vec![("tidy", 0.25), ("docs", 100.0)]);
        assert_eq!(times.told(), "== all passed\n     0.2 s  tidy\n   100.0 s  docs\n   100.2 s  in all");
    }

    #[test]
    fn what_failed_ends_the_list() {
        let mut times = Times::default();
        assert_eq!(times.take("tidy", || Err("no".to_owned())), Err("no".to_owned()));
        assert!(times.0.is_empty());
    }
}
