//! Polyhedra within rounding of touching: decides exactly whether they touch.
//!
//! Here GJK has come so near to the origin that it cannot decide. A point well inside both bodies settles it; else the
//! exact predicates on the triangles that face each other do ([`exact_touch`]), along the direction in which the bodies
//! are least deep. The points in the answer are the best of those that the engines offer.

use glam::DVec3;

use super::axes::gauss_map;
use super::features::v_clip;
use super::polyhedra::exact_touch;
use super::polyhedra::{Claim, ClosestFeatures, Polyhedra};
use super::simplex::gjk::{GjkEnd, GjkResult};
use super::simplex::gjk_polyhedra;
use crate::answer::Stats;
use crate::narrow::convex::polyhedra::near_surface::outside;
use crate::narrow::convex::witnesses::{ConvexOutcome, ConvexWitness};
use crate::narrow::outcome::Outcome;

/// Decides whether bodies within rounding of touching touch or are apart.
#[inline(never)]
pub(crate) fn decide(pair: &Polyhedra<'_>, found: &GjkResult, stats: &mut Stats) -> ConvexOutcome {
    let noise = pair.noise(0.0);
    let middle = pair.a.centre().midpoint(pair.b_in_a.apply(pair.b.centre()));
    let blends = [found.simplex.blend(0), found.simplex.blend(1)];
    // The origin lies on the border of the simplex, not of the difference.
    if let Some(common) = [blends[0], middle].into_iter().find(|p| pair.outside(*p) < -noise) {
        return Outcome::Touching(ConvexWitness::inside(common));
    }
    let way = gauss_map::depth(pair, stats);
    let (normal, depth) = way.as_ref().map_or_else(|normal| (*normal, 0.0), |way| (way.normal, way.depth));
    let near = gjk_polyhedra::near(pair, found);
    let points = if found.end == GjkEnd::Origin { [blends[0]; 2] } else { near.points };
    if depth <= 4.0 * noise && !exact_touch::touch(pair, normal, depth + noise, stats) {
        // Of the candidates for closest points, the answer takes those that are least far outside their bodies.
        let back = pair.b_in_a.inverse();
        let off = |n: &ClosestFeatures| outside(pair.a, n.points[0]).max(outside(pair.b, back.apply(n.points[1])));
        // A simplex around the origin names no closest features; the features that face each other take their place.
        let mut best =
            if found.end == GjkEnd::Origin { pair.facing(normal) } else { ClosestFeatures { points, ..near } };
        let mut offer = |n: ClosestFeatures| {
            if n.distance() <= 64.0 * noise && off(&n) < off(&best) {
                best = n;
            }
        };
        offer(pair.closest_points(near.features));
        if found.end != GjkEnd::Origin {
            offer(ClosestFeatures { points: pair.slid(points, near.features), ..near });
        }
        if let Claim::Apart(walked) = v_clip::walk(pair, near.features, stats).0 {
            offer(walked);
        }
        let near = best;
        return pair.apart(&near, 0.0);
    }
    // Of the candidates for a common point, the answer takes the one that is least far outside the bodies.
    let mut best = points[0].midpoint(points[1]);
    let mut offer = |p: DVec3| {
        if pair.outside(p) < pair.outside(best) {
            best = p;
        }
    };
    offer(blends[1]);
    if let Ok(way) = way {
        let [p, q] = way.points;
        [p.midpoint(q), p, q].into_iter().for_each(&mut offer);
        if let (Claim::Apart(near), _) = v_clip::walk(pair, way.features, stats) {
            near.points.into_iter().for_each(&mut offer);
        }
    }
    Outcome::Touching(ConvexWitness::inside(best))
}
