//! Chooses a phase by counts of its work, and changes the choice with hysteresis.
//!
//! - Up to [`FEW`] boxes: all pairs.
//! - Else the fat sweep, which itself decides in each frame whether to keep its candidates, find new ones, or sweep
//!   from scratch.
//! - Where the sweep compares more than [`COSTLY`] boxes for each one, though few pairs meet (as in clusters so far
//!   apart that each lies in one row): the dynamic tree, which divides the boxes and not space. The sweep is tried
//!   again after [`STAY`] frames, and if it is no better, after twice as many.
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

#[derive(Debug)]
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
#[derive(Debug)]
pub struct Auto {
    chosen: Chosen,
    /// What the phases used before have counted.
    before: Counts,
    /// Frames until the sweep is tried again.
    pause: Backoff<STAY, LONGEST>,
    give_up: bool,
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
        Auto { chosen, before: Counts::default(), pause: Backoff::NEW, give_up: false }
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

    /// Changes the choice of the phase where that is due.
    fn choose(&mut self, n: usize) {
        let many = n > FEW[usize::from(matches!(self.chosen, Chosen::AllPairs(_)))];
        match self.chosen {
            Chosen::AllPairs(_) if many => self.take(Chosen::FatSweep(FatSweep::new())),
            Chosen::FatSweep(_) | Chosen::DynamicTree(_) if !many => self.take(Chosen::AllPairs(AllPairs::new())),
            Chosen::FatSweep(_) if self.give_up => {
                self.take(Chosen::DynamicTree(DynamicTree::new()));
                self.pause.failed();
            }
            Chosen::DynamicTree(_) if !self.pause.sits_out() => self.take(Chosen::FatSweep(FatSweep::new())),
            _ => {}
        }
        self.give_up = false;
    }
}

impl BroadPhase for Auto {
    fn refresh(&mut self, boxes: &Boxes) {
        self.choose(boxes.len());
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

    fn near_box(&mut self, boxes: &Boxes, bounds: &Aabb, visit: &mut dyn FnMut(u32)) {
        self.phase().near_box(boxes, bounds, visit);
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

    /// Two plates of boxes, upright and so far apart that the rows of a grid are wider than a plate.
    #[test]
    fn what_no_grid_can_tell_apart_goes_to_the_tree() {
        let (mut auto, mut boxes) = (Auto::new(), Boxes::new());
        for k in 0..12_000 {
            let plate = DVec3::new(1.1e6, 1e6, 1e6) * f64::from(k % 2);
            let at = plate + DVec3::new(0.0, f64::from(k / 2 % 80), f64::from(k / 160)) * 2.0;
            boxes.insert(Aabb::new(at, at + DVec3::ONE), Filter::ALL, Mobility::Moving).expect("a box");
        }
        assert_eq!(frame(&mut auto, &mut boxes), 0);
        assert_eq!(kind(&auto), "fat sweep");
        assert_eq!(frame(&mut auto, &mut boxes), 0);
        assert_eq!(kind(&auto), "dynamic tree");
        for _ in 0..STAY {
            frame(&mut auto, &mut boxes);
        }
        assert_eq!(frame(&mut auto, &mut boxes), 0);
        assert_eq!(kind(&auto), "fat sweep");
        frame(&mut auto, &mut boxes);
        assert_eq!((kind(&auto), auto.pause.left()), ("dynamic tree", 2 * STAY));
    }
}
