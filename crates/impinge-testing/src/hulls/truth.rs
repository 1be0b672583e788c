//! What is true of two hulls: whether they overlap, how far apart they are, how deep in each other.

use glam::DVec3;

use super::clouds::Clouds;
use super::shell::Shell;
use super::{depth, distance};

/// What is true of two hulls.
#[derive(Debug, Clone, Copy)]
pub struct Truth {
    /// Whether they have a common point.
    pub overlap: bool,
    /// Bounds on the distance; zeros where they overlap.
    pub distance: [f64; 2],
    /// Bounds on the depth; zeros where they are apart.
    pub depth: [f64; 2],
    /// The larger body's half extent.
    pub size: f64,
}

impl Truth {
    /// The middle of the bounds on the distance.
    pub fn mid_distance(&self) -> f64 {
        0.5 * (self.distance[0] + self.distance[1])
    }

    /// The middle of the bounds on the depth.
    pub fn mid_depth(&self) -> f64 {
        0.5 * (self.depth[0] + self.depth[1])
    }

    /// Distance, or depth below zero.
    pub fn signed(&self) -> f64 {
        if self.overlap { -self.mid_depth() } else { self.mid_distance() }
    }
}

/// The largest half extent along an axis.
pub fn size(points: &[DVec3]) -> f64 {
    let low = points.iter().fold(DVec3::INFINITY, |m, p| m.min(*p));
    let high = points.iter().fold(DVec3::NEG_INFINITY, |m, p| m.max(*p));
    (0.5 * (high - low)).max_element().max(0.0)
}

/// The truth about the hulls of `a` and `b`, in one frame: the booleans exactly, the numbers within
/// `1e-13 · max(number, size)`.
pub fn truth(a: &[DVec3], b: &[DVec3]) -> Truth {
    truth_within(a, b, 1e-13)
}

/// The same with numbers to an ulp.
pub fn exact(a: &[DVec3], b: &[DVec3]) -> Truth {
    truth_within(a, b, 0.0)
}

fn truth_within(a: &[DVec3], b: &[DVec3], width: f64) -> Truth {
    let size = size(a).max(size(b));
    let clouds = Clouds::new(a, b);
    let (sa, sb) = (Shell::of(&clouds, clouds.a()), Shell::of(&clouds, clouds.b()));
    match depth::depth(&clouds, &sa, &sb, width * size) {
        Some(depth) => Truth { overlap: true, distance: [0.0; 2], depth, size },
        None => Truth {
            overlap: false,
            distance: distance::distance(&clouds, &sa, &sb, size, width),
            depth: [0.0; 2],
            size,
        },
    }
}
