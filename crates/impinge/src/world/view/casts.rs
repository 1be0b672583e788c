//! What a shape meets while it moves, and how near it comes to the bodies: casts.
//!
//! The bodies stand where they are placed. Boxes around the way of the shape give each body's box a bound: where it
//! moves straight, the time at which its box meets that one ([`super::beam`]); else the beginning of the first of
//! [`PARTS`] equal parts of the span in which it may. For the least distance it is that of the box from the boxes of
//! the parts.
//!
//! **The first impact.** Impacts are intervals of time. The body whose interval ends first is told. Another whose
//! interval begins before that may be met earlier; the time told then begins with it, so that it is never late.
//!
//! Cost: one impact or sweep of two bodies for each body whose bound is below the answer.

use glam::DVec3;

use super::beam::StraightWay;
use super::box_gap::BoxGap;
use super::found::Found;
use super::shapes::box_distance;
use super::view_of::{Search, View};
use crate::answer::{Impact, Sweep};
use crate::bound::Aabb;
use crate::math::simd::{F32x8, Simd};
use crate::model::{Model, Outline};
use crate::pair::Pair;
use crate::path::{Motion, Span, Steady};
use crate::threads::share;
use crate::tree::nodes::{Tree, TreeNode, WIDTH};
use crate::world::body::{Body, BodyId};

/// The number of parts of a span with a box of their own.
const PARTS: u32 = 16;

/// The number of casts that one thread takes at a time.
const GRAIN: usize = 8;

impl View<'_> {
    /// Which body does a moving shape meet first, and when? In the answer `a` is the shape and `b` the body, which
    /// stands where it is placed. Nothing is missed, however fast the shape is, and no body is met before `time.lower`:
    /// [`Pair::impact`].
    ///
    /// ```
    /// use impinge::{glam::DVec3, Body, Model, Pose, Round, Span, Steady, World};
    /// let mut world = World::new();
    /// let wall = Round::cuboid(DVec3::new(0.01, 9.0, 9.0))?;
    /// let ids = [4.0, 6.0].map(|x| {
    ///     world.add(Body::new(wall.clone(), Pose::at(DVec3::X * x).expect("not far"))).expect("not far")
    /// });
    /// let bullet = Model::from(Round::sphere(0.005)?);
    /// let flight = Steady::straight(Pose::IDENTITY, DVec3::X * 1000.0, 0.0)?;
    /// let hit = world.view().impact(&bullet, &flight, Span::UNIT).expect("two walls are in the way");
    /// let time = hit.answer.time.expect("it meets one");
    /// assert!(hit.body == ids[0] && time.lower <= 0.00399 && time.upper > 0.003989);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn impact(&self, model: &Model, motion: &dyn Motion, span: Span) -> Option<Found<Impact>> {
        let mut search =
            Impacts { cast: Cast::new(model, motion, span), found: Vec::new(), limit: f64::MAX, at_start: None };
        self.search(&mut search);
        search.first()
    }

    /// What [`View::impact`] answers for each of many motions of one shape, on all threads of the current pool.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Body, Model, Pose, Round, Span, Steady, World};
    /// let mut world = World::new();
    /// world.add(Body::new(Round::sphere(1.0)?, Pose::at(DVec3::X * 5.0)?))?;
    /// let ball = Model::from(Round::sphere(0.5)?);
    /// let starts = [Pose::IDENTITY, Pose::at(DVec3::Y * 2.0)?];
    /// let ways = starts.map(|start| Steady::straight(start, DVec3::X * 9.0, 0.0).expect("a slow ball"));
    /// let hits = world.view().impacts(&ball, &ways, Span::UNIT);
    /// assert!(hits[0].is_some() && hits[1].is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn impacts<M: Motion>(&self, model: &Model, motions: &[M], span: Span) -> Vec<Option<Found<Impact>>> {
        share::map(motions.len(), GRAIN, |k| self.impact(model, &motions[k], span))
    }

    /// To which body does a moving shape come nearest, how near, and when? In the answer `a` is the shape and `b` the
    /// body, which stands where it is placed: [`Pair::sweep`]. `None` where no body has points.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Body, Model, Pose, Round, Span, Steady, World};
    /// let mut world = World::new();
    /// let ids = [DVec3::Y * 3.0, DVec3::X * 5.0 + DVec3::Z * 2.0].map(|at| {
    ///     let ball = Round::sphere(1.0).expect("a radius");
    ///     world.add(Body::new(ball, Pose::at(at).expect("not far"))).expect("not far")
    /// });
    /// let ball = Model::from(Round::sphere(0.5)?);
    /// let flight = Steady::straight(Pose::IDENTITY, DVec3::X * 10.0, 0.0)?;
    /// let nearest = world.view().sweep(&ball, &flight, Span::UNIT).expect("there are two");
    /// assert!(nearest.body == ids[1] && nearest.answer.interval.contains(0.5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sweep(&self, model: &Model, motion: &dyn Motion, span: Span) -> Option<Found<Sweep>> {
        let mut search = Sweeps { cast: Cast::new(model, motion, span), best: None };
        self.search(&mut search);
        search.best
    }
}

/// A moving shape, and boxes around its way.
struct Cast<'m> {
    model: &'m Model,
    motion: &'m dyn Motion,
    span: Span,
    /// The box around the shape that moves straight over the whole span; times are from the span's beginning.
    straight: Option<StraightWay>,
    /// The time at which each part of the span begins, and the box of the way in it; without bounds there is none.
    parts: Vec<(f64, Aabb)>,
    /// The same boxes as seen from a tree, and that of the whole way.
    gaps: Vec<BoxGap>,
    whole: BoxGap,
}

impl<'m> Cast<'m> {
    fn new(model: &'m Model, motion: &'m dyn Motion, span: Span) -> Cast<'m> {
        let straight = straight(motion, span).and_then(|velocity| {
            let start = model.outline(&motion.pose(span.from()), Outline::Fitted)?;
            Some(StraightWay::new(start, velocity, span.to() - span.from()))
        });
        let count = if straight.is_some() { 1 } else { PARTS };
        let time = |k: u32| span.from() + (span.to() - span.from()) * (f64::from(k) / f64::from(count));
        let part = |k: u32| Some((time(k), motion.swept_box(model, time(k), time(k + 1).min(span.to()))?));
        let parts = (0..count).map(part).collect::<Option<Vec<_>>>().unwrap_or_default();
        Cast { model, motion, span, straight, parts, gaps: Vec::new(), whole: BoxGap::NONE }
    }

    fn enter(&mut self, tree: &Tree, bounds: &Aabb) {
        if let Some(straight) = &mut self.straight {
            straight.enter(tree, bounds);
        }
        self.gaps.clear();
        self.gaps.extend(self.parts.iter().map(|(_, part)| BoxGap::new(tree, part)));
        let whole = self.parts.iter().map(|(_, part)| *part).reduce(|x, y| x.join(&y));
        self.whole = BoxGap::new(tree, &whole.unwrap_or(Aabb::new(DVec3::NEG_INFINITY, DVec3::INFINITY)));
    }

    /// A lower bound on the time at which the shape meets anything in a box.
    fn earliest(&self, b: &Aabb) -> f64 {
        if let Some(straight) = &self.straight {
            let time = straight.enters(b) * (1.0 - 1e-9) + (self.span.from() - 1e-15 * self.span.from().abs());
            return if time <= self.span.to() { time } else { f64::INFINITY };
        }
        if self.parts.is_empty() {
            return self.span.from();
        }
        self.parts.iter().find(|(_, part)| part.meets(b)).map_or(f64::INFINITY, |(from, _)| *from)
    }

    /// A lower bound on how near the shape comes to anything in a box.
    fn nearest(&self, b: &Aabb) -> f64 {
        let distances = self.parts.iter().map(|(_, part)| box_distance(part, b));
        distances.reduce(f64::min).unwrap_or(0.0)
    }

    /// The first parts of the span, by their numbers, in which the boxes of a node may be met, up to a limit.
    #[inline(always)]
    fn first_parts<S: Simd>(&self, node: &TreeNode, limit: f32) -> (S::F32x8, u32) {
        let (mut first, mut any) = ([0.0; WIDTH], 0);
        if self.parts.is_empty() {
            any = node.in_use::<S>();
        }
        for (k, gap) in self.gaps.iter().enumerate() {
            let met = gap.meets::<S>(node).1 & !any;
            if k as f32 > limit || met == 0 {
                continue;
            }
            (0..WIDTH).filter(|lane| met >> lane & 1 == 1).for_each(|lane| first[lane] = k as f32);
            any |= met;
        }
        (S::F32x8::load(&first), any)
    }

    fn pair(&self, body: &Body) -> (Pair, Steady) {
        (Pair::new(self.model, &body.model), Steady::still(body.pose))
    }
}

/// The velocity of a motion that is a straight one over all of the span.
fn straight(motion: &dyn Motion, span: Span) -> Option<DVec3> {
    let (steady, until) = motion.steady(span.from())?;
    let still = steady.spin() == DVec3::ZERO && motion.margin(span.from(), span.to(), 1.0) == 0.0;
    (until >= span.to() && still).then(|| steady.velocity())
}

struct Impacts<'m> {
    cast: Cast<'m>,
    /// Each with the bound of its box.
    found: Vec<(f64, Found<Impact>)>,
    /// The least end of all times found.
    limit: f64,
    /// The body of the least id that is touched at the start.
    at_start: Option<BodyId>,
}

impl Impacts<'_> {
    fn first(self) -> Option<Found<Impact>> {
        let end = |found: &Found<Impact>| found.answer.time.map_or(f64::INFINITY, |time| time.upper);
        let begin = |found: &Found<Impact>| found.answer.time.map_or(f64::INFINITY, |time| time.lower);
        // What is surely later than the first was perhaps not found at all.
        let near = self.found.iter().filter(|(bound, _)| *bound <= self.limit).map(|(_, found)| found);
        let earliest = near.map(begin).fold(f64::INFINITY, f64::min);
        let by_end = |x: &&Found<Impact>, y: &&Found<Impact>| end(x).total_cmp(&end(y)).then(x.body.cmp(&y.body));
        let mut first = self.found.iter().map(|(_, found)| found).min_by(by_end)?.clone();
        if let Some(time) = &mut first.answer.time {
            time.lower = time.lower.min(earliest);
        }
        Some(first)
    }
}

impl Search for Impacts<'_> {
    #[inline(always)]
    fn bound(&self, b: &Aabb) -> f64 {
        self.cast.earliest(b)
    }

    #[inline(always)]
    fn limit(&self) -> f64 {
        self.limit
    }

    fn enter(&mut self, tree: &Tree, bounds: &Aabb) {
        self.cast.enter(tree, bounds);
    }

    #[inline(always)]
    fn bounds_in_tree<S: Simd>(&self, node: &TreeNode, limit: f32) -> (S::F32x8, u32) {
        match &self.cast.straight {
            Some(straight) => straight.in_tree.enters::<S>(node, limit),
            None => self.cast.first_parts::<S>(node, limit),
        }
    }

    #[inline(always)]
    fn limit_in_tree(&self, limit: f64) -> f32 {
        let Cast { straight, parts, span, .. } = &self.cast;
        match straight {
            // The times of the beam are from the beginning of the span.
            Some(straight) => {
                let most = limit.min(span.to());
                straight.in_tree.limit((most - span.from()) * (1.0 + 1e-9) + 1e-15 * span.from().abs())
            }
            None => parts.partition_point(|(from, _)| *from <= limit) as f32,
        }
    }

    fn look(&mut self, id: BodyId, body: &Body, bound: f64) {
        // Nothing comes before a body that touches at the start but another one of a lesser id.
        if self.limit <= self.cast.span.from() && self.at_start.is_some_and(|first| first < id) {
            return;
        }
        let (mut pair, still) = self.cast.pair(body);
        let answer = pair.impact(self.cast.motion, &still, self.cast.span);
        if let Some(time) = answer.time {
            self.limit = self.limit.min(time.upper);
            if time.upper <= self.cast.span.from() {
                self.at_start = Some(id);
            }
            self.found.push((bound, Found { body: id, answer }));
        }
    }
}

struct Sweeps<'m> {
    cast: Cast<'m>,
    best: Option<Found<Sweep>>,
}

impl Search for Sweeps<'_> {
    #[inline(always)]
    fn bound(&self, b: &Aabb) -> f64 {
        self.cast.nearest(b)
    }

    #[inline(always)]
    fn limit(&self) -> f64 {
        self.best.as_ref().map_or(f64::MAX, |best| best.answer.interval.upper)
    }

    fn enter(&mut self, tree: &Tree, bounds: &Aabb) {
        self.cast.enter(tree, bounds);
    }

    #[inline(always)]
    fn bounds_in_tree<S: Simd>(&self, node: &TreeNode, limit: f32) -> (S::F32x8, u32) {
        self.cast.whole.within::<S>(node, limit)
    }

    #[inline(always)]
    fn limit_in_tree(&self, limit: f64) -> f32 {
        self.cast.whole.limit(limit)
    }

    fn look(&mut self, id: BodyId, body: &Body, _: f64) {
        let (mut pair, still) = self.cast.pair(body);
        let answer = pair.sweep(self.cast.motion, &still, self.cast.span);
        let upper = answer.interval.upper;
        let nearer = |best: &Found<Sweep>| (upper, id) < (best.answer.interval.upper, best.body);
        if upper.is_finite() && self.best.as_ref().is_none_or(nearer) {
            self.best = Some(Found { body: id, answer });
        }
    }
}
