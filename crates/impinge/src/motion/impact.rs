//! When two moving bodies first touch: which engine answers.
//!
//! Bodies that touch when the span begins do so at once. Else steady pieces of the motions are taken one after the
//! other; in each, two convex pieces advance ([`super::advance`]), and trees of pieces are searched for the earliest
//! contact ([`super::earliest`]). A half-space that turns has no bound on its speed that does not look at the other
//! body, so there the static distance answers ([`super::by_speed`]).

use glam::DVec3;

use super::Span;
use super::advance::{Pieces, Touch};
use super::boughs::Boughs;
use super::by_speed::{Movers, first_contact};
use super::closing::Closing;
use super::earliest::{Earliest, EarliestMemory, Search};
use crate::answer::{Feature, Stats, Witness};
use crate::math::Interval;
use crate::narrow::{Answer, Memory, Recollection};

/// Pieces of motions that one question goes through.
const MOST_WINDOWS: usize = 1 << 20;

/// What is remembered between questions about moving bodies.
#[derive(Debug, Clone, Default)]
pub(crate) struct ImpactMemory {
    solids: Recollection,
    earliest: EarliestMemory,
}

/// The first contact, in the world.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Struck {
    pub(crate) time: Interval,
    pub(crate) certain: bool,
    pub(crate) separating: bool,
    pub(crate) normal: Option<DVec3>,
    pub(crate) witness: Option<Witness>,
}

/// The first time that two bodies come as near as `tolerance`, which is 0 to ask when they touch.
pub(crate) fn impact(
    movers: &Movers<'_>,
    span: Span,
    tolerance: f64,
    memory: &mut Memory,
    own: &mut ImpactMemory,
    stats: &mut Stats,
) -> Option<Struck> {
    let bodies = [Boughs::of(movers.models[0])?, Boughs::of(movers.models[1])?];
    if let Some(struck) = at_start(movers, span, tolerance, memory, stats) {
        return Some(struck);
    }
    if turns_without_bounds(movers, &bodies, span) {
        let first = first_contact(movers, span, tolerance.max(movers.resolution(span)), memory, stats)?;
        return Some(of_answer(movers, first.time, first.answer));
    }
    let radii = movers.models.map(|model| model.reach());
    let mut from = span.from();
    for _ in 0..MOST_WINDOWS {
        let closing = Closing::new(movers.motions, radii, from, span.to());
        let found = match (bodies[0].single(), bodies[1].single()) {
            (Some(a), Some(b)) => {
                own.solids = Recollection::default();
                let pieces = Pieces { pieces: [&a, &b], tolerance };
                let touch = pieces.advance(&closing, from, closing.until.next_up(), &mut own.solids, stats);
                touch.map(|touch| Earliest { touch, pieces: [0; 2] })
            }
            _ => Search { bodies, tolerance }.run(&closing, from, &mut own.earliest, stats),
        };
        if let Some(found) = found {
            return Some(of_touch(movers, &bodies, &found));
        }
        if closing.until >= span.to() {
            return None;
        }
        from = closing.until;
    }
    let (time, witness, normal) = (Interval { lower: from, upper: span.to() }, None, None);
    Some(Struck { time, certain: false, separating: false, normal, witness })
}

impl Movers<'_> {
    /// A length below which bodies that turn without bounds are not told from touching.
    fn resolution(&self, span: Span) -> f64 {
        let reach = self.models.iter().map(|model| model.reach()).sum::<f64>();
        let [a, b] = self.poses(span.from());
        1e-9 * (reach + (b.translation() - a.translation()).length())
    }
}

fn turns_without_bounds(movers: &Movers<'_>, bodies: &[Boughs<'_>; 2], span: Span) -> bool {
    (0..2).any(|k| {
        let rates = movers.motions[k].rates(span.from(), span.to());
        bodies[k].half_space().is_some() && (rates.spin != DVec3::ZERO || rates.spin_spread > 0.0)
    }) || bodies.iter().all(|body| body.half_space().is_some())
}

/// The contact that there is when the span begins.
fn at_start(movers: &Movers<'_>, span: Span, tolerance: f64, memory: &mut Memory, stats: &mut Stats) -> Option<Struck> {
    let t = span.from();
    let answer = movers.nearest(t, tolerance, memory, stats);
    match &answer {
        Answer::Nothing => return None,
        Answer::Apart(interval, _) if tolerance == 0.0 || interval.lower > tolerance => return None,
        _ => {}
    }
    let time = Interval { lower: t, upper: t };
    let mut struck = of_answer(movers, time, answer);
    if struck.normal.is_none()
        && let Some(deep) = movers.query(t).deepest(memory, stats)
    {
        let [pose_a, _] = movers.poses(t);
        struck.normal = Some(pose_a.rotate(deep.normal));
        struck.witness = struck.witness.or(deep.witness.map(|w| w.placed(&pose_a)));
    }
    struck.separating = movers.is_separating(t, &struck) || movers.part_soon(span, memory, stats);
    Some(struck)
}

impl Movers<'_> {
    /// Whether bodies that touch are apart a moment later: of surfaces that lie on each other no single normal tells.
    fn part_soon(&self, span: Span, memory: &mut Memory, stats: &mut Stats) -> bool {
        [1e-9, 1e-6].iter().any(|share| {
            let later = span.from() + share * (span.to() - span.from());
            later > span.from()
                && matches!(self.nearest(later, 0.0, memory, stats), Answer::Nothing | Answer::Apart(..))
        })
    }

    /// Whether the points that touch move apart along the normal.
    fn is_separating(&self, t: f64, struck: &Struck) -> bool {
        let (Some(n), Some(witness)) = (struck.normal, struck.witness) else { return false };
        let along = |k: usize| {
            let (rates, pose) = (self.motions[k].rates(t, t), self.motions[k].pose(t));
            n.dot(rates.velocity + rates.spin.cross(witness.points[k] - pose.apply(rates.centre)))
        };
        along(1) > along(0)
    }
}

/// A static answer as a contact.
fn of_answer(movers: &Movers<'_>, time: Interval, answer: Answer) -> Struck {
    let [pose_a, _] = movers.poses(time.upper);
    let (certain, normal, witness) = match answer {
        Answer::Nothing | Answer::Contained(_) => (true, None, None),
        Answer::Apart(_, w) => (false, (w.points[1] - w.points[0]).try_normalize(), Some(w)),
        Answer::Common(w) => (true, None, Some(w)),
        Answer::Surfaces(contact, features) => {
            let points = contact.points.first().copied();
            (
                true,
                Some(contact.normal).filter(|n| *n != DVec3::ZERO),
                points.map(|points| Witness { points, features }),
            )
        }
    };
    let normal = normal.map(|n| pose_a.rotate(n));
    Struck { time, certain, separating: false, normal, witness: witness.map(|w| w.placed(&pose_a)) }
}

fn of_touch(movers: &Movers<'_>, bodies: &[Boughs<'_>; 2], found: &Earliest) -> Struck {
    let Touch { time, certain, normal, witness } = found.touch;
    let [pose_a, _] = movers.poses(time.lower);
    let witness = witness.map(|w| {
        let feature = |k: usize| -> Feature { bodies[k].feature(found.pieces[k], w.carriers[k]) };
        Witness { points: w.points, features: [feature(0), feature(1)] }.placed(&pose_a)
    });
    let normal = Some(normal).filter(|n| *n != DVec3::ZERO).map(|n| pose_a.rotate(n));
    Struck { time, certain, separating: false, normal, witness }
}
