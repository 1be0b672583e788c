//! Walks the trees in the order in which a search reaches their boxes, and passes over those that it cannot use.
//!
//! N. Roussopoulos, S. Kelley and F. Vincent, *Nearest neighbor queries*, SIGMOD 1995, for any measure: a search tells
//! the least cost of anything within a box (how far along a ray, how far from a point, how early), and what costs too
//! much by now. Depth first, the cheaper child before the other; both trees wait on one stack, so that what is found in
//! one spares work in the other.
//!
//! Invariant: a thing is passed over only if the bound of a box around it is above the limit. Cost: the nodes whose
//! bound is below the cost of the answer, and their children.

use smallvec::SmallVec;

use super::aabb_tree::{AabbTree, NONE};
use super::dynamic_tree::DynamicTree;
use crate::bound::Aabb;
use crate::broad::store::local::{Local, LocalBox};

/// What is sought among boxes.
pub(crate) trait Seek {
    /// A lower bound on the cost of everything in a box; infinite where it holds nothing of use. That of a box is never
    /// above that of a box within.
    fn bound(&self, b: &Aabb) -> f64;

    /// What costs more is of no use: [`f64::NEG_INFINITY`] when nothing more is wanted.
    fn limit(&self) -> f64;

    /// Looks at what is in a slot. The box that the tree has for it is larger than its own.
    fn look(&mut self, slot: u32);
}

/// A node that waits: its bound, which tree it is of, and its number.
type Open = (f64, bool, u32);

impl DynamicTree {
    /// A box around all boxes.
    pub(crate) fn bounds(&self) -> Aabb {
        let (trees, local) = self.trees();
        let roots = trees.iter().filter(|tree| tree.root != NONE);
        roots.fold(Aabb::EMPTY, |all, tree| all.join(&local.back(&tree.bounds[tree.root as usize])))
    }

    /// Shows the boxes of all nodes, each before those of its children.
    pub(crate) fn each_node(&self, visit: &mut dyn FnMut(&Aabb)) {
        let (trees, local) = self.trees();
        for tree in trees {
            let mut open: Vec<u32> = (tree.root != NONE).then_some(tree.root).into_iter().collect();
            while let Some(node) = open.pop() {
                visit(&local.back(&tree.bounds[node as usize]));
                let [left, right] = tree.links[node as usize].children;
                if left != NONE {
                    open.extend([right, left]);
                }
            }
        }
    }

    /// Shows the slots that a search may use, the cheapest boxes first.
    #[inline]
    pub(crate) fn seek(&self, search: &mut impl Seek) {
        let (trees, local) = self.trees();
        // No more nodes wait than the trees are high.
        let mut open = SmallVec::<[Open; 64]>::new();
        for (tree, which) in trees.iter().zip([false, true]) {
            if tree.root != NONE {
                open.push((bound(search, local, tree, tree.root), which, tree.root));
            }
        }
        open.sort_unstable_by(|x, y| y.0.total_cmp(&x.0));
        while let Some((cost, which, mut node)) = open.pop() {
            if !useful(search, cost) {
                continue;
            }
            let tree = trees[usize::from(which)];
            loop {
                let [left, right] = tree.links[node as usize].children;
                if left == NONE {
                    search.look(right);
                    break;
                }
                let costs = [left, right].map(|child| bound(search, local, tree, child));
                let swapped = costs[1] < costs[0];
                let (near, far) = if swapped { (right, left) } else { (left, right) };
                let (cost, later) = if swapped { (costs[1], costs[0]) } else { (costs[0], costs[1]) };
                if useful(search, later) {
                    open.push((later, which, far));
                }
                if !useful(search, cost) {
                    break;
                }
                node = near;
            }
        }
    }
}

#[inline(always)]
fn useful(search: &impl Seek, cost: f64) -> bool {
    cost < f64::INFINITY && cost <= search.limit()
}

#[inline(always)]
fn bound(search: &impl Seek, local: &Local, tree: &AabbTree, node: u32) -> f64 {
    search.bound(&local.back(&tree.bounds[node as usize]))
}

impl Local {
    /// A box of the world that holds a local box: scaling back is exact but
    /// for underflow, and the sum is off by 2⁻⁵³ of itself.
    #[inline(always)]
    pub(crate) fn back(&self, b: &LocalBox) -> Aabb {
        let unit = self.scale.recip();
        let low = |k: usize| f64::from(b[k]) * unit + self.origin[k];
        let high = |k: usize| self.origin[k] - f64::from(b[k + 4]) * unit;
        let down = |x: f64| x - (x.abs() * f64::EPSILON + f64::MIN_POSITIVE);
        let up = |x: f64| x + (x.abs() * f64::EPSILON + f64::MIN_POSITIVE);
        Aabb {
            min: glam::DVec3::new(down(low(0)), down(low(1)), down(low(2))),
            max: glam::DVec3::new(up(high(0)), up(high(1)), up(high(2))),
        }
    }
}
