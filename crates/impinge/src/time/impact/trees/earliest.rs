//! When two bodies made of many pieces first touch: conservative advancement through both trees, earliest first.
//!
//! M. Tang, Y. Kim, D. Manocha, *C²A*, ICRA 2009, advance both bodies together, by the least of the bounds of all pairs
//! of nodes, again and again. Here we deviate: every pair of nodes has a time of its own, before which it is known to
//! be apart. The search opens the pair with the earliest time, and computes from that time on how long the pairs of its
//! children stay apart (`Approach::free_for`). So pairs that are far apart or move away from each other are tested only
//! once. The answer is the first pair of pieces that touches (`PiecePair::advance`) before the time of every open pair.
//!
//! Invariant: no pair of pieces touches before the least time in the queue and the best contact. Cost: the pairs of
//! nodes that come near before the first contact. Where bodies stay near each other for long, that is many pairs, each
//! looked at many times; then [`super::by_stretches`] is faster.

use std::cmp::Reverse;

use smallvec::SmallVec;

use super::first_found::FirstFound;
use super::moving_trees::MovingTrees;
use crate::answer::Stats;
use crate::narrow::parts::piece::ConvexPiece;
use crate::search::best_first::{BestFirst, LowerBound};
use crate::time::impact::closing::{Closing, Moment};
use crate::time::movers::padded_box::PaddedBox;
use crate::tree::nodes::LEAF;

/// Whether a pair in the queue is of nodes or of pieces.
#[derive(Debug, Clone, Copy)]
enum Level {
    Nodes,
    Pieces,
}

/// Pairs, each with a time before which the two do not touch, the earliest first. At equal times the greatest numbers
/// come first, since these nodes are nearest to the leaves.
type Queue = BestFirst<(LowerBound, Reverse<[u32; 2]>), Level>;

/// Memory that is allocated once and used again by the next search.
#[derive(Debug, Clone, Default)]
pub(crate) struct EarliestMemory {
    open: Queue,
}

/// A search that may be interrupted, and go on.
#[derive(Debug)]
pub(crate) struct EarliestSearch<'m> {
    open: &'m mut Queue,
    moment: Moment,
}

impl<'m> EarliestSearch<'m> {
    /// A search from `from` on.
    pub(crate) fn new(
        trees: &MovingTrees<'_>,
        closing: &Closing<'_>,
        from: f64,
        memory: &'m mut EarliestMemory,
    ) -> EarliestSearch<'m> {
        let open = &mut memory.open;
        open.clear();
        open.push((LowerBound(from), Reverse(trees.roots())), Level::Nodes);
        EarliestSearch { open, moment: closing.at(from) }
    }

    /// Opens pairs until the first contact is found, or until about `work` steps are done: then the time before which
    /// nothing touches. The caller knows that nothing touches before `clear`.
    pub(crate) fn go_on(
        &mut self,
        trees: &MovingTrees<'_>,
        closing: &Closing<'_>,
        clear: f64,
        work: u64,
        found: &mut FirstFound,
        stats: &mut Stats,
    ) -> Option<f64> {
        let (mut opened, before) = (0, stats.iterations);
        let mut left = None;
        while let Some(((LowerBound(t), Reverse(nodes)), level)) = self.open.pop() {
            let from = t.max(clear);
            if from >= found.limit {
                break;
            }
            if opened + stats.iterations - before > work {
                self.open.push((LowerBound(t), Reverse(nodes)), level);
                left = Some(from);
                break;
            }
            opened += 1;
            if from > self.moment.t {
                self.moment = closing.at(from);
            }
            match level {
                Level::Pieces => trees.advance(closing, [from, found.limit], nodes, found, stats),
                Level::Nodes => self.open(trees, closing, nodes, found, stats),
            }
        }
        stats.iterations += opened;
        left
    }

    fn open(
        &mut self,
        trees: &MovingTrees<'_>,
        closing: &Closing<'_>,
        nodes: [u32; 2],
        found: &FirstFound,
        stats: &mut Stats,
    ) {
        let moment = &self.moment;
        let boxes = [trees.padded_box(0, nodes[0], moment), trees.padded_box(1, nodes[1], moment)];
        let size = |k: usize| boxes[k].map_or(f64::INFINITY, |h: PaddedBox| h.radius);
        let below = [trees.children(0, nodes[0]), trees.children(1, nodes[1])];
        let side = match (below[0].is_empty(), below[1].is_empty()) {
            (true, true) => return self.leaves(trees, closing, nodes, found),
            (true, false) => 1,
            (false, true) => 0,
            (false, false) => usize::from(size(1) > size(0)),
        };
        for &child in &below[side] {
            stats.volume_tests += 1;
            let (mut pair, mut near) = (nodes, boxes);
            pair[side] = child;
            near[side] = trees.padded_box(side, child, moment);
            let free = match trees.bounded_boxes(moment, near) {
                Some([a, b]) => trees.free_for(closing, moment, [&a, &b]),
                None => 0.0,
            };
            let t = moment.t + free;
            if t < found.limit {
                self.open.push((LowerBound(t), Reverse(pair)), Level::Nodes);
            }
        }
    }

    /// Puts the pairs of pieces of two leaves in the queue.
    fn leaves(&mut self, trees: &MovingTrees<'_>, closing: &Closing<'_>, nodes: [u32; 2], found: &FirstFound) {
        let moment = &self.moment;
        let [ours, theirs] = [0, 1].map(|k: usize| -> SmallVec<[(u32, ConvexPiece<'_>, Option<PaddedBox>); LEAF]> {
            let pieces = trees.pieces(k, nodes[k]).into_iter();
            pieces.map(|(name, piece)| (name, piece, trees.ball_of(k, &piece, moment))).collect()
        });
        for (i, a, box_a) in &ours {
            for (j, b, box_b) in &theirs {
                let free = match (box_a, box_b) {
                    (Some(box_a), Some(box_b)) => trees.pieces_free_for(closing, moment, [a, b], [box_a, box_b]),
                    _ => 0.0,
                };
                if moment.t + free < found.limit {
                    self.open.push((LowerBound(moment.t + free), Reverse([*i, *j])), Level::Pieces);
                }
            }
        }
    }
}
