//! The polygons of a PLY file as triangles.

use super::body::{Body, list_len, skip_properties};
use super::header::{Element, Kind, Scalar};
use crate::budget::Budget;
use crate::error::{Fault, MALFORMED, NO_SURFACE};
use crate::polygon::Triangulator;
use glam::DVec3;

pub(super) fn read_faces<B: Body>(
    element: &Element<'_>,
    body: &mut B,
    vertices: &[DVec3],
    budget: &mut Budget,
) -> Result<Vec<[u32; 3]>, Fault> {
    let row = Row::of(element)?;
    let mut triangulator = Triangulator::new(body.remaining());
    let mut triangles = budget.vec(element.count as usize)?;
    let (mut corners, mut counted) = (Vec::new(), false);
    for face in 0..element.count {
        let before = body.clone();
        skip_properties(&element.properties[..row.list], body)?;
        let n = list_len(body, row.count, row.item)?;
        let place = body.last(row.count);
        if n < 3 {
            let message = format!("a face with {n} corners has no surface");
            return Err(Fault::new(message, "remove it: a face needs at least three corners").at(place));
        }
        if n > 3 && !counted {
            budget.reserve(&mut triangles, row.count_triangles(element, before, element.count - face)?)?;
            counted = true;
        }
        corners.clear();
        for _ in 0..n {
            budget.push(&mut corners, index(body, row.item, vertices.len())?)?;
        }
        triangulator.append(vertices, &corners, &mut triangles).map_err(|fault| fault.at(place))?;
        skip_properties(&element.properties[row.list + 1..], body)?;
    }
    Ok(triangles)
}

/// The position of the list of corners among the properties of a face.
struct Row {
    list: usize,
    count: Scalar,
    item: Scalar,
}

impl Row {
    fn of(element: &Element<'_>) -> Result<Row, Fault> {
        let corners = |name: &[u8]| matches!(name, b"vertex_indices" | b"vertex_index");
        for (list, property) in element.properties.iter().enumerate() {
            if let (true, Kind::List { count, item }) = (corners(property.name), property.kind) {
                return Ok(Row { list, count, item });
            }
        }
        Err(Fault::new("the faces have no list \"vertex_indices\"", NO_SURFACE))
    }

    /// Number of triangles in the next `faces` faces.
    fn count_triangles<B: Body>(&self, element: &Element<'_>, mut body: B, faces: u64) -> Result<usize, Fault> {
        let mut triangles: usize = 0;
        for _ in 0..faces {
            skip_properties(&element.properties[..self.list], &mut body)?;
            let n = list_len(&mut body, self.count, self.item)?;
            body.skip(self.item, n)?;
            skip_properties(&element.properties[self.list + 1..], &mut body)?;
            triangles = triangles.saturating_add(n.saturating_sub(2));
        }
        Ok(triangles)
    }
}

#[inline]
fn index<B: Body>(body: &mut B, item: Scalar, vertices: usize) -> Result<u32, Fault> {
    let index = body.scalar(item)?;
    if index >= 0.0 && index < vertices as f64 && index.fract() == 0.0 {
        return Ok(index as u32);
    }
    let message = format!("vertex index {index} is out of range: there are {vertices} vertices, counted from 0");
    Err(Fault::new(message, MALFORMED).at(body.last(item)))
}
