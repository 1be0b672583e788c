//! The binary tree that the builders make and the wide tree is folded from, and the way down that two of them share.

use crate::bound::Box32;
use crate::threads::share;
use crate::tree::nodes::SERIAL;

/// A node: two children, or one primitive.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BinaryNode {
    pub(crate) bounds: Box32,
    /// Primitives below.
    pub(crate) count: u32,
    pub(crate) kind: BinaryKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BinaryKind {
    Primitive(u32),
    Inner([u32; 2]),
}

/// All nodes: the root first and children after their parents, or the root last and children before them.
#[derive(Debug, Clone)]
pub(crate) struct Binary {
    pub(crate) nodes: Vec<BinaryNode>,
    pub(crate) root: u32,
    /// With the root last, the ends of runs of nodes whose children lie in earlier runs.
    pub(crate) runs: Vec<usize>,
}

/// Depth from which on splits are by count, so that trees stay shallow whatever the input.
pub(crate) const DEEP: u32 = 64;

/// A primitive on its way to its leaf.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BuildItem {
    pub(crate) bounds: Box32,
    pub(crate) index: u32,
}

/// Builds over at least one box by splitting, from the root down, in parallel. `split` is given at least two items and
/// their depth; it orders them so that the first ones, whose number it returns, are the left side, and leaves neither
/// side empty. Where each node goes is known beforehand, so the tree does not depend on the number of threads.
pub(crate) fn top_down(boxes: &[Box32], split: impl Fn(&mut [BuildItem], u32) -> usize + Sync) -> Binary {
    let mut items: Vec<BuildItem> =
        boxes.iter().enumerate().map(|(i, b)| BuildItem { bounds: *b, index: i as u32 }).collect();
    let blank = BinaryNode { bounds: Box32::EMPTY, count: 0, kind: BinaryKind::Primitive(0) };
    let mut nodes = vec![blank; 2 * boxes.len() - 1];
    subtree(&mut items, &mut nodes, 0, 0, &split);
    Binary { nodes, root: 0, runs: Vec::new() }
}

/// Fills `nodes`, whose first has index `base` in the whole tree, with the tree of `items`: the root first, the left
/// subtree's 2·n − 1 nodes after it, then the right one's. Returns the root's box.
fn subtree(
    items: &mut [BuildItem],
    nodes: &mut [BinaryNode],
    base: u32,
    depth: u32,
    split: &(impl Fn(&mut [BuildItem], u32) -> usize + Sync),
) -> Box32 {
    let count = items.len() as u32;
    let (root, rest) = nodes.split_first_mut().expect("a tree has a root");
    if let [item] = items {
        *root = BinaryNode { bounds: item.bounds, count, kind: BinaryKind::Primitive(item.index) };
        return item.bounds;
    }
    let middle = split(items, depth);
    let (left, right) = items.split_at_mut(middle);
    let (left_nodes, right_nodes) = rest.split_at_mut(2 * middle - 1);
    let children = [base + 1, base + 2 * middle as u32];
    let build_left = || subtree(left, left_nodes, children[0], depth + 1, split);
    let build_right = || subtree(right, right_nodes, children[1], depth + 1, split);
    let (l, r) = if count as usize > SERIAL {
        share::join(build_left, build_right)
    } else {
        let l = subtree(left, left_nodes, children[0], depth + 1, split);
        (l, subtree(right, right_nodes, children[1], depth + 1, split))
    };
    let bounds = l.union(&r);
    *root = BinaryNode { bounds, count, kind: BinaryKind::Inner(children) };
    bounds
}
