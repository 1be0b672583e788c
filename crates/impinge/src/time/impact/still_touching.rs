//! How long bodies that touch go on touching, for certain.
//!
//! Two bodies touch because a pair of convex pieces touches (bodies, parts or triangles), or because one body is inside
//! the other. The bodies touch at least as long as that pair does:
//!
//! 1. Pieces that touch at two times, and move straight relative to each other, touch at all times between: the
//!    difference of convex pieces is convex, and so is the set of shifts at which they are as near as a tolerance.
//! 2. Pieces that are `d` deep in each other go on touching until points of theirs have moved by `d` against each
//!    other: a motion of every point by less cannot take the origin out of their difference (notes to Xavier 1997 §3).
//!    That takes `d/Λ`, with `Λ` the bound on their speeds until then.
//! 3. A body inside a solid stays there until the surfaces meet: for `d/Λ`, with `d` the distance of the surfaces.
//!
//! Invariant: from the time of a [`TouchCause`] until that which [`TouchingBodies::touches_until`] returns, the bodies
//! touch. Cost: a static query for the cause; then depths, or tests, of its two pieces alone.

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
/// How often a bound on speeds is asked for again over a shorter time.
const MOST_SPEEDS: usize = 3;

/// Why two bodies touch at a time.
pub(crate) enum TouchCause<'q> {
    Pieces([ConvexPiece<'q>; 2]),
    /// One is inside the other, and the surfaces are this far apart.
    Inside(f64),
    /// They touch; nothing is known that keeps them touching.
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

    /// Why the bodies touch at `t`; `None` where they do not, wherever within the margins of their motions they are.
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
            Outcome::Contained(_) => Some(self.inside(t, context.stats)),
        }
    }

    /// The distance up to which they count as touching, and the margins of their motions.
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

    fn inside(&mut self, t: f64, stats: &mut Stats) -> TouchCause<'q> {
        if self.movers.have_holes() {
            return TouchCause::Unknown;
        }
        let models = self.movers.models;
        let (surfaces, memory) =
            &mut **self.surfaces.get_or_insert_with(|| Box::new((models.map(hollow), Memory::default())));
        let movers = Movers { models: [&surfaces[0], &surfaces[1]], motions: self.movers.motions };
        match movers.nearest(t, f64::INFINITY, Context::new(memory, stats)) {
            Outcome::Apart(WitnessedGap { interval, .. }) => TouchCause::Inside(interval.lower),
            Outcome::Touching(CommonPoint::OfBodies(witness)) => self.cause_of(witness.features),
            Outcome::Touching(CommonPoint::OfTriangles(_, features)) => self.cause_of(features),
            Outcome::Beyond | Outcome::Contained(_) => TouchCause::Unknown,
        }
    }

    /// A time, at most `until` and at most the next jump of a motion, until which the bodies certainly touch because of
    /// `cause`.
    pub(crate) fn touches_until(&mut self, cause: &TouchCause<'q>, t: f64, until: f64, stats: &mut Stats) -> f64 {
        if self.movers.speed(t, until) == 0.0 && self.movers.margin(t, until) == 0.0 {
            return until;
        }
        match cause {
            TouchCause::Unknown => t,
            TouchCause::Inside(distance) => t + self.free(t, until, *distance),
            TouchCause::Pieces(pieces) if self.are_straight(t, until) => self.straight(pieces, t, until, stats),
            TouchCause::Pieces(pieces) => self.turning(pieces, t, until, stats),
        }
    }

    fn are_straight(&self, t: f64, until: f64) -> bool {
        let straight = |k: usize| {
            self.movers.motions[k].steady(t).is_some_and(|(steady, end)| steady.is_straight() && end >= until)
        };
        straight(0) && straight(1) && self.movers.margin(t, until) == 0.0
    }

    /// Certificate 1: bisection for the time at which the pieces part. It stops before the last digit, since another
    /// pair may touch for longer.
    fn straight(&mut self, pieces: &[ConvexPiece<'q>; 2], t: f64, until: f64, stats: &mut Stats) -> f64 {
        if self.are_near(pieces, until, stats) {
            return until;
        }
        let (mut low, mut high, moment) = (t, until, self.moment(t, until));
        while high - low > 0.125 * (low - t) && high - t > moment {
            let middle = 0.5 * low + 0.5 * high;
            if middle <= low || middle >= high {
                break;
            }
            if self.are_near(pieces, middle, stats) {
                low = middle;
            } else {
                high = middle;
            }
        }
        low
    }

    fn are_near(&mut self, [a, b]: &[ConvexPiece<'q>; 2], t: f64, stats: &mut Stats) -> bool {
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

    /// Certificate 2, as long as the pieces do not come much closer to parting: then another pair may be deeper.
    fn turning(&mut self, pieces: &[ConvexPiece<'q>; 2], t: f64, until: f64, stats: &mut Stats) -> f64 {
        let (mut now, mut longest) = (t, 0.0_f64);
        for _ in 0..MOST_STEPS {
            let step = self.free(now, until, self.room(pieces, now, stats));
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

    /// How far points may move against each other while the pieces certainly go on touching.
    fn room(&self, [a, b]: &[ConvexPiece<'q>; 2], t: f64, stats: &mut Stats) -> f64 {
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

    /// Until when no two points have moved against each other by `room`, at most `until`. Bounds on speeds are asked
    /// for over no longer a time than needed: over a long one they may be much larger.
    fn free(&self, t: f64, until: f64, room: f64) -> f64 {
        let (mut ahead, mut free) = (until - t, 0.0);
        for _ in 0..MOST_SPEEDS {
            let room = room - self.movers.margin(t, t + ahead);
            let time = room / self.movers.speed(t, t + ahead) * (1.0 - 1e-9);
            if time.is_nan() || time <= 0.0 {
                break;
            }
            free = time.min(ahead);
            if time >= 0.25 * ahead {
                break;
            }
            ahead = 4.0 * time;
        }
        free
    }

    /// A length that cannot be told from zero.
    pub(crate) fn resolution(&self, t: f64) -> f64 {
        Span::new(t, t).map_or(0.0, |now| 0.1 * self.movers.resolution(now))
    }

    /// A length of time in which no point moves by more than [`TouchingBodies::resolution`].
    pub(crate) fn moment(&self, t: f64, until: f64) -> f64 {
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
fn hollow(model: &Model) -> Model {
    match model {
        Model::Mesh(mesh) => Mesh::clone(mesh).into_surface().into(),
        other => other.clone(),
    }
}
