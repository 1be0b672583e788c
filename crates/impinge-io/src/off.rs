//! OFF: a header, vertices one a line, faces one a line; also COFF, NOFF and their mixtures.
//!
//! Colours, normals and texture coordinates after the coordinates of a vertex or the corners of a face are ignored. The
//! four-dimensional, n-dimensional and binary variants are refused. Written by hand: `off-rs` knows only the key word
//! `OFF` and splits each line into a vector of strings.

use crate::budget::Budget;
use crate::document::Part;
use crate::error::{CUT_OFF, Fault, MALFORMED, NO_SURFACE, Place};
use crate::polygon::Triangulator;
use crate::text::{Cursor, coordinate, integer, quote};
use glam::DVec3;

/// Fewest bytes of a vertex line, `0 0 0` and a line end, and of a face line, `3 0 0 0` and a line end.
const VERTEX: usize = 6;
const FACE: usize = 8;

pub(crate) fn read(bytes: &[u8], stem: &str, budget: &mut Budget) -> Result<Part, Fault> {
    let mut cursor = Cursor::new(bytes).with_comments();
    let [vertex_count, face_count] = header(&mut cursor)?;
    let vertices = read_vertices(&mut cursor, vertex_count, budget)?;
    let triangles = read_faces(&mut cursor, &vertices, face_count, budget)?;
    if let Some(token) = cursor.token() {
        let message = format!("{} follows after the {face_count} faces the header claims", quote(token));
        return Err(Fault::at_line(cursor.line(), message, "correct the counts, or export the file again"));
    }
    Ok(Part { name: stem.to_owned(), vertices, triangles, group: None })
}

/// Whether the content starts with the key word of an OFF file that this module reads or refuses by name.
pub(crate) fn looks_like_off(bytes: &[u8]) -> bool {
    Cursor::new(bytes).with_comments().token().is_some_and(|word| split_keyword(word).is_some())
}

/// Splits `COFF` or `OFF12` into its prefix (`C`, nothing) and what follows (nothing, `12`: written without a space by
/// some well-known data sets).
fn split_keyword(word: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = word.windows(3).position(|w| w == b"OFF")?;
    let (prefix, rest) = (&word[..at], &word[at + 3..]);
    let known = prefix.len() <= 5 && prefix.iter().all(|b| b"STCN4n".contains(b));
    (known && rest.iter().all(u8::is_ascii_digit)).then_some((prefix, rest))
}

fn header(cursor: &mut Cursor<'_>) -> Result<[u64; 2], Fault> {
    let word = cursor.token().unwrap_or_default();
    let line = cursor.line();
    let bare = integer(word).map(|_| (&b""[..], word)); // the key word may be left out
    let Some((prefix, glued)) = split_keyword(word).or(bare) else {
        let message = format!("{} stands where \"OFF\" is expected", quote(word));
        return Err(Fault::at_line(line, message, MALFORMED));
    };
    if prefix.iter().any(|b| b"4n".contains(b)) {
        return Err(Fault::at_line(line, "the vertices are not three-dimensional", "export a three-dimensional mesh"));
    }
    let vertices = if glued.is_empty() { count(cursor)? } else { parse_count(glued, line)? };
    let faces = count(cursor)?;
    cursor.rest_of_line(); // the number of edges, which some writers leave out
    Ok([vertices, faces])
}

fn count(cursor: &mut Cursor<'_>) -> Result<u64, Fault> {
    let token = need(cursor, "the counts of vertices and faces")?;
    if token == b"BINARY" {
        return Err(Fault::at_line(cursor.line(), "binary OFF is not supported", "export it as text OFF, PLY or STL"));
    }
    parse_count(token, cursor.line())
}

fn parse_count(token: &[u8], line: u64) -> Result<u64, Fault> {
    integer(token)
        .and_then(|n| u64::try_from(n).ok())
        .ok_or_else(|| Fault::at_line(line, format!("{} is not a count", quote(token)), MALFORMED))
}

fn need<'a>(cursor: &mut Cursor<'a>, what: &str) -> Result<&'a [u8], Fault> {
    cursor
        .token()
        .ok_or_else(|| Fault::at_line(cursor.line(), format!("the file ends where {what} should stand"), CUT_OFF))
}

fn read_vertices(cursor: &mut Cursor<'_>, count: u64, budget: &mut Budget) -> Result<Vec<DVec3>, Fault> {
    let count = check_claim(cursor, count, VERTEX, "vertices")?;
    let mut vertices = budget.vec(count)?;
    for _ in 0..count {
        let mut number = || {
            let token = need(cursor, "a vertex")?;
            coordinate(token, cursor.line())
        };
        vertices.push(DVec3::new(number()?, number()?, number()?));
        cursor.rest_of_line();
    }
    Ok(vertices)
}

fn read_faces(
    cursor: &mut Cursor<'_>,
    vertices: &[DVec3],
    count: u64,
    budget: &mut Budget,
) -> Result<Vec<[u32; 3]>, Fault> {
    let count = check_claim(cursor, count, FACE, "faces")?;
    if count == 0 {
        return Err(Fault::at_line(cursor.line(), "the file holds no faces", NO_SURFACE));
    }
    let mut triangulator = Triangulator::new(cursor.remaining());
    let mut triangles = budget.vec(count)?;
    let (mut corners, mut counted) = (Vec::new(), false);
    for face in 0..count {
        let before = cursor.clone();
        let n = corner_count(cursor)?;
        if n > 3 && !counted {
            budget.reserve(&mut triangles, count_triangles(before, count - face))?;
            counted = true;
        }
        let line = cursor.line();
        corners.clear();
        for _ in 0..n {
            let token = need(cursor, "a face's corner")?;
            budget.push(&mut corners, index(token, vertices.len(), cursor.line())?)?;
        }
        cursor.rest_of_line();
        triangulator.append(vertices, &corners, &mut triangles).map_err(|fault| fault.at(Place::Line(line)))?;
    }
    Ok(triangles)
}

fn corner_count(cursor: &mut Cursor<'_>) -> Result<usize, Fault> {
    let token = need(cursor, "a face")?;
    let n = parse_count(token, cursor.line())?;
    if n < 3 {
        let message = format!("a face with {n} corners has no surface");
        return Err(Fault::at_line(cursor.line(), message, "remove it: a face needs at least three corners"));
    }
    if n > cursor.remaining() as u64 / 2 {
        let message = format!("the face claims {n} corners, but only {} bytes follow", cursor.remaining());
        return Err(Fault::at_line(cursor.line(), message, CUT_OFF));
    }
    Ok(n as usize)
}

/// Number of triangles in the next `faces` faces; damaged lines count as one.
fn count_triangles(mut cursor: Cursor<'_>, faces: usize) -> usize {
    let mut triangles: usize = 0;
    for _ in 0..faces {
        triangles = triangles.saturating_add(corner_count(&mut cursor).map_or(1, |n| n - 2));
        cursor.rest_of_line();
    }
    triangles
}

fn index(token: &[u8], vertices: usize, line: u64) -> Result<u32, Fault> {
    match integer(token) {
        Some(i) if (0..vertices as i64).contains(&i) => Ok(i as u32),
        Some(i) => {
            let message = format!("vertex index {i} is out of range: there are {vertices} vertices, counted from 0");
            Err(Fault::at_line(line, message, MALFORMED))
        }
        None => Err(Fault::at_line(line, format!("{} is not a vertex index", quote(token)), MALFORMED)),
    }
}

/// Refuses a count for which the rest of the file is too short, before anything is allocated for it.
fn check_claim(cursor: &Cursor<'_>, count: u64, least: usize, what: &str) -> Result<usize, Fault> {
    let room = (cursor.remaining() + 1) / least;
    if count > room as u64 || count > u64::from(u32::MAX) {
        let rest = cursor.remaining();
        let message = format!("the header claims {count} {what}, but only {rest} bytes follow");
        return Err(Fault::at_line(cursor.line(), message, CUT_OFF));
    }
    Ok(count as usize)
}
