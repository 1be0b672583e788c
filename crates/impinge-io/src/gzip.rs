//! Unpacks gzip files, within a bound on their size.
//!
//! Meshes shrink by a factor of 3 to 30; a gzip bomb by 1000. A file that unpacks to more than 16 MiB + 100 × its size
//! is refused, so that no more than that is ever allocated.

use crate::error::Fault;
use flate2::read::MultiGzDecoder;
use std::io::Read;

const SLACK: u64 = 16 << 20;
const FACTOR: u64 = 100;
/// The most bytes that one byte of deflate can unpack to.
const DEFLATE: u64 = 1032;

pub(crate) fn is_gzip(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x1f, 0x8b])
}

pub(crate) fn unpack(bytes: &[u8]) -> Result<Vec<u8>, Fault> {
    let packed = bytes.len() as u64;
    let most = packed.saturating_mul(FACTOR).saturating_add(SLACK);
    let mut content = Vec::new();
    let hint = claimed_size(bytes).min(packed.saturating_mul(DEFLATE)).min(most);
    content.try_reserve_exact(hint as usize + 1).map_err(|_| too_large(most))?;
    MultiGzDecoder::new(bytes)
        .take(most + 1)
        .read_to_end(&mut content)
        .map_err(|error| Fault::new(format!("the gzip data is damaged: {error}"), "copy or compress the file again"))?;
    if content.len() as u64 > most {
        return Err(too_large(most));
    }
    if is_gzip(&content) {
        return Err(Fault::new("the file is compressed twice", "decompress it once"));
    }
    content.shrink_to_fit();
    Ok(content)
}

/// The size that the last four bytes claim, modulo 2³².
fn claimed_size(bytes: &[u8]) -> u64 {
    bytes.last_chunk().map_or(0, |size| u64::from(u32::from_le_bytes(*size)))
}

fn too_large(most: u64) -> Fault {
    Fault::new(
        format!("the gzip data unpacks to more than {most} bytes, over {FACTOR} times its size"),
        "decompress it first if you trust it",
    )
}
