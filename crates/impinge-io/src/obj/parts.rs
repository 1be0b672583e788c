//! Gives each part of an OBJ file its own vertices, in the order in which its faces first name them.

use super::face::{Faces, Run};
use crate::budget::Budget;
use crate::document::Part;
use crate::error::Fault;
use crate::text;
use glam::DVec3;

const UNSEEN: u32 = u32::MAX;

/// A file of one part keeps the vertices as they stand, also those that no face names.
pub(super) fn gather(
    vertices: Vec<DVec3>,
    faces: Faces<'_>,
    stem: &str,
    budget: &mut Budget,
) -> Result<Vec<Part>, Fault> {
    let named = |name: &[u8]| if name.is_empty() { stem.to_owned() } else { text::name(name) };
    if let &[(name, group)] = faces.parts.as_slice() {
        return Ok(vec![Part { name: named(name), vertices, triangles: faces.triangles, group }]);
    }
    let mut split = Splitter { vertices, local: budget.vec(0)?, triangles: faces.triangles };
    budget.reserve(&mut split.local, split.vertices.len())?;
    split.local.resize(split.vertices.len(), UNSEEN);
    let runs = sorted_runs(&faces.runs, budget)?;
    let mut parts = budget.vec(faces.parts.len())?;
    let mut vertices_in_all = 0;
    for (runs, &(name, group)) in runs.chunk_by(|a, b| a.part == b.part).zip(&faces.parts) {
        budget.take(name.len().max(stem.len()))?;
        let part = Part { group, ..split.part(runs, named(name), budget)? };
        vertices_in_all += part.vertices.len();
        if vertices_in_all > u32::MAX as usize {
            return Err(Fault::new("the parts have more than 2³² vertices together", "split the file"));
        }
        parts.push(part);
    }
    Ok(parts)
}

#[derive(Clone, Copy)]
struct Range {
    part: u32,
    start: usize,
    end: usize,
}

/// The runs with their starts, those of one part together.
fn sorted_runs(runs: &[Run], budget: &mut Budget) -> Result<Vec<Range>, Fault> {
    let mut ranges = budget.vec(runs.len())?;
    let mut start = 0;
    for run in runs {
        ranges.push(Range { part: run.part, start, end: run.end });
        start = run.end;
    }
    ranges.sort_unstable_by_key(|range| (range.part, range.start));
    Ok(ranges)
}

struct Splitter {
    vertices: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    /// For each vertex of the file its index in the part at hand, or `UNSEEN`.
    local: Vec<u32>,
}

impl Splitter {
    fn part(&mut self, runs: &[Range], name: String, budget: &mut Budget) -> Result<Part, Fault> {
        let mut seen = 0;
        for &i in corners(&self.triangles, runs) {
            let local = &mut self.local[i as usize];
            if *local == UNSEEN {
                *local = seen;
                seen += 1;
            }
        }
        let mut vertices: Vec<DVec3> = budget.vec(seen as usize)?;
        for &i in corners(&self.triangles, runs) {
            if self.local[i as usize] as usize == vertices.len() {
                vertices.push(self.vertices[i as usize]);
            }
        }
        let mut triangles = budget.vec(runs.iter().map(|run| run.end - run.start).sum())?;
        for run in runs {
            let own = &self.triangles[run.start..run.end];
            triangles.extend(own.iter().map(|t| t.map(|i| self.local[i as usize])));
        }
        for &i in corners(&self.triangles, runs) {
            self.local[i as usize] = UNSEEN;
        }
        Ok(Part { name, vertices, triangles, group: None })
    }
}

fn corners<'a>(triangles: &'a [[u32; 3]], runs: &'a [Range]) -> impl Iterator<Item = &'a u32> {
    runs.iter().flat_map(|run| triangles[run.start..run.end].as_flattened())
}
