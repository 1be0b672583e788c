//! Writers for the two simplest formats, for tests and for passing a mesh to other programs.

use crate::document::Part;
use std::fmt::Write;

/// The part as binary STL. Coordinates are rounded to `f32`, normals are left zero.
///
/// ```
/// use impinge_io::{read_bytes, write_stl};
/// let part = read_bytes(b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "corner.obj")?.merged();
/// let bytes = write_stl(&part);
/// assert_eq!(bytes.len(), 84 + 50 * part.triangles.len());
/// assert_eq!(read_bytes(&bytes, "corner.stl")?.merged().triangles.len(), 1);
/// # Ok::<(), impinge_io::ReadError>(())
/// ```
#[must_use]
pub fn write_stl(part: &Part) -> Vec<u8> {
    let mut bytes = vec![0; 80];
    bytes.extend((part.triangles.len() as u32).to_le_bytes());
    for triangle in &part.triangles {
        bytes.extend([0; 12]);
        for index in triangle {
            let corner = part.vertices[*index as usize].as_vec3();
            bytes.extend(corner.to_array().iter().flat_map(|c| c.to_le_bytes()));
        }
        bytes.extend([0; 2]);
    }
    bytes
}

/// The parts as OBJ, each an object. Coordinates read back to the same `f64`.
///
/// ```
/// use impinge_io::{Part, read_bytes, write_obj};
/// # use glam::DVec3;
/// let vertices = vec![DVec3::ZERO, DVec3::X, DVec3::Y];
/// let part = Part { name: "corner".into(), vertices, triangles: vec![[0, 1, 2]], group: None };
/// let text = write_obj(std::slice::from_ref(&part));
/// assert_eq!(read_bytes(text.as_bytes(), "corner.obj")?.parts, [part]);
/// # Ok::<(), impinge_io::ReadError>(())
/// ```
#[must_use]
pub fn write_obj(parts: &[Part]) -> String {
    let mut text = String::new();
    let mut base = 1;
    for part in parts {
        let _ = writeln!(text, "o {}", part.name);
        for v in &part.vertices {
            let _ = writeln!(text, "v {} {} {}", v.x, v.y, v.z);
        }
        for t in &part.triangles {
            let [a, b, c] = t.map(|i| u64::from(i) + base);
            let _ = writeln!(text, "f {a} {b} {c}");
        }
        base += part.vertices.len() as u64;
    }
    text
}
