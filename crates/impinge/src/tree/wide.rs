//! Folds a binary tree into one of eight children a node.
//!
//! Which nodes become children is decided by [`Fold`]. Subtrees of at most [`LEAF`](super::LEAF) primitives become
//! leaves, so the levels of the binary tree that would test single triangles one by one are left to the vectorised
//! leaf test. Both numbers are the caller's to lower: with two slots and one primitive the tree stays binary, as in
//! the papers.

use super::binary::{Binary, Kind};
use super::fold::Fold;
use super::{Child, Node};
use crate::bound::{Box32, round_up};

/// The nodes, the first of which holds the root in its slot 0, and the primitives in leaf order; with up to `width` ≥ 2
/// children a node and up to `leaf` primitives a leaf.
pub(super) fn collapse(binary: &Binary, width: usize, leaf: usize) -> (Vec<Node>, Vec<u32>) {
    let total = binary.nodes[binary.root as usize].count as usize;
    let fold = Fold::new(binary, width, leaf);
    let mut nodes = Vec::with_capacity(total / 16 + 2);
    let mut order = Vec::with_capacity(total);
    nodes.push(Node::EMPTY);
    // Binary nodes whose wide node is to be made, and the slot that will name it.
    let mut open = Vec::new();
    place(binary, leaf, binary.root, [0, 0], &mut nodes, &mut order, &mut open);
    while let Some((root, parent, slot)) = open.pop() {
        let index = nodes.len();
        nodes.push(Node::EMPTY);
        nodes[parent as usize].child[slot as usize] = Child::node(index);
        let (children, len) = fold.children(root);
        // Later slots are opened first, so that leaf order and node order follow the slots.
        for (k, &child) in children[..len].iter().enumerate() {
            place(binary, leaf, child, [index as u32, k as u32], &mut nodes, &mut order, &mut open);
        }
    }
    nodes.shrink_to_fit();
    (nodes, order)
}

/// Writes the box of `child` into a slot; a leaf is finished at once, an inner node is left open.
fn place(
    binary: &Binary,
    leaf: usize,
    child: u32,
    [node, slot]: [u32; 2],
    nodes: &mut [Node],
    order: &mut Vec<u32>,
    open: &mut Vec<(u32, u32, u32)>,
) {
    let from = &binary.nodes[child as usize];
    write_box(&mut nodes[node as usize], slot as usize, &from.bounds);
    if from.count as usize <= leaf {
        let first = order.len();
        gather(binary, child, order);
        nodes[node as usize].child[slot as usize] = Child::leaf(first, from.count as usize);
    } else {
        open.push((child, node, slot));
    }
}

/// The primitives below a small subtree, left to right.
fn gather(binary: &Binary, node: u32, order: &mut Vec<u32>) {
    match binary.nodes[node as usize].kind {
        Kind::Primitive(p) => order.push(p),
        Kind::Inner([left, right]) => {
            gather(binary, left, order);
            gather(binary, right, order);
        }
    }
}

/// Centre and half extent in `f32` such that `centre ± half`, exactly, contains the box.
pub(super) fn write_box(node: &mut Node, slot: usize, b: &Box32) {
    node.size[slot] = 0.0;
    for axis in 0..3 {
        let (min, max) = (f64::from(b.min[axis]), f64::from(b.max[axis]));
        let centre = (0.5 * (min + max)) as f32;
        let half = (max - f64::from(centre)).max(f64::from(centre) - min);
        node.centre[axis][slot] = centre;
        node.half[axis][slot] = round_up(half);
        node.size[slot] += node.half[axis][slot];
    }
}
