//! The facets of the Minkowski difference of two convex polyhedra, as planes.
//!
//! Their normals are those of the faces of `a`, the reversed ones of the faces of `b`, and the common normals of an
//! edge of each whose arcs cross on the sphere of directions (S. Cameron and R. Culley 1986;
//! [`crate::narrow::convex::axes::gauss_map`]). Here all pairs of edges are looked at: pieces are small, and the planes
//! are wanted, not the least of them.
//!
//! Each plane is put where the support mappings say, so that a shift beyond any of them separates the two bodies,
//! whatever rounding did to its normal. Edges parallel up to rounding get no plane: what it would cut off is less than
//! rounding.
//!
//! Cost: `e_a·e_b` tests of arcs, and `v_a + v_b` for each plane.

use glam::DVec3;

use super::shortest::Beyond;
use crate::math::EPS;
use crate::narrow::convex::polyhedra::Polyhedra;
use crate::narrow::convex::polyhedra::placed_polyhedron::PlacedPolyhedron;

/// Appends the planes: shifting `b` by a vector beyond one of them separates the bodies, and nothing else does. Both
/// bodies have volume.
pub(crate) fn facets(pair: &Polyhedra<'_>, planes: &mut Vec<Beyond>) {
    let [a, b] = &pair.placed();
    let origin = a.centre();
    let mut offer = |normal: DVec3| {
        let offset = a.farthest(normal, origin).1 + b.farthest(-normal, origin).1;
        planes.push(Beyond { normal, offset });
    };
    (0..a.convex.face_count() as u32).for_each(|f| offer(a.normal(f)));
    (0..b.convex.face_count() as u32).for_each(|f| offer(-b.normal(f)));
    for e in 0..a.convex.edge_count() as u32 {
        let [p, q] = beside(a, e);
        let along = p.cross(q);
        for g in 0..b.convex.edge_count() as u32 {
            let [r, s] = beside(b, g).map(|n| -n);
            let across = r.cross(s);
            let (from, to) = (along.dot(r), along.dot(s));
            let (back, forth) = (across.dot(p), across.dot(q));
            // On different sides of each other's great circle, and on the same half of the sphere.
            if from * to < 0.0 && back * forth < 0.0 && from * forth > 0.0 {
                let n = a.turn(a.convex.edge(e).direction).cross(b.turn(b.convex.edge(g).direction));
                if n.length() > 8.0 * EPS {
                    let n = n.normalize();
                    offer(if n.dot(p + q) < 0.0 { -n } else { n });
                }
            }
        }
    }
}

/// The normals of the faces beside an edge.
fn beside(body: &PlacedPolyhedron<'_>, e: u32) -> [DVec3; 2] {
    body.convex.edge(e).faces.map(|f| body.normal(f))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::Stats;
    use crate::narrow::convex::polyhedra::brute;
    use crate::narrow::convex::polyhedra::cases::{Random, at, cuboid, placed};

    /// The nearest plane is at the depth, and the difference of a vertex of each body lies behind all planes.
    #[test]
    fn planes_bound_the_difference() {
        let mut r = Random(9);
        let mut edges = 0;
        for _ in 0..200 {
            let (a, b) = (r.solid(), r.solid());
            let b_in_a = placed(r.rotation(), r.direction() * 0.3);
            let pair = Polyhedra { a: &a, b: &b, b_in_a };
            let mut planes = Vec::new();
            facets(&pair, &mut planes);
            edges += planes.len() - a.face_count() - b.face_count();
            let least = planes.iter().map(|p| p.offset).fold(f64::INFINITY, f64::min);
            match brute::depth(&pair, &mut Stats::default()) {
                Some(way) => assert!((way.depth - least).abs() <= 1e-12 * (a.radius() + b.radius()), "{way:?} {least}"),
                None => assert!(least < 1e-12),
            }
            // Shifts that keep a vertex of each together lie in the difference, and no farther than all planes.
            let [p, q] = pair.placed();
            for (v, w) in (0..a.vertex_count() as u32).zip(0..b.vertex_count() as u32) {
                let x = p.vertex(v) - q.vertex(w);
                assert!(planes.iter().all(|plane| plane.normal.dot(x) <= plane.offset + 1e-12));
            }
        }
        assert!(edges > 1000, "{edges}");
    }

    #[test]
    fn boxes_along_the_axes_have_six() {
        let (a, b) = (cuboid(DVec3::ONE), cuboid(DVec3::splat(0.5)));
        let mut planes = Vec::new();
        facets(&Polyhedra { a: &a, b: &b, b_in_a: at(DVec3::X) }, &mut planes);
        assert_eq!(planes.len(), 12);
        let offsets = |n: DVec3| planes.iter().filter(move |p| p.normal == n).map(|p| p.offset);
        assert!(
            offsets(DVec3::X).eq([0.5, 0.5]) && offsets(-DVec3::X).eq([2.5, 2.5]) && offsets(DVec3::Z).eq([1.5; 2])
        );
    }
}
