//! A tree over the triangles of one body: boxes in nodes of eight, in flat arrays.
//!
//! A [`Tree`] is an 8-wide hierarchy of axis-aligned boxes: each node holds the boxes of its
//! eight children side by side, so that one vector operation tests them all. Boxes are `f32`, rounded outward, in the
//! tree's own units: relative to the centre of the body's box and scaled by a power of two so that they lie within ±1.
//! The resolution is therefore 2⁻²⁴ of the body's half extent, wherever it stands and however large it is.

use glam::{DMat3, DVec3};

use crate::bound::Aabb;
use crate::math::normalising_scale;
use crate::math::simd::{F32x8, Simd, Vector, axes};

/// Children of a node.
pub(crate) const WIDTH: usize = 8;

/// With no more triangles than this, waking another thread costs more time than it saves.
pub(crate) const SERIAL: usize = 1 << 14;

/// Fewest triangles worth handing to another thread.
pub(crate) const GRAIN: usize = 4096;

/// Most triangles in a leaf.
pub(crate) const LEAF: usize = 4;

/// Most triangles in a tree: what a child reference can name.
pub(crate) const MAX_TRIANGLES: usize = 1 << 28;

/// Eight children: their boxes as centres and half extents, `[axis][child]`, and what is below them.
///
/// An empty slot has a half extent of −∞, which puts it infinitely far from everything.
#[derive(Debug, Clone)]
#[repr(C, align(64))]
pub(crate) struct TreeNode {
    pub(crate) centre: [[f32; WIDTH]; 3],
    pub(crate) half: [[f32; WIDTH]; 3],
    /// Sum of the half extents: of two boxes the larger is opened.
    pub(crate) size: [f32; WIDTH],
    pub(crate) child: [Child; WIDTH],
}

/// Half extent of an empty slot.
pub(crate) const NOWHERE: f32 = f32::NEG_INFINITY;

impl TreeNode {
    pub(crate) const EMPTY: TreeNode = TreeNode {
        centre: [[0.0; WIDTH]; 3],
        half: [[NOWHERE; WIDTH]; 3],
        size: [0.0; WIDTH],
        child: [Child(0); WIDTH],
    };

    /// Bits for the slots in use.
    #[inline(always)]
    pub(crate) fn in_use<S: Simd>(&self) -> u32 {
        S::F32x8::splat(0.0).le(S::F32x8::load(&self.half[0]))
    }

    /// The box of child `k` as centre and half extent.
    #[inline(always)]
    pub(crate) fn slot(&self, k: usize) -> NodeSlot {
        NodeSlot {
            centre: [self.centre[0][k], self.centre[1][k], self.centre[2][k]],
            half: [self.half[0][k], self.half[1][k], self.half[2][k]],
        }
    }
}

/// One box of a node.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NodeSlot {
    pub(crate) centre: [f32; 3],
    pub(crate) half: [f32; 3],
}

/// A node, or a run of triangles: bit 31 marks a leaf, bits 29 and 30 hold its count less one, the rest its first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Child(pub(crate) u32);

/// A run of triangles in leaf order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Leaf {
    pub(crate) first: u32,
    pub(crate) count: u32,
}

impl Leaf {
    pub(crate) fn places(&self) -> std::ops::Range<u32> {
        self.first..self.first + self.count
    }
}

/// What a slot of a node holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Below {
    Node(usize),
    Leaf(Leaf),
}

impl Child {
    pub(crate) fn node(index: usize) -> Child {
        Child(index as u32)
    }

    pub(crate) fn leaf(first: usize, count: usize) -> Child {
        Child(1 << 31 | (count as u32 - 1) << 29 | first as u32)
    }

    #[inline(always)]
    pub(crate) fn as_leaf(self) -> Option<Leaf> {
        (self.0 >> 31 != 0).then_some(Leaf { first: self.0 & 0x1fff_ffff, count: (self.0 >> 29 & 3) + 1 })
    }

    /// The node's index; meaningless for a leaf.
    #[inline(always)]
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The tree of one body. Slot 0 of node 0 is the root's box; the other slots of node 0 are empty.
#[derive(Debug, Clone)]
pub(crate) struct Tree {
    pub(crate) nodes: Vec<TreeNode>,
    /// Middle of the body's box: the origin of the tree's units.
    pub(crate) centre: DVec3,
    /// Size of the tree's unit, a power of two.
    pub(crate) unit: f64,
    /// What the boxes cost by area when the tree was built, see `refit.rs`.
    pub(crate) built_cost: f64,
}

impl Tree {
    pub(crate) fn empty() -> Tree {
        Tree { nodes: Vec::new(), centre: DVec3::ZERO, unit: 1.0, built_cost: 0.0 }
    }

    pub(crate) fn nodes(&self) -> usize {
        self.nodes.len()
    }

    /// The slots in use of the node at a child: none for a leaf.
    pub(crate) fn slots_below(&self, child: Child) -> impl Iterator<Item = usize> + '_ {
        let node = if child.as_leaf().is_some() { None } else { Some(child.index()) };
        let used = |&slot: &usize| self.nodes[slot / WIDTH].half[0][slot % WIDTH] != NOWHERE;
        node.into_iter().flat_map(|n| n * WIDTH..(n + 1) * WIDTH).filter(used)
    }

    /// What is in a slot (node·8 + child).
    #[inline(always)]
    pub(crate) fn child(&self, slot: usize) -> Child {
        self.nodes[slot / WIDTH].child[slot % WIDTH]
    }

    /// Sum of the half extents of the box in a slot.
    #[inline(always)]
    pub(crate) fn size(&self, slot: usize) -> f32 {
        self.nodes[slot / WIDTH].size[slot % WIDTH]
    }

    /// The box in a slot (node·8 + child), by its middle and half extents, in the body's frame; `None` where the slot
    /// is empty. Rounding may put a corner outside by some `2⁻⁵²` of the coordinates.
    pub(crate) fn slot_box(&self, slot: usize) -> Option<[DVec3; 2]> {
        let slot = self.nodes.get(slot / WIDTH)?.slot(slot % WIDTH);
        let wide = |v: [f32; 3]| DVec3::from_array(v.map(f64::from)) * self.unit;
        (slot.half[0] != NOWHERE).then(|| [self.centre + wide(slot.centre), wide(slot.half)])
    }

    /// The first leaf at or below a child.
    pub(crate) fn first_leaf(&self, mut child: Child) -> Leaf {
        loop {
            match child.as_leaf() {
                Some(leaf) => return leaf,
                // Children come after their parents, so this ends.
                None => child = self.nodes[child.index()].child[0],
            }
        }
    }

    /// What the slots of a node hold; the root is node 0.
    pub(crate) fn below(&self, node: usize) -> impl Iterator<Item = Below> + '_ {
        let node = &self.nodes[node];
        (0..WIDTH).filter(|&k| node.half[0][k] != NOWHERE).map(|k| match node.child[k].as_leaf() {
            Some(leaf) => Below::Leaf(leaf),
            None => Below::Node(node.child[k].index()),
        })
    }

    /// A box around the boxes of the root's children, turned about the body's origin.
    pub(crate) fn outline(&self, turn: &DMat3) -> Aabb {
        let size = DMat3::from_cols(turn.x_axis.abs(), turn.y_axis.abs(), turn.z_axis.abs());
        let wide = |v: [f32; 3]| DVec3::new(v[0].into(), v[1].into(), v[2].into()) * self.unit;
        let Some(root) = self.nodes.first().map(|node| node.child[0]) else { return Aabb::EMPTY };
        let top = if root.as_leaf().is_some() { 0 } else { root.index() };
        let used = (0..WIDTH).map(|k| self.nodes[top].slot(k)).filter(|slot| slot.half[0] != NOWHERE);
        used.fold(Aabb::EMPTY, |all, slot| {
            let (middle, half) = (*turn * (self.centre + wide(slot.centre)), size * wide(slot.half));
            Aabb { min: all.min.min(middle - half), max: all.max.max(middle + half) }
        })
    }

    /// How far the boxes two levels below the root reach along a unit direction, from the tree's centre and in its
    /// units; rounded up.
    #[inline(always)]
    pub(crate) fn reach_along<S: Simd>(&self, d: DVec3) -> f64 {
        let Some(root) = self.nodes.first().map(|node| node.child[0]) else { return f64::NEG_INFINITY };
        let top = &self.nodes[if root.as_leaf().is_some() { 0 } else { root.index() }];
        let n = axes!(i => S::F32x8::splat(d[i] as f32));
        // An empty slot has a half extent of −∞, which no direction may turn into NaN.
        let size = axes!(i => n[i].abs().max(S::F32x8::splat(1e-30)));
        let mut most = S::F32x8::splat(f32::NEG_INFINITY);
        for k in 0..WIDTH {
            if top.half[0][k] == NOWHERE {
                continue;
            }
            let node = if top.child[k].as_leaf().is_some() { top } else { &self.nodes[top.child[k].index()] };
            let along = axes!(i => {
                S::F32x8::load(&node.centre[i]).mul(n[i]).add(S::F32x8::load(&node.half[i]).mul(size[i]))
            });
            most = along[0].add(along[1]).add(along[2]).max(most);
        }
        // The direction is rounded, and so are products and sums: each by no more than 2⁻²⁴ of lengths below 4.
        f64::from(-S::F32x8::splat(0.0).sub(most).least()) + 2f64.powi(-18)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<TreeNode>()
    }
}

/// Origin of a tree's units, and the power of two that takes lengths into them.
pub(crate) fn own_units(bounds: &Aabb) -> (DVec3, f64) {
    let centre = bounds.centre();
    let half = (bounds.max - centre).max(centre - bounds.min).max_element();
    // A single point has no extent; its own size stands in, so that the tree scales with the body.
    (centre, normalising_scale(if half > 0.0 { half } else { centre.abs().max_element() }))
}
