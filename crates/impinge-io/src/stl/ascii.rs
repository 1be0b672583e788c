//! ASCII STL: `solid … facet normal … outer loop, three vertices, endloop, endfacet … endsolid`, any number of solids.
//!
//! Each solid is a part. Key words are read in any case; normals are ignored.

use crate::budget::Budget;
use crate::document::Part;
use crate::error::{CUT_OFF, Fault, MALFORMED, NO_SURFACE};
use crate::text::{self, Cursor, coordinate, quote};
use glam::DVec3;

pub(crate) fn read(bytes: &[u8], stem: &str, budget: &mut Budget) -> Result<Vec<Part>, Fault> {
    let mut cursor = Cursor::new(bytes);
    let mut parts: Vec<Part> = Vec::new();
    let mut vertices_in_all = 0;
    while let Some(word) = cursor.token() {
        expect(word, b"solid", &cursor)?;
        let name = text::name(cursor.rest_of_line());
        let part = solid(&mut cursor, if name.is_empty() { stem.to_owned() } else { name }, budget)?;
        vertices_in_all += part.vertices.len();
        if vertices_in_all > u32::MAX as usize {
            return Err(Fault::at_line(cursor.line(), "more than 2³² vertices", "split the file"));
        }
        if !part.triangles.is_empty() {
            budget.take(part.name.len())?;
            budget.push(&mut parts, part)?;
        }
    }
    if parts.is_empty() {
        return Err(Fault::at_line(cursor.line(), "the file holds no facets", NO_SURFACE));
    }
    Ok(parts)
}

fn solid(cursor: &mut Cursor<'_>, name: String, budget: &mut Budget) -> Result<Part, Fault> {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    loop {
        let word = need(cursor, "endsolid")?;
        if word.eq_ignore_ascii_case(b"endsolid") {
            cursor.rest_of_line();
            vertices.shrink_to_fit();
            triangles.shrink_to_fit();
            return Ok(Part { name, vertices, triangles, group: None });
        }
        expect(word, b"facet", cursor)?;
        let first = vertices.len() as u32;
        for corner in facet(cursor)? {
            budget.push(&mut vertices, corner)?;
        }
        if vertices.len() > u32::MAX as usize {
            return Err(Fault::at_line(cursor.line(), "more than 2³² vertices", "split the file"));
        }
        budget.push(&mut triangles, [first, first + 1, first + 2])?;
    }
}

fn facet(cursor: &mut Cursor<'_>) -> Result<[DVec3; 3], Fault> {
    keyword(cursor, "normal")?;
    for _ in 0..3 {
        need(cursor, "normal")?;
    }
    keyword(cursor, "outer")?;
    keyword(cursor, "loop")?;
    let corners = [vertex(cursor)?, vertex(cursor)?, vertex(cursor)?];
    keyword(cursor, "endloop")?;
    keyword(cursor, "endfacet")?;
    Ok(corners)
}

fn vertex(cursor: &mut Cursor<'_>) -> Result<DVec3, Fault> {
    keyword(cursor, "vertex")?;
    let mut number = || {
        let token = need(cursor, "vertex")?;
        coordinate(token, cursor.line())
    };
    Ok(DVec3::new(number()?, number()?, number()?))
}

fn keyword(cursor: &mut Cursor<'_>, word: &str) -> Result<(), Fault> {
    let token = need(cursor, word)?;
    expect(token, word.as_bytes(), cursor)
}

fn need<'a>(cursor: &mut Cursor<'a>, wanted: &str) -> Result<&'a [u8], Fault> {
    cursor.token().ok_or_else(|| {
        Fault::at_line(cursor.line(), format!("the file ends where \"{wanted}\" is not complete"), CUT_OFF)
    })
}

fn expect(token: &[u8], word: &[u8], cursor: &Cursor<'_>) -> Result<(), Fault> {
    if token.eq_ignore_ascii_case(word) {
        return Ok(());
    }
    let message = format!("{} stands where \"{}\" is expected", quote(token), String::from_utf8_lossy(word));
    Err(Fault::at_line(cursor.line(), message, MALFORMED))
}
