//! From the bytes of a file to its parts: counted first, then the vertices, then the faces.

use super::statements::{count, numbers, split};
use super::{face, parts};
use crate::budget::Budget;
use crate::document::Part;
use crate::error::{Fault, MALFORMED, NO_SURFACE};
use crate::text::{Lines, coordinate};
use glam::DVec3;

/// A part without a name is named `stem`.
pub(crate) fn read(bytes: &[u8], stem: &str, budget: &mut Budget) -> Result<Vec<Part>, Fault> {
    let counts = count(bytes)?;
    if counts.triangles == 0 {
        let message =
            if counts.vertices == 0 { "the file holds no vertices and no faces" } else { "the file holds no faces" };
        return Err(Fault::at_line(counts.lines, message, NO_SURFACE));
    }
    if counts.vertices > u32::MAX as usize {
        return Err(Fault::new("the file holds more than 2³² vertices", "split the file"));
    }
    let vertices = read_vertices(bytes, counts.vertices, budget)?;
    let faces = face::read(bytes, &vertices, &counts, budget)?;
    parts::gather(vertices, faces, stem, budget)
}

fn read_vertices(bytes: &[u8], count: usize, budget: &mut Budget) -> Result<Vec<DVec3>, Fault> {
    let mut vertices = budget.vec(count)?;
    for (number, line) in Lines::new(bytes) {
        let Some((b"v", rest)) = split(line) else { continue };
        let mut numbers = numbers(rest);
        let mut next = || match numbers.next() {
            Some(token) => coordinate(token, number),
            None => Err(Fault::at_line(number, "a vertex needs three coordinates", MALFORMED)),
        };
        vertices.push(DVec3::new(next()?, next()?, next()?));
    }
    Ok(vertices)
}
