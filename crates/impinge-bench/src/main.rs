//! `impinge-bench`: figures of the papers, rivals measured in the same run, and the protocol of the `rivals` folder.

mod args;
mod error;
mod heap;
mod papers;
mod protocol;
mod random;
mod report;
mod rivals;
mod shapes;
mod timing;

use std::path::Path;
use std::process::ExitCode;

use args::Command;
use error::BenchError;
use report::Report;

#[global_allocator]
static ALLOCATOR: heap::Counting = heap::Counting;

fn main() -> ExitCode {
    match args::parse(std::env::args().skip(1)).and_then(run) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("impinge-bench: {error}");
            ExitCode::from(2)
        }
    }
}

/// Whether all is well: false when a rival was right where we were wrong.
fn run(command: Command) -> Result<bool, BenchError> {
    match command {
        Command::Help => println!("{}", args::USAGE),
        Command::Protocol(request) => protocol::run(&request)?,
        Command::Papers { name: None, .. } => list(&papers::NAMES),
        Command::Rivals { name: None, .. } => list(&rivals::NAMES),
        Command::Papers { name: Some(name), quick, save } => show(&papers::run(&name, quick)?, save.as_deref())?,
        Command::Rivals { name: Some(name), options, save } => {
            let (report, agreed) = rivals::run(&name, options)?;
            show(&report, save.as_deref())?;
            return Ok(agreed);
        }
    }
    Ok(true)
}

fn list(names: &[(&str, &str)]) {
    names.iter().for_each(|(name, what)| println!("{name:<12} {what}"));
}

fn show(report: &Report, save: Option<&Path>) -> Result<(), BenchError> {
    println!("# {}\n\n{}", report.title, report.body.trim_end());
    if let Some(folder) = save {
        let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--save")).collect();
        let path = report.save(folder, &format!("impinge-bench {}", words.join(" ")))?;
        eprintln!("saved to {}", path.display());
    }
    Ok(())
}
