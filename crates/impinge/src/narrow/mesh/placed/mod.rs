//! Two meshes placed in one frame: their triangles, their trees and their leaves.

pub(crate) mod closest_triangles;
pub(crate) mod gjk_shapes;
pub(crate) mod leaf_blocks;
pub(crate) mod placed_meshes;
pub(crate) mod tree_pair;
