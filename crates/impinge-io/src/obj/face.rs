//! The faces of an OBJ file as triangles, and the part each run of them belongs to.

use super::statements::{Counts, Statement, numbers, split, statement};
use crate::budget::Budget;
use crate::error::{Fault, MALFORMED, Place};
use crate::polygon::Triangulator;
use crate::text::{Lines, integer, quote};
use glam::DVec3;
use std::collections::HashMap;

/// Triangles with indices into all vertices of the file, and how they divide into parts.
pub(super) struct Faces<'a> {
    pub(super) triangles: Vec<[u32; 3]>,
    /// Names of the parts, in the order of their first face, and of objects the group that it is in.
    pub(super) parts: Vec<(&'a [u8], Option<u32>)>,
    /// Runs of triangles of one part, in the order of the file.
    pub(super) runs: Vec<Run>,
}

#[derive(Clone, Copy)]
pub(super) struct Run {
    pub(super) part: u32,
    pub(super) end: usize,
}

/// The part that faces go to.
///
/// Where the file has objects, each `o` starts a part, and groups, which then divide an object (often by material) or
/// gather several, only give its number. Where it has none, groups are parts, and a group may be taken up again under
/// the same name.
struct Parts<'a> {
    by_object: bool,
    name: &'a [u8],
    group: &'a [u8],
    current: Option<u32>,
    /// Number of each group: that of its part, or among the groups that first faces of objects are in.
    groups: HashMap<&'a [u8], u32>,
}

/// What a group's entry in the map may cost, with the map's load and growth.
const ENTRY: usize = 96;

pub(super) fn read<'a>(
    bytes: &'a [u8],
    vertices: &[DVec3],
    counts: &Counts,
    budget: &mut Budget,
) -> Result<Faces<'a>, Fault> {
    let mut faces = Faces { triangles: budget.vec(counts.triangles)?, parts: Vec::new(), runs: Vec::new() };
    let mut parts = Parts { by_object: counts.objects, name: b"", group: b"", current: None, groups: HashMap::new() };
    let mut triangulator = Triangulator::new(bytes.len());
    let mut corners = Vec::new();
    let mut vertices_before = 0;
    for (number, line) in Lines::new(bytes) {
        let Some((word, rest)) = split(line) else { continue };
        match statement(word, number).unwrap_or(Statement::Ignored) {
            Statement::Vertex => vertices_before += 1,
            Statement::Object => (parts.name, parts.current) = (rest.trim_ascii(), None),
            Statement::Group if parts.by_object => parts.group = rest.trim_ascii(),
            Statement::Group => (parts.name, parts.current) = (rest.trim_ascii(), None),
            Statement::Face => {
                corners.clear();
                for token in numbers(rest) {
                    budget.push(&mut corners, index(token, vertices_before, vertices.len(), number)?)?;
                }
                if corners.len() < 3 {
                    let message = format!("a face needs at least three corners, this one has {}", corners.len());
                    return Err(Fault::at_line(number, message, MALFORMED));
                }
                triangulator
                    .append(vertices, &corners, &mut faces.triangles)
                    .map_err(|fault| fault.at(Place::Line(number)))?;
                extend_run(&mut faces, &mut parts, budget)?;
            }
            Statement::Ignored => {}
        }
    }
    Ok(faces)
}

fn extend_run<'a>(faces: &mut Faces<'a>, parts: &mut Parts<'a>, budget: &mut Budget) -> Result<(), Fault> {
    let part = match parts.current {
        Some(part) => part,
        None => start_part(faces, parts, budget)?,
    };
    let end = faces.triangles.len();
    match faces.runs.last_mut() {
        Some(run) if run.part == part => run.end = end,
        _ => budget.push(&mut faces.runs, Run { part, end })?,
    }
    Ok(())
}

fn start_part<'a>(faces: &mut Faces<'a>, parts: &mut Parts<'a>, budget: &mut Budget) -> Result<u32, Fault> {
    let fresh = faces.parts.len() as u32;
    let (part, group) = match parts.by_object {
        true => (fresh, parts.number_of(parts.group, budget)?),
        false => (parts.number_of_part(parts.name, budget)?, None),
    };
    if part == fresh {
        budget.push(&mut faces.parts, (parts.name, group))?;
    }
    parts.current = Some(part);
    Ok(part)
}

impl<'a> Parts<'a> {
    /// The number of a group, the next one when it was not seen before; the group without a name has none.
    fn number_of(&mut self, group: &'a [u8], budget: &mut Budget) -> Result<Option<u32>, Fault> {
        if group.is_empty() { Ok(None) } else { self.number_of_part(group, budget).map(Some) }
    }

    fn number_of_part(&mut self, name: &'a [u8], budget: &mut Budget) -> Result<u32, Fault> {
        let next = self.groups.len() as u32;
        if let Some(&known) = self.groups.get(name) {
            return Ok(known);
        }
        budget.take(ENTRY)?;
        self.groups.insert(name, next);
        Ok(next)
    }
}

/// The vertex of a corner `v`, `v/vt`, `v//vn` or `v/vt/vn`; negative numbers count back from the vertex read last.
fn index(token: &[u8], vertices_before: usize, vertices: usize, line: u64) -> Result<u32, Fault> {
    let slash = token.iter().position(|b| *b == b'/').unwrap_or(token.len());
    let (number, rest) = token.split_at(slash);
    let others = rest.iter().all(|b| matches!(b, b'/' | b'-' | b'0'..=b'9'));
    let Some(number) = integer(number).filter(|_| others) else {
        return Err(Fault::at_line(line, format!("{} is not a corner of a face", quote(token)), MALFORMED));
    };
    let index = if number < 0 { vertices_before as i64 + number } else { number - 1 };
    if (0..vertices as i64).contains(&index) {
        return Ok(index as u32);
    }
    let message = match number {
        0 => "vertex index 0 is out of range: OBJ counts from 1".to_owned(),
        1.. => format!("vertex index {number} is out of range: the file has {vertices} vertices"),
        _ => format!("vertex index {number} is out of range: {vertices_before} vertices stand before this line"),
    };
    Err(Fault::at_line(line, message, MALFORMED))
}
