//! Finds every contact of two deforming meshes over the step, and when they first come as near as a tolerance.
//!
//! The search finds the first contact and when it ends (`deforming_parting.rs`), then the first contact in the rest of
//! the step, and so on. The rest is a step of its own, from where the vertices are when the bodies have parted.
//!
//! When bodies come as near as a tolerance follows from their distance and their speeds (Von Herzen, Barr and Zatz
//! 1990, as in `by_speed.rs`): bodies that are `d` apart, and whose points approach by no more than `Λ` in a step, do
//! not come as near as `ε` for `(d − ε)/Λ` of it. If they are nearer than `ε`, they stay so for `(ε − d)/Λ`.
//!
//! Invariant: no contact is missed, except between a parting and the first time at which the search finds the bodies
//! apart; the contact before is then not certain. Cost: an impact and a parting for each contact; with a tolerance, a
//! refit and a distance query for each of the times tried, of which each closes a share of the distance.

use glam::DVec3;

use super::deforming_impact::no_impact;
use super::deforming_sweep::nearest_at;
use super::snapshot::MeshSnapshot;
use crate::answer::{Impact, Semantics, Stats};
use crate::math::{EPS, Interval};
use crate::model::Deforming;
use crate::model::Mesh;
use crate::narrow::outcome::Outcome;
use crate::narrow::proximity::WitnessedGap;
use crate::time::movers::contact_interval::{ContactInterval, Parting};

/// The most contacts in one step, and searches for the next one.
const MOST_CONTACTS: usize = 1 << 8;
/// The most distances measured before a search with a tolerance gives up.
const MOST_DISTANCES: usize = 1 << 12;
/// A distance that exceeds the tolerance by no more than this share of the sizes counts as the tolerance.
const FINE: f64 = 1e-10;
/// How long after a parting the search for the next contact begins, as a share of the step. If it finds the same
/// contact again, it is repeated after twice that time.
const SOON: f64 = 1.0 / (1u64 << 36) as f64;

impl Deforming {
    /// Every contact of the step, from when until when. Bodies as near as `near` count as touching. After 256 contacts
    /// the rest of the step is one contact that is not certain.
    pub(crate) fn contacts_over_time(&self, b: &Deforming, near: f64) -> Vec<ContactInterval> {
        let mut all: Vec<ContactInterval> = Vec::new();
        let (mut from, mut ahead) = (0.0, SOON);
        let mut rest = Some([self.clone(), b.clone()]);
        for round in 0.. {
            let Some([one, other]) = &rest else { break };
            let impact = one.first_within(other, near);
            let Some(time) = impact.time else { break };
            // The positions of vertices at the beginning of the rest are rounded.
            let rounding = if from > 0.0 { 8.0 * EPS } else { 0.0 };
            let in_step = |t: f64, off: f64| (from + t * (1.0 - from) - off).clamp(from, 1.0);
            let begins = Interval { lower: in_step(time.lower, rounding), upper: in_step(time.upper, 0.0) };
            if round >= MOST_CONTACTS {
                let left = Interval { lower: begins.lower, upper: 1.0 };
                all.push(ContactInterval { begins: left, ends: Some(left), certain: false });
                break;
            }
            let Parting { ends, certain } = one.parting_within(other, time, near);
            let ends = ends.map(|ends| Interval { lower: in_step(ends.lower, 0.0), upper: in_step(ends.upper, 0.0) });
            let is_same = begins.lower - from <= ahead;
            let next = ends.map_or(1.0, |ends| ends.upper);
            match all.last_mut().filter(|_| is_same) {
                Some(last) => {
                    (last.ends, last.certain, ahead) = (ends, false, 2.0 * ahead);
                    from = next + ahead;
                }
                None => {
                    all.push(ContactInterval { begins, ends, certain: certain && impact.certain });
                    (from, ahead) = (next, SOON);
                }
            }
            rest = if from < 1.0 { self.rest(from).zip(b.rest(from)).map(|(a, b)| [a, b]) } else { None };
        }
        all
    }

    /// The rest of the step from a time on, as a step of its own.
    fn rest(&self, t: f64) -> Option<Deforming> {
        let mesh = Mesh::new(self.positions_at(t), self.triangles.clone()).ok()?.with_inside_of(self.mesh());
        let end: Vec<DVec3> = self.vertices.iter().map(|[_, end]| *end).collect();
        Deforming::new(mesh, &end).ok()
    }

    /// The first time at which they come as near as `near`; with 0, when they touch.
    pub(crate) fn first_within(&self, b: &Deforming, near: f64) -> Impact {
        if near == 0.0 {
            return self.impact(b);
        }
        let solid = self.mesh().is_solid() || b.mesh().is_solid();
        let mut impact = no_impact(if solid { Semantics::Solid } else { Semantics::Surface });
        let Some(mut snapshot) = MeshSnapshot::new([self, b], 0.0) else { return impact };
        let fastest = self.fastest() + b.fastest();
        let size = |body: &Deforming| (body.bounds.max - body.bounds.min).max_element();
        let fine = FINE * (size(self) + size(b) + near);
        let mut t = 0.0;
        for _ in 0..MOST_DISTANCES {
            let (distance, places) = snapshot.distance(&mut impact.stats);
            if distance.lower <= near + fine {
                let upper =
                    if distance.upper <= near { Some(t) } else { snapshot.near_soon_after(t, near, fine / fastest) };
                impact.time = Some(Interval { lower: t, upper: upper.unwrap_or(t) });
                impact.certain = upper.is_some();
                if let Some(places) = places {
                    let witness = nearest_at(self, b, places, t).0;
                    impact.normal = (witness.points[1] - witness.points[0]).try_normalize();
                    impact.witness = Some(witness);
                }
                return impact;
            }
            let next = t + (distance.lower - near) / fastest * (1.0 - 1e-12);
            if next.is_nan() || next > 1.0 {
                return impact;
            }
            t = next.max(t.next_up()).min(1.0);
            snapshot.move_to(t);
        }
        Impact { time: Some(Interval { lower: t, upper: 1.0 }), certain: false, ..impact }
    }
}

impl MeshSnapshot<'_> {
    /// How far apart they are, and the places of the nearest triangles; `None` where they touch.
    fn distance(&mut self, stats: &mut Stats) -> (Interval, Option<[u32; 2]>) {
        match self.nearest(f64::INFINITY, stats) {
            Outcome::Beyond => (Interval::INFINITE, None),
            Outcome::Apart(WitnessedGap { interval, witness }) => {
                let [i, j] = witness.features.map(|feature| feature.triangle());
                (interval, i.zip(j).map(|(i, j)| [i, j]))
            }
            _ => (Interval::ZERO, None),
        }
    }

    /// A time soon after `t` at which they are certainly as near as `near`; the last time tried is `1024·step` later.
    fn near_soon_after(&mut self, t: f64, near: f64, step: f64) -> Option<f64> {
        let later = (0..6).map(|k| t + step * f64::from(1u32 << (2 * k))).take_while(|later| *later <= 1.0);
        let found = later.into_iter().find(|&later| {
            self.move_to(later);
            self.distance(&mut Stats::default()).0.upper <= near
        });
        self.move_to(t);
        found
    }
}
