//! `impinge info FILE`: what is in a file.

use std::io::{self, Write as _};
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use impinge::{Builder, Mesh};
use impinge_io::{Document, Part};
use serde::Serialize;

use crate::body::{self, Source};
use crate::error::Failure;
use crate::text::{number, plural, point};

const EXAMPLES: &str = "\
Examples:
  impinge info part.stl
  impinge info assembly.glb --format json";

/// What is in a file: parts, sizes, whether it is closed, and what is wrong with it
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

#[derive(Debug, Serialize)]
struct FileJson<'a> {
    verb: &'static str,
    file: &'a str,
    format: &'a str,
    #[serde(flatten)]
    whole: &'a BodyJson,
    parts: &'a [PartJson],
}

#[derive(Debug, Serialize)]
struct PartJson {
    name: String,
    #[serde(flatten)]
    body: BodyJson,
}

#[derive(Debug, Clone, Serialize)]
struct BodyJson {
    vertices: usize,
    triangles: usize,
    merged_vertices: usize,
    unused_vertices: usize,
    duplicate_triangles: usize,
    degenerate_triangles: usize,
    open_edges: usize,
    nonmanifold_edges: usize,
    misoriented_edges: usize,
    closed: bool,
    manifold: bool,
    oriented: bool,
    components: usize,
    area: f64,
    volume: Option<f64>,
    bounds: Option<[[f64; 3]; 2]>,
    tree_nodes: usize,
    tree_bytes: usize,
}

impl BodyJson {
    fn of(mesh: &Mesh) -> BodyJson {
        let report = mesh.report();
        BodyJson {
            vertices: report.vertices,
            triangles: report.triangles,
            merged_vertices: report.merged_vertices,
            unused_vertices: report.unused_vertices,
            duplicate_triangles: report.duplicate_triangles,
            degenerate_triangles: report.degenerate_triangles,
            open_edges: report.open_edges,
            nonmanifold_edges: report.nonmanifold_edges,
            misoriented_edges: report.misoriented_edges,
            closed: report.closed,
            manifold: report.manifold,
            oriented: report.oriented,
            components: report.components,
            area: report.area,
            volume: report.volume,
            bounds: mesh.bounds().map(|ends| ends.map(|p| p.to_array())),
            tree_nodes: mesh.tree_nodes(),
            tree_bytes: mesh.tree_bytes(),
        }
    }
}

pub(crate) fn run(args: &InfoArgs) -> Result<Vec<u8>, Failure> {
    let file = args.file.display().to_string();
    let (format, parts, whole) = match body::source(&args.file)? {
        Source::Shape(shape) => {
            let whole = measure(shape, file.clone())?;
            ("shape".to_owned(), vec![PartJson { name: file.clone(), body: whole.clone() }], whole)
        }
        Source::File(document) => {
            let format = document.format.to_string();
            let (parts, whole) = measure_file(document, &file)?;
            (format, parts, whole)
        }
    };
    match args.format {
        InfoFormat::Json => {
            let format = format.to_lowercase();
            let json = FileJson { verb: "info", file: &file, format: &format, whole: &whole, parts: &parts };
            let mut line = serde_json::to_vec(&json).map_err(io::Error::from)?;
            line.push(b'\n');
            Ok(line)
        }
        InfoFormat::Text => {
            notes(&file, &whole);
            Ok(text(&file, &format, &whole, &parts).into_bytes())
        }
    }
}

fn measure(part: Part, named: String) -> Result<BodyJson, Failure> {
    let mesh = body::build(part, Builder::Auto).map_err(|problem| Failure::build(named, problem))?;
    Ok(BodyJson::of(&mesh))
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

fn text(file: &str, format: &str, whole: &BodyJson, parts: &[PartJson]) -> String {
    let mut lines = vec![
        format!("{file}: {format}, {}", plural(parts.len() as u64, "part", "parts")),
        counted(
            "vertices",
            whole.vertices,
            [(whole.unused_vertices, "unused"), (whole.merged_vertices, "exact copies")],
        ),
        counted(
            "triangles",
            whole.triangles,
            [(whole.duplicate_triangles, "duplicate"), (whole.degenerate_triangles, "degenerate")],
        ),
        format!("  components  {}", whole.components),
        verdict("closed", whole.closed, whole.open_edges, "open"),
        verdict("manifold", whole.manifold, whole.nonmanifold_edges, "with more than two triangles"),
        verdict("oriented", whole.oriented, whole.misoriented_edges, "whose triangles disagree about outside"),
        format!(
            "  used as     {}",
            if whole.closed { "solid: its inside counts" } else { "surface: it has no inside" }
        ),
        format!("  area        {}", number(whole.area)),
        format!("  volume      {}", whole.volume.map_or("-".to_owned(), number)),
    ];
    if let Some([low, high]) = whole.bounds {
        lines.push(format!("  bounds      {} to {}", point(low.into()), point(high.into())));
    }
    lines.push(format!("  tree        {} nodes, {} bytes", whole.tree_nodes, whole.tree_bytes));
    if parts.len() > 1 {
        lines.push("parts".to_owned());
        lines.extend(parts.iter().map(|PartJson { name, body }| {
            let kind = if body.closed { "solid" } else { "surface" };
            format!("  {name}: {kind}, {}", plural(body.triangles as u64, "triangle", "triangles"))
        }));
    }
    lines.push(String::new());
    lines.join("\n")
}

/// A count, with those of its kind that are special.
fn counted(name: &str, count: usize, special: [(usize, &str); 2]) -> String {
    let some: Vec<String> = special.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{n} {what}")).collect();
    let note = if some.is_empty() { String::new() } else { format!(" ({})", some.join(", ")) };
    format!("  {name:<10}  {count}{note}")
}

/// Yes, or no and at how many edges.
fn verdict(name: &str, holds: bool, edges: usize, which: &str) -> String {
    let answer = if holds { "yes" } else { "no" };
    let note = if edges == 0 { String::new() } else { format!(" ({} {which})", plural(edges as u64, "edge", "edges")) };
    format!("  {name:<10}  {answer}{note}")
}

/// What a user should know before trusting the file, on standard error.
fn notes(file: &str, whole: &BodyJson) {
    let note = |text: String| drop(writeln!(io::stderr(), "note: {file}: {text}"));
    if whole.closed && !whole.oriented {
        let edges = plural(whole.misoriented_edges as u64, "edge", "edges");
        note(format!(
            "closed, but its triangles disagree at {edges} about which side is outside; answers do not depend on it, volume does"
        ));
    }
    if whole.duplicate_triangles > 0 {
        note(format!(
            "{} given more than once; they are kept",
            plural(whole.duplicate_triangles as u64, "triangle is", "triangles are")
        ));
    }
    if whole.degenerate_triangles > 0 {
        note(format!(
            "{} no area; they are kept and can touch",
            plural(whole.degenerate_triangles as u64, "triangle has", "triangles have")
        ));
    }
}
