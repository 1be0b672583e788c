//! OBJ: vertices and polygons, gathered into parts by objects and groups.
//!
//! The file is scanned three times, so that every array is allocated once and exactly: count, vertices, faces. Faces
//! may therefore name vertices that come later. Texture coordinates, normals, materials, lines and points are not
//! looked at, and no file named by `mtllib` or another statement is opened. What would silently lose surface is
//! refused: free-form surfaces, `call`, and statements that OBJ does not know.
//!
//! Written by hand: the errors of `tobj` have no place, it cuts every polygon into a fan, convex or not, and it asks
//! for the material files.

mod face;
mod parts;
mod reader;
mod statements;

pub(crate) use reader::read;
pub(crate) use statements::looks_like_obj;
