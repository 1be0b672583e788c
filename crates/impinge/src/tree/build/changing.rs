//! A tree over boxes that change one by one: they move, come and go. Each leaf holds one.
//!
//! What changed is noted; then every node above it is fitted once, those below first, as far up as boxes change. A box
//! that comes goes down where surfaces grow least, to a free slot of a node that does not contain it, or beside another
//! leaf. When boxes move, the tree keeps its shape and gets worse: whether another one would pay,
//! [`Tree::is_worth_rebuilding`] tells.
//!
//! Invariants, once [`ChangingTree::settle`] was called: the box of a node contains those below it; a node comes after
//! the node that holds it. Cost: the nodes above what changed.

use crate::bound::{Aabb, Box32, round_up};
use crate::tree::nodes::{Child, MAX_TRIANGLES, NOWHERE, Tree, TreeNode, WIDTH};

/// Beyond this depth no more boxes are put in.
const DEEPEST: u32 = 24;

/// A tree, and what is needed to change it.
#[derive(Debug, Clone)]
pub(crate) struct ChangingTree {
    tree: Tree,
    /// The slot (node·8 + child) that holds each node; that of the first has no meaning.
    parent: Vec<u32>,
    /// The slot that holds each box.
    leaf: Vec<u32>,
    /// A bit for each node of which a child has changed.
    stale: Vec<u64>,
}

impl Default for ChangingTree {
    fn default() -> ChangingTree {
        ChangingTree { tree: Tree::empty(), parent: Vec::new(), leaf: Vec::new(), stale: Vec::new() }
    }
}

impl ChangingTree {
    /// The most boxes that it takes.
    pub(crate) const MOST: usize = MAX_TRIANGLES;

    /// Builds over these boxes, none of which is empty, with room for others within `room`, which holds them all; also
    /// returns the boxes' indices in the order of the leaves. A box is known by its place in that order from then on.
    pub(crate) fn build(boxes: &[Aabb], room: &Aabb) -> (ChangingTree, Vec<u32>) {
        if boxes.is_empty() {
            return (ChangingTree::default(), Vec::new());
        }
        let (tree, order) = Tree::of_boxes(room, boxes);
        let mut changing =
            ChangingTree { parent: vec![0; tree.nodes()], leaf: vec![0; order.len()], stale: Vec::new(), tree };
        changing.link();
        (changing, order)
    }

    /// Notes where each node and each leaf is held.
    fn link(&mut self) {
        for (n, node) in self.tree.nodes.iter().enumerate() {
            for k in node.used() {
                let slot = (n * WIDTH + k) as u32;
                match node.child[k].as_leaf() {
                    Some(leaf) => self.leaf[leaf.first as usize] = slot,
                    None => self.parent[node.child[k].index()] = slot,
                }
            }
        }
    }

    pub(crate) fn tree(&self) -> &Tree {
        &self.tree
    }

    pub(crate) fn bytes(&self) -> usize {
        self.tree.bytes() + (self.parent.capacity() + self.leaf.capacity()) * 4 + self.stale.capacity() * 8
    }

    /// The box in the tree's units; `None` where it is not within ±1, and there is no room for it.
    fn local(&self, b: &Aabb) -> Option<Box32> {
        let scale = self.tree.unit.recip();
        let (min, max) = ((b.min - self.tree.centre) * scale, (b.max - self.tree.centre) * scale);
        (min.min_element() >= -1.0 && max.max_element() <= 1.0).then(|| Box32::around(min, max))
    }

    fn note(&mut self, node: usize) {
        let words = self.tree.nodes.len().div_ceil(64);
        if self.stale.len() < words {
            self.stale.resize(words, 0);
        }
        self.stale[node / 64] |= 1 << (node % 64);
    }

    fn write(&mut self, slot: usize, b: &Box32) {
        super::wide::write_box(&mut self.tree.nodes[slot / WIDTH], slot % WIDTH, b);
        self.note(slot / WIDTH);
    }

    /// The box within which it has room.
    pub(crate) fn room(&self) -> Aabb {
        Aabb::new(self.tree.centre - self.tree.unit, self.tree.centre + self.tree.unit)
    }

    /// Gives the box at a place new bounds; `false` where there is no room for them, and then nothing has changed.
    pub(crate) fn replace(&mut self, place: u32, b: &Aabb) -> bool {
        let local = self.local(b);
        if let Some(local) = &local {
            self.write(self.leaf[place as usize] as usize, local);
        }
        local.is_some()
    }

    /// Takes the box at a place out. The place is free from then on.
    pub(crate) fn remove(&mut self, place: u32) {
        let slot = self.leaf[place as usize] as usize;
        self.tree.nodes[slot / WIDTH].clear(slot % WIDTH);
        self.note(slot / WIDTH);
    }

    /// Puts a box in at a place that is free, or is the next after all; `false` where there is no room for it.
    pub(crate) fn insert(&mut self, place: u32, b: &Aabb) -> bool {
        let Some(local) = self.local(b) else { return false };
        let Some(slot) = self.room_for(&local) else { return false };
        self.leaf.resize(self.leaf.len().max(place as usize + 1), 0);
        self.leaf[place as usize] = slot as u32;
        self.tree.nodes[slot / WIDTH].child[slot % WIDTH] = Child::leaf(place as usize, 1);
        self.write(slot, &local);
        true
    }

    /// A slot for one more box.
    fn room_for(&mut self, b: &Box32) -> Option<usize> {
        let mut slot = 0;
        for _ in 0..DEEPEST {
            let node = &self.tree.nodes.get(slot / WIDTH)?;
            let child = node.child[slot % WIDTH];
            if node.half[0][slot % WIDTH] == NOWHERE {
                return None;
            }
            if child.as_leaf().is_some() {
                return Some(self.split(slot));
            }
            let below = &self.tree.nodes[child.index()];
            let growth = |k: &usize| {
                let old = below.bounds(*k);
                old.union(b).half_area() - old.half_area()
            };
            let best = below.used().min_by(|j, k| growth(j).total_cmp(&growth(k)))?;
            if let Some(free) = (0..WIDTH).find(|&k| below.half[0][k] == NOWHERE)
                && (growth(&best) > 0.0 || below.child[best].as_leaf().is_some())
            {
                return Some(child.index() * WIDTH + free);
            }
            slot = child.index() * WIDTH + best;
        }
        None
    }

    /// Puts a node between a leaf and the slot that holds it; returns the slot beside the leaf.
    fn split(&mut self, slot: usize) -> usize {
        let (n, holder) = (self.tree.nodes.len(), &self.tree.nodes[slot / WIDTH]);
        let (k, mut node) = (slot % WIDTH, TreeNode::EMPTY);
        let moved = holder.slot(k);
        for axis in 0..3 {
            (node.centre[axis][0], node.half[axis][0]) = (moved.centre[axis], moved.half[axis]);
        }
        (node.size[0], node.child[0]) = (holder.size[k], holder.child[k]);
        if let Some(leaf) = holder.child[k].as_leaf() {
            self.leaf[leaf.first as usize] = (n * WIDTH) as u32;
        }
        self.tree.nodes[slot / WIDTH].child[k] = Child::node(n);
        self.tree.nodes.push(node);
        self.parent.push(slot as u32);
        n * WIDTH + 1
    }

    /// Fits the nodes above all that has changed.
    pub(crate) fn settle(&mut self) {
        for word in (0..self.stale.len()).rev() {
            while self.stale[word] != 0 {
                let bit = 63 - self.stale[word].leading_zeros() as usize;
                self.stale[word] &= !(1 << bit);
                self.fit(word * 64 + bit);
            }
        }
    }

    /// Fits the slot that holds a node.
    fn fit(&mut self, n: usize) {
        if n == 0 {
            return;
        }
        let node = &self.tree.nodes[n];
        let all = node.used().fold(Box32::EMPTY, |all, k| all.union(&node.bounds(k)));
        let slot = self.parent[n] as usize;
        let (holder, k) = (&mut self.tree.nodes[slot / WIDTH], slot % WIDTH);
        let before = holder.slot(k);
        if all == Box32::EMPTY {
            holder.clear(k);
        } else {
            super::wide::write_box(holder, k, &all);
        }
        let after = holder.slot(k);
        if [before.centre, before.half] != [after.centre, after.half] {
            self.note(slot / WIDTH);
        }
    }
}

impl TreeNode {
    /// The slots in use.
    fn used(&self) -> impl Iterator<Item = usize> + '_ {
        (0..WIDTH).filter(|&k| self.half[0][k] != NOWHERE)
    }

    fn clear(&mut self, k: usize) {
        self.half.iter_mut().for_each(|half| half[k] = NOWHERE);
    }

    /// A box around that of a slot, rounded outward.
    fn bounds(&self, k: usize) -> Box32 {
        let (mut low, mut high) = ([0.0; 3], [0.0; 3]);
        for axis in 0..3 {
            let (centre, half) = (f64::from(self.centre[axis][k]), f64::from(self.half[axis][k]));
            (low[axis], high[axis]) = (-round_up(half - centre), round_up(centre + half));
        }
        Box32 { min: low.into(), max: high.into() }
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;
    use proptest::prelude::*;

    use super::*;
    use crate::tree::nodes::Below;

    /// Every box is found once, within the boxes of all nodes above it.
    fn check(tree: &ChangingTree, boxes: &[Option<Aabb>]) {
        let mut found = vec![0; boxes.len()];
        let mut open = vec![(0, None::<Box32>)];
        while let Some((n, within)) = open.pop() {
            let Some(node) = tree.tree.nodes.get(n) else { break };
            for (k, below) in node.used().zip(tree.tree.below(n)) {
                let own = node.bounds(k);
                let slot = (n * WIDTH + k) as u32;
                if let Some(within) = within {
                    // The box of a slot is rounded outward once more.
                    let wide = |b: &Box32| (b.min - 1e-6, b.max + 1e-6);
                    assert!(wide(&within).0.cmple(own.min).all() && own.max.cmple(wide(&within).1).all());
                }
                match below {
                    Below::Node(child) => {
                        assert!(child > n && tree.parent[child] == slot);
                        open.push((child, Some(own)));
                    }
                    Below::Leaf(leaf) => {
                        let Some([middle, half]) = tree.tree.slot_box(slot as usize) else { panic!("{slot}") };
                        let b = boxes[leaf.first as usize].expect("it was not removed");
                        let fitted = Aabb::new(middle - half, middle + half).grown(1e-9 * b.reach());
                        assert!(fitted.contains(&b) && tree.leaf[leaf.first as usize] == slot);
                        found[leaf.first as usize] += 1;
                    }
                }
            }
        }
        assert!(found.iter().zip(boxes).all(|(&n, b)| n == usize::from(b.is_some())), "{found:?}");
    }

    fn cube() -> impl Strategy<Value = Aabb> {
        (prop::array::uniform3(-4.0..4.0f64), 0.0..1.0f64).prop_map(|(at, size)| {
            let at = DVec3::from_array(at);
            Aabb::new(at, at + size)
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn boxes_move_come_and_go(
            first in prop::collection::vec(cube(), 1..60),
            changes in prop::collection::vec((0..90usize, prop::option::weighted(0.8, cube())), 1..200),
        ) {
            let room = Aabb::new(DVec3::splat(-4.0), DVec3::splat(4.0));
            let (mut tree, order) = ChangingTree::build(&first, &first.iter().fold(room, |all, b| all.join(b)));
            let mut boxes: Vec<Option<Aabb>> = order.iter().map(|&k| Some(first[k as usize])).collect();
            for (round, (place, change)) in changes.into_iter().enumerate() {
                let place = place.min(boxes.len());
                boxes.resize(boxes.len().max(place + 1), None);
                let done = match (boxes[place], change) {
                    (Some(_), Some(b)) => tree.replace(place as u32, &b),
                    (None, Some(b)) => tree.insert(place as u32, &b),
                    (Some(_), None) => {
                        tree.remove(place as u32);
                        true
                    }
                    (None, None) => true,
                };
                if done {
                    boxes[place] = change;
                }
                if round % 7 == 0 {
                    tree.settle();
                    check(&tree, &boxes);
                }
            }
            tree.settle();
            check(&tree, &boxes);
        }
    }

    #[test]
    fn many_in_one_place_find_room_until_the_tree_is_too_deep() {
        let b = Aabb::new(DVec3::ZERO, DVec3::ONE);
        let (mut tree, _) = ChangingTree::build(&[b, b], &b);
        let count = (2..10_000).take_while(|&place| tree.insert(place, &b)).count();
        tree.settle();
        check(&tree, &vec![Some(b); count + 2]);
        assert!(count > 100, "{count}");
    }
}
