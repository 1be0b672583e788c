//! Poses at times, and steady motion from each to the next: a path of a robot, an animation, a recording.
//!
//! Between two poses a point of the body moves straight at a constant speed while the body turns at a constant rate
//! about it ([`Steady::between`]), so every engine for steady motion serves, piece by piece. Before the first time the
//! body stands at the first pose, after the last at the last.
//!
//! Two poses do not tell a rotation from the same rotation and a whole turn more: the shorter way round is taken, so a
//! body that turns by more than half a turn needs a pose in between. A caller has to know this, because nothing can
//! detect it.
//!
//! Invariant: times ascend strictly, and piece `k` is the motion from time `k` to time `k + 1`. Cost: a binary search
//! for a pose; bounds over a span, as many steps as it has pieces.

use glam::DVec3;

use super::moving_body::Motion;
use super::rates::Rates;
use super::steady::Steady;
use crate::bound::Aabb;
use crate::error::MotionError;
use crate::math::Pose;
use crate::model::Model;

/// A body that passes through poses at given times.
///
/// ```
/// use impinge::{glam::DVec3, Motion, Pose, TimedPoses};
/// let corner = [(0.0, DVec3::ZERO), (1.0, DVec3::X), (3.0, DVec3::X + DVec3::Y)];
/// let poses: Vec<_> = corner.iter().map(|&(t, p)| Ok((t, Pose::at(p)?))).collect::<Result<_, impinge::PoseError>>()?;
/// let path = TimedPoses::new(&poses, DVec3::ZERO)?;
/// assert_eq!(path.pose(2.0).translation(), DVec3::new(1.0, 0.5, 0.0));
/// assert_eq!(path.pose(9.0).translation(), DVec3::new(1.0, 1.0, 0.0));
/// assert!(TimedPoses::new(&[poses[1], poses[0]], DVec3::ZERO).is_err(), "out of order");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct TimedPoses {
    times: Vec<f64>,
    poses: Vec<Pose>,
    /// One piece fewer than times.
    pieces: Vec<Steady>,
    centre: DVec3,
}

impl TimedPoses {
    /// The motion through poses at ascending times; `centre` is the point of the body, in its own frame, that moves
    /// straight.
    ///
    /// # Errors
    /// There are no poses, a time is not finite, is not later than the one before, or the speed that it takes is beyond
    /// the supported scale. Rows count from 0.
    pub fn new(rows: &[(f64, Pose)], centre: DVec3) -> Result<TimedPoses, MotionError> {
        MotionError::check("centre", centre)?;
        if rows.is_empty() {
            return Err(MotionError::NoPoses);
        }
        for (row, &(time, _)) in rows.iter().enumerate() {
            if MotionError::check("time", DVec3::splat(time)).is_err() {
                return Err(MotionError::BadTime { row, time });
            }
        }
        let mut pieces = Vec::with_capacity(rows.len() - 1);
        for (row, two) in (1..).zip(rows.windows(2)) {
            let [(before, from), (time, to)] = [two[0], two[1]];
            if time <= before {
                return Err(MotionError::NotLater { row, time, before });
            }
            let piece = Steady::between(from, to, centre, [before, time]);
            pieces.push(piece.map_err(|_| MotionError::TooFast { row })?);
        }
        let (times, poses) = rows.iter().copied().unzip();
        Ok(TimedPoses { times, poses, pieces, centre })
    }

    /// The times.
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// The pose at each of the times.
    pub fn poses(&self) -> &[Pose] {
        &self.poses
    }

    /// The point that moves straight, in the body's frame.
    pub fn centre(&self) -> DVec3 {
        self.centre
    }

    /// The motion from each time to the next.
    pub fn pieces(&self) -> &[Steady] {
        &self.pieces
    }

    /// How many times are not later than this: 0 before the first, and all after the last.
    fn passed(&self, t: f64) -> usize {
        self.times.partition_point(|&time| time <= t)
    }

    /// The motion after the first `passed` times.
    fn after(&self, passed: usize) -> Steady {
        match (passed.checked_sub(1), self.pieces.get(passed.wrapping_sub(1))) {
            (Some(_), Some(piece)) => *piece,
            (Some(_), None) => Steady::still(self.poses[self.poses.len() - 1]),
            (None, _) => Steady::still(self.poses[0]),
        }
    }

    /// The steady motions of a span of time, each with its part of the span.
    pub(crate) fn parts(&self, from: f64, to: f64) -> impl Iterator<Item = (Steady, f64, f64)> + '_ {
        let first = self.passed(from);
        // A piece that only begins when the span ends is left out, unless the span is a single time.
        let last = self.times.partition_point(|&time| time < to).max(first);
        (first..=last).map(move |passed| {
            let begins = if passed == first { from } else { self.times[passed - 1] };
            let ends = if passed == last { to } else { self.times[passed] };
            (self.after(passed), begins, ends)
        })
    }
}

impl Motion for TimedPoses {
    fn pose(&self, t: f64) -> Pose {
        self.after(self.passed(t)).pose(t)
    }

    /// The middle of the box around all velocities in the span, and how far the farthest velocity is from it.
    fn rates(&self, from: f64, to: f64) -> Rates {
        let velocities = Aabb::of(self.parts(from, to).map(|(piece, ..)| piece.velocity()));
        let spins = Aabb::of(self.parts(from, to).map(|(piece, ..)| piece.spin()));
        let mut rates =
            Rates { centre: self.centre, velocity: velocities.centre(), spin: spins.centre(), ..Rates::STILL };
        for (piece, ..) in self.parts(from, to) {
            rates.velocity_spread = rates.velocity_spread.max(piece.velocity().distance(rates.velocity));
            rates.spin_spread = rates.spin_spread.max(piece.spin().distance(rates.spin));
        }
        rates
    }

    fn accelerations(&self, from: f64, to: f64) -> [f64; 2] {
        if self.parts(from, to).nth(1).is_none() { [0.0; 2] } else { [f64::INFINITY; 2] }
    }

    fn fall(&self, from: f64, to: f64) -> Option<DVec3> {
        self.parts(from, to).nth(1).is_none().then_some(DVec3::ZERO)
    }

    fn steady(&self, from: f64) -> Option<(Steady, f64)> {
        let passed = self.passed(from);
        Some((self.after(passed), self.times.get(passed).copied().unwrap_or(f64::INFINITY)))
    }

    fn swept_box(&self, model: &Model, from: f64, to: f64) -> Option<Aabb> {
        self.parts(from, to)
            .try_fold(Aabb::EMPTY, |whole, (piece, from, to)| Some(whole.join(&piece.swept_box(model, from, to)?)))
    }
}
