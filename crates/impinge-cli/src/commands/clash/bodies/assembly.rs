//! The bodies of an assembly: every part of every file, and shapes in words, each with a name of its own.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use impinge::broad::Filter;
use impinge::clash::AssemblyBody;
use impinge::{Mesh, Model};
use impinge_io::{Document, Format, Part};
use rayon::prelude::*;

use super::names::{self, Origin};
use super::{id, pieces};
use crate::input::body::{self, Source};
use crate::input::options::{Solid, TreeName};
use crate::input::units::Units;
use crate::output::error::{Failure, note};

/// Which files are read, and how.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reading<'a> {
    pub(crate) files: &'a [PathBuf],
    /// The second set.
    pub(crate) against: &'a [PathBuf],
    /// Whether every connected piece of a part is a body.
    pub(crate) split: bool,
    pub(crate) solid: Option<Solid>,
    pub(crate) surface: bool,
    pub(crate) units: Option<Units>,
}

/// A body that stands where its file says.
#[derive(Debug)]
pub(crate) struct Member {
    pub(crate) name: String,
    pub(crate) model: Model,
    /// Which of the files it is from.
    pub(crate) file: u32,
    /// What it belongs to in its file.
    pub(crate) group: Option<u64>,
    /// Whether it is one of those after `--against`.
    pub(crate) against: bool,
}

/// All of them, those of the first set before those of the second, each set sorted by name.
#[derive(Debug, Default)]
pub(crate) struct Assembly {
    pub(crate) bodies: Vec<Member>,
    pub(crate) two_sets: bool,
    /// What the names of the bodies of each file begin with.
    pub(crate) labels: Vec<String>,
}

impl Assembly {
    /// How many pairs there are to be asked about.
    pub(crate) fn pairs(&self) -> u64 {
        let all = self.bodies.len() as u64;
        let second = self.bodies.iter().filter(|body| body.against).count() as u64;
        if self.two_sets { (all - second) * second } else { all * all.saturating_sub(1) / 2 }
    }

    /// The bodies as the library takes them: those of one set are not compared with each other where there are two.
    pub(crate) fn placed(&self) -> Vec<AssemblyBody> {
        let filter = |against: bool| match (self.two_sets, against) {
            (false, _) => Filter::ALL,
            (true, false) => Filter { group: 1, mask: 2 },
            (true, true) => Filter { group: 2, mask: 1 },
        };
        let placed =
            |body: &Member| AssemblyBody { filter: filter(body.against), ..AssemblyBody::in_place(&body.model) };
        self.bodies.iter().map(placed).collect()
    }

    /// Reads every file once.
    pub(crate) fn read(reading: &Reading<'_>) -> Result<Assembly, Failure> {
        let mut reader = Reader { reading, bodies: Vec::new(), origins: Vec::new() };
        let mut seen = HashMap::new();
        for (typed, against) in
            reading.files.iter().map(|f| (f, false)).chain(reading.against.iter().map(|f| (f, true)))
        {
            let place = fs::canonicalize(typed).unwrap_or_else(|_| typed.clone());
            match seen.insert(place.clone(), against) {
                None => reader.add(typed, place, against)?,
                Some(before) if before == against => {
                    note(&format!("{} is named twice and taken once", typed.display()));
                }
                Some(_) => return Err(in_both(typed)),
            }
        }
        let labels = names::labels(&reader.origins);
        let mut bodies = reader.named(&labels);
        bodies.sort_by(|a, b| (a.against, &a.name).cmp(&(b.against, &b.name)));
        Ok(Assembly { bodies, two_sets: !reading.against.is_empty(), labels })
    }
}

fn in_both(typed: &Path) -> Failure {
    Failure::Read {
        place: typed.display().to_string(),
        problem: "is in both sets".to_owned(),
        help: "leave out --against to compare the parts of one set with each other".to_owned(),
    }
}

struct Reader<'a> {
    reading: &'a Reading<'a>,
    /// Each called like its part, by nothing where it is all of its file.
    bodies: Vec<Member>,
    origins: Vec<Origin>,
}

impl Reader<'_> {
    fn add(&mut self, typed: &Path, place: PathBuf, against: bool) -> Result<(), Failure> {
        let file = self.origins.len() as u32;
        let shown = typed.display().to_string();
        let document = match body::source(typed)? {
            Source::File(document) => document,
            Source::Shape(shape) => {
                let shape = body::of_shape(shape, shown, self.reading.surface, TreeName::Auto)?;
                self.origins.push(Origin { stem: shape.name, place });
                self.bodies.push(Member { name: String::new(), model: shape.model, file, group: None, against });
                return Ok(());
            }
        };
        let stem = document.name.clone();
        let parts = self.parts(document);
        let (models, meshes) = build_all(&parts, &shown, self.reading)?;
        for ((part, group), mesh) in parts.into_iter().zip(models) {
            let model = Model::Mesh(Arc::clone(&meshes[mesh]));
            let name = if part.name == stem { String::new() } else { part.name };
            self.bodies.push(Member { name, model, file, group, against });
        }
        self.origins.push(Origin { stem, place });
        Ok(())
    }

    /// The bodies, once all files are known.
    fn named(mut self, labels: &[String]) -> Vec<Member> {
        let parts: Vec<(u32, String)> =
            self.bodies.iter_mut().map(|body| (body.file, std::mem::take(&mut body.name))).collect();
        for (body, name) in self.bodies.iter_mut().zip(names::of(&self.origins, labels, &parts)) {
            body.name = name;
        }
        self.bodies
    }

    /// The bodies of a file, still as triangles, and what each belongs to.
    fn parts(&self, mut document: Document) -> Vec<(Part, Option<u64>)> {
        if let (Some(units), Format::Gltf) = (self.reading.units, document.format) {
            body::convert(&mut document.parts, units);
        }
        let (stem, lone) = (document.name, document.parts.len() == 1);
        let mut bodies = Vec::with_capacity(document.parts.len());
        for (number, mut part) in document.parts.into_iter().enumerate() {
            let group = part.group.map(u64::from);
            if !self.reading.split {
                bodies.push((part, group));
                continue;
            }
            // The pieces of a lone part that the file does not name are `stem/1`, not `stem/stem/1`.
            let nameless = lone && part.name == stem;
            if nameless {
                part.name.clear();
            }
            let own = group.unwrap_or((1 << 32) + number as u64);
            for mut piece in pieces::split(part) {
                if nameless {
                    piece.name = match piece.name.strip_prefix('/') {
                        Some(number) => number.to_owned(),
                        None => stem.clone(),
                    };
                }
                bodies.push((piece, Some(own)));
            }
        }
        bodies
    }
}

/// One mesh for equal parts: for each part its place among the meshes, and these.
fn build_all(
    parts: &[(Part, Option<u64>)],
    file: &str,
    reading: &Reading<'_>,
) -> Result<(Vec<usize>, Vec<Arc<Mesh>>), Failure> {
    let mut by_hash: HashMap<u64, Vec<usize>> = HashMap::new();
    let (mut places, mut different) = (Vec::with_capacity(parts.len()), Vec::new());
    for (part, _) in parts {
        let alike = by_hash.entry(fingerprint(part)).or_default();
        let known = alike.iter().copied().find(|&place| equal(part, different[place]));
        let place = known.unwrap_or(different.len());
        if known.is_none() {
            alike.push(place);
            different.push(part);
        }
        places.push(place);
    }
    let build = |part: &Part| {
        let named = if parts.len() == 1 { file.to_owned() } else { format!("{file}, part `{}`", part.name) };
        let mesh = Mesh::new(part.vertices.clone(), part.triangles.clone());
        let mesh = mesh.map_err(|problem| Failure::build(named.clone(), problem))?;
        body::with_inside(mesh, named, reading.solid, reading.surface).map(Arc::new)
    };
    let built: Vec<Result<Arc<Mesh>, Failure>> = different.par_iter().map(|part| build(part)).collect();
    Ok((places, built.into_iter().collect::<Result<_, _>>()?))
}

fn fingerprint(part: &Part) -> u64 {
    let positions = part.vertices.iter().flat_map(|v| v.to_array()).flat_map(|x| x.to_bits().to_le_bytes());
    id::hash(positions.chain(part.triangles.iter().flatten().flat_map(|i| i.to_le_bytes())))
}

fn equal(a: &Part, b: &Part) -> bool {
    let same = |x: f64, y: f64| x.to_bits() == y.to_bits();
    let vertices = a.vertices.iter().zip(&b.vertices);
    a.triangles == b.triangles
        && a.vertices.len() == b.vertices.len()
        && vertices.into_iter().all(|(p, q)| same(p.x, q.x) && same(p.y, q.y) && same(p.z, q.z))
}
