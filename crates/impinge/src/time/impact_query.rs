//! When two moving bodies first touch: chooses the engine that answers.
//!
//! First a static test decides whether the bodies touch when the span begins. If not, the search goes through the spans
//! in which both motions are smooth, one after the other. In each, conservative advancement finds the first contact of
//! two convex pieces ([`super::impact::advance`]), or of two trees of pieces ([`super::impact::trees`]). A
//! half-space that turns has no bound on its speed that holds for every other body, so there the search uses static
//! distances ([`super::movers::by_speed`]).
//!
//! `Auto` first tries to prove that volumes around the bodies stay apart
//! ([`super::impact::clearance::stay_far_apart`]), then measures their distance when the span begins, and steps on by
//! speed as long as few steps may lead to its end ([`super::movers::by_speed::SpeedSteps`]).
//! Advancement of two single pieces takes turns with further such steps and with the bounds of a sweep, each turn twice
//! as long as the one before, and each begins at the time until which the others have proven the pieces apart. None is
//! known beforehand to be the fastest: advancement is where pieces fly into each other, steps by speed where they are
//! far apart, the sweep where they turn at a small distance.

use glam::DVec3;

use super::deforming::straight_step::StraightStep;
use super::deforming::turning::carried_search::CarriedSearch;
use super::functions::contact_intervals::contact_intervals;
use super::impact::advance::{MOST_STEPS, PiecePair};
use super::impact::clearance::{clear_until, stay_far_apart};
use super::impact::closing::Closing;
use super::impact::contact_details::FirstContact;
use super::impact::facet::DifferenceFacet;
use super::impact::piece_contact::PieceContact;
use super::impact::ray_cast::ray_cast;
use super::impact::trees::earliest::EarliestMemory;
use super::impact::trees::first_found::TreeContact;
use super::impact::trees::tree_contact::TreeQuestion;
use super::movers::by_samples::first_sampled;
use super::movers::by_speed::{ROUGH, SpeedStep, SpeedSteps, first_contact, step};
use super::movers::contact_interval::ContactTime;
use super::movers::two_bodies::Movers;
use crate::answer::{Feature, Impact, Witness};
use crate::math::Interval;
use crate::narrow::body::BodyKind;
use crate::narrow::context::Context;
use crate::narrow::convex::convex_memory::ConvexMemory;
use crate::narrow::grid::memory::Memory;
use crate::narrow::outcome::Outcome;
use crate::narrow::parts::piece::ConvexPiece;
use crate::narrow::proximity::WitnessedGap;
use crate::path::Span;

/// The most pairs of nodes that sweeps open after a search that did not decide: a second or so.
const MOST_OPENED: usize = 1 << 16;
/// If the interval of a contact's time is wider than this share of the span, a sweep may make it narrower.
const WIDE_TIME: f64 = 1e-6;
/// The search begins again by this share of the rest before the time until which a sweep has proven the bodies apart.
const BEFORE_CLEAR: f64 = 1.0 / (1u64 << 18) as f64;
/// The most times that the search begins again from a time until which a sweep has proven the bodies apart.
const MOST_RESTARTS: usize = 2;
/// The steps of advancement and the pairs that sweeps open in the first turn for two single pieces.
const FIRST_TURN: [usize; 2] = [6, 4];
/// The most steps by speed before any other search: of two single pieces, which advancement measures as fast, and of
/// others.
const FIRST_STEPS: [usize; 2] = [1, 6];
/// Of two single pieces, advancement takes so many steps for each one by speed.
const ADVANCED_PER_STEP: usize = 4;
/// The most turns: then the sweep has opened 8 thousand pairs.
const MOST_TURNS: usize = 10;
/// The share of a span to which the time of a contact is narrowed.
const NARROW_TIME: f64 = 1e-10;
/// The most bisections for that: enough from the whole span on.
const MOST_HALVINGS: usize = 34;
/// Where it is not certain that bodies touched, they are tested again when they have moved on by the first number, as a
/// share of their size, and then again each time that they have moved on by the second number times as much.
const ADVANCE_BEFORE_TEST: [f64; 2] = [1e-11, 32.0];
/// The most tests of that kind.
const MOST_TESTS: usize = 4;
/// The most spans of smooth motion that one query goes through.
const MOST_SMOOTH_SPANS: usize = 1 << 20;

/// How `impact` finds the first contact.
///
/// ```
/// use impinge::{glam::DVec3, ImpactMethod, ImpactOptions, Pair, Pose, Round, Span, Steady};
/// let cube = Round::cuboid(DVec3::splat(2.0))?;
/// let mut pair = Pair::new(cube.clone(), cube);
/// let fast = Steady::straight(Pose::at(DVec3::X * -7.0)?, DVec3::X * 10.0, 0.0)?;
/// for method in [ImpactMethod::Auto, ImpactMethod::Advancement, ImpactMethod::BySpeed] {
///     let options = ImpactOptions { method, ..ImpactOptions::default() };
///     let impact = pair.impact_with(&fast, &Steady::still(Pose::IDENTITY), Span::UNIT, &options);
///     assert!(impact.time.is_some_and(|time| time.lower <= 0.5 && time.lower > 0.499));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum ImpactMethod {
    /// A ray cast against the difference of two convex bodies that only translate; else a few bounds that may prove
    /// that the bodies stay apart, and then advancement and sweeps, which take turns.
    #[default]
    Auto,
    /// Advancement with certificates of the second order, through the trees of both bodies, earliest first.
    Advancement,
    /// The roots of the functions of time that belong to pairs of features, for bodies of triangles of which at most
    /// one turns at a time; `Auto` for all others.
    ContactFunctions,
    /// Static distances and a bound on speeds: the slow oracle, and the classic conservative advancement.
    BySpeed,
    /// Samples of the static test at 1025 moments, and bisection: what comes and goes between two moments is missed.
    Bisection,
}

crate::error::named! {
    ImpactMethod {
        Auto = "auto",
        Advancement = "advancement",
        ContactFunctions = "contact-functions",
        BySpeed = "by-speed",
        Bisection = "bisection",
    }
}

/// What is asked of `impact`. Where only a yes or no is wanted, the faster question is
/// [`SweepOptions::enough`](crate::SweepOptions::enough).
///
/// ```
/// use impinge::{ImpactMethod, ImpactOptions};
/// let options = ImpactOptions { parting: true, ..ImpactOptions::default() };
/// assert_eq!((options.method, options.tolerance), (ImpactMethod::Auto, 0.0));
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct ImpactOptions {
    /// The engine that answers.
    pub method: ImpactMethod,
    /// How near counts as touching. Negative or NaN counts as 0.
    pub tolerance: f64,
    /// Whether the query also finds when the bodies part again.
    pub parting: bool,
}

/// The first contact, by the method asked for.
pub(crate) fn impact_by(
    movers: &Movers<'_>,
    span: Span,
    options: &ImpactOptions,
    mut context: Context<'_, MovingMemory<'_>>,
) -> Option<FirstContact> {
    let tolerance = options.tolerance.max(0.0);
    // `impact` tests the beginning of the span itself.
    if !matches!(options.method, ImpactMethod::Auto | ImpactMethod::Advancement)
        && let Some(contact) = movers.contact_at_start(span, tolerance, context.part(|m| m.pair))
    {
        return Some(contact);
    }
    match options.method {
        ImpactMethod::BySpeed => {
            let near = tolerance.max(movers.resolution(span));
            return by_speed(movers, span, near, context.part(|m| m.pair));
        }
        ImpactMethod::Bisection => {
            let time = first_sampled(movers, span, tolerance, context.part(|m| m.pair))?;
            return Some(movers.contact_at(
                span,
                ContactTime { time, certain: true },
                tolerance,
                context.part(|m| m.pair),
            ));
        }
        ImpactMethod::ContactFunctions => {
            if tolerance == 0.0
                && let Some(spans) = contact_intervals(movers, span, context.part(|m| m.pair))
            {
                let first = spans.first()?;
                return Some(movers.contact_at(
                    span,
                    ContactTime { time: first.begin, certain: first.certain },
                    0.0,
                    context.part(|m| m.pair),
                ));
            }
        }
        ImpactMethod::Auto | ImpactMethod::Advancement => {}
    }
    context.memory.search.engine = match options.method {
        ImpactMethod::Advancement => SolidEngine::Advancement,
        _ => SolidEngine::RayCast,
    };
    let contact = impact(movers, span, tolerance, context.lend());
    if !movers.have_holes() {
        return contact;
    }
    // A body may get inside a solid with holes through a hole, without touching its surface: only sampling finds that.
    let until = contact.map_or(span.to(), |contact| contact.time.upper);
    let Ok(before) = Span::new(span.from(), until) else { return contact };
    let sampled = first_sampled(movers, before, tolerance, context.part(|m| m.pair));
    let inside = sampled.filter(|time| time.upper < until || contact.is_none());
    inside
        .map(|time| movers.contact_at(span, ContactTime { time, certain: true }, tolerance, context.part(|m| m.pair)))
        .or(contact)
}

/// The first contact by static distances and speeds.
fn by_speed(movers: &Movers<'_>, span: Span, near: f64, mut context: Context<'_, Memory>) -> Option<FirstContact> {
    let first = first_contact(movers, span, near, context.lend())?;
    let certain = !matches!(first.answer, Outcome::Apart(_));
    Some(movers.contact_at(span, ContactTime { time: first.time, certain }, near, context))
}

/// The first contact of bodies of which one deforms. Within the step, from 0 to 1, the engines for straight steps and
/// for bodies that deform and turn answer; before and after it nothing deforms, and the bodies are rigid.
fn while_deforming(
    movers: &Movers<'_>,
    span: Span,
    tolerance: f64,
    mut context: Context<'_, Memory>,
) -> Option<FirstContact> {
    if let Some(contact) = movers.contact_at_start(span, tolerance, context.lend()) {
        return Some(contact);
    }
    let (from, to) = (span.from(), span.to());
    let stretches = [(from, to.min(0.0)), (from.max(0.0), to.min(1.0)), (from.max(1.0), to)];
    for (place, (from, to)) in stretches.into_iter().enumerate() {
        let Some(stretch) = Span::new(from, to).ok().filter(|_| from < to) else { continue };
        let contact = if place == 1 {
            within_step(movers, stretch, tolerance, context.lend())
        } else {
            let [a, b] = movers.models.map(|model| model.at(from));
            let rigid = Movers { models: [&a, &b], ..*movers };
            let memory = &mut MovingMemory { pair: &mut Memory::default(), search: &mut ImpactMemory::default() };
            impact(&rigid, stretch, tolerance, Context::new(memory, context.stats))
        };
        if let Some(mut contact) = contact {
            // If it is not certain, they may touch at any time from then on.
            contact.time.upper = if contact.certain { contact.time.upper } else { span.to() };
            return Some(contact);
        }
    }
    None
}

/// The first contact of bodies of which one deforms, over a span within the step; they do not touch when it begins.
fn within_step(
    movers: &Movers<'_>,
    span: Span,
    tolerance: f64,
    mut context: Context<'_, Memory>,
) -> Option<FirstContact> {
    if let Some(step) = StraightStep::of(movers, span) {
        let Impact { time, certain, separating, witness, normal, stats, .. } = step.impact(tolerance, false);
        context.stats.volume_tests += stats.volume_tests;
        context.stats.primitive_tests += stats.primitive_tests;
        context.stats.iterations += stats.iterations;
        return time.map(|time| FirstContact { time, certain, separating, normal, witness });
    }
    match CarriedSearch::new(movers, span, tolerance) {
        Some(search) => search.first(span, context.stats),
        None => by_speed(movers, span, tolerance.max(movers.resolution(span)), context.lend()),
    }
}

/// The contact of two convex bodies that only translate, by a ray cast. The outer `None` says that a body is not convex
/// or turns, or that the cast does not decide; the inner `None` that there is no contact.
fn by_ray(
    movers: &Movers<'_>,
    pieces: [&ConvexPiece<'_>; 2],
    span: Span,
    mut context: Context<'_, ImpactMemory>,
) -> Option<Option<PieceContact>> {
    let [Some((a, until_a)), Some((b, until_b))] = movers.motions.map(|motion| motion.steady(span.from())) else {
        return None;
    };
    let [ConvexPiece::Solid(solid_a), ConvexPiece::Solid(solid_b)] = pieces else { return None };
    let straight = a.is_straight() && b.is_straight() && until_a.min(until_b) >= span.to();
    if !straight || pieces.iter().any(|piece| piece.ball().is_none()) {
        return None;
    }
    let radii = movers.models.map(|model| model.reach());
    let closing = Closing::new(movers.motions, radii, span.from(), span.to());
    if closing.margin > 0.0 {
        return None;
    }
    let (pose_a, b_in_a) = closing.relative(span.from());
    let duration = span.to() - span.from();
    let velocity = pose_a.rotation_matrix().transpose() * (a.velocity() - b.velocity());
    let Some(cast) = ray_cast([solid_a, solid_b], &b_in_a, velocity * duration, context.stats) else {
        return Some(None);
    };
    if cast.share <= 0.0 {
        return None;
    }
    let t = span.from() + cast.share * duration;
    let pieces = PiecePair { pieces, tolerance: 0.0 };
    if let Some(facet) =
        cast.corners.and_then(|corners| DifferenceFacet::of_solids([solid_a, solid_b], &b_in_a, corners, velocity))
    {
        let later = t + pieces.time_to_sink(&b_in_a, t, velocity.dot(facet.normal));
        if later <= span.to()
            && let Some(touch) = facet.touch(&closing, t, later)
        {
            return Some(Some(touch));
        }
    }
    context.memory.solids = ConvexMemory::default();
    pieces.touch_at(&closing, span.from(), t, cast.normal, context.part(|m| &mut m.solids)).map(Some)
}

/// What is remembered between queries about moving bodies.
#[derive(Debug, Clone, Default)]
pub(crate) struct ImpactMemory {
    solids: ConvexMemory,
    earliest: EarliestMemory,
    /// As the options of the last call of [`impact_by`] say; [`impact`] alone does not change it.
    engine: SolidEngine,
}

/// The engine that finds the first contact of two convex bodies that only translate. Others always use advancement.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum SolidEngine {
    #[default]
    RayCast,
    Advancement,
}

/// All that a query about two moving bodies remembers.
#[derive(Debug)]
pub(crate) struct MovingMemory<'m> {
    /// What static queries about the pair remember.
    pub(crate) pair: &'m mut Memory,
    /// What the search for a first contact remembers.
    pub(crate) search: &'m mut ImpactMemory,
}

/// The first time at which two bodies come as near as `tolerance`; with 0, the first time at which they touch.
pub(crate) fn impact(
    movers: &Movers<'_>,
    span: Span,
    tolerance: f64,
    mut context: Context<'_, MovingMemory<'_>>,
) -> Option<FirstContact> {
    let bodies = [BodyKind::with_points(movers.models[0])?, BodyKind::with_points(movers.models[1])?];
    if movers.deform() {
        return while_deforming(movers, span, tolerance, context.part(|m| m.pair));
    }
    let single = [bodies[0].single_piece(), bodies[1].single_piece()];
    if let [Some(a), Some(b)] = &single
        && tolerance == 0.0
        && context.memory.search.engine == SolidEngine::RayCast
        && let Some(cast) = by_ray(movers, [a, b], span, context.part(|m| m.search))
    {
        return cast.map(|mut touch| {
            touch.time = movers.narrowed(touch.time, span, tolerance, context.part(|m| m.pair));
            first_contact_of(movers, &bodies, &TreeContact { touch, pieces: [0; 2] })
        });
    }
    let is_auto = context.memory.search.engine == SolidEngine::RayCast;
    // A test of a half-space costs less than bounds on a motion.
    if is_auto
        && bodies.iter().any(|body| body.half_space().is_some())
        && let Some(contact) = movers.contact_at_start(span, tolerance, context.part(|m| m.pair))
    {
        return Some(contact);
    }
    let by_bounds = !turns_without_bounds(movers, &bodies, span);
    let is_single = matches!(single, [Some(_), Some(_)]);
    if by_bounds
        && !is_single
        && is_auto
        && stay_far_apart(movers, [&bodies[0], &bodies[1]], span, tolerance, context.stats)
    {
        return None;
    }
    // For two single pieces, the first measurement of advancement decides whether they touch when the span begins.
    // Only for steady motions: bounds on others may cost more than a test.
    let is_steady = movers.are_steady();
    let advance_tests_start = by_bounds && is_single && is_steady;
    let mut steps = SpeedSteps::NEW;
    let mut from = span.from();
    let most = FIRST_STEPS[usize::from(!is_single)];
    if is_auto && by_bounds && !advance_tests_start {
        match start_by_speed(movers, span, tolerance, (&mut steps, most), context.part(|m| m.pair)) {
            Started::Decided(contact) => return contact,
            Started::ClearUntil(t) => from = t,
        }
    } else if !advance_tests_start
        && let Some(contact) = movers.contact_at_start(span, tolerance, context.part(|m| m.pair))
    {
        return Some(contact);
    }
    if !by_bounds {
        return by_speed(movers, span, tolerance.max(movers.resolution(span)), context.part(|m| m.pair));
    }
    let radii = movers.models.map(|model| model.reach());
    let mut turn = Turn::first(is_single);
    let mut question = TreeQuestion { bodies, tolerance, until: span.to(), clear: from, done: 0 };
    for _ in 0..MOST_SMOOTH_SPANS {
        let closing = Closing::new(movers.motions, radii, from, span.to());
        let found = match &single {
            [Some(a), Some(b)] => {
                context.memory.search.solids = ConvexMemory::default();
                let pieces = PiecePair { pieces: [a, b], tolerance };
                let (part, solids) = ([from, closing.until.next_up()], context.part(|m| &mut m.search.solids));
                let touch = pieces.advance_by(&closing, part, turn.steps, solids);
                touch.map(|touch| TreeContact { touch, pieces: [0; 2] })
            }
            _ => {
                let MovingMemory { pair, search } = &mut *context.memory;
                let by_speed = is_auto.then_some((&mut steps, &mut **pair));
                let context = Context::new(&mut search.earliest, &mut *context.stats);
                question.first_contact(movers, &closing, from, by_speed, context)
            }
        };
        if let Some(mut found) = found {
            if advance_tests_start
                && found.touch.time.lower <= span.from()
                && let Some(contact) = movers.contact_at_start(span, tolerance, context.part(|m| m.pair))
            {
                return Some(contact);
            }
            let ran_out = is_single && found.touch.is_open();
            if !found.touch.certain
                && !ran_out
                && let Some(sure) =
                    movers.touching_soon(found.touch.time.lower, span, tolerance, context.part(|m| m.pair))
            {
                (found.touch.time.upper, found.touch.certain) = (sure, true);
            }
            let PieceContact { time: Interval { lower, upper }, certain, .. } = found.touch;
            // Where the search did not decide, the bounds of a sweep may prove that the bodies are apart from there on.
            let is_open = ran_out || !certain && lower < upper || upper - lower > WIDE_TIME * (span.to() - span.from());
            if is_open
                && turn.is_allowed()
                && let Ok(mut rest) = Span::new(lower, if certain { upper } else { span.to() })
            {
                if ran_out && is_auto {
                    let ends = [lower, span.to()];
                    let pair = context.part(|m| m.pair);
                    let clear = steps.go_on(movers, ends, tolerance, turn.steps / ADVANCED_PER_STEP, pair)?;
                    rest = Span::new(clear, span.to()).unwrap_or(rest);
                }
                let lower = rest.from();
                let clear = clear_until(movers, rest, tolerance, turn.opened, context.stats);
                if clear.is_none() && !certain {
                    return None;
                }
                // Advancement begins with a gap whose direction shows.
                let back = BEFORE_CLEAR * (rest.to() - lower);
                let clear = clear.map(|t| t - back).filter(|t| t - lower > WIDE_TIME * (upper - lower));
                if clear.is_some() || ran_out {
                    (from, turn) = (clear.unwrap_or(lower), turn.next());
                    continue;
                }
            }
            if certain {
                found.touch.time = movers.narrowed(found.touch.time, span, tolerance, context.part(|m| m.pair));
                // A search that began shortly before the contact may not have seen the pieces a little earlier.
                if from > span.from() {
                    let time = ContactTime { time: found.touch.time, certain };
                    return Some(movers.contact_at(span, time, tolerance, context.part(|m| m.pair)));
                }
            }
            return Some(first_contact_of(movers, &bodies, &found));
        }
        if closing.until >= span.to() {
            return None;
        }
        from = closing.until;
    }
    let (time, witness, normal) = (Interval { lower: from, upper: span.to() }, None, None);
    Some(FirstContact { time, certain: false, separating: false, normal, witness })
}

/// What the distance at the beginning, and steps by speed from there, tell.
enum Started {
    Decided(Option<FirstContact>),
    ClearUntil(f64),
}

/// Measures how far apart the bodies are when the span begins, and steps on by speed as long as few steps may lead to
/// its end.
fn start_by_speed(
    movers: &Movers<'_>,
    span: Span,
    tolerance: f64,
    (steps, most): (&mut SpeedSteps, usize),
    mut context: Context<'_, Memory>,
) -> Started {
    let (from, to) = (span.from(), span.to());
    let later = match step(movers, [from, to], tolerance, ROUGH, context.lend()) {
        SpeedStep::Never => return Started::Decided(None),
        SpeedStep::Until(later, _) => later,
        SpeedStep::Near(answer) => {
            if let Outcome::Apart(WitnessedGap { interval, .. }) = &answer {
                // The margin of a whole span may be much wider than where it begins.
                let margin = movers.margin(from, movers.smooth_until(from).min(to));
                if interval.lower > tolerance + margin {
                    return Started::ClearUntil(from);
                }
                if margin > 0.0 && interval.lower > tolerance {
                    let time = ContactTime { time: Interval { lower: from, upper: from }, certain: false };
                    return Started::Decided(Some(movers.contact_at(span, time, tolerance, context)));
                }
            }
            return match movers.contact_of_start(span, tolerance, answer, context) {
                Some(contact) => Started::Decided(Some(contact)),
                None => Started::ClearUntil(from),
            };
        }
    };
    let clear = steps.take([from, later, to]);
    match steps.go_on(movers, [clear, to], tolerance, most, context) {
        Some(clear) => Started::ClearUntil(clear),
        None => Started::Decided(None),
    }
}

/// What the search for a contact and the sweep that proves the bodies apart may do before the other one goes on.
#[derive(Debug, Clone, Copy)]
struct Turn {
    steps: usize,
    opened: usize,
    left: usize,
}

impl Turn {
    /// The first turn, for two single pieces or for trees, whose searches end by themselves.
    fn first(single: bool) -> Turn {
        match single {
            true => Turn { steps: FIRST_TURN[0], opened: FIRST_TURN[1], left: MOST_TURNS },
            false => Turn { steps: MOST_STEPS, opened: MOST_OPENED / 2, left: MOST_RESTARTS },
        }
    }

    fn next(self) -> Turn {
        let opened = (2 * self.opened).min(MOST_OPENED / 2);
        Turn { steps: (2 * self.steps).min(MOST_STEPS), opened, left: self.left - 1 }
    }

    fn is_allowed(&self) -> bool {
        self.left > 0
    }
}

impl Movers<'_> {
    /// The interval of a certain contact's time, made narrower by bisection with the static test. The search calls a
    /// contact certain when the bodies are deeper in each other than the rounding error of their largest extent; for a
    /// small body on a wide floor that is long after they touch.
    fn narrowed(&self, time: Interval, span: Span, tolerance: f64, mut context: Context<'_, Memory>) -> Interval {
        let Interval { lower, mut upper } = time;
        let (mut apart, wide) = (lower, NARROW_TIME * (span.to() - span.from()));
        for _ in 0..MOST_HALVINGS {
            let middle = 0.5 * apart + 0.5 * upper;
            if upper - apart <= wide || middle <= apart || middle >= upper {
                break;
            }
            *(if self.touch_at(middle, tolerance, context.lend()) { &mut upper } else { &mut apart }) = middle;
        }
        Interval { lower, upper }
    }

    /// A time soon after `t` at which the bodies certainly touch. When a point passes through a triangle, there may be
    /// no floating-point time at which it is on it; but if the triangle bounds a solid, the point is inside a little
    /// later.
    fn touching_soon(&self, t: f64, span: Span, tolerance: f64, mut context: Context<'_, Memory>) -> Option<f64> {
        let mut way = ADVANCE_BEFORE_TEST[0] * self.size_at(t);
        // Nothing depends on the speed but which times are tested.
        let now = self.speed(t, t);
        let speed = if now > 0.0 { now } else { self.speed(t, span.to()) };
        for _ in 0..MOST_TESTS {
            let later = (t + way / speed).max(t.next_up());
            if later > span.to() {
                return None;
            }
            if self.touch_at(later, tolerance, context.lend()) {
                return Some(later);
            }
            way *= ADVANCE_BEFORE_TEST[1];
        }
        None
    }
}

/// Whether a half-space turns, so that the speed of its points has no bound; or both bodies are half-spaces.
fn turns_without_bounds(movers: &Movers<'_>, bodies: &[BodyKind<'_>; 2], span: Span) -> bool {
    (0..2).any(|k| {
        bodies[k].half_space().is_some() && {
            let rates = movers.motions[k].rates(span.from(), span.to());
            rates.spin != DVec3::ZERO || rates.spin_spread > 0.0
        }
    }) || bodies.iter().all(|body| body.half_space().is_some())
}

fn first_contact_of(movers: &Movers<'_>, bodies: &[BodyKind<'_>; 2], found: &TreeContact) -> FirstContact {
    let PieceContact { time, certain, normal, witness } = found.touch;
    let pose_a = movers.motions[0].pose(time.lower);
    let witness = witness.map(|w| {
        let feature = |k: usize| -> Feature { bodies[k].feature_at(found.pieces[k], w.carriers[k]) };
        Witness { points: w.points, features: [feature(0), feature(1)] }.placed(&pose_a)
    });
    let normal = Some(normal).filter(|n| *n != DVec3::ZERO).map(|n| pose_a.rotate(n));
    FirstContact { time, certain, separating: false, normal, witness }
}
