//! The distance of two convex bodies by the algorithm of Gilbert, Johnson and Keerthi.
//!
//! E. Gilbert, D. Johnson and S. Keerthi, 1988; G. van den Bergen, 1999, for the stopping rules; L. Montaut, Q. Le
//! Lidec, V. Petrik, J. Sivic and J. Carpentier, *Collision detection accelerated*, RSS 2022, for the momentum. A
//! simplex of points of the [`Difference`] walks towards the origin: `v` is its nearest point, the support `w` along
//! `−v` joins it, the points that no longer carry the nearest point leave.
//!
//! Invariant: `v` is a point of the difference, so the distance is at most `|v|`; and the plane through `w` across `d`
//! has all of the difference on the far side, so the distance is at least `d·w / |d|`, for every direction `d` tried.
//! The algorithm ends when the two bounds meet, when `w` is no new point, or when `|v|` shrinks no more; and when the
//! simplex holds the origin, which is decided exactly for the points of the simplex. Bodies are called apart only if a
//! plane separates them.
//!
//! Here we deviate: the solver of the subproblem is chosen by type, warm starts may bring any simplex, and the bound
//! from below is kept and returned. Momentum helps cold starts on large smooth bodies: the support is taken along a
//! blend of the last directions until that brings nothing, then the plain algorithm takes over for good.
//!
//! Cost: a handful of supports; no allocation; at most [`MOST_STEPS`] steps.

use std::array;

use glam::DVec3;

use super::minkowski::{Apex, At, Difference, Mapped};
use crate::answer::Stats;
use crate::math::simd::{Kernel, Simd, dispatch};
use crate::model::Convex;
use crate::prim::{Foot, RegionWalk, Solver};

/// Steps after which the bounds so far are the answer.
pub(crate) const MOST_STEPS: u64 = 128;

/// Steps after which momentum, if it has not yet, has done what it can.
const MOMENTUM_STEPS: u64 = 16;

/// The question: how exact an answer has to be.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GjkQuestion {
    /// Stop at the first plane that has more than this between the bodies; 0 asks only whether they are apart.
    pub(crate) enough: f64,
    /// Stop when the bounds are this near, relative to the distance.
    pub(crate) relative: f64,
    /// Start with momentum.
    pub(crate) momentum: bool,
}

impl GjkQuestion {
    /// The distance, as exact as it gets.
    pub(crate) const DISTANCE: GjkQuestion = GjkQuestion { enough: f64::INFINITY, relative: 1e-15, momentum: false };
    /// Whether the bodies are apart.
    pub(crate) const APART: GjkQuestion = GjkQuestion { enough: 0.0, ..GjkQuestion::DISTANCE };
}

/// Where to begin: any direction and any points will do.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct GjkStart<'s> {
    /// Roughly from `b` to `a`.
    pub(crate) direction: Option<DVec3>,
    /// Names of points of the difference; unknown ones are passed over.
    pub(crate) names: &'s [[u32; 2]],
    /// Points of the difference, in the place of names.
    pub(crate) points: &'s [Apex],
}

/// Why the algorithm ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GjkEnd {
    /// The bounds have met, up to rounding.
    Met,
    /// A plane has more between the bodies than was asked for; `v` need not be the nearest point.
    Enough,
    /// The simplex holds the origin.
    Origin,
    /// Too many steps: the bounds hold, but are not tight.
    Cap,
}

/// One to four points of the difference.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Simplex {
    pub(crate) count: usize,
    pub(crate) w: [DVec3; 4],
    pub(crate) points: [[DVec3; 2]; 4],
    pub(crate) names: [[u32; 2]; 4],
    pub(crate) weights: [f64; 4],
}

impl Simplex {
    /// No points.
    pub(crate) const EMPTY: Simplex =
        Simplex { count: 0, w: [DVec3::ZERO; 4], points: [[DVec3::ZERO; 2]; 4], names: [[0; 2]; 4], weights: [0.0; 4] };

    /// A tetrahedron, with the origin as a blend of its points.
    #[inline(always)]
    pub(crate) fn around_origin(at: [Apex; 4]) -> Simplex {
        let w = at.map(|apex| apex.w);
        let [a, b, c, d] = w;
        let (ab, cd) = (a.cross(b), c.cross(d));
        let volumes = [b.dot(cd), -a.dot(cd), d.dot(ab), -c.dot(ab)];
        let volume: f64 = volumes.iter().sum();
        let weights = volumes.map(|v| v / volume);
        Simplex { count: 4, w, points: at.map(|apex| apex.points), names: at.map(|apex| apex.names), weights }
    }

    /// Whether the tetrahedron holds the origin by more than `noise`, a length of the bodies; `scale` is the
    /// difference's.
    #[inline(always)]
    pub(crate) fn surely_holds_origin(&self, noise: f64, scale: f64) -> bool {
        self.weights.iter().all(|w| *w > 0.0) && self.holds_origin(noise * scale) && self.is_exact(noise)
    }

    /// Whether it is a tetrahedron and the origin farther than `margin`, in units of the difference, from its planes.
    #[inline(always)]
    pub(crate) fn holds_origin(&self, margin: f64) -> bool {
        self.count == 4
            && [[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]].iter().all(|&[i, j, k]| {
                let normal = (self.w[j] - self.w[i]).cross(self.w[k] - self.w[i]);
                let height = normal.dot(self.w[i]);
                height * height > margin * margin * normal.length_squared()
            })
    }

    #[inline(always)]
    fn push(&mut self, apex: &Apex) {
        let k = self.count.min(3);
        (self.w[k], self.points[k], self.names[k]) = (apex.w, apex.points, apex.names);
        self.count = k + 1;
    }

    /// Keeps the points that carry the foot, in their order.
    #[inline(always)]
    fn keep(&mut self, foot: &Foot) {
        for k in 0..foot.count {
            let from = usize::from(foot.kept[k]);
            if from != k {
                (self.w[k], self.points[k], self.names[k]) = (self.w[from], self.points[from], self.names[from]);
            }
        }
        self.count = foot.count;
        self.weights = foot.weights;
    }

    fn holds(&self, w: DVec3) -> bool {
        self.w[..self.count].contains(&w)
    }

    /// Whether the weights blend the points of both bodies to the same point, up to `noise`: those of a sliver may not.
    pub(crate) fn is_exact(&self, noise: f64) -> bool {
        self.error() <= noise * noise
    }

    /// A simplex that holds the origin, with weights that blend the points of both bodies to nearly the same one.
    /// Those of a sliver are ratios of volumes that are rounding alone, but a sliver has a face within rounding of
    /// whatever it holds.
    pub(crate) fn common<S: Solver>(&self, noise: f64) -> Simplex {
        if self.count < 4 || self.is_exact(noise) {
            return *self;
        }
        let faces = [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]].map(|corners| {
            let mut face = *self;
            let kept = |k: usize| corners.get(k).map_or(0, |&c| c);
            face.w = array::from_fn(|k| self.w[kept(k)]);
            face.points = array::from_fn(|k| self.points[kept(k)]);
            face.names = array::from_fn(|k| self.names[kept(k)]);
            face.keep(&S::foot(&face.w[..3]));
            face
        });
        faces.into_iter().chain([*self]).min_by(|x, y| x.error().total_cmp(&y.error())).unwrap_or(*self)
    }

    /// How far apart the weights blend the points of the two bodies, squared.
    fn error(&self) -> f64 {
        self.blend(0).distance_squared(self.blend(1))
    }

    /// The blend of the points of body 0 or 1 with the weights.
    pub(crate) fn blend(&self, body: usize) -> DVec3 {
        // Relative to one of them, so that a body far from its origin loses nothing.
        let base = self.points[0][body];
        (1..self.count).fold(base, |sum, k| sum + (self.points[k][body] - base) * self.weights[k])
    }
}

/// What was found. Lengths are those of the bodies, not scaled.
#[derive(Debug, Clone, Copy)]
pub(crate) struct GjkResult {
    pub(crate) end: GjkEnd,
    pub(crate) simplex: Simplex,
    /// From the point of `b` to that of `a`.
    pub(crate) v: DVec3,
    /// The direction, from `b` to `a`, whose plane has `lower` between the bodies; not of unit length.
    pub(crate) axis: DVec3,
    /// The distance is at least this, up to rounding; 0 when no plane separates.
    pub(crate) lower: f64,
    /// That of the difference, whose units the simplex has.
    pub(crate) scale: f64,
}

impl GjkResult {
    /// The distance is at most this, up to rounding.
    pub(crate) fn upper(&self) -> f64 {
        if self.end == GjkEnd::Origin { 0.0 } else { self.v.length() }
    }

    /// Takes note of the plane through `w` across `d`; whether it has enough between the bodies.
    #[inline(always)]
    fn rules_out(&mut self, d: DVec3, w: DVec3, enough: f64) -> bool {
        let height = d.dot(w);
        if height > 0.0 {
            let gap = height / d.length();
            if gap > self.lower {
                (self.lower, self.axis) = (gap, d);
            }
        }
        self.lower > enough
    }

    /// Two closest points, exactly `v` apart up to one rounding: the one on a vertex is that vertex.
    pub(crate) fn points(&self) -> [DVec3; 2] {
        let s = &self.simplex;
        let one = |body: usize| (1..s.count).all(|k| s.points[k][body] == s.points[0][body]);
        if one(1) {
            [s.points[0][1] + self.v, s.points[0][1]]
        } else if one(0) {
            [s.points[0][0], s.points[0][0] - self.v]
        } else {
            let middle = (s.blend(0) + s.blend(1)) * 0.5;
            [middle + self.v * 0.5, middle - self.v * 0.5]
        }
    }
}

/// The algorithm on two polyhedra, by a walk over the regions, compiled for the level of instructions in use.
pub(crate) fn polyhedra(
    m: &Difference<'_, Convex, Convex>,
    ask: &GjkQuestion,
    start: &GjkStart<'_>,
    stats: &mut Stats,
) -> GjkResult {
    dispatch(Polyhedral { m, ask, start, stats })
}

struct Polyhedral<'q> {
    m: &'q Difference<'q, Convex, Convex>,
    ask: &'q GjkQuestion,
    start: &'q GjkStart<'q>,
    stats: &'q mut Stats,
}

impl Kernel for Polyhedral<'_> {
    type Output = GjkResult;

    #[inline(always)]
    fn run<S: Simd>(self) -> GjkResult {
        let [a, b] = &At::<S>::both(self.m);
        distance::<RegionWalk, _, _>(&self.m.between(a, b), self.ask, self.start, self.stats)
    }
}

/// Runs the algorithm on the difference, with solver `S`.
#[inline(always)]
pub(crate) fn distance<S: Solver, A: Mapped + ?Sized, B: Mapped + ?Sized>(
    m: &Difference<'_, A, B>,
    ask: &GjkQuestion,
    start: &GjkStart<'_>,
    stats: &mut Stats,
) -> GjkResult {
    let mut found = GjkResult {
        end: GjkEnd::Cap,
        simplex: Simplex::EMPTY,
        v: m.centre,
        axis: DVec3::X,
        lower: 0.0,
        scale: m.scale,
    };
    found.end = search::<S, A, B>(m, ask, start, &mut found, stats);
    if m.scale != 1.0 {
        found.v /= m.scale;
        found.lower /= m.scale;
    }
    found
}

/// The same in units of the difference, on `found`.
#[inline(always)]
fn search<S: Solver, A: Mapped + ?Sized, B: Mapped + ?Sized>(
    m: &Difference<'_, A, B>,
    ask: &GjkQuestion,
    start: &GjkStart<'_>,
    found: &mut GjkResult,
    stats: &mut Stats,
) -> GjkEnd {
    let enough = ask.enough * m.scale;
    for apex in start.points.iter().take(4) {
        found.simplex.push(apex);
    }
    if found.simplex.count == 0 {
        for apex in start.names.iter().take(4).filter_map(|&n| m.named(n)) {
            found.simplex.push(&apex);
        }
    }
    let mut hints = found.simplex.names[0];
    // A remembered direction may end the search at once; a remembered simplex gives a better direction.
    if found.simplex.count == 0 || (start.direction.is_some() && enough < f64::INFINITY) {
        let d = start.direction.unwrap_or(m.centre);
        let d = if d == DVec3::ZERO { DVec3::X } else { d };
        stats.iterations += 1;
        let apex = m.support(d, hints, stats);
        hints = apex.names;
        let settled = found.rules_out(d, apex.w, enough);
        if settled || found.simplex.count == 0 {
            found.simplex.count = 0;
            found.simplex.push(&apex);
            found.simplex.weights[0] = 1.0;
            found.v = apex.w;
        }
        if settled {
            return GjkEnd::Enough;
        }
    }
    if found.simplex.count > 1 {
        let foot = S::foot(&found.simplex.w[..found.simplex.count]);
        found.simplex.keep(&foot);
        found.v = foot.point;
    } else {
        found.simplex.weights[0] = 1.0;
        found.v = found.simplex.w[0];
    }
    if found.simplex.count == 4 || found.v == DVec3::ZERO {
        found.v = DVec3::ZERO;
        return GjkEnd::Origin;
    }
    let mut momentum = Momentum { on: ask.momentum, d: found.v, w: found.v };
    for step in 0..MOST_STEPS {
        stats.iterations += 1;
        let v = found.v;
        let d = momentum.direction(v, step);
        let apex = m.support(d, hints, stats);
        hints = apex.names;
        momentum.w = apex.w;
        if found.rules_out(d, apex.w, enough) {
            return GjkEnd::Enough;
        }
        let square = v.length_squared();
        let news = v.dot(v - apex.w);
        let known = found.simplex.holds(apex.w);
        if momentum.on && (step >= MOMENTUM_STEPS || news <= 1e-3 * square || known) {
            momentum.on = false;
            continue;
        }
        if news <= ask.relative * square || known {
            return GjkEnd::Met;
        }
        found.simplex.push(&apex);
        let foot = S::foot(&found.simplex.w[..found.simplex.count]);
        let nearer = foot.point.length_squared();
        if foot.count == 4 || nearer == 0.0 {
            found.simplex.keep(&foot);
            found.v = DVec3::ZERO;
            return GjkEnd::Origin;
        }
        if nearer >= square {
            found.simplex.count -= 1;
            if momentum.on {
                momentum.on = false;
                continue;
            }
            return GjkEnd::Met;
        }
        found.simplex.keep(&foot);
        found.v = foot.point;
    }
    GjkEnd::Cap
}

/// Nesterov's momentum, normalised, as bodies that are not strictly convex need it (Montaut et al., §IV).
struct Momentum {
    on: bool,
    d: DVec3,
    w: DVec3,
}

impl Momentum {
    #[inline(always)]
    fn direction(&mut self, v: DVec3, step: u64) -> DVec3 {
        if !self.on {
            return v;
        }
        let k = step as f64;
        let blend = (k + 1.0) / (k + 3.0);
        let y = (v * blend + self.w * (1.0 - blend)).normalize_or_zero();
        let blend = (k + 2.0) / (k + 3.0);
        self.d = self.d.normalize_or_zero() * blend + y * (1.0 - blend);
        if self.d == DVec3::ZERO { v } else { self.d }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Relative;
    use crate::model::round::Core;
    use crate::model::{Convex, Round};
    use crate::narrow::convex::polyhedra::cases::Random;
    use crate::prim::{Johnson, RegionWalk, SignedVolumes, Support};

    fn run<S: Solver, A: Mapped + ?Sized, B: Mapped + ?Sized>(
        a: &A,
        b: &B,
        to: Relative,
        ask: &GjkQuestion,
    ) -> (GjkResult, Stats) {
        let mut stats = Stats::default();
        (distance::<S, _, _>(&Difference::new(a, b, to), ask, &GjkStart::default(), &mut stats), stats)
    }

    fn smooth(r: &mut Random) -> Round {
        let mut size = || 0.1 + r.signed().abs();
        match size() {
            s if s < 0.4 => Round::cylinder(s, size()),
            s if s < 0.7 => Round::cone(s, size()),
            s => Round::ellipsoid(DVec3::new(s, size(), size())),
        }
        .unwrap()
    }

    fn core(round: &Round) -> &dyn Support {
        let Core::Smooth(body) = round.core() else { panic!("{round:?}") };
        body
    }

    #[test]
    fn bounds_of_smooth_bodies_meet_and_solvers_agree() {
        let mut r = Random(31);
        let mut apart = 0;
        for _ in 0..3000 {
            let (a, b) = (smooth(&mut r), smooth(&mut r));
            let to = Relative { rotation: r.rotation(), translation: r.direction() * (0.5 + 2.5 * r.signed().abs()) };
            let (walk, stats) = run::<RegionWalk, _, _>(core(&a), core(&b), to, &GjkQuestion::DISTANCE);
            let (volumes, _) = run::<SignedVolumes, _, _>(core(&a), core(&b), to, &GjkQuestion::DISTANCE);
            let (johnson, _) = run::<Johnson, _, _>(core(&a), core(&b), to, &GjkQuestion::DISTANCE);
            let momentum = GjkQuestion { momentum: true, ..GjkQuestion::DISTANCE };
            let (nesterov, _) = run::<RegionWalk, _, _>(core(&a), core(&b), to, &momentum);
            for other in [volumes, johnson, nesterov] {
                assert!((walk.upper() - other.upper()).abs() < 1e-9, "{a:?} {b:?} {to:?}: {walk:?} {other:?}");
            }
            let (decided, _) = run::<RegionWalk, _, _>(core(&a), core(&b), to, &GjkQuestion::APART);
            assert_eq!(decided.end == GjkEnd::Enough, walk.lower > 0.0);
            assert!(stats.iterations < MOST_STEPS, "{a:?} {b:?} {to:?}");
            if walk.end != GjkEnd::Origin {
                apart += 1;
                assert!(walk.upper() - walk.lower <= 1e-12 * walk.upper(), "{a:?} {b:?} {to:?}: {walk:?}");
            }
        }
        assert!((1000..2900).contains(&apart), "{apart} apart");
    }

    #[test]
    fn spheres_and_segments() {
        let mut r = Random(37);
        for _ in 0..300 {
            let [p, q] = [r.vector(), r.vector()];
            let (a, b) = (Convex::hull(&[DVec3::ZERO]).unwrap(), Convex::hull(&[p, q]).unwrap());
            let (found, _) = run::<RegionWalk, _, _>(&a, &b, Relative::IDENTITY, &GjkQuestion::DISTANCE);
            let t = (-p.dot(q - p) / (q - p).length_squared()).clamp(0.0, 1.0);
            let truth = (p + (q - p) * t).length();
            assert!((found.upper() - truth).abs() < 1e-15 && (found.lower - truth).abs() < 1e-15, "{found:?} {truth}");
        }
    }
}
