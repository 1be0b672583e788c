//! The leaves of a tree that a ray may meet, those that it enters first before the others.
//!
//! A. Williams, S. Barrus, R. K. Morley and P. Shirley, *An efficient and robust ray-box intersection algorithm*, 2005,
//! for eight boxes at once: along each axis the ray is within the box for an interval of its parameter, and it meets
//! the box if the three intervals have a common point. Boxes and ray are in the tree's own units and in `f32`.
//!
//! **Error.** The ray starts within 16 units of the centre of the tree, and boxes lie within ±1. Middles less the
//! origin are off by 2⁻¹⁹, their products with the inverse direction by three roundings more, and the direction itself
//! is rounded, which is 2⁻²⁰ at the far end: together less than 2⁻¹⁷ of a half extent, which is added to each.
//!
//! Cost: one node for each box that the ray meets before the point found.

use glam::DVec3;

use super::nearest_first::NearestFirst;
use crate::math::simd::{F32x8, Simd, Vector, axes};
use crate::tree::nodes::{Leaf, Tree, TreeNode};

/// Added to half extents for rounding.
const SLACK: f64 = 1.0 / 131_072.0;
/// A component of the direction is not less than this, so that its inverse is finite.
const LEAST: f64 = 1e-18;

/// A ray in the units of a tree: points are `origin + s·direction`, with a direction of unit length.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TreeLine {
    origin: [f32; 3],
    inverse: [f32; 3],
    slack: [f32; 3],
}

impl TreeLine {
    /// The ray from `start`, which is not far from the tree and may be off by `off`, along a unit direction, given by
    /// the inverses of its components ([`inverse`]).
    #[inline]
    pub(crate) fn new(tree: &Tree, start: DVec3, inverse: DVec3, off: f64) -> TreeLine {
        // The unit is a power of two.
        let per_unit = tree.unit.recip();
        let origin = ((start - tree.centre) * per_unit).as_vec3().to_array();
        let slack = (SLACK + 2.0 * off * per_unit) as f32;
        TreeLine { origin, inverse: inverse.as_vec3().to_array(), slack: [slack; 3] }
    }

    /// The same, for a box with these half extents in units of the tree, whose middle goes along the ray.
    pub(crate) fn widened(self, half: DVec3) -> TreeLine {
        // Rounding grows with the distance of the origin.
        let far = self.origin.iter().fold(16.0, |most: f32, x| most.max(x.abs())) / 16.0;
        let more = (half * 1.000_001).as_vec3().to_array();
        TreeLine { slack: axes!(i => self.slack[i] * far + more[i]), ..self }
    }

    /// A parameter in `f32`, rounded up.
    #[inline(always)]
    pub(crate) fn above(x: f64) -> f32 {
        x as f32 * (1.0 + f32::EPSILON) + f32::MIN_POSITIVE
    }

    /// Where the ray enters the eight boxes of a node, no sooner than it begins, and bits for the boxes that it meets
    /// before the limit.
    #[inline(always)]
    pub(crate) fn spans<S: Simd>(&self, node: &TreeNode, limit: f32) -> (S::F32x8, u32) {
        let (mut near, mut far) = (S::F32x8::splat(0.0), S::F32x8::splat(limit));
        for i in 0..3 {
            let inverse = S::F32x8::splat(self.inverse[i]);
            let middle = S::F32x8::load(&node.centre[i]).sub(S::F32x8::splat(self.origin[i])).mul(inverse);
            let half = S::F32x8::load(&node.half[i]).add(S::F32x8::splat(self.slack[i])).mul(inverse.abs());
            near = near.max(middle.sub(half));
            far = far.min(middle.add(half));
        }
        (near, near.le(far))
    }
}

/// The inverses of the components of a direction, finite also where these are zero.
#[inline]
pub(crate) fn inverse(direction: DVec3) -> DVec3 {
    direction.abs().max(DVec3::splat(LEAST)).copysign(direction).recip()
}

/// What a query does with the leaves that a ray may meet.
pub(crate) trait LineQuery {
    /// A leaf. May return a new limit: leaves beyond that parameter are left out, and a negative one ends the search.
    fn leaf<S: Simd>(&mut self, leaf: Leaf) -> Option<f64>;

    /// Boxes of a node that need not be opened for another reason than the line: a bit for each of the eight.
    #[inline(always)]
    fn left_out<S: Simd>(&self, _node: &TreeNode) -> u32 {
        0
    }
}

/// Visits the leaves that the ray may meet before the parameter `most`, nearest boxes first.
#[inline(always)]
pub(crate) fn along_line<S: Simd>(tree: &Tree, line: &TreeLine, most: f64, query: &mut impl LineQuery) {
    let Some(root) = tree.nodes.first().map(|node| node.child[0]) else { return };
    let mut limit = TreeLine::above(most);
    let mut open = NearestFirst::new(root);
    while let Some((near, child)) = open.pop() {
        if near > limit {
            continue;
        }
        if let Some(leaf) = child.as_leaf() {
            match query.leaf::<S>(leaf) {
                Some(new) if new < 0.0 => return,
                Some(new) => limit = TreeLine::above(new),
                None => {}
            }
            continue;
        }
        let node = &tree.nodes[child.index()];
        let (near, met) = line.spans::<S>(node, limit);
        open.push::<S>(met & !query.left_out::<S>(node), near, &near.array(), &node.child);
    }
}
