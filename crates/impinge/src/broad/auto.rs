//! Chooses a phase by counts of its work, and changes the choice with hysteresis.
//!
//! - Up to [`FEW`] boxes: all pairs.
//! - Else the fat sweep, which itself decides in each frame whether to keep its candidates, find new ones, or sweep
//!   from scratch.
//! - Where the sweep compares more than [`COSTLY`] boxes for each one, though few pairs meet (as in clusters so far
//!   apart that each lies in one row): the dynamic tree, which divides the boxes and not space. The sweep is tried
//!   again after [`STAY`] frames, and if it is no better, after twice as many.
//! - Where in [`CALM`] frames in a row at most one box in [`LITTLE`] changed: the dynamic tree too, because its frame
//!   costs what the changed boxes cost, and that of the sweep passes over all boxes. A frame in which more than one in
//!   [`MUCH`] changes brings the sweep back; where the calm was short, the next one has to last longer.
//!
//! Counts and not clocks decide, so that the order of pairs is the same in every run and on every number of threads.

use super::all_pairs::AllPairs;
use super::grid::fat_sweep::FatSweep;
use super::store::boxes::Boxes;
use super::store::broad_phase::{BroadPhase, Counts};
use super::tree::dynamic_tree::DynamicTree;
use crate::bound::Aabb;
use crate::search::backoff::Backoff;

/// The number of boxes up to which all are compared, and the number beyond which they no longer are.
const FEW: [usize; 2] = [96, 160];
/// Comparisons for each box beyond which sweeping is given up, not counting those that pairs found excuse.
const COSTLY: u64 = 1024;
/// The number of comparisons that each pair found excuses.
const EXCUSE: u64 = 16;
/// Frames before the sweep is tried again, at first and at last.
const STAY: u16 = 64;
const LONGEST: u16 = 4096;
/// A frame is calm when at most one box in so many changes; so many calm frames in a row bring the tree.
const LITTLE: usize = 64;
const CALM: u16 = 8;
/// With more than one changed box in so many the calm is over.
const MUCH: usize = 16;

#[derive(Debug, Clone)]
enum Chosen {
    AllPairs(AllPairs),
    FatSweep(FatSweep),
    DynamicTree(DynamicTree),
}

/// The phase that suits the boxes.
///
/// ```
/// use impinge::{bound::Aabb, broad::{Auto, Boxes, BroadPhase, Filter, Mobility}, glam::DVec3};
/// let mut boxes = Boxes::new();
/// let unit = |x: f64| Aabb::new(DVec3::X * x, DVec3::X * x + 1.0);
/// for x in [0.0, 0.5, 3.0] {
///     boxes.insert(unit(x), Filter::ALL, Mobility::Moving)?;
/// }
/// let mut phase = Auto::new();
/// phase.refresh(&boxes);
/// let mut met = Vec::new();
/// phase.pairs(&boxes, &mut |pairs| met.extend_from_slice(pairs));
/// assert_eq!(met, [[0, 1]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Auto {
    chosen: Chosen,
    /// What the phases used before have counted.
    before: Counts,
    /// Frames until the sweep is tried again.
    pause: Backoff<STAY, LONGEST>,
    give_up: bool,
    /// Calm frames in a row, and frames in which calm is not counted because the last one was short.
    calm: u16,
    unrest: Backoff<CALM, LONGEST>,
}

impl Default for Auto {
    fn default() -> Auto {
        Auto::new()
    }
}

impl Auto {
    /// A phase that knows no boxes yet.
    pub fn new() -> Auto {
        let chosen = Chosen::AllPairs(AllPairs::new());
        let before = Counts::default();
        Auto { chosen, before, pause: Backoff::NEW, give_up: false, calm: 0, unrest: Backoff::NEW }
    }

    fn phase(&mut self) -> &mut dyn BroadPhase {
        match &mut self.chosen {
            Chosen::AllPairs(phase) => phase,
            Chosen::FatSweep(phase) => phase,
            Chosen::DynamicTree(phase) => phase,
        }
    }

    fn take(&mut self, chosen: Chosen) {
        self.before = self.counts();
        self.chosen = chosen;
    }

    /// Counts the calm frames, up to the greatest number.
    fn count_calm(&mut self, boxes: &Boxes) {
        let (changed, n) = (boxes.changed_count(), boxes.len());
        let is_tree = matches!(self.chosen, Chosen::DynamicTree(_));
        let limit = if is_tree { MUCH } else { LITTLE };
        if changed * limit <= n && (is_tree || !self.unrest.sits_out()) {
            self.calm = self.calm.saturating_add(1);
            return;
        }
        if is_tree && self.calm >= CALM {
            if self.calm < CALM + STAY { self.unrest.failed() } else { self.unrest.paid() }
        }
        self.calm = 0;
    }

    /// Changes the choice of the phase where that is due.
    fn choose(&mut self, boxes: &Boxes) {
        self.count_calm(boxes);
        let (n, calm) = (boxes.len(), self.calm >= CALM);
        let many = n > FEW[usize::from(matches!(self.chosen, Chosen::AllPairs(_)))];
        match self.chosen {
            Chosen::AllPairs(_) if many => self.take(Chosen::FatSweep(FatSweep::new())),
            Chosen::FatSweep(_) | Chosen::DynamicTree(_) if !many => self.take(Chosen::AllPairs(AllPairs::new())),
            Chosen::FatSweep(_) if self.give_up => {
                self.take(Chosen::DynamicTree(DynamicTree::new()));
                self.pause.failed();
            }
            Chosen::FatSweep(_) if calm => self.take(Chosen::DynamicTree(DynamicTree::new())),
            Chosen::DynamicTree(_) if calm => {}
            Chosen::DynamicTree(_) if !self.pause.sits_out() => self.take(Chosen::FatSweep(FatSweep::new())),
            _ => {}
        }
        self.give_up = false;
    }
}

impl BroadPhase for Auto {
    fn boxed_clone(&self) -> Box<dyn BroadPhase> {
        Box::new(self.clone())
    }

    fn refresh(&mut self, boxes: &Boxes) {
        self.choose(boxes);
        self.phase().refresh(boxes);
    }

    fn pairs(&mut self, boxes: &Boxes, visit: &mut dyn FnMut(&[[u32; 2]])) {
        let Chosen::FatSweep(sweep) = &mut self.chosen else {
            return self.phase().pairs(boxes, visit);
        };
        let (mut met, before) = (0, sweep.counts().tests);
        sweep.pairs(boxes, &mut |pairs| {
            met += pairs.len() as u64;
            visit(pairs);
        });
        let tests = sweep.counts().tests - before;
        self.give_up = tests > COSTLY * boxes.len() as u64 + EXCUSE * met;
    }

    fn near_box(&mut self, boxes: &Boxes, bounds: &Aabb, visit: &mut dyn FnMut(u32)) -> bool {
        self.phase().near_box(boxes, bounds, visit)
    }

    fn counts(&self) -> Counts {
        let now = match &self.chosen {
            Chosen::AllPairs(phase) => phase.counts(),
            Chosen::FatSweep(phase) => phase.counts(),
            Chosen::DynamicTree(phase) => phase.counts(),
        };
        self.before.plus(&now)
    }

    fn bytes(&self) -> usize {
        match &self.chosen {
            Chosen::AllPairs(phase) => phase.bytes(),
            Chosen::FatSweep(phase) => phase.bytes(),
            Chosen::DynamicTree(phase) => phase.bytes(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::broad::store::filter::{Filter, Mobility};
    use glam::DVec3;

    fn kind(auto: &Auto) -> &'static str {
        match auto.chosen {
            Chosen::AllPairs(_) => "all pairs",
            Chosen::FatSweep(_) => "fat sweep",
            Chosen::DynamicTree(_) => "dynamic tree",
        }
    }

    fn frame(auto: &mut Auto, boxes: &mut Boxes) -> usize {
        auto.refresh(boxes);
        boxes.settle();
        let mut count = 0;
        auto.pairs(boxes, &mut |pairs| count += pairs.len());
        count
    }

    #[test]
    fn the_number_of_boxes_decides_with_hysteresis() {
        let (mut auto, mut boxes, mut ids) = (Auto::new(), Boxes::new(), Vec::new());
        let mut kinds = Vec::new();
        for step in [100, 161, 130, 97, 96, 130] {
            while ids.len() < step {
                let at = DVec3::splat(3.0 * ids.len() as f64);
                ids.push(boxes.insert(Aabb::new(at, at + DVec3::ONE), Filter::ALL, Mobility::Moving).expect("a box"));
            }
            while ids.len() > step {
                boxes.remove(ids.pop().expect("an id")).expect("a box");
            }
            frame(&mut auto, &mut boxes);
            kinds.push(kind(&auto));
        }
        let [all, fat] = ["all pairs", "fat sweep"];
        assert_eq!(kinds, [all, fat, fat, fat, all, all]);
    }

    /// Two upright plates of boxes, so far apart that one row of a grid is wider than a plate.
    #[test]
    fn boxes_that_no_grid_can_separate_go_to_the_tree() {
        let (mut auto, mut boxes, mut ids) = (Auto::new(), Boxes::new(), Vec::new());
        let unit = |k: u32, shift: f64| {
            let plate = DVec3::new(1.1e6, 1e6, 1e6) * f64::from(k % 2);
            let at = plate + DVec3::new(0.0, f64::from(k / 2 % 80) * 2.0 + shift, f64::from(k / 160) * 2.0);
            Aabb::new(at, at + DVec3::ONE)
        };
        for k in 0..12_000 {
            ids.push(boxes.insert(unit(k, 0.0), Filter::ALL, Mobility::Moving).expect("a box"));
        }
        let mut shift = 0.0;
        let mut moved_frame = |auto: &mut Auto| {
            shift = 0.01 - shift;
            (0..).zip(&ids).for_each(|(k, &id)| boxes.update(id, unit(k, shift)).expect("a box"));
            assert_eq!(frame(auto, &mut boxes), 0);
            kind(auto)
        };
        assert_eq!(moved_frame(&mut auto), "fat sweep");
        assert_eq!(moved_frame(&mut auto), "dynamic tree");
        for _ in 0..STAY {
            moved_frame(&mut auto);
        }
        assert_eq!(moved_frame(&mut auto), "fat sweep");
        moved_frame(&mut auto);
        assert_eq!((kind(&auto), auto.pause.left()), ("dynamic tree", 2 * STAY));
    }

    /// Of 1000 boxes a few move in each frame, then many, then again a few.
    #[test]
    fn where_little_changes_the_tree_takes_over() {
        let (mut auto, mut boxes, mut ids) = (Auto::new(), Boxes::new(), Vec::new());
        let unit = |k: usize, z: f64| {
            let low = DVec3::new((k % 32) as f64 * 2.0, (k / 32) as f64 * 2.0, z);
            Aabb::new(low, low + DVec3::ONE)
        };
        for k in 0..1000 {
            ids.push(boxes.insert(unit(k, 0.0), Filter::ALL, Mobility::Moving).expect("a box"));
        }
        let mut z = 0.0;
        let mut frames = |auto: &mut Auto, count: u16, moved: usize| {
            for _ in 0..count {
                z += 0.01;
                ids[..moved].iter().enumerate().for_each(|(k, &id)| boxes.update(id, unit(k, z)).expect("a box"));
                assert_eq!(frame(auto, &mut boxes), 0);
            }
            kind(auto)
        };
        let [tree, sweep] = ["dynamic tree", "fat sweep"];
        assert_eq!(frames(&mut auto, CALM, 15), sweep, "the first frame changed all");
        assert_eq!(frames(&mut auto, 1, 15), tree);
        assert_eq!(frames(&mut auto, 20, 60), tree, "neither little nor much");
        assert_eq!(frames(&mut auto, 1, 100), sweep);
        assert_eq!(frames(&mut auto, 2 * CALM - 1, 15), sweep, "a short calm has to last longer");
        assert_eq!(frames(&mut auto, 1, 15), tree);
    }
}
