//! Meshes whose vertices move straight to where another file has them.

use std::path::{Path, PathBuf};

use clap::Args;
use impinge::{Deforming, Mesh, Model, Pose};
use impinge_io::{Document, Format, Part};

use crate::input::body::{Source, choose, convert, source, with_inside};
use crate::input::motion::MotionArgs;
use crate::input::options::PairArgs;
use crate::output::error::Failure;

/// Which bodies deform.
#[derive(Debug, Args)]
pub(crate) struct EndArgs {
    /// A deforms: the same triangles in this file, to whose vertices those of A move straight from time 0 to time 1
    #[arg(long, value_name = "FILE", help_heading = "Motion")]
    #[arg(conflicts_with_all = ["motion_a", "motion_b", "animation_a", "animation_b", "poses", "hull", "hull_parts", "decompose"])]
    end_a: Option<PathBuf>,

    /// B deforms to the vertices of this file
    #[arg(long, value_name = "FILE", help_heading = "Motion")]
    #[arg(conflicts_with_all = ["motion_a", "motion_b", "animation_a", "animation_b", "poses", "hull", "hull_parts", "decompose"])]
    end_b: Option<PathBuf>,
}

impl EndArgs {
    /// Both bodies, if one deforms.
    pub(crate) fn bodies(&self, args: &PairArgs, motion: &MotionArgs) -> Result<Option<[Model; 2]>, Failure> {
        let ends = [self.end_a.as_deref(), self.end_b.as_deref()];
        if ends == [None; 2] {
            return Ok(None);
        }
        let (typed, parts, poses) = ([&args.a, &args.b], [&args.part_a, &args.part_b], motion.ends(args));
        let body = |k: usize| {
            let (part, name) = (parts[k].as_deref(), ["a", "b"][k]);
            Ends { typed: typed[k], part, end: ends[k], poses: poses[k], name }.body(args)
        };
        Ok(Some([body(0)?.into(), body(1)?.into()]))
    }
}

/// Where a body is at time 0 and at time 1.
#[derive(Debug, Clone, Copy)]
struct Ends<'a> {
    typed: &'a Path,
    part: Option<&'a str>,
    /// The same mesh at time 1, if it deforms.
    end: Option<&'a Path>,
    poses: [Pose; 2],
    /// `"a"` or `"b"`.
    name: &'static str,
}

impl Ends<'_> {
    /// The body as its vertices move.
    fn body(&self, args: &PairArgs) -> Result<Deforming, Failure> {
        let [from, to] = self.poses;
        if from.rotation() != to.rotation() {
            let problem = "it turns, and with --end-a or --end-b vertices move straight".to_owned();
            let help = format!("give {} the same rotation at both ends, or an end file of its own", self.name);
            return Err(Failure::Motion { place: format!("--to-{}", self.name), problem, help });
        }
        let start = self.read(self.typed, args)?;
        let end = self.end.map(|file| self.read(file, args)).transpose()?;
        if let (Some(end), Some(file)) = (&end, self.end) {
            compare(&start, self.typed, end, file)?;
        }
        let moved = |part: &Part, pose: &Pose| part.vertices.iter().map(|v| pose.apply(*v)).collect::<Vec<_>>();
        let last = moved(end.as_ref().unwrap_or(&start), &to);
        let named = |path: &Path| path.display().to_string();
        let mesh = Mesh::with_builder(moved(&start, &from), start.triangles, args.tree.builder());
        let mesh = mesh.map_err(|problem| Failure::build(named(self.typed), problem))?;
        let mesh = with_inside(mesh, named(self.typed), args.solid, args.surface)?;
        Deforming::new(mesh, &last).map_err(|problem| Failure::build(named(self.end.unwrap_or(self.typed)), problem))
    }

    fn read(&self, typed: &Path, args: &PairArgs) -> Result<Part, Failure> {
        let file = typed.display().to_string();
        let mut document = match source(typed)? {
            Source::File(document) => choose(document, self.part, &file)?,
            Source::Shape(shape) => match shape.triangles() {
                Some((vertices, triangles)) => return Ok(Part { name: file, vertices, triangles, group: None }),
                None => {
                    let problem = "the shape has no triangles, and with --end-a or --end-b both bodies are meshes";
                    let help = "give a mesh file of the shape".to_owned();
                    return Err(Failure::Shape { word: file, problem: problem.to_owned(), help });
                }
            },
        };
        if let (Some(units), Format::Gltf) = (args.units, document.format) {
            convert(&mut document.parts, units);
        }
        Ok(document.merged())
    }
}

/// Refuses an end that is not the same triangles.
fn compare(start: &Part, typed: &Path, end: &Part, file: &Path) -> Result<(), Failure> {
    let first = typed.display();
    let counts = [
        ("vertices", end.vertices.len(), start.vertices.len()),
        ("triangles", end.triangles.len(), start.triangles.len()),
    ];
    let count = counts.into_iter().find(|(_, end, start)| end != start);
    let differs = || start.triangles.iter().zip(&end.triangles).position(|(start, end)| start != end);
    let problem = match (count, differs) {
        (Some((what, end, start)), _) => format!("it has {end} {what}, but {first} has {start}"),
        (None, differs) => match differs() {
            Some(t) => {
                let ([a, b, c], [x, y, z]) = (start.triangles[t], end.triangles[t]);
                format!("triangle {t} has the vertices {x}, {y}, {z}, but in {first} {a}, {b}, {c}")
            }
            None => return Ok(()),
        },
    };
    let help = "give the same mesh with other positions: the same vertices and triangles in the same order";
    Err(Failure::Motion { place: file.display().to_string(), problem, help: help.to_owned() })
}

/// The mesh of a file, or of a part of it, whose vertices move to where another file has them.
pub(crate) fn between_files(start: &Path, part: Option<&str>, end: &Path, surface: bool) -> Result<Model, Failure> {
    let read = |file: &Path| {
        let name = file.display().to_string();
        match source(file)? {
            Source::File(document) => choose(document, part, &name).map(Document::merged),
            Source::Shape(_) => {
                let problem = "a shape in words has no vertices that could move".to_owned();
                Err(Failure::Shape { word: name, problem, help: "give a mesh file of the shape".to_owned() })
            }
        }
    };
    let (first, last) = (read(start)?, read(end)?);
    compare(&first, start, &last, end)?;
    let mesh = Mesh::new(first.vertices, first.triangles);
    let mesh = mesh.map_err(|problem| Failure::build(start.display().to_string(), problem))?;
    let mesh = if surface { mesh.into_surface() } else { mesh };
    let body = Deforming::new(mesh, &last.vertices);
    body.map(Model::from).map_err(|problem| Failure::build(end.display().to_string(), problem))
}
