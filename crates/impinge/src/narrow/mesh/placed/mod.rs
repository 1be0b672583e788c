//! Two meshes placed in one frame: their triangles, their trees and their leaves.

pub(crate) mod placed_meshes;
