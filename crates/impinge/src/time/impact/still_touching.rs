//! For how long bodies that touch certainly go on touching.
//!
//! Two bodies touch because a pair of convex pieces touches (bodies, parts or triangles), or because one body is inside
//! the other. The bodies touch at least as long as that pair does:
//!
//! 1. Pieces that touch at two times, and move straight relative to each other, touch at all times between. The reason:
//!    the difference of convex pieces is convex, and so is the set of shifts at which they are within a tolerance.
//! 2. Pieces that are `d` deep in each other go on touching until points of theirs have moved by `d` relative to each
//!    other: a smaller motion of every point cannot take the origin out of their difference (notes to Xavier 1997 §3).
//!    They need at least `d/Λ` for it, with `Λ` the bound on their relative speed until then.
//! 3. A body inside a solid stays inside until the surfaces meet: for at least `d/Λ`, with `d` the distance of the
//!    surfaces.
//!
//! Invariant: from the time of a [`TouchCause`] until that which [`TouchingBodies::touches_until`] returns, the bodies
//! touch. Cost: a static query for the cause; then depth queries or tests of only the two pieces of the cause.

use crate::answer::{Feature, Stats};
use crate::math::Relative;
use crate::model::{Mesh, Model};
use crate::narrow::body::BodyKind;
use crate::narrow::context::Context;
use crate::narrow::convex::convex_memory::ConvexMemory;
use crate::narrow::grid::memory::Memory;
use crate::narrow::outcome::Outcome;
use crate::narrow::parts::piece::ConvexPiece;
use crate::narrow::parts::piece_depth::depth_of;
use crate::narrow::parts::piece_outcome::{PieceGap, outcome_of, touches};
use crate::narrow::proximity::{CommonPoint, WitnessedGap};
use crate::narrow::solid::Solid;
use crate::path::Span;
use crate::time::movers::two_bodies::Movers;

/// The most steps with the same pair of pieces before another pair is looked for.
const MOST_STEPS: usize = 16;
/// The most bounds on the speed that are computed, each over a shorter time, for one step.
const MOST_SPEEDS: usize = 3;

/// Why two bodies touch at a time.
pub(crate) enum TouchCause<'q> {
    Pieces([ConvexPiece<'q>; 2]),
    /// One is inside the other, and the surfaces are this far apart.
    Inside(f64),
    /// Nothing is known that proves how long they go on touching.
    Unknown,
}

/// Two bodies, and the distance up to which they count as touching.
pub(crate) struct TouchingBodies<'q> {
    movers: Movers<'q>,
    tolerance: f64,
    /// The bodies as surfaces without insides, made when one body is first found inside the other.
    surfaces: Option<Box<([Model; 2], Memory)>>,
    /// The number of depth queries and tests so far.
    pub(crate) proofs: usize,
}

impl<'q> TouchingBodies<'q> {
    pub(crate) fn new(movers: &Movers<'q>, tolerance: f64) -> TouchingBodies<'q> {
        TouchingBodies { movers: *movers, tolerance, surfaces: None, proofs: 0 }
    }

    /// Why the bodies touch at `t`; `None` where they are apart, wherever they are within the margins of their motions.
    pub(crate) fn cause(&mut self, t: f64, mut context: Context<'_, Memory>) -> Option<TouchCause<'q>> {
        let near = self.near(t);
        self.proofs += 1;
        match self.movers.nearest(t, near, context.lend()) {
            Outcome::Beyond => None,
            Outcome::Apart(WitnessedGap { interval, .. }) if near == 0.0 || interval.lower > near => None,
            Outcome::Apart(WitnessedGap { witness, .. }) | Outcome::Touching(CommonPoint::OfBodies(witness)) => {
                Some(self.cause_of(witness.features))
            }
            Outcome::Touching(CommonPoint::OfTriangles(_, features)) => Some(self.cause_of(features)),
            Outcome::Contained(_) => Some(self.cause_of_containment(t, context.stats)),
        }
    }

    /// The distance up to which they may touch: the tolerance, and the margins of their motions.
    fn near(&self, t: f64) -> f64 {
        self.tolerance + self.movers.margin(t, t)
    }

    fn cause_of(&self, features: [Feature; 2]) -> TouchCause<'q> {
        let [a, b] = self.movers.models;
        match (piece(a, features[0]), piece(b, features[1])) {
            (Some(a), Some(b)) => TouchCause::Pieces([a, b]),
            _ => TouchCause::Unknown,
        }
    }

    fn cause_of_containment(&mut self, t: f64, stats: &mut Stats) -> TouchCause<'q> {
        if self.movers.have_holes() {
            return TouchCause::Unknown;
        }
        let models = self.movers.models;
        let (surfaces, memory) =
            &mut **self.surfaces.get_or_insert_with(|| Box::new((models.map(surface_of), Memory::default())));
        let movers = Movers { models: [&surfaces[0], &surfaces[1]], motions: self.movers.motions };
        match movers.nearest(t, f64::INFINITY, Context::new(memory, stats)) {
            Outcome::Apart(WitnessedGap { interval, .. }) => TouchCause::Inside(interval.lower),
            Outcome::Touching(CommonPoint::OfBodies(witness)) => self.cause_of(witness.features),
            Outcome::Touching(CommonPoint::OfTriangles(_, features)) => self.cause_of(features),
            Outcome::Beyond | Outcome::Contained(_) => TouchCause::Unknown,
        }
    }

    /// A time, no later than `until`, until which the bodies certainly touch because of `cause`. The caller makes sure
    /// that no motion jumps before `until`.
    pub(crate) fn touches_until(&mut self, cause: &TouchCause<'q>, t: f64, until: f64, stats: &mut Stats) -> f64 {
        if self.movers.speed(t, until) == 0.0 && self.movers.margin(t, until) == 0.0 {
            return until;
        }
        match cause {
            TouchCause::Unknown => t,
            TouchCause::Inside(distance) => t + self.time_until_moved(t, until, *distance),
            TouchCause::Pieces(pieces) if self.are_straight(t, until) => self.straight_until(pieces, t, until, stats),
            TouchCause::Pieces(pieces) => self.turning_until(pieces, t, until, stats),
        }
    }

    fn are_straight(&self, t: f64, until: f64) -> bool {
        let is_straight = |k: usize| {
            self.movers.motions[k].steady(t).is_some_and(|(steady, end)| steady.is_straight() && end >= until)
        };
        is_straight(0) && is_straight(1) && self.movers.margin(t, until) == 0.0
    }

    /// Certificate 1: bisection for the time at which the pieces part. It stops early, since another pair may touch for
    /// longer.
    fn straight_until(&mut self, pieces: &[ConvexPiece<'q>; 2], t: f64, until: f64, stats: &mut Stats) -> f64 {
        if self.are_touching(pieces, until, stats) {
            return until;
        }
        let (mut low, mut high, unresolved_time) = (t, until, self.unresolved_time(t, until));
        while high - low > 0.125 * (low - t) && high - t > unresolved_time {
            let middle = 0.5 * low + 0.5 * high;
            if middle <= low || middle >= high {
                break;
            }
            if self.are_touching(pieces, middle, stats) {
                low = middle;
            } else {
                high = middle;
            }
        }
        low
    }

    fn are_touching(&mut self, [a, b]: &[ConvexPiece<'q>; 2], t: f64, stats: &mut Stats) -> bool {
        self.proofs += 1;
        let (b_in_a, memory) = (self.relative(t), &mut ConvexMemory::default());
        if self.tolerance == 0.0 {
            return touches([a, b], &b_in_a, memory, stats);
        }
        match outcome_of([a, b], &b_in_a, memory, stats) {
            Outcome::Touching(_) | Outcome::Contained(_) => true,
            Outcome::Apart(PieceGap { witness, .. }) => witness.points[0].distance(witness.points[1]) <= self.tolerance,
            Outcome::Beyond => false,
        }
    }

    fn relative(&self, t: f64) -> Relative {
        let [a, b] = self.movers.poses(t);
        Relative::new(&a, &b)
    }

    /// Certificate 2, in several steps. It stops when the steps become much shorter: then another pair may be deeper.
    fn turning_until(&mut self, pieces: &[ConvexPiece<'q>; 2], t: f64, until: f64, stats: &mut Stats) -> f64 {
        let (mut now, mut longest) = (t, 0.0_f64);
        for _ in 0..MOST_STEPS {
            let step = self.time_until_moved(now, until, self.allowed_motion(pieces, now, stats));
            self.proofs += 1;
            if now + step >= until {
                return until;
            }
            if step < 0.5 * longest || now + step <= now {
                break;
            }
            longest = longest.max(step);
            now += step;
        }
        now
    }

    /// How far points may move relative to each other while the pieces certainly go on touching.
    fn allowed_motion(&self, [a, b]: &[ConvexPiece<'q>; 2], t: f64, stats: &mut Stats) -> f64 {
        let b_in_a = self.relative(t);
        if let Some(depth) = depth_of([a, b], &b_in_a, stats) {
            return depth + self.tolerance;
        }
        if self.tolerance == 0.0 {
            return 0.0;
        }
        match outcome_of([a, b], &b_in_a, &mut ConvexMemory::default(), stats) {
            Outcome::Touching(_) | Outcome::Contained(_) => self.tolerance,
            Outcome::Apart(PieceGap { witness, .. }) => self.tolerance - witness.points[0].distance(witness.points[1]),
            Outcome::Beyond => 0.0,
        }
    }

    /// For how long no two points move relative to each other by more than `length`, no longer than to `until`. The
    /// bound on the speed is computed over a time no longer than needed, since over a long time it may be much larger.
    fn time_until_moved(&self, t: f64, until: f64, length: f64) -> f64 {
        let (mut ahead, mut longest) = (until - t, 0.0);
        for _ in 0..MOST_SPEEDS {
            let length = length - self.movers.margin(t, t + ahead);
            let time = length / self.movers.speed(t, t + ahead) * (1.0 - 1e-9);
            if time.is_nan() || time <= 0.0 {
                break;
            }
            longest = time.min(ahead);
            if time >= 0.25 * ahead {
                break;
            }
            ahead = 4.0 * time;
        }
        longest
    }

    /// A length so small that static tests do not resolve it.
    pub(crate) fn resolution(&self, t: f64) -> f64 {
        Span::new(t, t).map_or(0.0, |now| 0.1 * self.movers.resolution(now))
    }

    /// A length of time in which no point moves by more than [`TouchingBodies::resolution`].
    pub(crate) fn unresolved_time(&self, t: f64, until: f64) -> f64 {
        let speed = self.movers.speed(t, until);
        if speed > 0.0 { self.resolution(t) / speed } else { 0.0 }
    }
}

/// The convex piece that carries a feature.
fn piece(model: &Model, feature: Feature) -> Option<ConvexPiece<'_>> {
    match (model, feature) {
        (Model::Mesh(mesh), feature) => mesh.triangle(feature.triangle()?).map(ConvexPiece::Triangle),
        (Model::Deforming(_), _) => None,
        (Model::Parts(parts), Feature::Convex { piece, .. }) => {
            parts.pieces().get(piece as usize).map(|body| ConvexPiece::Solid(Solid::polyhedron(body)))
        }
        (Model::Parts(_), _) => None,
        (Model::Convex(_) | Model::Round(_), _) => BodyKind::with_points(model)?.single_piece(),
    }
}

/// A mesh without its inside; anything else as it is.
fn surface_of(model: &Model) -> Model {
    match model {
        Model::Mesh(mesh) => Mesh::clone(mesh).into_surface().into(),
        other => other.clone(),
    }
}
