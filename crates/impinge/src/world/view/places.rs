//! Regions of space, and whether a body touches one.

use std::sync::OnceLock;

use glam::DVec3;

use super::box_gap::BoxGap;
use crate::bound::Aabb;
use crate::math::Pose;
use crate::math::simd::{F32x8, Simd, Vector, axes};
use crate::model::round::Core;
use crate::model::{Convex, Model, Round};
use crate::pair;
use crate::tree::nodes::{Tree, TreeNode};
use crate::world::body::Body;

/// Where a box is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BoxSide {
    Within,
    Across,
    Beyond,
}

/// A region of space.
pub(super) trait Region {
    fn side(&self, b: &Aabb) -> BoxSide;

    /// A tree comes next.
    fn enter(&mut self, tree: &Tree);

    /// Which boxes of a node may touch the region.
    fn meets<S: Simd>(&self, node: &TreeNode) -> u32;

    /// Whether a body across the border touches the region.
    fn touches(&self, body: &Body) -> bool;
}

/// A box. Its hull is made when the first body is asked about.
pub(super) struct BoxRegion {
    bounds: Aabb,
    /// A box around all bodies with bounds, and some more.
    world: Aabb,
    hull: OnceLock<Option<Model>>,
    gap: BoxGap,
}

impl BoxRegion {
    /// `None` for a box without points.
    pub(super) fn new(bounds: &Aabb, world: &Aabb) -> Option<BoxRegion> {
        if bounds.is_empty() {
            return None;
        }
        let extent = (world.max - world.min).max(DVec3::ONE);
        let wide = if world.is_empty() { *world } else { Aabb::new(world.min - extent, world.max + extent) };
        Some(BoxRegion { bounds: *bounds, world: wide, hull: OnceLock::new(), gap: BoxGap::NONE })
    }

    /// The hull of the box as far as it lies near the bodies: its ends may be infinite.
    fn hull(&self) -> Option<Model> {
        let low = self.bounds.min.max(self.world.min).to_array();
        let high = self.bounds.max.min(self.world.max).to_array();
        let ends = [low, high];
        let corner = |k: usize| DVec3::new(ends[k & 1][0], ends[k >> 1 & 1][1], ends[k >> 2][2]);
        let corners: Vec<DVec3> = (0..8).map(corner).collect();
        Convex::hull(&corners).ok().map(Model::from)
    }

    /// Whether the box has a point in a half-space: its lowest corner is one. A face at infinity does not count along
    /// an axis on which the half-space does not rise.
    fn reaches(&self, normal: DVec3, offset: f64) -> bool {
        let lowest = |k: usize| match normal[k] {
            0.0 => 0.0,
            n if n > 0.0 => n * self.bounds.min[k],
            n => n * self.bounds.max[k],
        };
        lowest(0) + lowest(1) + lowest(2) <= offset
    }
}

impl Region for BoxRegion {
    fn side(&self, b: &Aabb) -> BoxSide {
        match (self.bounds.meets(b), self.bounds.contains(b)) {
            (false, _) => BoxSide::Beyond,
            (true, true) => BoxSide::Within,
            (true, false) => BoxSide::Across,
        }
    }

    fn enter(&mut self, tree: &Tree) {
        self.gap = BoxGap::new(tree, &self.bounds);
    }

    #[inline(always)]
    fn meets<S: Simd>(&self, node: &TreeNode) -> u32 {
        self.gap.meets::<S>(node).1
    }

    fn touches(&self, Body { model, pose, .. }: &Body) -> bool {
        if let Model::Round(round) = model
            && let Core::HalfSpace { normal, offset } = round.core()
        {
            let normal = pose.rotate(normal);
            return self.reaches(normal, offset + round.margin() + normal.dot(pose.translation()));
        }
        // Where there is no such hull the box has a side beyond all bodies, and their boxes decide.
        let hull = self.hull.get_or_init(|| self.hull());
        hull.as_ref().is_none_or(|hull| pair::overlap(hull, &Pose::IDENTITY, model, pose).overlap)
    }
}

/// What several half-spaces have in common.
pub(super) struct Planes {
    planes: Vec<Plane>,
}

struct Plane {
    normal: DVec3,
    offset: f64,
    model: Model,
    /// The offset in the units of a tree.
    offset_in_tree: f32,
}

impl Planes {
    /// `None` where one of them has no points. Those that have all points are left out.
    pub(super) fn new(half_spaces: &[(DVec3, f64)]) -> Option<Planes> {
        let mut planes = Vec::new();
        for &(normal, offset) in half_spaces {
            let largest = normal.abs().max_element();
            if !normal.is_finite() || offset.is_nan() || offset == f64::NEG_INFINITY || largest == 0.0 && offset < 0.0 {
                return None;
            }
            if largest == 0.0 || offset == f64::INFINITY {
                continue;
            }
            match Round::half_space(normal, offset) {
                Ok(round) => {
                    let length = (normal / largest).length();
                    let (unit, offset) = (normal / largest / length, offset / largest / length);
                    let model = Model::from(round);
                    planes.push(Plane { normal: unit, offset, model, offset_in_tree: 0.0 });
                }
                // Beyond the supported scale: all bodies are on one side.
                Err(_) if offset < 0.0 => return None,
                Err(_) => {}
            }
        }
        Some(Planes { planes })
    }
}

impl Plane {
    fn enter(&mut self, tree: &Tree) {
        let per_unit = tree.unit.recip();
        let size = tree.centre.abs().element_sum() + self.offset.abs();
        // Boxes lie within ±1: products and sums of `f32` are off by less than the second number.
        let slack = 8.0 * f64::EPSILON * size * per_unit + 1.0 / 65_536.0;
        self.offset_in_tree = ((self.offset - self.normal.dot(tree.centre)) * per_unit + slack) as f32;
    }

    /// Which boxes of a node may reach down to the plane.
    #[inline(always)]
    fn meets<S: Simd>(&self, node: &TreeNode) -> u32 {
        let lowest = axes!(i => {
            let normal = S::F32x8::splat(self.normal[i] as f32);
            // An empty slot has a half extent of −∞, which no normal may turn into NaN.
            let size = S::F32x8::load(&node.half[i]).mul(normal.abs().max(S::F32x8::splat(1e-30)));
            S::F32x8::load(&node.centre[i]).mul(normal).sub(size)
        });
        lowest[0].add(lowest[1]).add(lowest[2]).le(S::F32x8::splat(self.offset_in_tree.min(f32::MAX)))
    }

    /// The least and the greatest height of a box above the plane, less or more than rounding.
    fn heights(&self, b: &Aabb) -> [f64; 2] {
        let (low, high) = (self.normal * b.min, self.normal * b.max);
        let (least, greatest) = (low.min(high), low.max(high));
        let size = self.offset.abs() + low.abs().max(high.abs()).element_sum();
        let slack = 8.0 * f64::EPSILON * size;
        [least.element_sum() - self.offset - slack, greatest.element_sum() - self.offset + slack]
    }
}

impl Region for Planes {
    fn side(&self, b: &Aabb) -> BoxSide {
        let mut side = BoxSide::Within;
        for plane in &self.planes {
            let [low, high] = plane.heights(b);
            if low > 0.0 {
                return BoxSide::Beyond;
            }
            if high > 0.0 {
                side = BoxSide::Across;
            }
        }
        side
    }

    fn enter(&mut self, tree: &Tree) {
        self.planes.iter_mut().for_each(|plane| plane.enter(tree));
    }

    #[inline(always)]
    fn meets<S: Simd>(&self, node: &TreeNode) -> u32 {
        let mut met = node.in_use::<S>();
        for plane in &self.planes {
            met &= plane.meets::<S>(node);
        }
        met
    }

    fn touches(&self, Body { model, pose, .. }: &Body) -> bool {
        self.planes.iter().all(|plane| pair::overlap(&plane.model, &Pose::IDENTITY, model, pose).overlap)
    }
}
