//! Front tracking of two bodies of convex parts: what a search for their distance has ruled out stays ruled out until
//! they have moved far enough.
//!
//! The same as for meshes ([`crate::narrow::mesh::distance::front`]; Lin §5.2 and Xavier §3.2), with hulls instead of
//! boxes: two nodes that were `d` apart when the bodies had travelled `s` in all are at least `d − (s' − s)` apart when
//! they have travelled `s'`. With `d + s` as its key a pair of nodes cannot be nearer than `u` before `u + s'` has come
//! up to the key. The pairs stand in a queue by their keys; a query takes out those that are due. A pair of hulls that
//! is still far enough goes back with a new key, and one that is not is replaced by the pairs below it. Over a queue
//! that holds only the pair of the roots this *is* the search from nothing. Pairs of polyhedra keep their closest
//! features, so that the next test of them begins there.
//!
//! The pair of pieces that was closest is not in the queue: it is tested first in every query.
//!
//! A front is begun where the bodies have moved little since the last query. One that has grown to twice its first
//! size is begun anew. Where too much of it is due it is given up, and the next is begun only after some queries, twice
//! as many each time.
//!
//! Invariant: every pair of pieces is the one that was closest, or below a pair in the queue, and no nearer than that
//! one's key less what is travelled.
//!
//! Cost: a test of the closest pieces, and of the pairs that are due: less than one a query while one pair of pieces
//! stays closest by more than the bodies move. Memory: 48 bytes a pair, at most [`MOST`] between queries.

use super::parts_pair::{ClosestParts, MOST_PAIRS, NodesGap, PartsTrees};
use crate::answer::Stats;
use crate::math::Relative;
use crate::narrow::convex::polyhedra::HullFeature;
use crate::narrow::displacement::MovedBall;
use crate::search::backoff::Backoff;
use crate::search::best_first::{BestFirst, LowerBound};

/// Most pairs that a front keeps.
const MOST: usize = 1 << 14;

/// Most queries that pass before another front is begun.
const LONGEST_PAUSE: u16 = 256;

/// A motion this small, in radii of the bodies, is coherent.
const LITTLE: f64 = 0.1;

/// Steps like the last one that a pair of nodes should outlast before it is due again, where that costs nothing.
const STEPS_AHEAD: f64 = 8.0;

/// A query with so few tests never shows that a front is not worth it.
const FEW: u64 = 16;

/// A front that served so many queries was worth beginning.
const WORTH: u32 = 4;

/// Two nodes, and where the next test of them begins.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FrontPair {
    pub(crate) nodes: [u32; 2],
    /// The closest features of polyhedra that were apart.
    pub(crate) features: Option<[HullFeature; 2]>,
}

/// The pairs of nodes that are ruled out, and how well that has served.
#[derive(Debug, Clone, Default)]
pub(crate) struct PartsFront {
    open: BestFirst<LowerBound, FrontPair>,
    /// Pieces tested by this query.
    tested: Vec<(LowerBound, FrontPair)>,
    travelled: f64,
    step: f64,
    /// Where `b` was last, and whether it had moved little before.
    last: Option<Relative>,
    coherent: bool,
    /// Size of the queue, and tests, when the front was begun.
    first: Option<[u64; 2]>,
    served: u32,
    pause: Backoff<1, LONGEST_PAUSE>,
}

/// What a search over a front found.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FrontFound<T> {
    pub(crate) closest: ClosestParts<T>,
    /// The pieces to begin with in the next query.
    pub(crate) seed: Option<FrontPair>,
}

impl PartsFront {
    /// Forgets all, and keeps the room.
    pub(crate) fn forget(&mut self) {
        self.clear();
        (self.last, self.coherent, self.pause) = (None, false, Backoff::NEW);
    }

    fn clear(&mut self) {
        self.open.clear();
        (self.travelled, self.first, self.served) = (0.0, None, 0);
    }

    /// The bodies stand at a new pose; returns whether the front serves the query there.
    pub(crate) fn moves_to(&mut self, trees: &PartsTrees<'_>, b_in_a: &Relative) -> bool {
        let Some(last) = self.last.replace(*b_in_a) else { return false };
        if last != *b_in_a {
            let step = coherent_step(trees, &last, b_in_a);
            self.coherent = step.is_some();
            let Some(step) = step else {
                self.clear();
                return false;
            };
            self.travelled += step;
            self.step = step;
        }
        self.coherent && (self.first.is_some() || !self.pause.sits_out())
    }

    /// Whether there is a front to go on from.
    pub(crate) fn is_begun(&self) -> bool {
        self.first.is_some()
    }

    /// Whether a pair may be as near as `cutoff`.
    pub(crate) fn is_due(&self, cutoff: f64) -> bool {
        self.open.first_key().is_some_and(|key| key.0 <= self.due(cutoff))
    }

    /// The largest key of what may be as near as `cutoff`.
    fn due(&self, cutoff: f64) -> f64 {
        (cutoff + self.travelled) * (1.0 + 1e-12)
    }

    /// The least distance of two pieces, as far as it is no more than `within`. The test is given two nodes and the
    /// features to begin with, in whose place it leaves those to begin with the next time, and a distance beyond which
    /// its bounds may be rough.
    pub(crate) fn search<T>(
        &mut self,
        trees: &PartsTrees<'_>,
        within: f64,
        seed: Option<FrontPair>,
        test: impl FnMut(&mut FrontPair, f64) -> NodesGap<T>,
        stats: &mut Stats,
    ) -> FrontFound<T> {
        let begins = self.first.is_none();
        if begins {
            self.open.clear();
            self.travelled = 0.0;
            self.open.push(LowerBound(0.0), FrontPair { nodes: trees.roots(), features: None });
        }
        let closest = ClosestParts { lower: f64::INFINITY, upper: f64::INFINITY, best: None };
        let mut search = FrontSearch { trees, test, closest, cutoff: within, seed: None, tests: 0, front: self, stats };
        search.run(seed.filter(|pair| trees.are_pieces(pair.nodes)));
        let FrontSearch { closest, seed, tests, .. } = search;
        for (key, pair) in self.tested.drain(..) {
            self.open.push(key, pair);
        }
        self.judge(tests);
        FrontFound { closest, seed: seed.map(|(_, pair)| pair) }
    }

    /// Whether the front goes on after a query of so many tests.
    fn judge(&mut self, tests: u64) {
        let size = self.open.len() as u64;
        self.served += 1;
        let too_much = matches!(self.first, Some([_, first]) if tests > FEW.max(first / 2));
        if too_much || self.open.len() > MOST {
            self.give_up();
        } else if self.first.is_some_and(|[first, _]| size > 2 * first + 64) {
            self.clear();
        } else {
            self.first.get_or_insert([size, tests]);
        }
    }

    fn give_up(&mut self) {
        if self.served < WORTH {
            self.pause.failed();
        } else {
            self.pause.paid();
        }
        self.clear();
    }
}

/// How much nearer any points of the bodies may have come, if that is little.
///
/// What `b` moves in `a`'s frame and what `a` moves in `b`'s are both bounds; which one is less depends on the body
/// that turns.
fn coherent_step(trees: &PartsTrees<'_>, from: &Relative, to: &Relative) -> Option<f64> {
    let [a, b] = [MovedBall::around(&trees.a), MovedBall::around(&trees.b)];
    let of_b = b.map_or(f64::INFINITY, |ball| ball.displacement(from, to));
    let of_a = a.map_or(f64::INFINITY, |ball| ball.displacement(&from.inverse(), &to.inverse()));
    let size = a.map_or(0.0, |ball| ball.radius) + b.map_or(0.0, |ball| ball.radius);
    let step = of_a.min(of_b);
    (step <= LITTLE * size).then_some(step)
}

struct FrontSearch<'q, 'm, T, F> {
    trees: &'q PartsTrees<'m>,
    test: F,
    closest: ClosestParts<T>,
    /// What is farther does not matter.
    cutoff: f64,
    /// The closest pieces with the key that they get when others are closer.
    seed: Option<(LowerBound, FrontPair)>,
    tests: u64,
    front: &'q mut PartsFront,
    stats: &'q mut Stats,
}

impl<T, F: FnMut(&mut FrontPair, f64) -> NodesGap<T>> FrontSearch<'_, '_, T, F> {
    fn run(&mut self, seed: Option<FrontPair>) {
        if let Some(mut pair) = seed {
            let gap = self.gap(&mut pair, 0.0);
            self.stats.primitive_tests += 1;
            self.seed = Some((LowerBound(gap.lower + self.front.travelled), pair));
            self.takes(&gap).then(|| self.closest.best = Some((pair.nodes, gap.near)));
        }
        let mut opened = 0;
        while self.closest.upper > 0.0 && self.front.is_due(self.cutoff) {
            let Some((LowerBound(key), pair)) = self.front.open.pop() else { return };
            if opened == MOST_PAIRS {
                // The nearest comes first: none of those left is nearer.
                self.closest.lower = self.closest.lower.min((key - self.front.travelled).max(0.0));
                self.front.open.push(LowerBound(key), pair);
                return;
            }
            opened += 1;
            match self.trees.open(pair.nodes) {
                None => self.pieces(key, pair),
                Some(below) => self.hulls(key, pair, below),
            }
        }
    }

    /// Tests two hulls that are due, and opens them unless they are far enough apart.
    fn hulls(&mut self, key: f64, mut pair: FrontPair, below: [[u32; 2]; 2]) {
        self.stats.volume_tests += 1;
        let slack = self.trees.slack(pair.nodes);
        let lower = self.gap(&mut pair, slack).lower - slack;
        let key = key.max(lower + self.front.travelled);
        if key > self.front.due(self.cutoff) {
            self.front.open.push(LowerBound(key), pair);
            return;
        }
        self.stats.iterations += 1;
        for nodes in below {
            self.front.open.push(LowerBound(key), FrontPair { nodes, features: None });
        }
    }

    /// Tests two pieces that are due. They wait until the query ends, even if they are due again.
    fn pieces(&mut self, key: f64, mut pair: FrontPair) {
        if self.seed.is_some_and(|(_, seed)| seed.nodes == pair.nodes) {
            return;
        }
        self.stats.primitive_tests += 1;
        let gap = self.gap(&mut pair, 0.0);
        let entry = (LowerBound(key.max(gap.lower + self.front.travelled)), pair);
        let passed = if self.takes(&gap) {
            self.closest.best = Some((pair.nodes, gap.near));
            self.seed.replace(entry)
        } else {
            Some(entry)
        };
        self.front.tested.extend(passed);
    }

    fn gap(&mut self, pair: &mut FrontPair, slack: f64) -> NodesGap<T> {
        self.tests += 1;
        (self.test)(pair, self.cutoff + slack + STEPS_AHEAD * self.front.step)
    }

    /// Whether two pieces are the closest so far; the bounds are set in any case.
    fn takes(&mut self, gap: &NodesGap<T>) -> bool {
        if gap.lower > self.cutoff {
            return false;
        }
        self.closest.lower = self.closest.lower.min(gap.lower);
        let closer = gap.upper < self.closest.upper;
        if closer {
            self.closest.upper = gap.upper;
            self.cutoff = self.cutoff.min(gap.upper);
        }
        closer
    }
}
