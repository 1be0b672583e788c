//! How near two bodies can come at most while one turns about a common axis, or screws along it, however far.
//!
//! The least distance of the two profiles is a lower bound. For a turn, distances in the plane of `(r, z)` are no
//! greater than in space. For a screw with the advance `h`, a height `d·(r, u)` along a unit direction of the plane
//! changes by at most `√(1 + h²/r²)` for each unit of way, so a gap in the plane is divided by that, for the least `r`
//! on the way.
//!
//! Both trees of profiles are walked in tandem, the nearer children first; two nodes that are no nearer than the least
//! gap found are left. A shaft in its bore attains the bound when a corner of it passes the middle of a flat side.
//!
//! Invariant: no point of `a` comes nearer to one of `b` than the answer. Cost: the trees, and about as many pairs of
//! nodes as there are profiles at the least gap; at most [`MOST_PAIRS_PER_TRIANGLE`] for each triangle, then the gap of
//! nodes counts.

use super::common_axis::CommonAxis;
use super::meeting_pieces::in_all_turns;
use super::profile::{AxisFrame, ProfileTriangle};
use super::profile_tree::{ProfileBelow, ProfileTree, common_normals};
use crate::math::Relative;
use crate::narrow::body::BodyKind;

/// The most pairs of nodes opened, for each triangle.
const MOST_PAIRS_PER_TRIANGLE: usize = 32;
/// Gaps that are larger than the least one by no more than this share do not matter: the answer is less by as much.
const SHARE: f64 = 1e-9;

/// A distance that the bodies never come within; 0 where nothing is known. `b_in_a` is the place of `b` at one time of
/// the motion.
pub(crate) fn profile_gap(bodies: [&BodyKind<'_>; 2], axis: &CommonAxis, b_in_a: &Relative) -> f64 {
    let frames = [AxisFrame::new(axis, Relative::IDENTITY, 0.0), AxisFrame::new(axis, *b_in_a, axis.deviation)];
    let (Some(of_a), Some(of_b)) = (frames[0].profile(bodies[0]), frames[1].profile(bodies[1])) else { return 0.0 };
    if of_a.is_empty() || of_b.is_empty() {
        return 0.0;
    }
    let nearest = |of: &[ProfileTriangle]| of.iter().fold(f64::INFINITY, |least, triangle| least.min(triangle.low.x));
    let inner = nearest(&of_a).min(nearest(&of_b));
    let normals = common_normals([&of_a, &of_b]);
    let period = frames[1].period();
    let of_b = if period > 0.0 { in_all_turns(&of_b, period) } else { of_b };
    let trees = [ProfileTree::new(of_a, &normals), ProfileTree::new(of_b, &normals)];
    let left = MOST_PAIRS_PER_TRIANGLE * (trees[0].triangles.len() + trees[1].triangles.len());
    let mut walk = GapWalk { trees: &trees, least: f64::INFINITY, left };
    walk.open(0, 0);
    let gap = walk.least * (1.0 - SHARE);
    if !(gap > 0.0 && gap.is_finite()) {
        return 0.0;
    }
    if period == 0.0 {
        return gap;
    }
    // A way that is no longer than the gap does not come nearer to the axis than this.
    let least_r = inner - gap;
    if least_r > 0.0 { gap / (1.0 + (axis.advance / least_r).powi(2)).sqrt() } else { 0.0 }
}

struct GapWalk<'t> {
    trees: &'t [ProfileTree; 2],
    least: f64,
    left: usize,
}

impl GapWalk<'_> {
    fn gap(&self, a: usize, b: usize) -> f64 {
        self.trees[0].nodes[a].extent.gap(&self.trees[1].nodes[b].extent)
    }

    fn open(&mut self, a: usize, b: usize) {
        let gap = self.gap(a, b);
        if gap >= self.least * (1.0 - SHARE) || self.least <= 0.0 {
            return;
        }
        if self.left == 0 {
            self.least = gap;
            return;
        }
        self.left -= 1;
        let trees = self.trees;
        let nodes = [&trees[0].nodes[a], &trees[1].nodes[b]];
        match (&nodes[0].below, &nodes[1].below) {
            (ProfileBelow::Triangles(ours), ProfileBelow::Triangles(theirs)) => {
                for (_, x) in &trees[0].triangles[ours.clone()] {
                    for (_, y) in &trees[1].triangles[theirs.clone()] {
                        self.least = self.least.min(x.gap(y));
                    }
                }
            }
            (ProfileBelow::Nodes(below), ProfileBelow::Triangles(_)) => self.open_both(below.map(|child| [child, b])),
            (ProfileBelow::Triangles(_), ProfileBelow::Nodes(below)) => self.open_both(below.map(|child| [a, child])),
            (ProfileBelow::Nodes(ours), ProfileBelow::Nodes(theirs)) => {
                if nodes[0].extent.size() >= nodes[1].extent.size() {
                    self.open_both(ours.map(|child| [child, b]));
                } else {
                    self.open_both(theirs.map(|child| [a, child]));
                }
            }
        }
    }

    /// The nearer pair first.
    fn open_both(&mut self, pairs: [[usize; 2]; 2]) {
        let [first, second] = pairs;
        let swap = self.gap(second[0], second[1]) < self.gap(first[0], first[1]);
        for [a, b] in if swap { [second, first] } else { [first, second] } {
            self.open(a, b);
        }
    }
}
