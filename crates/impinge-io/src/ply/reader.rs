//! Reads the bytes of a file: its vertices and triangles.

use super::body::{Body, skip_properties};
use super::faces::read_faces;
use super::header::{self, Element, Encoding, Header, Kind, Scalar};
use super::{ascii, binary};
use crate::budget::Budget;
use crate::document::Part;
use crate::error::{CUT_OFF, FINITE, Fault, NO_SURFACE};
use glam::DVec3;

pub(crate) fn read(bytes: &[u8], stem: &str, budget: &mut Budget) -> Result<Part, Fault> {
    let header = header::read(bytes)?;
    let (vertices, triangles) = match header.encoding {
        Encoding::Ascii => read_body(&header, ascii::Text::new(bytes, &header), budget)?,
        Encoding::LittleEndian => read_body(&header, binary::Binary::<false>::new(bytes, &header), budget)?,
        Encoding::BigEndian => read_body(&header, binary::Binary::<true>::new(bytes, &header), budget)?,
    };
    Ok(Part { name: stem.to_owned(), vertices, triangles, group: None })
}

fn read_body<B: Body>(
    header: &Header<'_>,
    mut body: B,
    budget: &mut Budget,
) -> Result<(Vec<DVec3>, Vec<[u32; 3]>), Fault> {
    let (vertex, face) = (header.element(b"vertex"), header.element(b"face"));
    let Some(vertex) = vertex else {
        return Err(Fault::new("the header describes no element \"vertex\"", NO_SURFACE));
    };
    let Some(face) = face.filter(|face| face.count > 0) else {
        let message = if header.element(b"tristrips").is_some() {
            "triangle strips are not supported"
        } else {
            "the file holds no faces, only points"
        };
        return Err(Fault::new(message, NO_SURFACE));
    };
    let (mut vertices, mut triangles) = (None, None);
    let mut postponed = None;
    for element in &header.elements {
        check_claim(element, &body)?;
        if std::ptr::eq(element, vertex) {
            vertices = Some(read_vertices(element, &mut body, budget)?);
        } else if !std::ptr::eq(element, face) {
            skip_element(element, &mut body)?;
        } else if let Some(vertices) = &vertices {
            triangles = Some(read_faces(element, &mut body, vertices, budget)?);
        } else {
            postponed = Some(body.clone());
            skip_element(element, &mut body)?;
        }
    }
    body.finish()?;
    let vertices = vertices.unwrap_or_default();
    let triangles = match (triangles, postponed) {
        (Some(triangles), _) => triangles,
        (None, Some(mut body)) => read_faces(face, &mut body, &vertices, budget)?,
        (None, None) => Vec::new(),
    };
    Ok((vertices, triangles))
}

/// Refuses a count for which the rest of the file is too short, before anything is allocated for it.
fn check_claim<B: Body>(element: &Element<'_>, body: &B) -> Result<(), Fault> {
    let least: usize = element.properties.iter().map(|p| B::least(p.least_scalar())).sum();
    let room = (body.remaining() + 1).checked_div(least).unwrap_or(usize::MAX);
    if element.count > room as u64 {
        let name = crate::text::quote(element.name);
        let message = format!(
            "the header claims {} of element {name}, but only {} bytes follow",
            element.count,
            body.remaining()
        );
        return Err(Fault::new(message, CUT_OFF).at(body.place()));
    }
    Ok(())
}

fn skip_element<B: Body>(element: &Element<'_>, body: &mut B) -> Result<(), Fault> {
    if element.properties.is_empty() {
        return Ok(());
    }
    for _ in 0..element.count {
        skip_properties(&element.properties, body)?;
    }
    Ok(())
}

fn read_vertices<B: Body>(element: &Element<'_>, body: &mut B, budget: &mut Budget) -> Result<Vec<DVec3>, Fault> {
    if element.count > u64::from(u32::MAX) {
        return Err(Fault::new("the file holds more than 2³² vertices", "split the file"));
    }
    let mut axes = [None; 3];
    for (axis, name) in axes.iter_mut().zip([b"x", b"y", b"z"]) {
        let found = element.properties.iter().position(|p| p.name == name && p.is_scalar());
        *axis = Some(found.ok_or_else(|| {
            Fault::new(format!("the vertices have no scalar property {}", crate::text::quote(name)), NO_SURFACE)
        })?);
    }
    let mut vertices = budget.vec(element.count as usize)?;
    for _ in 0..element.count {
        let mut point = DVec3::ZERO;
        for (i, property) in element.properties.iter().enumerate() {
            let axis = axes.iter().position(|axis| *axis == Some(i));
            match (axis, property.kind) {
                (Some(axis), Kind::Scalar(scalar)) => point[axis] = finite(body, scalar)?,
                _ => skip_properties(std::slice::from_ref(property), body)?,
            }
        }
        vertices.push(point);
    }
    Ok(vertices)
}

fn finite<B: Body>(body: &mut B, scalar: Scalar) -> Result<f64, Fault> {
    let value = body.scalar(scalar)?;
    if value.is_finite() {
        return Ok(value);
    }
    Err(Fault::new(format!("the coordinate {value} is not finite"), FINITE).at(body.last(scalar)))
}
