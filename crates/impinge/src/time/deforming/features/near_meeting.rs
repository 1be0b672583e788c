//! When do a vertex and a face, or two edges, first come as near as a given distance while their points move straight?
//!
//! At a time the closest points of the features are found. Across the direction between them no point of the one is
//! nearer to the other than its nearest corner is, and the height of each corner of one above each corner of the other
//! is a linear function of time: the first of these to fall to the distance gives a time before which the features are
//! certainly not that near. There the search goes on. This is conservative advancement with a slab (as in
//! `movers/next_contact.rs`) that nothing but time limits, since all corners move straight.
//!
//! Where features turn over each other, that advances slowly. So the search first tries to go most of the way to where
//! their closest points would be as near as was asked, with the direction that turns from that of the one time to that
//! of the other: the coefficients of the heights in the Bernstein basis prove it (`nearing.rs`).
//!
//! Invariant: they are not as near before the time that was reached, up to [`FINE`] of the features' size. Cost: the
//! closest points and some dozen products for each step; about ten steps.

use glam::DVec3;

use super::encounter::FeatureEncounter;
use crate::math::{Interval, normalising_scale};

/// A distance greater than the one asked for by this share of the size counts as that.
const FINE: f64 = 1e-12;
/// The most steps.
const MOST_STEPS: usize = 256;

/// The share of the way that a step with a turning direction aims at, and how often it is made shorter.
const SHARE: f64 = 0.9;
const MOST_TRIES: usize = 4;

/// How far two features are apart at a time, and along which direction from the first to the second.
#[derive(Debug, Clone, Copy)]
struct FeatureGap {
    t: f64,
    n: DVec3,
    distance: f64,
    place: [f64; 2],
}

/// The first time at which two features are as near as was asked.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NearMeeting {
    /// To the end of the step where the search reached its cap.
    pub(crate) time: Interval,
    pub(crate) place: [f64; 2],
    /// The distance at `time.lower`.
    pub(crate) distance: f64,
}

impl FeatureEncounter {
    /// The first time from 0 to 1 at which the features are no farther apart than `near`.
    pub(crate) fn first_as_near_as(&self, near: f64) -> Option<NearMeeting> {
        let size = self.points.iter().flatten().fold(DVec3::ZERO, |most, p| most.max(p.abs())).max_element();
        let fine = FINE * (size + near);
        let mut now = self.gap_at(0.0);
        for _ in 0..MOST_STEPS {
            let FeatureGap { t, n, distance, place } = now;
            if distance <= near + fine {
                return Some(NearMeeting { time: Interval { lower: t, upper: t }, place, distance });
            }
            let step = self.far_for(t, n, near).max(self.far_at_speed(distance - near));
            if t + step > 1.0 || step.is_nan() {
                return None;
            }
            let longer = self.turning_step(&now, near, step);
            now = match longer {
                Some(later) => later,
                None => self.gap_at((t + step * (1.0 - 1e-12)).max(t.next_up()).min(1.0)),
            };
        }
        let FeatureGap { t, distance, place, .. } = now;
        Some(NearMeeting { time: Interval { lower: t, upper: 1.0 }, place, distance })
    }

    fn gap_at(&self, t: f64) -> FeatureGap {
        let place = self.closest_place(t);
        let [x, y] = self.points_at(t, place);
        let way = (y - x) * normalising_scale((y - x).abs().max_element());
        FeatureGap { t, n: way.normalize_or_zero(), distance: x.distance(y), place }
    }

    /// A later time, more than `least` from now, until which a direction that turns proves the features farther apart
    /// than `near`.
    fn turning_step(&self, now: &FeatureGap, near: f64, least: f64) -> Option<FeatureGap> {
        let [start, end] = [0.0, 1.0].map(|t| self.points_at(t, now.place));
        let closing = now.n.dot((end[0] - start[0]) - (end[1] - start[1]));
        let aim = if closing > 0.0 { SHARE * (now.distance - near) / closing } else { f64::INFINITY };
        let mut step = aim.min(1.0 - now.t);
        for _ in 0..MOST_TRIES {
            if step <= 2.0 * least {
                return None;
            }
            let later = self.gap_at(now.t + step);
            if self.stay_far(now, &later, near) {
                return Some(later);
            }
            step *= 0.25;
        }
        None
    }

    /// Whether the direction that turns from the one to the other proves the features farther apart than `near`.
    fn stay_far(&self, now: &FeatureGap, later: &FeatureGap, near: f64) -> bool {
        let at = |t: f64| self.points.map(|[start, end]| start * (1.0 - t) + end * t);
        let (from, to) = (at(now.t), at(later.t));
        let first = if self.is_face { 1 } else { 2 };
        let corners = (0..first).flat_map(|i| (first..4).map(move |j| (i, j)));
        corners.into_iter().all(|(i, j)| {
            let (d0, d1) = (from[j] - from[i], to[j] - to[i]);
            let middle = 0.5 * (now.n.dot(d1) + later.n.dot(d0));
            now.n.dot(d0).min(middle).min(later.n.dot(d1)) > near
        })
    }

    /// For how long after `t` all corners of the second are more than `near` above those of the first along `n`.
    fn far_for(&self, t: f64, n: DVec3, near: f64) -> f64 {
        let heights = self.points.map(|[start, end]| (n.dot(start * (1.0 - t) + end * t), n.dot(end - start)));
        let first = if self.is_face { 1 } else { 2 };
        let mut free = f64::INFINITY;
        for (low, speed) in &heights[..first] {
            for (high, other) in &heights[first..] {
                let (height, closing) = (high - low - near, speed - other);
                if height <= 0.0 {
                    return 0.0;
                }
                if closing > 0.0 {
                    free = free.min(height / closing);
                }
            }
        }
        free
    }

    /// For how long features that are `distance` farther apart than they may be stay so, by how fast their points move.
    fn far_at_speed(&self, distance: f64) -> f64 {
        let speed = |p: &[DVec3; 2]| p[0].distance(p[1]);
        let first = if self.is_face { 1 } else { 2 };
        let most = |points: &[[DVec3; 2]]| points.iter().map(speed).fold(0.0, f64::max);
        distance / (most(&self.points[..first]) + most(&self.points[first..]))
    }
}
