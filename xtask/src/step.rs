//! One announced and timed command, with the line that repeats it when it fails.

use std::ffi::OsString;
use std::process::{Command, Stdio};
use std::time::Instant;

/// A command of the check list.
#[derive(Debug)]
pub(crate) struct Step {
    name: &'static str,
    program: OsString,
    /// How the program is called by hand.
    shown: String,
    arguments: Vec<String>,
    environment: Vec<(&'static str, &'static str)>,
}

impl Step {
    /// `cargo <subcommand>`, by the cargo that runs this.
    pub(crate) fn cargo(name: &'static str, subcommand: &str) -> Step {
        let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        Step { name, program, shown: "cargo".into(), arguments: vec![subcommand.into()], environment: Vec::new() }
    }

    /// `cargo +nightly <subcommand>`: needs rustup's `cargo`, which stands in the path.
    pub(crate) fn nightly(name: &'static str, subcommand: &str) -> Step {
        let arguments = vec!["+nightly".into(), subcommand.into()];
        Step { name, program: "cargo".into(), shown: "cargo".into(), arguments, environment: Vec::new() }
    }

    pub(crate) fn name(&self) -> &'static str {
        self.name
    }

    pub(crate) fn args(mut self, arguments: impl IntoIterator<Item = impl AsRef<str>>) -> Step {
        self.arguments.extend(arguments.into_iter().map(|a| a.as_ref().to_owned()));
        self
    }

    pub(crate) fn env(mut self, name: &'static str, value: &'static str) -> Step {
        self.environment.push((name, value));
        self
    }

    /// The line to type for the same thing.
    pub(crate) fn by_hand(&self) -> String {
        let environment = self.environment.iter().map(|(name, value)| format!("{name}={}", quoted(value)));
        let arguments = self.arguments.iter().map(|a| quoted(a));
        environment.chain([self.shown.clone()]).chain(arguments).collect::<Vec<_>>().join(" ")
    }

    /// Runs with a line before and a line after.
    pub(crate) fn run(&self) -> Result<(), String> {
        println!("== {}: {}", self.name, self.by_hand());
        let start = Instant::now();
        self.run_bare()?;
        println!("== {}: ok, {:.1} s", self.name, start.elapsed().as_secs_f64());
        Ok(())
    }

    /// Runs without a word unless it fails.
    pub(crate) fn run_bare(&self) -> Result<(), String> {
        let status = self.command().status().map_err(|e| format!("{} could not start: {e}", self.shown))?;
        if status.success() {
            return Ok(());
        }
        Err(format!("{} failed ({status}); repeat it with: {}", self.name, self.by_hand()))
    }

    /// What it prints, when it succeeds.
    pub(crate) fn output(&self) -> Option<String> {
        let output = self.command().stderr(Stdio::null()).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).envs(self.environment.iter().copied());
        command
    }
}

/// Refuses in one line when `cargo <tool>` is not there.
pub(crate) fn need(tool: &str, component: &str) -> Result<(), String> {
    match Step::cargo("version", tool).args(["--version"]).output() {
        Some(_) => Ok(()),
        None => Err(format!("{component} is missing; get it with: rustup component add {component}")),
    }
}

fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=+./:,".contains(c);
    if !word.is_empty() && word.chars().all(plain) { word.to_owned() } else { format!("'{word}'") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_hand_can_be_typed() {
        let step = Step::cargo("docs", "doc").args(["--no-deps", "a b"]).env("RUSTDOCFLAGS", "-D warnings");
        assert_eq!(step.by_hand(), "RUSTDOCFLAGS='-D warnings' cargo doc --no-deps 'a b'");
    }

    #[test]
    fn failure_says_how_to_repeat() {
        let message = Step::cargo("nothing", "no-such-command-at-all").output();
        assert_eq!(message, None);
        let step = Step { program: "no-such-program-at-all".into(), ..Step::cargo("nothing", "build") };
        assert!(step.run_bare().is_err_and(|e| e.contains("could not start")));
    }

    #[test]
    fn missing_component_is_named_with_its_remedy() {
        let message = need("no-such-tool", "clippy");
        assert_eq!(message, Err("clippy is missing; get it with: rustup component add clippy".to_owned()));
    }
}
