//! A hundred thousand random pairs of hulls against the oracle: every verb, every engine, in turn.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use impinge_testing::random::Random;

use crate::verdict::engines::of_convex;
use crate::verdict::families;
use crate::verdict::hull_answers::{Judge, RANDOM};
use crate::verdict::hulls::Scene;

/// Runs this many random scenes on all cores, each through `each` engines in turn. Returns how many overlap, and what
/// is wrong.
fn run(count: usize, each: usize, scene: impl Fn(usize) -> Scene + Sync) -> (usize, Vec<String>) {
    let (next, met) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let wrong = Mutex::new(Vec::new());
    let all = of_convex();
    let work = || {
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            if i >= count {
                break;
            }
            let scene = scene(i);
            let judge = Judge::new(&scene, RANDOM);
            met.fetch_add(usize::from(judge.truth.overlap), Ordering::Relaxed);
            for k in 0..each {
                let method = all[(i * each + k) % all.len()];
                if let Err(e) = judge.all(&mut scene.pair(method), method) {
                    wrong.lock().unwrap().push(format!("{i}, {method}: {e}\n{scene:?}"));
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, |n| n.get()) {
            scope.spawn(work);
        }
    });
    let mut wrong = wrong.into_inner().unwrap();
    wrong.sort();
    (met.into_inner(), wrong)
}

fn report(wrong: &[String]) {
    let shown = wrong.iter().take(12).cloned().collect::<Vec<_>>().join("\n");
    assert!(wrong.is_empty(), "{} failures, the first:\n{shown}", wrong.len());
}

fn seeded(i: usize) -> Random {
    Random::new(i as u64 * 7919 + 17)
}

#[test]
fn a_hundred_thousand_random_pairs() {
    let (met, wrong) = run(100_000, 1, |i| families::scene(&mut seeded(i)));
    report(&wrong);
    assert!(met > 20_000 && met < 80_000, "a lopsided sample: {met} overlap");
}

/// Fewer pairs, each through every engine.
#[test]
fn every_engine_on_the_same_pairs() {
    let (_, wrong) = run(4_000, of_convex().len(), |i| families::scene(&mut seeded(i + 200_000)));
    report(&wrong);
}

/// Gaps and depths of 1e-16 to 1e-6.
#[test]
fn near_touching_pairs() {
    let gaps: Vec<f64> = (6..=16).flat_map(|k| [10f64.powi(-k), -(10f64.powi(-k))]).collect();
    let (_, wrong) = run(100 * gaps.len(), of_convex().len(), |i| {
        families::scene_with_gap(&mut seeded(i + 300_000), gaps[i % gaps.len()])
    });
    report(&wrong);
}
