//! Finds the data of a buffer: in the file itself, or in a file of the same folder or below.
//!
//! A URI is refused unless it is a plain relative path: no scheme, no drive, no `..`, no backslash, nothing absolute,
//! also after its percent signs are resolved. Such a path is followed through symbolic links and refused if it leaves
//! the folder.

use crate::error::Fault;
use crate::text::quote;
use std::path::{Path, PathBuf};

/// The folder whose files a document may use.
#[derive(Debug)]
pub(crate) struct Folder(Option<PathBuf>);

impl Folder {
    /// No files may be read: the document comes from memory.
    pub(crate) fn none() -> Folder {
        Folder(None)
    }

    /// The folder of a file.
    pub(crate) fn of(path: &Path) -> Folder {
        let parent = path.parent().unwrap_or(Path::new(""));
        Folder(Some(if parent.as_os_str().is_empty() { PathBuf::from(".") } else { parent.to_owned() }))
    }

    /// The real path of the file that a checked relative path names.
    pub(super) fn resolve(&self, relative: &str) -> Result<PathBuf, Fault> {
        let named = || quote(relative.as_bytes());
        let Some(folder) = &self.0 else {
            let message = format!("the buffer {} is a file of its own, and no folder was given", named());
            return Err(Fault::new(message, "use a GLB file, or read the file from its folder"));
        };
        let real = |path: &Path| {
            path.canonicalize().map_err(|error| {
                Fault::new(format!("the buffer {} cannot be read: {error}", named()), "put it beside the glTF file")
            })
        };
        let (folder, file) = (real(folder)?, real(&folder.join(relative))?);
        if file.starts_with(&folder) {
            return Ok(file);
        }
        Err(outside(&named()))
    }
}

fn outside(named: &str) -> Fault {
    Fault::new(
        format!("the buffer {named} does not lie in the folder of the file"),
        "put the buffer beside the glTF file and name it by a relative path, or use a GLB file",
    )
}

/// The relative path that a URI means.
pub(super) fn relative_path(uri: &str) -> Result<String, Fault> {
    let refused = || outside(&quote(uri.as_bytes()));
    let path = percent_decode(uri).ok_or_else(refused)?;
    let suspicious = |c: char| matches!(c, '\\' | ':') || c.is_control();
    let components_stay = path.split('/').all(|component| !component.is_empty() && component != "..");
    if path.contains(suspicious) || !components_stay { Err(refused()) } else { Ok(path) }
}

fn percent_decode(uri: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let [first, tail @ ..] = rest {
        rest = tail;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let digit = |i: usize| tail.get(i).and_then(|d| char::from(*d).to_digit(16));
        bytes.push((digit(0)? * 16 + digit(1)?) as u8);
        rest = &tail[2..];
    }
    String::from_utf8(bytes).ok()
}

/// The base64 text of a `data:` URI, or `None` if it is another URI.
pub(super) fn data(uri: &str) -> Option<Result<&str, Fault>> {
    let body = uri.get(..5).filter(|scheme| scheme.eq_ignore_ascii_case("data:")).map(|_| &uri[5..])?;
    let encoded = body.split_once(',').filter(|(kind, _)| kind.to_ascii_lowercase().ends_with(";base64"));
    Some(encoded.map(|(_, text)| text).ok_or_else(|| {
        Fault::new("the buffer is a data URI that is not base64", "export it as GLB or with base64 buffers")
    }))
}

/// Decodes base64 into `out`, which has room for it; `None` if a character is not part of the alphabet.
pub(super) fn decode_base64(text: &str, out: &mut Vec<u8>) -> Option<()> {
    let digits = text.as_bytes();
    let padding = digits.iter().rev().take(2).take_while(|b| **b == b'=').count();
    let digits = &digits[..digits.len() - padding];
    if digits.len() % 4 == 1 {
        return None;
    }
    for group in digits.chunks(4) {
        let bits = group.iter().try_fold(0_u32, |bits, d| Some((bits << 6) | value(*d)?))? << (6 * (4 - group.len()));
        out.extend_from_slice(&bits.to_be_bytes()[1..group.len()]);
    }
    Some(())
}

/// Also the digits of the URL-safe alphabet.
fn value(digit: u8) -> Option<u32> {
    Some(match digit {
        b'A'..=b'Z' => u32::from(digit - b'A'),
        b'a'..=b'z' => u32::from(digit - b'a') + 26,
        b'0'..=b'9' => u32::from(digit - b'0') + 52,
        b'+' | b'-' => 62,
        b'/' | b'_' => 63,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_into_the_folder_pass() {
        for good in ["x.bin", "a/b.bin", "a%20b.bin", "./x.bin", "..x.bin"] {
            assert!(relative_path(good).is_ok(), "{good}");
        }
        for bad in [
            "",
            "../x.bin",
            "../../x.bin",
            "a/../x.bin",
            "%2e%2e/x.bin",
            "%2E./x.bin",
            "..%2fx.bin",
            "/etc/x.bin",
            "//h/x",
            "file:///x",
            "http://h/x",
            "C:\\x",
            "C:x",
            "\\\\h\\x",
            "a\\..\\x",
            "%5c%5ch%5cx",
            "a%00b",
            "%",
            "%zz",
            "%ff",
            "a//b",
        ] {
            assert!(relative_path(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn base64() {
        let decode = |text| {
            let mut out = Vec::new();
            decode_base64(text, &mut out).map(|()| out)
        };
        assert_eq!(decode("").unwrap(), b"");
        assert_eq!(decode("TQ==").unwrap(), b"M");
        assert_eq!(decode("TWE=").unwrap(), b"Ma");
        assert_eq!(decode("TWFuTWFu").unwrap(), b"ManMan");
        assert_eq!(decode("TQ").unwrap(), b"M");
        for bad in ["T", "TQ=Q", "T!==", "===="] {
            assert!(decode(bad).is_none(), "{bad}");
        }
    }
}
