//! What the README's commands call: `cargo xtask demo`, `test`, `tidy`, `house`, `bench`, `figures`, `fuzz`.

mod bench;
mod figures;
mod fuzz;
mod nearest;
mod step;
mod test;
mod tidy;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use step::Step;

/// Name, arguments and purpose of every command, in the order of the list.
const COMMANDS: [(&str, &str, &str); 7] = [
    ("demo", "", "build the command line and run the main job on built-in models"),
    ("test", "", "all that must pass: formatting, tidy, clippy, tests, doc tests, docs"),
    ("tidy", "", "the rules of this source tree that no compiler checks"),
    ("house", "[--map|file|help]", "rooms and files as drawn from the code, and what breaks a rule"),
    ("bench", "papers|rivals [name] [args]", "figures of the papers, or other libraries measured in the same run"),
    ("figures", "", "draw docs/figures anew"),
    ("fuzz", "[target] [seconds]", "run one fuzz target, or all of them, 60 seconds each unless told"),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some((command, rest)) = arguments.split_first() else {
        println!("{}", list());
        return ExitCode::SUCCESS;
    };
    match root().and_then(|root| run(&root, command, rest)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::from(2)
        }
    }
}

/// Runs one command. `false` says that it ran and that the answer is no.
fn run(root: &Path, command: &str, rest: &[String]) -> Result<bool, String> {
    match command {
        "demo" => demo(rest)?,
        "test" => none(rest, "test").and_then(|()| test::run(root))?,
        "tidy" => none(rest, "tidy").and_then(|()| tidy::run(root))?,
        "house" => return xtask::house::run(root, rest),
        "bench" => bench::run(rest)?,
        "figures" => none(rest, "figures").and_then(|()| figures::run(root))?,
        "fuzz" => fuzz::run(root, rest)?,
        "help" | "--help" | "-h" => println!("{}", list()),
        unknown => {
            return Err(format!("{}\n\n{}", nearest::unknown("command", unknown, COMMANDS.map(|c| c.0)), list()));
        }
    }
    Ok(true)
}

fn list() -> String {
    let mut text = String::from("cargo xtask <command>");
    for (name, arguments, purpose) in COMMANDS {
        let call = format!("{name} {arguments}");
        text += &format!("\n  {call:<34} {purpose}");
    }
    text
}

/// Refuses arguments where a command takes none, so that none is silently ignored.
fn none(arguments: &[String], command: &str) -> Result<(), String> {
    match arguments.first() {
        None => Ok(()),
        Some(extra) => Err(format!("`{command}` takes no arguments, but was given `{extra}`")),
    }
}

fn demo(arguments: &[String]) -> Result<(), String> {
    let package = ["--profile", "demo", "--package", "impinge-cli", "--bin", "impinge"];
    Step::cargo("optimised build", "build").args(package).run()?;
    Step::cargo("demo", "run").args(["--quiet"]).args(package).args(["--", "demo"]).args(arguments).run_bare()
}

/// The folder of the workspace: the nearest one upwards whose `Cargo.toml` has a `[workspace]`.
fn root() -> Result<PathBuf, String> {
    let start = match std::env::var_os("CARGO_MANIFEST_DIR") {
        Some(here) => PathBuf::from(here),
        None => std::env::current_dir().map_err(|e| format!("the current folder cannot be read: {e}"))?,
    };
    let is_root = |folder: &&Path| {
        std::fs::read_to_string(folder.join("Cargo.toml")).is_ok_and(|text| text.contains("[workspace]"))
    };
    let found = start.ancestors().find(is_root).map(PathBuf::from);
    let root = found.ok_or("no Cargo.toml with a [workspace] here or above; run this inside the source tree")?;
    std::env::set_current_dir(&root).map_err(|e| format!("the workspace folder cannot be entered: {e}"))?;
    Ok(root)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn list_names_every_command_and_fits_the_screen() {
        let text = list();
        for (name, _, _) in COMMANDS {
            assert!(text.contains(&format!("\n  {name} ")), "{name} is missing from:\n{text}");
        }
        assert!(text.lines().all(|line| line.chars().count() <= 110), "{text}");
    }

    #[test]
    fn arguments_are_refused_where_there_are_none() {
        assert_eq!(none(&[], "tidy"), Ok(()));
        let refused = none(&["--fix".to_owned()], "tidy");
        assert_eq!(refused, Err("`tidy` takes no arguments, but was given `--fix`".to_owned()));
    }
}
