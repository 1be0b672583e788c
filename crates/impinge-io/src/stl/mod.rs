//! STL: finds out which of its two encodings a file has.
//!
//! Written by hand: `stl_io` welds vertices through a hash map, which costs far more than reading the bytes, and its
//! errors have no place.

mod ascii;
mod binary;

use crate::budget::Budget;
use crate::document::Part;
use crate::error::Fault;

pub(crate) use binary::{HEADER, has_exact_length, read_stream};

/// A part without a name is named `stem`.
pub(crate) fn read(bytes: &[u8], stem: &str, budget: &mut Budget) -> Result<Vec<Part>, Fault> {
    if has_exact_length(bytes, bytes.len() as u64) || !looks_like_text(bytes) {
        Ok(vec![binary::read(bytes, stem, budget)?])
    } else {
        ascii::read(bytes, stem, budget)
    }
}

/// Whether the content starts with `solid` and goes on as text; the header of a binary file may start with `solid` too.
pub(crate) fn looks_like_text(bytes: &[u8]) -> bool {
    let text = bytes.trim_ascii_start();
    let solid = text.get(..5).is_some_and(|word| word.eq_ignore_ascii_case(b"solid"));
    let control = |b: &u8| matches!(b, 0..=8 | 0x0e..=0x1f | 0x7f);
    solid && !bytes.iter().take(512).any(control)
}
