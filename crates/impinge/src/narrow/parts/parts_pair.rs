//! Two bodies of convex parts: the tandem walk over their trees of hulls.
//!
//! Mirtich §3.4 and Lin §5.2: where hulls are apart their parts are not compared; hulls that meet are opened, the
//! larger first. The walk does not know which engine serves two convex bodies; the caller passes a test of two nodes. A
//! body that does not consist of parts (a single polyhedron, a round shape, a mesh) is a tree of one node, number 0.
//!
//! The distance goes best first with a shrinking cut-off (Larsen et al. §5); overlap and contacts go depth first.
//!
//! Invariant: a pair of pieces is tested, or an ancestor pair of it was found farther apart than was asked, by more
//! than the slack of the two hulls. At most [`MOST_PAIRS`] pairs are opened; the bounds of those left widen the answer
//! downward. Nothing is allocated once the scratch has grown.

use std::cmp::Reverse;
use std::ops::ControlFlow;

use crate::answer::Stats;
use crate::narrow::body::BodyKind;
use crate::search::best_first::{BestFirst, LowerBound};

/// Pairs of nodes opened at most: a second or so.
pub(crate) const MOST_PAIRS: u64 = 1 << 20;

/// Two trees.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PartsTrees<'m> {
    pub(crate) a: BodyKind<'m>,
    pub(crate) b: BodyKind<'m>,
}

impl PartsTrees<'_> {
    pub(crate) fn roots(&self) -> [u32; 2] {
        [self.a.root(), self.b.root()]
    }

    /// Whether these are two pieces of the bodies.
    pub(crate) fn are_pieces(&self, [a, b]: [u32; 2]) -> bool {
        a <= self.a.root() && b <= self.b.root() && self.open([a, b]).is_none()
    }

    /// How much nearer the pieces below may be than the hulls.
    pub(crate) fn slack(&self, [a, b]: [u32; 2]) -> f64 {
        self.a.slack(a) + self.b.slack(b)
    }

    /// The pairs with the children of the larger node; `None` for two pieces.
    pub(crate) fn open(&self, [a, b]: [u32; 2]) -> Option<[[u32; 2]; 2]> {
        let of_a = |[x, y]: [u32; 2]| [[x, b], [y, b]];
        let of_b = |[x, y]: [u32; 2]| [[a, x], [a, y]];
        match (self.a.halves(a), self.b.halves(b)) {
            (Some(x), Some(_)) if self.a.hull_radius(a) >= self.b.hull_radius(b) => Some(of_a(x)),
            (_, Some(y)) => Some(of_b(y)),
            (Some(x), None) => Some(of_a(x)),
            (None, None) => None,
        }
    }
}

/// What a test says about the distance of two bodies.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NodesGap<T> {
    /// The bodies are no nearer; 0 when they overlap.
    pub(crate) lower: f64,
    /// The bodies are no farther; 0 exactly when they overlap, and infinite where `lower` is beyond the cut-off.
    pub(crate) upper: f64,
    /// Whatever the caller wants to keep of the closest pair.
    pub(crate) near: T,
}

/// The closest pair of pieces found.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ClosestParts<T> {
    /// No pair is nearer; infinite when none is as near as was asked.
    pub(crate) lower: f64,
    /// The distance of the best pair; infinite when there is none.
    pub(crate) upper: f64,
    /// The pieces, and what the test said about them.
    pub(crate) best: Option<([u32; 2], T)>,
}

/// Pairs of nodes to be opened, the nearest first, of equals the last found.
type Queue = BestFirst<(LowerBound, Reverse<u64>), [u32; 2]>;

/// Memory for the walks, kept between queries.
#[derive(Debug, Clone, Default)]
pub(crate) struct PartsWalk {
    queue: Queue,
    stack: Vec<[u32; 2]>,
}

/// The question about a distance.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PartsQuestion {
    /// What is farther does not matter.
    pub(crate) within: f64,
    /// A pair of pieces whose `lower` is no more than this ends the search; negative: only one that overlaps.
    pub(crate) enough: f64,
    /// Pieces to begin with: those of the last query.
    pub(crate) seed: Option<[u32; 2]>,
}

/// The least distance of two pieces. The test is given two nodes and a cut-off, and may stop as soon as its lower bound
/// is beyond it.
pub(crate) fn distance<T>(
    trees: &PartsTrees<'_>,
    ask: &PartsQuestion,
    test: impl FnMut([u32; 2], f64) -> NodesGap<T>,
    walk: &mut PartsWalk,
    stats: &mut Stats,
) -> ClosestParts<T> {
    let closest = ClosestParts { lower: f64::INFINITY, upper: f64::INFINITY, best: None };
    let mut search = Search { test, closest, cutoff: ask.within, enough: ask.enough };
    // Whether or not the search was broken off, what it found is valid.
    let _ = search.run(trees, ask, &mut walk.queue, stats);
    search.closest
}

struct Search<T, F> {
    test: F,
    closest: ClosestParts<T>,
    /// What is farther does not matter.
    cutoff: f64,
    enough: f64,
}

impl<T, F: FnMut([u32; 2], f64) -> NodesGap<T>> Search<T, F> {
    fn run(
        &mut self,
        trees: &PartsTrees<'_>,
        ask: &PartsQuestion,
        queue: &mut Queue,
        stats: &mut Stats,
    ) -> ControlFlow<()> {
        let seed = ask.seed.filter(|&nodes| trees.are_pieces(nodes));
        if let Some(nodes) = seed {
            self.pieces(nodes, stats)?;
        }
        queue.clear();
        self.meet(trees, trees.roots(), 0.0, seed, queue, stats)?;
        for _ in 0..MOST_PAIRS {
            let Some(((LowerBound(lower), _), open)) = queue.pop() else { return ControlFlow::Continue(()) };
            if lower > self.cutoff {
                return ControlFlow::Continue(());
            }
            stats.iterations += 1;
            for nodes in trees.open(open).into_iter().flatten() {
                self.meet(trees, nodes, lower, seed, queue, stats)?;
            }
        }
        // The nearest comes first: none of those left is nearer.
        if let Some(&(LowerBound(lower), _)) = queue.first_key().filter(|(bound, _)| bound.0 <= self.cutoff) {
            self.closest.lower = self.closest.lower.min(lower);
        }
        ControlFlow::Continue(())
    }

    /// Tests two pieces, or puts two hulls in the queue unless they are too far apart.
    fn meet(
        &mut self,
        trees: &PartsTrees<'_>,
        nodes: [u32; 2],
        above: f64,
        seed: Option<[u32; 2]>,
        queue: &mut Queue,
        stats: &mut Stats,
    ) -> ControlFlow<()> {
        if trees.open(nodes).is_none() {
            return if seed == Some(nodes) { ControlFlow::Continue(()) } else { self.pieces(nodes, stats) };
        }
        stats.volume_tests += 1;
        let slack = trees.slack(nodes);
        let lower = ((self.test)(nodes, self.cutoff + slack).lower - slack).max(above);
        if lower <= self.cutoff {
            queue.push((LowerBound(lower), Reverse(stats.volume_tests)), nodes);
        }
        ControlFlow::Continue(())
    }

    fn pieces(&mut self, nodes: [u32; 2], stats: &mut Stats) -> ControlFlow<()> {
        stats.primitive_tests += 1;
        let gap = (self.test)(nodes, self.cutoff);
        if gap.lower > self.cutoff {
            return ControlFlow::Continue(());
        }
        self.closest.lower = self.closest.lower.min(gap.lower);
        if gap.upper < self.closest.upper {
            self.closest.upper = gap.upper;
            self.closest.best = Some((nodes, gap.near));
            self.cutoff = self.cutoff.min(gap.upper);
        }
        let done = gap.upper == 0.0 || gap.lower <= self.enough;
        if done { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// Every pair of pieces that overlap, depth first, until `each` breaks off. The test is given two nodes and a length,
/// and says whether they come that near: 0 for pieces, the slack for hulls.
pub(crate) fn contacts<B>(
    trees: &PartsTrees<'_>,
    mut near: impl FnMut([u32; 2], f64) -> bool,
    mut each: impl FnMut([u32; 2]) -> ControlFlow<B>,
    walk: &mut PartsWalk,
    stats: &mut Stats,
) -> ControlFlow<B> {
    walk.stack.clear();
    walk.stack.push(trees.roots());
    while let Some(nodes) = walk.stack.pop() {
        let below = trees.open(nodes);
        let tests = if below.is_none() { &mut stats.primitive_tests } else { &mut stats.volume_tests };
        *tests += 1;
        if !near(nodes, trees.slack(nodes)) {
            continue;
        }
        match below {
            None => each(nodes)?,
            Some([first, second]) => {
                stats.iterations += 1;
                walk.stack.extend([second, first]);
            }
        }
    }
    ControlFlow::Continue(())
}

/// The first pair of pieces found to overlap.
#[cfg(test)]
pub(crate) fn overlap(
    trees: &PartsTrees<'_>,
    seed: Option<[u32; 2]>,
    mut near: impl FnMut([u32; 2], f64) -> bool,
    walk: &mut PartsWalk,
    stats: &mut Stats,
) -> Option<[u32; 2]> {
    if let Some(nodes) = seed.filter(|&nodes| trees.are_pieces(nodes)) {
        stats.primitive_tests += 1;
        if near(nodes, 0.0) {
            return Some(nodes);
        }
    }
    match contacts(trees, near, ControlFlow::Break, walk, stats) {
        ControlFlow::Break(nodes) => Some(nodes),
        ControlFlow::Continue(()) => None,
    }
}
