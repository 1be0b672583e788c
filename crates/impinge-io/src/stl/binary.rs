//! Binary STL: 80 bytes of header, a count, and 50 bytes a triangle.
//!
//! The stored normals and the attribute bytes are ignored; the winding decides which side is outside.

use crate::budget::Budget;
use crate::document::Part;
use crate::error::{CUT_OFF, FINITE, Fault, NO_SURFACE};
use glam::DVec3;
use std::io::Read;

/// Header and count.
pub(crate) const HEADER: usize = 84;
const RECORD: usize = 50;
const NORMAL: usize = 12;
/// Triangles decoded at a time.
const BLOCK: usize = 4096;

fn claimed(bytes: &[u8]) -> Option<u64> {
    let count = bytes.get(80..HEADER)?.first_chunk()?;
    Some(u64::from(u32::from_le_bytes(*count)))
}

fn expected_len(count: u64) -> u64 {
    HEADER as u64 + RECORD as u64 * count
}

/// Whether the count in the header agrees with the length of the file. No text file can pass: read as a count, four
/// bytes of text give at least 150 million triangles.
pub(crate) fn has_exact_length(head: &[u8], file_len: u64) -> bool {
    claimed(head).is_some_and(|count| expected_len(count) == file_len)
}

pub(crate) fn read(bytes: &[u8], stem: &str, budget: &mut Budget) -> Result<Part, Fault> {
    let Some(count) = claimed(bytes) else {
        let message = format!("a binary STL file has at least {HEADER} bytes, this one has {}", bytes.len());
        return Err(Fault::at_byte(bytes.len(), message, CUT_OFF));
    };
    check_length(bytes, count)?;
    let mut decoder = Decoder::new(count, budget)?;
    let records = bytes[HEADER..expected_len(count) as usize].as_chunks().0;
    for block in records.chunks(BLOCK) {
        decoder.decode(block)?;
    }
    Ok(decoder.finish(stem))
}

/// Reads a file of exact length whose first 84 bytes have been read already. Its bytes pass through a buffer that stays
/// in the cache, so that no pages are faulted in for a copy of the file.
pub(crate) fn read_stream(head: &[u8], mut file: impl Read, stem: &str, budget: &mut Budget) -> Result<Part, Fault> {
    let count = claimed(head).unwrap_or(0);
    let mut decoder = Decoder::new(count, budget)?;
    let mut left = count as usize;
    let mut buffer = budget.vec(BLOCK.min(left))?;
    buffer.resize(BLOCK.min(left), [0; RECORD]);
    while left > 0 {
        let block = &mut buffer[..BLOCK.min(left)];
        file.read_exact(block.as_flattened_mut())
            .map_err(|error| Fault::new(format!("cannot be read: {error}"), "check that the file can be read"))?;
        decoder.decode(block)?;
        left -= block.len();
    }
    Ok(decoder.finish(stem))
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

struct Decoder {
    vertices: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
}

impl Decoder {
    /// The caller has checked that the file is long enough for `count` triangles.
    fn new(count: u64, budget: &mut Budget) -> Result<Decoder, Fault> {
        if count == 0 {
            return Err(Fault::at_byte(80, "the file holds no triangles", NO_SURFACE));
        }
        if count > u64::from(u32::MAX / 3) {
            return Err(Fault::at_byte(80, format!("{count} triangles have more than 2³² corners"), "split the mesh"));
        }
        Ok(Decoder { vertices: budget.vec(3 * count as usize)?, triangles: budget.vec(count as usize)? })
    }

    fn decode(&mut self, block: &[[u8; RECORD]]) -> Result<(), Fault> {
        let first = self.vertices.len();
        for record in block {
            self.vertices.extend_from_slice(&corners(record));
        }
        match self.vertices[first..].iter().position(|v| !v.is_finite()) {
            None => Ok(()),
            Some(bad) => Err(self.not_finite(first + bad)),
        }
    }

    #[cold]
    fn not_finite(&self, bad: usize) -> Fault {
        let at = HEADER + RECORD * (bad / 3) + NORMAL * (1 + bad % 3);
        let v = self.vertices[bad];
        let message = format!("triangle {} has a corner that is not finite: ({}, {}, {})", bad / 3, v.x, v.y, v.z);
        Fault::at_byte(at, message, FINITE)
    }

    fn finish(mut self, stem: &str) -> Part {
        let count = self.vertices.len() as u32 / 3;
        self.triangles.extend((0..count).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]));
        Part { name: stem.to_owned(), vertices: self.vertices, triangles: self.triangles, group: None }
    }
}

#[inline]
fn corners(record: &[u8; RECORD]) -> [DVec3; 3] {
    let number =
        |at: usize| f64::from(f32::from_le_bytes([record[at], record[at + 1], record[at + 2], record[at + 3]]));
    let point = |at: usize| DVec3::new(number(at), number(at + 4), number(at + 8));
    [point(NORMAL), point(2 * NORMAL), point(3 * NORMAL)]
}
