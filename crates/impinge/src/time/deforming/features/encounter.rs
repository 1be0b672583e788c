//! A vertex and a face, or two edges, whose points move straight: where they are, and the normal to both.

use glam::DVec3;

use crate::bound::MovingBox;
use crate::math::normalising_scale;

/// A vertex and a face, or two edges, whose points move straight from time 0 to time 1.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FeatureEncounter {
    /// Where each point is at time 0 and at time 1: the vertex and the corners of the face, or the ends of both edges.
    pub(crate) points: [[DVec3; 2]; 4],
    pub(crate) is_face: bool,
}

impl FeatureEncounter {
    /// A vertex and the three corners of a face.
    pub(crate) fn vertex_face(points: [[DVec3; 2]; 4]) -> FeatureEncounter {
        FeatureEncounter { points, is_face: true }
    }

    /// The two ends of one edge and of another.
    pub(crate) fn edge_edge(points: [[DVec3; 2]; 4]) -> FeatureEncounter {
        FeatureEncounter { points, is_face: false }
    }

    /// The points of both features with the parameters `u` and `v`, at a time.
    pub(crate) fn points_at(&self, t: f64, [u, v]: [f64; 2]) -> [DVec3; 2] {
        let [p, q, r, s] = self.points.map(|[from, to]| from * (1.0 - t) + to * t);
        match self.is_face {
            true => [p, q * (1.0 - u - v) + r * u + s * v],
            false => [p * (1.0 - u) + q * u, r * (1.0 - v) + s * v],
        }
    }

    /// How much of each of its corners is in the point of each feature with the parameters `u` and `v`.
    pub(crate) fn weights(&self, [u, v]: [f64; 2]) -> [[f64; 3]; 2] {
        match self.is_face {
            true => [[1.0, 0.0, 0.0], [(1.0 - u - v).max(0.0), u, v]],
            false => [[1.0 - u, u, 0.0], [1.0 - v, v, 0.0]],
        }
    }

    /// Whether boxes around both features come as near as `near`.
    pub(crate) fn is_in_reach(&self, near: f64) -> bool {
        self.window(near).is_some()
    }

    /// The first and the last time at which the boxes around both features may be as near as `near`.
    pub(crate) fn window(&self, near: f64) -> Option<[f64; 2]> {
        let [p, q, r, s] = self.points;
        match self.is_face {
            true => MovingBox::around([p]).meeting(&MovingBox::around([q, r, s]), near),
            false => MovingBox::around([p, q]).meeting(&MovingBox::around([r, s]), near),
        }
    }

    /// The unit normal to both features, from the first to the second as they were before they met. If they do not
    /// approach along it, a corner meets an edge or both are in one line: then the direction in which they approach,
    /// without its part along one of them. `None` where they do not approach.
    pub(crate) fn normal(&self, t: f64, place: [f64; 2]) -> Option<DVec3> {
        let unit = |v: DVec3| (v * normalising_scale(v.abs().max_element())).try_normalize();
        let [p, q, r, s] = self.points.map(|[from, to]| from * (1.0 - t) + to * t);
        let sides = if self.is_face { [r - q, s - q] } else { [q - p, s - r] }.map(|v| unit(v).unwrap_or_default());
        // Before they met, the second was ahead of the first in the direction in which the first approaches.
        let [start, end] = [0.0, 1.0].map(|t| self.points_at(t, place));
        let approach = unit((end[0] - end[1]) - (start[0] - start[1]))?;
        let normal = sides[0].cross(sides[1]).try_normalize().filter(|n| n.dot(approach).abs() > 1e-9);
        let across = |side: DVec3| approach - side * side.dot(approach);
        let [one, other] = sides.map(across);
        let aside = if one.length_squared() > other.length_squared() { one } else { other };
        let normal = normal.or_else(|| if self.is_face { Some(approach) } else { aside.try_normalize() })?;
        Some(if normal.dot(approach) < 0.0 { -normal } else { normal })
    }
}
