//! How all joints of a robot move together: through values at times, along splines, or by trapezoids of velocity.
//!
//! - *Straight*: at a constant rate from each row of values to the next.
//! - *Spline*: the cubic spline through the rows, with continuous accelerations, at rest at both ends: for each joint
//!   the rates at the rows are the solution of a system of three diagonals (C. de Boor, *A practical guide to splines*,
//!   1978, ch. 4).
//! - *Cubic* and *quintic*: Hermite's polynomials through values, rates and, for the second, accelerations.
//! - *Trapezoid*: from stop to stop, each joint speeds up, keeps its rate, and slows down. The joint that needs longest
//!   goes as fast as it may, the others so much slower that all arrive together (B. Siciliano et al., *Robotics*, 2009,
//!   §4.2): with `T` the time of the slowest and `d` the way, the rate is the lesser root of `v²/A − v·T + d = 0`.
//! - *Sampled*: values known at times, and between them only bounds on rates and accelerations.

use std::sync::Arc;

use glam::DVec3;

use super::joint_path::{JointPath, Piece, Slack};
use crate::error::MotionError;
use crate::path::span::Span;

/// The values of all joints at a time, how fast they change, and how fast that changes.
///
/// ```
/// use impinge::{JointKnot, JointTrajectory};
/// let at = |time, value| JointKnot { time, values: vec![value], rates: vec![0.0], accelerations: vec![0.0] };
/// let path = JointTrajectory::quintic(&[at(0.0, 0.0), at(2.0, 1.0)])?;
/// assert_eq!((path.values(1.0), path.rates(1.0)), (vec![0.5], vec![0.9375]));
/// # Ok::<(), impinge::MotionError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct JointKnot {
    /// When.
    pub time: f64,
    /// One for each joint that moves.
    pub values: Vec<f64>,
    /// As many.
    pub rates: Vec<f64>,
    /// As many; [`JointTrajectory::cubic`] does not need them.
    #[cfg_attr(feature = "serde", serde(default))]
    pub accelerations: Vec<f64>,
}

/// How fast a joint may move, and how fast its rate may change.
///
/// ```
/// use impinge::{JointSpeeds, JointTrajectory};
/// let speeds = JointSpeeds { rate: 1.0, acceleration: 2.0 };
/// let path = JointTrajectory::trapezoid(0.0, &[vec![0.0], vec![1.5]], &[speeds])?;
/// assert_eq!(path.span().to(), 2.0);
/// assert_eq!((path.rates(0.25), path.rates(1.0)), (vec![0.5], vec![1.0]));
/// # Ok::<(), impinge::MotionError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct JointSpeeds {
    /// In radians, or in units of length for a sliding joint, per unit of time.
    pub rate: f64,
    /// Per unit of time squared.
    #[cfg_attr(feature = "serde", serde(with = "crate::math::number"))]
    pub acceleration: f64,
}

/// The values of all joints of a robot over time. Before it begins and after it ends the joints stand still.
///
/// ```
/// use impinge::JointTrajectory;
/// let path = JointTrajectory::spline(&[(0.0, vec![0.0, 1.0]), (1.0, vec![0.5, 1.0]), (2.0, vec![1.0, 1.0])])?;
/// assert_eq!((path.values(0.0), path.rates(0.0)), (vec![0.0, 1.0], vec![0.0, 0.0]));
/// assert!((path.values(1.0)[0] - 0.5).abs() < 1e-15 && path.rates(1.0)[0] > 0.7);
/// assert!(JointTrajectory::spline(&[(0.0, vec![0.0]), (0.0, vec![1.0])]).is_err(), "no time to get there");
/// # Ok::<(), impinge::MotionError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct JointTrajectory {
    pub(super) joints: Arc<Vec<JointPath>>,
    span: Span,
    plan: Arc<JointPlan>,
}

/// What a trajectory was made of.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case", deny_unknown_fields))]
pub(crate) enum JointPlan {
    Straight(Vec<(f64, Vec<f64>)>),
    Spline(Vec<(f64, Vec<f64>)>),
    Cubic(Vec<JointKnot>),
    Quintic(Vec<JointKnot>),
    Trapezoid { start: f64, stops: Vec<Vec<f64>>, speeds: Vec<JointSpeeds> },
    Sampled { rows: Vec<(f64, Vec<f64>)>, bounds: Vec<JointSpeeds> },
}

/// Where a joint is at a time, how fast, and with which acceleration.
#[derive(Debug, Clone, Copy, Default)]
struct Knot {
    time: f64,
    value: f64,
    rate: f64,
    acceleration: f64,
}

impl JointTrajectory {
    /// At constant rates from each row, a time and a value for each joint that moves, to the next.
    ///
    /// # Errors
    /// There are no rows; a time is not finite, or not later than the one before; a value is not finite or beyond the
    /// supported scale, or a row has more or fewer values than the first; a rate is beyond the supported scale. Rows
    /// count from 0.
    pub fn straight(rows: &[(f64, Vec<f64>)]) -> Result<JointTrajectory, MotionError> {
        JointTrajectory::through(&knots(rows), None, |knots| knots.to_vec(), straight)
            .map(|path| path.made_of(JointPlan::Straight(rows.to_vec())))
    }

    /// The smooth cubic spline through the rows, at rest at both ends.
    ///
    /// # Errors
    /// As [`JointTrajectory::straight`].
    pub fn spline(rows: &[(f64, Vec<f64>)]) -> Result<JointTrajectory, MotionError> {
        JointTrajectory::through(&knots(rows), None, with_spline_rates, cubic)
            .map(|path| path.made_of(JointPlan::Spline(rows.to_vec())))
    }

    /// By cubics with the values and rates given.
    ///
    /// # Errors
    /// As [`JointTrajectory::straight`], also for rates.
    pub fn cubic(knots: &[JointKnot]) -> Result<JointTrajectory, MotionError> {
        JointTrajectory::through(knots, None, |knots| knots.to_vec(), cubic)
            .map(|path| path.made_of(JointPlan::Cubic(knots.to_vec())))
    }

    /// By polynomials of degree 5 with the values, rates and accelerations given.
    ///
    /// # Errors
    /// As [`JointTrajectory::straight`], also for rates and accelerations.
    pub fn quintic(knots: &[JointKnot]) -> Result<JointTrajectory, MotionError> {
        check_counts(knots, |knot| &knot.accelerations)?;
        JointTrajectory::through(knots, None, |knots| knots.to_vec(), quintic)
            .map(|path| path.made_of(JointPlan::Quintic(knots.to_vec())))
    }

    /// As fast as joints may from stop to stop, all joints arriving together; they rest at each stop for no time.
    ///
    /// # Errors
    /// There are no stops; a value is not finite or beyond the supported scale; a stop has more or fewer values than
    /// there are speeds; a rate or an acceleration is not positive and finite.
    pub fn trapezoid(start: f64, stops: &[Vec<f64>], speeds: &[JointSpeeds]) -> Result<JointTrajectory, MotionError> {
        for &JointSpeeds { rate, acceleration } in speeds {
            for (what, value) in [("rate of a joint", rate), ("acceleration of a joint", acceleration)] {
                MotionError::check(what, DVec3::splat(value))?;
                if value <= 0.0 {
                    return Err(MotionError::BadBound { what, value });
                }
            }
        }
        // The stops are checked like rows, and their times are made up.
        let numbered: Vec<_> = stops.iter().enumerate().map(|(k, stop)| (k as f64, stop.clone())).collect();
        let checked = knots(&numbered);
        check(&checked)?;
        MotionError::check("start", DVec3::splat(start))?;
        if let Some(row) = stops.iter().position(|stop| stop.len() != speeds.len()) {
            return Err(MotionError::WrongCount { row, given: stops[row].len(), expected: speeds.len() });
        }
        let mut times = vec![start];
        for (row, two) in (1..).zip(stops.windows(2)) {
            let needed = |k: usize| time_needed((two[1][k] - two[0][k]).abs(), speeds[k]);
            let time = times[row - 1] + (0..speeds.len()).map(needed).fold(0.0, f64::max);
            MotionError::check("time", DVec3::splat(time)).map_err(|_| MotionError::BadTime { row, time })?;
            times.push(time);
        }
        let end = times.last().copied().unwrap_or(start);
        let joint = |k: usize| {
            let first = [Piece { from: start, powers: constant(stops[0][k]) }];
            let legs = stops
                .windows(2)
                .zip(times.windows(2))
                .flat_map(|(stop, time)| leg([stop[0][k], stop[1][k]], [time[0], time[1]], speeds[k].acceleration));
            let mut pieces: Vec<Piece> = legs.collect();
            if pieces.is_empty() {
                pieces.extend(first);
            }
            JointPath::new(pieces, end, None)
        };
        let plan = JointPlan::Trapezoid { start, stops: stops.to_vec(), speeds: speeds.to_vec() };
        let joints = Arc::new((0..speeds.len()).map(joint).collect());
        Ok(JointTrajectory { joints, span: Span::new(start, end)?, plan: Arc::new(plan) })
    }

    /// Values known at times only. Between them nothing is known but bounds on the rate and the acceleration of each
    /// joint; an acceleration may be infinite. What moves by it is where it may be, with a margin.
    ///
    /// # Errors
    /// As [`JointTrajectory::straight`]; a bound is negative or NaN, or a rate is infinite; there are more or fewer
    /// bounds than joints; or to be at a value in time takes a rate beyond the bound.
    pub fn sampled(rows: &[(f64, Vec<f64>)], bounds: &[JointSpeeds]) -> Result<JointTrajectory, MotionError> {
        let path = JointTrajectory::straight(rows)?;
        if path.joints.len() != bounds.len() {
            return Err(MotionError::WrongCount { row: 0, given: path.joints.len(), expected: bounds.len() });
        }
        for bound in bounds {
            for (what, value, is_infinite) in [
                ("rate of a joint", bound.rate, bound.rate.is_infinite()),
                ("acceleration of a joint", bound.acceleration, false),
            ] {
                if value.is_nan() || value < 0.0 || is_infinite {
                    return Err(MotionError::BadBound { what, value });
                }
            }
        }
        for (row, two) in (1..).zip(rows.windows(2)) {
            for (k, bound) in bounds.iter().enumerate() {
                let takes = (two[1].1[k] - two[0].1[k]).abs() / (two[1].0 - two[0].0);
                if takes > bound.rate * (1.0 + 1e-9) {
                    return Err(MotionError::Contradicts { what: "rate of a joint", row, takes, bound: bound.rate });
                }
            }
        }
        let slacks: Vec<Slack> =
            bounds.iter().map(|bound| Slack { rate: bound.rate, acceleration: bound.acceleration }).collect();
        JointTrajectory::through(&knots(rows), Some(&slacks), |knots| knots.to_vec(), straight)
            .map(|path| path.made_of(JointPlan::Sampled { rows: rows.to_vec(), bounds: bounds.to_vec() }))
    }

    fn made_of(self, plan: JointPlan) -> JointTrajectory {
        JointTrajectory { plan: Arc::new(plan), ..self }
    }

    /// What it was made of.
    #[cfg(feature = "serde")]
    pub(crate) fn plan(&self) -> &JointPlan {
        &self.plan
    }

    /// When it begins and ends.
    pub fn span(&self) -> Span {
        self.span
    }

    /// The number of joints.
    pub fn joint_count(&self) -> usize {
        self.joints.len()
    }

    /// The value of each joint at a time.
    pub fn values(&self, t: f64) -> Vec<f64> {
        self.joints.iter().map(|joint| joint.value(t)).collect()
    }

    /// How fast each joint moves at a time.
    pub fn rates(&self, t: f64) -> Vec<f64> {
        self.joints.iter().map(|joint| joint.rate(t)).collect()
    }

    fn through(
        knots: &[JointKnot],
        slacks: Option<&[Slack]>,
        prepared: impl Fn(&[Knot]) -> Vec<Knot>,
        powers: fn(Knot, Knot) -> [f64; 6],
    ) -> Result<JointTrajectory, MotionError> {
        check(knots)?;
        let (first, last) = (&knots[0], &knots[knots.len() - 1]);
        let mut joints = Vec::with_capacity(first.values.len());
        for k in 0..first.values.len() {
            let of = |list: &[f64]| list.get(k).copied().unwrap_or(0.0);
            let knot = |at: &JointKnot| Knot {
                time: at.time,
                value: at.values[k],
                rate: of(&at.rates),
                acceleration: of(&at.accelerations),
            };
            let own = prepared(&knots.iter().map(knot).collect::<Vec<_>>());
            let mut pieces = Vec::with_capacity(own.len());
            for (row, two) in (1..).zip(own.windows(2)) {
                let powers = powers(two[0], two[1]);
                if powers.iter().any(|c| !c.is_finite()) || MotionError::check("rate", DVec3::splat(powers[1])).is_err()
                {
                    return Err(MotionError::TooFast { row });
                }
                pieces.push(Piece { from: two[0].time, powers });
            }
            if pieces.is_empty() {
                pieces.push(Piece { from: first.time, powers: constant(first.values[k]) });
            }
            joints.push(JointPath::new(pieces, last.time, slacks.map(|slacks| slacks[k])));
        }
        let (span, plan) = (Span::new(first.time, last.time)?, Arc::new(JointPlan::Straight(Vec::new())));
        Ok(JointTrajectory { joints: Arc::new(joints), span, plan })
    }
}

fn knots(rows: &[(f64, Vec<f64>)]) -> Vec<JointKnot> {
    let knot = |(time, values): &(f64, Vec<f64>)| {
        let none = vec![0.0; values.len()];
        JointKnot { time: *time, values: values.clone(), rates: none.clone(), accelerations: none }
    };
    rows.iter().map(knot).collect()
}

fn check(knots: &[JointKnot]) -> Result<(), MotionError> {
    if knots.is_empty() {
        return Err(MotionError::NoPoses);
    }
    check_counts(knots, |knot| &knot.values)?;
    check_counts(knots, |knot| &knot.rates)?;
    for (row, knot) in knots.iter().enumerate() {
        let time = knot.time;
        MotionError::check("time", DVec3::splat(time)).map_err(|_| MotionError::BadTime { row, time })?;
        if row > 0 && time <= knots[row - 1].time {
            return Err(MotionError::NotLater { row, time, before: knots[row - 1].time });
        }
        let lists = [("value of a joint", &knot.values), ("rate of a joint", &knot.rates)];
        for (what, list) in lists.into_iter().chain([("acceleration of a joint", &knot.accelerations)]) {
            list.iter().try_for_each(|&x| MotionError::check(what, DVec3::splat(x)))?;
        }
    }
    Ok(())
}

fn check_counts(knots: &[JointKnot], list: impl Fn(&JointKnot) -> &Vec<f64>) -> Result<(), MotionError> {
    let expected = knots.first().map_or(0, |knot| knot.values.len());
    let wrong = |(row, knot): (usize, &JointKnot)| (list(knot).len() != expected).then(|| (row, list(knot).len()));
    match knots.iter().enumerate().find_map(wrong) {
        Some((row, given)) => Err(MotionError::WrongCount { row, given, expected }),
        None => Ok(()),
    }
}

fn constant(value: f64) -> [f64; 6] {
    [value, 0.0, 0.0, 0.0, 0.0, 0.0]
}

fn straight(p: Knot, q: Knot) -> [f64; 6] {
    [p.value, (q.value - p.value) / (q.time - p.time), 0.0, 0.0, 0.0, 0.0]
}

fn cubic(p: Knot, q: Knot) -> [f64; 6] {
    let time = q.time - p.time;
    let mean = (q.value - p.value) / time;
    let second = (3.0 * mean - 2.0 * p.rate - q.rate) / time;
    [p.value, p.rate, second, (p.rate + q.rate - 2.0 * mean) / (time * time), 0.0, 0.0]
}

fn quintic(p: Knot, q: Knot) -> [f64; 6] {
    let t = q.time - p.time;
    let way = q.value - p.value;
    let third = 20.0 * way - (8.0 * q.rate + 12.0 * p.rate) * t - (3.0 * p.acceleration - q.acceleration) * t * t;
    let fourth =
        -30.0 * way + (14.0 * q.rate + 16.0 * p.rate) * t + (3.0 * p.acceleration - 2.0 * q.acceleration) * t * t;
    let fifth = 12.0 * way - 6.0 * (q.rate + p.rate) * t + (q.acceleration - p.acceleration) * t * t;
    let cube = 2.0 * t * t * t;
    [p.value, p.rate, 0.5 * p.acceleration, third / cube, fourth / (cube * t), fifth / (cube * t * t)]
}

/// The rates of the spline with continuous accelerations that rests at both ends.
fn with_spline_rates(knots: &[Knot]) -> Vec<Knot> {
    let mut knots = knots.to_vec();
    let n = knots.len();
    if n < 3 {
        return knots;
    }
    let step = |k: usize| knots[k + 1].time - knots[k].time;
    let slope = |k: usize| (knots[k + 1].value - knots[k].value) / step(k);
    // Thomas' elimination: the diagonal is greater than the sum of the others in its row, so nothing cancels.
    let (mut above, mut right) = (vec![0.0; n], vec![0.0; n]);
    for k in 1..n - 1 {
        let (before, after) = (step(k - 1), step(k));
        let diagonal = 2.0 * (before + after) - after * above[k - 1];
        above[k] = before / diagonal;
        right[k] = (3.0 * (after * slope(k - 1) + before * slope(k)) - after * right[k - 1]) / diagonal;
    }
    for k in (1..n - 1).rev() {
        knots[k].rate = right[k] - above[k] * knots[k + 1].rate;
    }
    knots
}

/// The least time from rest to rest.
fn time_needed(way: f64, speeds: JointSpeeds) -> f64 {
    let JointSpeeds { rate, acceleration } = speeds;
    if way * acceleration >= rate * rate { way / rate + rate / acceleration } else { 2.0 * (way / acceleration).sqrt() }
}

/// One joint from rest to rest in a given time.
fn leg([from, to]: [f64; 2], [start, end]: [f64; 2], acceleration: f64) -> Vec<Piece> {
    let (time, way) = (end - start, (to - from).abs());
    if time <= 0.0 {
        return Vec::new();
    }
    let under = (time * time - 4.0 * way / acceleration).max(0.0);
    let rate = 2.0 * way / (time + under.sqrt()) * (to - from).signum();
    let speeding = (rate.abs() / acceleration).min(0.5 * time);
    if way == 0.0 || speeding <= 0.0 {
        return vec![Piece { from: start, powers: constant(from) }];
    }
    let bent = 0.5 * rate / speeding;
    let gone = 0.5 * rate * speeding;
    let mut pieces = vec![Piece { from: start, powers: [from, 0.0, bent, 0.0, 0.0, 0.0] }];
    let [steady, slowing] = [start + speeding, end - speeding];
    if steady < slowing {
        pieces.push(Piece { from: steady, powers: [from + gone, rate, 0.0, 0.0, 0.0, 0.0] });
    }
    if slowing < end {
        pieces.push(Piece { from: slowing.max(steady), powers: [to - gone, rate, -bent, 0.0, 0.0, 0.0] });
    }
    pieces
}
