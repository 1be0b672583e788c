//! `impinge info FILE`: what is in a file.

mod facts;
mod words;

use std::io;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use impinge::Builder;
use impinge_io::{Document, Part};
use serde::Serialize;

use crate::body::{self, Source};
use crate::error::Failure;

use self::facts::{BodyJson, FileJson, HullJson, PartJson, ShapeJson};

const EXAMPLES: &str = "\
Examples:
  impinge info part.stl
  impinge info assembly.glb --format json
  impinge info capsule:0.5,2";

/// What is in a file: parts, sizes, whether it is closed or convex, and what is wrong with it
#[derive(Debug, Args)]
#[command(before_help = EXAMPLES)]
pub(crate) struct InfoArgs {
    /// A file, or a shape in words
    file: PathBuf,

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
    match (body::source(&args.file)?, args.format) {
        (Source::Shape(shape), InfoFormat::Json) => json(&ShapeJson::of(&shape, &file)),
        (Source::Shape(shape), InfoFormat::Text) => Ok(words::of_shape(&ShapeJson::of(&shape, &file)).into_bytes()),
        (Source::File(document), InfoFormat::Json) => {
            let format = document.format.to_string().to_lowercase();
            let (parts, whole) = measure_file(document, &file)?;
            json(&FileJson { verb: "info", file: &file, format: &format, whole: &whole, parts: &parts })
        }
        (Source::File(document), InfoFormat::Text) => {
            let format = document.format.to_string();
            let (parts, whole) = measure_file(document, &file)?;
            words::notes(&file, &whole);
            Ok(words::of_file(&file, &format, &whole, &parts).into_bytes())
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
    let mesh = body::build(part, Builder::Auto).map_err(|problem| Failure::build(named, problem))?;
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
