//! Which pieces of two bodies can meet while one turns about a common axis, or screws along it, however far.
//!
//! Both trees of profiles are walked in tandem, and two nodes that are apart are left. Whatever of a pair of leaves is
//! not apart is marked; pairs whose pieces are all marked need not be opened. Bodies of which nothing is marked never
//! meet: a shaft in its bore, a screw in its nut. For others, the search through time looks at marked pieces only.
//!
//! Invariant: a piece that is not marked stays farther than `near` from every piece of the other body. Cost: the trees,
//! and the pairs of nodes whose profiles meet, at most [`MOST_PAIRS_PER_TRIANGLE`] for each triangle; the rest
//! is marked.

use super::common_axis::CommonAxis;
use super::profile::{AxisFrame, ProfileTriangle};
use super::profile_tree::{ProfileBelow, ProfileTree, common_normals};
use crate::math::Relative;
use crate::narrow::body::BodyKind;

/// The most pairs of nodes opened, for each triangle, before all that are left count as meeting.
const MOST_PAIRS_PER_TRIANGLE: usize = 32;

/// Which nodes and pieces of a body can meet the other body.
#[derive(Debug, Clone, Default)]
pub(crate) struct MarkedPieces {
    nodes: Vec<bool>,
    pieces: Vec<bool>,
}

impl MarkedPieces {
    pub(crate) fn has_node(&self, node: u32) -> bool {
        self.nodes.get(node as usize).copied().unwrap_or(false)
    }

    pub(crate) fn has_piece(&self, piece: u32) -> bool {
        self.pieces.get(piece as usize).copied().unwrap_or(false)
    }

    /// Marks the nodes above the marked pieces.
    fn new(body: &BodyKind<'_>, pieces: Vec<bool>) -> MarkedPieces {
        let mut marked = MarkedPieces { nodes: Vec::new(), pieces };
        marked.mark(body, body.root());
        marked
    }

    fn mark(&mut self, body: &BodyKind<'_>, node: u32) -> bool {
        let below = body.children(node);
        let mut any = below.is_empty() && body.pieces(node).any(|piece| self.has_piece(piece));
        for &child in &below {
            any |= self.mark(body, child);
        }
        if any {
            let node = node as usize;
            self.nodes.resize(self.nodes.len().max(node + 1), false);
            self.nodes[node] = true;
        }
        any
    }
}

/// What the profiles of two bodies tell.
#[derive(Debug, Clone)]
pub(crate) enum MeetingPieces {
    /// The bodies never meet.
    None,
    /// Only these may meet.
    Some([MarkedPieces; 2]),
    /// Nothing is known.
    Any,
}

/// The pieces that may come as near as `near` to a piece of the other body at any time. `b_in_a` is the place of `b` at
/// one time of the motion.
pub(crate) fn meeting_pieces(
    bodies: [&BodyKind<'_>; 2],
    axis: &CommonAxis,
    b_in_a: &Relative,
    near: f64,
) -> MeetingPieces {
    let frames = [AxisFrame::new(axis, Relative::IDENTITY, near), AxisFrame::new(axis, *b_in_a, axis.deviation)];
    let (Some(of_a), Some(of_b)) = (frames[0].profile(bodies[0]), frames[1].profile(bodies[1])) else {
        return MeetingPieces::Any;
    };
    let (Some(whole_a), Some(whole_b)) = (ProfileTriangle::whole(&of_a), ProfileTriangle::whole(&of_b)) else {
        return MeetingPieces::None;
    };
    let period = frames[1].period();
    if whole_a.distance(&whole_b, period) > 0.0 {
        return MeetingPieces::None;
    }
    let counts = [&of_a, &of_b].map(|of| of.iter().map(|t| t.piece as usize + 1).max().unwrap_or(0));
    let normals = common_normals([&of_a, &of_b]);
    let of_b = if period > 0.0 { in_all_turns(&of_b, period) } else { of_b };
    let trees = [ProfileTree::new(of_a, &normals), ProfileTree::new(of_b, &normals)];
    let most = MOST_PAIRS_PER_TRIANGLE * (trees[0].triangles.len() + trees[1].triangles.len());
    let mut walk = Walk {
        all: [0, 1].map(|k| vec![false; trees[k].nodes.len()]),
        marked: counts.map(|count| vec![false; count]),
        trees: &trees,
        left: most,
    };
    walk.meet(0, 0);
    let [a, b] = walk.marked;
    if a.contains(&true) || b.contains(&true) {
        MeetingPieces::Some([MarkedPieces::new(bodies[0], a), MarkedPieces::new(bodies[1], b)])
    } else {
        MeetingPieces::None
    }
}

/// The profiles a turn lower and a turn higher, too. The middle of each is within the first turn, and it is less than a
/// turn high, unless it is unbounded.
pub(crate) fn in_all_turns(profile: &[ProfileTriangle], period: f64) -> Vec<ProfileTriangle> {
    [-period, 0.0, period].iter().flat_map(|&by| profile.iter().map(move |triangle| triangle.raised(by))).collect()
}

struct Walk<'t> {
    trees: &'t [ProfileTree; 2],
    /// For each node whether all its pieces are marked.
    all: [Vec<bool>; 2],
    marked: [Vec<bool>; 2],
    /// How many pairs may still be opened.
    left: usize,
}

impl Walk<'_> {
    fn meet(&mut self, a: usize, b: usize) {
        let trees = self.trees;
        let nodes = [&trees[0].nodes[a], &trees[1].nodes[b]];
        if nodes[0].extent.gap(&nodes[1].extent) > 0.0 || self.all[0][a] && self.all[1][b] {
            return;
        }
        if self.left == 0 {
            self.mark_all(0, a);
            self.mark_all(1, b);
            return;
        }
        self.left -= 1;
        match (&nodes[0].below, &nodes[1].below) {
            (ProfileBelow::Triangles(ours), ProfileBelow::Triangles(theirs)) => {
                for i in ours.clone() {
                    for j in theirs.clone() {
                        self.meet_triangles(i, j);
                    }
                }
            }
            (ProfileBelow::Nodes(below), ProfileBelow::Triangles(_)) => {
                below.iter().for_each(|&child| self.meet(child, b));
            }
            (ProfileBelow::Triangles(_), ProfileBelow::Nodes(below)) => {
                below.iter().for_each(|&child| self.meet(a, child));
            }
            (ProfileBelow::Nodes(ours), ProfileBelow::Nodes(theirs)) => {
                if nodes[0].extent.size() >= nodes[1].extent.size() {
                    ours.iter().for_each(|&child| self.meet(child, b));
                } else {
                    theirs.iter().for_each(|&child| self.meet(a, child));
                }
            }
        }
        self.note_marked(0, a);
        self.note_marked(1, b);
    }

    fn meet_triangles(&mut self, i: usize, j: usize) {
        let [(a, extent_a), (b, extent_b)] = [&self.trees[0].triangles[i], &self.trees[1].triangles[j]];
        let pieces = [a.piece as usize, b.piece as usize];
        let known = self.marked[0][pieces[0]] && self.marked[1][pieces[1]];
        if known || extent_a.gap(extent_b) > 0.0 || are_apart([a, b]) {
            return;
        }
        self.marked[0][pieces[0]] = true;
        self.marked[1][pieces[1]] = true;
    }

    fn note_marked(&mut self, k: usize, node: usize) {
        self.all[k][node] = match &self.trees[k].nodes[node].below {
            ProfileBelow::Nodes(below) => below.iter().all(|&child| self.all[k][child]),
            ProfileBelow::Triangles(range) => {
                self.trees[k].triangles[range.clone()].iter().all(|(t, _)| self.marked[k][t.piece as usize])
            }
        };
    }

    fn mark_all(&mut self, k: usize, node: usize) {
        if self.all[k][node] {
            return;
        }
        self.all[k][node] = true;
        match &self.trees[k].nodes[node].below {
            ProfileBelow::Nodes(below) => below.iter().for_each(|&child| self.mark_all(k, child)),
            ProfileBelow::Triangles(range) => {
                for (triangle, _) in &self.trees[k].triangles[range.clone()] {
                    self.marked[k][triangle.piece as usize] = true;
                }
            }
        }
    }
}

/// Whether the normal of an edge of either proves two profiles apart.
fn are_apart(triangles: [&ProfileTriangle; 2]) -> bool {
    triangles.iter().any(|triangle| {
        let [p, q, r] = triangle.corners;
        [q - p, r - q, p - r].iter().any(|edge| {
            let Some(normal) = edge.perp().try_normalize() else { return false };
            let [[a_from, a_to], [b_from, b_to]] = triangles.map(|triangle| triangle.along(normal));
            b_from - a_to > 0.0 || a_from - b_to > 0.0
        })
    })
}
