//! Inserts a leaf into the tree where it costs least, and removes one.
//!
//! Insertion by branch and bound (J. Bittner, M. Hapala, V. Havran, *Incremental BVH construction for ray tracing*,
//! C&G 47, 2015), greedy: go down to the child in which the new leaf and the growth of the nodes above cost the least
//! surface, stop where a sibling for the whole node costs less. On the way up each node exchanges a child with a
//! grandchild where that lowers the surface of the child between (A. Kensler, *Tree rotations for improving bounding
//! volume hierarchies*, 2008). O(height) steps.

use super::aabb_tree::{AabbTree, Links, NONE, TALLEST, half_area, union};
use crate::broad::store::local::LocalBox;

impl AabbTree {
    /// Inserts a slot that is not in the tree.
    pub(crate) fn insert(&mut self, slot: u32, bounds: LocalBox) {
        let leaf = self.new_leaf(slot, bounds);
        if self.root == NONE {
            self.root = leaf;
            return;
        }
        let sibling = self.best_sibling(&bounds);
        let above = self.links[sibling as usize].parent;
        let links = Links { parent: above, children: [NONE; 2], height: 0, grown: false };
        let parent = self.new_node(links, bounds);
        self.adopt(parent, [sibling, leaf]);
        self.replace_child(above, sibling, parent);
        self.mend(above);
    }

    /// The node beside which a box costs least.
    fn best_sibling(&self, bounds: &LocalBox) -> u32 {
        let mut node = self.root;
        for _ in 0..TALLEST {
            if self.is_leaf(node) {
                break;
            }
            let area = half_area(&self.bounds[node as usize]);
            let here = half_area(&union(&self.bounds[node as usize], bounds));
            // The growth of this node, which all nodes below it have to pay; and a new parent for the node and the
            // leaf.
            let (inherited, beside) = (here - area, here);
            let costs = self.links[node as usize].children.map(|child| {
                let own = &self.bounds[child as usize];
                let grown = half_area(&union(own, bounds));
                inherited + if self.is_leaf(child) { grown } else { grown - half_area(own) }
            });
            if beside < costs[0].min(costs[1]) {
                break;
            }
            node = self.links[node as usize].children[usize::from(costs[1] < costs[0])];
        }
        node
    }

    /// Removes a slot. `false` when it is not in the tree.
    pub(crate) fn remove(&mut self, slot: u32) -> bool {
        let Some(leaf) = self.leaf_of(slot) else { return false };
        self.leaf[slot as usize] = NONE;
        self.count -= 1;
        let parent = self.links[leaf as usize].parent;
        self.free.push(leaf);
        if parent == NONE {
            self.root = NONE;
            return true;
        }
        let Links { parent: above, children: [a, b], .. } = self.links[parent as usize];
        let sibling = if a == leaf { b } else { a };
        self.free.push(parent);
        self.links[sibling as usize].parent = above;
        self.replace_child(above, parent, sibling);
        self.mend(above);
        true
    }

    fn replace_child(&mut self, parent: u32, old: u32, new: u32) {
        if parent == NONE {
            self.root = new;
            return;
        }
        let children = self.links[parent as usize].children;
        self.links[parent as usize].children = children.map(|child| if child == old { new } else { child });
    }

    /// Fits the boxes and heights from a node up to the root, with rotations.
    fn mend(&mut self, mut node: u32) {
        while node != NONE {
            self.rotate(node);
            let children = self.links[node as usize].children;
            self.adopt(node, children);
            node = self.links[node as usize].parent;
        }
    }

    /// Exchanges a child with a grandchild below the other child, where that lowers that other child's surface most.
    fn rotate(&mut self, node: u32) {
        let [a, b] = self.links[node as usize].children;
        let mut best: Option<(f32, [u32; 3])> = None;
        for (child, other) in [(a, b), (b, a)] {
            if self.is_leaf(other) {
                continue;
            }
            let [c, d] = self.links[other as usize].children;
            let area = half_area(&self.bounds[other as usize]);
            for (grandchild, stays) in [(c, d), (d, c)] {
                let now = half_area(&union(&self.bounds[child as usize], &self.bounds[stays as usize]));
                if now < area && best.is_none_or(|(gain, _)| area - now > gain) {
                    best = Some((area - now, [child, other, grandchild]));
                }
            }
        }
        let Some((_, [child, other, grandchild])) = best else { return };
        let [c, d] = self.links[other as usize].children;
        let stays = if c == grandchild { d } else { c };
        self.adopt(other, [child, stays]);
        self.adopt(node, [other, grandchild]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(x: f32, y: f32) -> LocalBox {
        [x, y, 0.0, -1.0, -x - 1.0, -y - 1.0, -1.0, -1.0]
    }

    #[test]
    fn leaves_come_and_go() {
        let mut tree = AabbTree::default();
        for k in 0..500u32 {
            tree.insert(k, unit((k * 37 % 101) as f32, (k * 53 % 89) as f32));
            assert_eq!(tree.checked(), k as usize + 1);
        }
        assert!(tree.height() < 24, "{}", tree.height());
        for k in (0..500).rev() {
            let slot = k * 7 % 500;
            assert!(tree.remove(slot) && !tree.remove(slot));
            assert_eq!(tree.checked(), k as usize);
        }
    }
}
