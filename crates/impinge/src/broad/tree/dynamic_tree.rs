//! Two trees of fat boxes, one of static and one of moving boxes: the choice for scenes in which little changes.
//!
//! The cost of a frame follows what changed: a box that stays in its fat box is only looked at; boxes that left theirs
//! make their leaves grow, and the nodes above these are built anew ([`super::build`]); new boxes are inserted one by
//! one ([`super::insert`]). When one box in [`FEW`] left, or the tree is too high, all of it is built anew. Pairs of
//! fat boxes are kept ([`super::fat_pairs`]); they are found by a traversal of the moving tree against itself and
//! against the static one ([`super::pairs`]), so static boxes are never compared with each other. There is no grid, so
//! boxes of very different sizes and clusters of any kind do no harm.

use super::aabb_tree::{AabbTree, TALLEST};
use super::fat_pairs::{FatPairs, each_pair};
use super::pairs::Keep;
use crate::bound::Aabb;
use crate::broad::store::boxes::Boxes;
use crate::broad::store::broad_phase::{BroadPhase, Counts};
use crate::broad::store::local::{ALL, Local, LocalBox, NOWHERE, is_within};
use crate::math::simd::{F32x8, Kernel, Simd, Vector, dispatch};

/// The room on every side, as a part of the longest extent.
const MARGIN: f32 = 0.1;
/// When one box in so many left its fat box, all is built anew.
const FEW: usize = 5;

/// Trees of static and of moving boxes.
///
/// ```
/// use impinge::{bound::Aabb, broad::{Boxes, BroadPhase, DynamicTree, Filter, Mobility}, glam::DVec3};
/// let mut boxes = Boxes::new();
/// let unit = |x: f64| Aabb::new(DVec3::X * x, DVec3::X * x + 1.0);
/// for x in [0.0, 0.5, 3.0] {
///     boxes.insert(unit(x), Filter::ALL, Mobility::Moving)?;
/// }
/// let mut phase = DynamicTree::new();
/// phase.refresh(&boxes);
/// let mut met = Vec::new();
/// phase.pairs(&boxes, &mut |pairs| met.extend_from_slice(pairs));
/// assert_eq!(met, [[0, 1]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct DynamicTree {
    local: Local,
    moving: AabbTree,
    fixed: AabbTree,
    kept: FatPairs,
    seen: u64,
    counts: Counts,
}

impl Default for DynamicTree {
    fn default() -> DynamicTree {
        DynamicTree::new()
    }
}

impl DynamicTree {
    /// A phase that knows no boxes yet.
    pub fn new() -> DynamicTree {
        let local = Local::of(&Aabb::EMPTY);
        let (moving, fixed) = (AabbTree::default(), AabbTree::default());
        DynamicTree { local, moving, fixed, kept: FatPairs::default(), seen: 0, counts: Counts::default() }
    }

    /// Builds both trees over all boxes.
    fn build(&mut self, boxes: &Boxes) {
        self.local = Local::of(&boxes.world());
        let local = self.local;
        let fat = |slot: u32| (slot, dispatch(Fat { local, b: &boxes.all()[slot as usize] }));
        self.moving.build(boxes.live().filter(|&slot| !boxes.is_static(slot)).map(fat));
        self.fixed.build(boxes.live().filter(|&slot| boxes.is_static(slot)).map(fat));
        self.kept.forget();
        self.counts.builds += 1;
    }

    fn tree(&mut self, fixed: bool) -> &mut AabbTree {
        if fixed { &mut self.fixed } else { &mut self.moving }
    }

    /// Takes in the boxes whose fat boxes changed.
    fn take_in(&mut self, strays: &[Stray], boxes: &Boxes) {
        let mut left = [0; 2];
        strays.iter().filter(|stray| !stray.new).for_each(|stray| left[usize::from(boxes.is_static(stray.slot))] += 1);
        let anew = [false, true].map(|fixed| left[usize::from(fixed)] * FEW > self.tree(fixed).count);
        for &Stray { slot, new, fat } in strays {
            self.kept.touch(slot);
            if new {
                // The slot may have had a box of the other kind.
                self.moving.remove(slot);
                self.fixed.remove(slot);
            }
            if !boxes.is_live(slot) {
                continue;
            }
            self.counts.moves += 1;
            let fixed = boxes.is_static(slot);
            let tree = self.tree(fixed);
            match tree.leaf_of(slot) {
                None => tree.insert(slot, fat),
                Some(leaf) if anew[usize::from(fixed)] => tree.bounds[leaf as usize] = fat,
                Some(leaf) => tree.grow(leaf, fat),
            }
        }
        for fixed in [false, true] {
            let (anew, left) = (anew[usize::from(fixed)], left[usize::from(fixed)]);
            let tree = self.tree(fixed);
            if anew || tree.height() > TALLEST {
                let leaves = tree.leaf.iter().enumerate();
                let known = leaves.filter_map(|(slot, &leaf)| Some((slot as u32, *tree.bounds.get(leaf as usize)?)));
                let known: Vec<(u32, LocalBox)> = known.collect();
                tree.build(known.into_iter());
                self.counts.builds += 1;
            } else if left > 0 {
                tree.rebuild_grown();
            }
        }
    }
}

impl BroadPhase for DynamicTree {
    fn boxed_clone(&self) -> Box<dyn BroadPhase> {
        Box::new(self.clone())
    }

    fn refresh(&mut self, boxes: &Boxes) {
        let continued = boxes.continues(self.seen);
        self.seen = boxes.frame();
        self.kept.next_frame(boxes);
        // Many new boxes are not inserted one by one.
        let many = boxes.born().count() * FEW > boxes.len();
        let sift = Sift { local: self.local, trees: [&self.moving, &self.fixed], boxes };
        match if continued && !many { dispatch(sift) } else { None } {
            Some(strays) => self.take_in(&strays, boxes),
            None => self.build(boxes),
        }
    }

    fn pairs(&mut self, boxes: &Boxes, visit: &mut dyn FnMut(&[[u32; 2]])) {
        let trees = [&self.moving, &self.fixed];
        if self.kept.update(trees, boxes, &mut self.counts.nodes) {
            self.counts.tests += self.kept.compare(boxes, visit);
        } else {
            self.counts.nodes += each_pair(trees, boxes, Keep::Tight, visit);
        }
    }

    fn near_box(&mut self, _: &Boxes, bounds: &Aabb, visit: &mut dyn FnMut(u32)) -> bool {
        let trees = [&self.moving, &self.fixed];
        self.counts.nodes += dispatch(NearBox { local: self.local, trees, bounds, visit });
        true
    }

    fn counts(&self) -> Counts {
        self.counts
    }

    fn bytes(&self) -> usize {
        self.moving.bytes() + self.fixed.bytes() + self.kept.bytes()
    }
}

/// A box that gets another fat box.
struct Stray {
    slot: u32,
    /// Whether the slot has another box than before, or none any more.
    new: bool,
    fat: LocalBox,
}

/// The boxes that changed and are not in their fat boxes any more; `None` when the world has to be measured.
struct Sift<'a> {
    local: Local,
    trees: [&'a AabbTree; 2],
    boxes: &'a Boxes,
}

impl Kernel for Sift<'_> {
    type Output = Option<Vec<Stray>>;

    #[inline(always)]
    fn run<S: Simd>(self) -> Option<Vec<Stray>> {
        let Sift { local, trees, boxes } = self;
        let mut strays = Vec::new();
        for slot in boxes.changed() {
            if !boxes.is_live(slot) {
                strays.push(Stray { slot, new: true, fat: NOWHERE });
                continue;
            }
            let tight = local.outward::<S>(&boxes.all()[slot as usize]);
            if !is_within::<S>(tight) {
                return None;
            }
            let (tree, new) = (trees[usize::from(boxes.is_static(slot))], boxes.is_born(slot));
            let holds = |leaf: u32| S::F32x8::load(&tree.bounds[leaf as usize]).le(tight) == ALL;
            if new || !tree.leaf_of(slot).is_some_and(holds) {
                strays.push(Stray { slot, new, fat: fattened::<S>(tight) });
            }
        }
        Some(strays)
    }
}

/// Leaves whose fat boxes meet one box.
struct NearBox<'a, 'v> {
    local: Local,
    trees: [&'a AabbTree; 2],
    bounds: &'a Aabb,
    visit: &'a mut (dyn FnMut(u32) + 'v),
}

impl Kernel for NearBox<'_, '_> {
    type Output = u64;

    #[inline(always)]
    fn run<S: Simd>(self) -> u64 {
        let b = self.local.outward::<S>(self.bounds).array();
        self.trees.iter().map(|tree| tree.search::<S>(&b, &mut *self.visit)).sum()
    }
}

/// The fat box of one box.
struct Fat<'a> {
    local: Local,
    b: &'a Aabb,
}

impl Kernel for Fat<'_> {
    type Output = LocalBox;

    #[inline(always)]
    fn run<S: Simd>(self) -> LocalBox {
        fattened::<S>(self.local.outward::<S>(self.b))
    }
}

#[inline(always)]
fn fattened<S: Simd>(tight: S::F32x8) -> LocalBox {
    let lanes = tight.array();
    let longest = (-lanes[0] - lanes[4]).max(-lanes[1] - lanes[5]).max(-lanes[2] - lanes[6]);
    tight.sub(S::F32x8::splat(MARGIN * longest)).array()
}
