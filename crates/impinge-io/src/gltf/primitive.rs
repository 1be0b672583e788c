//! Triangles of one mesh, transformed as the node asks that has it.

use super::accessor::{self, Elements};
use super::buffers::Buffers;
use super::tables::{Mesh, Primitive, Shape, Tables};
use crate::budget::Budget;
use crate::document::Part;
use crate::error::{Fault, MALFORMED};
use glam::DAffine3;
use std::collections::BTreeMap;

/// The memory that an entry of the map of positions may cost.
const ENTRY: usize = 64;

/// Adds all primitives of a mesh to `part`, moved by `transform`. Primitives that share positions share vertices.
pub(super) fn append_mesh<'a>(
    tables: &Tables<'a>,
    buffers: &mut Buffers<'a>,
    mesh: &Mesh,
    transform: DAffine3,
    part: &mut Part,
    budget: &mut Budget,
) -> Result<(), Fault> {
    let primitives = &tables.primitives[mesh.first..mesh.end];
    let (mut vertices, mut triangles) = (0_usize, 0_usize);
    let mut starts = BTreeMap::new();
    budget.take(primitives.len() * ENTRY)?;
    for primitive in primitives {
        let place = |fault: Fault| fault.at(tables.json.value(primitive.at).place());
        accessor::fetch(tables, buffers, primitive.positions, budget).map_err(place)?;
        let positions = accessor::positions(tables, buffers, primitive.positions).map_err(place)?.count;
        if let Some(indices) = primitive.indices {
            accessor::fetch(tables, buffers, indices, budget).map_err(place)?;
        }
        let corners = Corners::of(tables, buffers, primitive, positions).map_err(place)?;
        triangles = triangles.saturating_add(triangle_count(primitive.shape, corners.count()).map_err(place)?);
        if starts.insert(primitive.positions, None).is_none() {
            vertices = vertices.saturating_add(positions);
        }
    }
    budget.reserve(&mut part.vertices, vertices)?;
    budget.reserve(&mut part.triangles, triangles)?;
    for primitive in primitives {
        let place = |fault: Fault| fault.at(tables.json.value(primitive.at).place());
        let start = starts.get(&primitive.positions).copied().flatten().unwrap_or(part.vertices.len());
        if start == part.vertices.len() {
            accessor::append_positions(tables, buffers, primitive.positions, transform, &mut part.vertices)
                .map_err(place)?;
            starts.insert(primitive.positions, Some(start));
        }
        let count = accessor::get(tables, primitive.positions)?.count as usize;
        let corners = Corners::of(tables, buffers, primitive, count).map_err(place)?;
        let mirrored = transform.matrix3.determinant() < 0.0;
        append_triangles(primitive.shape, &corners, start, mirrored, part).map_err(place)?;
    }
    budget.give(primitives.len() * ENTRY);
    Ok(())
}

/// The corners of a primitive in order, by their indices or one after the other.
struct Corners<'b> {
    indices: Option<Elements<'b>>,
    positions: usize,
}

impl<'b> Corners<'b> {
    fn of(
        tables: &Tables<'_>,
        buffers: &'b Buffers<'_>,
        primitive: &Primitive,
        positions: usize,
    ) -> Result<Corners<'b>, Fault> {
        let indices = primitive.indices.map(|index| accessor::indices(tables, buffers, index)).transpose()?;
        Ok(Corners { indices, positions })
    }

    fn count(&self) -> usize {
        self.indices.map_or(self.positions, |indices| indices.count)
    }

    fn corner(&self, i: usize) -> Result<u32, Fault> {
        let index = self.indices.map_or(i as u32, |indices| indices.index(i));
        if (index as usize) < self.positions {
            return Ok(index);
        }
        let message = format!("index {i} names vertex {index}, but the primitive has {} vertices", self.positions);
        Err(Fault::new(message, MALFORMED))
    }
}

fn triangle_count(shape: Shape, corners: usize) -> Result<usize, Fault> {
    match shape {
        Shape::Triangles if !corners.is_multiple_of(3) => {
            Err(Fault::new(format!("{corners} corners are not a whole number of triangles"), MALFORMED))
        }
        Shape::Triangles => Ok(corners / 3),
        Shape::Strip | Shape::Fan if corners < 3 => {
            Err(Fault::new(format!("a strip or fan needs three corners, this one has {corners}"), MALFORMED))
        }
        Shape::Strip | Shape::Fan => Ok(corners - 2),
    }
}

/// Under a mirroring transform the winding is reversed, as glTF asks. A triangle of a strip that has a corner twice
/// only joins two strips and is left out.
fn append_triangles(
    shape: Shape,
    corners: &Corners<'_>,
    start: usize,
    mirrored: bool,
    part: &mut Part,
) -> Result<(), Fault> {
    for t in 0..triangle_count(shape, corners.count())? {
        let [a, b, c] = match shape {
            Shape::Triangles => [3 * t, 3 * t + 1, 3 * t + 2],
            Shape::Strip if t % 2 == 0 => [t, t + 1, t + 2],
            Shape::Strip => [t + 1, t, t + 2],
            Shape::Fan => [0, t + 1, t + 2],
        };
        let [a, b, c] = [corners.corner(a)?, corners.corner(b)?, corners.corner(c)?];
        if shape == Shape::Strip && (a == b || b == c || c == a) {
            continue;
        }
        let start = start as u32;
        part.triangles.push(if mirrored { [a, c, b] } else { [a, b, c] }.map(|i| start + i));
    }
    Ok(())
}
