//! Reads a document from a path or from bytes.

use crate::budget::Budget;
use crate::detect::{format_of, split_name};
use crate::document::{Animation, Document, Format};
use crate::error::{Fault, ReadError};
use crate::gltf::Folder;
use crate::regular_file::{RegularFile, read_file};
use crate::{gltf, gzip, obj, off, ply, stl};
use std::path::Path;

/// Reads a mesh file.
///
/// Gzip and the format are recognized by the content, then by the extension. The buffers of a glTF file are read from
/// its own folder or below; no other file is opened.
///
/// ```
/// let path = std::env::temp_dir().join("impinge-io-read-example.obj");
/// std::fs::write(&path, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")?;
/// let part = impinge_io::read(&path)?.merged();
/// assert_eq!((part.vertices.len(), part.triangles.len()), (3, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When there is no regular file to read, or when its content is not a whole and valid mesh.
pub fn read(path: &Path) -> Result<Document, ReadError> {
    read_path(path).map_err(|fault| ReadError::new(path, fault))
}

fn read_path(path: &Path) -> Result<Document, Fault> {
    let name = path.to_string_lossy();
    let mut file = RegularFile::open(path)?;
    let mut head = Vec::new();
    file.read_into(&mut head, stl::HEADER as u64)?;
    if stl::has_exact_length(&head, file.len) {
        let (stem, _) = split_name(&name);
        let part = stl::read_stream(&head, file.file, stem, &mut Budget::for_file(file.len as usize))?;
        return Ok(Document { name: stem.to_owned(), format: Format::Stl, parts: vec![part] });
    }
    decode(file.read_rest(head)?, &name, Folder::of(path))
}

/// Reads a mesh from memory. `name` gives the extension, the name of parts that have none, and the name in errors.
/// No file is opened; a glTF file must carry its buffers in itself.
///
/// ```
/// let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
/// assert_eq!(impinge_io::read_bytes(text.as_bytes(), "corner.obj")?.triangle_count(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the content is not a whole and valid mesh.
pub fn read_bytes(bytes: &[u8], name: &str) -> Result<Document, ReadError> {
    decode(bytes, name, Folder::none()).map_err(|fault| ReadError::new(Path::new(name), fault))
}

/// Reads an animation of a glTF file, by its name or its number from 0: the motion of the part of this name, or of the
/// only one.
///
/// ```
/// use std::path::Path;
/// let file = Path::new("../../testdata/animations/slide.gltf");
/// let animation = impinge_io::read_animation(file, "slide", Some("blade"))?;
/// assert_eq!(animation, impinge_io::read_animation(file, "0", None)?, "the first one, of the only part");
/// let missing = impinge_io::read_animation(file, "jump", None).unwrap_err();
/// assert!(missing.to_string().contains("jump"));
/// # Ok::<(), impinge_io::ReadError>(())
/// ```
///
/// # Errors
/// When the file cannot be read or has no such animation, or when that is not a rigid motion with linear
/// keys or cubic splines.
pub fn read_animation(path: &Path, animation: &str, part: Option<&str>) -> Result<Animation, ReadError> {
    let read = || animation_of(&read_file(path)?, &path.to_string_lossy(), (animation, part), Folder::of(path));
    read().map_err(|fault| ReadError::new(path, fault))
}

/// As [`read_animation`], from memory; `name` as in [`read_bytes`].
///
/// ```
/// use std::path::Path;
/// let file = Path::new("../../testdata/animations/slide.gltf");
/// let bytes = std::fs::read(file)?;
/// let animation = impinge_io::read_animation_bytes(&bytes, "slide.gltf", "slide", None)?;
/// assert_eq!(animation, impinge_io::read_animation(file, "slide", None)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`read_animation`].
pub fn read_animation_bytes(
    bytes: &[u8],
    name: &str,
    animation: &str,
    part: Option<&str>,
) -> Result<Animation, ReadError> {
    animation_of(bytes, name, (animation, part), Folder::none()).map_err(|fault| ReadError::new(Path::new(name), fault))
}

fn animation_of(bytes: &[u8], name: &str, which: (&str, Option<&str>), folder: Folder) -> Result<Animation, Fault> {
    let unpacked;
    let bytes = if gzip::is_gzip(bytes) {
        unpacked = gzip::unpack(bytes)?;
        &unpacked
    } else {
        bytes
    };
    let format = format_of(bytes, split_name(name).1)?;
    if format != Format::Gltf {
        return Err(Fault::new(format!("a file of the format {format} has no animations"), "give a glTF or GLB file"));
    }
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    gltf::read_animation(bytes, which, folder, &mut Budget::for_file(bytes.len()))
}

fn decode<B: AsRef<[u8]>>(bytes: B, name: &str, folder: Folder) -> Result<Document, Fault> {
    if !gzip::is_gzip(bytes.as_ref()) {
        return parse(bytes.as_ref(), name, folder);
    }
    let content = gzip::unpack(bytes.as_ref())?;
    drop(bytes);
    parse(&content, name, folder)
}

fn parse(bytes: &[u8], name: &str, folder: Folder) -> Result<Document, Fault> {
    let (stem, extension) = split_name(name);
    let format = format_of(bytes, extension)?;
    let bytes = if format == Format::Stl { bytes } else { bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes) };
    let budget = &mut Budget::for_file(bytes.len());
    let parts = match format {
        Format::Stl => stl::read(bytes, stem, budget)?,
        Format::Obj => obj::read(bytes, stem, budget)?,
        Format::Ply => vec![ply::read(bytes, stem, budget)?],
        Format::Off => vec![off::read(bytes, stem, budget)?],
        Format::Gltf => gltf::read(bytes, stem, folder, budget)?,
    };
    Ok(Document { name: stem.to_owned(), format, parts })
}
