//! Makes a body of what was typed: a file or a shape, a part of it, its unit, its inside, its hull.

use std::fs;
use std::path::Path;

use impinge::{Approximation, BuildError, Convex, Mesh, Model, Parts};
use impinge_io::{Document, Format, Part};

use crate::input::body_kind::BodyKind;
use crate::input::options::{BodyOptions, Decompose, PairArgs, Solid, TreeName};
use crate::input::shape::{self, Shape};
use crate::input::units::Units;
use crate::output::error::Failure;
use crate::output::suggest;
use crate::output::text::plural;

/// A body that can be asked about.
#[derive(Debug, Clone)]
pub(crate) struct Body {
    /// Stem of the file, name of the part, or the shape as typed.
    pub(crate) name: String,
    pub(crate) model: Model,
    pub(crate) kind: BodyKind,
}

impl Body {
    fn mesh(name: String, mesh: Mesh) -> Body {
        Body { name, model: mesh.into(), kind: BodyKind::Mesh }
    }

    /// One line for the reader: what was assumed of it.
    pub(crate) fn describe(&self) -> String {
        let what = match &self.model {
            Model::Mesh(mesh) => describe_mesh(mesh),
            Model::Deforming(body) => describe_mesh(body.mesh()),
            Model::Convex(hull) => format!(
                "convex hull, {}, {}",
                plural(hull.vertex_count() as u64, "vertex", "vertices"),
                plural(hull.face_count() as u64, "face", "faces")
            ),
            Model::Round(_) => "solid shape".to_owned(),
            Model::Parts(parts) => {
                let count = plural(parts.piece_count() as u64, "convex part", "convex parts");
                if parts.is_exact() { count } else { format!("approximated by {count}") }
            }
        };
        format!("{} ({what})", self.name)
    }

    /// Whether it stands for another body.
    pub(crate) fn is_approximate(&self) -> bool {
        matches!(&self.model, Model::Parts(parts) if !parts.is_exact())
    }

    /// Whether it is connected.
    pub(crate) fn is_one_piece(&self) -> bool {
        match &self.model {
            Model::Mesh(mesh) => mesh.report().components <= 1,
            Model::Deforming(body) => body.mesh().report().components <= 1,
            Model::Convex(_) | Model::Round(_) => true,
            Model::Parts(parts) => parts.piece_count() == 1,
        }
    }
}

fn describe_mesh(mesh: &Mesh) -> String {
    let kind = if mesh.is_solid() { "solid" } else { "surface" };
    format!("{kind}, {}", plural(mesh.triangle_count() as u64, "triangle", "triangles"))
}

/// What lies behind a name that was typed.
#[derive(Debug)]
pub(crate) enum Source {
    Shape(Shape),
    File(Document),
}

/// Reads the file, or makes the shape.
pub(crate) fn source(typed: &Path) -> Result<Source, Failure> {
    if let Some(parsed) = typed.to_str().and_then(shape::parse) {
        return Ok(Source::Shape(parsed?));
    }
    must_exist(typed)?;
    Ok(Source::File(impinge_io::read(typed)?))
}

/// Refuses a file that is not there, with the name of one that is.
pub(crate) fn must_exist(typed: &Path) -> Result<(), Failure> {
    match fs::metadata(typed) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Err(Failure::NoFile { file: typed.display().to_string(), help: no_file_help(typed) })
        }
        _ => Ok(()),
    }
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
    let is_scene = typed.extension().is_some_and(|ending| ending == "toml");
    let check = if is_scene { "check the path" } else { "check the path; shapes in words are written box:1,2,3" };
    suggest::did_you_mean(&near).unwrap_or_else(|| check.to_owned())
}

/// Both bodies of a question; a file named twice is read once.
pub(crate) fn pair(args: &PairArgs) -> Result<(Body, Body), Failure> {
    let a = load(&args.a, args.part_a.as_deref(), "--part-a", &args.body_options())?;
    let same = args.a == args.b && args.part_a == args.part_b;
    let b = if same { a.clone() } else { load(&args.b, args.part_b.as_deref(), "--part-b", &args.body_options())? };
    Ok((a, b))
}

/// One body; `option` is what chooses a part of its file.
pub(crate) fn load(typed: &Path, part: Option<&str>, option: &str, args: &BodyOptions) -> Result<Body, Failure> {
    let file = typed.display().to_string();
    match (source(typed)?, part) {
        (Source::Shape(shape), None) => of_shape(shape, file, args.surface, args.tree),
        (Source::Shape(_), Some(name)) => {
            let help = format!("a shape in words has no parts; leave out {option}");
            Err(Failure::NoPart { file, name: name.to_owned(), help })
        }
        (Source::File(document), part) => {
            let metric = document.format == Format::Gltf;
            let mut chosen = choose(document, part, &file)?;
            if let (Some(units), true) = (args.units, metric) {
                convert(&mut chosen.parts, units);
            }
            let named = match part {
                Some(name) => format!("{file}, part `{name}`"),
                None => file,
            };
            of_file(chosen, named, args)
        }
    }
}

/// The model of one body of a scene: of a file or a shape, of a part of a file, of its hull, or of its surface without
/// an inside.
pub(crate) fn load_single(
    source: &Source,
    typed: &Path,
    part: Option<&str>,
    hull: bool,
    surface: bool,
) -> Result<Model, Failure> {
    let file = typed.display().to_string();
    let document = match source {
        Source::File(document) => chosen(document, part, &file)?,
        Source::Shape(shape) if part.is_none() && !surface => return Ok(shape.round.clone().into()),
        Source::Shape(_) => {
            let problem = "a shape in words has no parts, and an inside".to_owned();
            return Err(Failure::Shape { word: file, problem, help: "leave out part and surface".to_owned() });
        }
    };
    let whole = document.merged();
    if hull {
        return Convex::hull(&whole.vertices).map(Model::from).map_err(|problem| Failure::build(file, problem));
    }
    let mesh = build(whole, TreeName::Auto).map_err(|problem| Failure::build(file, problem))?;
    Ok(if surface { mesh.into_surface().into() } else { mesh.into() })
}

/// The triangles of a file, or of a part of it, and their name.
pub(crate) fn mesh(typed: &Path, part: Option<&str>) -> Result<(String, Mesh), Failure> {
    let file = typed.display().to_string();
    let document = match source(typed)? {
        Source::File(document) => choose(document, part, &file)?,
        Source::Shape(_) => {
            let problem = "a shape in words has no triangles".to_owned();
            return Err(Failure::Shape { word: file, problem, help: "give a mesh file".to_owned() });
        }
    };
    let name = document.name.clone();
    let mesh = build(document.merged(), TreeName::Auto).map_err(|problem| Failure::build(file, problem))?;
    Ok((name, mesh))
}

/// A shape has an inside; only a box can be taken as the surface around it.
pub(crate) fn of_shape(shape: Shape, typed: String, surface: bool, tree: TreeName) -> Result<Body, Failure> {
    if !surface {
        return Ok(Body { name: typed, kind: shape.kind, model: shape.round.into() });
    }
    let Some((vertices, triangles)) = shape.triangles() else {
        let what = if shape.word == "box" { "box with a margin" } else { shape.word };
        let problem = format!("{} cannot be taken as a surface", shape::with_article(what));
        let help = "leave out --surface, or give a mesh file of the shape".to_owned();
        return Err(Failure::Shape { word: typed, problem, help });
    };
    let mesh = build(Part { name: typed.clone(), vertices, triangles, group: None }, tree);
    let mesh = mesh.map_err(|problem| Failure::build(typed.clone(), problem))?;
    Ok(Body::mesh(typed, mesh.into_surface()))
}

fn of_file(chosen: Document, named: String, args: &BodyOptions) -> Result<Body, Failure> {
    let name = chosen.name.clone();
    if args.hull_parts {
        let parts = Parts::from_hulls(chosen.parts.iter().map(|part| part.vertices.as_slice()));
        let parts = parts.map_err(|problem| Failure::build(named, problem))?;
        return Ok(Body { name, model: parts.into(), kind: BodyKind::Parts });
    }
    let whole = chosen.merged();
    if args.hull {
        let hull = Convex::hull(&whole.vertices).map_err(|problem| Failure::build(named, problem))?;
        return Ok(Body { name, model: hull.into(), kind: BodyKind::Polyhedron });
    }
    let mesh = build(whole, args.tree).map_err(|problem| Failure::build(named.clone(), problem))?;
    if let Some(how) = args.decompose {
        let parts = match how {
            Decompose::Exact => Parts::decompose(&mesh),
            Decompose::Approximate => Parts::approximate(&mesh, &Approximation::default()),
        };
        let parts = parts.map_err(|problem| not_cut(named, problem, how))?;
        return Ok(Body { name, model: parts.into(), kind: BodyKind::Parts });
    }
    Ok(Body::mesh(name, with_inside(mesh, named, args.solid, args.surface)?))
}

/// A solid could not be cut into convex parts.
fn not_cut(body: String, problem: BuildError, how: Decompose) -> Failure {
    let help = match (&problem, how) {
        (BuildError::NotClosed(_), _) => "only closed meshes are cut; --hull-parts takes the hull of each part instead",
        (_, Decompose::Exact) => "--decompose approximate takes larger and rougher meshes",
        (_, Decompose::Approximate) => "leave out --decompose to take the mesh as it is",
    };
    Failure::Build { body, problem: problem.to_string(), help }
}

/// The mesh with the inside that was asked for.
pub(crate) fn with_inside(mesh: Mesh, named: String, solid: Option<Solid>, surface: bool) -> Result<Mesh, Failure> {
    Ok(match (solid, surface) {
        (Some(Solid::Closed), _) => mesh.into_solid().map_err(|problem| Failure::NotClosed { body: named, problem })?,
        (Some(Solid::Winding), _) => mesh.into_solid_by_winding(),
        (None, true) => mesh.into_surface(),
        _ => mesh,
    })
}

pub(crate) fn build(part: Part, tree: TreeName) -> Result<Mesh, BuildError> {
    Ok(Mesh::with_builder(part.vertices, part.triangles, tree.builder())?.with_volume(tree.volume()))
}

/// From metres to a unit.
pub(crate) fn convert(parts: &mut [Part], units: Units) {
    for vertex in parts.iter_mut().flat_map(|part| &mut part.vertices) {
        *vertex = units.of_metres(*vertex);
    }
}

/// All parts, or those of one name.
pub(crate) fn choose(mut document: Document, part: Option<&str>, file: &str) -> Result<Document, Failure> {
    let Some(name) = part else { return Ok(document) };
    must_have(&document, name, file)?;
    document.parts.retain(|part| part.name == name);
    document.name = name.to_owned();
    Ok(document)
}

/// A copy of all parts, or of those of one name.
fn chosen(document: &Document, part: Option<&str>, file: &str) -> Result<Document, Failure> {
    let Some(name) = part else { return Ok(document.clone()) };
    must_have(document, name, file)?;
    let parts = document.parts.iter().filter(|part| part.name == name).cloned().collect();
    Ok(Document { name: name.to_owned(), format: document.format, parts })
}

/// Refuses a part that is not there, with the name of one that is.
fn must_have(document: &Document, name: &str, file: &str) -> Result<(), Failure> {
    if document.parts.iter().any(|part| part.name == name) {
        return Ok(());
    }
    let near = suggest::nearest(name, document.parts.iter().map(|part| part.name.as_str()));
    let help = suggest::did_you_mean(&near).unwrap_or_else(|| part_list(document));
    Err(Failure::NoPart { file: file.to_owned(), name: name.to_owned(), help })
}

fn part_list(document: &Document) -> String {
    const SHOWN: usize = 8;
    let names: Vec<String> = document.parts.iter().take(SHOWN).map(|part| format!("`{}`", part.name)).collect();
    match document.parts.len() {
        0..=SHOWN => format!("its parts are {}", names.join(", ")),
        count => format!("its parts are {} and {} more; `impinge info` lists them", names.join(", "), count - SHOWN),
    }
}
