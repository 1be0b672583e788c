//! `impinge`: do two bodies touch, where, how near?

mod cli;
mod commands;
mod input;
mod output;
mod question;

use std::process::ExitCode;

use clap::Parser as _;

fn main() -> ExitCode {
    let outcome = cli::Cli::parse().command.run();
    match outcome {
        Ok(status) => status.into(),
        Err(error) => {
            output::error::show(error);
            output::status::ERROR.into()
        }
    }
}
