//! From what was typed to a body: a file or a shape, a part of it, its unit, its inside.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use impinge::{Builder, Mesh, Model};
use impinge_io::{Document, Format, Part};

use crate::args::PairArgs;
use crate::error::Failure;
use crate::units::Units;
use crate::{shape, suggest};

/// A body that can be asked about.
#[derive(Debug, Clone)]
pub(crate) struct Body {
    /// Stem of the file, name of the part, or the shape as typed.
    pub(crate) name: String,
    pub(crate) mesh: Arc<Mesh>,
}

impl Body {
    pub(crate) fn model(&self) -> Model {
        Model::Mesh(Arc::clone(&self.mesh))
    }

    /// One line for the reader: what was assumed of it.
    pub(crate) fn describe(&self) -> String {
        let kind = if self.mesh.is_solid() { "solid" } else { "surface" };
        format!("{} ({kind}, {} triangles)", self.name, self.mesh.triangle_count())
    }
}

/// What lies behind a name that was typed.
#[derive(Debug)]
pub(crate) enum Source {
    Shape(Part),
    File(Document),
}

/// Reads the file, or makes the shape.
pub(crate) fn source(typed: &Path) -> Result<Source, Failure> {
    if let Some(parsed) = typed.to_str().and_then(shape::parse) {
        let (vertices, triangles) = parsed?;
        return Ok(Source::Shape(Part { name: typed.display().to_string(), vertices, triangles }));
    }
    if let Err(error) = fs::metadata(typed)
        && error.kind() == std::io::ErrorKind::NotFound
    {
        return Err(Failure::NoFile { file: typed.display().to_string(), help: no_file_help(typed) });
    }
    Ok(Source::File(impinge_io::read(typed)?))
}

fn no_file_help(typed: &Path) -> String {
    let name = typed.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    if let Some(help) = shape::did_you_mean(&name) {
        return help;
    }
    let folder = typed.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Ok(entries) = fs::read_dir(folder) else {
        return format!("there is no folder {} either; check the path", folder.display());
    };
    let files: Vec<String> =
        entries.take(10_000).flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    let near = suggest::nearest(&name, files.iter().map(String::as_str));
    suggest::did_you_mean(&near).unwrap_or_else(|| "check the path; shapes in words are written box:1,2,3".to_owned())
}

/// Both bodies of a question; a file named twice is read once.
pub(crate) fn pair(args: &PairArgs) -> Result<(Body, Body), Failure> {
    let a = load(&args.a, args.part_a.as_deref(), "--part-a", args)?;
    let same = args.a == args.b && args.part_a == args.part_b;
    let b = if same { a.clone() } else { load(&args.b, args.part_b.as_deref(), "--part-b", args)? };
    Ok((a, b))
}

fn load(typed: &Path, part: Option<&str>, option: &str, args: &PairArgs) -> Result<Body, Failure> {
    let file = typed.display().to_string();
    let mut chosen = match (source(typed)?, part) {
        (Source::Shape(shape), None) => shape,
        (Source::Shape(_), Some(name)) => {
            let help = format!("a shape in words has no parts; leave out {option}");
            return Err(Failure::NoPart { file, name: name.to_owned(), help });
        }
        (Source::File(document), part) => {
            let metric = document.format == Format::Gltf;
            let mut chosen = choose(document, part, &file)?;
            if let (Some(units), true) = (args.units, metric) {
                convert(&mut chosen, units);
            }
            chosen
        }
    };
    let body = match part {
        Some(name) => format!("{file}, part `{name}`"),
        None => file,
    };
    let name = std::mem::take(&mut chosen.name);
    let mesh = build(chosen, args.tree.into()).map_err(|problem| Failure::build(body.clone(), problem))?;
    let mesh = match (args.solid, args.surface) {
        (true, _) => mesh.into_solid().map_err(|problem| Failure::NotClosed { body, problem })?,
        (_, true) => mesh.into_surface(),
        _ => mesh,
    };
    Ok(Body { name, mesh: Arc::new(mesh) })
}

pub(crate) fn build(part: Part, builder: Builder) -> Result<Mesh, impinge::BuildError> {
    Mesh::with_builder(part.vertices, part.triangles, builder)
}

fn convert(part: &mut Part, units: Units) {
    for vertex in &mut part.vertices {
        *vertex = units.of_metres(*vertex);
    }
}

/// All parts as one, or those of one name.
fn choose(mut document: Document, part: Option<&str>, file: &str) -> Result<Part, Failure> {
    let Some(name) = part else { return Ok(document.merged()) };
    if !document.parts.iter().any(|part| part.name == name) {
        let near = suggest::nearest(name, document.parts.iter().map(|part| part.name.as_str()));
        let help = suggest::did_you_mean(&near).unwrap_or_else(|| part_list(&document));
        return Err(Failure::NoPart { file: file.to_owned(), name: name.to_owned(), help });
    }
    document.parts.retain(|part| part.name == name);
    let mut chosen = document.merged();
    chosen.name = name.to_owned();
    Ok(chosen)
}

fn part_list(document: &Document) -> String {
    const SHOWN: usize = 8;
    let names: Vec<String> = document.parts.iter().take(SHOWN).map(|part| format!("`{}`", part.name)).collect();
    match document.parts.len() {
        0..=SHOWN => format!("its parts are {}", names.join(", ")),
        count => format!("its parts are {} and {} more; `impinge info` lists them", names.join(", "), count - SHOWN),
    }
}
