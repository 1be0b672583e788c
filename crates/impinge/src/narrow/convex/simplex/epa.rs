//! The penetration depth of two convex bodies by the expanding polytope algorithm.
//!
//! G. van den Bergen, *Proximity queries and penetration depth computation on 3D game objects*, GDC 2001. A polytope
//! inside the Minkowski difference grows where its boundary is nearest to the origin: the support along the normal of
//! that triangle joins it, until there is none beyond.
//!
//! Invariant: the polytope is part of the difference, so the depth is at least the height of its nearest triangle; and
//! moving `b` along a unit vector `n` by the difference's extent along it separates, so the depth is at most that
//! extent for every `n` tried. Both bounds are returned.
//!
//! Here we deviate. The first tetrahedron need not hold the origin: a triangle with the origin outside has a negative
//! height and is the nearest of all, so the polytope first grows over the origin. The polytope is exact ([`Polytope`]);
//! a triangle that cannot grow is settled, whether it is a facet of the difference or a sliver with a worthless normal,
//! and the search goes on with the next. A difference thinner than rounding is flat: its depth is 0, along its normal.

use glam::DVec3;

use super::gjk::Simplex;
use super::minkowski::{Apex, Difference, Mapped};
use super::polytope::Polytope;
use crate::answer::Stats;
use crate::math::EPS;

/// Steps after which the bounds so far are the answer.
const MOST_STEPS: u64 = 512;

/// How exact the depth is to be.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EpaPrecision {
    /// Stop when the bounds are this near, relative to the depth.
    pub(crate) relative: f64,
    /// How far rounding may move a point of the difference, in lengths of the bodies; less thickness than this counts
    /// as none.
    pub(crate) slack: f64,
}

/// A way out, with its bounds. Lengths are those of the bodies.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EpaResult {
    /// Unit vector along which `b` leaves.
    pub(crate) normal: DVec3,
    /// The depth is at least this, up to rounding.
    pub(crate) lower: f64,
    /// The extent along the normal: not less than the depth. Negative when the bodies are apart.
    pub(crate) upper: f64,
    /// Points of the difference around the normal; all equal when it is flat.
    pub(crate) corners: [Apex; 3],
    /// A point of each body; the first is `upper·normal` from the second.
    pub(crate) points: [DVec3; 2],
}

/// The depth of bodies that overlap; `simplex` is where GJK found the origin, or empty.
#[inline(always)]
pub(crate) fn depth<A: Mapped + ?Sized, B: Mapped + ?Sized>(
    m: &Difference<'_, A, B>,
    simplex: &Simplex,
    precision: EpaPrecision,
    stats: &mut Stats,
) -> EpaResult {
    depth_by(m, simplex, precision, stats, expand)
}

/// The same with the expansion done by `expand`, which is given the thickness below which a difference is flat.
#[inline(always)]
pub(crate) fn depth_by<A: Mapped + ?Sized, B: Mapped + ?Sized>(
    m: &Difference<'_, A, B>,
    simplex: &Simplex,
    precision: EpaPrecision,
    stats: &mut Stats,
    expand: impl FnOnce(&Difference<'_, A, B>, EpaPrecision, f64, &mut Polytope, &mut Stats) -> EpaResult,
) -> EpaResult {
    let polytope = &mut Polytope::new();
    let thin = (precision.slack * m.scale).max(16.0 * EPS * m.radius);
    let size = (m.centre.length() + m.radius).max(2.0 * m.radius);
    match seed(m, simplex, thin, stats) {
        Seed::Solid(corners) if polytope.start(corners, size) => expand(m, precision, thin, polytope, stats),
        Seed::Solid(corners) => Best::along(m, DVec3::X, [corners[0]; 3], stats).result(m.scale, 0.0),
        Seed::Flat(flat) => flat.result(m.scale, 0.0),
    }
}

/// The least extent found so far.
#[derive(Debug, Clone, Copy)]
struct Best {
    normal: DVec3,
    extent: f64,
    corners: [Apex; 3],
    apex: Apex,
}

impl Best {
    /// The lesser of the extents along `n` and `−n`.
    fn along<A: Mapped + ?Sized, B: Mapped + ?Sized>(
        m: &Difference<'_, A, B>,
        n: DVec3,
        corners: [Apex; 3],
        stats: &mut Stats,
    ) -> Best {
        let [front, back] = [n, -n].map(|n| {
            let apex = m.support_once(-n, corners[0].names, stats);
            Best { normal: n, extent: n.dot(apex.w), corners: [apex; 3], apex }
        });
        if front.extent <= back.extent { front } else { back }
    }

    fn result(&self, scale: f64, lower: f64) -> EpaResult {
        let upper = self.extent / scale;
        let middle = blend(&self.corners, self.normal * self.extent).unwrap_or(self.apex.points);
        let middle = (middle[0] + middle[1]) * 0.5;
        let half = self.normal * (0.5 * upper);
        let lower = (lower / scale).clamp(0.0, upper.max(0.0));
        EpaResult { normal: self.normal, lower, upper, corners: self.corners, points: [middle + half, middle - half] }
    }
}

/// The points of the bodies whose difference is the point `x` of the triangle; `None` for a triangle without area.
fn blend(corners: &[Apex; 3], x: DVec3) -> Option<[DVec3; 2]> {
    let [a, b, c] = corners.map(|k| k.w - x);
    let n = (b - a).cross(c - a);
    let square = n.length_squared();
    if square == 0.0 {
        return None;
    }
    let weights = [n.dot(b.cross(c)), n.dot(c.cross(a)), n.dot(a.cross(b))].map(|s| (s / square).clamp(0.0, 1.0));
    let sum: f64 = weights.iter().sum();
    let blend = |body: usize| {
        let base = corners[0].points[body];
        (1..3).fold(base, |p, k| p + (corners[k].points[body] - base) * (weights[k] / sum))
    };
    (sum > 0.0).then(|| [blend(0), blend(1)])
}

/// Where the polytope begins.
enum Seed {
    /// Points that span a volume.
    Solid([Apex; 4]),
    /// No points span a volume; this is the way out.
    Flat(Best),
}

/// Four points of the difference that span a volume, or the way out of a flat one.
///
/// GJK's own, if they are well apart. Otherwise two extreme points along the longest axis, the point farthest from
/// their line, and the point farthest from that plane.
fn seed<A: Mapped + ?Sized, B: Mapped + ?Sized>(
    m: &Difference<'_, A, B>,
    simplex: &Simplex,
    thin: f64,
    stats: &mut Stats,
) -> Seed {
    if simplex.count == 4 {
        let corners =
            [0, 1, 2, 3].map(|k| Apex { w: simplex.w[k], points: simplex.points[k], names: simplex.names[k] });
        let [u, v, w] = [1, 2, 3].map(|k| corners[k].w - corners[0].w);
        let spread = u.length_squared().max(v.length_squared()).max(w.length_squared());
        if u.dot(v.cross(w)).abs() > 1e-3 * spread * spread.sqrt() {
            return Seed::Solid(corners);
        }
    }
    let hint = simplex.names[0];
    let mut farthest = |n: DVec3| m.support_once(-n, hint, stats);
    let [x, y, z] = [DVec3::X, DVec3::Y, DVec3::Z].map(|n| [farthest(n), farthest(-n)]);
    let extent = |pair: &[Apex; 2]| pair[0].w.distance_squared(pair[1].w);
    let [a, b] = [x, y, z].into_iter().max_by(|p, q| extent(p).total_cmp(&extent(q))).unwrap_or(x);
    let along = b.w - a.w;
    if along.length() <= thin {
        return Seed::Flat(Best::along(m, DVec3::X, [a; 3], stats));
    }
    let along = along.normalize();
    let (side, other) = along.any_orthonormal_pair();
    let from_line = |p: &Apex| (p.w - a.w).cross(along).length_squared();
    let round = [farthest(side), farthest(-side), farthest(other), farthest(-other)];
    let pool = [x, y, z].into_iter().flatten().chain(round);
    let c = pool.max_by(|p, q| from_line(p).total_cmp(&from_line(q))).unwrap_or(a);
    if from_line(&c).sqrt() <= thin {
        let [one, two] = [side, other].map(|n| Best::along(m, n, [a; 3], stats));
        return Seed::Flat(if one.extent <= two.extent { one } else { two });
    }
    let n = along.cross(c.w - a.w).normalize();
    let [up, down] = [farthest(n), farthest(-n)];
    let height = |p: &Apex| n.dot(p.w - a.w).abs();
    let d = if height(&up) >= height(&down) { up } else { down };
    if height(&d) <= thin {
        return Seed::Flat(Best::along(m, n, [a; 3], stats));
    }
    Seed::Solid([a, b, c, d])
}

/// Grows the polytope until the bounds meet.
#[inline(always)]
pub(crate) fn expand<A: Mapped + ?Sized, B: Mapped + ?Sized>(
    m: &Difference<'_, A, B>,
    precision: EpaPrecision,
    thin: f64,
    polytope: &mut Polytope,
    stats: &mut Stats,
) -> EpaResult {
    let (mut normal, mut upper, mut corners, mut top) = (DVec3::X, f64::INFINITY, [0; 3], Apex::NONE);
    // Least extent along the normals of triangles that cannot grow.
    let mut settled = f64::INFINITY;
    let mut lower = f64::NEG_INFINITY;
    let mut hints = [0; 2];
    for _ in 0..MOST_STEPS {
        let Some((facet, height)) = polytope.nearest() else { break };
        lower = height.min(settled);
        let near = (precision.relative * upper.abs()).max(EPS * m.radius);
        if (upper < f64::INFINITY && upper - lower <= near) || polytope.is_full() {
            break;
        }
        stats.iterations += 1;
        let n = polytope.normal(facet);
        let apex = m.support(-n, hints, stats);
        hints = apex.names;
        let extent = n.dot(apex.w);
        if extent < upper {
            (normal, upper, corners, top) = (n, extent, polytope.corners(facet), apex);
        }
        let beyond = extent - height;
        let grows = beyond > thin.min(1e-3 * extent.abs()) && !polytope.holds(facet, apex.w, beyond);
        if !grows || !polytope.add(apex, facet) {
            polytope.settle(facet);
            settled = settled.min(extent);
        }
    }
    if upper == f64::INFINITY {
        return Best::along(m, normal, [top; 3], stats).result(m.scale, 0.0);
    }
    let best = Best { normal, extent: upper, corners: polytope.apexes(corners), apex: top };
    best.result(m.scale, lower.min(settled))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Relative;
    use crate::model::Round;
    use crate::model::round::Core;
    use crate::narrow::convex::simplex::gjk;
    use crate::narrow::convex::simplex::gjk::{GjkEnd, GjkQuestion, GjkStart};
    use crate::prim::{RegionWalk, Support};
    use glam::DMat3;

    fn core(round: &Round) -> &dyn Support {
        let Core::Smooth(body) = round.core() else { panic!("{round:?}") };
        body
    }

    fn placed(rotation: DMat3, translation: [f64; 3]) -> Relative {
        Relative { rotation, translation: DVec3::from_array(translation) }
    }

    /// The depth of two bodies that overlap, after a check: a translation by the upper bound separates them, one a
    /// little shorter does not.
    fn proven<A: Mapped + ?Sized, B: Mapped + ?Sized>(a: &A, b: &B, b_in_a: Relative) -> EpaResult {
        let m = Difference::new(a, b, b_in_a);
        let mut stats = Stats::default();
        let found = gjk::distance::<RegionWalk, _, _>(&m, &GjkQuestion::DISTANCE, &GjkStart::default(), &mut stats);
        assert_eq!(found.end, GjkEnd::Origin, "{found:?}");
        let precision = EpaPrecision { relative: 1e-10, slack: 0.0 };
        let result = depth(&m, &found.simplex, precision, &mut stats);
        assert!((result.normal.length() - 1.0).abs() < 1e-14 && result.lower <= result.upper, "{result:?}");
        let apart = result.points[0] - result.points[1];
        assert!(apart.distance(result.normal * result.upper) <= 1e-14 * m.radius, "{result:?}");
        for (share, overlaps) in [(1.0 + 1e-9, false), (0.99, true)] {
            let moved = Relative { translation: b_in_a.translation + result.normal * result.upper * share, ..b_in_a };
            let m = Difference::new(a, b, moved);
            let found = gjk::distance::<RegionWalk, _, _>(&m, &GjkQuestion::DISTANCE, &GjkStart::default(), &mut stats);
            assert_eq!(found.end == GjkEnd::Origin, overlaps, "{result:?} moved by {share}: {found:?}");
            assert!(found.upper() <= 1e-8 * m.radius);
        }
        result
    }

    #[test]
    fn smooth_bodies() {
        let still = DMat3::IDENTITY;
        let (half, can) = (Round::cuboid(DVec3::ONE).unwrap(), Round::cylinder(0.25, 0.25).unwrap());
        let Core::Polyhedron(cube) = half.core() else { panic!() };
        let d27 = proven(cube, core(&can), placed(still, [0.2, 0.0, 0.0]));
        assert!(d27.lower <= 0.55 && 0.55 <= d27.upper + 1e-12 && d27.upper - d27.lower < 1e-9, "D27: {d27:?}");
        // Ellipsoids side by side along z, in which direction both are flat: their poles face each other.
        let egg = Round::ellipsoid(DVec3::new(3.0, 2.0, 1.0)).unwrap();
        let poles = proven(core(&egg), core(&egg), placed(still, [0.0, 0.0, 1.5]));
        assert!((poles.upper - 0.5).abs() < 1e-9 && poles.normal.z > 1.0 - 1e-9, "{poles:?}");
        // A cone's apex through the bottom of a cylinder.
        let (tall, cone) = (Round::cylinder(5.0, 2.0).unwrap(), Round::cone(1.0, 2.0).unwrap());
        let apex = proven(core(&tall), core(&cone), placed(still, [0.3, -0.2, -1.75]));
        assert!((apex.upper - 0.25).abs() < 1e-9 && apex.normal.z < -1.0 + 1e-9, "{apex:?}");
    }

    #[test]
    fn concentric_cylinders_have_a_bracket() {
        let (wide, thin) = (Round::cylinder(1.0, 9.0).unwrap(), Round::cylinder(0.5, 9.0).unwrap());
        let m = Difference::new(core(&wide), core(&thin), placed(DMat3::IDENTITY, [0.0; 3]));
        let mut stats = Stats::default();
        let found = gjk::distance::<RegionWalk, _, _>(&m, &GjkQuestion::DISTANCE, &GjkStart::default(), &mut stats);
        let precision = EpaPrecision { relative: 1e-10, slack: 0.0 };
        let result = depth(&m, &found.simplex, precision, &mut stats);
        assert!(result.lower <= 1.5 && 1.5 <= result.upper + 1e-12, "{result:?}");
        assert!(result.upper - result.lower < 2e-3, "{result:?}");
    }

    #[test]
    fn smooth_distances() {
        // D15, turned so that the box is the body at the origin.
        let slab = Round::cuboid(DVec3::new(0.39, 0.05, 1.47)).unwrap();
        let can = Round::cylinder(0.18, 0.18).unwrap();
        let Core::Polyhedron(slab) = slab.core() else { panic!() };
        let m = Difference::new(slab, core(&can), placed(DMat3::IDENTITY, [-0.4, -0.015, 0.195]));
        let found =
            gjk::distance::<RegionWalk, _, _>(&m, &GjkQuestion::DISTANCE, &GjkStart::default(), &mut Stats::default());
        assert!((found.upper() - 0.025).abs() < 1e-14 && found.upper() - found.lower < 1e-12, "D15: {found:?}");
        // Ellipsoids with poles 0.75 apart.
        let egg = Round::ellipsoid(DVec3::new(3.0, 2.0, 1.0)).unwrap();
        let m = Difference::new(core(&egg), core(&egg), placed(DMat3::IDENTITY, [0.0, 0.0, 2.75]));
        let found =
            gjk::distance::<RegionWalk, _, _>(&m, &GjkQuestion::DISTANCE, &GjkStart::default(), &mut Stats::default());
        assert!((found.upper() - 0.75).abs() < 1e-10 && found.lower <= 0.75 + 1e-15, "{found:?}");
        let [p, q] = found.points();
        assert!(p.distance(DVec3::Z) < 1e-4 && q.distance(DVec3::Z * 1.75) < 1e-4, "{p} {q}");
    }
}
