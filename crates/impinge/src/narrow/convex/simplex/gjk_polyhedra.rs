//! GJK on two polyhedra: from the last simplex to a verdict with features.
//!
//! The points of the final simplex name vertices of each body: one, two or three different ones, which are a vertex, an
//! edge or a face of it; those that are no such thing (a diagonal of a large face, or of two nearly coplanar ones)
//! belong to the face around them that faces the other body most.
//!
//! The closest points follow from `v`, the nearest point of the simplex, whose direction comes from a cross product of
//! edges or from a difference of vertices, not from the weights: a vertex that carries a closest point is that point,
//! and the other is `v` away from it.

use glam::DVec3;

use super::boolean_gjk::BooleanVerdict;
use super::gjk;
use super::gjk::{GjkEnd, GjkQuestion, GjkResult, GjkStart, Simplex};
use super::minkowski::{Apex, Difference};
use crate::answer::Stats;
use crate::model::Convex;
use crate::model::convex::polyhedron::NONE;
#[cfg(test)]
use crate::narrow::convex::polyhedra::Claim;
use crate::narrow::convex::polyhedra::{ClosestFeatures, HullFeature, Polyhedra};
use crate::prim::{Johnson, RegionWalk, SignedVolumes};

/// Which way the algorithm goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Variant {
    RegionWalk,
    SignedVolumes,
    Johnson,
    Nesterov,
}

/// What a pair remembers of its last simplex.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SimplexMemory {
    names: [[u32; 2]; 4],
    count: usize,
    /// From `b` to `a`, in `a`'s frame.
    axis: Option<DVec3>,
}

impl SimplexMemory {
    pub(crate) fn start(&self) -> GjkStart<'_> {
        GjkStart { direction: self.axis, names: &self.names[..self.count], points: &[] }
    }

    /// The points remembered, if there are four.
    #[inline(always)]
    pub(crate) fn tetrahedron(&self, m: &Difference<'_, Convex, Convex>) -> Option<Simplex> {
        let [a, b, c, d] = self.names;
        if self.count < 4 {
            return None;
        }
        Some(Simplex::around_origin([m.named(a)?, m.named(b)?, m.named(c)?, m.named(d)?]))
    }

    /// Whether nothing is remembered.
    pub(crate) fn is_blank(&self) -> bool {
        self.count == 0
    }

    /// The points and the direction that the boolean test has left.
    pub(crate) fn of_tried(points: &[Apex], verdict: &BooleanVerdict) -> SimplexMemory {
        let axis = if let BooleanVerdict::Apart { axis, .. } = verdict { Some(*axis) } else { None };
        let mut memory = SimplexMemory { names: [[0; 2]; 4], count: points.len().min(4), axis };
        for (name, apex) in memory.names.iter_mut().zip(points) {
            *name = apex.names;
        }
        memory
    }

    pub(crate) fn of(found: &GjkResult) -> SimplexMemory {
        let axis = if found.lower > 0.0 { Some(found.axis) } else { None };
        SimplexMemory { names: found.simplex.names, count: found.simplex.count, axis }
    }
}

/// Closest points from a cold start.
#[cfg(test)]
pub(crate) fn closest(pair: &Polyhedra<'_>, variant: Variant, stats: &mut Stats) -> Claim {
    verdict(pair, &found(pair, variant, &GjkQuestion::DISTANCE, stats))
}

/// The same with any question.
pub(crate) fn found(pair: &Polyhedra<'_>, variant: Variant, ask: &GjkQuestion, stats: &mut Stats) -> GjkResult {
    let m = &Difference::of(pair);
    let start = &GjkStart::default();
    match variant {
        Variant::RegionWalk => gjk::distance::<RegionWalk, _, _>(m, ask, start, stats),
        Variant::SignedVolumes => gjk::distance::<SignedVolumes, _, _>(m, ask, start, stats),
        Variant::Johnson => gjk::distance::<Johnson, _, _>(m, ask, start, stats),
        Variant::Nesterov => {
            gjk::distance::<RegionWalk, _, _>(m, &GjkQuestion { momentum: true, ..*ask }, start, stats)
        }
    }
}

/// Whether they are apart: by the first plane with more than rounding between them. `None`: the cap was reached.
#[cfg(test)]
pub(crate) fn apart(pair: &Polyhedra<'_>, variant: Variant, stats: &mut Stats) -> Option<bool> {
    decided(pair, &found(pair, variant, &GjkQuestion { enough: pair.slack(), ..GjkQuestion::DISTANCE }, stats))
}

/// What the end of the algorithm says about the bodies: apart if a plane separates them; overlapping when the origin is
/// in the simplex, or so near that rounding could have moved it there.
#[cfg(test)]
pub(crate) fn verdict(pair: &Polyhedra<'_>, found: &GjkResult) -> Claim {
    match decided(pair, found) {
        Some(true) => Claim::Apart(near(pair, found)),
        Some(false) => Claim::Overlap,
        None => Claim::Unknown,
    }
}

/// Whether the bodies are apart.
pub(crate) fn decided(pair: &Polyhedra<'_>, found: &GjkResult) -> Option<bool> {
    match found.end {
        GjkEnd::Enough => Some(true),
        GjkEnd::Origin => Some(false),
        GjkEnd::Met if found.v.length() <= pair.slack() => Some(false),
        GjkEnd::Met if found.lower > 0.0 => Some(true),
        _ => None,
    }
}

/// The closest points and the features that carry them.
pub(crate) fn near(pair: &Polyhedra<'_>, found: &GjkResult) -> ClosestFeatures {
    let turn = &pair.b_in_a.rotation;
    let v = found.v;
    let in_b = DVec3::new(turn.x_axis.dot(v), turn.y_axis.dot(v), turn.z_axis.dot(v));
    let s = &found.simplex;
    let mut names = [[0; 3]; 2];
    let mut counts = [0; 2];
    for k in 0..s.count.min(3) {
        for body in 0..2 {
            let name = s.names[k][body];
            if !names[body][..counts[body]].contains(&name) {
                names[body][counts[body]] = name;
                counts[body] += 1;
            }
        }
    }
    let features =
        [feature_with(pair.a, &names[0][..counts[0]], -v), feature_with(pair.b, &names[1][..counts[1]], in_b)];
    ClosestFeatures { points: found.points(), features }
}

/// The least feature that has these one to three vertices; `outward` leads away from the body.
pub(crate) fn feature_with(convex: &Convex, vertices: &[u32], outward: DVec3) -> HullFeature {
    match *vertices {
        [v] => HullFeature::Vertex(v),
        [u, v] => edge_between(convex, u, v).map_or_else(|| face_with(convex, vertices, outward), HullFeature::Edge),
        _ => face_with(convex, vertices, outward),
    }
}

fn edge_between(convex: &Convex, u: u32, v: u32) -> Option<u32> {
    let k = convex.neighbours(u).iter().position(|&w| w == v)?;
    Some(convex.vertex_edges(u)[k].edge())
}

/// Of the faces around the first vertex the one with the most of the others, and of those the one that faces outward.
fn face_with(convex: &Convex, vertices: &[u32], outward: DVec3) -> HullFeature {
    let first = vertices.first().copied().unwrap_or(0);
    if let Some(f) = face_of(convex, vertices) {
        return HullFeature::Face(f);
    }
    let mut best = (0, f64::NEG_INFINITY, NONE);
    for &h in convex.vertex_edges(first) {
        let f = convex.edge(h.edge()).faces[h.side()];
        if f == NONE {
            return HullFeature::Edge(h.edge());
        }
        let shared = convex.face_edges(f).iter().filter(|&&g| vertices.contains(&convex.tail(g))).count();
        let facing = convex.face(f).normal.dot(outward);
        if (shared, facing) > (best.0, best.1) {
            best = (shared, facing, f);
        }
    }
    if best.2 == NONE { HullFeature::Vertex(first) } else { HullFeature::Face(best.2) }
}

/// The face with these three vertices, if the first is a neighbour of the others: it lies between two half-edges that
/// follow each other around the vertex.
fn face_of(convex: &Convex, vertices: &[u32]) -> Option<u32> {
    let [u, v, w] = *vertices else { return None };
    let around = convex.vertex_edges(u);
    let place = |x: u32| convex.neighbours(u).iter().position(|&y| y == x);
    let (i, j) = (place(v)?, place(w)?);
    let next = |k: usize| if k + 1 == around.len() { 0 } else { k + 1 };
    let h = if next(i) == j {
        around[i]
    } else if next(j) == i {
        around[j]
    } else {
        return None;
    };
    Some(convex.edge(h.edge()).faces[h.side()]).filter(|&f| f != NONE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Relative;
    use crate::narrow::context::Context;
    use crate::narrow::convex::polyhedra::brute;
    use crate::narrow::convex::polyhedra::cases::{
        Random, at, cuboid, cuboid_at, families, placed, proven_distance, scale,
    };
    use crate::narrow::convex::simplex::enhanced_gjk;
    use glam::DMat3;

    const VARIANTS: [Variant; 4] = [Variant::RegionWalk, Variant::SignedVolumes, Variant::Johnson, Variant::Nesterov];

    /// The distance, proven by its points; a distance between two single points needs no proof.
    fn proven(pair: &Polyhedra<'_>, verdict: &Claim, tolerance: f64) -> Option<f64> {
        match verdict {
            Claim::Apart(near) if scale(pair) == 0.0 => Some(near.distance()),
            _ => proven_distance(pair, verdict, tolerance),
        }
    }

    #[test]
    fn variants_agree_with_brute_force() {
        let (mut calls, mut most) = (0, 0);
        let mut memory = SimplexMemory::default();
        families(5, 250, |name, pair| {
            let truth = proven(pair, &brute::closest(pair, &mut Stats::default()), 1e-12).unwrap();
            let slack = 1e-13 * (scale(pair) + truth);
            for variant in VARIANTS {
                let mut stats = Stats::default();
                let found = found(pair, variant, &GjkQuestion::DISTANCE, &mut stats);
                let Some(d) = proven(pair, &verdict(pair, &found), 1e-12) else {
                    panic!("{name} {variant:?}: {found:?}, not {truth}");
                };
                assert!((d - truth).abs() <= slack, "{name} {variant:?}: {found:?}, not {truth}");
                assert!(found.lower <= truth + slack && truth <= found.upper() + slack, "{name}: {found:?}");
                let decided = apart(pair, variant, &mut Stats::default());
                assert_eq!(decided, Some(d > 0.0), "{name} {variant:?} {truth}");
                (calls, most) = (calls + 1, most.max(stats.iterations));
            }
            // The memory comes from the family before: names of other bodies, and out of range.
            let mut warm = memory;
            let d = proven(pair, &enhanced_gjk::closest(pair, Context::new(&mut warm, &mut Stats::default())), 1e-12);
            assert!(d.is_some_and(|d| (d - truth).abs() <= slack), "{name} enhanced: {d:?}, not {truth}");
            let mut again = Stats::default();
            let d = proven(pair, &enhanced_gjk::closest(pair, Context::new(&mut warm, &mut again)), 1e-12);
            assert!(d.is_some_and(|d| (d - truth).abs() <= slack), "{name} enhanced again: {d:?}, not {truth}");
            assert!(again.iterations <= 2, "{name}: {again:?} to see that nothing has changed");
            memory = warm;
        });
        assert!(calls > 20_000 && most < 40, "{most} steps in {calls} calls");
    }

    #[test]
    fn swapping_the_bodies_swaps_the_answer() {
        families(17, 100, |name, pair| {
            let swapped = Polyhedra { a: pair.b, b: pair.a, b_in_a: pair.b_in_a.inverse() };
            let distance = |pair: &Polyhedra<'_>| match closest(pair, Variant::RegionWalk, &mut Stats::default()) {
                Claim::Apart(near) => near.distance(),
                _ => 0.0,
            };
            let (one, other) = (distance(pair), distance(&swapped));
            assert!((one - other).abs() <= 1e-14 * (scale(pair) + one), "{name}: {one} and {other}");
        });
    }

    fn hull(points: &[[f64; 3]]) -> Convex {
        Convex::hull(&points.iter().map(|p| DVec3::from_array(*p)).collect::<Vec<_>>()).unwrap()
    }

    /// Every variant finds the distance, within 1e-12 of the answer and the bodies' size.
    fn expect(id: &str, a: &Convex, b: &Convex, b_in_a: Relative, truth: f64) {
        let pair = Polyhedra { a, b, b_in_a };
        for variant in VARIANTS {
            let verdict = closest(&pair, variant, &mut Stats::default());
            let d = match &verdict {
                Claim::Apart(near) => near.distance(),
                Claim::Overlap => 0.0,
                Claim::Unknown => panic!("{id} {variant:?}"),
            };
            let tolerance = 1e-12 * truth.max(scale(&pair));
            assert!((d - truth).abs() <= tolerance, "{id} {variant:?}: {d}, not {truth}, {verdict:?}");
            assert_eq!(apart(&pair, variant, &mut Stats::default()), Some(d > 0.0), "{id} {variant:?}");
            let d = enhanced_gjk::closest(&pair, Context::new(&mut SimplexMemory::default(), &mut Stats::default()));
            assert!(matches!(d, Claim::Apart(near) if (near.distance() - truth).abs() <= tolerance) || truth <= 1e-15);
        }
    }

    #[test]
    fn degenerate_bodies() {
        let still = at(DVec3::ZERO);
        let u = cuboid(DVec3::ONE);
        let cube_at = |x: f64, y: f64, z: f64| cuboid_at(DVec3::new(x, y, z), DVec3::ONE);
        let plate = hull(&[[1., 1., 0.], [-1., 1., 0.], [1., -1., 0.], [-1., -1., 0.]]);
        expect("A01", &plate, &hull(&[[0., 0., 0.25]]), still, 0.25);
        expect("A03", &hull(&[[-1., 0., 0.], [1., 0., 0.]]), &hull(&[[0., -1., 0.], [0., 1., 0.]]), still, 0.0);
        let sliver = hull(&[[0., 0., 0.], [1., 0., 0.], [0.5, 1e-12, 0.], [0.5, 0., 1e-12]]);
        expect("A05", &sliver, &hull(&[[0.5, 1., 0.]]), still, 0.999999999999);
        expect("A09", &hull(&[[1., 2., 3.]; 10]), &hull(&[[0.; 3]]), still, 3.7416573867739413);
        expect("A11", &u, &cube_at(3., 0., 0.), still, 1.0);
        expect("A12", &u, &hull(&[[1., 1., 2.]]), still, 1.0);
        expect("A15", &u, &cube_at(2., 0., 0.), still, 0.0);
        expect("A16", &u, &cube_at(2., 2., 2.), still, 0.0);
        expect("A19", &u, &cube_at(1.9999999999999998, 0., 0.), still, 0.0);
        expect("A21", &u, &u, still, 0.0);
        expect(
            "D19",
            &hull(&[[1.10000002, -7.9000001, 16.5879993]]),
            &hull(&[
                [2.27699995, -7.9000001, 16.3180008],
                [-0.569999993, -8.10000038, 16.6070004],
                [-0.569999993, -8.10000038, 16.6070004],
            ]),
            still,
            0.17147826590144151,
        );
    }

    #[test]
    fn scale_and_position() {
        let tiny = cuboid(DVec3::splat(1e-12));
        expect("B01", &tiny, &tiny, at(DVec3::X * 3e-12), 1e-12);
        let half = DVec3::splat(0.5);
        let (a, b) = (cuboid_at(DVec3::X * 1e9, half), cuboid_at(DVec3::X * (1e9 + 2.0), half));
        expect("B03", &a, &b, at(DVec3::ZERO), 1.0);
        let (a, b) = (cuboid(DVec3::new(1e6, 1e-6, 1e-6)), cuboid(DVec3::new(1e-6, 1e-6, 1e6)));
        expect("B06", &a, &b, at(DVec3::Y), 0.999998);
        let u = cuboid(DVec3::ONE);
        for exponent in [-49, -30, -9, -3, 0, 3, 9, 30, 49] {
            let s = 10f64.powi(exponent);
            let (a, b) = (cuboid(DVec3::splat(s)), cuboid(DVec3::new(0.25, 0.5, 0.75) * s));
            expect("scaled", &a, &b, at(DVec3::new(3.0, 0.5, 0.25) * s), 1.75 * s);
            expect("scaled, overlapping", &a, &b, at(DVec3::new(0.5, 0.5, 0.25) * s), 0.0);
            expect(
                "needle",
                &cuboid(DVec3::new(1.0, 1e-12, 1e-12) * s),
                &b,
                at(DVec3::new(0.0, 1.5, 0.0) * s),
                (1.0 - 1e-12) * s,
            );
            expect("mixed", &u, &cuboid(DVec3::splat(s.min(1.0))), at(DVec3::X * 5.0), 4.0 - s.min(1.0));
            expect("far", &a, &a, at(DVec3::X * 1e140), 1e140);
        }
        expect("far", &u, &u, at(DVec3::X * 1e15), 1e15 - 2.0);
    }

    #[test]
    fn failures_of_other_libraries() {
        let half = cuboid(DVec3::splat(0.5));
        expect("D02", &half, &half, at(DVec3::Y * 4.0), 3.0);
        expect("D18", &half, &half, at(DVec3::X), 0.0);
        let pose = |rows: [[f64; 3]; 3], t: [f64; 3]| {
            let matrix = DMat3::from_cols_array_2d(&rows).transpose();
            crate::math::Pose::from_matrix(DVec3::from_array(t), matrix).unwrap()
        };
        let first = pose(
            [
                [0.9999195703, 0.01021849413, 0.007512347878],
                [-0.01021878248, 0.9999477869, -3.329855922e-17],
                [-0.007511955635, -7.676704888e-05, 0.9999717819],
            ],
            [1.503354966, -0.8531707835, 0.7700092418],
        );
        let second = pose(
            [
                [0.9998670967, -0.01297708324, 0.009868343982],
                [0.01297771517, 0.9999157859, 5.255670031e-17],
                [-0.009867512928, 0.0001280685574, 0.9999513067],
            ],
            [1.48838308, -1.102020834, 0.4497073799],
        );
        let (a, b) = (cuboid(DVec3::new(0.363, 0.277, 0.363) * 0.5), cuboid(DVec3::new(0.363, 0.363, 0.277) * 0.5));
        let pair = Polyhedra { a: &a, b: &b, b_in_a: Relative::new(&first, &second) };
        let Claim::Apart(near) = closest(&pair, Variant::RegionWalk, &mut Stats::default()) else { panic!("D05") };
        // The matrices are given to ten digits and made exact: the distance is known to about as many.
        assert!((near.distance() - 3.5754543092541927e-6).abs() < 1e-9, "D05: {}", near.distance());
    }

    #[test]
    fn a_moving_pair_stays_warm() {
        let mut r = Random(3);
        let (a, b) = (r.solid(), r.solid());
        let (mut memory, mut warm, mut cold) = (SimplexMemory::default(), Stats::default(), Stats::default());
        for step in 0..720 {
            let t = f64::from(step) * std::f64::consts::PI / 360.0;
            let b_in_a = placed(DMat3::from_rotation_z(3.0 * t), DVec3::new(t.cos(), t.sin(), 0.2) * 3.0);
            let pair = Polyhedra { a: &a, b: &b, b_in_a };
            let one =
                proven(&pair, &enhanced_gjk::closest(&pair, Context::new(&mut memory, &mut warm)), 1e-13).unwrap();
            let two = proven(&pair, &closest(&pair, Variant::RegionWalk, &mut cold), 1e-13).unwrap();
            assert!((one - two).abs() < 1e-14 && one > 0.1, "{one} {two}");
        }
        assert!(warm.iterations * 2 < cold.iterations, "{warm:?} {cold:?}");
    }
}
