//! The container: JSON text alone, or a GLB file of a JSON chunk and a binary one.

use super::json::{Json, Value};
use crate::error::{CUT_OFF, Fault, MALFORMED};

const CHUNK_JSON: u32 = 0x4e4f_534a;
const CHUNK_BIN: u32 = 0x004e_4942;

/// The JSON text, and the binary chunk of a GLB file.
pub(super) fn open(bytes: &[u8]) -> Result<(Value<'_>, Option<&[u8]>), Fault> {
    if bytes.starts_with(b"glTF") {
        let chunks = split_glb(bytes)?;
        return Ok((Json::check(chunks.json, Some(chunks.offset))?, chunks.binary));
    }
    Ok((Json::check(bytes, None)?, None))
}

struct Chunks<'a> {
    json: &'a [u8],
    offset: usize,
    binary: Option<&'a [u8]>,
}

fn split_glb(bytes: &[u8]) -> Result<Chunks<'_>, Fault> {
    let word = |at: usize| {
        let word = bytes.get(at..).and_then(|rest| rest.first_chunk());
        word.map(|word| u32::from_le_bytes(*word))
            .ok_or_else(|| Fault::at_byte(bytes.len(), "the GLB file ends within a chunk", CUT_OFF))
    };
    let version = word(4)?;
    if version != 2 {
        return Err(Fault::at_byte(4, format!("GLB version {version} is not supported"), "export it as glTF 2.0"));
    }
    let len = word(8)? as usize;
    if len > bytes.len() {
        let message = format!("the header claims {len} bytes, but the file has {}", bytes.len());
        return Err(Fault::at_byte(8, message, CUT_OFF));
    }
    if bytes[len.min(bytes.len())..].iter().any(|b| *b != 0 && !b.is_ascii_whitespace()) {
        return Err(Fault::at_byte(len, "data follows after the length that the header claims", MALFORMED));
    }
    let chunk = |at: usize| -> Result<(u32, &[u8]), Fault> {
        let (size, kind) = (word(at)? as usize, word(at + 4)?);
        let end = (at + 8).checked_add(size).filter(|end| *end <= len);
        let end = end.ok_or_else(|| {
            Fault::at_byte(at, format!("the chunk claims {size} bytes, more than the file has left"), CUT_OFF)
        })?;
        Ok((kind, &bytes[at + 8..end]))
    };
    let (kind, json) = chunk(12)?;
    if kind != CHUNK_JSON {
        return Err(Fault::at_byte(16, "the first chunk of a GLB file must be JSON", MALFORMED));
    }
    let mut binary = None;
    let mut at = 20 + json.len();
    while at < len && binary.is_none() {
        let (kind, content) = chunk(at)?;
        binary = (kind == CHUNK_BIN).then_some(content);
        at += 8 + content.len();
    }
    Ok(Chunks { json, offset: 20, binary })
}
