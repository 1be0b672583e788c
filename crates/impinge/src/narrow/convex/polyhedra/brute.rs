//! Distance and penetration depth of two convex polyhedra by looking at everything: the oracle of the other engines.
//!
//! Distance is the least over all pairs of a vertex, edge or face of one with those of the other, each by its direct
//! formula (Lin-Canny's table without the walking). Depth is the separating-axis theorem without pruning: the facets of
//! the Minkowski difference `a ⊖ b` have for normals those of the faces of `a`, the reversed normals of the faces of
//! `b`, and the cross products of an edge of each (S. Cameron and R. Culley, *Determining the minimum translational
//! distance between two convex polyhedra*, ICRA 1986), so the least extent along all of these is the depth.
//!
//! Cost: `O(n_a·n_b)` for the distance, `O(n_a·n_b·(n_a + n_b))` for the depth. No heap, no memory, no tolerance but
//! that of rounding ([`Polyhedra::slack`] and the bend of faces): polyhedra overlap when a vertex of one lies in the
//! other, or an edge of one pierces a face of the other, or two features touch up to rounding. (Where surfaces cross,
//! an edge meets a face; if it does so too near to the border of the face for a sign to tell, it touches an edge of
//! that face up to rounding.)

use glam::DVec3;

use super::facing;
use super::placed_polyhedron::PlacedPolyhedron;
use super::segments::{closest_on_segment, closest_on_segments};
use super::two_polyhedra::{Claim, ClosestFeatures, HullFeature, Polyhedra, WayOut};
use crate::answer::Stats;
use crate::math::EPS;

/// The closest points, or that they overlap. Never [`Claim::Unknown`].
pub(crate) fn closest(pair: &Polyhedra<'_>, stats: &mut Stats) -> Claim {
    let [a, b] = &pair.placed();
    if vertex_inside(a, b, stats) || vertex_inside(b, a, stats) || pierces(a, b, stats) || pierces(b, a, stats) {
        return Claim::Overlap;
    }
    let near = nearest_features(a, b, stats);
    let touching = near.distance() <= pair.slack() + 2.0 * (bend(a) + bend(b));
    if touching { Claim::Overlap } else { Claim::Apart(near) }
}

/// How far corners lie off the planes of their faces: what the hull made one facet may be bent by some rounding.
fn bend(body: &PlacedPolyhedron<'_>) -> f64 {
    let convex = body.convex;
    let corners = (0..convex.face_count() as u32).flat_map(|f| convex.face_edges(f).iter().map(move |&h| (f, h)));
    corners.fold(0.0, |most, (f, h)| most.max(convex.height(f, convex.vertex(convex.tail(h))).abs()))
}

/// Whether a vertex of `b` lies in the solid `a`.
fn vertex_inside(a: &PlacedPolyhedron<'_>, b: &PlacedPolyhedron<'_>, stats: &mut Stats) -> bool {
    let faces = a.convex.face_count() as u32;
    let solid = faces > 2;
    solid
        && (0..b.convex.vertex_count() as u32).any(|v| {
            stats.primitive_tests += 1;
            let p = b.vertex(v);
            (0..faces).all(|f| a.height(f, p) <= 0.0)
        })
}

/// Whether an edge of `b` passes through a face of `a`.
fn pierces(a: &PlacedPolyhedron<'_>, b: &PlacedPolyhedron<'_>, stats: &mut Stats) -> bool {
    (0..b.convex.edge_count() as u32).any(|e| {
        let [p, q] = b.ends(e);
        (0..a.convex.face_count() as u32).any(|f| {
            stats.primitive_tests += 1;
            let (from, to) = (a.height(f, p), a.height(f, q));
            (from > 0.0) != (to > 0.0) && a.covers(f, p + (q - p) * (from / (from - to)), 0.0)
        })
    })
}

/// The least over all pairs of features; of equal ones that of the least dimension.
fn nearest_features(a: &PlacedPolyhedron<'_>, b: &PlacedPolyhedron<'_>, stats: &mut Stats) -> ClosestFeatures {
    let mut best = ClosestFeatures { points: [a.vertex(0), b.vertex(0)], features: [HullFeature::Vertex(0); 2] };
    let mut offer = |points: [DVec3; 2], features: [HullFeature; 2]| {
        stats.primitive_tests += 1;
        let near = ClosestFeatures { points, features };
        if near.distance() < best.distance() {
            best = near;
        }
    };
    let vertices = |body: &PlacedPolyhedron<'_>| 0..body.convex.vertex_count() as u32;
    let edges = |body: &PlacedPolyhedron<'_>| 0..body.convex.edge_count() as u32;
    let faces = |body: &PlacedPolyhedron<'_>| 0..body.convex.face_count() as u32;
    for v in vertices(a) {
        for w in vertices(b) {
            offer([a.vertex(v), b.vertex(w)], [HullFeature::Vertex(v), HullFeature::Vertex(w)]);
        }
    }
    for v in vertices(a) {
        for e in edges(b) {
            offer(
                [a.vertex(v), closest_on_segment(b.ends(e), a.vertex(v))],
                [HullFeature::Vertex(v), HullFeature::Edge(e)],
            );
        }
        for f in faces(b).filter(|&f| b.covers(f, a.vertex(v), 0.0)) {
            offer([a.vertex(v), foot(b, f, a.vertex(v))], [HullFeature::Vertex(v), HullFeature::Face(f)]);
        }
    }
    for v in vertices(b) {
        for e in edges(a) {
            offer(
                [closest_on_segment(a.ends(e), b.vertex(v)), b.vertex(v)],
                [HullFeature::Edge(e), HullFeature::Vertex(v)],
            );
        }
        for f in faces(a).filter(|&f| a.covers(f, b.vertex(v), 0.0)) {
            offer([foot(a, f, b.vertex(v)), b.vertex(v)], [HullFeature::Face(f), HullFeature::Vertex(v)]);
        }
    }
    for e in edges(a) {
        for g in edges(b) {
            offer(closest_on_segments(a.ends(e), b.ends(g)), [HullFeature::Edge(e), HullFeature::Edge(g)]);
        }
    }
    best
}

fn foot(body: &PlacedPolyhedron<'_>, f: u32, p: DVec3) -> DVec3 {
    p - body.normal(f) * body.height(f, p)
}

/// The least translation of `b` that separates them; `None` when they are apart.
///
/// Of bodies that overlap and whose difference is flat, any direction across it leads out at once. A polygon's normal
/// is one, and the common normal of two segments; where there is neither, one across a segment is added, or just any.
pub(crate) fn depth(pair: &Polyhedra<'_>, stats: &mut Stats) -> Option<WayOut> {
    if !matches!(closest(pair, stats), Claim::Overlap) {
        return None;
    }
    let [a, b] = &pair.placed();
    let mut least = Extent::along(a, b, DVec3::X);
    let mut offer = |n: DVec3| {
        for n in [n, -n] {
            stats.primitive_tests += 1;
            let extent = Extent::along(a, b, n);
            if extent.depth < least.depth {
                least = extent;
            }
        }
    };
    for body in [a, b] {
        (0..body.convex.face_count() as u32).for_each(|f| offer(body.normal(f)));
        if let [edge] = body.convex.edges() {
            offer(body.turn(edge.direction.any_orthonormal_vector()));
        }
    }
    for edge in a.convex.edges() {
        for other in b.convex.edges() {
            let n = edge.direction.cross(b.turn(other.direction));
            // Edges parallel up to rounding have no common normal of their own.
            if n.length() > 8.0 * EPS {
                offer(n.normalize());
            }
        }
    }
    Some(least.way(a, b, pair.slack()))
}

/// How far `b` has to move along a unit vector to leave `a`, and the vertices that stop it.
struct Extent {
    normal: DVec3,
    depth: f64,
    vertices: [u32; 2],
}

impl Extent {
    fn along(a: &PlacedPolyhedron<'_>, b: &PlacedPolyhedron<'_>, normal: DVec3) -> Extent {
        let origin = a.centre();
        let ((v, front), (w, back)) = (a.farthest(normal, origin), b.farthest(-normal, origin));
        Extent { normal, depth: front + back, vertices: [v, w] }
    }

    fn way(&self, a: &PlacedPolyhedron<'_>, b: &PlacedPolyhedron<'_>, slack: f64) -> WayOut {
        let depth = self.depth.max(0.0);
        let (points, features) = facing::touch([a, b], self.vertices, self.normal, slack);
        WayOut { normal: self.normal, lower: (depth - slack).max(0.0), depth, points, features }
    }
}

#[cfg(test)]
mod tests {
    use glam::DMat3;

    use super::*;
    use crate::narrow::convex::polyhedra::cases::{
        Random, at, check_way, cuboid, families, gap, placed, proven_distance, scale,
    };
    use crate::narrow::convex::polyhedra::known_cases::{KnownAnswer, known};

    #[test]
    fn points_prove_the_distance_and_depth_is_an_upper_bound_that_no_direction_beats() {
        let mut r = Random(1);
        let mut seen = [0; 2];
        families(11, 60, |name, pair| {
            let verdict = closest(pair, &mut Stats::default());
            let d = proven_distance(pair, &verdict, 1e-12).unwrap_or_else(|| panic!("{name}"));
            seen[usize::from(d == 0.0)] += 1;
            let way = depth(pair, &mut Stats::default());
            assert_eq!(way.is_some(), d == 0.0, "{name}");
            if let Some(way) = way {
                check_way(pair, &way, 1e-10);
                for _ in 0..30 {
                    let n = r.direction();
                    assert!(-gap(pair, n) >= way.depth - 1e-13 * scale(pair), "{name}: {way:?} beaten along {n}");
                }
            }
        });
        assert!(seen[0] > 200 && seen[1] > 200, "{seen:?}");
    }

    #[test]
    fn known_depths() {
        let u = cuboid(DVec3::ONE);
        let depth_at = |b: &crate::model::Convex, t: [f64; 3]| {
            let pair = Polyhedra { a: &u, b, b_in_a: at(DVec3::from_array(t)) };
            let way = depth(&pair, &mut Stats::default()).unwrap();
            check_way(&pair, &way, 1e-15);
            way
        };
        // C04, D01, A15, A16, A21
        assert_eq!(depth_at(&u, [1.5, 0.0, 0.0]).depth, 0.5);
        assert!((depth_at(&u, [0.0, 0.0, 1.9]).depth - 0.1).abs() < 1e-15);
        assert_eq!(depth_at(&u, [2.0, 0.0, 0.0]).depth, 0.0);
        assert_eq!(depth_at(&u, [2.0, 2.0, 2.0]).depth, 0.0);
        assert_eq!(depth_at(&u, [0.0; 3]).depth, 2.0);
        assert_eq!(depth_at(&u, [1.9999999999999998, 0.0, 0.0]).depth, 2.220446049250313e-16);
        // C07
        let small = cuboid(DVec3::splat(0.05));
        let way = depth_at(&small, [0.0, 0.0, -0.9]);
        assert!((way.depth - 0.15).abs() < 1e-15 && way.normal == -DVec3::Z, "{way:?}");
        // Two cubes like roofs: one stands on an edge along x, the other on an edge along y.
        let corner = |i: u32| DVec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64) * 2.0 - DVec3::ONE;
        let eighth = std::f64::consts::FRAC_PI_4;
        let points: Vec<DVec3> = (0..8).map(|i| DMat3::from_rotation_x(eighth) * corner(i)).collect();
        let roof = crate::model::Convex::hull(&points).unwrap();
        let turn = DMat3::from_rotation_z(2.0 * eighth);
        let pair = Polyhedra { a: &roof, b: &roof, b_in_a: placed(turn, DVec3::Z * (8f64.sqrt() - 0.2)) };
        let way = depth(&pair, &mut Stats::default()).unwrap();
        check_way(&pair, &way, 1e-14);
        assert!((way.depth - 0.2).abs() < 1e-14 && way.normal.z > 1.0 - 1e-14, "{way:?}");
        assert!(matches!(way.features, [HullFeature::Edge(_), HullFeature::Edge(_)]), "{way:?}");
    }

    #[test]
    fn known_answers() {
        for case in known() {
            let pair = case.pair();
            let way = depth(&pair, &mut Stats::default());
            let truth = if let KnownAnswer::Depth(depth) = case.answer { Some(depth) } else { None };
            assert_eq!(way.is_some(), truth.is_some(), "{}: {way:?}", case.id);
            if let (Some(way), Some(depth)) = (way, truth) {
                assert!((way.depth - depth).abs() <= case.tolerance, "{}: {way:?}, not {depth}", case.id);
                check_way(&pair, &way, 1e-12);
            }
        }
    }
}
