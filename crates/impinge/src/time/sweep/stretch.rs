//! A lower bound on how near two convex pieces come over a stretch of time.
//!
//! Two points, one of each piece, have a difference that moves with time. Its path is the difference of two paths
//! (`chord.rs`) *at the same time*: a chord, the bulge of the one path and the bulge of the other, both at most
//! `min(2u, 2 − 2u)` of their heights. So it lies in the hull of its start, its end and three points in the middle:
//! with the one bulge, with the other, and with both. The hull over all pairs of points is a convex body known by its
//! extreme points (Xavier 1997, §2.2: a swept point set is again a point set). Its distance from the origin is the
//! bound, and GJK finds it. Where nothing turns, the bound is exact: the distance of one piece from the other swept
//! along the relative translation.
//!
//! Here we depart from Xavier, who sweeps each body by itself: here two bodies that turn, or fly side by side, are
//! compared at equal times, so that the error of the bound shrinks with the square of the stretch.
//!
//! Corners that move within their body, by up to `w` over the stretch, are at the fraction `u` where the body would put
//! `c(u) = (1 − u)·c₀ + u·c₁`. With `R` the rotations at the ends, that is `(1 − u)²·R₀c₀ + u(1 − u)·(R₁c₀ + R₀c₁) +
//! u²·R₁c₁` and the two bulges. It is off the chord from `R₀c₀` to `R₁c₁` by `u(1 − u)·(R₁ − R₀)(c₀ − c₁)` at most,
//! a quarter of `|R₁ − R₀|·w`. The bulge is taken of the middle `c(½)`, off by an eighth of its height for an arm of
//! `w`. Both shrink with the square of the stretch.
//!
//! A half-space has no extreme points. There the height of the other piece over it is bounded: between the ends it is
//! below the lesser height there by no more than an eighth of its second derivative.
//!
//! Cost: one GJK query; a step takes one support of each piece, up to four where it turns.

use glam::{DMat3, DVec3};

use super::chord::{Chord, Filling, times};
use super::node_shape::{ConvexShape, PaddedShape};
use super::tangent_hull;
use super::tangent_hull::TangentHulls;
use crate::answer::Stats;
use crate::math::EPS;
use crate::narrow::convex::simplex::gjk;
use crate::narrow::convex::simplex::gjk::{GjkEnd, GjkQuestion, GjkResult, GjkStart};
use crate::narrow::convex::simplex::minkowski::{Difference, Mapped};
use crate::prim::RegionWalk;
use crate::time::movers::two_bodies::Movers;

/// How the bound over a stretch is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SweepBound {
    /// From the hull of start and end.
    Ends,
    /// From the tangents, where they hold, else from the bulge.
    Tangents,
    Bulge,
}

/// What is known of two pieces over a stretch.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StretchBound {
    /// The pieces are no nearer than this at any time of the stretch.
    pub(crate) lower: f64,
    /// The distance of the hulls that the bound is made of, from above; 0 when they touch. For a stretch that is a
    /// single moment, the distance of the pieces.
    pub(crate) hull: f64,
    /// The fraction of the stretch, from 0 to 1, at which they are about that near.
    pub(crate) time: f64,
}

/// A stretch of time, and how two bodies move in it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SweptStretch {
    pub(crate) from: f64,
    pub(crate) to: f64,
    pub(crate) chords: [Chord; 2],
    /// From the origin of `b` to that of `a` at the ends.
    shift: [DVec3; 2],
    /// How far both bodies together may be from where their motions put them.
    pub(crate) margin: f64,
    kind: SweepBound,
}

impl SweptStretch {
    pub(crate) fn new(movers: &Movers<'_>, from: f64, to: f64, kind: SweepBound) -> SweptStretch {
        let filling = if kind == SweepBound::Ends { Filling::Ball } else { Filling::Bulge };
        let chords = movers.motions.map(|motion| Chord::new(motion, from, to, filling));
        let [a, b] = &chords;
        let shift = [0, 1].map(|end| a.ends[end].translation() - b.ends[end].translation());
        SweptStretch { from, to, chords, shift, margin: movers.margin(from, to), kind }
    }

    /// Whether all bounds are exact, up to rounding.
    pub(crate) fn is_straight(&self) -> bool {
        self.chords.iter().all(Chord::is_straight) && self.margin == 0.0
    }

    /// Whether a body turns so far that a hull of start and end bounds nothing.
    pub(crate) fn is_long(&self) -> bool {
        self.chords.iter().any(Chord::is_long)
    }

    /// How far the bodies turn in the stretch at most, together.
    pub(crate) fn turning(&self) -> f64 {
        let rates = self.chords.iter().map(|chord| chord.rates.spin.length() + chord.rates.spin_spread);
        rates.sum::<f64>() * (self.to - self.from)
    }

    /// The time at the fraction `u` of the stretch.
    pub(crate) fn at(&self, u: f64) -> f64 {
        (self.from + u * (self.to - self.from)).clamp(self.from, self.to)
    }

    /// How far points of each are from the axis at most: those that move within the body, at an end of the stretch.
    fn arms(&self, shapes: [&PaddedShape<'_>; 2]) -> [f64; 2] {
        let arm = |k: usize, shape: &ConvexShape<'_>| self.chords[k].arm(shape.centre(), shape.radius());
        [0, 1].map(|k| {
            let [start, _, end] = shapes[k].over_stretch();
            if shapes[k].drift.is_none() { arm(k, start) } else { arm(k, start).max(arm(k, end)) }
        })
    }

    /// How far points that move within their body may be from the hull, besides what their paths with the body are.
    fn drifted(&self, shapes: [&PaddedShape<'_>; 2]) -> f64 {
        (0..2).map(|k| self.chords[k].drifted(shapes[k].way())).sum()
    }

    /// By how much the bound of two pieces may be less than their distance.
    pub(crate) fn excess(&self, shapes: [&PaddedShape<'_>; 2]) -> f64 {
        let arms = self.arms(shapes);
        let plane = |k: usize| matches!(shapes[k].shape, ConvexShape::HalfSpace { .. });
        if plane(0) || plane(1) {
            let k = usize::from(plane(1));
            return self.dip(k, arms[1 - k], shapes[1 - k].way());
        }
        self.chords[0].excess(arms[0]) + self.chords[1].excess(arms[1]) + self.drifted(shapes)
    }

    /// The rounding error of a distance: of points that are turned and moved, and of the poses.
    fn noise(&self, shapes: [&PaddedShape<'_>; 2]) -> f64 {
        let size = (0..2).fold(0.0, |sum: f64, k| {
            let piece = &shapes[k].shape;
            let places = self.chords[k].ends.map(|pose| pose.translation().abs().max_element());
            let turned = self.chords[k].angle.min(1.0) * self.chords[k].centre.length();
            let size = piece.centre().length() + piece.radius() + shapes[k].way();
            sum + 4.0 * (size + turned) + places[0] + places[1]
        });
        16.0 * EPS * size
    }

    /// How near two pieces can come; `None` when that is certainly farther than `cutoff`.
    pub(crate) fn bound(&self, shapes: [&PaddedShape<'_>; 2], cutoff: f64, stats: &mut Stats) -> Option<StretchBound> {
        let margins = shapes[0].margin + shapes[1].margin;
        let noise = self.noise(shapes);
        match [&shapes[0].shape, &shapes[1].shape] {
            [ConvexShape::HalfSpace { normal, offset }, _] => {
                self.over(0, *normal, *offset, shapes[1], [margins, noise])
            }
            [_, ConvexShape::HalfSpace { normal, offset }] => {
                self.over(1, *normal, *offset, shapes[0], [margins, noise])
            }
            pieces => {
                let arms = self.arms(shapes);
                let is_rigid = shapes.iter().all(|shape| shape.drift.is_none());
                let by_tangents = self.kind == SweepBound::Tangents && is_rigid;
                let tangents = if by_tangents { tangent_hull::of(&self.chords, pieces) } else { None };
                let deviation: f64 = match &tangents {
                    Some(hulls) => hulls.slack,
                    None => (0..2).map(|k| self.chords[k].deviation(arms[k])).sum(),
                };
                let off = margins + deviation + self.drifted(shapes) + noise + self.margin;
                let ask = GjkQuestion { enough: cutoff + off, ..GjkQuestion::DISTANCE };
                let found = match &tangents {
                    Some(hulls) => from_origin(hulls, &ask, stats),
                    None => {
                        let [a, b] = shapes.map(|shape| shape.over_stretch());
                        let swept = Swept { stretch: self, pieces: [0, 1, 2].map(|at| [a[at], b[at]]), is_rigid };
                        from_origin(&swept, &ask, stats)
                    }
                };
                near(&found, off, margins, noise)
            }
        }
        .filter(|near| near.lower <= cutoff)
    }

    /// The height of a piece over the half-space that body `k` is, less the margins.
    ///
    /// With `n` the normal, which turns by `α` in all, and `z` from the centre that the half-space turns about to a
    /// point of the piece, the height `n·z` has a second derivative of at most `|n″||z| + 2|n′||z′| + |z″|`.
    fn over(
        &self,
        k: usize,
        normal: DVec3,
        offset: f64,
        other: &PaddedShape<'_>,
        [margins, noise]: [f64; 2],
    ) -> Option<StretchBound> {
        let [start, _, last] = other.over_stretch();
        let sign = if k == 0 { -1.0 } else { 1.0 };
        let heights = [0, 1].map(|end| {
            let [plane, moved] = [&self.chords[k].turn[end], &self.chords[1 - k].turn[end]];
            let n: DVec3 = *plane * normal;
            let shape = if end == 0 { start } else { last };
            let lowest: DVec3 = *moved * shape.farthest(-(moved.transpose() * n)) + self.shift[end] * sign;
            n.dot(lowest) - offset
        });
        let arm = self.arms([other, other])[1 - k];
        let noise = noise + 8.0 * EPS * offset.abs();
        let height = heights[0].min(heights[1]) - margins;
        let lower = (height - noise - self.dip(k, arm, other.way()) - self.margin).max(0.0);
        let hull = if height <= 0.0 { 0.0 } else { height + noise };
        Some(StretchBound { lower, hull, time: if heights[0] <= heights[1] { 0.0 } else { 1.0 } })
    }

    /// How far below the lower of its values at the two ends a height over body `k` may come between them, of points
    /// that move within their body by `way`.
    fn dip(&self, k: usize, arm: f64, way: f64) -> f64 {
        let [plane, other] = [&self.chords[k], &self.chords[1 - k]];
        if plane.is_straight() && other.is_straight() {
            return 0.0;
        }
        let turning = |c: &Chord| c.rates.spin.length() + c.rates.spin_spread;
        let [at_plane, at_other] = [plane, other].map(|c| c.ends.map(|pose| pose.apply(c.centre)));
        let speed = (other.rates.velocity - plane.rates.velocity).length()
            + plane.rates.velocity_spread
            + other.rates.velocity_spread
            + times(turning(other), arm)
            + way;
        let span = at_plane[0].distance(at_other[0]).max(at_plane[1].distance(at_other[1])) + arm + speed;
        let first = times(turning(plane), span) + speed;
        let bent = |c: &Chord| times(c.accelerations[1] + turning(c) * turning(c), 1.0);
        let second = times(bent(plane), span)
            + times(2.0 * turning(plane), speed)
            + times(bent(other), arm)
            + times(2.0 * turning(other), way)
            + plane.accelerations[0]
            + other.accelerations[0];
        (0.125 * second).min(0.5 * first)
    }
}

/// The distance of a convex body from the origin.
fn from_origin<M: Mapped>(body: &M, ask: &GjkQuestion, stats: &mut Stats) -> GjkResult {
    let difference = Difference::new(body, &Origin, crate::math::Relative::IDENTITY);
    gjk::distance::<RegionWalk, _, _>(&difference, ask, &GjkStart::default(), stats)
}

/// The bound from a distance of the hull. `off` is how much too large that may be, margins included.
fn near(found: &GjkResult, off: f64, margins: f64, noise: f64) -> Option<StretchBound> {
    let simplex = &found.simplex;
    let time = |k: usize| simplex.weights[k] * WHEN[(simplex.names[k][0] as usize).min(WHEN.len() - 1)];
    let time: f64 = (0..simplex.count).map(time).sum();
    let time = if time.is_finite() { time.clamp(0.0, 1.0) } else { 0.5 };
    match found.end {
        GjkEnd::Enough => None,
        GjkEnd::Origin => Some(StretchBound { lower: 0.0, hull: 0.0, time }),
        GjkEnd::Met | GjkEnd::Cap => {
            let upper = found.upper();
            let hull = if upper <= margins { 0.0 } else { upper - margins + noise };
            Some(StretchBound { lower: (found.lower.min(upper) - off).max(0.0), hull, time })
        }
    }
}

/// The fraction of the stretch to which a point of the difference belongs, by the point's name.
const WHEN: [f64; 5] = [0.0, 1.0, 0.5, 0.5, 0.5];

/// All differences of two pieces' points over a stretch.
#[derive(Debug)]
struct Swept<'s, 'm> {
    stretch: &'s SweptStretch,
    /// Both pieces when the stretch begins, in its middle, and when it ends.
    pieces: [[&'s ConvexShape<'m>; 2]; 3],
    /// Whether these are the same.
    is_rigid: bool,
}

const START: usize = 0;
const MIDDLE: usize = 1;
const END: usize = 2;

impl Swept<'_, '_> {
    /// The difference farthest along `d` of the pieces under two linear maps, without the maps' translations.
    #[inline(always)]
    fn under(&self, at: usize, maps: [&DMat3; 2], d: DVec3) -> DVec3 {
        let [a, b] = self.pieces[at];
        let p = a.farthest(maps[0].transpose() * d);
        let q = b.farthest(-(maps[1].transpose() * d));
        *maps[0] * p - *maps[1] * q
    }
}

impl Mapped for Swept<'_, '_> {
    type Start = ();

    fn start(&self, _: DVec3, _: u32) {}

    #[inline(always)]
    fn farthest(&self, d: DVec3, (): ()) -> (u32, DVec3) {
        let SweptStretch { chords: [a, b], shift, .. } = self.stretch;
        let start = self.under(START, [&a.turn[0], &b.turn[0]], d) + shift[0];
        if self.is_rigid && a.turn[0] == a.turn[1] && b.turn[0] == b.turn[1] {
            let way = shift[1] - shift[0];
            return if d.dot(way) > 0.0 { (1, start + way) } else { (0, start) };
        }
        let mut best = (0, start);
        let mut most = d.dot(start);
        let mut offer = |name: u32, w: DVec3| {
            let height = d.dot(w);
            if height > most {
                (best, most) = ((name, w), height);
            }
        };
        offer(1, self.under(END, [&a.turn[1], &b.turn[1]], d) + shift[1]);
        let half = [a, b].map(|c| (c.turn[0] + c.turn[1]) * 0.5);
        let middle = (shift[0] + shift[1]) * 0.5;
        let full = [a, b].map(|c| c.bulge);
        if let Some(bulge) = full[0] {
            offer(2, self.under(MIDDLE, [&(half[0] + bulge), &half[1]], d) + middle - bulge * a.centre);
        }
        if let Some(bulge) = full[1] {
            offer(3, self.under(MIDDLE, [&half[0], &(half[1] + bulge)], d) + middle + bulge * b.centre);
        }
        if let [Some(x), Some(y)] = full {
            let off = x * a.centre - y * b.centre;
            offer(4, self.under(MIDDLE, [&(half[0] + x), &(half[1] + y)], d) + middle - off);
        }
        best
    }

    fn named(&self, _: u32) -> Option<DVec3> {
        None
    }

    fn centre(&self) -> DVec3 {
        let SweptStretch { chords, shift, .. } = self.stretch;
        let at = |end: usize| {
            let [a, b] = self.pieces[2 * end];
            chords[0].turn[end] * a.centre() - chords[1].turn[end] * b.centre() + shift[end]
        };
        (at(0) + at(1)) * 0.5
    }

    fn radius(&self) -> f64 {
        let SweptStretch { chords, shift, .. } = self.stretch;
        let arm = |k: usize| {
            let (piece, last, chord) = (self.pieces[START][k], self.pieces[END][k], &chords[k]);
            let turned = if chord.is_straight() { 0.0 } else { 2.0 * chord.arm(piece.centre(), piece.radius()) };
            let moved = if self.is_rigid { 0.0 } else { piece.centre().distance(last.centre()) + last.radius() };
            piece.radius() + turned + moved
        };
        (shift[1] - shift[0]).length() + arm(0) + arm(1)
    }
}

/// The origin as GJK sees it.
struct Origin;

impl Mapped for Origin {
    type Start = ();

    fn start(&self, _: DVec3, _: u32) {}

    #[inline(always)]
    fn farthest(&self, _: DVec3, (): ()) -> (u32, DVec3) {
        (0, DVec3::ZERO)
    }

    fn named(&self, _: u32) -> Option<DVec3> {
        None
    }

    fn centre(&self) -> DVec3 {
        DVec3::ZERO
    }

    fn radius(&self) -> f64 {
        0.0
    }
}

impl Mapped for TangentHulls {
    type Start = ();

    fn start(&self, _: DVec3, _: u32) {}

    #[inline(never)]
    fn farthest(&self, d: DVec3, (): ()) -> (u32, DVec3) {
        let most = |points: &[(u32, DVec3)], d: DVec3| {
            let first = (2, DVec3::ZERO);
            points.iter().copied().max_by(|x, y| d.dot(x.1).total_cmp(&d.dot(y.1))).unwrap_or(first)
        };
        let ends = [most(&self.points[0], d), most(&self.points[1], -d)];
        (ends[self.clock].0, ends[0].1 - ends[1].1 + self.shift)
    }

    fn named(&self, _: u32) -> Option<DVec3> {
        None
    }

    fn centre(&self) -> DVec3 {
        let mean =
            |points: &[(u32, DVec3)]| points.iter().fold(DVec3::ZERO, |sum, x| sum + x.1) / points.len().max(1) as f64;
        mean(&self.points[0]) - mean(&self.points[1]) + self.shift
    }

    fn radius(&self) -> f64 {
        let size = |points: &[(u32, DVec3)]| points.iter().fold(0.0, |m: f64, x| m.max(x.1.length()));
        2.0 * (size(&self.points[0]) + size(&self.points[1]))
    }
}
