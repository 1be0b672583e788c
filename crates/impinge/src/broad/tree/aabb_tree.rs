//! A binary tree of fat boxes that changes box by box: the dynamic tree of the game engines.
//!
//! Leaves hold slots; each node's local box contains those of its children. A leaf is inserted where the boxes of the
//! tree grow least ([`super::insert`]); a leaf whose box grew makes its ancestors grow and marks them, and the marked
//! part of the tree is built anew over the subtrees that are not marked ([`super::build`]).
//!
//! Invariants: an inner node has two children, whose parent it is; a node contains its children; `height` is 0 at
//! leaves and one more than the higher child's above. A tree higher than [`TALLEST`] is built anew.

use crate::broad::store::local::LocalBox;

/// No node.
pub(crate) const NONE: u32 = u32::MAX;
/// Height at which the tree is built anew: the halving of a build needs 33 for 2³² boxes.
pub(crate) const TALLEST: u32 = 64;

/// A node of the tree: its parent and its children.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Links {
    pub(crate) parent: u32,
    /// The two children; or [`NONE`] and the slot of a leaf.
    pub(crate) children: [u32; 2],
    /// Height above the leaves, and whether the box has grown since the last build.
    pub(crate) height: u16,
    pub(crate) grown: bool,
}

/// The tree. Freed nodes are used again.
#[derive(Debug, Clone)]
pub(crate) struct AabbTree {
    pub(crate) root: u32,
    pub(crate) bounds: Vec<LocalBox>,
    pub(crate) links: Vec<Links>,
    pub(crate) free: Vec<u32>,
    /// The leaf of each slot.
    pub(crate) leaf: Vec<u32>,
    pub(crate) count: usize,
}

impl Default for AabbTree {
    fn default() -> AabbTree {
        AabbTree { root: NONE, bounds: Vec::new(), links: Vec::new(), free: Vec::new(), leaf: Vec::new(), count: 0 }
    }
}

impl AabbTree {
    pub(crate) fn clear(&mut self) {
        let leaf = std::mem::take(&mut self.leaf);
        *self = AabbTree { leaf, ..AabbTree::default() };
        self.leaf.fill(NONE);
    }

    /// The leaf of a slot.
    pub(crate) fn leaf_of(&self, slot: u32) -> Option<u32> {
        self.leaf.get(slot as usize).copied().filter(|&leaf| leaf != NONE)
    }

    pub(crate) fn is_leaf(&self, node: u32) -> bool {
        self.links[node as usize].children[0] == NONE
    }

    /// A new node for a slot, without a parent.
    pub(crate) fn new_leaf(&mut self, slot: u32, bounds: LocalBox) -> u32 {
        let links = Links { parent: NONE, children: [NONE, slot], height: 0, grown: false };
        let leaf = self.new_node(links, bounds);
        if self.leaf.len() <= slot as usize {
            self.leaf.resize(slot as usize + 1, NONE);
        }
        self.leaf[slot as usize] = leaf;
        self.count += 1;
        leaf
    }

    pub(crate) fn new_node(&mut self, links: Links, bounds: LocalBox) -> u32 {
        match self.free.pop() {
            Some(node) => {
                self.links[node as usize] = links;
                self.bounds[node as usize] = bounds;
                node
            }
            None => {
                self.links.push(links);
                self.bounds.push(bounds);
                self.links.len() as u32 - 1
            }
        }
    }

    /// Makes a node the parent of two.
    pub(crate) fn adopt(&mut self, node: u32, children: [u32; 2]) {
        for child in children {
            self.links[child as usize].parent = node;
        }
        let [a, b] = children.map(|child| child as usize);
        let height = 1 + self.links[a].height.max(self.links[b].height);
        self.bounds[node as usize] = union(&self.bounds[a], &self.bounds[b]);
        let links = &mut self.links[node as usize];
        (links.children, links.height) = (children, height);
    }

    /// Gives a leaf a box; its ancestors grow to contain the box, and are marked.
    pub(crate) fn grow(&mut self, leaf: u32, bounds: LocalBox) {
        self.bounds[leaf as usize] = bounds;
        let mut node = self.links[leaf as usize].parent;
        while node != NONE {
            let links = &mut self.links[node as usize];
            let larger = union(&self.bounds[node as usize], &bounds);
            if links.grown && larger == self.bounds[node as usize] {
                break;
            }
            links.grown = true;
            self.bounds[node as usize] = larger;
            node = links.parent;
        }
    }

    pub(crate) fn height(&self) -> u32 {
        if self.root == NONE { 0 } else { u32::from(self.links[self.root as usize].height) }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bounds.capacity() * size_of::<LocalBox>()
            + self.links.capacity() * size_of::<Links>()
            + (self.free.capacity() + self.leaf.capacity()) * 4
    }

    /// Checks the invariants, for tests; returns how many leaves there are.
    #[cfg(test)]
    pub(crate) fn checked(&self) -> usize {
        let mut open: Vec<u32> = (self.root != NONE).then_some(self.root).into_iter().collect();
        let mut leaves = 0;
        while let Some(node) = open.pop() {
            let links = self.links[node as usize];
            if self.is_leaf(node) {
                assert_eq!((self.leaf[links.children[1] as usize], links.height), (node, 0));
                leaves += 1;
                continue;
            }
            let heights = links.children.map(|child| self.links[child as usize].height);
            assert_eq!(links.height, 1 + heights[0].max(heights[1]));
            for child in links.children {
                assert_eq!(self.links[child as usize].parent, node);
                assert!((0..8).all(|k| self.bounds[node as usize][k] <= self.bounds[child as usize][k]));
            }
            open.extend(links.children);
        }
        assert_eq!(leaves, self.count);
        assert_eq!(self.links.len() - self.free.len(), (2 * leaves).saturating_sub(1));
        leaves
    }
}

/// The least local box around two.
#[inline(always)]
pub(crate) fn union(a: &LocalBox, b: &LocalBox) -> LocalBox {
    let mut least = *a;
    for k in 0..8 {
        least[k] = if b[k] < a[k] { b[k] } else { a[k] };
    }
    least
}

/// Half the surface of a local box.
#[inline(always)]
pub(crate) fn half_area(b: &LocalBox) -> f32 {
    let [x, y, z] = [-b[0] - b[4], -b[1] - b[5], -b[2] - b[6]];
    x * y + y * z + z * x
}
