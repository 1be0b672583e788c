//! Which of the possible meetings of two features are certain, and where: search, proof and exact decision together.
//!
//! The search (`inclusion.rs`) leaves out most pairs, and says when the others may meet first. Where they cross,
//! Miranda's theorem proves it (`crossing.rs`); the rest is decided exactly (`exact_meeting.rs`). With a separation the
//! search alone answers.

use glam::DVec3;

use super::encounter::FeatureEncounter;
use super::exact_meeting::ExactTime;
use super::inclusion::{CellQueue, Meeting, Want};
use crate::math::{Interval, normalising_scale};
use crate::prim::{Part, closest_on, closest_parameters};

/// Wider intervals of proven crossings are not used.
const WIDE: f64 = 1.0 / (1u64 << 21) as f64;

impl FeatureEncounter {
    /// The first meeting before `want.before`. Without a separation it is certain, but where
    /// [`ExactTime::is_decided`] is false.
    pub(crate) fn decided_meeting(&self, want: &Want, cells: &mut CellQueue) -> Option<Meeting> {
        let possible = self.first_meeting(want, cells)?;
        if want.separation > 0.0 {
            return Some(self.certain(&possible).unwrap_or(possible));
        }
        if let Some(sure) = self.certain(&possible).filter(|sure| sure.time.width() <= WIDE) {
            return Some(sure);
        }
        let first = *self.exact_meetings().first()?;
        (first.interval.lower < want.before).then(|| self.exactly_at(first, possible.nearness))
    }

    /// The meeting at a time that is known exactly.
    pub(crate) fn exactly_at(&self, time: ExactTime, nearness: f64) -> Meeting {
        let Interval { lower, upper } = time.interval;
        let at = if time.is_decided { 0.5 * lower + 0.5 * upper } else { lower };
        let nearness = if time.is_decided { 0.0 } else { nearness };
        Meeting { time: time.interval, place: self.closest_place(at), nearness }
    }

    /// The parameters of the points of both features that are nearest to each other at a time.
    pub(crate) fn closest_place(&self, t: f64) -> [f64; 2] {
        let corner = self.points[0].map(|p| p * 0.5);
        let relative = self.points.map(|[from, to]| [from * 0.5 - corner[0], to * 0.5 - corner[1]]);
        let size = relative.iter().flatten().fold(DVec3::ZERO, |most, p| most.max(p.abs())).max_element();
        let scale = normalising_scale(size);
        let [p, q, r, s] = relative.map(|[from, to]| from * scale * (1.0 - t) + to * scale * t);
        if !self.is_face {
            return closest_parameters(q - p, s - r, r - p);
        }
        let (point, part) = closest_on(&[q, r, s], p, 1.0);
        let along = |from: DVec3, to: DVec3| {
            let way = to - from;
            ((point - from).dot(way) / way.length_squared()).clamp(0.0, 1.0)
        };
        match part {
            Part::Vertex(k) => [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]][usize::from(k % 3)],
            Part::Edge(0) => [along(q, r), 0.0],
            Part::Edge(1) => {
                let v = along(r, s);
                [1.0 - v, v]
            }
            Part::Edge(_) => [0.0, 1.0 - along(s, q)],
            Part::Face => {
                let normal = (r - q).cross(s - q);
                let squared = normal.length_squared();
                let u = (point - q).cross(s - q).dot(normal) / squared;
                let v = (r - q).cross(point - q).dot(normal) / squared;
                let u = u.clamp(0.0, 1.0);
                [u, v.clamp(0.0, 1.0 - u)]
            }
        }
    }
}
