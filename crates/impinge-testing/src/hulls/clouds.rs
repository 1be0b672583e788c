//! Two point sets in one frame, and exact signs of determinants of their differences.
//!
//! A sign is read off the `f64` determinant where it exceeds its rounding error, and off big integers elsewhere.

use std::cell::OnceCell;
use std::ops::Range;

use glam::DVec3;
use num_bigint::BigInt;

use crate::number::{Number, common_exponent, integer};
use crate::overlap::{Point, cross, dot, minus};

/// More than the rounding error of a 3×3 determinant of rounded differences, over the sum of its products' sizes.
const DETERMINANT: f64 = 16.0 * (f64::EPSILON / 2.0);

/// The difference `points[1] − points[0]`, by index.
pub type Step = [usize; 2];

/// The points of `a`, then those of `b`, each set without duplicates.
#[derive(Debug)]
pub struct Clouds {
    /// All points.
    pub points: Vec<DVec3>,
    /// How many of them are `a`'s.
    pub split: usize,
    integers: OnceCell<(Vec<Point<BigInt>>, i32)>,
}

fn distinct(points: &[DVec3]) -> Vec<DVec3> {
    let mut out: Vec<DVec3> = points.iter().map(|p| *p + DVec3::ZERO).collect();
    out.sort_by(|p, q| p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)).then(p.z.total_cmp(&q.z)));
    out.dedup();
    out
}

impl Clouds {
    /// The points of two bodies in one frame.
    pub fn new(a: &[DVec3], b: &[DVec3]) -> Clouds {
        let mut points = distinct(a);
        let split = points.len();
        points.extend(distinct(b));
        Clouds { points, split, integers: OnceCell::new() }
    }

    /// The indices of `a`'s points.
    pub fn a(&self) -> Range<usize> {
        0..self.split
    }

    /// The indices of `b`'s points.
    pub fn b(&self) -> Range<usize> {
        self.split..self.points.len()
    }

    /// The vector from one point to another, rounded.
    pub fn step(&self, [from, to]: Step) -> DVec3 {
        self.points[to] - self.points[from]
    }

    /// The points in units of `2^exponent`.
    pub fn integers(&self) -> &(Vec<Point<BigInt>>, i32) {
        self.integers.get_or_init(|| {
            let exponent = common_exponent(self.points.iter().flat_map(|p| p.to_array()));
            let whole = |p: &DVec3| p.to_array().map(|x| integer(x, exponent));
            (self.points.iter().map(whole).collect(), exponent)
        })
    }

    /// The same vector exactly, in units of `2^exponent`.
    pub fn exact_step(&self, [from, to]: Step) -> Point<BigInt> {
        let (points, _) = self.integers();
        minus(&points[to], &points[from])
    }

    /// The sign of `(u × v) · w`.
    pub fn determinant(&self, u: Step, v: Step, w: Step) -> i8 {
        let (x, y, z) = (self.step(u), self.step(v), self.step(w));
        let (value, size) = determinant(x, y, z);
        if value.abs() > DETERMINANT * size {
            return if value > 0.0 { 1 } else { -1 };
        }
        let normal = cross(&self.exact_step(u), &self.exact_step(v));
        Number::sign(&dot(&normal, &self.exact_step(w))).unwrap()
    }

    /// The sign of component `axis` of `u × v`.
    pub fn cross_sign(&self, u: Step, v: Step, axis: usize) -> i8 {
        let (x, y) = (self.step(u), self.step(v));
        let (j, k) = ((axis + 1) % 3, (axis + 2) % 3);
        let (value, size) = (x[j] * y[k] - x[k] * y[j], (x[j] * y[k]).abs() + (x[k] * y[j]).abs());
        if value.abs() > DETERMINANT * size {
            return if value > 0.0 { 1 } else { -1 };
        }
        Number::sign(&cross(&self.exact_step(u), &self.exact_step(v))[axis]).unwrap()
    }

    /// The first axis along which `u × v` is not zero.
    pub fn cross_axis(&self, u: Step, v: Step) -> Option<usize> {
        (0..3).find(|&axis| self.cross_sign(u, v, axis) != 0)
    }
}

/// The determinant and the sum of its products' sizes.
fn determinant(x: DVec3, y: DVec3, z: DVec3) -> (f64, f64) {
    let (p, q) = (DVec3::new(x.y * y.z, x.z * y.x, x.x * y.y), DVec3::new(x.z * y.y, x.x * y.z, x.y * y.x));
    ((p - q).dot(z), (p.abs() + q.abs()).dot(z.abs()))
}
