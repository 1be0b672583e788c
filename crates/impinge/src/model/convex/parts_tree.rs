//! The tree over convex pieces: a hull at every inner node.
//!
//! Lin §5.2 and Mirtich §3.4 (sub-part hierarchies): the two bodies whose common hull has the least surface beyond
//! their own are joined, until one is left. That needs the hulls of all pairs; more than [`GREEDY`] pieces are
//! therefore first split at the median of their centres.
//!
//! Invariant: a node's hull contains those of its children but for its `slack`, a length. Hulls forget points that lie
//! on them up to rounding; how far such a point is outside is measured: one that is at most `s` times as high above
//! each face as the centre is below it lies in the hull blown up by `1 + s` about its centre, and so within `s·radius`
//! of it.
//!
//! Cost: O(GREEDY·n) hulls of at most 2·[`MOST_CORNERS`] points.

use glam::DVec3;

use super::bounded_hull;
use super::measure::area;
use super::polyhedron::Convex;
use crate::error::BuildError;
use crate::math::EPS;
use crate::threads::share;

/// Largest set of pieces of which all pairs are considered.
const GREEDY: usize = 24;

/// An inner hull with more corners is replaced by a simpler one around it.
const MOST_CORNERS: usize = 128;

/// An inner node.
#[derive(Debug, Clone)]
pub(crate) struct PartsNode {
    pub(crate) body: Convex,
    /// Pieces by their index, inner nodes by theirs plus the number of pieces.
    pub(crate) children: [u32; 2],
    /// How far the pieces below may stand out of the hull.
    pub(crate) slack: f64,
}

/// The inner nodes over pieces, children before parents, the root last; none for a single piece.
pub(crate) fn grow(pieces: &[Convex]) -> Result<Vec<PartsNode>, BuildError> {
    let mut order: Vec<u32> = (0..pieces.len() as u32).collect();
    Ok(branch(pieces, &mut order)?.inner)
}

/// A subtree; its inner nodes are counted from the number of all pieces on.
struct Branch {
    inner: Vec<PartsNode>,
    root: u32,
}

fn branch(pieces: &[Convex], order: &mut [u32]) -> Result<Branch, BuildError> {
    if order.len() <= GREEDY {
        return agglomerate(pieces, order);
    }
    let centre = |i: u32| pieces[i as usize].centre();
    let (low, high) = order
        .iter()
        .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), &i| (low.min(centre(i)), high.max(centre(i))));
    let axis = (high - low).max_position();
    let middle = order.len() / 2;
    order.select_nth_unstable_by(middle, |&i, &j| centre(i)[axis].total_cmp(&centre(j)[axis]).then(i.cmp(&j)));
    let (left, right) = order.split_at_mut(middle);
    let (left, right) = share::join(|| branch(pieces, left), || branch(pieces, right));
    let (mut left, right) = (left?, right?);
    let leaves = pieces.len() as u32;
    let moved = left.inner.len() as u32;
    let renamed = |node: u32| if node < leaves { node } else { node + moved };
    let roots = [left.root, renamed(right.root)];
    left.inner.extend(right.inner.into_iter().map(|n| PartsNode { children: n.children.map(renamed), ..n }));
    left.add(pieces, roots)?;
    Ok(left)
}

impl Branch {
    fn body<'b>(&'b self, pieces: &'b [Convex], node: u32) -> &'b Convex {
        match pieces.get(node as usize) {
            Some(piece) => piece,
            None => &self.inner[node as usize - pieces.len()].body,
        }
    }

    /// Joins two nodes under a new one.
    fn add(&mut self, pieces: &[Convex], children: [u32; 2]) -> Result<(), BuildError> {
        let points = children.map(|c| self.body(pieces, c).vertices()).concat();
        let mut body = Convex::hull(&points)?;
        if body.vertex_count() > MOST_CORNERS {
            body = Convex::hull(&bounded_hull::corners(&points))?;
        }
        let below = children
            .map(|c| if (c as usize) < pieces.len() { 0.0 } else { self.inner[c as usize - pieces.len()].slack });
        let slack = below[0].max(below[1]) + protrusion(&body, &points);
        self.root = (pieces.len() + self.inner.len()) as u32;
        self.inner.push(PartsNode { body, children, slack });
        Ok(())
    }
}

/// Joins the pair that grows least until one node is left.
fn agglomerate(pieces: &[Convex], order: &[u32]) -> Result<Branch, BuildError> {
    let mut tree = Branch { inner: Vec::with_capacity(order.len()), root: order.first().copied().unwrap_or(0) };
    let mut open = order.to_vec();
    open.sort_unstable();
    let mut growths = Vec::new();
    for (k, &i) in open.iter().enumerate() {
        for &j in &open[k + 1..] {
            growths.push((growth(&tree, pieces, [i, j])?, [i, j]));
        }
    }
    while let Some(&(_, [i, j])) = growths.iter().min_by(|x, y| x.0.total_cmp(&y.0)) {
        tree.add(pieces, [i, j])?;
        open.retain(|n| ![i, j].contains(n));
        growths.retain(|(_, pair)| !pair.contains(&i) && !pair.contains(&j));
        for &n in &open {
            growths.push((growth(&tree, pieces, [n, tree.root])?, [n, tree.root]));
        }
        open.push(tree.root);
    }
    Ok(tree)
}

/// Surface of the common hull beyond that of the two.
fn growth(tree: &Branch, pieces: &[Convex], nodes: [u32; 2]) -> Result<f64, BuildError> {
    let [a, b] = nodes.map(|n| tree.body(pieces, n));
    Ok(area(&Convex::hull(&[a.vertices(), b.vertices()].concat())?) - area(a) - area(b))
}

/// Bound on the distance of the points from the hull.
fn protrusion(hull: &Convex, points: &[DVec3]) -> f64 {
    // What a hull may take for flat.
    let thickness = if hull.face_count() < 4 { 256.0 * EPS * (2.0 * hull.radius()) } else { 0.0 };
    let corners: Vec<(DVec3, DVec3)> = (0..hull.face_count() as u32)
        .map(|f| (hull.vertex(hull.tail(hull.face_edges(f)[0])), hull.face(f).normal))
        .collect();
    let outside = |&p: &DVec3| {
        let growth = |&(corner, normal): &(DVec3, DVec3)| {
            let height = normal.dot(p - corner) + 4.0 * EPS * p.distance(corner);
            if height <= 0.0 { 0.0 } else { height / normal.dot(corner - hull.centre()).max(f64::MIN_POSITIVE) }
        };
        let growth = corners.iter().map(growth).fold(0.0, f64::max) * hull.radius();
        if growth == 0.0 {
            return 0.0;
        }
        // No farther than the nearest corner, and a corner not at all.
        hull.vertices().iter().map(|v| v.distance(p)).fold(growth, f64::min)
    };
    thickness + points.iter().map(outside).fold(0.0, f64::max)
}
