//! A place along a ray that is inside of a convex body, by more than rounding.
//!
//! Three points of the body are around the ray, and the middle of the body is behind them. The tetrahedron of these
//! four belongs to the body, and a place on the ray soon behind the triangle lies in it. The points may be off by the
//! noise: so the place has to be farther than that from every side of the tetrahedron.

use glam::{DVec2, DVec3};

/// Behind the triangle, and away from its edges, by so many times the noise.
const BEYOND: f64 = 4.0;

/// A point inside of the body, across the ray and along it, and how far this and all other points may be off.
#[derive(Debug, Clone, Copy)]
pub(super) struct Middle {
    pub(super) across: DVec2,
    pub(super) along: f64,
    pub(super) noise: f64,
}

/// How far along the ray the place is; points have two coordinates across the ray and one along it.
pub(super) fn surely_inside(points: &[DVec3; 3], middle: &Middle) -> Option<f64> {
    let [p, q, r] = [points[0].truncate(), points[1].truncate(), points[2].truncate()];
    let areas = [q.perp_dot(r), r.perp_dot(p), p.perp_dot(q)];
    let all = areas[0] + areas[1] + areas[2];
    let weights = [areas[0] / all, areas[1] / all, areas[2] / all];
    let portal = points[0].z * weights[0] + points[1].z * weights[1] + points[2].z * weights[2];
    let (u, v) = (q - p, r - p);
    let (h, k) = ((points[1].z - points[0].z) / all, (points[2].z - points[0].z) / all);
    let slope = DVec2::new(h * v.y - k * u.y, k * u.x - h * v.x);
    // What the weights give need not be on the ray exactly.
    let noise = middle.noise + (p * weights[0] + q * weights[1] + r * weights[2]).length();
    let beyond = BEYOND * noise * (1.0 + slope.length());
    let deep = middle.along - portal - slope.dot(middle.across);
    // Seen from the middle, the place is so far from that on the ray in the triangle.
    let apart = BEYOND * noise + beyond / deep * middle.across.length();
    let is_inside = |area: f64, x: DVec2, y: DVec2| area * all.signum() > apart * x.distance(y);
    let inside = is_inside(areas[0], q, r) && is_inside(areas[1], r, p) && is_inside(areas[2], p, q);
    // Not where something is not a number.
    (inside && deep > 2.0 * beyond).then_some(portal + beyond)
}
