//! Where a ray meets the surface of a union of convex pieces.
//!
//! Each piece has an interval of the ray. Intervals that overlap, or follow each other without a gap beyond rounding,
//! belong to one way through the union: walls between pieces are inside it and no part of its surface. Pieces are found
//! by the tree of hulls over them.

use smallvec::SmallVec;

use super::convex_ray::{convex_ray, has_volume};
use super::line::{Line, LineHit, RaySpan};
use super::solid_ray::{Ends, solid_ray};
use crate::answer::Feature;
use crate::model::Parts;
use crate::narrow::solid::Solid;

/// Gaps between pieces no longer than this, as a part of the distance from the origin, are rounding.
const GAP: f64 = 1e-12;

/// The ways of the ray through the union, in the order of the ray.
pub(super) fn parts_ray(parts: &Parts, line: &Line) -> Vec<RaySpan> {
    let mut ways: Vec<RaySpan> = Vec::new();
    let mut open: SmallVec<[u32; 32]> = SmallVec::from_slice(&[parts.root()]);
    while let Some(node) = open.pop() {
        match parts.children(node) {
            None => {
                let way = solid_ray(&Solid::polyhedron(parts.body(node)), line, Ends::Both);
                ways.extend(way.map(|way| of_piece(way, node)));
            }
            Some(children) => {
                let hull = parts.body(node);
                // Pieces may reach beyond the hull by the slack.
                if !has_volume(hull) || convex_ray(hull, parts.slack(node), line).is_some() {
                    open.extend(children);
                }
            }
        }
    }
    let begin = |way: &RaySpan| way.enter.map_or(0.0, |hit| hit.distance);
    let end = |way: &RaySpan| way.leave.map_or(f64::INFINITY, |hit| hit.distance);
    ways.sort_by(|x, y| begin(x).total_cmp(&begin(y)));
    let mut joined: Vec<RaySpan> = Vec::new();
    for way in ways {
        match joined.last_mut() {
            Some(last) if begin(&way) <= end(last) * (1.0 + GAP) => {
                if end(&way) > end(last) {
                    last.leave = way.leave;
                }
            }
            _ => joined.push(way),
        }
    }
    joined
}

fn of_piece(way: RaySpan, piece: u32) -> RaySpan {
    let named = |hit: LineHit| {
        let feature = match hit.feature {
            Feature::Convex { element, .. } => Feature::Convex { piece, element },
            other => other,
        };
        LineHit { feature, ..hit }
    };
    RaySpan { enter: way.enter.map(named), leave: way.leave.map(named) }
}
