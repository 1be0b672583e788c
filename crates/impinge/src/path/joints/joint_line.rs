//! The joints that carry a link, one after the other: where the link is, and bounds on how it moves.
//!
//! The pose is a product of exponentials: with the chain at rest (all values 0) joint `j` turns about a line, or slides
//! along a direction, of the *world*, and the link stands at a given pose; then
//!
//! ```text
//!     pose = exp(S₁ q₁) · … · exp(S_n q_n) · rest.
//! ```
//!
//! Bounds follow the outward recursion of Newton and Euler (J. Luh, M. Walker, R. Paul 1980), from each joint to the
//! next: with `r` from the last joint's point to the next one's, and `n` the joint's axis, both fixed to the link
//! before,
//!
//! ```text
//!     a += α × r + ω × (ω × r),           v += ω × r
//!     turning:  α += n q̈ + ω × n q̇,       ω += n q̇
//!     sliding:  a += n q̈ + 2ω × n q̇ + α × n q + ω × (ω × n q),   v += n q̇ + ω × n q.
//! ```
//!
//! Here every quantity is a ball of vectors ([`super::vector_ball`]): over a span of time, link `j` turns away from
//! where it is in the middle by no more than the sum of what the joints before it turn, and rates and accelerations of
//! joints are known within ranges. Over a short span the balls are small, and the bounds are those of the motion
//! itself, not the sums of all reaches times all rates, which grow with the square of the number of joints, and for
//! accelerations with the cube. Over longer spans the velocities in the middle and the accelerations bound the
//! velocities. Long spans are divided until all joints together turn by [`PART`] in a part, or into
//! [`MOST_PARTS`].
//!
//! Cost: some 30 ns for each joint and part, twice that for accelerations, and three times where a part is long.

use glam::{DQuat, DVec3};

use super::vector_ball::{Cap, Range, VectorBall};
use crate::math::Pose;
use crate::path::rates::Rates;

/// The angle that all joints together turn by in one part of a span.
const PART: f64 = 0.6;
/// The most parts for velocities, and for accelerations, which searches ask for again over shorter spans.
const MOST_PARTS: [f64; 2] = [12.0, 4.0];
/// If all joints together turn by more than this in a part, its velocities are bounded from its middle, too.
const FINE: f64 = 0.05;
/// Jumps of rates that count as none, and rounding, as a share of the sum of all terms.
const SMALL_JUMPS: f64 = 1e-10;
/// A ball is used as the bound where that makes speeds no larger than this, times the bound without a direction.
const LARGER: f64 = 1.05;
/// What rounding adds, as a share of the sum of all terms.
const ROUNDING: f64 = 1e-13;

/// A line about which, or along which, a joint moves. It is given in the world, as the chain is at rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct JointAxis {
    pub(crate) point: DVec3,
    pub(crate) axis: DVec3,
    pub(crate) turns: bool,
}

impl JointAxis {
    /// The rotation and the translation of the joint's exponential.
    fn moved(&self, value: f64) -> (DQuat, DVec3) {
        if !self.turns {
            return (DQuat::IDENTITY, self.axis * value);
        }
        let turn = DQuat::from_axis_angle(self.axis, value);
        (turn, self.point - turn * self.point)
    }
}

/// What a joint does over a span of time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct JointRange {
    /// The value in the middle of the span.
    pub(crate) middle: f64,
    /// All values, rates and accelerations.
    pub(crate) value: Range,
    pub(crate) rate: Range,
    pub(crate) acceleration: Range,
}

/// Where the links are up to some joint: the rotation and the translation from their places at rest.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Carried {
    turn: DQuat,
    shift: DVec3,
}

impl Carried {
    /// Nothing carries the base.
    pub(crate) const BASE: Carried = Carried { turn: DQuat::IDENTITY, shift: DVec3::ZERO };

    /// After one more joint.
    pub(crate) fn by(&self, joint: &JointAxis, value: f64) -> Carried {
        let (q, d) = joint.moved(value);
        Carried { turn: (self.turn * q).normalize(), shift: self.shift + self.turn * d }
    }

    /// Where a link is that stands at a pose when the chain is at rest.
    pub(crate) fn place(&self, rest: &Pose) -> Pose {
        Pose::bounded(self.shift + self.turn * rest.translation(), self.turn * rest.rotation())
    }
}

/// Bounds on a link: its origin's velocity, and its spin.
#[derive(Debug, Clone, Copy)]
struct Velocities {
    origin: VectorBall,
    spin: VectorBall,
}

/// The outward recursion up to some joint.
struct Outward {
    turn: DQuat,
    angle: f64,
    cap: Cap,
    last: Option<DVec3>,
    now: Velocities,
    /// The accelerations; zero where they are not asked for.
    change: Velocities,
}

impl Outward {
    /// Goes from the last point along a vector that the last joint carries.
    fn carry<const ACCELERATIONS: bool>(&mut self, r: VectorBall) {
        let moved = self.now.spin.cross(&r);
        self.now.origin = self.now.origin + moved;
        if ACCELERATIONS {
            self.change.origin = self.change.origin + self.change.spin.cross(&r) + self.now.spin.cross(&moved);
        }
    }

    fn go_to<const ACCELERATIONS: bool>(&mut self, point: DVec3) {
        if let Some(last) = self.last.replace(point) {
            let way = point - last;
            self.carry::<ACCELERATIONS>(self.cap.around(self.turn * way, way.length()));
        }
    }

    fn pass<const ACCELERATIONS: bool>(&mut self, joint: &JointAxis, range: &JointRange) {
        self.go_to::<ACCELERATIONS>(joint.point);
        let n = self.cap.around(self.turn * joint.axis, 1.0);
        let speed = n.scaled(range.rate);
        let [mut change, mut swung] = [VectorBall::ZERO; 2];
        if ACCELERATIONS {
            (change, swung) = (n.scaled(range.acceleration), self.now.spin.cross(&speed));
        }
        if joint.turns {
            self.change.spin = self.change.spin + change + swung;
            self.now.spin = self.now.spin + speed;
            self.turn *= DQuat::from_axis_angle(joint.axis, range.middle);
            self.angle += (range.value[1] - range.middle).max(range.middle - range.value[0]);
            self.cap = Cap::new(self.angle);
        } else {
            self.carry::<ACCELERATIONS>(n.scaled(range.value));
            self.now.origin = self.now.origin + speed;
            self.change.origin = self.change.origin + change + swung.scaled([2.0; 2]);
        }
    }
}

/// The joints that carry a link, and the place of the link at rest.
#[derive(Debug, Clone, Copy)]
pub(crate) struct JointLine<I> {
    pub(crate) joints: I,
    pub(crate) rest: DVec3,
}

impl<I: Iterator<Item = (JointAxis, JointRange)>> JointLine<I> {
    fn outward<const ACCELERATIONS: bool>(self) -> Outward {
        let still = Velocities { origin: VectorBall::ZERO, spin: VectorBall::ZERO };
        let (turn, cap) = (DQuat::IDENTITY, Cap::new(0.0));
        let mut outward = Outward { turn, angle: 0.0, cap, last: None, now: still, change: still };
        self.joints.for_each(|(joint, range)| outward.pass::<ACCELERATIONS>(&joint, &range));
        outward.go_to::<ACCELERATIONS>(self.rest);
        outward
    }
}

/// How many parts a span is divided into, in which all joints together turn by `turning`.
fn part_count(turning: f64, most: f64) -> f64 {
    (turning / PART).ceil().clamp(1.0, most)
}

/// That many equal parts of a span.
fn parts([from, to]: [f64; 2], count: f64) -> impl Iterator<Item = [f64; 2]> {
    let step = (to - from).max(0.0) / count;
    (0..count as u32).map(move |k| {
        let begins = from + step * f64::from(k);
        [begins, if f64::from(k + 1) >= count { to } else { from + step * f64::from(k + 1) }]
    })
}

fn velocities<I: Iterator<Item = (JointAxis, JointRange)>>(
    [from, to]: [f64; 2],
    line: impl Fn(f64, f64) -> JointLine<I>,
) -> Velocities {
    line(from, to).outward::<false>().now
}

/// The velocities over a part in which links turn far: they differ from those in its middle by no more than the
/// accelerations times half its length. Balls of directions grow with the angle by which links turn, that difference
/// with its square, so for many joints it is much the smaller one.
fn around_middle<I: Iterator<Item = (JointAxis, JointRange)>>(
    [from, to]: [f64; 2],
    is_smooth: impl Fn(f64, f64) -> bool,
    line: impl Fn(f64, f64) -> JointLine<I>,
) -> Velocities {
    if !is_smooth(from, to) {
        return velocities([from, to], line);
    }
    let Outward { now, change, .. } = line(from, to).outward::<true>();
    let middle = 0.5 * from + 0.5 * to;
    let there = velocities([middle; 2], line);
    let half = (to - middle).max(middle - from);
    let closer = |all: VectorBall, there: VectorBall, change: VectorBall| {
        let radius = there.radius + half * change.most() + SMALL_JUMPS * all.magnitude;
        if radius < all.radius { there.with_radius(radius, all.magnitude) } else { all }
    };
    Velocities {
        origin: closer(now.origin, there.origin, change.origin),
        spin: closer(now.spin, there.spin, change.spin),
    }
}

/// Bounds on the velocities over a span, from those of its parts; `line` tells what the joints do in a part, and
/// `is_smooth` whether no rate jumps in it.
pub(crate) fn rates<I: Iterator<Item = (JointAxis, JointRange)>>(
    span: [f64; 2],
    turning: f64,
    is_smooth: impl Fn(f64, f64) -> bool,
    line: impl Fn(f64, f64) -> JointLine<I>,
) -> Rates {
    let mut whole: Option<(Velocities, [f64; 2])> = None;
    let count = part_count(turning, MOST_PARTS[0]);
    let is_long = turning > FINE * count;
    for part in parts(span, count) {
        let next = if is_long { around_middle(part, &is_smooth, &line) } else { velocities(part, &line) };
        let most = [next.origin.most(), next.spin.most()];
        whole = Some(match whole {
            None => (next, most),
            Some((Velocities { origin, spin }, before)) => (
                Velocities { origin: origin.join(&next.origin), spin: spin.join(&next.spin) },
                [before[0].max(most[0]), before[1].max(most[1])],
            ),
        });
    }
    let Some((bounds, [speed, spin])) = whole else { return Rates::STILL };
    let (velocity, velocity_spread) = ball_or_length(&bounds.origin, speed);
    let (spin, spin_spread) = ball_or_length(&bounds.spin, spin);
    Rates { centre: DVec3::ZERO, velocity, velocity_spread, spin, spin_spread }
}

/// Bounds on the accelerations of the link's origin and of its spin over a span.
pub(crate) fn accelerations<I: Iterator<Item = (JointAxis, JointRange)>>(
    span: [f64; 2],
    turning: f64,
    line: impl Fn(f64, f64) -> JointLine<I>,
) -> [f64; 2] {
    let length = |ball: &VectorBall| ball.most() + ROUNDING * ball.magnitude;
    parts(span, part_count(turning, MOST_PARTS[1])).fold([0.0; 2], |most: [f64; 2], [from, to]| {
        let change = line(from, to).outward::<true>().change;
        [most[0].max(length(&change.origin)), most[1].max(length(&change.spin))]
    })
}

/// The vector and the spread around it: those of the ball, or no vector and the greatest length, if that is less.
fn ball_or_length(ball: &VectorBall, most: f64) -> (DVec3, f64) {
    let rounding = ROUNDING * ball.magnitude;
    let is_close = ball.centre.is_finite() && ball.centre.length() + ball.radius <= LARGER * most;
    if is_close { (ball.centre, ball.radius + rounding) } else { (DVec3::ZERO, most + rounding) }
}
