//! When a convex body that moves straight first touches a mesh.
//!
//! Each triangle that the box around the body passes is met by a cast of the two convex bodies
//! ([`crate::time::impact::ray_cast::triangle_cast`]), in the order in which their boxes are entered
//! ([`crate::tree::descent::line`]). Before, the plane of the triangle is asked: the body's least height over it bounds
//! the contact from below, and a body that moves away from the plane never touches. A plane that parted one triangle
//! from the body, or the first contact so far, mostly parts those beside it, too: a few such planes are kept and leave
//! out triangles and boxes of the tree.
//!
//! Invariant: the share found is not greater than the true one. Cost: as a distance query of two convex bodies for each
//! triangle that comes near before the contact.

use glam::DVec3;

use super::mesh_path::MeshPath;
use crate::answer::Stats;
use crate::math::simd::{F32x8, Kernel, Simd, Vector, axes, dispatch};
use crate::math::{EPS, Relative};
use crate::narrow::mesh::placed::gjk_shapes::Corners;
use crate::narrow::parts::piece::ConvexPiece;
use crate::narrow::solid::Solid;
use crate::prim::Triangle;
use crate::time::impact::ray_cast::triangle_cast;
use crate::tree::descent::line::{LineQuery, along_line};
use crate::tree::nodes::{Leaf, TreeNode};

/// The number of planes kept: triangles beside each other are mostly parted from the body by the same ones.
const PLANES: usize = 4;

/// How far planes are lowered, in units of the tree, for rounding: boxes are within 1, so their heights are off by less
/// than 2⁻¹⁸.
const IN_TREE: f64 = 1.0 / 131_072.0;

/// The first contact: how far the body moves from the start of the path, the unit normal towards it, and the point of a
/// triangle.
#[derive(Debug, Clone, Copy)]
pub(super) struct ConvexContact {
    pub(super) lower: f64,
    /// They certainly touch after so much, if that is known.
    pub(super) upper: Option<f64>,
    pub(super) normal: DVec3,
    pub(super) point: DVec3,
    pub(super) place: u32,
}

/// The first contact with a mesh of a body that stands at `placed` when the path begins.
pub(super) fn convex_on_mesh(
    path: &MeshPath<'_>,
    solid: &Solid<'_>,
    placed: &Relative,
    stats: &mut Stats,
) -> Option<ConvexContact> {
    let search = ConvexSearch {
        path,
        solid,
        placed,
        best: None,
        limit: path.length,
        planes: [PartingPlane::NONE; PLANES],
        planes_seen: 0,
        low_planes: [LowPlane::NONE; PLANES],
        stats,
    };
    dispatch(search)
}

/// A plane across a direction, under the body.
#[derive(Debug, Clone, Copy)]
struct PartingPlane {
    normal: DVec3,
    /// The least height of the body when the path begins, and how fast it falls, if it does.
    height: f64,
    fall: f64,
}

/// The same where the body is at the limit, in units of the tree.
#[derive(Debug, Clone, Copy)]
struct LowPlane {
    normal: [f32; 3],
    height: f32,
}

impl LowPlane {
    const NONE: LowPlane = LowPlane { normal: [0.0; 3], height: f32::NEG_INFINITY };
}

impl PartingPlane {
    const NONE: PartingPlane = PartingPlane { normal: DVec3::ZERO, height: f64::NEG_INFINITY, fall: 0.0 };

    /// Whether the triangle is under the body until that has moved on so far.
    #[inline]
    fn parts(&self, [p, q, r]: &Triangle, way: f64) -> bool {
        let most = self.normal.dot(*p).max(self.normal.dot(*q)).max(self.normal.dot(*r));
        most < self.height + self.fall * way
    }
}

struct ConvexSearch<'a, 'm> {
    path: &'a MeshPath<'m>,
    solid: &'a Solid<'a>,
    placed: &'a Relative,
    best: Option<ConvexContact>,
    limit: f64,
    /// Planes that parted the body from triangles lately, and how many there have been.
    planes: [PartingPlane; PLANES],
    planes_seen: usize,
    low_planes: [LowPlane; PLANES],
    stats: &'a mut Stats,
}

impl Kernel for ConvexSearch<'_, '_> {
    type Output = Option<ConvexContact>;

    #[inline(always)]
    fn run<S: Simd>(mut self) -> Option<ConvexContact> {
        let path = self.path;
        along_line::<S>(path.mesh.tree(), &path.in_tree, path.in_tree(path.length), &mut self);
        self.best
    }
}

impl LineQuery for ConvexSearch<'_, '_> {
    #[inline(always)]
    fn leaf<S: Simd>(&mut self, leaf: Leaf) -> Option<f64> {
        let (before, planes) = (self.limit, self.planes_seen);
        for place in leaf.places() {
            self.cast(place);
        }
        if self.planes_seen != planes {
            self.lower_planes();
        }
        (self.limit < before).then(|| self.path.in_tree(self.limit))
    }

    /// Those that are under the body until it has come to the limit.
    #[inline(always)]
    fn left_out<S: Simd>(&self, node: &TreeNode) -> u32 {
        let mut under = 0;
        for LowPlane { normal, height } in &self.low_planes {
            let middle = axes!(i => S::F32x8::load(&node.centre[i]).mul(S::F32x8::splat(normal[i])));
            let half = axes!(i => S::F32x8::load(&node.half[i]).mul(S::F32x8::splat(normal[i].abs())));
            let top = axes!(i => middle[i].add(half[i]));
            under |= top[0].add(top[1]).add(top[2]).le(S::F32x8::splat(*height));
        }
        under
    }
}

impl ConvexSearch<'_, '_> {
    /// Puts the planes to where the body is at the limit.
    fn lower_planes(&mut self) {
        let tree = self.path.mesh.tree();
        for (low, plane) in self.low_planes.iter_mut().zip(&self.planes) {
            let height = plane.height + plane.fall * self.limit - plane.normal.dot(tree.centre);
            *low =
                LowPlane { normal: plane.normal.as_vec3().to_array(), height: (height / tree.unit - IN_TREE) as f32 };
        }
    }

    #[inline(never)]
    fn cast(&mut self, place: u32) {
        self.stats.primitive_tests += 1;
        let t = self.path.mesh.corners(place);
        let limit = self.limit;
        if self.planes.iter().any(|plane| plane.parts(&t, limit)) {
            return;
        }
        if self.to_plane(&t).is_none_or(|way| way > self.limit) {
            return;
        }
        let way = self.path.unit * -self.limit;
        // The triangle moves towards the body instead.
        match triangle_cast(&Corners(t), self.solid, self.placed, way, self.stats) {
            Ok(found) => {
                let lower = found.share * self.limit;
                if self.best.is_none() || lower < self.limit {
                    let upper = found.upper.map(|upper| upper * self.limit);
                    self.best = Some(ConvexContact { lower, upper, normal: found.normal, point: found.point, place });
                    self.limit = lower;
                    self.remember(found.normal);
                }
            }
            Err(normal) => self.remember(normal),
        }
    }

    /// Keeps the plane across a direction for the triangles to come.
    fn remember(&mut self, normal: DVec3) {
        let back = self.placed.rotation.transpose() * -normal;
        let Some(lowest) = ConvexPiece::Solid(*self.solid).farthest(back) else { return };
        let lowest = self.placed.apply(lowest);
        let reach = lowest.abs().max_element() + self.placed.translation.abs().max_element() + self.path.length;
        let grain = 64.0 * EPS * (reach + self.path.mesh.bounds.reach() + self.solid.margin);
        let height = normal.dot(lowest) - self.solid.margin - grain;
        // A zero vector gives a plane that parts nothing.
        self.planes[self.planes_seen % PLANES] =
            PartingPlane { normal, height, fall: normal.dot(self.path.unit).min(0.0) };
        self.planes_seen += 1;
    }

    /// A bound from below on the way to the plane of the triangle; `None` where the body moves away from it.
    fn to_plane(&self, [a, b, c]: &Triangle) -> Option<f64> {
        let (u, v) = (*b - *a, *c - *a);
        let (normal, length) = (u.cross(v), u.length() * v.length());
        let middle = self.placed.translation - *a;
        let side = if normal.dot(middle) < 0.0 { -normal } else { normal };
        let back = self.placed.rotation.transpose() * -side;
        let piece = ConvexPiece::Solid(*self.solid);
        let Some(lowest) = piece.farthest(back) else { return Some(0.0) };
        let from = self.placed.apply(lowest) - *a;
        let reach = from.abs().max_element() + a.abs().max_element() + self.placed.translation.abs().max_element();
        let grain = 64.0 * EPS * length * reach;
        let height = side.dot(from) - self.solid.margin * side.length() - grain;
        // Also where something is not finite: the cast decides.
        if height <= 0.0 || height.is_nan() {
            return Some(0.0);
        }
        let approach = -side.dot(self.path.unit) + 64.0 * EPS * length;
        (approach > 0.0).then(|| height / approach * (1.0 - 8.0 * EPS))
    }
}
