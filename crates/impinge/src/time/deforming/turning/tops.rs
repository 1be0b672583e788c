//! How high the highest points of a piece are along a direction, and how fast they rise: what decides when two pieces
//! that move, turn and deform may meet.
//!
//! The corners of a triangle are told one by one, each with its own speed; any other piece with the height of its
//! highest point and the greatest speed of any. Along a fixed direction the second derivative of the height of each
//! point has a bound (`impact/closing.rs`), to which a point that moves with `v` within a body that turns with `ω` adds
//! `2|ω||v|` (Coriolis). So `height + speed·τ + ½K·τ²` bounds each.

use glam::DVec3;
use smallvec::{SmallVec, smallvec};

use crate::narrow::parts::piece::ConvexPiece;
use crate::time::impact::closing::{Moment, time_to_close};

/// The height of a point and how fast it rises.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RisingTop {
    pub(crate) height: f64,
    pub(crate) speed: f64,
}

/// The tops of a piece of body `k` along a unit direction `n`; both in the frame of `a`. `None` for a half-space.
pub(crate) fn tops(
    piece: &ConvexPiece<'_>,
    drift: &[DVec3; 3],
    k: usize,
    moment: &Moment,
    n: DVec3,
) -> Option<SmallVec<[RisingTop; 3]>> {
    let (placed, own) = match k {
        0 => (None, n),
        _ => (Some(&moment.b_in_a), moment.b_in_a.rotation.transpose() * n),
    };
    let in_a = |p: DVec3| placed.map_or(p, |place| place.apply(p));
    if let ConvexPiece::Triangle(corners) = piece {
        let top = |i: usize| {
            let p = in_a(corners[i]);
            RisingTop { height: n.dot(p), speed: moment.speed_of(k, p, n) + own.dot(drift[i]) }
        };
        return Some(smallvec![top(0), top(1), top(2)]);
    }
    let height = n.dot(in_a(piece.farthest(own)?)) + piece.margin();
    // The speed along `n` of a point `r` from the centre is `v·n + (n × ω)·r`.
    let across = moment.turning_across(k, n);
    let fast = in_a(piece.farthest(if k == 0 { across } else { moment.b_in_a.rotation.transpose() * across })?);
    let speed = moment.speed_of(k, fast, n) + across.length() * piece.margin();
    Some(smallvec![RisingTop { height, speed }])
}

/// How long no top of `a`, along `n`, reaches one of `b`, along `−n`, or comes nearer than `near`.
pub(crate) fn free_for(a: &[RisingTop], b: &[RisingTop], near: f64, acceleration: f64) -> f64 {
    let mut free = f64::INFINITY;
    for x in a {
        for y in b {
            free = free.min(time_to_close(-y.height - x.height - near, x.speed + y.speed, acceleration));
        }
    }
    free
}
