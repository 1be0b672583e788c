//! How near two bodies come during a motion: chooses the engine that answers, and states its question.

use glam::DVec3;

use super::movers::by_speed::least_distance;
use super::movers::carried_body::CarriedBody;
use super::movers::pairs_by_tests::{PairsQuestion, pairs_by_tests};
use super::movers::two_bodies::Movers;
use super::sweep::node_shape::SweepNode;
use super::sweep::search::{SweepQuestion, search};
use super::sweep::stretch::SweepBound;
use crate::math::{EPS, Interval, LIMIT, Relative};
use crate::model::{Mesh, Model};
use crate::narrow::body::BodyKind;
use crate::narrow::context::Context;
use crate::narrow::grid::memory::Memory;
use crate::narrow::mesh::sweep::swept_meshes::MeshSweep;
use crate::narrow::outcome::Outcome;
use crate::narrow::proximity::{CommonPoint, Proximity, WitnessedGap};
use crate::path::{Motion, Span, Steady};

/// How `sweep` bounds what a turning body sweeps. The intervals differ in width and in what they cost; all hold.
///
/// ```
/// use impinge::{glam::DVec3, Pair, Pose, Round, Span, Steady, SweepMethod, SweepOptions};
/// let mut pair = Pair::new(Round::segment(DVec3::ZERO, DVec3::X * 2.0)?, Round::point(DVec3::Y * 3.0)?);
/// let turning = Steady::turning(Pose::IDENTITY, DVec3::ZERO, DVec3::Z * 3.0, 0.0)?;
/// for method in [SweepMethod::Auto, SweepMethod::ChordBulge, SweepMethod::BySpeed] {
///     let options = SweepOptions { method, tolerance: 1e-3, ..SweepOptions::default() };
///     let sweep = pair.sweep_with(&turning, &Steady::still(Pose::IDENTITY), Span::UNIT, &options);
///     assert!(sweep.interval.contains(1.0));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum SweepMethod {
    /// The method that measured best: [`SweepMethod::ChordBulge`].
    #[default]
    Auto,
    /// Xavier's simple method: the hull of start and end, less its error. Time is divided only where a body turns by
    /// more than a half turn, so that the interval is as wide as the error of the method.
    Simple,
    /// Xavier's conservative method: the tangents of every corner's path, where they hold, else the bulge.
    TangentHull,
    /// Chords with their bulge.
    ChordBulge,
    /// Static distances and a bound on speeds: the slow oracle.
    BySpeed,
}

crate::error::named! {
    SweepMethod {
        Auto = "auto",
        Simple = "simple",
        TangentHull = "tangent-hull",
        ChordBulge = "chord-bulge",
        BySpeed = "by-speed",
    }
}

/// What is asked of `sweep`.
///
/// ```
/// use impinge::{SweepMethod, SweepOptions};
/// let options = SweepOptions { method: SweepMethod::Simple, ..SweepOptions::default() };
/// assert_eq!((options.tolerance, options.enough), (1e-7, None));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct SweepOptions {
    /// How turning is bounded.
    pub method: SweepMethod,
    /// How wide the interval may be, relative to the size of the bodies and the way they go. Where neither body turns
    /// the interval is as narrow as rounding lets it be. Negative or NaN counts as 0.
    pub tolerance: f64,
    /// Whether it is enough to know that they come this near, or do not. The search ends at the first time found:
    /// `interval.upper` is then no more than this; where they do not come this near, `interval.lower` is more, and
    /// `interval.upper` may be infinite. Negative or NaN counts as 0.
    pub enough: Option<f64>,
}

impl Default for SweepOptions {
    fn default() -> SweepOptions {
        SweepOptions { method: SweepMethod::Auto, tolerance: 1e-7, enough: None }
    }
}

/// Two primitives that come near during a motion.
///
/// ```
/// use impinge::{glam::DVec3, Limit, Pair, Pose, Round, Span, Steady};
/// let ball = Round::sphere(1.0)?;
/// let past = Steady::straight(Pose::at(DVec3::new(-5.0, 3.0, 0.0))?, DVec3::X * 10.0, 0.0)?;
/// let mut pair = Pair::new(ball.clone(), ball);
/// let (near, complete) = pair.sweep_pairs(&past, &Steady::still(Pose::IDENTITY), Span::UNIT, 1.5, Limit::All);
/// assert!(complete && near.len() == 1 && near[0].pair == [0, 0] && near[0].distance <= 1.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SweptPair {
    /// The triangles or pieces, by their indices as given; a single body is number 0.
    pub pair: [u32; 2],
    /// A time at which they come near.
    pub time: f64,
    /// How far they are apart then, from above. More than was asked where rounding, or a cap, left it open whether they
    /// come as near at some other time.
    pub distance: f64,
}

/// The least distance, and how near the bodies are at that time.
#[derive(Debug, Clone)]
pub(crate) struct NearestInTime {
    pub(crate) interval: Interval,
    pub(crate) time: f64,
    /// The static answer, in the frame of `a`; `None` where the bodies never come as near as was asked.
    pub(crate) answer: Option<Proximity>,
}

impl SweepMethod {
    fn kind(self) -> SweepBound {
        match self {
            SweepMethod::Simple => SweepBound::Ends,
            SweepMethod::TangentHull => SweepBound::Tangents,
            SweepMethod::Auto | SweepMethod::ChordBulge | SweepMethod::BySpeed => SweepBound::Bulge,
        }
    }
}

/// The least distance over a span.
///
/// If the least distance found is no more than rounding, the bodies may touch just before or after the time found.
/// These times are tested, so that a contact is not reported as a tiny distance.
pub(crate) fn closest(
    movers: &Movers<'_>,
    span: Span,
    options: &SweepOptions,
    mut context: Context<'_, Memory>,
) -> NearestInTime {
    let found = least_over_span(movers, span, options, context.lend());
    let Interval { lower, upper } = found.interval;
    let size = || movers.models.iter().map(|model| model.radius()).filter(|r| r.is_finite()).fold(0.0, f64::max);
    if lower > 0.0 || upper == 0.0 || upper > TINY * size() || movers.margin(span.from(), span.to()) > 0.0 {
        return found;
    }
    let length = span.to() - span.from();
    let around = TIMES_AROUND.iter().flat_map(|part| [found.time - part * length, found.time + part * length]);
    for time in around.filter(|time| (span.from()..=span.to()).contains(time)) {
        let answer = movers.nearest(time, 0.0, context.lend());
        if matches!(answer, Outcome::Touching(_) | Outcome::Contained(_)) {
            return NearestInTime { interval: Interval::ZERO, time, answer: Some(answer) };
        }
    }
    found
}

/// A distance below this share of the bodies' size may be a contact that the search missed. It is looked for at times
/// that differ from the time found by the shares of the span in [`TIMES_AROUND`].
const TINY: f64 = 1e-6;
const TIMES_AROUND: [f64; 6] = [1e-12, 1e-9, 1e-6, 1e-4, 1e-2, 0.1];

/// The size of a mesh is taken from the ball around its box, which is larger than the mesh.
const SHARE_OF_BOX: f64 = 0.75;

fn least_over_span(
    movers: &Movers<'_>,
    span: Span,
    options: &SweepOptions,
    mut context: Context<'_, Memory>,
) -> NearestInTime {
    let within = options.enough.map_or(f64::INFINITY, |d| d.max(0.0));
    if options.method != SweepMethod::BySpeed
        && let [Model::Mesh(a), Model::Mesh(b)] = movers.models
        && let Some(passing) = Passing::of(movers, [a, b], span)
        && !passing.still
    {
        return passing.closest(movers, [a, b], within, context.lend());
    }
    let nothing = NearestInTime { interval: Interval::INFINITE, time: span.from(), answer: None };
    let [Some(a), Some(b)] = movers.models.map(CarriedBody::of) else { return nothing };
    let are_planes = a.half_space().is_some() && b.half_space().is_some();
    // Another body gets inside a solid with holes without touching it.
    if are_planes || options.method == SweepMethod::BySpeed || movers.deform() && movers.have_holes() {
        let least = least_distance(movers, span, tolerance(movers, span, options), context.lend());
        let answer = movers.nearest(least.time, f64::INFINITY, context.lend());
        return NearestInTime { interval: least.interval, time: least.time, answer: Some(answer) };
    }
    let ask = SweepQuestion {
        kind: options.method.kind(),
        tolerance: SHARE_OF_BOX * tolerance(movers, span, options),
        within,
        all: false,
        limit: 0,
    };
    let (time, floor) = if is_still(movers, span) {
        (span.from(), f64::INFINITY)
    } else {
        let found = search(movers, [&a, &b], span, &ask, context.stats);
        let time = found.best.map(|best| best.time).or_else(|| {
            // The search reached a cap before it measured any pair: the distance at any time is an upper bound.
            found.open.map(|open| nearest_of([open, span.from(), span.to()], movers, context.lend()))
        });
        let Some(time) = time else {
            return NearestInTime { interval: Interval { lower: found.floor, upper: f64::INFINITY }, ..nothing };
        };
        (time, found.floor)
    };
    let answer = movers.nearest(time, f64::INFINITY, context.lend());
    let margin = movers.margin(time, time);
    let interval = match &answer {
        Outcome::Beyond => Interval::INFINITE,
        Outcome::Apart(WitnessedGap { interval, .. }) => {
            Interval { lower: interval.lower.min(floor), upper: interval.upper + margin }
        }
        _ => Interval { lower: 0.0, upper: margin },
    };
    NearestInTime { interval, time, answer: Some(answer) }
}

/// The one of these times at which the bodies are nearest; the first, if several are equal.
fn nearest_of(times: [f64; 3], movers: &Movers<'_>, mut context: Context<'_, Memory>) -> f64 {
    let mut best = (times[0], f64::INFINITY);
    for t in times {
        let upper = match movers.nearest(t, f64::INFINITY, context.lend()) {
            Outcome::Beyond => f64::INFINITY,
            Outcome::Apart(WitnessedGap { interval, .. }) => interval.upper,
            _ => 0.0,
        };
        if upper < best.1 {
            best = (t, upper);
        }
    }
    best.0
}

/// All pairs of primitives that come as near as `within`, in the order of their indices, and whether these are
/// certainly all of them.
pub(crate) fn pairs_within(
    movers: &Movers<'_>,
    span: Span,
    within: f64,
    limit: usize,
    mut context: Context<'_, Memory>,
) -> (Vec<SweptPair>, bool) {
    let [Some(a), Some(b)] = movers.models.map(BodyKind::with_points) else { return (Vec::new(), true) };
    if movers.deform() {
        let fine = tolerance(movers, span, &SweepOptions::default());
        let (near, complete) = pairs_by_tests(movers, span, &PairsQuestion { within, fine, limit }, context.stats);
        let pairs = near.into_iter().map(|(pair, [time, distance])| SweptPair { pair, time, distance });
        return in_order(pairs.collect(), complete, limit);
    }
    if let (BodyKind::Mesh(a), BodyKind::Mesh(b)) = (&a, &b)
        && let Some(passing) = Passing::of(movers, [a, b], span)
    {
        let sweep = passing.sweep([a, b]);
        let (near, complete) = sweep.pairs(within.max(0.0), limit, u64::MAX, context.part(Memory::of_meshes));
        let pairs = near.iter().flat_map(|near| {
            let (time, distance) = (passing.at(near.time), near.upper);
            let pair = move |i| b.all_at(near.places[1]).map(move |j| SweptPair { pair: [i, j], time, distance });
            a.all_at(near.places[0]).flat_map(pair)
        });
        return in_order(pairs.collect(), complete, limit);
    }
    let options = SweepOptions::default();
    let tolerance = tolerance(movers, span, &options);
    let ask = SweepQuestion { kind: SweepBound::Bulge, tolerance, within: within.max(0.0), all: true, limit };
    let trees = [CarriedBody::Rigid(a), CarriedBody::Rigid(b)];
    let found = search(movers, [&trees[0], &trees[1]], span, &ask, context.stats);
    let mut pairs = Vec::new();
    for near in &found.all {
        let (time, distance) = (near.time, near.upper);
        for i in equal_triangles(&a, near.nodes[0]) {
            pairs.extend(equal_triangles(&b, near.nodes[1]).map(|j| SweptPair { pair: [i, j], time, distance }));
        }
    }
    in_order(pairs, found.complete, limit)
}

fn in_order(mut pairs: Vec<SweptPair>, complete: bool, limit: usize) -> (Vec<SweptPair>, bool) {
    pairs.sort_unstable_by_key(|x| x.pair);
    let complete = complete && pairs.len() <= limit;
    pairs.truncate(limit);
    (pairs, complete)
}

/// Two bodies that do not turn: in the frame of `a`, `b` moves along a straight line.
struct Passing {
    start: Relative,
    way: DVec3,
    span: Span,
    /// Whether they do not move relative to each other.
    still: bool,
    /// How far rounding may move the bodies.
    rounding: f64,
}

impl Passing {
    /// `None` where a body turns or has no triangles, or where a motion has a margin.
    #[inline(always)]
    fn of(movers: &Movers<'_>, [a, b]: [&Mesh; 2], span: Span) -> Option<Passing> {
        let (from, to) = (span.from(), span.to());
        let [one, other] = movers.motions;
        let (mut of_one, mut of_other) = (None, None);
        let (x, y) = (steady(one, span, &mut of_one)?, steady(other, span, &mut of_other)?);
        if !x.is_straight() || !y.is_straight() || a.is_empty() || b.is_empty() {
            return None;
        }
        // No point of a mesh is farther from its origin than twice its farthest coordinate.
        let margin = one.margin(from, to, 2.0 * a.aabb().reach()) + other.margin(from, to, 2.0 * b.aabb().reach());
        let ([x0, x1], [y0, y1]) = ([x.origin_at(from), x.origin_at(to)], [y.origin_at(from), y.origin_at(to)]);
        // The position of a body that moves is rounded.
        let far = |motion: &Steady, p: DVec3, q: DVec3| {
            if motion.velocity() == DVec3::ZERO { 0.0 } else { p.abs().max(q.abs()).max_element() }
        };
        let far = far(x, x0, x1).max(far(y, y0, y1));
        if margin > 0.0 || far > LIMIT {
            return None;
        }
        let start = Relative::new(x.pose_at_start(), y.pose_at_start());
        let turn = x.pose_at_start().rotation_matrix().transpose();
        let start = Relative { translation: turn * (y0 - x0), ..start };
        let way = turn * (y1 - x1) - start.translation;
        let still = from == to || x.velocity() == y.velocity();
        Some(Passing { start, way, span, still, rounding: 4.0 * EPS * far })
    }

    fn sweep<'m>(&self, [a, b]: [&'m Mesh; 2]) -> MeshSweep<'m> {
        MeshSweep::new(a, b, &self.start, self.way, self.rounding)
    }

    /// The time at a fraction of the way.
    fn at(&self, u: f64) -> f64 {
        (self.span.from() + u * (self.span.to() - self.span.from())).clamp(self.span.from(), self.span.to())
    }

    /// The least distance of two meshes. If their surfaces never touch, one is inside the other at all times or never.
    fn closest(
        &self,
        movers: &Movers<'_>,
        meshes: [&Mesh; 2],
        within: f64,
        mut context: Context<'_, Memory>,
    ) -> NearestInTime {
        let (floor, near) = self.sweep(meshes).nearest(within, context.part(Memory::of_meshes));
        let time = near.map_or(self.span.from(), |near| self.at(near.time));
        let solid = meshes[0].is_solid() || meshes[1].is_solid();
        let nothing = NearestInTime { interval: Interval { lower: floor, upper: f64::INFINITY }, time, answer: None };
        if near.is_none() && !solid {
            return nothing;
        }
        let [a, b] = movers.poses(time);
        let b_in_a = Relative::new(&a, &b);
        let touching = |answer| NearestInTime { interval: Interval::ZERO, time, answer: Some(answer) };
        let answer = near.map(|near| MeshSweep::at(meshes, &b_in_a, near.places));
        if let Some(answer @ Outcome::Touching(CommonPoint::OfTriangles(..))) = answer {
            return touching(answer);
        }
        if solid || near.is_some_and(|near| near.lower == 0.0) {
            // If the surfaces never touch, no body gets inside the other during the span: any time decides.
            let touch = match floor > 0.0 {
                true => MeshSweep::contained(meshes, &b_in_a, context.stats),
                false => movers.nearest(time, 0.0, context.lend()),
            };
            if !matches!(touch, Outcome::Beyond) {
                return touching(touch);
            }
        }
        let Some(Outcome::Apart(WitnessedGap { interval, witness })) = answer else { return nothing };
        let interval = Interval { lower: interval.lower.min(floor), upper: interval.upper };
        NearestInTime { interval, time, answer: Some(Outcome::Apart(WitnessedGap { interval, witness })) }
    }
}

/// The indices of a primitive in the model as given. A mesh may contain the same triangle several times.
fn equal_triangles<'m>(tree: &BodyKind<'m>, node: SweepNode) -> impl Iterator<Item = u32> + use<'m> {
    let all = match (*tree, node) {
        (BodyKind::Mesh(mesh), SweepNode::Triangle(place)) => Some(mesh.all_at(place)),
        _ => None,
    };
    let one = if all.is_some() { None } else { Some(tree.given_index(node)) };
    all.into_iter().flatten().chain(one)
}

/// The motion, if it is steady over the span. A motion that has to be copied for that is kept in `copy`.
#[inline(always)]
fn steady<'m>(motion: &'m dyn Motion, span: Span, copy: &'m mut Option<(Steady, f64)>) -> Option<&'m Steady> {
    if let Some(steady) = motion.always_steady() {
        return Some(steady);
    }
    *copy = motion.steady(span.from());
    copy.as_ref().filter(|(_, until)| *until >= span.to()).map(|(steady, _)| steady)
}

/// The velocities, where neither body turns.
fn straight(movers: &Movers<'_>, span: Span) -> Option<[DVec3; 2]> {
    let (mut of_a, mut of_b) = (None, None);
    let [a, b] = movers.motions;
    let (a, b) = (steady(a, span, &mut of_a)?, steady(b, span, &mut of_b)?);
    (a.is_straight() && b.is_straight()).then(|| [a.velocity(), b.velocity()])
}

/// Whether the bodies do not move relative to each other: then one time decides for the whole span.
fn is_still(movers: &Movers<'_>, span: Span) -> bool {
    span.from() == span.to() || !movers.deform() && straight(movers, span).is_some_and(|[a, b]| a == b)
}

/// The tolerance as a length.
fn tolerance(movers: &Movers<'_>, span: Span, options: &SweepOptions) -> f64 {
    if straight(movers, span).is_some() && options.method != SweepMethod::BySpeed && !movers.deform() {
        return 0.0;
    }
    let radius = |model: &Model| {
        let centre = BodyKind::with_points(model)
            .map_or(DVec3::ZERO, |tree| tree.shape(SweepNode::Node(tree.root())).shape.centre());
        Some(model.radius_about(centre)).filter(|r| r.is_finite()).unwrap_or(0.0)
    };
    let [from, to] = [span.from(), span.to()].map(|t| {
        let [a, b] = movers.poses(t);
        b.translation() - a.translation()
    });
    let size = radius(movers.models[0]) + radius(movers.models[1]) + (to - from).length();
    options.tolerance.max(0.0) * size
}
