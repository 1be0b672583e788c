//! Folds a binary tree into one of eight children a node.
//!
//! [`WideFold`] decides which nodes become children. Subtrees of at most [`LEAF`](crate::tree::nodes::LEAF) primitives
//! become leaves, so the levels of the binary tree that would test single triangles one by one are left to the
//! vectorised leaf test. The caller may lower both numbers: with two slots and one primitive the tree stays binary, as
//! in the papers.
//!
//! Small subtrees are folded in parallel and put together in the order in which one thread comes upon them, so that the
//! tree is the same for any number of threads.

use super::binary::{Binary, BinaryKind};
use super::fold::WideFold;
use crate::bound::{Box32, round_up};
use crate::threads::share;
use crate::tree::nodes::{Child, NOWHERE, SERIAL, TreeNode};

/// Subtrees of no more primitives are folded on their own, in parallel.
const SHARE: usize = 1 << 11;

/// The nodes, the first of which holds the root in its slot 0, and the primitives in leaf order; with up to `width` ≥ 2
/// children a node and up to `leaf` primitives a leaf.
pub(crate) fn collapse(binary: &Binary, width: usize, leaf: usize) -> (Vec<TreeNode>, Vec<u32>) {
    let fold = WideFold::new(binary, width, leaf);
    // Threads are not even started for a small tree.
    let shares = match fold.count(binary.root) {
        0..=SERIAL => Vec::new(),
        _ => share::each_piece(shares(&fold).into_iter(), |_, root| Wide::of(&fold, root, Vec::new())),
    };
    let mut wide = Wide::of(&fold, binary.root, shares);
    wide.nodes.shrink_to_fit();
    (wide.nodes, wide.order)
}

/// The roots of the subtrees that are folded on their own, in the order in which [`Wide::of`] comes upon them.
fn shares(fold: &WideFold<'_>) -> Vec<u32> {
    let (mut shares, mut open) = (Vec::new(), vec![fold.binary().root]);
    while let Some(root) = open.pop() {
        if fold.count(root) <= SHARE {
            shares.push(root);
            continue;
        }
        let (children, len) = fold.children(root);
        open.extend(children[..len].iter().copied().filter(|&child| !fold.is_leaf(child)));
    }
    shares
}

/// A wide tree, the first node of which holds the root in its slot 0.
struct Wide {
    nodes: Vec<TreeNode>,
    order: Vec<u32>,
}

impl Wide {
    /// The tree below a binary node; where there are `shares`, these are what is below its subtrees that are small
    /// enough, in order.
    fn of(fold: &WideFold<'_>, root: u32, shares: Vec<Wide>) -> Wide {
        let total = fold.count(root);
        let share = if shares.is_empty() { 0 } else { SHARE };
        let mut shares = shares.into_iter();
        let mut wide = Wide { nodes: Vec::with_capacity(total / 10 + 2), order: Vec::with_capacity(total) };
        wide.nodes.push(TreeNode::EMPTY);
        // Binary nodes whose wide node is to be made, and the slot that will name it.
        let mut open = Vec::new();
        wide.place(fold, root, [0, 0], &mut open);
        while let Some((root, parent, slot)) = open.pop() {
            let index = wide.nodes.len();
            wide.nodes[parent as usize].child[slot as usize] = Child::node(index);
            if fold.count(root) <= share
                && let Some(below) = shares.next()
            {
                wide.append(below);
                continue;
            }
            wide.nodes.push(TreeNode::EMPTY);
            let (children, len) = fold.children(root);
            // Later slots are opened first, so that leaf order and node order follow the slots.
            for (k, &child) in children[..len].iter().enumerate() {
                wide.place(fold, child, [index as u32, k as u32], &mut open);
            }
        }
        wide
    }

    /// Writes the box of `child` into a slot; a leaf is finished at once, an inner node is left open.
    fn place(&mut self, fold: &WideFold<'_>, child: u32, [node, slot]: [u32; 2], open: &mut Vec<(u32, u32, u32)>) {
        let (at, k) = (&mut self.nodes[node as usize], slot as usize);
        write_box(at, k, &fold.binary().nodes[child as usize].bounds);
        if fold.is_leaf(child) {
            at.child[k] = Child::leaf(self.order.len(), fold.count(child));
            gather(fold.binary(), child, &mut self.order);
        } else {
            open.push((child, node, slot));
        }
    }

    /// Adds the nodes of a tree but for its first, and its primitives.
    fn append(&mut self, below: Wide) {
        let (nodes, first) = (self.nodes.len() - 1, self.order.len());
        self.nodes.extend(below.nodes.into_iter().skip(1).map(|mut node| {
            for (child, half) in node.child.iter_mut().zip(node.half[0]) {
                if half != NOWHERE {
                    *child = match child.as_leaf() {
                        Some(leaf) => Child::leaf(first + leaf.first as usize, leaf.count as usize),
                        None => Child::node(nodes + child.index()),
                    };
                }
            }
            node
        }));
        self.order.extend_from_slice(&below.order);
    }
}

/// The primitives below a small subtree, left to right.
fn gather(binary: &Binary, node: u32, order: &mut Vec<u32>) {
    match binary.nodes[node as usize].kind {
        BinaryKind::Primitive(p) => order.push(p),
        BinaryKind::Inner([left, right]) => {
            gather(binary, left, order);
            gather(binary, right, order);
        }
    }
}

/// Centre and half extent in `f32` such that `centre ± half`, exactly, contains the box.
pub(crate) fn write_box(node: &mut TreeNode, slot: usize, b: &Box32) {
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
