//! `impinge completions SHELL`: a script that completes commands and options.

use clap::{Args, Command};
use clap_complete::Shell;

const EXAMPLES: &str = "\
Examples:
  impinge completions bash > ~/.local/share/bash-completion/completions/impinge
  impinge completions zsh  > ~/.zfunc/_impinge        (with ~/.zfunc in $fpath)
  impinge completions fish > ~/.config/fish/completions/impinge.fish";

/// Print a script that completes commands and options in a shell
#[derive(Debug, Args)]
#[command(before_help = EXAMPLES)]
pub(crate) struct CompletionsArgs {
    shell: Shell,
}

pub(crate) fn run(args: &CompletionsArgs, mut whole: Command) -> Vec<u8> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut whole, "impinge", &mut script);
    script
}
