//! Builds the tree anew: all of it, or the part that has grown.
//!
//! Top-down halving at the median of the centres along the axis on which these are spread most: O(n log n) whatever the
//! boxes are, and no higher than log₂ n. The pieces that are halved are leaves (a full build), or the subtrees that
//! have not grown since the last build (a partial one: only marked nodes are replaced, as Box2D does it). Nodes are
//! made as the halving goes down, siblings beside each other and subtree after subtree: that is the order in which a
//! traversal reads them.

use super::aabb_tree::{AabbTree, Links, NONE};
use crate::broad::store::local::LocalBox;

/// A piece to be halved: its box, and either the slot of a leaf that is yet to be made, or a node.
#[derive(Debug, Clone, Copy)]
struct Piece {
    bounds: LocalBox,
    name: u32,
}

/// Pieces that wait to be halved, and the node that is to hold them.
struct Open {
    first: usize,
    end: usize,
    node: u32,
}

impl AabbTree {
    /// Builds over these slots and boxes.
    pub(crate) fn build(&mut self, leaves: impl Iterator<Item = (u32, LocalBox)>) {
        self.clear();
        let pieces: Vec<Piece> = leaves.map(|(name, bounds)| Piece { bounds, name }).collect();
        self.bounds.reserve_exact(2 * pieces.len());
        self.links.reserve_exact(2 * pieces.len());
        self.halve(pieces, true);
    }

    /// Builds the marked nodes anew, over the largest subtrees that are not marked.
    pub(crate) fn rebuild_grown(&mut self) {
        let mut open: Vec<u32> = (self.root != NONE).then_some(self.root).into_iter().collect();
        let mut pieces = Vec::new();
        while let Some(node) = open.pop() {
            if self.links[node as usize].grown && !self.is_leaf(node) {
                open.extend(self.links[node as usize].children);
                self.free.push(node);
            } else {
                pieces.push(Piece { bounds: self.bounds[node as usize], name: node });
            }
        }
        self.halve(pieces, false);
    }

    /// Makes one tree of the pieces.
    fn halve(&mut self, mut pieces: Vec<Piece>, leaves: bool) {
        self.root = NONE;
        if pieces.is_empty() {
            return;
        }
        self.root = self.top(&pieces, leaves);
        let mut made = Vec::with_capacity(pieces.len());
        let mut open = vec![Open { first: 0, end: pieces.len(), node: self.root }];
        while let Some(Open { first, end, node }) = open.pop() {
            if end - first == 1 {
                continue;
            }
            let middle = split(&mut pieces[first..end]) + first;
            let children = [first..middle, middle..end].map(|half| self.top(&pieces[half], leaves));
            self.links[node as usize].children = children;
            made.push(node);
            open.push(Open { first: middle, end, node: children[1] });
            open.push(Open { first, end: middle, node: children[0] });
        }
        // Children were made after their parents.
        for node in made.into_iter().rev() {
            let children = self.links[node as usize].children;
            self.adopt(node, children);
        }
        self.links[self.root as usize].parent = NONE;
    }

    /// The node that is to hold the pieces: for several pieces a new one.
    fn top(&mut self, pieces: &[Piece], leaves: bool) -> u32 {
        match pieces {
            [Piece { bounds, name }] if leaves => self.new_leaf(*name, *bounds),
            [Piece { name, .. }] => *name,
            _ => self.new_node(Links { parent: NONE, children: [NONE; 2], height: 0, grown: false }, [0.0; 8]),
        }
    }
}

/// Puts the lower half of the pieces first, by their centres along the axis on which those lie farthest apart.
fn split(pieces: &mut [Piece]) -> usize {
    let centre = |piece: &Piece, axis: usize| piece.bounds[axis] - piece.bounds[axis + 4];
    let (mut low, mut high) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    for piece in &*pieces {
        for axis in 0..3 {
            low[axis] = low[axis].min(centre(piece, axis));
            high[axis] = high[axis].max(centre(piece, axis));
        }
    }
    let spread = |axis: &usize| high[*axis] - low[*axis];
    let axis = [0, 1, 2].into_iter().max_by(|a, b| spread(a).total_cmp(&spread(b))).unwrap_or(0);
    let middle = pieces.len() / 2;
    let by = |a: &Piece, b: &Piece| centre(a, axis).total_cmp(&centre(b, axis)).then(a.name.cmp(&b.name));
    pieces.select_nth_unstable_by(middle, by);
    middle
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::broad::tree::aabb_tree::union;

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

    #[test]
    fn siblings_lie_beside_each_other() {
        let mut tree = AabbTree::default();
        tree.build((0..100).map(|k| (k, unit(k as f32))));
        let inner = tree.links.iter().filter(|links| links.height > 0);
        assert!(
            inner.clone().count() == 99 && inner.into_iter().all(|links| links.children[1] == links.children[0] + 1)
        );
    }
}
