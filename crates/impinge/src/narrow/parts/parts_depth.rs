//! How deep two bodies of convex parts are in each other: bounds on the least translation that separates all parts.
//!
//! To compute the least translation of unions of many pieces takes too long (the sum of all pairs of pieces would have
//! to be built), so two bounds are computed. *Lower*: a translation that separates all pairs of pieces separates the
//! deepest, whose depth is known. *Upper*: a translation after which no pair of pieces overlaps. It is searched for
//! along three directions: out of the common hulls, out of the deepest pair, and where pushing out the deepest pair
//! again and again ends up. Along a direction `u`, the deepest pair left, with way out `n` of length `d`, is free after
//! a further `d/(n·u)`, the step taken; where `u` runs along the face, after `d` at least.
//!
//! Invariant: after the upper translation every pair of pieces was tested and found apart, or touching up to rounding.

use std::ops::ControlFlow;

use glam::DVec3;

use super::parts_pair::{PartsTrees, PartsWalk, contacts};
use crate::answer::Stats;

/// Steps along one direction, and pushes, at most.
const MOST_STEPS: usize = 24;

/// Depth, relative to the translation, that counts for rounding.
const TOUCH: f64 = 1e-13;

/// The way out of two convex bodies, in `a`'s frame.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Exit {
    /// Unit vector from `a` to `b`; moving `b` by `depth` along it separates them.
    pub(crate) normal: DVec3,
    /// No shorter translation does.
    pub(crate) lower: f64,
    pub(crate) depth: f64,
}

/// The depth of two bodies of parts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Deep {
    /// No shorter translation separates all pieces.
    pub(crate) lower: f64,
    /// This one does, along `direction`, a unit vector in `a`'s frame.
    pub(crate) upper: f64,
    pub(crate) direction: DVec3,
    /// The deepest pair of pieces.
    pub(crate) pieces: [u32; 2],
}

/// The depth, `None` for bodies that are apart. `b` is moved by the vector given to the tests, in `a`'s frame: `near`
/// says whether two nodes come as near as a length, `depth` is the way out of two nodes, `None` when they are apart.
pub(crate) fn penetration(
    trees: &PartsTrees<'_>,
    near: impl FnMut([u32; 2], f64, DVec3) -> bool,
    depth: impl FnMut([u32; 2], DVec3) -> Option<Exit>,
    walk: &mut PartsWalk,
    stats: &mut Stats,
) -> Option<Deep> {
    let mut push = Push { trees, near, depth, walk, stats };
    let (pieces, first) = push.deepest(DVec3::ZERO)?;
    let mut best = (f64::INFINITY, first.normal);
    let hulls = match trees.open(trees.roots()) {
        None => return Some(Deep { lower: first.lower, upper: first.depth, direction: first.normal, pieces }),
        Some(_) => (push.depth)(trees.roots(), DVec3::ZERO),
    };
    if let Some(hulls) = hulls {
        best = (hulls.depth + trees.slack(trees.roots()), hulls.normal);
        push.shorten(hulls.normal, &mut best);
    }
    push.shorten(first.normal, &mut best);
    if let Some(way) = push.push_out().try_normalize() {
        push.shorten(way, &mut best);
    }
    // Hulls that are apart up to rounding have pieces that overlap by no more.
    let upper = if best.0.is_finite() { best.0.max(first.lower) } else { first.depth };
    Some(Deep { lower: first.lower, upper, direction: best.1, pieces })
}

struct Push<'q, 'm, N, D> {
    trees: &'q PartsTrees<'m>,
    near: N,
    depth: D,
    walk: &'q mut PartsWalk,
    stats: &'q mut Stats,
}

impl<N, D> Push<'_, '_, N, D>
where
    N: FnMut([u32; 2], f64, DVec3) -> bool,
    D: FnMut([u32; 2], DVec3) -> Option<Exit>,
{
    /// The deepest pair of pieces when `b` is moved.
    fn deepest(&mut self, shift: DVec3) -> Option<([u32; 2], Exit)> {
        let Push { trees, near, depth, walk, stats } = self;
        let mut deepest: Option<([u32; 2], Exit)> = None;
        let near = |nodes: [u32; 2], slack: f64| near(nodes, slack, shift);
        let each = |nodes: [u32; 2]| {
            if let Some(exit) = depth(nodes, shift)
                && deepest.is_none_or(|(_, most)| exit.depth > most.depth)
            {
                deepest = Some((nodes, exit));
            }
            ControlFlow::<()>::Continue(())
        };
        // No call breaks the walk off.
        let _ = contacts(trees, near, each, walk, stats);
        deepest
    }

    /// Looks for a shorter translation along `way`.
    fn shorten(&mut self, way: DVec3, best: &mut (f64, DVec3)) {
        let mut length = 0.0;
        for _ in 0..MOST_STEPS {
            let Some((_, exit)) = self.deepest(length * way) else {
                *best = (length, way);
                return;
            };
            let along = exit.normal.dot(way);
            let step = if along > 0.05 { exit.depth / along } else { exit.depth };
            length += step;
            if length >= best.0 {
                return;
            }
            if step <= TOUCH * length {
                *best = (length, way);
                return;
            }
        }
    }

    /// Where pushing out the deepest pair again and again leads.
    fn push_out(&mut self) -> DVec3 {
        let mut shift = DVec3::ZERO;
        for _ in 0..MOST_STEPS {
            match self.deepest(shift) {
                Some((_, exit)) if exit.depth > TOUCH * shift.length() => shift += exit.normal * exit.depth,
                _ => break,
            }
        }
        shift
    }
}
