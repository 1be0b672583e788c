//! When a ball that moves straight first touches a ball that stands: two roots.
//!
//! Seen from the one centre, the other moves along a line, which is measured from its point nearest to the first: so
//! nothing cancels, however far away the ball begins. The balls touch while the centres are not farther apart than both
//! radii. With these greater by what rounding may have done, the root is a bound from below, with them less by as much
//! one from above.

use glam::DVec3;

use crate::math::{EPS, Pose};
use crate::model::Round;
use crate::model::closed_form::ClosedForm;

/// Lengths that neither vanish nor overflow when they are squared twice.
const RANGE: std::ops::Range<f64> = 1e-70..1e70;

/// How the balls come together, with the motion as 1.
pub(super) enum BallMeeting {
    Never,
    /// They touch at the start, or rounding leaves that open.
    AtStart,
    Touch {
        lower: f64,
        /// None where they pass so near that rounding leaves open whether they touch.
        upper: Option<f64>,
        /// The unit vector from the ball that stands to the other.
        normal: DVec3,
    },
}

/// The centre and the radius of a ball.
pub(super) fn ball(round: &Round) -> Option<(DVec3, f64)> {
    match round.form() {
        Some(ClosedForm::Point(centre)) if round.margin() > 0.0 => Some((*centre, round.margin())),
        _ => None,
    }
}

/// How the second ball meets the first; `None` where lengths are too large or too small for squares.
#[inline]
pub(super) fn two_balls(balls: [(DVec3, f64); 2], poses: [&Pose; 2], motion: DVec3) -> Option<BallMeeting> {
    let [(p, r), (q, s)] = balls;
    let shift = poses[1].translation() - poses[0].translation();
    // A ball is mostly in the middle of its frame.
    let turned = |pose: &Pose, p: DVec3| if p == DVec3::ZERO { p } else { pose.rotate(p) };
    let from = shift + turned(poses[1], q) - turned(poses[0], p);
    let square = motion.length_squared();
    let size = shift.abs().max_element() + p.abs().max_element() + q.abs().max_element() + r + s;
    let in_range = |x: f64| RANGE.contains(&x);
    if !in_range(size) || !in_range(square) {
        return None;
    }
    let noise = 32.0 * EPS * size;
    let (far, near) = (r + s + noise, (r + s - noise).max(0.0));
    let approach = from.dot(motion);
    if approach >= 0.0 {
        return Some(if from.length_squared() > far * far { BallMeeting::Never } else { BallMeeting::AtStart });
    }
    let per_square = square.recip();
    let foot = -approach * per_square;
    let beside = (from + motion * foot).length_squared();
    if beside > far * far {
        return Some(BallMeeting::Never);
    }
    let share = |reach: f64| foot - ((reach * reach - beside) * per_square).sqrt();
    let lower = share(far) * (1.0 - 4.0 * EPS);
    if lower > 1.0 {
        return Some(BallMeeting::Never);
    }
    if lower <= 0.0 {
        return Some(BallMeeting::AtStart);
    }
    // Not a number where the ball that is too small is passed.
    let upper = share(near) * (1.0 + 4.0 * EPS);
    let normal = (from + motion * lower) * far.recip();
    Some(BallMeeting::Touch { lower, upper: (upper <= 1.0).then_some(upper), normal })
}
