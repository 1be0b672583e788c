//! The binary tree that the builders make and the wide tree is folded from.

use crate::bound::Box32;

/// A node: two children, or one primitive.
#[derive(Debug, Clone, Copy)]
pub(super) struct BinaryNode {
    pub(super) bounds: Box32,
    /// Primitives below.
    pub(super) count: u32,
    pub(super) kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Primitive(u32),
    Inner([u32; 2]),
}

/// All nodes, in any order, and where the root is.
#[derive(Debug, Clone)]
pub(super) struct Binary {
    pub(super) nodes: Vec<BinaryNode>,
    pub(super) root: u32,
}
