//! `impinge self FILE`: does a mesh touch itself?

use std::io;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use impinge::{Limit, Neighbours, SelfContacts};
use serde::Serialize;

use crate::input::body;
use crate::input::options::EXIT_STATUS;
use crate::output::error::Failure;
use crate::output::json::StatsJson;
use crate::output::status::Status;
use crate::output::text;

const EXAMPLES: &str = "\
Examples:
  impinge self part.stl && echo simple
  impinge self cloth.obj --folds --format json
  impinge self assembly.glb --part bracket --limit 1";

/// Pairs listed as text unless all are asked for.
const LISTED: usize = 20;

/// Does a mesh touch itself? Every pair of its triangles that does, neighbours left out
#[derive(Debug, Args)]
#[command(before_help = EXAMPLES, after_help = EXIT_STATUS)]
pub(crate) struct SelfArgs {
    /// A mesh file
    file: PathBuf,

    /// Take only this part (OBJ object or group, glTF node); otherwise all parts are one body
    #[arg(long, value_name = "NAME")]
    part: Option<String>,

    /// List triangles that share a vertex too, where they overlap in more than the vertex or edge that they share
    #[arg(long)]
    folds: bool,

    /// Find every pair (default) and, as text, list every one
    #[arg(long, conflicts_with = "limit")]
    all: bool,

    /// Stop after N pairs
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,

    /// text to read, or json
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: SelfFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SelfFormat {
    Text,
    Json,
}

#[derive(Debug, Serialize)]
struct Json<'a> {
    verb: &'static str,
    a: &'a str,
    count: usize,
    pairs: &'a [[u32; 2]],
    complete: bool,
    folds: bool,
    stats: StatsJson,
}

/// What to print, and how the process ends.
pub(crate) fn run(args: &SelfArgs) -> Result<(Vec<u8>, Status), Failure> {
    let (name, mesh) = body::mesh(&args.file, args.part.as_deref())?;
    let limit = args.limit.map_or(Limit::All, |n| Limit::UpTo(n as usize));
    let neighbours = if args.folds { Neighbours::Folded } else { Neighbours::LeftOut };
    let found = mesh.self_contacts_with(limit, neighbours);
    let bytes = match args.format {
        SelfFormat::Text => {
            let triangles = text::plural(mesh.triangle_count() as u64, "triangle", "triangles");
            format!("a: {name} ({triangles})\n{}\n", lines(&found, args.all, args.limit).join("\n")).into_bytes()
        }
        SelfFormat::Json => {
            let json = Json {
                verb: "self",
                a: &name,
                count: found.pairs.len(),
                pairs: &found.pairs,
                complete: found.complete,
                folds: args.folds,
                stats: found.stats.into(),
            };
            let mut line = serde_json::to_vec(&json).map_err(io::Error::from)?;
            line.push(b'\n');
            line
        }
    };
    Ok((bytes, Status::of(found.touching())))
}

fn lines(found: &SelfContacts, all: bool, limit: Option<u32>) -> Vec<String> {
    let count = text::plural(found.pairs.len() as u64, "pair of triangles", "pairs of triangles");
    let first = match (found.touching(), found.complete) {
        (false, _) => "clear".to_owned(),
        (true, true) => format!("touching itself: {count}"),
        (true, false) => format!("touching itself: at least {count}, {}", text::stopped(limit)),
    };
    let listed = if all { usize::MAX } else { LISTED };
    let mut lines = vec![first];
    lines.extend(found.pairs.iter().take(listed).map(|[i, j]| format!("  triangles {i} and {j}")));
    if found.pairs.len() > listed {
        lines.push(format!("  ... and {} more; --all lists them", found.pairs.len() - listed));
    }
    lines
}
