//! Pairs of leaves that meet: in one tree, between two, and of one box with a tree.
//!
//! Tandem traversal: a pair of nodes that do not meet is dropped; else the larger of the two is opened; a node paired
//! with itself becomes its two children, each paired with itself and with the other. The pairs of the first levels are
//! opened in advance, to be shared among threads in a fixed order.

use super::aabb_tree::{AabbTree, NONE, half_area};
use crate::broad::store::boxes::Boxes;
use crate::broad::store::local::LocalBox;
use crate::broad::store::local::meets;
use crate::broad::store::stream::{Stream, in_order};
use crate::math::simd::{Kernel, Simd, dispatch};

/// About how many pairs are opened in advance.
const TASKS: usize = 256;

/// Which pairs of leaves are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keep {
    /// The pairs whose fat boxes meet.
    Fat,
    /// The pairs whose boxes meet.
    Tight,
}

/// Shows all pairs of slots in `a`, or in `a` and `b`, whose boxes meet and which may meet. Returns how many pairs of
/// nodes were compared.
pub(crate) fn tree_pairs(
    a: &AabbTree,
    b: &AabbTree,
    boxes: &Boxes,
    keep: Keep,
    visit: &mut dyn FnMut(&[[u32; 2]]),
) -> u64 {
    if a.root == NONE || b.root == NONE {
        return 0;
    }
    let pair = Trees { a, b, same: std::ptr::eq(a, b), boxes, keep };
    let mut tasks = vec![[a.root, b.root]];
    // Level by level each pair is replaced by its parts in place, so that the order is that of one traversal.
    for _ in 0..16 {
        if tasks.len() >= TASKS {
            break;
        }
        let mut next = Vec::new();
        for task in tasks {
            if !pair.opened(task, &mut next) {
                next.push(task);
            }
        }
        tasks = next;
    }
    in_order(tasks.len(), visit, |task, out| dispatch(Traverse { pair: &pair, from: tasks[task], out }))
}

impl AabbTree {
    /// Shows the slots of leaves that a box meets. Returns how many nodes were compared.
    #[inline(always)]
    pub(crate) fn search<S: Simd>(&self, b: &LocalBox, mut hit: impl FnMut(u32)) -> u64 {
        // No more nodes wait than the tree is high.
        let mut open = smallvec::SmallVec::<[u32; 64]>::new();
        open.extend((self.root != NONE).then_some(self.root));
        let mut compared = 0;
        while let Some(node) = open.pop() {
            compared += 1;
            if !meets::<S>(&self.bounds[node as usize], b) {
                continue;
            }
            match self.links[node as usize].children {
                [NONE, slot] => hit(slot),
                children => open.extend(children),
            }
        }
        compared
    }
}

struct Trees<'a> {
    a: &'a AabbTree,
    b: &'a AabbTree,
    same: bool,
    boxes: &'a Boxes,
    keep: Keep,
}

impl Trees<'_> {
    /// Adds the pairs that a pair of nodes consists of; `false` when both are leaves.
    #[inline(always)]
    fn opened(&self, [p, q]: [u32; 2], into: &mut Vec<[u32; 2]>) -> bool {
        let (a, b) = (&self.a.links[p as usize], &self.b.links[q as usize]);
        let size = |b: &LocalBox| half_area(b);
        match (a.height > 0, b.height > 0) {
            (false, false) => return false,
            (true, _) if self.same && p == q => {
                let [l, r] = a.children;
                into.extend([[l, l], [r, r], [l, r]]);
            }
            (true, false) => into.extend(a.children.map(|child| [child, q])),
            (false, true) => into.extend(b.children.map(|child| [p, child])),
            (true, true) if size(&self.a.bounds[p as usize]) >= size(&self.b.bounds[q as usize]) => {
                into.extend(a.children.map(|child| [child, q]));
            }
            (true, true) => into.extend(b.children.map(|child| [p, child])),
        }
        true
    }
}

struct Traverse<'a, 'b> {
    pair: &'a Trees<'a>,
    from: [u32; 2],
    out: &'a mut Stream<'b>,
}

impl Kernel for Traverse<'_, '_> {
    type Output = u64;

    #[inline(always)]
    fn run<S: Simd>(self) -> u64 {
        let Trees { a, b, same, boxes, keep } = *self.pair;
        let mut open = vec![self.from];
        let mut compared = 0;
        while let Some([p, q]) = open.pop() {
            compared += 1;
            let itself = same && p == q;
            if !itself && !meets::<S>(&a.bounds[p as usize], &b.bounds[q as usize]) {
                continue;
            }
            if !self.pair.opened([p, q], &mut open) && !itself {
                let (i, j) = (a.links[p as usize].children[1], b.links[q as usize].children[1]);
                if (keep == Keep::Fat || boxes.touch(i, j)) && boxes.admits(i, j) {
                    self.out.push(i, j);
                }
                if self.out.is_full() {
                    break;
                }
            }
        }
        compared
    }
}
