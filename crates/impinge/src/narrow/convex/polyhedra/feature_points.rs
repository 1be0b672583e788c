//! Features of two polyhedra where they stand, in `a`'s frame, and the closest points of two of them.
//!
//! Every height over a face and every offset from an edge is measured from a corner of that face or edge, not from the
//! origin: differences of nearby points are nearly exact, so a body far from the origin of its frame loses nothing.

use glam::DVec3;

use super::two_polyhedra::Polyhedra;
use crate::math::{EPS, Relative};
use crate::model::Convex;
use crate::model::convex::polyhedron::HalfEdge;

/// A polyhedron and where it stands in `a`'s frame.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Standing<'m> {
    pub(crate) convex: &'m Convex,
    place: Relative,
}

impl Polyhedra<'_> {
    /// Both, in `a`'s frame.
    pub(crate) fn standing(&self) -> [Standing<'_>; 2] {
        [Standing { convex: self.a, place: Relative::IDENTITY }, Standing { convex: self.b, place: self.b_in_a }]
    }

    /// What rounding may add to or take from a distance of features near each other: points nearer than this touch.
    ///
    /// Differences and their products round relative to the bodies' sizes; a rotated `b` has corners that are off their
    /// planes by the rounding of its coordinates.
    pub(crate) fn slack(&self) -> f64 {
        let turned = if self.b_in_a.is_rotated() { self.b.reach() } else { 0.0 };
        EPS * (8.0 * (self.a.radius() + self.b.radius()) + 4.0 * turned)
    }
}

impl Standing<'_> {
    #[inline(always)]
    pub(crate) fn vertex(&self, v: u32) -> DVec3 {
        self.place.apply(self.convex.vertex(v))
    }

    /// A direction of the body's own frame.
    #[inline(always)]
    pub(crate) fn turn(&self, d: DVec3) -> DVec3 {
        self.place.rotation * d
    }

    /// A direction of `a`'s frame, in the body's own.
    #[inline(always)]
    pub(crate) fn turn_back(&self, d: DVec3) -> DVec3 {
        let r = &self.place.rotation;
        DVec3::new(r.x_axis.dot(d), r.y_axis.dot(d), r.z_axis.dot(d))
    }

    /// A point of `a`'s frame, in the body's own.
    #[inline(always)]
    pub(crate) fn own(&self, p: DVec3) -> DVec3 {
        self.turn_back(p - self.place.translation)
    }

    pub(crate) fn centre(&self) -> DVec3 {
        self.place.apply(self.convex.centre())
    }

    #[inline(always)]
    pub(crate) fn ends(&self, e: u32) -> [DVec3; 2] {
        self.convex.edge(e).ends.map(|v| self.vertex(v))
    }

    #[inline(always)]
    pub(crate) fn normal(&self, f: u32) -> DVec3 {
        self.turn(self.convex.face(f).normal)
    }

    /// A corner of the face.
    #[inline(always)]
    pub(crate) fn corner(&self, f: u32) -> DVec3 {
        self.vertex(self.convex.tail(self.convex.face_edges(f)[0]))
    }

    /// Signed distance of `p` over the plane of face `f`.
    #[inline(always)]
    pub(crate) fn height(&self, f: u32, p: DVec3) -> f64 {
        self.normal(f).dot(p - self.corner(f))
    }

    /// How far `p` lies on the face's side of the Voronoi plane between a half-edge and its face.
    #[inline(always)]
    pub(crate) fn inward(&self, h: HalfEdge, p: DVec3) -> f64 {
        self.turn(self.convex.edge(h.edge()).inward[h.side()]).dot(p - self.vertex(self.convex.tail(h)))
    }

    /// Whether `p` lies over or under the face: on the inner side of all its edges, or outside by `slack` at most.
    pub(crate) fn covers(&self, f: u32, p: DVec3, slack: f64) -> bool {
        self.convex.face_edges(f).iter().all(|&h| self.inward(h, p) >= -slack)
    }

    /// The vertex farthest along `d`, by looking at all of them, and how far that is from `origin`, times `|d|`.
    pub(crate) fn farthest(&self, d: DVec3, origin: DVec3) -> (u32, f64) {
        let along = |v| d.dot(self.vertex(v) - origin);
        let mut best = (0, along(0));
        for v in 1..self.convex.vertex_count() as u32 {
            let x = along(v);
            if x > best.1 {
                best = (v, x);
            }
        }
        best
    }
}

/// `(s, t)` in `[0, 1]²` that minimise `|w + t·v − s·u|`, the segments being `s·u` and `w + t·v`.
///
/// On the lines, with `n = u × v`, the minimum is at `s = (w × v)·n / n²`: cross products keep their accuracy down to
/// angles near rounding, where `|u|²|v|² − (u·v)²` is noise at `√ε` already. `s` is clamped, `t` is the best for it,
/// and `s` again the best for that `t`.
pub(crate) fn closest_parameters(u: DVec3, v: DVec3, w: DVec3) -> [f64; 2] {
    let n = u.cross(v);
    let s = unit(w.cross(v).dot(n), n.length_squared());
    let t = unit((u * s - w).dot(v), v.length_squared());
    [unit((w + v * t).dot(u), u.length_squared()), t]
}

/// The closest points of two segments.
pub(crate) fn closest_on_segments(p: [DVec3; 2], q: [DVec3; 2]) -> [DVec3; 2] {
    let (u, v) = (p[1] - p[0], q[1] - q[0]);
    let [s, t] = closest_parameters(u, v, q[0] - p[0]);
    [along(p, s), along(q, t)]
}

/// The point of the segment nearest to `x`.
pub(crate) fn closest_on_segment(p: [DVec3; 2], x: DVec3) -> DVec3 {
    along(p, unit((x - p[0]).dot(p[1] - p[0]), p[0].distance_squared(p[1])))
}

/// The point at parameter `s`; exactly an end at 0 and at 1.
#[inline(always)]
pub(crate) fn along(p: [DVec3; 2], s: f64) -> DVec3 {
    if s == 1.0 { p[1] } else { p[0] + (p[1] - p[0]) * s }
}

/// `x / y` clamped to `[0, 1]`; 0 when `y` is 0.
#[inline(always)]
fn unit(x: f64, y: f64) -> f64 {
    if y > 0.0 { (x / y).clamp(0.0, 1.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_crossing_parallel_and_points() {
        let x = [-DVec3::X, DVec3::X];
        let y = [DVec3::new(0.0, -1.0, 2.0), DVec3::new(0.0, 1.0, 2.0)];
        assert_eq!(closest_on_segments(x, y), [DVec3::ZERO, DVec3::new(0.0, 0.0, 2.0)]);
        let beside = [DVec3::new(0.5, 3.0, 0.0), DVec3::new(5.0, 3.0, 0.0)];
        let [p, q] = closest_on_segments(x, beside);
        assert_eq!((p.distance(q), p.x), (3.0, q.x));
        let point = [DVec3::new(4.0, 4.0, 0.0); 2];
        assert_eq!(closest_on_segments(point, x), [point[0], DVec3::X]);
        assert_eq!(closest_on_segment(x, point[0]), DVec3::X);
    }

    #[test]
    fn almost_parallel_segments_keep_their_distance() {
        for tilt in [1e-3, 1e-6, 1e-9, 1e-12, 1e-15] {
            let p = [DVec3::new(-1.0, 0.0, 0.0), DVec3::new(1.0, 0.0, 0.0)];
            let q = [DVec3::new(-1.0, -tilt, 1.0), DVec3::new(1.0, tilt, 1.0)];
            let [x, y] = closest_on_segments(p, q);
            assert!((x.distance(y) - 1.0).abs() < 1e-15, "tilt {tilt}: {x} {y}");
        }
    }
}
