//! The Minkowski difference `{x − y : x ∈ a, y ∈ b}`, known only by the support mappings of `a` and `b`.
//!
//! Two bodies overlap when it contains the origin, its point nearest to the origin is their distance, and the boundary
//! point nearest to an inner origin their depth. Everything is in `a`'s frame: the direction is turned into `b`'s
//! frame, the search is done there, and only the winner is brought back, by the map that defines exactness
//! ([`Relative::apply`]).

use std::marker::PhantomData;

use glam::DVec3;

use crate::answer::Stats;
use crate::math::simd::Simd;
use crate::math::{Relative, normalising_scale};
use crate::model::Convex;
use crate::model::convex::support_table::SupportStart;
use crate::narrow::convex::polyhedra::Polyhedra;
use crate::prim::{Rim, Support};

/// A convex body by its support mapping, for GJK. Bodies made of vertices name them.
pub(crate) trait Mapped {
    /// Where a search for a support starts; computed for both bodies before either is searched.
    type Start: Copy;
    /// Where to look for a point farthest along `d`; `hint` is the name of a point that was farthest lately.
    fn start(&self, d: DVec3, hint: u32) -> Self::Start;
    /// A point farthest along `d`, and its name.
    fn farthest(&self, d: DVec3, start: Self::Start) -> (u32, DVec3);
    /// The point of that name, if there is one.
    fn named(&self, name: u32) -> Option<DVec3>;
    fn centre(&self) -> DVec3;
    fn radius(&self) -> f64;
    /// What the surface is like at a support.
    #[inline(always)]
    fn rim(&self, _support: DVec3) -> Rim {
        Rim::Corner
    }
}

impl Mapped for Convex {
    type Start = SupportStart;

    #[inline(always)]
    fn start(&self, d: DVec3, hint: u32) -> SupportStart {
        Convex::start(self, d, hint)
    }

    #[inline(always)]
    fn farthest(&self, d: DVec3, start: SupportStart) -> (u32, DVec3) {
        self.farthest_from(d, start)
    }

    #[inline(always)]
    fn named(&self, name: u32) -> Option<DVec3> {
        self.vertices().get(name as usize).copied()
    }

    #[inline(always)]
    fn centre(&self) -> DVec3 {
        Convex::centre(self)
    }

    #[inline(always)]
    fn radius(&self) -> f64 {
        Convex::radius(self)
    }
}

/// A polyhedron inside a kernel: its lookups are compiled with it.
#[derive(Debug)]
pub(crate) struct At<'m, S> {
    body: &'m Convex,
    level: PhantomData<S>,
}

impl<'m, S: Simd> At<'m, S> {
    #[inline(always)]
    pub(crate) fn both(m: &Difference<'m, Convex, Convex>) -> [At<'m, S>; 2] {
        [At::of(m.a), At::of(m.b)]
    }

    #[inline(always)]
    pub(crate) fn of(body: &'m Convex) -> At<'m, S> {
        At { body, level: PhantomData }
    }
}

impl<S: Simd> Mapped for At<'_, S> {
    type Start = SupportStart;

    #[inline(always)]
    fn start(&self, d: DVec3, hint: u32) -> SupportStart {
        self.body.start(d, hint)
    }

    #[inline(always)]
    fn farthest(&self, d: DVec3, start: SupportStart) -> (u32, DVec3) {
        self.body.farthest_at::<S>(d, start)
    }

    #[inline(always)]
    fn named(&self, name: u32) -> Option<DVec3> {
        self.body.named(name)
    }

    #[inline(always)]
    fn centre(&self) -> DVec3 {
        self.body.centre()
    }

    #[inline(always)]
    fn radius(&self) -> f64 {
        self.body.radius()
    }
}

/// Points of smooth bodies have no names: all are called 0, and none is found by it.
impl Mapped for dyn Support + '_ {
    type Start = ();

    fn start(&self, _: DVec3, _: u32) {}

    fn farthest(&self, d: DVec3, (): ()) -> (u32, DVec3) {
        (0, self.support(d))
    }

    fn named(&self, _: u32) -> Option<DVec3> {
        None
    }

    fn centre(&self) -> DVec3 {
        Support::centre(self)
    }

    fn radius(&self) -> f64 {
        Support::radius(self)
    }

    fn rim(&self, support: DVec3) -> Rim {
        Support::rim(self, support)
    }
}

/// A point of the difference and the points it is the difference of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Apex {
    /// `a − b`, in units of the difference.
    pub(crate) w: DVec3,
    pub(crate) points: [DVec3; 2],
    pub(crate) names: [u32; 2],
}

impl Apex {
    pub(crate) const NONE: Apex = Apex { w: DVec3::ZERO, points: [DVec3::ZERO; 2], names: [0; 2] };
}

/// `a − b`, times a power of two that keeps products of six lengths from overflowing and from vanishing.
#[derive(Debug)]
pub(crate) struct Difference<'m, A: ?Sized, B: ?Sized> {
    pub(crate) a: &'m A,
    pub(crate) b: &'m B,
    pub(crate) b_in_a: Relative,
    pub(crate) scale: f64,
    /// A point inside, scaled.
    pub(crate) centre: DVec3,
    /// No point is farther from the centre, up to rounding; scaled.
    pub(crate) radius: f64,
}

impl<'m> Difference<'m, Convex, Convex> {
    #[inline]
    pub(crate) fn of(pair: &Polyhedra<'m>) -> Self {
        Difference::new(pair.a, pair.b, pair.b_in_a)
    }
}

impl<A: ?Sized, B: ?Sized> Difference<'_, A, B> {
    /// The same between other views of the bodies.
    #[inline(always)]
    pub(crate) fn between<'k, C: ?Sized, D: ?Sized>(&self, a: &'k C, b: &'k D) -> Difference<'k, C, D> {
        Difference { a, b, b_in_a: self.b_in_a, scale: self.scale, centre: self.centre, radius: self.radius }
    }
}

impl<'m, A: Mapped + ?Sized, B: Mapped + ?Sized> Difference<'m, A, B> {
    #[inline]
    pub(crate) fn new(a: &'m A, b: &'m B, b_in_a: Relative) -> Self {
        let centre = a.centre() - b_in_a.apply(b.centre());
        let radius = a.radius() + b.radius();
        let size = centre.abs().max_element().max(radius);
        let scale = if (1e-30..1e30).contains(&size) { 1.0 } else { normalising_scale(size) };
        Difference { a, b, b_in_a, scale, centre: centre * scale, radius: radius * scale }
    }

    /// The point farthest along `−d`.
    #[inline(always)]
    pub(crate) fn support(&self, d: DVec3, hints: [u32; 2], stats: &mut Stats) -> Apex {
        let (names, [p, q]) = self.farthest(d, hints, stats);
        self.apex(names, p, self.b_in_a.apply(q))
    }

    /// The points of `a` and `b` that it is the difference of, each in its own frame, and their names.
    #[inline(always)]
    pub(crate) fn farthest(&self, d: DVec3, hints: [u32; 2], stats: &mut Stats) -> ([u32; 2], [DVec3; 2]) {
        stats.primitive_tests += 2;
        let turn = &self.b_in_a.rotation;
        let in_b = DVec3::new(turn.x_axis.dot(d), turn.y_axis.dot(d), turn.z_axis.dot(d));
        let (start_a, start_b) = (self.a.start(-d, hints[0]), self.b.start(in_b, hints[1]));
        let (i, p) = self.a.farthest(-d, start_a);
        let (j, q) = self.b.farthest(in_b, start_b);
        ([i, j], [p, q])
    }

    /// The same as a function of its own, for places outside of inner loops.
    #[inline(never)]
    pub(crate) fn support_once(&self, d: DVec3, hints: [u32; 2], stats: &mut Stats) -> Apex {
        self.support(d, hints, stats)
    }

    /// The point of those names, if both are known.
    #[inline]
    pub(crate) fn named(&self, names: [u32; 2]) -> Option<Apex> {
        Some(self.apex(names, self.a.named(names[0])?, self.b_in_a.apply(self.b.named(names[1])?)))
    }

    #[inline(always)]
    fn apex(&self, names: [u32; 2], p: DVec3, q: DVec3) -> Apex {
        Apex { w: (p - q) * self.scale, points: [p, q], names }
    }
}
