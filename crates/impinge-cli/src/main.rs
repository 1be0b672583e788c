//! `impinge`: do two bodies touch, where, how near?

mod args;
mod batch;
mod body;
mod commands;
mod deforming;
mod engine;
mod error;
mod interrupt;
mod json;
mod motion;
mod poses;
mod progress;
mod question;
mod shape;
mod sheet;
mod status;
mod suggest;
mod text;
mod timed_poses;
mod timing;
mod units;

use std::process::ExitCode;

use clap::Parser as _;

fn main() -> ExitCode {
    let outcome = args::Cli::parse().command.run();
    match outcome {
        Ok(status) => status.into(),
        Err(error) => {
            error::show(error);
            status::ERROR.into()
        }
    }
}
