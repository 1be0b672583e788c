//! When do two deforming meshes that touch part again?
//!
//! Touching is certain over a stretch of time where one edge crosses one face all along (`staying.rs`), and, of a body
//! inside another, as long as no point can have come as far as the surfaces are apart. From the first contact on the
//! crossing that lasts longest is followed to its end, then the next; the bodies are looked at with the static verb
//! only where one ends. Where nothing is certain, because surfaces touch without crossing or are about to part, the
//! bodies are looked at a little later, and twice as late again if they still touch.
//!
//! Invariant: they touch at `lower` and are apart at `upper`. No parting between the contact and `lower` is passed over
//! but those while nothing is certain: of these, shorter ones than [`LONGEST`] of the step may be.
//!
//! Cost: a refit of both trees and a query for each time looked at, some hundred determinants for each crossing there.

use super::snapshot::MeshSnapshot;
use super::still_crossing::StayingCrossing;
use crate::answer::Stats;
use crate::math::Interval;
use crate::model::Deforming;
use crate::narrow::outcome::Outcome;
use crate::narrow::proximity::WitnessedGap;
use crate::time::movers::contact_interval::Parting;

/// Crossings shorter than this are not worth following, and how soon the first look ahead is.
const SHORTEST: f64 = 1.0 / (1u64 << 36) as f64;

/// The latest look ahead.
const LONGEST: f64 = 1.0 / 1024.0;

/// Looks ahead, in units of the shortest, that pass over no parting worth telling.
const HIDDEN: f64 = 64.0;

/// Pairs of triangles whose crossings are followed from one time.
const MOST_FOLLOWED: usize = 256;

/// Vertices moved by all looks together, and what a look costs at least.
const MOST_MOVED: usize = 1 << 26;
const TEST_COST: usize = 1 << 12;

impl Deforming {
    /// When two deforming meshes part whose contact begins within `time`: they touch at `lower`, and no longer at
    /// `upper`. There are no `ends` when they touch to the end of the step. Bodies that seem to meet and are apart by
    /// `time.upper` have parted by then, if they met. Bodies as near as `near` count as touching.
    ///
    /// While an edge of one crosses a face of the other, and while one is inside the other, no parting is passed over.
    /// While surfaces touch and cross nowhere, one that is shorter than 1/1024 of the step may be.
    pub(crate) fn parting_within(&self, b: &Deforming, time: Interval, near: f64) -> Parting {
        let stats = &mut Stats::default();
        let mut certain = true;
        let Some(mut snapshot) = MeshSnapshot::new([self, b], time.upper) else {
            return Parting { ends: None, certain };
        };
        snapshot.near = near;
        if !snapshot.is_touching(stats) {
            return Parting { ends: Some(time), certain: false };
        }
        let cost = self.vertices.len() + b.vertices.len() + TEST_COST;
        let (mut t, mut ahead) = (time.upper, SHORTEST);
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
    /// Until when the bodies, as they stand at `t`, certainly touch; `t` where nothing is certain.
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

    /// Between a time at which they touch and one at which they do not.
    fn bisected(&mut self, [mut low, mut high]: [f64; 2], stats: &mut Stats) -> Interval {
        while high - low > SHORTEST {
            let middle = 0.5 * (low + high);
            self.move_to(middle);
            *(if self.is_touching(stats) { &mut low } else { &mut high }) = middle;
        }
        Interval { lower: low, upper: high }
    }
}
