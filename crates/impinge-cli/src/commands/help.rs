//! `impinge help COMMAND`: the same as `impinge COMMAND --help`.

use clap::{Args, Command};

use crate::output::status::Status;

const EXAMPLES: &str = "\
Examples:
  impinge help                                        the same as impinge --help
  impinge help distance                               the same as impinge distance --help";

/// Print the help of a command, or of the whole
#[derive(Debug, Args)]
#[command(before_help = EXAMPLES)]
pub(crate) struct HelpArgs {
    /// The command, such as distance
    #[arg(value_name = "COMMAND")]
    command: Option<String>,
}

/// Reads the line that asks for the same with `--help`, so that a misspelt name is answered as it is everywhere.
pub(crate) fn run(args: &HelpArgs, whole: Command) -> Status {
    let line = ["impinge"].into_iter().chain(args.command.as_deref()).chain(["--help"]);
    match whole.try_get_matches_from(line) {
        // clap returns help as an error too: here it goes to standard output, with status 0.
        Err(outcome) => outcome.exit(),
        Ok(_) => Status::Clear,
    }
}
