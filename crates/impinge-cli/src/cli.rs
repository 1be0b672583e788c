//! What can be typed after `impinge`, and which command answers it.

use std::io::{self, Write as _};

use clap::{CommandFactory as _, Parser, Subcommand};

use crate::commands;
use crate::input::options::EXIT_STATUS;
use crate::output::error::Failure;
use crate::output::status::Status;
use crate::question::answer;

const EXAMPLES: &str = "\
Examples:
  impinge demo                                          see what it does, no files needed
  impinge info part.stl                                 what is in a file: closed? how many triangles?
  impinge overlap a.stl b.obj                           do they touch?
  impinge distance a.stl b.ply --pose-b 0.1,0,0         how far apart, and where?
  impinge within a.glb box:1,2,3 --tolerance 0.05       closer than 0.05?
  impinge contacts a.stl b.stl --format json            which triangles touch?
  impinge point part.stl --points probe.csv             how far is each point, inside or out?
  impinge ray part.stl --rays rays.csv                  where does each ray first meet it?
  impinge self cloth.obj                                does it touch itself?
  impinge clash plant.glb --clearance 0.05              every part against every other
  impinge penetration a.stl b.stl --hull                how deep are their convex hulls in each other?
  impinge penetration a.stl b.stl --decompose approximate
  impinge sweep a.stl b.stl --to-b 5,0,0                how near do they come on the way?
  impinge impact a.stl b.stl --to-b 5,0,0               when do they first touch?
  impinge run scene.toml                                many bodies, step by step
  impinge distance capsule:0.1,0.5 sphere:0.2 --pose-b 1,0,0
  impinge overlap a.stl b.stl --poses poses.csv --format jsonl --timing";

/// Exact collision and distance queries between two bodies.
///
/// Bodies are triangle meshes from STL, OBJ, PLY, OFF, glTF or GLB files (each also gzip-compressed), their convex
/// hulls, and shapes in words such as sphere:0.5 or box:1,2,3. A closed mesh is a solid: what lies inside it touches
/// it. Any other mesh is a surface.
#[derive(Debug, Parser)]
#[command(name = "impinge", bin_name = "impinge", version, before_help = EXAMPLES, after_help = EXIT_STATUS)]
#[command(subcommand_required = true, arg_required_else_help = true, disable_help_subcommand = true)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Info(commands::info::command::InfoArgs),
    Overlap(commands::overlap::OverlapArgs),
    Contacts(commands::contacts::ContactsArgs),
    Distance(commands::distance::DistanceArgs),
    Within(commands::within::WithinArgs),
    Penetration(commands::penetration::PenetrationArgs),
    Point(commands::point::PointArgs),
    Ray(commands::ray::RayArgs),
    Sweep(commands::sweep::SweepArgs),
    Impact(commands::impact::ImpactArgs),
    #[command(name = "self")]
    SelfContacts(commands::self_contacts::SelfArgs),
    Clash(commands::clash::command::ClashArgs),
    Run(commands::run::command::RunArgs),
    Demo(commands::demo::DemoArgs),
    Completions(commands::completions::CompletionsArgs),
    Man(commands::man::ManArgs),
    Help(commands::help::HelpArgs),
}

impl Command {
    pub(crate) fn run(&self) -> Result<Status, Failure> {
        match self {
            Command::Overlap(args) => answer::answer(args, &args.pair),
            Command::Contacts(args) => answer::answer(args, &args.pair),
            Command::Distance(args) => answer::answer(args, &args.pair),
            Command::Within(args) => answer::answer(args, &args.pair),
            Command::Penetration(args) => answer::answer(&commands::penetration::Penetrations, &args.pair),
            Command::Point(args) => commands::point::run(args),
            Command::Ray(args) => commands::ray::run(args),
            Command::Sweep(args) => commands::sweep::run(args),
            Command::Impact(args) => commands::impact::run(args),
            Command::SelfContacts(args) => {
                let (bytes, status) = commands::self_contacts::run(args)?;
                print(&bytes).map(|_| status)
            }
            Command::Clash(args) => commands::clash::command::run(args),
            Command::Run(args) => commands::run::command::run(args),
            Command::Info(args) => print(&commands::info::command::run(args)?),
            Command::Demo(_) => print(commands::demo::run()?.as_bytes()),
            Command::Completions(args) => print(&commands::completions::run(args, Cli::command())),
            Command::Man(args) => print(&commands::man::run(args, Cli::command())?),
            Command::Help(args) => Ok(commands::help::run(args, Cli::command())),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        Cli::command().debug_assert();
    }
}
