//! Oriented boxes for the slots of a wide tree: the volumes by which distance queries, and long searches for contacts,
//! drop pairs of nodes.
//!
//! An axis-aligned box around a slanted patch of surface is as thick as the patch is wide; an oriented one is as thick
//! as the patch bulges, which shrinks with the square of the width (Lin §5.2; S. Gottschalk, M. Lin, D. Manocha,
//! *OBBTree*, SIGGRAPH 1996). For distance, where every pair nearer than the answer has to be opened, the thin boxes
//! repay their price many times over: measured, a third of the volume tests and a tenth of the triangle tests. For
//! overlap they do so in close quarters (`grazing.rs`).
//!
//! The axes are the principal axes of the triangles, weighted by area, as in the OBBTree; the box of the node is kept
//! where it is the smaller one. The boxes lie in an array of their own beside the nodes and are fitted by the first
//! distance query.
//!
//! Cost of the fit: the moments of parts are those of their own parts put together; every triangle is projected once a
//! level, the three axes in one vector. Somewhat more than building the tree, and shared out between all cores.

use std::ops::Range;

use glam::DVec3;

use super::nodes::{Leaf, NOWHERE, Tree, TreeNode, WIDTH};
use crate::bound::{Moments, round_up};
use crate::math::principal_axes;
use crate::math::simd::{F64x4, Kernel, Simd, Vector, axes, dispatch};
use crate::prim::Triangle;
use crate::threads::share;

/// The oriented boxes of a node's eight children, `[axis][child]`, in the tree's units. The third axis is the cross
/// product of the two stored.
#[derive(Debug, Clone)]
#[repr(C, align(32))]
pub(crate) struct Oriented {
    pub(super) centre: [[f32; WIDTH]; 3],
    pub(super) axes: [[[f32; WIDTH]; 3]; 2],
    pub(super) half: [[f32; WIDTH]; 3],
}

/// One of the oriented boxes, in `f64`.
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
        half: [[NOWHERE; WIDTH]; 3],
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
    let (moments, ranges) = (moments(&tree.nodes, local), ranges(&tree.nodes));
    let fit_node = |n: usize| dispatch(FitNode { node: &tree.nodes[n], moments: &moments[n], ranges: &ranges, local });
    share::map(tree.nodes.len(), 16, fit_node)
}

/// The moments of what is in each slot: of leaves side by side, of nodes then from the last to the first.
fn moments(nodes: &[TreeNode], local: impl Fn(u32) -> Triangle + Sync) -> Vec<[Moments; WIDTH]> {
    let leaf = |leaf: Leaf| leaf.places().map(|place| Moments::of(&local(place))).sum();
    let of_leaves = |node: &TreeNode| {
        std::array::from_fn(|k| match node.child[k].as_leaf().filter(|_| node.half[0][k] != NOWHERE) {
            Some(run) => leaf(run),
            None => Moments::NONE,
        })
    };
    let mut moments = share::map(nodes.len(), 64, |n| of_leaves(&nodes[n]));
    for n in (0..nodes.len()).rev() {
        for k in 0..WIDTH {
            if nodes[n].half[0][k] == NOWHERE || nodes[n].child[k].as_leaf().is_some() {
                continue;
            }
            moments[n][k] = moments[nodes[n].child[k].index()].iter().copied().sum();
        }
    }
    moments
}

/// The run of triangles below each node. Children come after their parents, and a subtree's leaves lie together.
pub(crate) fn ranges(nodes: &[TreeNode]) -> Vec<Range<u32>> {
    let mut ranges: Vec<Option<Range<u32>>> = vec![None; nodes.len()];
    for n in (0..nodes.len()).rev() {
        for k in 0..WIDTH {
            if nodes[n].half[0][k] == NOWHERE {
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

/// The boxes of one node's slots.
struct FitNode<'t, L> {
    node: &'t TreeNode,
    moments: &'t [Moments; WIDTH],
    ranges: &'t [Range<u32>],
    local: L,
}

impl<L: Fn(u32) -> Triangle> Kernel for FitNode<'_, L> {
    type Output = Oriented;

    #[inline(always)]
    fn run<S: Simd>(self) -> Oriented {
        let FitNode { node, moments, ranges, local } = self;
        let mut out = Oriented::EMPTY;
        for k in (0..WIDTH).filter(|&k| node.half[0][k] != NOWHERE) {
            let range = match node.child[k].as_leaf() {
                Some(leaf) => leaf.places(),
                None => ranges[node.child[k].index()].clone(),
            };
            // What is stored is rounded to `f32`; extents are measured along what is stored.
            let axes = principal_axes(moments[k].covariance());
            let stored = [axes.x_axis, axes.y_axis].map(|x| x.to_array().map(|c| c as f32));
            let [low, high] = extents::<S>(&stored, range.map(&local));
            let area = |[x, y, z]: [f64; 3]| x * y + y * z + z * x;
            let plain = node.slot(k);
            if area((high - low).to_array()) < area(plain.half.map(|x| 2.0 * f64::from(x))) {
                write(&mut out, k, &stored, low, high);
            } else {
                for i in 0..3 {
                    out.centre[i][k] = plain.centre[i];
                    out.half[i][k] = plain.half[i];
                }
            }
        }
        out
    }
}

/// Writes the box with these extents along the axes.
fn write(out: &mut Oriented, k: usize, axes: &[[f32; 3]; 2], low: DVec3, high: DVec3) {
    let rows = rows(axes);
    let middle = (low + high) * 0.5;
    let centre = (rows[0] * middle.x + rows[1] * middle.y + rows[2] * middle.z).to_array().map(|c| c as f32);
    let at = DVec3::from_array(centre.map(f64::from));
    for i in 0..3 {
        out.centre[i][k] = centre[i];
        // A little more than the distance from the rounded centre to the farther face, for the rounding of projections.
        let half = (high[i] - rows[i].dot(at)).max(rows[i].dot(at) - low[i]) + 1e-14;
        out.half[i][k] = round_up(half);
        for (axis, stored) in out.axes.iter_mut().zip(axes) {
            axis[i][k] = stored[i];
        }
    }
}

fn rows(stored: &[[f32; 3]; 2]) -> [DVec3; 3] {
    let [x, y] = stored.map(|row| DVec3::from_array(row.map(f64::from)));
    [x, y, x.cross(y)]
}

/// Least and greatest projections on the three axes, which are in lanes.
#[inline(always)]
fn extents<S: Simd>(stored: &[[f32; 3]; 2], triangles: impl Iterator<Item = Triangle>) -> [DVec3; 2] {
    let [x, y, z] = rows(stored);
    let column = |i: usize| S::F64x4::load(&[x[i], y[i], z[i], 0.0]);
    let columns = axes!(i => column(i));
    let mut low = S::F64x4::splat(f64::INFINITY);
    let mut high = S::F64x4::splat(f64::NEG_INFINITY);
    for v in triangles.flatten() {
        let along = axes!(i => columns[i].mul(S::F64x4::splat(v[i])));
        let p = along[0].add(along[1]).add(along[2]);
        (low, high) = (low.min(p), high.max(p));
    }
    [low, high].map(|lanes| DVec3::from_slice(&lanes.array()))
}
