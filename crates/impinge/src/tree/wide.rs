//! Folds a binary tree into one of eight children a node.
//!
//! A node starts with the two children of its binary node; the child of largest surface area is replaced by its own two
//! until eight slots are full. Subtrees of at most [`LEAF`](super::LEAF) primitives become leaves, so the levels of the
//! binary tree that would test single triangles one by one are left to the vectorised leaf test. Both numbers are the
//! caller's to lower: with two slots and one primitive the tree stays binary, as in the papers.

use super::binary::{Binary, Kind};
use super::{Child, Node, WIDTH};
use crate::bound::{Box32, round_up};

/// The nodes, the first of which holds the root in its slot 0, and the primitives in leaf order; with up to `width` ≥ 2
/// children a node and up to `leaf` primitives a leaf.
pub(super) fn collapse(binary: &Binary, width: usize, leaf: usize) -> (Vec<Node>, Vec<u32>) {
    let total = binary.nodes[binary.root as usize].count as usize;
    let mut nodes = Vec::with_capacity(total / 8 + 2);
    let mut order = Vec::with_capacity(total);
    nodes.push(Node::EMPTY);
    // Binary nodes whose wide node is to be made, and the slot that will name it.
    let mut open = Vec::new();
    place(binary, leaf, binary.root, [0, 0], &mut nodes, &mut order, &mut open);
    while let Some((root, parent, slot)) = open.pop() {
        let index = nodes.len();
        nodes.push(Node::EMPTY);
        nodes[parent as usize].child[slot as usize] = Child::node(index);
        let (children, len) = widen(binary, root, width, leaf);
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

/// Up to `width` binary nodes that together make up `root`, which is no leaf.
fn widen(binary: &Binary, root: u32, width: usize, leaf: usize) -> ([u32; WIDTH], usize) {
    let mut children = [root; WIDTH];
    let mut len = 1;
    while len < width {
        let area = |c: u32| binary.nodes[c as usize].bounds.half_area();
        let widest = (0..len)
            .filter(|&k| binary.nodes[children[k] as usize].count as usize > leaf)
            .max_by(|&i, &j| area(children[i]).total_cmp(&area(children[j])));
        let Some(k) = widest else { break };
        let Kind::Inner([left, right]) = binary.nodes[children[k] as usize].kind else { break };
        children[k] = left;
        children[len] = right;
        len += 1;
    }
    (children, len)
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
