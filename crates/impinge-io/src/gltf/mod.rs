//! glTF 2.0 and GLB: the meshes of the default scene, each node with a mesh a part in the coordinates of the scene.
//!
//! Triangles, strips and fans are read, with or without indices, with quantized or sparse positions. Other primitives
//! (points, lines), materials and cameras are ignored; the pose is that of the file at rest, and animations are read by
//! name. Files that would give a wrong surface are refused: those with Draco or meshopt compression, skins, morph
//! targets with weights, GPU instancing, or required extensions that are not known.
//!
//! Written by hand: the `gltf` crate builds a tree of the whole JSON text, in which a node of a few bytes takes
//! hundreds, rounds transforms to `f32`, gives its errors no place in the file, and leaves the bounds of accessors to
//! its caller.

mod accessor;
mod animation;
mod buffers;
mod glb;
mod json;
mod primitive;
mod reader;
mod scene;
mod tables;
mod tracks;
mod uri;

pub(crate) use reader::{read, read_animation};
pub(crate) use uri::Folder;
