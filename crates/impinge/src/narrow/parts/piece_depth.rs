//! How deep two convex pieces are in each other. A triangle is a flat polyhedron: two that cross have a depth too, the
//! least translation that takes them apart.

use super::piece::ConvexPiece;
use crate::answer::Stats;
use crate::math::Relative;
use crate::model::Convex;
use crate::narrow::context::Context;
use crate::narrow::convex::convex_memory::ConvexMemory;
use crate::narrow::depth::convex_depth::depth;
use crate::narrow::method::Method;
use crate::narrow::solid::Solid;

/// No translation that is shorter separates the pieces; `None` where they are apart, or beyond the scale of convex
/// bodies.
pub(crate) fn depth_of([a, b]: [&ConvexPiece<'_>; 2], b_in_a: &Relative, stats: &mut Stats) -> Option<f64> {
    let flat = |piece: &ConvexPiece<'_>| match piece {
        ConvexPiece::Triangle(corners) => Convex::hull(corners).ok(),
        ConvexPiece::Solid(_) => None,
    };
    let hulls = [flat(a), flat(b)];
    let solid = |k: usize| match [a, b][k] {
        ConvexPiece::Solid(solid) => Some(*solid),
        ConvexPiece::Triangle(_) => hulls[k].as_ref().map(Solid::polyhedron),
    };
    let memory = &mut ConvexMemory::default();
    let deep = depth([&solid(0)?, &solid(1)?], b_in_a, Method::Auto, Context::new(memory, stats))?;
    Some(deep.lower)
}
