//! Steady motion as a [`Motion`]: every bound is exact.

use glam::DVec3;

use super::moving_body::{Motion, box_by_bounds};
use super::rates::Rates;
use super::steady::Steady;
use crate::bound::Aabb;
use crate::math::Pose;
use crate::model::{Model, Outline};

impl Motion for Steady {
    fn pose(&self, t: f64) -> Pose {
        self.pose_at(t)
    }

    fn rates(&self, _: f64, _: f64) -> Rates {
        Rates { centre: self.centre(), velocity: self.velocity(), spin: self.spin(), ..Rates::STILL }
    }

    fn accelerations(&self, _: f64, _: f64) -> [f64; 2] {
        [0.0; 2]
    }

    fn fall(&self, _: f64, _: f64) -> Option<DVec3> {
        Some(DVec3::ZERO)
    }

    fn always_steady(&self) -> Option<&Steady> {
        Some(self)
    }

    fn steady(&self, _: f64) -> Option<(Steady, f64)> {
        Some((*self, f64::INFINITY))
    }

    fn swept_box(&self, model: &Model, from: f64, to: f64) -> Option<Aabb> {
        if self.is_straight() {
            let ends = [from, to].map(|t| model.outline(&self.pose(t), Outline::Fitted));
            return Some(ends[0]?.join(&ends[1]?));
        }
        box_by_bounds(self, model, from, to)
    }
}
