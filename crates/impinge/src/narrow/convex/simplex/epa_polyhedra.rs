//! EPA on two polyhedra: from the last triangle to a way out along a normal of theirs.
//!
//! A facet of the Minkowski difference is a face of `a` against a vertex of `b`, a face of `b` against a vertex of `a`,
//! or an edge against an edge. The vertices behind the corners of EPA's last triangle say which, and the normal is
//! taken from the bodies again: from the stored plane of the face, or from the two edges. It is exact where EPA's, made
//! of differences of differences, has drifted.

use glam::DVec3;

use super::epa;
use super::epa::{EpaPrecision, EpaResult};
use super::gjk::Simplex;
use super::gjk_polyhedra::feature_with;
use super::minkowski::{At, Difference};
use super::polytope::Polytope;
use crate::answer::Stats;
use crate::math::simd::{Kernel, Simd, dispatch};
use crate::model::Convex;
use crate::narrow::convex::polyhedra::facing;
use crate::narrow::convex::polyhedra::placed_polyhedron::PlacedPolyhedron;
use crate::narrow::convex::polyhedra::segments::closest_on_segments;
use crate::narrow::convex::polyhedra::{HullFeature, Polyhedra, WayOut};

/// The way out of polyhedra that overlap; `simplex` is where GJK found the origin.
pub(crate) fn depth(pair: &Polyhedra<'_>, simplex: &Simplex, stats: &mut Stats) -> WayOut {
    let slack = pair.slack();
    let m = Difference::of(pair);
    let precision = EpaPrecision { relative: 1e-12, slack };
    let result = epa::depth_by(&m, simplex, precision, stats, |m, precision, thin, polytope, stats| {
        dispatch(Expand { m, precision, thin, polytope, stats })
    });
    let features = carriers(pair, &result);
    let normals = normals(pair, features, result.normal);
    let [a, b] = &pair.placed();
    let corners = result.corners.map(|corner| corner.w);
    let way = |normal: DVec3, extent: f64, (points, features)| {
        let depth = extent.max(0.0);
        WayOut { normal, lower: (result.lower.min(depth) - slack).max(0.0), depth, points, features }
    };
    for n in normals.into_iter().flatten() {
        // Where these features alone face each other, no other point is beyond the corners.
        let extent = corners.iter().fold(f64::NEG_INFINITY, |most, w| most.max(n.dot(*w))) / m.scale;
        if extent <= result.upper + slack
            && holds(&corners, n * (extent * m.scale), n)
            && let Some(touching) = directly([a, b], features, n, extent, slack)
        {
            return way(n, extent, touching);
        }
    }
    let mut best = (result.normal, result.upper + slack, result.corners[0].names);
    for n in normals.into_iter().flatten() {
        let apex = m.support(-n, result.corners[0].names, stats);
        let extent = n.dot(apex.w) / m.scale;
        if extent < best.1 {
            best = (n, extent, apex.names);
        }
    }
    if best.1 > result.upper {
        let apex = m.support(-best.0, best.2, stats);
        best = (best.0, best.0.dot(apex.w) / m.scale, apex.names);
    }
    let (normal, extent, vertices) = best;
    way(normal, extent, facing::touch([a, b], vertices, normal, slack))
}

/// Whether the triangle holds the point of its plane, across `n`, and not on its border.
fn holds(corners: &[DVec3; 3], x: DVec3, n: DVec3) -> bool {
    let [p, q, r] = corners.map(|corner| corner - x);
    let areas = [n.dot(q.cross(r)), n.dot(r.cross(p)), n.dot(p.cross(q))];
    let least = 1e-9 * areas.iter().map(|area| area.abs()).sum::<f64>();
    areas.iter().all(|area| *area > least)
}

/// The points of a face and the one vertex that faces it, or of two edges; `None` where more than that faces each
/// other.
fn directly(
    [a, b]: [&PlacedPolyhedron<'_>; 2],
    features: [HullFeature; 2],
    n: DVec3,
    extent: f64,
    slack: f64,
) -> Option<([DVec3; 2], [HullFeature; 2])> {
    let shift = n * extent;
    let points = match features {
        [HullFeature::Face(_), HullFeature::Vertex(w)] if facing::are_sole(b, &[w], -n, slack) => {
            let q = b.vertex(w);
            [q + shift, q]
        }
        [HullFeature::Vertex(v), HullFeature::Face(_)] if facing::are_sole(a, &[v], n, slack) => {
            let p = a.vertex(v);
            [p, p - shift]
        }
        [HullFeature::Edge(e), HullFeature::Edge(g)] => {
            let ends = [a.convex.edge(e).ends, b.convex.edge(g).ends];
            if !facing::are_sole(a, &ends[0], n, slack) || !facing::are_sole(b, &ends[1], -n, slack) {
                return None;
            }
            let [x, y] = closest_on_segments(a.ends(e), b.ends(g).map(|q| q + shift));
            if x.distance(y) > facing::LEVEL * slack {
                return None;
            }
            [x, y - shift]
        }
        _ => return None,
    };
    Some((points, features))
}

/// The expanding polytope, compiled for the level of instructions in use.
struct Expand<'q> {
    m: &'q Difference<'q, Convex, Convex>,
    precision: EpaPrecision,
    thin: f64,
    polytope: &'q mut Polytope,
    stats: &'q mut Stats,
}

impl Kernel for Expand<'_> {
    type Output = EpaResult;

    #[inline(always)]
    fn run<S: Simd>(self) -> EpaResult {
        let [a, b] = &At::<S>::both(self.m);
        epa::expand(&self.m.between(a, b), self.precision, self.thin, self.polytope, self.stats)
    }
}

/// The features that the corners of the triangle name.
fn carriers(pair: &Polyhedra<'_>, result: &EpaResult) -> [HullFeature; 2] {
    let n = result.normal;
    let mut names = [[0; 3]; 2];
    let mut counts = [0; 2];
    for corner in &result.corners {
        for body in 0..2 {
            if !names[body][..counts[body]].contains(&corner.names[body]) {
                names[body][counts[body]] = corner.names[body];
                counts[body] += 1;
            }
        }
    }
    let in_b = pair.b_in_a.rotation.transpose() * n;
    [feature_with(pair.a, &names[0][..counts[0]], n), feature_with(pair.b, &names[1][..counts[1]], -in_b)]
}

/// Outward normals of the difference, from the features; `n` is roughly one.
fn normals(pair: &Polyhedra<'_>, [of_a, of_b]: [HullFeature; 2], n: DVec3) -> [Option<DVec3>; 3] {
    let turn = &pair.b_in_a.rotation;
    let face_a = if let HullFeature::Face(f) = of_a { Some(pair.a.face(f).normal) } else { None };
    let face_b = if let HullFeature::Face(f) = of_b { Some(-(*turn * pair.b.face(f).normal)) } else { None };
    let edges = match [of_a, of_b] {
        [HullFeature::Edge(e), HullFeature::Edge(g)] => {
            let cross = pair.a.edge(e).direction.cross(*turn * pair.b.edge(g).direction);
            // Edges parallel up to rounding have no common normal of their own.
            (cross.length_squared() > 1e-24).then(|| cross.normalize() * cross.dot(n).signum())
        }
        _ => None,
    };
    [face_a, face_b, edges]
}

#[cfg(test)]
mod tests {
    use glam::DMat3;

    use super::*;
    use crate::math::{Pose, Relative};
    use crate::narrow::convex::polyhedra::Claim;
    use crate::narrow::convex::polyhedra::brute;
    use crate::narrow::convex::polyhedra::cases::{at, check_way, cuboid, families, placed, scale};
    use crate::narrow::convex::simplex::gjk::GjkQuestion;
    use crate::narrow::convex::simplex::gjk_polyhedra;
    use crate::narrow::convex::simplex::gjk_polyhedra::{Variant, decided, found};

    #[test]
    fn agrees_with_all_separating_axes() {
        let (mut seen, mut most) = (0, 0);
        families(23, 60, |name, pair| {
            let found = found(pair, Variant::RegionWalk, &GjkQuestion::DISTANCE, &mut Stats::default());
            if decided(pair, &found) != Some(false) {
                return;
            }
            let truth = brute::depth(pair, &mut Stats::default());
            let mut stats = Stats::default();
            let way = depth(pair, &found.simplex, &mut stats);
            most = most.max(stats.iterations);
            check_way(pair, &way, 1e-10);
            let truth = truth.map_or(0.0, |t| t.depth);
            assert!((way.depth - truth).abs() <= 1e-12 * scale(pair), "{name}: {way:?}, not {truth}, {stats:?}");
            assert!(
                way.lower <= truth + 1e-14 * scale(pair) && way.lower >= way.depth - 1e-9 * scale(pair),
                "{name}: {way:?}, not {truth}"
            );
            seen += 1;
        });
        assert!(seen > 600 && most < 256, "{seen} bodies, {most} steps");
    }

    fn way(a: &Convex, b: &Convex, b_in_a: Relative) -> WayOut {
        let pair = Polyhedra { a, b, b_in_a };
        let found = found(&pair, Variant::RegionWalk, &GjkQuestion::DISTANCE, &mut Stats::default());
        assert_eq!(decided(&pair, &found), Some(false), "{found:?}");
        let way = depth(&pair, &found.simplex, &mut Stats::default());
        let fresh = depth(&pair, &Simplex::EMPTY, &mut Stats::default());
        assert!((fresh.depth - way.depth).abs() <= 1e-14 * scale(&pair), "{way:?} {fresh:?}");
        check_way(&pair, &way, 1e-14);
        way
    }

    #[test]
    fn known_depths() {
        let u = cuboid(DVec3::ONE);
        let depth_at = |t: [f64; 3]| way(&u, &u, at(DVec3::from_array(t)));
        assert_eq!(depth_at([2.0, 0.0, 0.0]).depth, 0.0, "A15");
        assert_eq!(depth_at([2.0, 2.0, 2.0]).depth, 0.0, "A16");
        assert_eq!(depth_at([1.9999999999999998, 0.0, 0.0]).depth, 2.220446049250313e-16, "A19");
        let same = depth_at([0.0; 3]);
        assert!(same.depth == 2.0 && same.normal.abs().max_element() == 1.0, "A21: {same:?}");
        let d01 = depth_at([0.0, 0.0, 1.9]);
        assert!((d01.depth - 0.1).abs() < 1e-15 && d01.normal == DVec3::Z, "D01: {d01:?}");
        assert_eq!(depth_at([1.5, 0.0, 0.0]).depth, 0.5, "C04");
        let c07 = way(&u, &cuboid(DVec3::splat(0.05)), at(DVec3::Z * -0.9));
        assert!((c07.depth - 0.15).abs() < 1e-15 && c07.normal == -DVec3::Z, "C07: {c07:?}");
        let d04 = way(&cuboid(DVec3::splat(0.5)), &cuboid(DVec3::splat(0.05)), at(DVec3::splat(0.4)));
        assert!((d04.depth - 0.15).abs() < 1e-15 && d04.normal.max_element() == 1.0, "D04: {d04:?}");
        let line = |p: DVec3| Convex::hull(&[p, -p]).unwrap();
        let a03 = way(&line(DVec3::X), &line(DVec3::Y), at(DVec3::ZERO));
        assert!(a03.depth == 0.0 && a03.normal.z.abs() == 1.0, "A03: {a03:?}");
    }

    #[test]
    fn flat_and_touching_differences() {
        let hull = |p: &[[f64; 3]]| Convex::hull(&p.iter().map(|p| DVec3::from_array(*p)).collect::<Vec<_>>()).unwrap();
        let plate = hull(&[[1., 1., 0.], [-1., 1., 0.], [1., -1., 0.], [-1., -1., 0.]]);
        let point = hull(&[[0.; 3]]);
        let line = hull(&[[-1., 0., 0.], [1., 0., 0.]]);
        for (b, b_in_a) in [
            (&plate, at(DVec3::new(0.5, 0.25, 0.0))),
            (&plate, placed(DMat3::from_rotation_z(0.3), DVec3::ZERO)),
            (&line, at(DVec3::new(0.5, 0.25, 0.0))),
            (&point, at(DVec3::new(0.5, 0.25, 0.0))),
        ] {
            let way = way(&plate, b, b_in_a);
            assert!(way.depth == 0.0 && way.normal.z.abs() > 1.0 - 1e-15, "{way:?}");
        }
        for (a, b) in [(&line, &line), (&line, &point), (&point, &point)] {
            let way = way(a, b, at(DVec3::ZERO));
            assert!(way.depth == 0.0 && (way.normal.x == 0.0 || a.vertex_count() == 1), "{way:?}");
        }
    }

    /// Cases D09 and D12 (fcl): boxes for which fcl threw an exception.
    #[test]
    fn failures_of_other_libraries() {
        let pose = |rows: [[f64; 3]; 3], t: [f64; 3]| {
            let matrix = DMat3::from_cols_array_2d(&rows).transpose();
            Pose::from_matrix(DVec3::from_array(t), matrix).unwrap()
        };
        let tilt = 4.896638650109253e-12;
        let d09 = Relative::new(
            &pose([[tilt, -1., 0.], [1., tilt, 0.], [0., 0., 1.]], [-0.43999999999999995, -0.61499999999858, 0.355]),
            &pose(
                [
                    [0.8351215356523634, -0.5500654694576257, -9.454236060823357e-16],
                    [0.5500654694576257, 0.8351215356523631, 1.1787444236552388e-15],
                    [1.2902271444330666e-16, -1.4878153530113265e-15, 1.],
                ],
                [-0.40653441507331, -0.6916616692373573, 0.4305709385871889],
            ),
        );
        let (a, b) = (cuboid(DVec3::new(0.49, 0.05, 0.21) * 0.5), cuboid(DVec3::new(0.035, 0.12, 0.03) * 0.5));
        assert!((way(&a, &b, d09).depth - 0.039152970114506816).abs() < 1e-12, "{:?}", way(&a, &b, d09));
        let d12 = Relative::new(
            &pose(
                [
                    [0.44540578475530235, 0.895328814964934, -8.893740768563868e-9],
                    [-0.8953288149649338, 0.4454057847553019, -2.8948680226084145e-8],
                    [-2.1957263975186326e-8, 2.085673201665292e-8, 0.9999999999999996],
                ],
                [1.2652949075960072, 1.4551012423210101, 0.4948000623293294],
            ),
            &pose(
                [
                    [0.4417112291348586, 0.8971572827861191, -1.6227645148654682e-9],
                    [-0.8971572827861191, 0.4417112291348586, -5.162105395230608e-9],
                    [-3.914427141382999e-9, 3.736034921809435e-9, 1.],
                ],
                [1.1304016226141906, 1.841080264528428, 0.44400006232932493],
            ),
        );
        let (a, b) =
            (cuboid(DVec3::new(0.3165, 0.2276, 0.1768) * 0.5), cuboid(DVec3::new(0.4943, 0.3546, 0.0752) * 0.5));
        assert!((way(&a, &b, d12).depth - 4.6138748513244e-11).abs() < 1e-12, "{:?}", way(&a, &b, d12));
    }

    #[test]
    fn any_size_and_any_aspect() {
        for exponent in [-49, -30, -9, 0, 9, 30, 49] {
            let s = 10f64.powi(exponent);
            let (a, b) = (cuboid(DVec3::splat(s)), cuboid(DVec3::new(0.25, 0.5, 0.75) * s));
            let shallow = way(&a, &b, at(DVec3::new(1.0, 0.5, 0.25) * s));
            assert!((shallow.depth - 0.25 * s).abs() <= 1e-15 * s && shallow.normal.x > 1.0 - 1e-15, "{shallow:?}");
            let needle = cuboid(DVec3::new(1.0, 1e-12, 1e-12) * s);
            let through = way(&needle, &b, at(DVec3::ZERO));
            assert!((through.depth - (0.5 + 1e-12) * s).abs() <= 1e-15 * s, "{through:?}");
            let abreast = way(&needle, &needle, at(DVec3::new(0.3, 5e-13, 0.0) * s));
            assert!((abreast.depth - 1.5e-12 * s).abs() <= 1e-15 * s && abreast.normal.y > 1.0 - 1e-15, "{abreast:?}");
            if exponent < 0 {
                let speck = way(&cuboid(DVec3::ONE), &cuboid(DVec3::splat(s)), at(DVec3::X * 0.5));
                assert!((speck.depth - 0.5 - s).abs() <= 1e-15, "{speck:?}");
            }
        }
    }

    #[test]
    fn the_way_out_leads_out() {
        families(29, 60, |name, pair| {
            let found = found(pair, Variant::RegionWalk, &GjkQuestion::DISTANCE, &mut Stats::default());
            if decided(pair, &found) != Some(false) {
                return;
            }
            let way = depth(pair, &found.simplex, &mut Stats::default());
            let distance = |share: f64| {
                let translation = pair.b_in_a.translation + way.normal * (way.depth * share);
                let moved = Polyhedra { b_in_a: Relative { translation, ..pair.b_in_a }, ..*pair };
                match gjk_polyhedra::closest(&moved, Variant::RegionWalk, &mut Stats::default()) {
                    Claim::Apart(near) => near.distance(),
                    Claim::Overlap => 0.0,
                    Claim::Unknown => panic!("{name}"),
                }
            };
            assert!(distance(1.0) <= 1e-9 * scale(pair), "{name}: {way:?}");
            assert!(way.depth < 1e-12 * scale(pair) || distance(0.99) == 0.0, "{name}: {way:?}");
        });
    }
}
