//! Times each way to ask about one case, and counts its work.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use impinge::bound::Aabb;
use impinge::glam::DVec3;
use impinge::{Model, Motion, Pair, Pose, Rates, Steady};

use super::cases::Case;
use super::ways::{Told, Way};
use crate::timing::median;

/// Rounds in which the ways take turns; a second time where the first showed the choice to be slow.
const ROUNDS: [usize; 2] = [5, 25];
/// Slower than this, times the best, is measured a second time.
const SLOW: f64 = 1.15;
/// A way that takes this many times as long as the choice, or this many seconds, is measured once.
const HOPELESS: f64 = 8.0;
const LONG: f64 = 0.02;

/// What one way costs and answers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cost {
    pub(super) way: Way,
    pub(super) told: Told,
    pub(super) seconds: f64,
    /// Steps, tests of boxes and of primitives, and questions to the motions.
    pub(super) work: f64,
}

/// What each of these ways costs, the choice first.
pub(super) fn costs(case: &Case, ways: &[Way]) -> Vec<Cost> {
    let fresh = Pair::new(&case.models[0], &case.models[1]);
    let mut costs: Vec<Cost> = ways.iter().map(|&way| counted(way, &fresh, case)).collect();
    let own = costs[0].seconds;
    for rounds in ROUNDS {
        let mut samples = vec![Vec::new(); costs.len()];
        for round in 0..rounds {
            // Each round begins with another way: what a way leaves in the caches, and the end of a slice of time, then
            // count for all; otherwise they come at the same place in each round.
            for place in 0..costs.len() {
                let k = (place + round) % costs.len();
                let (cost, samples) = (&costs[k], &mut samples[k]);
                let hopeless = cost.seconds > HOPELESS * own || cost.seconds > LONG;
                if !hopeless || (samples.is_empty() && cost.seconds < LONG) {
                    samples.push(timed(cost.way, &fresh, case));
                }
            }
        }
        for (cost, samples) in costs.iter_mut().zip(samples).filter(|(_, samples)| !samples.is_empty()) {
            cost.seconds = median(samples);
        }
        let best = costs.iter().map(|cost| cost.seconds).fold(f64::INFINITY, f64::min);
        if costs[0].seconds <= SLOW * best {
            break;
        }
    }
    costs
}

fn timed(way: Way, fresh: &Pair, case: &Case) -> f64 {
    let mut pair = fresh.clone();
    let start = Instant::now();
    let told = way.ask(&mut pair, [&*case.motions[0], &*case.motions[1]]);
    let taken = start.elapsed().as_secs_f64();
    std::hint::black_box(told);
    taken
}

/// The answer, its work, and a first measure of its time.
fn counted(way: Way, fresh: &Pair, case: &Case) -> Cost {
    let questions = AtomicU64::new(0);
    let counted = [0, 1].map(|k| Counted { motion: &*case.motions[k], questions: &questions });
    let start = Instant::now();
    let told = way.ask(&mut fresh.clone(), [&counted[0], &counted[1]]);
    let counting = start.elapsed().as_secs_f64();
    let work = (told.work + questions.load(Ordering::Relaxed)) as f64;
    // Beside what takes so long, counting takes nothing.
    let seconds = if counting > LONG { counting } else { timed(way, fresh, case) };
    Cost { way, told, seconds, work }
}

/// A motion that counts what it is asked.
#[derive(Debug)]
struct Counted<'m> {
    motion: &'m dyn Motion,
    questions: &'m AtomicU64,
}

impl Counted<'_> {
    fn asked(&self) -> &dyn Motion {
        self.questions.fetch_add(1, Ordering::Relaxed);
        self.motion
    }
}

impl Motion for Counted<'_> {
    fn pose(&self, t: f64) -> Pose {
        self.asked().pose(t)
    }

    fn rates(&self, from: f64, to: f64) -> Rates {
        self.asked().rates(from, to)
    }

    fn accelerations(&self, from: f64, to: f64) -> [f64; 2] {
        self.asked().accelerations(from, to)
    }

    fn fall(&self, from: f64, to: f64) -> Option<DVec3> {
        self.motion.fall(from, to)
    }

    fn steady(&self, from: f64) -> Option<(Steady, f64)> {
        self.motion.steady(from)
    }

    fn always_steady(&self) -> Option<&Steady> {
        self.motion.always_steady()
    }

    fn smooth_until(&self, from: f64) -> f64 {
        self.motion.smooth_until(from)
    }

    fn margin(&self, from: f64, to: f64, radius: f64) -> f64 {
        self.motion.margin(from, to, radius)
    }

    fn swept_box(&self, model: &Model, from: f64, to: f64) -> Option<Aabb> {
        self.motion.swept_box(model, from, to)
    }
}
