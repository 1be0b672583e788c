//! `impinge info FILE`: what is in a file.

use std::io;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use impinge_io::{Document, Part};
use serde::Serialize;

use crate::input::body::{self, Source};
use crate::input::options::TreeName;
use crate::output::error::Failure;

use super::facts::{BodyJson, FileJson, HullJson, PartJson, ShapeJson};
use super::{tune, words};

const EXAMPLES: &str = "\
Examples:
  impinge info part.stl
  impinge info assembly.glb --format json
  impinge info part.stl --tune                          which --tree is fastest for it?
  impinge info capsule:0.5,2";

/// What is in a file: parts, sizes, whether it is closed or convex, and what is wrong with it
#[derive(Debug, Args)]
#[command(before_help = EXAMPLES)]
pub(crate) struct InfoArgs {
    /// A file, or a shape in words
    file: PathBuf,

    /// Measure overlap, distance and within of the file against itself with every --tree; takes some seconds
    #[arg(long)]
    tune: bool,

    /// text to read, or json
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    format: InfoFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum InfoFormat {
    Text,
    Json,
}

pub(crate) fn run(args: &InfoArgs) -> Result<Vec<u8>, Failure> {
    let file = args.file.display().to_string();
    let document = match (body::source(&args.file)?, args.format) {
        (Source::Shape(_), _) if args.tune => {
            let problem = "a shape in words has no tree to choose".to_owned();
            let help = "leave out --tune, or give a mesh file".to_owned();
            return Err(Failure::Shape { word: file, problem, help });
        }
        (Source::Shape(shape), InfoFormat::Json) => return json(&ShapeJson::of(&shape, &file)),
        (Source::Shape(shape), InfoFormat::Text) => {
            return Ok(words::of_shape(&ShapeJson::of(&shape, &file)).into_bytes());
        }
        (Source::File(document), _) => document,
    };
    let format = document.format.to_string();
    let tune = if args.tune { Some(tune::tune(&document.clone().merged(), &file)?) } else { None };
    let (parts, whole) = measure_file(document, &file)?;
    match args.format {
        InfoFormat::Json => {
            let format = format.to_lowercase();
            json(&FileJson { verb: "info", file: &file, format: &format, whole: &whole, parts: &parts, tune })
        }
        InfoFormat::Text => {
            words::notes(&file, &whole);
            Ok(words::of_file(&file, &format, &whole, &parts, tune.as_ref()).into_bytes())
        }
    }
}

fn json(value: &impl Serialize) -> Result<Vec<u8>, Failure> {
    let mut line = serde_json::to_vec(value).map_err(io::Error::from)?;
    line.push(b'\n');
    Ok(line)
}

fn measure(part: Part, named: String) -> Result<BodyJson, Failure> {
    let hull = HullJson::of(&part.vertices);
    let mesh = body::build(part, TreeName::Auto).map_err(|problem| Failure::build(named, problem))?;
    Ok(BodyJson::of(&mesh, hull))
}

/// Every part by itself, and all of them as the one body that the other commands see.
fn measure_file(document: Document, file: &str) -> Result<(Vec<PartJson>, BodyJson), Failure> {
    if let [only] = &document.parts[..] {
        let name = only.name.clone();
        let whole = measure(document.merged(), file.to_owned())?;
        return Ok((vec![PartJson { name, body: whole.clone() }], whole));
    }
    let mut parts = Vec::with_capacity(document.parts.len());
    for part in &document.parts {
        let named = format!("{file}, part `{}`", part.name);
        parts.push(PartJson { name: part.name.clone(), body: measure(part.clone(), named)? });
    }
    Ok((parts, measure(document.merged(), file.to_owned())?))
}
