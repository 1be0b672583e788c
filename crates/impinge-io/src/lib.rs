//! Readers for triangle meshes: bytes in, vertices and triangles out.
//!
//! STL, OBJ, PLY, OFF and glTF/GLB are read, each also gzip-compressed. The format is recognized by the content, then
//! by the extension.
//!
//! ```
//! let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
//! let document = impinge_io::read_bytes(text.as_bytes(), "corner.obj")?;
//! let part = document.merged();
//! assert_eq!((part.name.as_str(), part.vertices.len(), part.triangles.as_slice()), ("corner", 3, &[[0, 1, 2]][..]));
//!
//! let error = impinge_io::read_bytes(b"v 0 0 0\nf 1 2 3\n", "cut.obj").unwrap_err();
//! assert!(error.to_string().starts_with("cut.obj: line 2: "));
//! # Ok::<(), impinge_io::ReadError>(())
//! ```
//!
//! # What is promised
//! - No input makes a reader panic or hang, and nothing is read beyond the named file and the buffers of a glTF file in
//!   the same folder or below it.
//! - Every [`ReadError`] names the file, the place in it where there is one, what is wrong and what to do.
//! - Every coordinate is finite, every index in range, and there is at least one triangle.
//! - A file that is detectably cut off is an error, never a shorter mesh.
//! - The heap needed, the file's bytes included, is at most 8 × the file + 4 MiB, and is never taken from a count that
//!   the file merely claims. For a gzip-compressed file the decompressed size counts, for glTF the sum of the file and
//!   its buffers. A file that would need more (hundreds of thousands of one-triangle parts, a large mesh placed by many
//!   glTF nodes) is refused with an error that says so.
//!
//! Vertices are passed on as the file has them: nothing is welded, dropped or reordered, and degenerate triangles stay.

mod budget;
mod detect;
mod document;
mod error;
mod gltf;
mod gzip;
mod obj;
mod off;
mod open;
mod ply;
mod polygon;
mod regular_file;
mod scene;
mod stl;
mod text;
mod write;

pub use document::{Animation, Document, Format, Key, Keyframes, Part, SplineKey, Splines, Turns};
pub use error::{Place, ReadError};
pub use open::{read, read_animation, read_animation_bytes, read_bytes};
pub use scene::{Scene, SceneBody, SceneMotion, read_scene, read_scene_text};
pub use write::{write_obj, write_stl};
