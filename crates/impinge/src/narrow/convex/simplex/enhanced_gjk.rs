//! GJK with memory: supports by climbing, simplices from the last call.
//!
//! S. Cameron, *Enhancing GJK: computing minimum and penetration distances between convex polyhedra*, ICRA 1997; P.
//! Xavier, *Fast swept-volume distance for robust collision detection*, ICRA 1997, optimisations 2 and 5. Between two
//! calls of a moving pair the closest features change little. The vertices of the last simplex, where they stand now,
//! are a simplex of the new difference, and mostly still the right one; the supports are found by a step or two along
//! the edges from the last ones. So the cost of a call hardly depends on the number of vertices.
//!
//! A memory of another pair, or out of range, is merely a bad start.

use glam::DVec3;

use super::gjk;
use super::gjk::{GjkQuestion, GjkResult};
use super::gjk_polyhedra::SimplexMemory;
#[cfg(test)]
use super::gjk_polyhedra::verdict;
use super::minkowski::{Difference, Mapped};
use crate::model::Convex;
use crate::narrow::context::Context;
#[cfg(test)]
use crate::narrow::convex::polyhedra::Claim;
use crate::narrow::convex::polyhedra::Polyhedra;
use crate::prim::RegionWalk;

/// A polyhedron whose supports are found by climbing, however few vertices it has.
#[derive(Debug)]
struct Climbed<'m>(&'m Convex);

impl Mapped for Climbed<'_> {
    type Start = u32;

    #[inline(always)]
    fn start(&self, _: DVec3, hint: u32) -> u32 {
        hint
    }

    #[inline(always)]
    fn farthest(&self, d: DVec3, hint: u32) -> (u32, DVec3) {
        let v = self.0.support_by_climb(d, hint);
        (v, self.0.vertex(v))
    }

    #[inline(always)]
    fn named(&self, name: u32) -> Option<DVec3> {
        self.0.named(name)
    }

    fn centre(&self) -> DVec3 {
        self.0.centre()
    }

    fn radius(&self) -> f64 {
        self.0.radius()
    }
}

/// Closest points, starting from what is remembered and remembering what was found.
#[cfg(test)]
pub(crate) fn closest(pair: &Polyhedra<'_>, cx: Context<'_, SimplexMemory>) -> Claim {
    verdict(pair, &found(pair, &GjkQuestion::DISTANCE, cx))
}

/// The same with any question.
pub(crate) fn found(pair: &Polyhedra<'_>, ask: &GjkQuestion, cx: Context<'_, SimplexMemory>) -> GjkResult {
    let (a, b) = (Climbed(pair.a), Climbed(pair.b));
    let found =
        gjk::distance::<RegionWalk, _, _>(&Difference::new(&a, &b, pair.b_in_a), ask, &cx.memory.start(), cx.stats);
    *cx.memory = SimplexMemory::of(&found);
    found
}
