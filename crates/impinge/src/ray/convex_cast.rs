//! When a convex body that moves straight first touches a mesh.
//!
//! Each triangle that the box around the body passes is met by a cast of the two convex bodies
//! ([`crate::time::impact::ray_cast`]), in the order in which their boxes are entered
//! ([`crate::tree::descent::line`]). Before, the plane of the triangle is asked: the body's least height over it bounds
//! the contact from below, and a body that moves away from the plane never touches.
//!
//! Invariant: the share found is not greater than the true one. Cost: as a distance query of two convex bodies for each
//! triangle that comes near before the contact.

use glam::DVec3;

use super::mesh_path::MeshPath;
use crate::answer::Stats;
use crate::math::simd::{Kernel, Simd, dispatch};
use crate::math::{EPS, Relative};
use crate::model::round::Core;
use crate::narrow::parts::piece::ConvexPiece;
use crate::narrow::solid::Solid;
use crate::prim::{Support, Triangle};
use crate::time::impact::ray_cast::ray_cast;
use crate::tree::descent::line::{LineQuery, along_line};
use crate::tree::nodes::Leaf;

/// The first contact: how far the body moves from the start of the path, the unit normal towards it, and the point of a
/// triangle.
#[derive(Debug, Clone, Copy)]
pub(super) struct ConvexContact {
    pub(super) lower: f64,
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
    let search = ConvexSearch { path, solid, placed, best: None, limit: path.length, stats };
    dispatch(search)
}

struct ConvexSearch<'a, 'm> {
    path: &'a MeshPath<'m>,
    solid: &'a Solid<'a>,
    placed: &'a Relative,
    best: Option<ConvexContact>,
    limit: f64,
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
        let before = self.limit;
        for place in leaf.places() {
            self.cast(place);
        }
        (self.limit < before).then(|| self.path.in_tree(self.limit))
    }
}

impl ConvexSearch<'_, '_> {
    #[inline(never)]
    fn cast(&mut self, place: u32) {
        self.stats.primitive_tests += 1;
        let t = self.path.mesh.corners(place);
        if self.to_plane(&t).is_none_or(|way| way > self.limit) {
            return;
        }
        let triangle = CastTriangle(t);
        let still = Solid { core: Core::Smooth(&triangle), margin: 0.0 };
        let way = self.path.unit * -self.limit;
        // The triangle moves towards the body instead.
        if let Some(found) = ray_cast([&still, self.solid], self.placed, way, self.stats) {
            let lower = found.share * self.limit;
            if self.best.is_none() || lower < self.limit {
                self.best = Some(ConvexContact { lower, normal: found.normal, point: found.point, place });
                self.limit = lower;
            }
        }
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

/// A triangle by its support.
#[derive(Debug)]
struct CastTriangle(Triangle);

impl Support for CastTriangle {
    fn support(&self, direction: DVec3) -> DVec3 {
        ConvexPiece::Triangle(self.0).farthest(direction).unwrap_or(self.0[0])
    }

    fn centre(&self) -> DVec3 {
        (self.0[0] + self.0[1] + self.0[2]) / 3.0
    }

    fn radius(&self) -> f64 {
        let centre = self.centre();
        self.0.iter().fold(0.0, |most: f64, p| most.max(p.distance(centre)))
    }
}
