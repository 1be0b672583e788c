//! Whether two polyhedra that nearly touch have a common point: decided exactly, in the sense of all overlap decisions.
//!
//! Where the distance or the depth is within rounding, rounded arithmetic cannot decide. Then the surfaces are
//! compared, triangle by triangle, with exact predicates on the corners, `b`'s after their one rounded map into `a`'s
//! frame: the same definition, and the same answer, as for the two bodies given as closed meshes.
//!
//! Along the direction in which the bodies hardly overlap only the triangles near the common plane count: the corners
//! of the others lie beyond the whole other body. So the cost is the facets of both, and the square of the few that
//! remain. A body smaller than rounding may still lie inside the other with its surface apart; a test of one vertex of
//! each finds that.

use glam::DVec3;

use super::two_polyhedra::Polyhedra;
use crate::answer::Stats;
use crate::math::{Relative, Sign, normalising_scale, orient3d};
use crate::model::Convex;
use crate::prim::{Triangle, triangles_overlap};

/// Whether the closed bodies have a common point. `normal` is a unit vector, in `a`'s frame from `a` to `b`, along
/// which they overlap by no more than `depth`.
pub(crate) fn touch(pair: &Polyhedra<'_>, normal: DVec3, depth: f64, stats: &mut Stats) -> bool {
    let reach = pair.a.reach().max(2.0 * pair.b.reach() + pair.b_in_a.translation.abs().max_element());
    let scale = normalising_scale(reach);
    let a = Surface { body: pair.a, place: |x: DVec3| x * scale };
    let b = Surface { body: pair.b, place: |x: DVec3| pair.b_in_a.apply(x) * scale };
    let origin = a.vertex(0);
    let along = |x: DVec3| normal.dot(x - origin);
    let slack = 2.0 * depth * scale;
    let top = a.vertices().map(along).fold(f64::NEG_INFINITY, f64::max) + slack;
    let bottom = b.vertices().map(along).fold(f64::INFINITY, f64::min) - slack;
    let mut overlap = false;
    a.triangles(&mut |s| {
        if overlap || s.iter().all(|&x| along(x) < bottom) {
            return;
        }
        b.triangles(&mut |t| {
            if !overlap && t.iter().any(|&x| along(x) <= top) {
                stats.primitive_tests += 1;
                overlap = triangles_overlap(s, t);
            }
        });
    });
    overlap || a.holds(b.vertex(0)) || b.holds(a.vertex(0))
}

/// Whether a triangle and a polyhedron, placed in the triangle's frame, have a common point.
pub(crate) fn triangle_touches(triangle: &Triangle, body: &Convex, place: &Relative) -> bool {
    let reach = triangle.iter().fold(0.0, |m: f64, x| m.max(x.abs().max_element()));
    let scale = normalising_scale(reach.max(2.0 * body.reach() + place.translation.abs().max_element()));
    let solid = Surface { body, place: |x: DVec3| place.apply(x) * scale };
    let triangle = triangle.map(|x| x * scale);
    let mut overlap = false;
    solid.triangles(&mut |t| overlap = overlap || triangles_overlap(&triangle, t));
    overlap || solid.holds(triangle[0])
}

/// A polyhedron as triangles, placed.
struct Surface<'m, P> {
    body: &'m Convex,
    place: P,
}

impl<P: Fn(DVec3) -> DVec3> Surface<'_, P> {
    fn vertex(&self, v: u32) -> DVec3 {
        (self.place)(self.body.vertex(v))
    }

    fn vertices(&self) -> impl Iterator<Item = DVec3> {
        self.body.vertices().iter().map(|&x| (self.place)(x))
    }

    /// The fans of the faces; of a segment or a point, the degenerate triangle that it is.
    fn triangles(&self, visit: &mut dyn FnMut(&Triangle)) {
        if self.body.face_count() == 0 {
            let last = self.body.vertex_count() as u32 - 1;
            visit(&[self.vertex(0), self.vertex(last), self.vertex(last)]);
        }
        for f in 0..self.body.face_count() as u32 {
            let corner = |h| self.vertex(self.body.tail(h));
            let around = self.body.face_edges(f);
            for pair in around.windows(2).skip(1) {
                visit(&[corner(around[0]), corner(pair[0]), corner(pair[1])]);
            }
        }
    }

    /// Whether the point lies inside or on the solid; false for flat bodies, whose triangles are all there is of them.
    fn holds(&self, p: DVec3) -> bool {
        let mut outside = self.body.face_count() <= 2;
        if !outside {
            self.triangles(&mut |[x, y, z]| outside |= orient3d(*x, *y, *z, p) == Sign::Positive);
        }
        !outside
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::narrow::convex::polyhedra::cases::{at, cuboid};

    #[test]
    fn one_ulp_decides() {
        let cube = cuboid(DVec3::ONE);
        let below = 2f64.next_down();
        for (x, expected) in [(2.0, true), (below, true), (2f64.next_up(), false)] {
            for shift in [DVec3::new(x, 0.0, 0.0), DVec3::new(x, 2.0, 2.0), DVec3::new(x, 0.3, -1.7)] {
                let pair = Polyhedra { a: &cube, b: &cube, b_in_a: at(shift) };
                let n = DVec3::X;
                assert_eq!(touch(&pair, n, 1e-15, &mut Stats::default()), expected, "{shift}");
            }
        }
    }

    #[test]
    fn flat_bodies_touch_on_their_triangles_alone() {
        let cube = cuboid(DVec3::ONE);
        for (z, expected) in [(1.0, true), (1f64.next_up(), false), (1f64.next_down(), true)] {
            let point = Convex::hull(&[DVec3::new(0.2, 0.3, z)]).unwrap();
            let pair = Polyhedra { a: &cube, b: &point, b_in_a: at(DVec3::ZERO) };
            assert_eq!(touch(&pair, DVec3::Z, 1e-15, &mut Stats::default()), expected, "{z}");
        }
    }
}
