//! A body that follows cubic splines, one through the places of a point of it, and one through its rotations: the
//! motion of an animation with tangents at its keys (glTF 2.0, Appendix C, cubic spline interpolation).
//!
//! From a key to the next, `T` later, with values `v₀`, `v₁` and slopes `m₀`, `m₁`, the Hermite cubic is Bézier's with
//! the points `v₀`, `v₀ + T/3·m₀`, `v₁ − T/3·m₁`, `v₁`. Over a part of the time it is again one, with points that
//! blossoming gives (G. Farin, *Curves and surfaces for CAGD*, 5th ed., 2002, §4), and a curve and its derivatives stay
//! in the hulls of their points. So velocities of the place are bounded by three points, accelerations by two.
//!
//! The rotation is the spline of quaternions `P(t)`, divided by its length. Since `q̇ = ½ω·q` for `q = P/|P|`, and what
//! changes the length alone is along `P`,
//!
//! ```text
//!     ω = 2·Im(Ṗ·P̄)/|P|²,     |ω| ≤ 2|Ṗ|/|P|
//!     ω̇ = 2·Im(P̈·P̄)/|P|² − ω·2(P·Ṗ)/|P|²,     |ω̇| ≤ 2|P̈|/|P| + (2|Ṗ|/|P|)²
//! ```
//!
//! because `Im(Ṗ·Ṗ̄) = 0`. The hulls bound `|Ṗ|` and `|P̈|`, and `|P|` from below along the direction at the middle;
//! where the points spread too far for that, the time is halved. A spline that comes near 0 is refused.
//!
//! Invariant: pieces follow each other without a gap, and in each both splines are single cubics. Before the first time
//! the body stands at the first pose, after the last at the last. Cost: a binary search for a pose; bounds over a span,
//! as many steps as it has pieces.

use std::ops::{Add, Mul, Sub};

use glam::{DQuat, DVec3};

use super::moving_body::{Motion, box_by_bounds};
use super::rates::Rates;
use super::steady::Steady;
use crate::bound::Aabb;
use crate::error::MotionError;
use crate::math::{EPS, LIMIT, Pose, shortest_turn};
use crate::model::Model;

/// The most halvings of the time of a piece, to bound how it turns.
const MOST_HALVINGS: u32 = 8;

/// A spline of rotations is refused where no lower bound on its length above this can be found.
const SHORTEST: f64 = 1e-3;

/// A value at a time, and the slopes of the spline just before and just after that time.
///
/// ```
/// use impinge::{glam::{DQuat, DVec3}, Motion, SplineKey, SplinePoses, SplineTurns};
/// // Straight from 0 to 1: both slopes are the mean speed.
/// let key = |time| SplineKey { time, arrives: DVec3::X, value: DVec3::X * time, leaves: DVec3::X };
/// let turns = SplineTurns::Steady(vec![(0.0, DQuat::IDENTITY)]);
/// let path = SplinePoses::new(DVec3::ZERO, &[key(0.0), key(1.0)], &turns)?;
/// assert_eq!(path.pose(0.5).translation(), DVec3::X * 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SplineKey<V> {
    /// When.
    pub time: f64,
    /// The slope before.
    pub arrives: V,
    /// The value then.
    pub value: V,
    /// The slope after.
    pub leaves: V,
}

/// How a body that follows a spline turns.
///
/// ```
/// use impinge::{glam::{DQuat, DVec3}, Motion, SplineKey, SplinePoses, SplineTurns};
/// let turns = SplineTurns::Steady(vec![(0.0, DQuat::IDENTITY), (1.0, DQuat::from_rotation_z(1.0))]);
/// let stay = SplineKey { time: 0.0, arrives: DVec3::ZERO, value: DVec3::ZERO, leaves: DVec3::ZERO };
/// let path = SplinePoses::new(DVec3::ZERO, &[stay], &turns)?;
/// assert!(path.pose(0.5).rotation().abs_diff_eq(DQuat::from_rotation_z(0.5), 1e-12));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum SplineTurns {
    /// From each rotation to the next at a constant rate, by the shorter way round.
    Steady(Vec<(f64, DQuat)>),
    /// By a spline of quaternions, scaled to unit length.
    Spline(Vec<SplineKey<DQuat>>),
}

/// A body that follows splines through keys.
///
/// ```
/// use impinge::{glam::{DQuat, DVec3}, Motion, SplineKey, SplinePoses, SplineTurns};
/// let key = |time, x, y| SplineKey { time, arrives: DVec3::Y * y, value: DVec3::X * x, leaves: DVec3::Y * y };
/// let turns = SplineTurns::Steady(vec![(0.0, DQuat::IDENTITY)]);
/// // It swings out to the side on its way from 0 to 4.
/// let swing = SplinePoses::new(DVec3::ZERO, &[key(0.0, 0.0, 6.0), key(2.0, 4.0, -6.0)], &turns)?;
/// assert_eq!(swing.pose(1.0).translation(), DVec3::new(2.0, 3.0, 0.0));
/// assert!(swing.rates(0.0, 2.0).speed(0.0) >= 6.0);
/// # Ok::<(), impinge::MotionError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct SplinePoses {
    centre: DVec3,
    times: Vec<f64>,
    /// One piece fewer than times, but at least one, which may have no duration.
    pieces: Vec<Piece>,
}

/// The motion from one time to the next.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Piece {
    from: f64,
    to: f64,
    path: [DVec3; 4],
    turn: Turn,
    /// Bounds on the angular speed and acceleration over the whole piece.
    turning: [f64; 2],
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Turn {
    Steady { since: f64, start: DQuat, spin: DVec3 },
    Spline([DQuat; 4]),
}

/// What is known of a piece over a span.
struct Bounds {
    velocity: DVec3,
    velocity_spread: f64,
    spin: DVec3,
    spin_spread: f64,
    accelerations: [f64; 2],
}

impl SplinePoses {
    /// The point `centre` of the body, in its own frame, follows `path`, and the body turns about that point. The two
    /// lists of times need not be the same.
    ///
    /// # Errors
    /// There are no keys, a number is not finite, a time is not later than the one before, a speed is beyond the
    /// supported scale, a rotation is not of unit length within 1e-3, or a spline of rotations comes near 0 between two
    /// keys, where no rotation can be told. Keys count from 0.
    pub fn new(centre: DVec3, path: &[SplineKey<DVec3>], turns: &SplineTurns) -> Result<SplinePoses, MotionError> {
        MotionError::check("centre", centre)?;
        let path_times: Vec<f64> = path.iter().map(|key| key.time).collect();
        let turn_times: Vec<f64> = match turns {
            SplineTurns::Steady(keys) => keys.iter().map(|key| key.0).collect(),
            SplineTurns::Spline(keys) => keys.iter().map(|key| key.time).collect(),
        };
        check_times(&path_times)?;
        check_times(&turn_times)?;
        for key in path {
            for (what, v) in [("place", key.value), ("velocity", key.arrives), ("velocity", key.leaves)] {
                MotionError::check(what, v)?;
            }
        }
        check_rotations(turns)?;
        let mut times = [path_times, turn_times].concat();
        times.sort_unstable_by(f64::total_cmp);
        times.dedup();
        let spans: Vec<[f64; 2]> = match times.len() {
            1 => vec![[times[0]; 2]],
            _ => times.windows(2).map(|two| [two[0], two[1]]).collect(),
        };
        let piece = |(row, [from, to]): (usize, [f64; 2])| {
            let mut piece =
                Piece { from, to, path: part(path, from, to), turn: turns.part(from, to), turning: [0.0; 2] };
            let Bounds { velocity, velocity_spread, accelerations, .. } = piece.bounds(from, to);
            let fast = [velocity.length(), velocity_spread, accelerations[0]];
            if fast.iter().any(|x| !(x.is_finite() && *x <= LIMIT)) {
                return Err(MotionError::TooFast { row: row + 1 });
            }
            piece.turning = piece.turn.turning(to - from);
            let bounded = piece.turning.iter().all(|x| x.is_finite() && *x <= LIMIT);
            if bounded { Ok(piece) } else { Err(MotionError::NoRotation { row: row + 1 }) }
        };
        let pieces = spans.into_iter().enumerate().map(piece).collect::<Result<Vec<Piece>, MotionError>>()?;
        Ok(SplinePoses { centre, times, pieces })
    }

    /// The times of all keys.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// The point that follows the path, in the body's frame.
    pub fn centre(&self) -> DVec3 {
        self.centre
    }

    /// The piece at a time: the first or the last piece for times outside.
    fn piece(&self, t: f64) -> &Piece {
        let passed = self.times.partition_point(|&time| time <= t);
        &self.pieces[passed.saturating_sub(1).min(self.pieces.len() - 1)]
    }

    /// The pieces of a span, each with its part of the span, without the times before the first piece or after the
    /// last. A piece that only begins when the span ends is left out, unless the span is a single time.
    fn parts(&self, from: f64, to: f64) -> impl Iterator<Item = (&Piece, f64, f64)> + '_ {
        let inside = move |piece: &&Piece| {
            (piece.from < to && from < piece.to) || (from == to && piece.from <= from && from < piece.to)
        };
        self.pieces.iter().filter(inside).map(move |piece| (piece, from.max(piece.from), to.min(piece.to)))
    }

    /// Whether the body stands still during some of a span.
    fn rests_within(&self, from: f64, to: f64) -> bool {
        from < self.times[0] || to > self.times[self.times.len() - 1] || self.parts(from, to).next().is_none()
    }
}

fn check_times(times: &[f64]) -> Result<(), MotionError> {
    if times.is_empty() {
        return Err(MotionError::NoPoses);
    }
    for (row, &time) in times.iter().enumerate() {
        if MotionError::check("time", DVec3::splat(time)).is_err() {
            return Err(MotionError::BadTime { row, time });
        }
    }
    match (1..).zip(times.windows(2)).find(|(_, two)| two[1] <= two[0]) {
        Some((row, two)) => Err(MotionError::NotLater { row, time: two[1], before: two[0] }),
        None => Ok(()),
    }
}

fn check_rotations(turns: &SplineTurns) -> Result<(), MotionError> {
    let values: Vec<DQuat> = match turns {
        SplineTurns::Steady(keys) => keys.iter().map(|key| key.1).collect(),
        SplineTurns::Spline(keys) => {
            let slopes = keys.iter().flat_map(|key| [key.arrives, key.leaves]);
            if slopes.into_iter().any(|slope| !slope.is_finite()) {
                return Err(MotionError::NotFinite { what: "spin" });
            }
            keys.iter().map(|key| key.value).collect()
        }
    };
    match values.iter().all(|q| (q.length() - 1.0).abs() < 1e-3) {
        true => Ok(()),
        false => Err(MotionError::NotUnit { what: "rotations" }),
    }
}

impl SplineTurns {
    fn part(&self, from: f64, to: f64) -> Turn {
        match self {
            SplineTurns::Spline(keys) => Turn::Spline(part(keys, from, to)),
            SplineTurns::Steady(keys) => {
                let k = keys.partition_point(|key| key.0 <= from).saturating_sub(1);
                let (since, start) = (keys[k].0, keys[k].1.normalize());
                let spin = match keys.get(k + 1) {
                    Some((next, end)) if from >= since => {
                        shortest_turn(end.normalize() * start.conjugate()) / (next - since)
                    }
                    _ => DVec3::ZERO,
                };
                Turn::Steady { since, start, spin }
            }
        }
    }
}

/// Values of which a cubic can be made.
trait Value: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<f64, Output = Self> {}

impl<V: Copy + Add<Output = V> + Sub<Output = V> + Mul<f64, Output = V>> Value for V {}

/// Bézier points of a spline over a span without a key inside.
fn part<V: Value>(keys: &[SplineKey<V>], from: f64, to: f64) -> [V; 4] {
    let k = keys.partition_point(|key| key.time <= from);
    let (before, after) = (k.checked_sub(1).map(|k| &keys[k]), keys.get(k));
    let (Some(x), Some(y)) = (before, after) else {
        return [before.or(after).map_or(keys[0].value, |key| key.value); 4];
    };
    let third = (y.time - x.time) / 3.0;
    let whole = [x.value, x.value + x.leaves * third, y.value - y.arrives * third, y.value];
    let at = |t: f64| (t - x.time) / (y.time - x.time);
    between(&whole, at(from), if to >= y.time { 1.0 } else { at(to) })
}

/// Bézier points of a part of a cubic.
fn between<V: Value>(points: &[V; 4], u: f64, v: f64) -> [V; 4] {
    if (u, v) == (0.0, 1.0) {
        return *points;
    }
    [blossom(points, [u, u, u]), blossom(points, [u, u, v]), blossom(points, [u, v, v]), blossom(points, [v, v, v])]
}

fn blossom<V: Value>(&[a, b, c, d]: &[V; 4], [r, s, t]: [f64; 3]) -> V {
    let mix = |x: V, y: V, u: f64| x * (1.0 - u) + y * u;
    let (a, b, c) = (mix(a, b, r), mix(b, c, r), mix(c, d, r));
    mix(mix(a, b, s), mix(b, c, s), t)
}

/// Bézier points of the derivative, and of the second, of a cubic that takes a time.
fn derivatives<V: Value>(&[a, b, c, d]: &[V; 4], duration: f64) -> ([V; 3], [V; 2]) {
    if duration <= 0.0 {
        return ([a * 0.0; 3], [a * 0.0; 2]);
    }
    let first = [b - a, c - b, d - c].map(|x| x * (3.0 / duration));
    (first, [first[1] - first[0], first[2] - first[1]].map(|x| x * (2.0 / duration)))
}

impl Turn {
    /// Bounds on the angular speed and acceleration over the whole piece.
    fn turning(&self, duration: f64) -> [f64; 2] {
        match self {
            Turn::Steady { spin, .. } => [spin.length(), 0.0],
            Turn::Spline(points) => turning(points, duration, MOST_HALVINGS),
        }
    }
}

fn turning(points: &[DQuat; 4], duration: f64, halvings: u32) -> [f64; 2] {
    let middle = blossom(points, [0.5; 3]);
    let length = middle.length();
    let along = |p: &DQuat| if length > 0.0 { p.dot(middle) / length } else { 0.0 };
    let least = points.iter().map(along).fold(f64::INFINITY, f64::min);
    if halvings > 0 && least < (0.5 * length).max(SHORTEST) {
        let halves =
            [[0.0, 0.5], [0.5, 1.0]].map(|[u, v]| turning(&between(points, u, v), 0.5 * duration, halvings - 1));
        return [halves[0][0].max(halves[1][0]), halves[0][1].max(halves[1][1])];
    }
    if least < SHORTEST {
        return [f64::INFINITY; 2];
    }
    let longest = |x: &[DQuat]| x.iter().fold(0.0, |most: f64, x| most.max(x.length()));
    let (first, second) = derivatives(points, duration);
    let speed = 2.0 * longest(&first) / least;
    [speed, 2.0 * longest(&second) / least + speed * speed].map(|x| x * (1.0 + 1e-12))
}

impl Piece {
    /// The fraction of a piece at a time; 0 for a piece without a duration.
    fn fraction(&self, t: f64) -> f64 {
        let duration = self.to - self.from;
        if duration > 0.0 { ((t - self.from) / duration).clamp(0.0, 1.0) } else { 0.0 }
    }

    fn rotation(&self, t: f64) -> DQuat {
        match &self.turn {
            Turn::Steady { since, start, spin } => {
                DQuat::from_scaled_axis(*spin * (t.clamp(self.from, self.to) - since)) * *start
            }
            Turn::Spline(points) => blossom(points, [self.fraction(t); 3]).normalize(),
        }
    }

    fn bounds(&self, from: f64, to: f64) -> Bounds {
        let [u, v] = [from, to].map(|t| self.fraction(t));
        let duration = self.to - self.from;
        // For a single time the derivatives of the whole cubic, blossomed at that time, are the derivatives there.
        let velocities = derivatives(&self.path, duration).0;
        let mix = |x: DVec3, y: DVec3, u: f64| x * (1.0 - u) + y * u;
        let at = |r: f64, s: f64| mix(mix(velocities[0], velocities[1], r), mix(velocities[1], velocities[2], r), s);
        let seen = [at(u, u), at(u, v), at(v, v)];
        let velocity = Aabb::of(seen).centre();
        let size = self.path.iter().fold(0.0, |most: f64, x| most.max(x.length()));
        let rounding = if duration > 0.0 { 32.0 * EPS * size / duration } else { 0.0 };
        let velocity_spread = seen.iter().fold(0.0, |most: f64, x| most.max(x.distance(velocity))) + rounding;
        let second = derivatives(&self.path, duration).1;
        let acceleration = [u, v].map(|u| mix(second[0], second[1], u).length());
        let linear = acceleration[0].max(acceleration[1]) * (1.0 + 1e-12);
        let (spin, spin_spread, angular) = self.spins([from, to], [u, v]);
        Bounds { velocity, velocity_spread, spin, spin_spread, accelerations: [linear, angular] }
    }

    /// The spin half way, how far it may be from that, and how fast it changes.
    fn spins(&self, [from, to]: [f64; 2], [u, v]: [f64; 2]) -> (DVec3, f64, f64) {
        match &self.turn {
            Turn::Steady { spin, .. } => (*spin, 0.0, 0.0),
            Turn::Spline(points) => {
                let duration = self.to - self.from;
                let [speed, angular] = if to > from {
                    let own = turning(&between(points, u, v), to - from, MOST_HALVINGS);
                    [0, 1].map(|k| own[k].min(self.turning[k]))
                } else {
                    self.turning
                };
                let half = 0.5 * (u + v);
                let (first, _) = derivatives(points, duration);
                let slope = (first[0] * (1.0 - half) + first[1] * half) * (1.0 - half)
                    + (first[1] * (1.0 - half) + first[2] * half) * half;
                let place = blossom(points, [half; 3]);
                let turned = slope * place.conjugate();
                let spin = DVec3::new(turned.x, turned.y, turned.z) * (2.0 / place.length_squared());
                let spread = (0.5 * angular * (to - from)).min(speed + spin.length()) + 64.0 * EPS * speed;
                (spin, spread, angular)
            }
        }
    }
}

impl Motion for SplinePoses {
    fn pose(&self, t: f64) -> Pose {
        let piece = self.piece(t);
        let place = blossom(&piece.path, [piece.fraction(t); 3]);
        let rotation = piece.rotation(t);
        Pose::bounded(place - rotation * self.centre, rotation)
    }

    /// The middle of the box around the middles of all pieces in the span, and how far any may be from it.
    fn rates(&self, from: f64, to: f64) -> Rates {
        let still = self.rests_within(from, to).then_some(Bounds {
            velocity: DVec3::ZERO,
            velocity_spread: 0.0,
            spin: DVec3::ZERO,
            spin_spread: 0.0,
            accelerations: [0.0; 2],
        });
        let all: Vec<Bounds> = self.parts(from, to).map(|(p, from, to)| p.bounds(from, to)).chain(still).collect();
        let velocity = Aabb::of(all.iter().map(|b| b.velocity)).centre();
        let spin = Aabb::of(all.iter().map(|b| b.spin)).centre();
        let mut rates = Rates { centre: self.centre, velocity, spin, ..Rates::STILL };
        for b in &all {
            rates.velocity_spread = rates.velocity_spread.max(b.velocity.distance(velocity) + b.velocity_spread);
            rates.spin_spread = rates.spin_spread.max(b.spin.distance(spin) + b.spin_spread);
        }
        rates
    }

    fn accelerations(&self, from: f64, to: f64) -> [f64; 2] {
        let mut parts = self.parts(from, to);
        match (parts.next(), parts.next(), self.rests_within(from, to)) {
            (None, ..) => [0.0; 2],
            (Some((piece, from, to)), None, false) => piece.bounds(from, to).accelerations,
            _ => [f64::INFINITY; 2],
        }
    }

    fn steady(&self, from: f64) -> Option<(Steady, f64)> {
        let (first, last) = (self.times[0], self.times[self.times.len() - 1]);
        if from >= last {
            return Some((Steady::still(self.pose(last)), f64::INFINITY));
        }
        (from < first).then(|| (Steady::still(self.pose(first)), first))
    }

    /// The boxes of the pieces, each by its own bounds.
    fn swept_box(&self, model: &Model, from: f64, to: f64) -> Option<Aabb> {
        let inside = self.times.iter().copied().filter(|&t| from < t && t < to);
        let mut before = from;
        inside.chain([to]).try_fold(Aabb::EMPTY, |whole, after| {
            let part = box_by_bounds(self, model, std::mem::replace(&mut before, after), after)?;
            Some(whole.join(&part))
        })
    }

    fn smooth_until(&self, from: f64) -> f64 {
        let passed = self.times.partition_point(|&time| time <= from);
        self.times.get(passed).copied().unwrap_or(f64::INFINITY)
    }
}
