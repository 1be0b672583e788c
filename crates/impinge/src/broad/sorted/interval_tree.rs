//! Active intervals on a line, and which of them meet a given one: a priority search tree.
//!
//! For the sweep of H. Edelsbrunner, *A new approach to rectangle intersections*, 1983, to which Mirtich 1997, §2.3,
//! points. An interval meets [a, b] iff it begins at or before b and ends at or after a: a two-sided question, which
//! E. M. McCreight, *Priority search trees*, SIAM J. Comput. 14(2), 1985, answers by one tree, where Edelsbrunner's
//! interval tree has to be joined by a tree of lower ends.
//!
//! Invariant. The tree is complete and lies in one array, node k above 2k and 2k + 1. Its leaves are the *ranks* of the
//! lower ends of all intervals there will be. An active interval lies on the path from the root to its leaf; a node
//! holds the one that ends last of those whose path it is on and that no node above holds.
//!
//! Cost: insert and remove O(log n); a question O(log n + k) for k intervals found. A node that ends too early is left
//! with all below it; one that begins too late is on the path to the last rank that does not, or is not looked at.

/// Marks a node without an interval.
const NONE: u32 = u32::MAX;
/// The most nodes waiting in a query: two for each level of a tree with 2³² leaves, and some.
const WAITING: usize = 72;

/// Intervals known by rank.
#[derive(Debug, Clone, Default)]
pub(crate) struct IntervalTree {
    nodes: Vec<Node>,
    leaves: usize,
    visited: u64,
}

#[derive(Debug, Clone, Copy)]
struct Node {
    /// The upper end of the interval.
    high: f64,
    rank: u32,
}

const EMPTY: Node = Node { high: f64::NEG_INFINITY, rank: NONE };

impl IntervalTree {
    /// Makes room for ranks below `count`, none of them active.
    pub(crate) fn reset(&mut self, count: usize) {
        self.leaves = count.next_power_of_two();
        self.nodes.clear();
        self.nodes.resize(2 * self.leaves, EMPTY);
    }

    /// Activates the interval of a rank, which is not active.
    pub(crate) fn insert(&mut self, rank: u32, high: f64) {
        let mut carried = Node { high, rank };
        let mut at = 1;
        while at < self.nodes.len() {
            let node = &mut self.nodes[at];
            if carried.high > node.high || node.rank == NONE {
                std::mem::swap(node, &mut carried);
                if carried.rank == NONE {
                    return;
                }
            }
            at = self.below(at, carried.rank);
        }
    }

    /// Removes the interval of a rank; does nothing if it is not active.
    pub(crate) fn remove(&mut self, rank: u32) {
        let mut at = 1;
        while at < self.nodes.len() && self.nodes[at].rank != rank {
            at = self.below(at, rank);
        }
        while at < self.nodes.len() {
            let (left, right) = (2 * at, 2 * at + 1);
            if left >= self.nodes.len() {
                self.nodes[at] = EMPTY;
                return;
            }
            let later = if self.later(left, right) { left } else { right };
            self.nodes[at] = self.nodes[later];
            if self.nodes[at].rank == NONE {
                return;
            }
            at = later;
        }
    }

    /// Shows the ranks of the active intervals that end at or after `from` and whose rank is below `ranks`.
    pub(crate) fn meeting(&mut self, from: f64, ranks: u32, mut found: impl FnMut(u32)) {
        let mut waiting = [(0, 0); WAITING];
        let mut count = 1;
        waiting[0] = (1, 0);
        let mut visited = 0;
        while count > 0 {
            count -= 1;
            // Each entry is a node, and the first rank below it.
            let (at, first): (usize, u32) = waiting[count];
            let node = self.nodes[at];
            visited += 1;
            if node.rank == NONE || node.high < from {
                continue;
            }
            if node.rank < ranks {
                found(node.rank);
            }
            if 2 * at < self.nodes.len() {
                let half = (self.leaves >> (at.ilog2() + 1)) as u32;
                if first + half < ranks {
                    waiting[count] = (2 * at + 1, first + half);
                    count += 1;
                }
                waiting[count] = (2 * at, first);
                count += 1;
            }
        }
        self.visited += visited;
    }

    /// The number of nodes looked at in all queries.
    pub(crate) fn visited(&self) -> u64 {
        self.visited
    }

    pub(crate) fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
    }

    /// The child on the way to a rank's leaf.
    fn below(&self, at: usize, rank: u32) -> usize {
        let level = at.ilog2();
        let bit = self.leaves.ilog2().checked_sub(level + 1).map_or(0, |shift| rank as usize >> shift & 1);
        2 * at + bit
    }

    /// Whether the interval at `left` stays above that at `right`.
    fn later(&self, left: usize, right: usize) -> bool {
        self.nodes[right].rank == NONE
            || (self.nodes[left].rank != NONE && self.nodes[left].high >= self.nodes[right].high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Compared with a plain list: the intervals that a query must find, while intervals come and go.
        #[test]
        fn finds_what_a_list_finds(
            count in 1..70usize, steps in prop::collection::vec((0..70usize, 0..10, 0..75u32), 1..200),
        ) {
            let mut tree = IntervalTree::default();
            tree.reset(count);
            let mut active = vec![None; count];
            for (rank, value, ranks) in steps {
                let (rank, value) = (rank % count, f64::from(value));
                match active[rank] {
                    None => tree.insert(rank as u32, value),
                    Some(_) => tree.remove(rank as u32),
                }
                active[rank] = if active[rank].is_none() { Some(value) } else { None };
                let mut found = Vec::new();
                tree.meeting(value, ranks, |rank| found.push(rank));
                found.sort_unstable();
                let late = |rank: &u32| active[*rank as usize].is_some_and(|high: f64| high >= value) && *rank < ranks;
                prop_assert_eq!(found, (0..count as u32).filter(late).collect::<Vec<_>>());
            }
        }
    }

    /// A query looks at few nodes besides those that it finds.
    #[test]
    fn questions_cost_what_they_find() {
        let n = 1 << 14;
        let mut tree = IntervalTree::default();
        tree.reset(n);
        (0..n as u32).for_each(|rank| tree.insert(rank, f64::from(rank % 1000)));
        for from in [0.0, 500.0, 990.0, 1001.0] {
            for ranks in [0, 1, 77, 5000, n as u32] {
                let before = tree.visited();
                let mut found = 0;
                tree.meeting(from, ranks, |_| found += 1);
                assert!(tree.visited() - before <= 3 * (found + 2 * 15), "{from} {ranks} {found}");
            }
        }
    }
}
