//! One file per command.

pub(crate) mod clash;
pub(crate) mod completions;
pub(crate) mod contacts;
pub(crate) mod demo;
pub(crate) mod distance;
pub(crate) mod help;
pub(crate) mod impact;
pub(crate) mod info;
pub(crate) mod man;
pub(crate) mod overlap;
pub(crate) mod penetration;
pub(crate) mod run;
pub(crate) mod self_contacts;
pub(crate) mod sweep;
pub(crate) mod within;

use std::io::{self, Write as _};

use crate::input::options::Command;
use crate::output::error::Failure;
use crate::output::status::Status;
use crate::question::answer;

impl Command {
    pub(crate) fn run(&self) -> Result<Status, Failure> {
        match self {
            Command::Overlap(args) => answer::answer(args, &args.pair),
            Command::Contacts(args) => answer::answer(args, &args.pair),
            Command::Distance(args) => answer::answer(args, &args.pair),
            Command::Within(args) => answer::answer(args, &args.pair),
            Command::Penetration(args) => answer::answer(&penetration::Penetrations, &args.pair),
            Command::Sweep(args) => sweep::run(args),
            Command::Impact(args) => impact::run(args),
            Command::SelfContacts(args) => {
                let (bytes, status) = self_contacts::run(args)?;
                print(&bytes).map(|_| status)
            }
            Command::Clash(args) => clash::command::run(args),
            Command::Run(args) => run::command::run(args),
            Command::Info(args) => print(&info::command::run(args)?),
            Command::Demo(_) => print(demo::run()?.as_bytes()),
            Command::Completions(args) => print(&completions::run(args)),
            Command::Man(args) => print(&man::run(args)?),
            Command::Help(args) => Ok(help::run(args)),
        }
    }
}

/// Writes to standard output; a reader that goes away is no error.
fn print(bytes: &[u8]) -> Result<Status, Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
        _ => Ok(Status::Clear),
    }
}
