//! Every broad phase finds, frame by frame, the pairs that two nested loops find, whatever changes the boxes.

use std::collections::BTreeSet;

use glam::DVec3;
use impinge::bound::Aabb;
use impinge::broad::{BoxError, Boxes, BroadPhase, Filter, Mobility, PairSet, Phase, plain_pairs};
use impinge_testing::random::Random;

use super::box_scenes::{Scene, scenes};

fn found(phase: &mut dyn BroadPhase, boxes: &Boxes) -> Vec<[u32; 2]> {
    let mut pairs = Vec::new();
    phase.pairs(boxes, &mut |slice| pairs.extend_from_slice(slice));
    pairs
}

fn close(phase: &mut dyn BroadPhase, boxes: &Boxes) -> Vec<[u32; 2]> {
    let mut pairs = Vec::new();
    phase.close(boxes, &mut |slice| pairs.extend_from_slice(slice));
    pairs
}

fn sorted(mut pairs: Vec<[u32; 2]>) -> Vec<[u32; 2]> {
    pairs.sort_unstable();
    pairs
}

/// Runs the scene and returns, frame by frame, the pairs that the phase has to find.
fn run(scene: Scene, mut each: impl FnMut(&Boxes, &str, &[[u32; 2]])) {
    frames(scene, |boxes, at| each(boxes, at, &plain_pairs(boxes)));
}

fn frames(mut scene: Scene, mut each: impl FnMut(&Boxes, &str)) {
    for frame in 0..scene.frames {
        scene.advance(frame);
        each(&scene.boxes, &format!("{}, frame {frame}", scene.name));
        scene.boxes.settle();
    }
}

#[test]
fn pairs_are_those_of_two_loops() {
    for scale in [1, 4] {
        for scene in scenes(scale) {
            let mut phases: Vec<_> = Phase::EACH.iter().map(|p| (p, p.start())).collect();
            run(scene, |boxes, at, expected| {
                for (name, phase) in &mut phases {
                    phase.refresh(boxes);
                    let pairs = sorted(found(phase.as_mut(), boxes));
                    assert_eq!(pairs, expected, "{name}: {at}");
                    assert_eq!(sorted(found(phase.as_mut(), boxes)), expected, "{name}, asked twice: {at}");
                    let close: BTreeSet<[u32; 2]> = close(phase.as_mut(), boxes).into_iter().collect();
                    assert!(expected.iter().all(|pair| close.contains(pair)), "{name}, close: {at}");
                    assert!(close.iter().all(|&[i, j]| i < j && boxes.admits(i, j)), "{name}, close: {at}");
                }
            });
        }
    }
}

#[test]
fn events_lead_from_frame_to_frame() {
    for scene in scenes(1) {
        let mut phases: Vec<_> =
            Phase::EACH.iter().map(|p| (p, p.start(), PairSet::new(), BTreeSet::<[u32; 2]>::new())).collect();
        run(scene, |boxes, at, expected| {
            for (name, phase, pairs, known) in &mut phases {
                phase.refresh(boxes);
                let events = pairs.update(phase.as_mut(), boxes);
                for pair in &events.removed {
                    assert!(known.remove(pair), "{name}: {pair:?} went and was not there: {at}");
                }
                assert!(
                    known.iter().flatten().all(|&i| !boxes.is_born(i)),
                    "{name}: a pair of a box that is no more has stayed: {at}"
                );
                for pair in &events.added {
                    assert!(known.insert(*pair), "{name}: {pair:?} came and was there: {at}");
                }
                assert!(known.iter().eq(expected), "{name}: {at}");
            }
        });
    }
}

#[test]
fn a_phase_that_missed_frames_reads_everything() {
    for scene in scenes(1) {
        let mut phases: Vec<_> = Phase::EACH.iter().map(|p| (p, p.start())).collect();
        let mut frame = 0;
        run(scene, |boxes, at, expected| {
            frame += 1;
            for (name, phase) in phases.iter_mut().filter(|_| frame % 3 != 1) {
                phase.refresh(boxes);
                assert_eq!(sorted(found(phase.as_mut(), boxes)), expected, "{name}: {at}");
            }
        });
    }
}

#[test]
fn a_phase_takes_in_another_store() {
    for each in Phase::EACH {
        let mut phase = each.start();
        for mut scene in scenes(1).into_iter().chain(scenes(2)) {
            for frame in 0..2 {
                scene.advance(frame);
                // Changes between two refreshes in one frame count, too.
                phase.refresh(&scene.boxes);
                if let Some(&id) = scene.ids.first() {
                    scene.shift(id, DVec3::splat(0.25));
                }
                phase.refresh(&scene.boxes);
                let pairs = sorted(found(phase.as_mut(), &scene.boxes));
                assert_eq!(pairs, plain_pairs(&scene.boxes), "{each}: {}, frame {frame}", scene.name);
                scene.boxes.settle();
            }
        }
    }
}

/// The lists are the same, and in the same order.
#[test]
fn order_does_not_depend_on_threads() {
    let lists = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut lists = Vec::new();
            for scene in scenes(3) {
                let mut phases: Vec<_> = Phase::EACH.iter().map(|p| p.start()).collect();
                frames(scene, |boxes, _| {
                    for phase in &mut phases {
                        phase.refresh(boxes);
                        lists.push(found(phase.as_mut(), boxes));
                    }
                });
            }
            lists
        })
    };
    let one_thread = lists(1);
    assert!(one_thread.iter().any(|list| list.len() > 1000));
    for threads in [2, 5] {
        assert!(one_thread == lists(threads), "{threads} threads");
    }
}

/// Enough boxes for the work to be divided among threads. The pairs are all the right ones, and lists and counts are
/// equal on one thread and on several, while boxes move, jump, are added and are removed.
#[test]
fn many_boxes_are_the_same_on_any_number_of_threads() {
    many_boxes_are_the_same(16.0, 2000);
}

/// So many candidates that they are compared in several waves.
#[test]
fn a_crowd_is_the_same_on_any_number_of_threads() {
    many_boxes_are_the_same(8.0, 20_000);
}

fn many_boxes_are_the_same(reach: f64, least: usize) {
    const COUNT: usize = 10_000;
    let phases = [Phase::Auto, Phase::GridSweep, Phase::FatSweep, Phase::DynamicTree];
    let lists = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut random = Random::new(77);
            let mut boxes = Boxes::new();
            let insert = |boxes: &mut Boxes, random: &mut Random| {
                let (at, side) = (random.point(reach), random.point(0.4) + DVec3::splat(0.7));
                boxes.insert(Aabb::new(at, at + side), Filter::ALL, Mobility::Moving).unwrap()
            };
            let mut ids: Vec<_> = (0..COUNT).map(|_| insert(&mut boxes, &mut random)).collect();
            let steps: Vec<DVec3> = (0..COUNT).map(|_| random.point(0.03)).collect();
            let mut running: Vec<_> = phases.iter().map(|p| p.start()).collect();
            let mut lists = Vec::new();
            for frame in 0..12 {
                // All boxes move a little; some jump, and more of them in later frames; some are replaced.
                let places: Vec<Aabb> = boxes.all().to_vec();
                let place = |slot: u32| {
                    let (b, step) = (places[slot as usize], steps[slot as usize]);
                    let jumps = slot % 97 < frame && frame > 4;
                    let by = if jumps { step * 40.0 } else { step };
                    Some(Aabb::new(b.min + by, b.max + by))
                };
                boxes.update_each(place).unwrap();
                for k in (frame as usize..COUNT).step_by(if frame % 4 == 3 { 5 } else { 501 }) {
                    boxes.remove(ids[k]).unwrap();
                    ids[k] = insert(&mut boxes, &mut random);
                }
                for (name, phase) in phases.iter().zip(&mut running) {
                    phase.refresh(&boxes);
                    let pairs = found(phase.as_mut(), &boxes);
                    lists.push((format!("{name}, frame {frame}"), pairs, phase.counts()));
                }
                if threads == 1 {
                    let mut all = Phase::AllPairs.start();
                    all.refresh(&boxes);
                    let expected = sorted(found(all.as_mut(), &boxes));
                    for (at, list, _) in &lists[lists.len() - phases.len()..] {
                        assert!(sorted(list.clone()) == expected, "{at}");
                    }
                }
                boxes.settle();
            }
            lists
        })
    };
    let one_thread = lists(1);
    assert!(one_thread.iter().all(|(_, list, _)| list.len() > least));
    for threads in [2, 3] {
        for (one, more) in one_thread.iter().zip(lists(threads)) {
            assert!(*one == more, "{}: {threads} threads", one.0);
        }
    }
}

/// Heaps of 1000 boxes that all meet: no buffer holds all pairs of a heap, and work that is begun a second time is
/// counted once.
#[test]
fn counts_do_not_depend_on_threads_where_pairs_are_many() {
    let count = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let (mut random, mut boxes) = (Random::new(5), Boxes::new());
            for k in 0..12_000 {
                let heap = DVec3::new(0.0, f64::from(k % 4), f64::from(k / 4 % 3)) * 50.0;
                let at = heap + random.point(0.4);
                boxes.insert(Aabb::new(at, at + DVec3::ONE), Filter::ALL, Mobility::Moving).unwrap();
            }
            [Phase::Auto, Phase::GridSweep, Phase::DynamicTree].map(|phase| {
                let (mut phase, mut pairs) = (phase.start(), 0);
                phase.refresh(&boxes);
                phase.pairs(&boxes, &mut |slice| pairs += slice.len());
                (pairs, phase.counts())
            })
        })
    };
    let one_thread = count(1);
    assert!(one_thread.iter().all(|(pairs, _)| *pairs == 12 * 1000 * 999 / 2), "{one_thread:?}");
    assert_eq!(one_thread, count(3));
}

fn unit(x: f64) -> Aabb {
    Aabb::new(DVec3::new(x, 0.0, 0.0), DVec3::new(x + 1.0, 1.0, 1.0))
}

/// I05 and all other boxes that are not valid: they are refused, and the store is as before.
#[test]
fn i05_what_is_no_box_is_refused() {
    let mut boxes = Boxes::new();
    let id = boxes.insert(unit(0.0), Filter::ALL, Mobility::Moving).unwrap();
    boxes.settle();
    let (o, one) = (DVec3::ZERO, DVec3::ONE);
    for bad in [
        Aabb::new(DVec3::NEG_INFINITY, DVec3::INFINITY),
        Aabb::new(o, DVec3::new(1.0, f64::NAN, 1.0)),
        Aabb::new(DVec3::splat(f64::NAN), one),
        Aabb::new(one, o),
        Aabb::new(DVec3::new(0.0, 0.0, 2.0), one),
        Aabb::new(o, DVec3::splat(1e151)),
        Aabb::EMPTY,
    ] {
        assert!(boxes.insert(bad, Filter::ALL, Mobility::Moving).is_err(), "{bad:?}");
        assert!(boxes.update(id, bad).is_err(), "{bad:?}");
        assert!(boxes.update_each(|_| Some(bad)).is_err(), "{bad:?}");
        assert_eq!((boxes.len(), boxes.slots(), boxes.changed_count()), (1, 1, 0));
        assert_eq!(boxes.bounds(id), Some(&unit(0.0)));
    }
}

/// I07: one box around ten thousand.
#[test]
fn i07_one_box_around_all() {
    let mut boxes = Boxes::new();
    boxes.insert(Aabb::new(DVec3::splat(-1e6), DVec3::splat(1e6)), Filter::ALL, Mobility::Moving).unwrap();
    for k in 0..10_000 {
        let at = DVec3::new(f64::from(k % 100), f64::from(k / 100), 0.0) * 3.0;
        boxes.insert(Aabb::new(at, at + DVec3::ONE), Filter::ALL, Mobility::Moving).unwrap();
    }
    for each in Phase::EACH {
        let mut phase = each.start();
        phase.refresh(&boxes);
        let mut count = 0;
        phase.pairs(&boxes, &mut |pairs| count += pairs.len());
        assert_eq!(count, 10_000, "{each}");
        assert!(phase.bytes() < 64 << 20, "{each}: {} bytes", phase.bytes());
    }
}

/// I09: the id of a removed box is refused for ever. (That nothing is removed during a visit is ensured by the borrow
/// checker.)
#[test]
fn i09_stale_ids_are_refused() {
    let mut boxes = Boxes::new();
    let a = boxes.insert(unit(0.0), Filter::ALL, Mobility::Moving).unwrap();
    boxes.remove(a).unwrap();
    assert_eq!(boxes.remove(a), Err(BoxError::Stale { id: a }));
    let b = boxes.insert(unit(1.0), Filter::ALL, Mobility::Static).unwrap();
    assert_eq!((b.slot(), boxes.slots()), (a.slot(), 1), "the slot is used again");
    assert_eq!(boxes.update(a, unit(2.0)), Err(BoxError::Stale { id: a }));
    assert_eq!(boxes.remove(a), Err(BoxError::Stale { id: a }));
    assert_eq!(boxes.set_filter(a, Filter::ALL), Err(BoxError::Stale { id: a }));
    assert_eq!((boxes.bounds(a), boxes.bounds(b)), (None, Some(&unit(1.0))));
    assert_eq!(Boxes::new().remove(b), Err(BoxError::Stale { id: b }));
    assert_eq!((boxes.len(), boxes.id(0)), (1, Some(b)));
}

/// I11, the answers: 10 000 unit boxes on a floor that move a little to and fro for 100 frames. Phases whose work here
/// is quadratic get fewer boxes.
#[test]
fn i11_boxes_on_a_floor_shiver() {
    let fast = |phase: &&Phase| !SQUARE_ON_A_FLOOR.contains(*phase);
    shiver(2000, 60.0, 30, &Phase::EACH.iter().collect::<Vec<_>>());
    shiver(10_000, 134.0, 100, &Phase::EACH.iter().filter(fast).collect::<Vec<_>>());
}

/// These phases compare every two boxes, or exchange all ends along the axis on which the boxes are at one height.
const SQUARE_ON_A_FLOOR: &[Phase] = &[Phase::AllPairs, Phase::SweepPrune, Phase::SkewedSweep, Phase::SegmentedSweep];

fn shiver(count: usize, side: f64, frames: usize, phases: &[&Phase]) {
    let mut random = Random::new(11);
    let mut boxes = Boxes::new();
    let mut ids = Vec::new();
    for _ in 0..count {
        let at = DVec3::new(random.within(0.0, side), random.within(0.0, 1e-3), random.within(0.0, side));
        ids.push(boxes.insert(Aabb::new(at, at + DVec3::ONE), Filter::ALL, Mobility::Moving).unwrap());
    }
    let mut phases: Vec<_> = phases.iter().map(|p| (p, p.start())).collect();
    for frame in 0..frames {
        for &id in &ids {
            let (b, by) = (*boxes.bounds(id).unwrap(), random.point(1e-3));
            boxes.update(id, Aabb::new(b.min + by, b.max + by)).unwrap();
        }
        let expected = pairs_by_strips(&boxes);
        if frame % 20 == 0 {
            assert_eq!(expected, plain_pairs(&boxes), "frame {frame}");
        }
        for (name, phase) in &mut phases {
            phase.refresh(&boxes);
            assert_eq!(sorted(found(phase.as_mut(), &boxes)), expected, "{name}, {count} boxes, frame {frame}");
        }
        boxes.settle();
    }
}

/// Two loops, the inner one over boxes that begin before the outer one's ends: a test of all pairs of 10 000 boxes in
/// every frame would take a minute.
fn pairs_by_strips(boxes: &Boxes) -> Vec<[u32; 2]> {
    let mut along: Vec<(u32, Aabb)> = (0..).zip(boxes.all().iter().copied()).collect();
    along.sort_by(|a, b| a.1.min.x.total_cmp(&b.1.min.x));
    let mut pairs = Vec::new();
    for (k, (i, a)) in along.iter().enumerate() {
        for (j, b) in along[k + 1..].iter().take_while(|(_, b)| b.min.x <= a.max.x) {
            if a.min.cmple(b.max).all() && b.min.cmple(a.max).all() {
                pairs.push([*i.min(j), *i.max(j)]);
            }
        }
    }
    sorted(pairs)
}

/// Pairs are shown and not kept: 3000 boxes at one point are 4.5 million pairs.
#[test]
fn a_square_of_pairs_is_not_stored() {
    let mut boxes = Boxes::new();
    for _ in 0..3000 {
        boxes.insert(unit(0.0), Filter::ALL, Mobility::Moving).unwrap();
    }
    for each in Phase::EACH {
        let mut phase = each.start();
        for _ in 0..2 {
            phase.refresh(&boxes);
            let mut count = 0;
            phase.pairs(&boxes, &mut |pairs| count += pairs.len());
            assert_eq!(count, 3000 * 2999 / 2, "{each}");
            boxes.settle();
        }
        if !KEEPS_PAIRS.contains(each) {
            assert!(phase.bytes() < 4 << 20, "{each}: {} bytes", phase.bytes());
        }
    }
}

/// These phases keep a table of all pairs.
const KEEPS_PAIRS: &[Phase] =
    &[Phase::CoherentHash, Phase::SweepPrune, Phase::SweepTwoAxes, Phase::SkewedSweep, Phase::SegmentedSweep];

#[test]
fn moving_each_is_moving_one_by_one() {
    let mut stores = [Boxes::new(), Boxes::new()];
    let mut ids = Vec::new();
    for boxes in &mut stores {
        ids = (0..10_000).map(|k| boxes.insert(unit(f64::from(k)), Filter::ALL, Mobility::Moving).unwrap()).collect();
        boxes.remove(ids[77]).unwrap();
        boxes.settle();
    }
    let place = |slot: u32| (!slot.is_multiple_of(3)).then(|| unit(-f64::from(slot)));
    stores[0].update_each(place).unwrap();
    for id in &ids {
        if let (Some(b), true) = (place(id.slot()), id.slot() != 77) {
            stores[1].update(*id, b).unwrap();
        }
    }
    assert_eq!(stores[0].all(), stores[1].all());
    assert!(stores[0].changed().eq(stores[1].changed()));
    assert_eq!(stores[0].changed_count(), 6665);
}
