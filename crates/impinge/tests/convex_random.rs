//! A hundred thousand random pairs of hulls against the oracle: every verb, every engine, in turn.
#![allow(clippy::unwrap_used, reason = "a test may stop where its own premises fail")]

mod convex_oracle;
mod convex_verdict;
mod oracle;
mod shapes;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use convex_verdict::answers::{Judge, RANDOM, Strictness};
use convex_verdict::{Scene, families, methods};
use shapes::random::Random;

/// Runs `scene(i)` for every `i` on all cores, each scene through the engines that `engines(i)` names.
fn run(count: usize, strict: Strictness, each: usize, scene: impl Fn(&mut Random) -> Scene + Sync) -> [usize; 2] {
    let (next, met) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let wrong = Mutex::new(Vec::new());
    let all = methods();
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, |n| n.get()) {
            scope.spawn(|| {
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    if i >= count {
                        break;
                    }
                    let scene = scene(&mut Random::new(i as u64 * 7919 + 17));
                    let judge = Judge::new(&scene, strict);
                    met.fetch_add(usize::from(judge.truth.overlap), Ordering::Relaxed);
                    for k in 0..each {
                        let method = all[(i * each + k) % all.len()];
                        if let Err(e) = judge.all(&mut scene.pair(method), method) {
                            wrong.lock().unwrap().push(format!("{i}, {method}: {e}\n  {scene:?}"));
                        }
                    }
                }
            });
        }
    });
    let mut wrong = wrong.into_inner().unwrap();
    wrong.sort();
    let shown = wrong.iter().take(12).cloned().collect::<Vec<_>>().join("\n");
    assert!(wrong.is_empty(), "{} failures, the first:\n{shown}", wrong.len());
    [count, met.into_inner()]
}

#[test]
fn a_hundred_thousand_random_pairs() {
    let [count, met] = run(100_000, RANDOM, 1, families::scene);
    assert!(met > count / 5 && met < count * 4 / 5, "a lopsided sample: {met} of {count} overlap");
}

/// Fewer pairs, each through every engine.
#[test]
fn every_engine_on_the_same_pairs() {
    run(3_000, RANDOM, methods().len(), families::scene);
}

#[test]
fn near_touching_pairs() {
    for (k, exponent) in [-16, -15, -14, -13, -12, -10, -8, -6].into_iter().enumerate() {
        for sign in [1.0, -1.0] {
            let gap = sign * 10f64.powi(exponent);
            run(40, RANDOM, methods().len(), |random| {
                let mut random = Random::new(random.bits() ^ (k as u64 + 1));
                families::scene_with_gap(&mut random, gap)
            });
        }
    }
}
