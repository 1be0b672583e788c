//! When do two deforming meshes that touch part again?
//!
//! Bodies certainly touch over a stretch of time in which one edge always crosses one face (`still_crossing.rs`), or,
//! when one body is inside the other, as long as no point can have moved as far as the surfaces are apart. From the
//! first contact on, the search takes the crossing that lasts longest and goes on from its end; only there it tests the
//! bodies with a static query. Where nothing is certain, because surfaces touch without crossing or are about to part,
//! it tests the bodies a little later, and doubles that time if they still touch.
//!
//! Invariant: they touch at `lower` and are apart at `upper`. Between the contact and `lower` a parting can be missed
//! only while nothing is certain, and only if it is shorter than [`LONGEST`] of the step.
//!
//! Cost: for each time tested, a refit of both trees, a query, and some hundred determinants for each crossing.

use super::snapshot::MeshSnapshot;
use super::still_crossing::StayingCrossing;
use crate::answer::Stats;
use crate::math::Interval;
use crate::model::Deforming;
use crate::narrow::outcome::Outcome;
use crate::narrow::proximity::WitnessedGap;
use crate::time::movers::contact_interval::Parting;

/// The first step where nothing is certain, as a share of the step of the bodies. Shorter crossings are not used.
const SHORTEST: f64 = 1.0 / (1u64 << 36) as f64;

/// The longest step where nothing is certain.
const LONGEST: f64 = 1.0 / 1024.0;

/// The longest step, as a multiple of the shortest, in which a parting is too short to be reported.
const HIDDEN: f64 = 64.0;

/// The most pairs of triangles whose crossings are tried at one time.
const MOST_FOLLOWED: usize = 256;

/// The most vertices that all tests together move, and the cost of a test besides its vertices.
const MOST_MOVED: usize = 1 << 26;
const TEST_COST: usize = 1 << 12;

impl Deforming {
    /// When two deforming meshes part whose contact begins within `time`: they touch at `lower`, and no longer at
    /// `upper`. There are no `ends` when they touch to the end of the step. Bodies that are apart at `time.upper` and
    /// soon after it, where their vertices are rounded to, have parted within `time`. Bodies as near as `near` count as
    /// touching.
    ///
    /// While an edge of one crosses a face of the other, or one is inside the other, no parting is missed. While
    /// surfaces touch and cross nowhere, a parting shorter than 1/1024 of the step may be missed.
    pub(crate) fn parting_within(&self, b: &Deforming, time: Interval, near: f64) -> Parting {
        let stats = &mut Stats::default();
        let mut certain = true;
        let Some(mut snapshot) = MeshSnapshot::new([self, b], time.upper) else {
            return Parting { ends: None, certain };
        };
        snapshot.near = near;
        let Some(touched) = snapshot.touching_soon(time.upper, stats) else {
            return Parting { ends: Some(time), certain: false };
        };
        let cost = self.vertices.len() + b.vertices.len() + TEST_COST;
        let (mut t, mut ahead) = (touched, SHORTEST);
        for _ in 0..MOST_MOVED / cost {
            let sure = snapshot.touching_until(t, stats);
            if sure >= 1.0 {
                return Parting { ends: None, certain };
            }
            if sure - t > SHORTEST {
                (t, ahead) = (sure, SHORTEST);
                snapshot.move_to(t);
                continue;
            }
            let next = (t + ahead).min(1.0);
            snapshot.move_to(next);
            if !snapshot.is_touching(stats) {
                return Parting { ends: Some(snapshot.bisected([t, next], stats)), certain };
            }
            certain &= ahead <= HIDDEN * SHORTEST;
            if next >= 1.0 {
                return Parting { ends: None, certain };
            }
            (t, ahead) = (next, (2.0 * ahead).min(LONGEST));
        }
        Parting { ends: None, certain: false }
    }
}

impl MeshSnapshot<'_> {
    /// The time until which the bodies, which are now as at `t`, certainly touch; `t` where nothing is certain.
    fn touching_until(&mut self, t: f64, stats: &mut Stats) -> f64 {
        let touching = self.touching(MOST_FOLLOWED, stats);
        let [a, b] = self.bodies();
        let mut until = t;
        for &pair in touching.pairs.iter() {
            for crossing in StayingCrossing::of(a, b, pair) {
                until = until.max(crossing.until(t, SHORTEST));
                if until >= 1.0 {
                    return until;
                }
            }
        }
        if self.near > 0.0
            && let Outcome::Apart(WitnessedGap { interval, .. }) = self.nearest(f64::INFINITY, stats)
        {
            let fastest = a.fastest() + b.fastest();
            let certain = t + (self.near - interval.upper) / fastest * (1.0 - 1e-12);
            until = until.max(if fastest > 0.0 { certain.min(1.0) } else { 1.0 });
        }
        if touching.contained.is_some() {
            let fastest = a.fastest() + b.fastest();
            let apart = self.surface_distance(stats);
            let certain = if fastest > 0.0 { t + apart / fastest * (1.0 - 1e-12) } else { 1.0 };
            until = until.max(certain.min(1.0));
        }
        until
    }

    /// Bisects between a time at which they touch and one at which they do not.
    fn bisected(&mut self, [mut low, mut high]: [f64; 2], stats: &mut Stats) -> Interval {
        while high - low > SHORTEST {
            let middle = 0.5 * (low + high);
            self.move_to(middle);
            *(if self.is_touching(stats) { &mut low } else { &mut high }) = middle;
        }
        Interval { lower: low, upper: high }
    }
}
