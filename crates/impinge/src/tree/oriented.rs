//! Oriented boxes for the slots of a wide tree: what the distance queries prune with.
//!
//! An axis-aligned box around a slanted patch of surface is as thick as the patch is wide; an oriented one is as thick
//! as the patch bulges, which shrinks with the square of the width (Lin §5.2; S. Gottschalk, M. Lin, D. Manocha,
//! *OBBTree*, SIGGRAPH 1996). For overlap the thin boxes do not repay their price; for distance, where every pair
//! nearer than the answer has to be opened, they do many times over: measured, a third of the volume tests and a tenth
//! of the triangle tests.
//!
//! The axes are the principal axes of the triangles, weighted by area, as in the OBBTree; the axes of the body's frame
//! are kept where they give the smaller box. The boxes lie in an array of their own beside the nodes and are fitted
//! when the first distance is asked for.

use std::ops::Range;

use glam::{DMat3, DVec3};
use rayon::prelude::*;

use super::{Node, Tree, WIDTH};
use crate::bound::{covariance, round_up};
use crate::math::principal_axes;
use crate::prim::Triangle;

/// The oriented boxes of a node's eight children, `[axis][child]`, in the tree's units. The third axis is the cross
/// product of the two stored.
#[derive(Debug, Clone)]
#[repr(C, align(32))]
pub(crate) struct Oriented {
    pub(super) centre: [[f32; WIDTH]; 3],
    pub(super) axes: [[[f32; WIDTH]; 3]; 2],
    pub(super) half: [[f32; WIDTH]; 3],
}

/// One of them, in `f64`.
#[derive(Debug, Clone, Copy)]
pub(super) struct OrientedBox {
    pub(super) centre: DVec3,
    /// Rows of unit length, up to the rounding of `f32`.
    pub(super) axes: [DVec3; 3],
    pub(super) half: DVec3,
}

impl Oriented {
    const EMPTY: Oriented = Oriented {
        centre: [[0.0; WIDTH]; 3],
        axes: [[[1.0; WIDTH], [0.0; WIDTH], [0.0; WIDTH]], [[0.0; WIDTH], [1.0; WIDTH], [0.0; WIDTH]]],
        half: [[super::NOWHERE; WIDTH]; 3],
    };

    /// The middle of box `k`, its axes, of unit length up to the rounding of `f32`, and half its extents; in the tree's
    /// units.
    #[inline(always)]
    pub(crate) fn unit_axes(&self, k: usize) -> (DVec3, [DVec3; 3], DVec3) {
        let b = self.slot(k);
        (b.centre, b.axes, b.half)
    }

    #[inline(always)]
    pub(super) fn slot(&self, k: usize) -> OrientedBox {
        let [x, y] = [&self.axes[0], &self.axes[1]].map(|m| wide(m, k));
        OrientedBox { centre: wide(&self.centre, k), axes: [x, y, x.cross(y)], half: wide(&self.half, k) }
    }
}

#[inline(always)]
fn wide(m: &[[f32; WIDTH]; 3], k: usize) -> DVec3 {
    DVec3::new(f64::from(m[0][k]), f64::from(m[1][k]), f64::from(m[2][k]))
}

/// Fits a box to every slot of the tree; `triangle` gives the corners at a place in leaf order.
pub(crate) fn fit(tree: &Tree, triangle: impl Fn(u32) -> Triangle + Sync) -> Vec<Oriented> {
    let scale = tree.unit.recip();
    let local = |place: u32| triangle(place).map(|x| (x - tree.centre) * scale);
    let ranges = ranges(&tree.nodes);
    tree.nodes
        .par_iter()
        .with_min_len(16)
        .map(|node| {
            let mut out = Oriented::EMPTY;
            for k in 0..WIDTH {
                if node.half[0][k] == super::NOWHERE {
                    continue;
                }
                let range = match node.child[k].as_leaf() {
                    Some(leaf) => leaf.first..leaf.first + leaf.count,
                    None => ranges[node.child[k].index()].clone(),
                };
                write(&mut out, k, range.clone().map(local), || range.clone().map(local));
            }
            out
        })
        .collect()
}

/// The run of triangles below each node. Children come after their parents, and a subtree's leaves lie together.
pub(super) fn ranges(nodes: &[Node]) -> Vec<Range<u32>> {
    let mut ranges: Vec<Option<Range<u32>>> = vec![None; nodes.len()];
    for n in (0..nodes.len()).rev() {
        for k in 0..WIDTH {
            if nodes[n].half[0][k] == super::NOWHERE {
                continue;
            }
            let below = match nodes[n].child[k].as_leaf() {
                Some(leaf) => leaf.first..leaf.first + leaf.count,
                None => ranges[nodes[n].child[k].index()].clone().unwrap_or(0..0),
            };
            ranges[n] = Some(match &ranges[n] {
                Some(so_far) => so_far.start.min(below.start)..so_far.end.max(below.end),
                None => below,
            });
        }
    }
    ranges.into_iter().map(|range| range.unwrap_or(0..0)).collect()
}

fn write<I: Iterator<Item = Triangle>>(out: &mut Oriented, k: usize, once: I, again: impl Fn() -> I) {
    // What is stored is rounded to `f32`; extents are measured along what is stored.
    let axes = [principal_axes(covariance(once)), DMat3::IDENTITY]
        .map(|m| [m.x_axis, m.y_axis].map(|x| x.to_array().map(|c| c as f32)))
        .map(|stored| (stored, extents(&stored, again())));
    let area = |h: DVec3| h.x * h.y + h.y * h.z + h.z * h.x;
    let [(fitted, a), (plain, b)] = axes;
    let (axes, [low, high]) = if area(a[1] - a[0]) < area(b[1] - b[0]) { (fitted, a) } else { (plain, b) };
    let rows = rows(&axes);
    let middle = (low + high) * 0.5;
    let centre = (rows[0] * middle.x + rows[1] * middle.y + rows[2] * middle.z).to_array().map(|c| c as f32);
    let at = DVec3::from_array(centre.map(f64::from));
    for i in 0..3 {
        out.centre[i][k] = centre[i];
        // A little more than the distance from the rounded centre to the farther face, for the rounding of projections.
        let half = (high[i] - rows[i].dot(at)).max(rows[i].dot(at) - low[i]) + 1e-14;
        out.half[i][k] = round_up(half);
        for (axis, stored) in out.axes.iter_mut().zip(&axes) {
            axis[i][k] = stored[i];
        }
    }
}

fn rows(stored: &[[f32; 3]; 2]) -> [DVec3; 3] {
    let [x, y] = stored.map(|row| DVec3::from_array(row.map(f64::from)));
    [x, y, x.cross(y)]
}

/// Least and greatest projections on the three axes.
fn extents(stored: &[[f32; 3]; 2], triangles: impl Iterator<Item = Triangle>) -> [DVec3; 2] {
    let [x, y, z] = rows(stored);
    triangles.flatten().fold([DVec3::INFINITY, DVec3::NEG_INFINITY], |[low, high], v| {
        let p = DVec3::new(x.dot(v), y.dot(v), z.dot(v));
        [low.min(p), high.max(p)]
    })
}
