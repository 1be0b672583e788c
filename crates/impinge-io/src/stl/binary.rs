//! Binary STL: 80 bytes of header, a count, and 50 bytes a triangle.
//!
//! The stored normals and the attribute bytes are not looked at; the winding says which side is out.

use crate::budget::Budget;
use crate::document::Part;
use crate::error::{CUT_OFF, FINITE, Fault, NO_SURFACE};
use glam::DVec3;

const HEADER: usize = 84;
const RECORD: usize = 50;
const NORMAL: usize = 12;

fn claimed(bytes: &[u8]) -> Option<u64> {
    let count = bytes.get(80..HEADER)?.first_chunk()?;
    Some(u64::from(u32::from_le_bytes(*count)))
}

fn expected_len(count: u64) -> u64 {
    HEADER as u64 + RECORD as u64 * count
}

/// Whether the count in the header agrees with the length of the file. No text file can pass: read as a count, four
/// bytes of text stand for at least 150 million triangles.
pub(crate) fn has_exact_length(bytes: &[u8]) -> bool {
    claimed(bytes).is_some_and(|count| expected_len(count) == bytes.len() as u64)
}

pub(crate) fn read(bytes: &[u8], stem: &str, budget: &mut Budget) -> Result<Part, Fault> {
    let Some(count) = claimed(bytes) else {
        let message = format!("a binary STL file has at least {HEADER} bytes, this one has {}", bytes.len());
        return Err(Fault::at_byte(bytes.len(), message, CUT_OFF));
    };
    check_length(bytes, count)?;
    if count == 0 {
        return Err(Fault::at_byte(80, "the file holds no triangles", NO_SURFACE));
    }
    let count = count as usize;
    if count > (u32::MAX / 3) as usize {
        return Err(Fault::at_byte(80, format!("{count} triangles are more than 2³² vertices"), "split the mesh"));
    }
    let records = bytes[HEADER..HEADER + RECORD * count].as_chunks::<RECORD>().0;
    let mut vertices = budget.vec(3 * count)?;
    vertices.extend(records.iter().flat_map(corners));
    if let Some(bad) = vertices.iter().position(|v| !v.is_finite()) {
        let at = HEADER + RECORD * (bad / 3) + NORMAL * (1 + bad % 3);
        let v = vertices[bad];
        let message = format!("triangle {} has a corner that is not finite: ({}, {}, {})", bad / 3, v.x, v.y, v.z);
        return Err(Fault::at_byte(at, message, FINITE));
    }
    let mut triangles = budget.vec(count)?;
    triangles.extend((0..count as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]));
    Ok(Part { name: stem.to_owned(), vertices, triangles })
}

fn check_length(bytes: &[u8], count: u64) -> Result<(), Fault> {
    let (expected, len) = (expected_len(count), bytes.len() as u64);
    if expected > len {
        let message = format!("the header claims {count} triangles ({expected} bytes), but the file has {len} bytes");
        return Err(Fault::at_byte(80, message, CUT_OFF));
    }
    let extra = &bytes[expected as usize..];
    if let Some(at) = extra.iter().position(|b| *b != 0 && !b.is_ascii_whitespace()) {
        let message = format!("data follows after the {count} triangles the header claims");
        return Err(Fault::at_byte(expected as usize + at, message, "the count is wrong: export the file again"));
    }
    Ok(())
}

#[inline]
fn corners(record: &[u8; RECORD]) -> [DVec3; 3] {
    let number =
        |at: usize| f64::from(f32::from_le_bytes([record[at], record[at + 1], record[at + 2], record[at + 3]]));
    let point = |at: usize| DVec3::new(number(at), number(at + 4), number(at + 8));
    [point(NORMAL), point(2 * NORMAL), point(3 * NORMAL)]
}
