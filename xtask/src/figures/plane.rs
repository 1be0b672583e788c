//! Points of the plane, and the little that figures ask about them.

use std::ops::{Add, Mul, Neg, Sub};

/// A point or a vector.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Point {
    pub(super) x: f64,
    pub(super) y: f64,
}

pub(super) const fn point(x: f64, y: f64) -> Point {
    Point { x, y }
}

impl Point {
    pub(super) fn dot(self, other: Point) -> f64 {
        self.x * other.x + self.y * other.y
    }

    pub(super) fn length(self) -> f64 {
        self.dot(self).sqrt()
    }

    pub(super) fn unit(self) -> Point {
        self * (1.0 / self.length())
    }

    /// A quarter turn to the right: outwards from an edge of a counterclockwise polygon.
    pub(super) fn right(self) -> Point {
        point(self.y, -self.x)
    }

    pub(super) fn turned(self, angle: f64) -> Point {
        let (sin, cos) = angle.sin_cos();
        point(self.x * cos - self.y * sin, self.x * sin + self.y * cos)
    }
}

impl Add for Point {
    type Output = Point;

    fn add(self, other: Point) -> Point {
        point(self.x + other.x, self.y + other.y)
    }
}

impl Sub for Point {
    type Output = Point;

    fn sub(self, other: Point) -> Point {
        point(self.x - other.x, self.y - other.y)
    }
}

impl Mul<f64> for Point {
    type Output = Point;

    fn mul(self, factor: f64) -> Point {
        point(self.x * factor, self.y * factor)
    }
}

impl Neg for Point {
    type Output = Point;

    fn neg(self) -> Point {
        point(-self.x, -self.y)
    }
}

/// Where `from + t·along` enters and leaves the convex set of points with `normal·x ≤ offset` for every pair given;
/// `None` where it misses.
pub(super) fn clip(from: Point, along: Point, sides: &[(Point, f64)]) -> Option<[f64; 2]> {
    let [mut enters, mut leaves] = [f64::NEG_INFINITY, f64::INFINITY];
    for &(normal, offset) in sides {
        let (speed, room) = (normal.dot(along), offset - normal.dot(from));
        if speed > 0.0 {
            leaves = leaves.min(room / speed);
        } else if speed < 0.0 {
            enters = enters.max(room / speed);
        } else if room < 0.0 {
            return None;
        }
    }
    (enters <= leaves).then_some([enters, leaves])
}

/// The part of a polygon with `normal·x ≤ offset`.
pub(super) fn cut(polygon: &[Point], normal: Point, offset: f64) -> Vec<Point> {
    let mut kept = Vec::new();
    for (i, &p) in polygon.iter().enumerate() {
        let q = polygon[(i + 1) % polygon.len()];
        let [over_p, over_q] = [p, q].map(|x| normal.dot(x) - offset);
        if over_p <= 0.0 {
            kept.push(p);
        }
        if over_p * over_q < 0.0 {
            kept.push(p + (q - p) * (over_p / (over_p - over_q)));
        }
    }
    kept
}

/// The point of a segment that is nearest to `x`.
pub(super) fn nearest([p, q]: [Point; 2], x: Point) -> Point {
    let along = q - p;
    p + along * ((x - p).dot(along) / along.dot(along)).clamp(0.0, 1.0)
}
