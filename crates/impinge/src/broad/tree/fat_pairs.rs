//! Pairs of fat boxes that meet, kept from frame to frame by the phases with dynamic trees.
//!
//! Only boxes that got a new fat box are looked up in the trees; before that, the known pairs of such boxes are
//! dropped. When more than one box in [`MANY`] got one, all pairs are found anew by one traversal. A list of more than
//! [`MOST`] pairs for each box is given up, and tried again after [`PATIENCE`] frames: n² pairs are shown, never
//! stored.
//!
//! Invariant: unless it is given up, the list has every pair of fat boxes that meet and may meet, except for those of
//! boxes marked as fresh.

use super::aabb_tree::AabbTree;
use super::pairs::{Keep, tree_pairs};
use crate::broad::store::bits::Bits;
use crate::broad::store::boxes::Boxes;
use crate::broad::store::stream::{Stream, in_order};
use crate::math::simd::{Kernel, Simd, dispatch};

/// The most pairs for each box, and a number of pairs that is never too large.
const MOST: usize = 4;
const FEW: usize = 1 << 14;
/// With one fresh box in so many, all pairs are found anew.
const MANY: usize = 5;
/// The number of frames without a list, after it became too long.
const PATIENCE: u32 = 32;
/// The number of fresh boxes that one thread looks up at a time, and of pairs that it compares.
const FRESH: usize = 256;
const TASK: usize = 1 << 12;

/// The trees of moving and of static boxes.
pub(crate) type BothTrees<'a> = [&'a AabbTree; 2];

/// The list.
#[derive(Debug, Clone, Default)]
pub(crate) struct FatPairs {
    pairs: Vec<[u32; 2]>,
    /// Whether the list is complete for boxes that are not fresh.
    known: bool,
    /// Slots whose fat boxes have changed since the list was made.
    fresh: Bits,
    /// The number of frames until a list is tried again.
    wait: u32,
}

impl FatPairs {
    /// Begins a frame.
    pub(crate) fn next_frame(&mut self, boxes: &Boxes) {
        self.fresh.grow(boxes.slots());
        self.wait = self.wait.saturating_sub(1);
    }

    /// Marks a slot that has a new fat box, or none any more.
    pub(crate) fn touch(&mut self, slot: u32) {
        self.fresh.insert(slot as usize);
    }

    /// Marks all fat boxes as new.
    pub(crate) fn forget(&mut self) {
        self.known = false;
    }

    /// Brings the list up to date; `false` when there is none. Adds to the count of nodes compared.
    pub(crate) fn update(&mut self, trees: BothTrees<'_>, boxes: &Boxes, nodes: &mut u64) -> bool {
        if self.wait > 0 {
            return false;
        }
        let most = MOST * boxes.len() + FEW;
        let fresh: Vec<u32> = self.fresh.iter().collect();
        if !self.known || fresh.len() * MANY > boxes.len() {
            self.pairs.clear();
            *nodes += each_pair(trees, boxes, Keep::Fat, &mut |found| add(&mut self.pairs, found, most));
        } else if !fresh.is_empty() {
            let marks = &self.fresh;
            self.pairs.retain(|pair| !pair.iter().any(|&slot| marks.contains(slot as usize)));
            let pairs = &mut self.pairs;
            *nodes += in_order(fresh.len().div_ceil(FRESH), &mut |found| add(pairs, found, most), |task, out| {
                let some = &fresh[task * FRESH..fresh.len().min((task + 1) * FRESH)];
                dispatch(LookUp { trees, boxes, marks, fresh: some, out })
            });
        }
        self.fresh.clear();
        self.known = self.pairs.len() <= most;
        if !self.known {
            (self.pairs, self.wait) = (Vec::new(), PATIENCE);
        }
        self.known
    }

    /// Shows the pairs whose boxes meet. Returns how many were compared.
    pub(crate) fn compare(&self, boxes: &Boxes, visit: &mut dyn FnMut(&[[u32; 2]])) -> u64 {
        in_order(self.pairs.len().div_ceil(TASK), visit, |task, out| {
            let some = &self.pairs[task * TASK..self.pairs.len().min((task + 1) * TASK)];
            some.iter().filter(|[i, j]| boxes.touch(*i, *j)).for_each(|&[i, j]| out.push(i, j));
            some.len() as u64
        })
    }

    pub(crate) fn bytes(&self) -> usize {
        self.pairs.capacity() * 8 + self.fresh.bytes()
    }
}

/// All pairs of the moving tree with itself and with the static one. Returns how many pairs of nodes were compared.
pub(crate) fn each_pair(
    [moving, fixed]: BothTrees<'_>,
    boxes: &Boxes,
    keep: Keep,
    visit: &mut dyn FnMut(&[[u32; 2]]),
) -> u64 {
    tree_pairs(moving, moving, boxes, keep, visit) + tree_pairs(moving, fixed, boxes, keep, visit)
}

/// Adds pairs until the list has one more than `most`. The list grows by a quarter at a time: doubled, it would take
/// most of the phase's memory.
fn add(pairs: &mut Vec<[u32; 2]>, found: &[[u32; 2]], most: usize) {
    let room = (most + 1).saturating_sub(pairs.len());
    let found = &found[..found.len().min(room)];
    if pairs.capacity() - pairs.len() < found.len() {
        pairs.reserve_exact(found.len().max(pairs.len() / 4));
    }
    pairs.extend_from_slice(found);
}

/// Compares fresh boxes with all; a pair of two fresh ones is found from the lesser slot.
struct LookUp<'a, 'b> {
    trees: BothTrees<'a>,
    boxes: &'a Boxes,
    marks: &'a Bits,
    fresh: &'a [u32],
    out: &'a mut Stream<'b>,
}

impl Kernel for LookUp<'_, '_> {
    type Output = u64;

    #[inline(always)]
    fn run<S: Simd>(self) -> u64 {
        let LookUp { trees, boxes, marks, fresh, out } = self;
        let mut compared = 0;
        for &slot in fresh {
            let fixed = boxes.is_static(slot);
            let own = trees[usize::from(fixed)];
            let Some(leaf) = own.leaf_of(slot) else { continue };
            let others = if fixed { &trees[..1] } else { &trees[..] };
            for tree in others {
                compared += tree.search::<S>(&own.bounds[leaf as usize], |other| {
                    let twice = other <= slot && marks.contains(other as usize);
                    if !twice && boxes.admits(slot, other) {
                        out.push(slot, other);
                    }
                });
            }
            if out.is_full() {
                break;
            }
        }
        compared
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use crate::bound::Aabb;
    use crate::broad::store::box_id::BoxId;
    use crate::broad::store::boxes::Boxes;
    use crate::broad::store::broad_phase::BroadPhase;
    use crate::broad::store::filter::{Filter, Mobility};
    use crate::broad::store::plain_pairs::plain_pairs;
    use crate::broad::tree::dynamic_tree::DynamicTree;

    fn unit(p: DVec3) -> Aabb {
        Aabb::new(p, p + 1.0)
    }

    /// A grid of cubes that touch their neighbours, a fifth of them static.
    fn grid(n: u32) -> (Boxes, Vec<BoxId>) {
        let mut boxes = Boxes::new();
        let insert = |k: u32| {
            let at = DVec3::new(f64::from(k % n), f64::from(k / n % n), f64::from(k / n / n));
            let mobility = if k.is_multiple_of(5) { Mobility::Static } else { Mobility::Moving };
            boxes.insert(unit(at), Filter::ALL, mobility)
        };
        let ids = (0..n * n * n).map(insert).collect::<Result<_, _>>().expect("boxes in order");
        (boxes, ids)
    }

    fn frame(phase: &mut DynamicTree, boxes: &mut Boxes) -> Vec<[u32; 2]> {
        phase.refresh(boxes);
        boxes.settle();
        let mut pairs = Vec::new();
        phase.pairs(boxes, &mut |slice| pairs.extend_from_slice(slice));
        pairs.sort_unstable();
        pairs
    }

    fn shifted(boxes: &mut Boxes, ids: &[BoxId], by: f64) {
        for &id in ids {
            let Some(&Aabb { min, max }) = boxes.bounds(id) else { continue };
            let moved = boxes.update(id, Aabb::new(min + by, max + by));
            assert!(moved.is_ok());
        }
    }

    #[test]
    fn what_stays_in_its_fat_box_is_not_looked_up() {
        let (mut boxes, ids) = grid(8);
        let mut phase = DynamicTree::new();
        assert_eq!(frame(&mut phase, &mut boxes), plain_pairs(&boxes));
        let nodes = phase.counts().nodes;
        shifted(&mut boxes, &ids, 0.05);
        assert_eq!(frame(&mut phase, &mut boxes), plain_pairs(&boxes));
        assert_eq!(phase.counts().nodes, nodes);
        // A few boxes leave their fat boxes and are looked up; each look-up visits some dozen nodes.
        shifted(&mut boxes, &ids[..9], 0.5);
        assert_eq!(frame(&mut phase, &mut boxes), plain_pairs(&boxes));
        let looked_up = phase.counts().nodes - nodes;
        assert!((1..nodes / 4).contains(&looked_up), "{looked_up} of {nodes}");
    }

    /// On two axes the cubes are so far apart that their fat boxes do not meet; on the third each cube touches the
    /// next.
    #[test]
    fn the_list_is_small() {
        let (mut boxes, ids) = grid(24);
        for (k, &id) in (0u32..).zip(&ids) {
            let at = DVec3::new(f64::from(k % 24), f64::from(k / 24 % 24), f64::from(k / 576));
            assert!(boxes.update(id, unit(at * DVec3::new(1.0, 1.3, 1.3))).is_ok());
        }
        let mut phase = DynamicTree::new();
        for _ in 0..3 {
            assert_eq!(frame(&mut phase, &mut boxes), plain_pairs(&boxes));
            shifted(&mut boxes, &ids, 0.04);
        }
        let bytes = phase.bytes() + boxes.bytes();
        assert!(bytes <= 200 * ids.len(), "{} bytes a box", bytes / ids.len());
    }

    /// All boxes move to one place and back. Their pairs are shown in every frame, but a list is kept only while it is
    /// short.
    #[test]
    fn a_crowd_is_not_listed() {
        let (mut boxes, ids) = grid(7);
        let mut phase = DynamicTree::new();
        frame(&mut phase, &mut boxes);
        let before = phase.bytes();
        let first_boxes: Vec<Aabb> = ids.iter().filter_map(|&id| boxes.bounds(id).copied()).collect();
        for turn in 0..40 {
            for (&id, first) in ids.iter().zip(&first_boxes) {
                let there = if turn < 3 { unit(DVec3::ONE) } else { *first };
                assert!(boxes.update(id, there).is_ok());
            }
            assert_eq!(frame(&mut phase, &mut boxes), plain_pairs(&boxes), "{turn}");
            assert!(phase.bytes() <= 2 * before, "{turn}: {} bytes", phase.bytes());
        }
        let nodes = phase.counts().nodes;
        frame(&mut phase, &mut boxes);
        assert_eq!(phase.counts().nodes, nodes, "kept again");
    }
}
