//! Which format a file is in: by its content, then by its extension.

use crate::document::Format;
use crate::error::Fault;
use crate::{obj, off, stl};

/// The name without folders, `.gz` and the extension, and the extension.
pub(crate) fn split_name(name: &str) -> (&str, &str) {
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let plain = match name.len().checked_sub(3).map(|at| name.split_at_checked(at)) {
        Some(Some((plain, gz))) if gz.eq_ignore_ascii_case(".gz") && !plain.is_empty() => plain,
        _ => name,
    };
    match plain.rsplit_once('.') {
        Some((stem, extension)) if !stem.is_empty() => (stem, extension),
        _ => (plain, ""),
    }
}

pub(crate) fn format_of(bytes: &[u8], extension: &str) -> Result<Format, Fault> {
    if bytes.is_empty() {
        return Err(Fault::new("the file is empty", "export it again"));
    }
    by_content(bytes)
        .or_else(|| Format::from_extension(extension))
        .or_else(|| obj::looks_like_obj(bytes).then_some(Format::Obj))
        .ok_or_else(|| {
            Fault::new("the format is not known", "give a file in STL, OBJ, PLY, OFF, glTF or GLB, plain or .gz")
        })
}

fn by_content(bytes: &[u8]) -> Option<Format> {
    if stl::has_exact_length(bytes, bytes.len() as u64) {
        return Some(Format::Stl);
    }
    match bytes {
        [b'p', b'l', b'y', b'\n' | b'\r' | b' ', ..] => return Some(Format::Ply),
        [b'g', b'l', b'T', b'F', 1..=9, 0, 0, 0, ..] => return Some(Format::Gltf),
        _ => {}
    }
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    if text.first() == Some(&b'{') && text.iter().take(512).all(|b| *b >= b' ' || b.is_ascii_whitespace()) {
        return Some(Format::Gltf);
    }
    if off::looks_like_off(bytes) {
        return Some(Format::Off);
    }
    stl::looks_like_text(bytes).then_some(Format::Stl)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_split() {
        assert_eq!(split_name("a/b/bunny.stl.gz"), ("bunny", "stl"));
        assert_eq!(split_name("BUNNY.STL.GZ"), ("BUNNY", "STL"));
        assert_eq!(split_name("v1.2.obj"), ("v1.2", "obj"));
        assert_eq!(split_name(".gz"), (".gz", ""));
        assert_eq!(split_name("bunny"), ("bunny", ""));
        assert_eq!(split_name(""), ("", ""));
        assert_eq!(split_name("ü"), ("ü", ""));
    }
}
