//! When a ball that moves straight first touches a mesh.
//!
//! The distance of a point that moves straight from a triangle is a convex function of its way: so Newton's step from
//! the left, from the distance and the speed at which it shrinks, never goes beyond the place where the ball touches,
//! and a ball that does not come nearer never touches. Faces take one step, since the distance from a plane is a
//! straight line; edges and corners a few. The triangles are those of the leaves whose boxes, wider by the radius, the
//! centre passes ([`crate::tree::descent::line`]); the plane of a triangle bounds the place from below beforehand.
//!
//! Invariant: the way found is not longer than the true one; each step is shortened by the rounding of its distance.
//! Cost: the leaves before the contact, and some five distances for each of their triangles that comes near.

use glam::DVec3;

use super::mesh_path::MeshPath;
use crate::math::EPS;
use crate::math::simd::{Kernel, Simd, dispatch};
use crate::prim::{Part, Triangle, closest_on};
use crate::tree::descent::line::{LineQuery, along_line};
use crate::tree::nodes::Leaf;

/// The most steps towards one triangle; the way found until then is a bound.
const MOST_STEPS: usize = 48;
/// The most places beyond the contact that are tried for a proof that the ball touches.
const MOST_PROOFS: usize = 8;

/// The first contact of the ball: measured along the path, from where that begins.
#[derive(Debug, Clone, Copy)]
pub(super) struct BallContact {
    /// No contact before this.
    pub(super) lower: f64,
    /// The ball certainly touches here; `None` where rounding leaves that open.
    pub(super) upper: Option<f64>,
    pub(super) place: u32,
    pub(super) part: Part,
    /// The point of the triangle, from the start of the path.
    pub(super) point: DVec3,
    /// The unit vector from there to the centre of the ball.
    pub(super) normal: DVec3,
}

/// The first contact on the path of a ball's centre.
pub(super) fn ball_on_mesh(path: &MeshPath<'_>, radius: f64) -> Option<BallContact> {
    let search = BallSearch { path, radius, best: None, limit: path.length };
    let BallSearch { best, .. } = dispatch(search);
    let (lower, place) = best?;
    let ball = Ball { path, radius };
    let t = path.corners(place);
    let (point, part, gap) = ball.gap(&t, lower);
    let from = path.unit * lower - point;
    let normal = if gap.distance > 0.0 { from / gap.distance } else { -path.unit };
    Some(BallContact { lower, upper: ball.proof(&t, lower), place, part, point, normal })
}

struct BallSearch<'a, 'm> {
    path: &'a MeshPath<'m>,
    radius: f64,
    /// The way, and the triangle.
    best: Option<(f64, u32)>,
    limit: f64,
}

impl Kernel for BallSearch<'_, '_> {
    type Output = Self;

    #[inline(always)]
    fn run<S: Simd>(mut self) -> Self {
        let path = self.path;
        along_line::<S>(path.mesh.tree(), &path.in_tree, path.in_tree(path.length), &mut self);
        self
    }
}

impl LineQuery for BallSearch<'_, '_> {
    #[inline(always)]
    fn leaf<S: Simd>(&mut self, leaf: Leaf) -> Option<f64> {
        let before = self.limit;
        for place in leaf.places() {
            self.measure(place);
        }
        (self.limit < before).then(|| self.path.in_tree(self.limit))
    }
}

impl BallSearch<'_, '_> {
    #[inline(never)]
    fn measure(&mut self, place: u32) {
        let (path, t) = (self.path, self.path.corners(place));
        let ball = Ball { path, radius: self.radius };
        let Some(way) = ball.first_touch(&t, self.limit) else { return };
        let is_first = |(best, at): (f64, u32)| way < best || way == best && path.mesh.id(place) < path.mesh.id(at);
        if self.best.is_none_or(is_first) {
            (self.best, self.limit) = (Some((way, place)), way);
        }
    }
}

struct Ball<'a, 'm> {
    path: &'a MeshPath<'m>,
    radius: f64,
}

/// A distance, and how far it may be off.
struct PathGap {
    distance: f64,
    noise: f64,
}

impl Ball<'_, '_> {
    /// How far the centre is from a triangle, with the nearest point.
    #[inline]
    fn gap(&self, t: &Triangle, way: f64) -> (DVec3, Part, PathGap) {
        let centre = self.path.unit * way;
        let (point, part) = closest_on(t, centre, self.path.scale);
        let from = (centre - point) * self.path.scale;
        let reach = |p: &DVec3| p.abs().max_element();
        let size = t.iter().map(reach).fold(reach(&centre), f64::max);
        let noise = 16.0 * EPS * (size + self.radius) + self.path.off;
        (point, part, PathGap { distance: from.length() / self.path.scale, noise })
    }

    /// A bound from below on the way to the first contact, as near as rounding lets it; `None` where there is none
    /// before the limit.
    fn first_touch(&self, t: &Triangle, limit: f64) -> Option<f64> {
        let mut way = self.to_plane(t)?;
        for _ in 0..MOST_STEPS {
            if way > limit {
                return None;
            }
            let (point, _, PathGap { distance, noise }) = self.gap(t, way);
            let left = distance - self.radius;
            if left <= 2.0 * noise {
                return Some(way);
            }
            let approach = (point - self.path.unit * way).dot(self.path.unit) / distance;
            if approach <= -8.0 * EPS {
                return None;
            }
            let step = (left - noise) / (approach + 8.0 * EPS);
            let next = (way + step) * (1.0 - 2.0 * EPS);
            if next <= way {
                return Some(way);
            }
            way = next;
        }
        Some(way)
    }

    /// A bound from below on the way to the plane of the triangle; `None` where the ball moves away from it.
    fn to_plane(&self, [a, b, c]: &Triangle) -> Option<f64> {
        let (u, v) = (*b - *a, *c - *a);
        let normal = u.cross(v);
        let grain = 16.0 * EPS * (u.abs().max_element() * v.abs().max_element());
        let (height, speed) = (-normal.dot(*a), normal.dot(self.path.unit));
        let reach = a.abs().max_element() + self.radius + self.path.off;
        let left = height.abs() - self.radius * normal.length() - 4.0 * grain * reach - self.path.off * normal.length();
        // Also where something is not finite: the distance decides.
        if left <= 0.0 || left.is_nan() {
            return Some(0.0);
        }
        let approach = -speed * height.signum() + 4.0 * grain;
        (approach > 0.0).then(|| left / approach * (1.0 - 8.0 * EPS))
    }

    /// A place soon after the contact where the ball certainly touches the triangle.
    fn proof(&self, t: &Triangle, lower: f64) -> Option<f64> {
        let touches = |way: f64| {
            let PathGap { distance, noise } = self.gap(t, way).2;
            distance + noise <= self.radius
        };
        if lower <= 0.0 && touches(0.0) {
            return Some(0.0);
        }
        let mut more = 4.0 * self.gap(t, lower).2.noise;
        for _ in 0..MOST_PROOFS {
            let way = lower + more;
            if way > self.path.length {
                return None;
            }
            if touches(way) {
                return Some(way);
            }
            more *= 4.0;
        }
        None
    }
}
