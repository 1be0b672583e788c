//! Regions of space, and whether a body touches one.

use std::sync::OnceLock;

use glam::DVec3;

use super::regions::{Region, Side};
use crate::bound::Aabb;
use crate::math::{LIMIT, Pose};
use crate::model::{Convex, Model, Round};
use crate::pair;
use crate::world::body::PlacedBody;

/// A box. Its hull is made when the first body is asked about.
pub(super) struct Cuboid {
    bounds: Aabb,
    /// A box around all bodies with bounds, and some more.
    world: Aabb,
    hulls: [OnceLock<Option<Model>>; 2],
}

impl Cuboid {
    /// `None` for a box without points.
    pub(super) fn new(bounds: &Aabb, world: &Aabb) -> Option<Cuboid> {
        let extent = (world.max - world.min).max(DVec3::ONE);
        let wide = if world.is_empty() { *world } else { Aabb::new(world.min - extent, world.max + extent) };
        let hulls = [OnceLock::new(), OnceLock::new()];
        (!bounds.is_empty()).then_some(Cuboid { bounds: *bounds, world: wide, hulls })
    }

    /// The hull of the box as far as it lies within another, which holds all that is asked about.
    fn hull_within(&self, whole: &Aabb) -> Option<Model> {
        let low = self.bounds.min.max(whole.min).to_array();
        let high = self.bounds.max.min(whole.max).to_array();
        let ends = [low, high];
        let corner = |k: usize| DVec3::new(ends[k & 1][0], ends[k >> 1 & 1][1], ends[k >> 2][2]);
        let corners: Vec<DVec3> = (0..8).map(corner).collect();
        Convex::hull(&corners).ok().map(Model::from)
    }
}

impl Region for Cuboid {
    fn side(&self, b: &Aabb) -> Side {
        match (self.bounds.meets(b), self.bounds.contains(b)) {
            (false, _) => Side::Beyond,
            (true, true) => Side::Within,
            (true, false) => Side::Across,
        }
    }

    fn touches(&self, body: &PlacedBody) -> bool {
        let everything = Aabb::new(DVec3::splat(-LIMIT), DVec3::splat(LIMIT));
        let whole = if body.bounds.is_some() { &self.world } else { &everything };
        let hull = self.hulls[usize::from(body.bounds.is_none())].get_or_init(|| self.hull_within(whole));
        // Where there is no such hull the box has a side beyond all bodies, and the boxes decide.
        hull.as_ref().is_none_or(|hull| pair::overlap(hull, &Pose::IDENTITY, &body.body.model, &body.body.pose).overlap)
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
                    planes.push(Plane { normal: unit, offset, model: Model::from(round) });
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
    fn side(&self, b: &Aabb) -> Side {
        let mut side = Side::Within;
        for plane in &self.planes {
            let [low, high] = plane.heights(b);
            if low > 0.0 {
                return Side::Beyond;
            }
            if high > 0.0 {
                side = Side::Across;
            }
        }
        side
    }

    fn touches(&self, body: &PlacedBody) -> bool {
        let touches =
            |plane: &Plane| pair::overlap(&plane.model, &Pose::IDENTITY, &body.body.model, &body.body.pose).overlap;
        self.planes.iter().all(touches)
    }
}
