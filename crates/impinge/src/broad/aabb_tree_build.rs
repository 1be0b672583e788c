//! Builds the tree anew: all of it, or what has grown.
//!
//! Top-down halving at the median of the centres along the longest axis of theirs: O(n log n) whatever the boxes are,
//! and no higher than log₂ n. The pieces that are halved are leaves (a full build), or the subtrees that have not grown
//! since the last one (a partial one: only marked nodes are replaced, as Box2D does it).

use super::aabb_tree::{AabbTree, Links, NONE};
use super::local::LocalBox;

/// Subtrees that wait to be halved, and the node that is to hold them.
struct Open {
    first: usize,
    end: usize,
    parent: u32,
    side: usize,
}

impl AabbTree {
    /// Builds over these slots and boxes.
    pub(super) fn build(&mut self, leaves: impl Iterator<Item = (u32, LocalBox)>) {
        self.clear();
        let pieces: Vec<u32> = leaves.map(|(slot, bounds)| self.new_leaf(slot, bounds)).collect();
        self.halve(pieces);
    }

    /// Builds the marked nodes anew, over the largest subtrees that are not marked.
    pub(super) fn rebuild_grown(&mut self) {
        let mut open: Vec<u32> = (self.root != NONE).then_some(self.root).into_iter().collect();
        let mut pieces = Vec::new();
        while let Some(node) = open.pop() {
            if self.links[node as usize].grown && !self.is_leaf(node) {
                open.extend(self.links[node as usize].children);
                self.free.push(node);
            } else {
                pieces.push(node);
            }
        }
        self.halve(pieces);
    }

    /// Makes one tree of the pieces.
    fn halve(&mut self, mut pieces: Vec<u32>) {
        self.root = NONE;
        if pieces.is_empty() {
            return;
        }
        let mut made = Vec::with_capacity(pieces.len());
        let mut open = vec![Open { first: 0, end: pieces.len(), parent: NONE, side: 0 }];
        while let Some(Open { first, end, parent, side }) = open.pop() {
            let node = if end - first == 1 {
                pieces[first]
            } else {
                let middle = self.split(&mut pieces[first..end]) + first;
                let links = Links { parent: NONE, children: [NONE; 2], height: 0, grown: false };
                let node = self.new_node(links, [0.0; 8]);
                made.push(node);
                open.push(Open { first, end: middle, parent: node, side: 0 });
                open.push(Open { first: middle, end, parent: node, side: 1 });
                node
            };
            self.links[node as usize].parent = parent;
            match parent {
                NONE => self.root = node,
                _ => self.links[parent as usize].children[side] = node,
            }
        }
        // Children were made after their parents.
        for node in made.into_iter().rev() {
            let children = self.links[node as usize].children;
            let parent = self.links[node as usize].parent;
            self.adopt(node, children);
            self.links[node as usize].parent = parent;
        }
    }

    /// Puts the lower half of the pieces first, by their centres along the axis on which those lie farthest apart.
    fn split(&self, pieces: &mut [u32]) -> usize {
        let centre = |node: u32, axis: usize| {
            let b = &self.bounds[node as usize];
            b[axis] - b[axis + 4]
        };
        let (mut low, mut high) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
        for &node in &*pieces {
            for axis in 0..3 {
                low[axis] = low[axis].min(centre(node, axis));
                high[axis] = high[axis].max(centre(node, axis));
            }
        }
        let spread = |axis: &usize| high[*axis] - low[*axis];
        let axis = [0, 1, 2].into_iter().max_by(|a, b| spread(a).total_cmp(&spread(b))).unwrap_or(0);
        let middle = pieces.len() / 2;
        let by = |a: &u32, b: &u32| centre(*a, axis).total_cmp(&centre(*b, axis)).then(a.cmp(b));
        pieces.select_nth_unstable_by(middle, by);
        middle
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::broad::aabb_tree::union;

    fn unit(x: f32) -> LocalBox {
        [x, 0.0, 0.0, -1.0, -x - 1.0, -1.0, -1.0, -1.0]
    }

    #[test]
    fn built_whole_and_in_part() {
        let mut tree = AabbTree::default();
        tree.build((0..1000).map(|k| (k, unit((k * 7 % 1000) as f32))));
        assert_eq!((tree.checked(), tree.height()), (1000, 10));
        for k in 0..20 {
            let leaf = tree.leaf_of(k * 13).unwrap_or(NONE);
            tree.grow(leaf, unit(2000.0 - k as f32));
        }
        tree.rebuild_grown();
        assert_eq!(tree.checked(), 1000);
        assert!(tree.height() < 24, "{}", tree.height());
        let all = tree.bounds[tree.root as usize];
        assert_eq!(union(&all, &unit(2000.0)), all);
    }
}
