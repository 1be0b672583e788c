//! `impinge-bench`: figures of the papers, rivals measured in the same run, and the protocol of the `rivals` folder.

mod agreement;
mod args;
mod auto;
mod bodies;
mod digest;
mod error;
mod heap;
mod hull_queries;
mod papers;
mod protocol;
mod random;
mod report;
mod rivals;
mod shapes;
mod soak;
mod table;
mod timing;
mod versus;

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use args::Command;
use error::BenchError;
use report::Report;

#[global_allocator]
static ALLOCATOR: heap::Counting = heap::Counting;

fn main() -> ExitCode {
    match args::parse(words()).and_then(run) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("impinge-bench: {error}");
            ExitCode::from(2)
        }
    }
}

/// Whether all is well: false when a rival was right where we were wrong, or a soak failed.
fn run(command: Command) -> Result<bool, BenchError> {
    match command {
        Command::Help => print(args::USAGE)?,
        Command::Protocol(request) => protocol::run(&request)?,
        Command::Table { folder, save } => show(&table::run(&folder)?, save.as_deref())?,
        Command::Threads { data, rounds, quick, save } => {
            show(&protocol::threads(&data, rounds, quick)?, save.as_deref())?;
        }
        Command::Papers { name: None, .. } => list(&papers::NAMES)?,
        Command::Rivals { name: None, .. } => list(&rivals::NAMES)?,
        Command::Papers { name: Some(name), quick, save } => show(&papers::run(&name, quick)?, save.as_deref())?,
        Command::Digest { parts, save } => show(&digest::run(&parts)?, save.as_deref())?,
        Command::Versus(asked, save) => show(&versus::run(&asked)?, save.as_deref())?,
        Command::Auto(asked, save) => {
            let (report, agreed) = auto::run(asked)?;
            show(&report, save.as_deref())?;
            return Ok(agreed);
        }
        Command::Soak(soak) => return soak::run(soak),
        Command::Rivals { name: Some(name), options, save } => {
            let (report, agreed) = rivals::run(&name, options)?;
            show(&report, save.as_deref())?;
            return Ok(agreed);
        }
    }
    Ok(true)
}

/// The arguments. One that is not text is shown as far as it is, and will not be known.
fn words() -> impl Iterator<Item = String> {
    std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned())
}

fn list(names: &[(&str, &str)]) -> Result<(), BenchError> {
    names.iter().try_for_each(|(name, what)| print(&format!("{name:<12} {what}")))
}

fn show(report: &Report, save: Option<&Path>) -> Result<(), BenchError> {
    if let Some(folder) = save {
        let words: Vec<String> = words().filter(|word| !word.starts_with("--save")).collect();
        let path = report.save(folder, &format!("impinge-bench {}", words.join(" ")))?;
        eprintln!("saved to {}", path.display());
    }
    print(&format!("# {}\n\n{}", report.title, report.body.trim_end()))
}

/// A line on stdout; a closed pipe is an error, not a panic.
fn print(text: &str) -> Result<(), BenchError> {
    writeln!(std::io::stdout(), "{text}").map_err(BenchError::write("stdout".as_ref()))
}
