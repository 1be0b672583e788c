//! Tests the coherent hash: its invariant, its agreement with the standard form, and its cost.

use super::*;
use crate::bound::Aabb;
use crate::broad::hash::hash_trials::{Trial, listed};
use crate::broad::{BoxId, Filter, Mobility, SpatialHash};
use glam::DVec3;
use proptest::prelude::*;

/// The invariant, from scratch: entries, natives, counters, lists.
fn check(phase: &CoherentHash, boxes: &Boxes) {
    for used in &phase.used {
        let natives = boxes.live().filter(|&slot| phase.bodies[slot as usize].level == used.level).count();
        assert_eq!(used.natives as usize, natives);
    }
    let ranges = |slot: u32| -> Vec<CellKey> {
        let used = phase.used.iter().filter(|u| u.level >= phase.bodies[slot as usize].level);
        let keys = |u: &Used| -> Vec<CellKey> {
            let level = u.level;
            Levels::range(&boxes.all()[slot as usize], u.cell).cells().map(|at| CellKey { level, at }).collect()
        };
        used.flat_map(keys).collect()
    };
    let order = |key: &CellKey| (key.level, key.at);
    let mut entries = 0;
    for slot in boxes.live() {
        let (mut held, mut at) = (Vec::new(), phase.bodies[slot as usize].entries);
        while at != NONE {
            assert_eq!(phase.entries[at as usize].slot, slot);
            held.push(phase.cells[phase.entries[at as usize].cell as usize].key);
            at = phase.entries[at as usize].sibling;
        }
        entries += held.len();
        held.sort_by_key(order);
        let mut due = ranges(slot);
        due.sort_by_key(order);
        assert_eq!(held, due, "slot {slot}");
    }
    assert_eq!(phase.entries.len() - phase.free_entries.len(), entries);
    assert_eq!(phase.cells.len() - phase.free_cells.len(), phase.index.len());
    let slots: Vec<u32> = boxes.live().collect();
    let mut close = 0;
    for (k, &a) in slots.iter().enumerate() {
        for &b in &slots[k + 1..] {
            let level = phase.bodies[a as usize].level.max(phase.bodies[b as usize].level);
            let (ours, theirs) = (ranges(a), ranges(b));
            let shared = ours.iter().filter(|key| key.level == level && theirs.contains(key)).count();
            let count = if boxes.admits(a, b) { shared as u32 } else { 0 };
            assert_eq!(phase.pairs.count(a, b), count, "{a} {b}");
            close += usize::from(count > 0);
        }
    }
    assert_eq!(phase.pairs.len(), close);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Through inserts, moves, growth over many levels and removals: the invariant holds, the close pairs are those
    /// of the standard form, no counter is left when all boxes are gone.
    #[test]
    fn counters_count_common_cells(trial in Trial::any(12, 40)) {
        for slack in [1.0, 1.2] {
            let (mut boxes, mut ids) = (Boxes::new(), Vec::new());
            let mut phase = CoherentHash::new(trial.levels, slack);
            let mut standard = SpatialHash::new(trial.levels);
            for frame in &trial.frames {
                Trial::apply(frame, &mut boxes, &mut ids);
                phase.refresh(&boxes);
                check(&phase, &boxes);
                if slack == 1.0 {
                    prop_assert_eq!(listed(&mut phase, &boxes), listed(&mut standard, &boxes));
                }
                boxes.settle();
            }
            ids.drain(..).for_each(|id| boxes.remove(id).unwrap());
            phase.refresh(&boxes);
            prop_assert!(phase.pairs.len() == 0 && phase.index.is_empty());
            prop_assert_eq!(phase.entries.len(), phase.free_entries.len());
            prop_assert!(phase.used.iter().all(|u| u.natives == 0));
        }
    }
}

fn floor(n: usize, pitch: f64) -> (Boxes, Vec<BoxId>) {
    let (mut boxes, side) = (Boxes::new(), (n as f64).sqrt() as usize);
    let ids = (0..n).map(|k| {
        let at = DVec3::new((k % side) as f64 * pitch, 0.0, (k / side) as f64 * pitch);
        boxes.insert(Aabb::new(at, at + DVec3::ONE), Filter::ALL, Mobility::Moving).unwrap()
    });
    let ids = ids.collect();
    (boxes, ids)
}

/// I11, the cost: when boxes on a floor move a little to and fro, the number of cells and counters touched is
/// proportional to the number of boxes.
#[test]
fn i11_work_grows_with_the_number_of_boxes() {
    let work = [2500, 10_000].map(|n| {
        let (mut boxes, ids) = floor(n, 0.97);
        let mut phase = CoherentHash::default();
        let mut state = 1u64;
        phase.refresh(&boxes);
        boxes.settle();
        let before = phase.counts();
        for _ in 0..20 {
            for &id in &ids {
                let b = *boxes.bounds(id).unwrap();
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                let by = [40, 20, 0].map(|s| ((state >> s & 0xfffff) as f64 / 524288.0 - 1.0) * 1e-3);
                let by = DVec3::from_array(by);
                boxes.update(id, Aabb::new(b.min + by, b.max + by)).unwrap();
            }
            phase.refresh(&boxes);
            boxes.settle();
        }
        (phase.counts().cells + phase.counts().counters - before.cells - before.counters) as f64
    });
    assert!(work[0] > 0.0 && work[1] < 5.0 * work[0], "{work:?}");
}

/// A box that does not move costs nothing; a box that moves within its cells changes no entry and no counter.
#[test]
fn only_changed_cells_are_touched() {
    let (mut boxes, ids) = floor(400, 3.0);
    let mut phase = CoherentHash::default();
    phase.refresh(&boxes);
    boxes.settle();
    let before = phase.counts();
    let b = *boxes.bounds(ids[7]).unwrap();
    let by = DVec3::new(0.25, 0.5, 0.125);
    boxes.update(ids[7], Aabb::new(b.min + by, b.max + by - 0.5)).unwrap();
    phase.refresh(&boxes);
    boxes.settle();
    let moved = phase.counts();
    assert_eq!((moved.counters, moved.cells > before.cells), (before.counters, true));
    phase.refresh(&boxes);
    assert_eq!(phase.counts(), moved);
}

/// A level without boxes is given up after a while, with its cells.
#[test]
fn empty_levels_are_given_up() {
    let (mut boxes, _) = floor(100, 2.0);
    let wide = Aabb::new(DVec3::splat(-50.0), DVec3::splat(50.0));
    let id = boxes.insert(wide, Filter::ALL, Mobility::Moving).unwrap();
    let mut phase = CoherentHash::default();
    phase.refresh(&boxes);
    assert_eq!((phase.used.len(), phase.pairs.len()), (2, 100));
    boxes.settle();
    boxes.remove(id).unwrap();
    for _ in 0..IDLE {
        phase.refresh(&boxes);
        assert_eq!((phase.used.len(), phase.pairs.len()), (2, 0));
        boxes.settle();
    }
    phase.refresh(&boxes);
    assert_eq!(phase.used.len(), 1);
    check(&phase, &boxes);
}
