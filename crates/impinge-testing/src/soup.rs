//! Triangle soups and their exact answers by brute force.

use glam::{DMat3, DQuat, DVec3};
use num_bigint::BigInt;

use super::distance::{Square, triangle_distance};
use super::inside::{Place, place};
use super::number::{Bounds, common_exponent, integer, small_integer};
use super::overlap::{Triangle, triangles_meet};

/// Vertices and triangles, as a mesh is given.
#[derive(Clone, Debug, Default)]
pub struct Soup {
    /// Where the corners are.
    pub vertices: Vec<DVec3>,
    /// Three vertices each.
    pub triangles: Vec<[u32; 3]>,
}

impl Soup {
    /// Triangle `i`.
    pub fn triangle(&self, i: usize) -> [DVec3; 3] {
        self.triangles[i].map(|v| self.vertices[v as usize])
    }

    /// All triangles.
    pub fn corners(&self) -> Vec<[DVec3; 3]> {
        (0..self.triangles.len()).map(|i| self.triangle(i)).collect()
    }

    /// Every vertex mapped.
    pub fn map(&self, f: impl Fn(DVec3) -> DVec3) -> Soup {
        Soup { vertices: self.vertices.iter().map(|&v| f(v)).collect(), triangles: self.triangles.clone() }
    }

    /// Both, one after the other.
    pub fn and(mut self, other: &Soup) -> Soup {
        let base = self.vertices.len() as u32;
        self.vertices.extend(&other.vertices);
        self.triangles.extend(other.triangles.iter().map(|t| t.map(|v| v + base)));
        self
    }

    /// The largest coordinate about the middle of its box.
    pub fn size(&self) -> f64 {
        let [low, high] = bounds(&self.vertices);
        (0.5 * high - 0.5 * low).max_element().max(0.0)
    }
}

fn bounds(points: &[DVec3]) -> [DVec3; 2] {
    points.iter().fold([DVec3::INFINITY, DVec3::NEG_INFINITY], |[l, h], &p| [l.min(p), h.max(p)])
}

/// Of two bodies given by translation and rotation, the map from `b`'s frame to `a`'s, with the roundings that the
/// library's promise of exactness names: translations subtracted first, `R_AᵀR_B`, then products and sums in the order
/// x, y, z, translation.
pub fn into_frame_of_a((at_a, turn_a): (DVec3, DQuat), (at_b, turn_b): (DVec3, DQuat)) -> impl Fn(DVec3) -> DVec3 {
    let (ra, rb) = (DMat3::from_quat(turn_a), DMat3::from_quat(turn_b));
    let rotation = if turn_a == turn_b { DMat3::IDENTITY } else { ra.transpose() * rb };
    let shift = ra.transpose() * (at_b - at_a);
    move |p| rotation.x_axis * p.x + rotation.y_axis * p.y + rotation.z_axis * p.z + shift
}

/// Exact coordinates of a set of triangles in one unit.
fn integers(triangles: &[[DVec3; 3]], exponent: i32) -> Vec<Triangle<BigInt>> {
    triangles.iter().map(|t| t.map(|p| p.to_array().map(|x| integer(x, exponent)))).collect()
}

fn numbers<'a>(triangles: impl IntoIterator<Item = &'a [DVec3; 3]>) -> impl Iterator<Item = f64> {
    triangles.into_iter().flatten().flat_map(|p| p.to_array())
}

/// Whether two triangles have a common point, exactly, by the cheapest arithmetic that can tell.
pub fn meet(a: &[DVec3; 3], b: &[DVec3; 3]) -> bool {
    let ([al, ah], [bl, bh]) = (bounds(a), bounds(b));
    if al.cmpgt(bh).any() || bl.cmpgt(ah).any() {
        return false;
    }
    let exponent = common_exponent(numbers([a, b]));
    let small = |t: &[DVec3; 3]| -> Option<Triangle<i128>> {
        let mut out = [[0; 3]; 3];
        for (i, p) in t.iter().enumerate() {
            for (j, x) in p.to_array().into_iter().enumerate() {
                out[i][j] = small_integer(x, exponent)?;
            }
        }
        Some(out)
    };
    if let (Some(a), Some(b)) = (small(a), small(b)) {
        return triangles_meet(&a, &b).expect("integers have a sign");
    }
    let bounded = |t: &[DVec3; 3]| t.map(|p| p.to_array().map(Bounds::of));
    triangles_meet(&bounded(a), &bounded(b)).unwrap_or_else(|| meet_in_big_integers(a, b))
}

/// The same without any shortcut.
pub fn meet_in_big_integers(a: &[DVec3; 3], b: &[DVec3; 3]) -> bool {
    let exponent = common_exponent(numbers([a, b]));
    let big = |t: &[DVec3; 3]| t.map(|p| p.to_array().map(|x| integer(x, exponent)));
    triangles_meet(&big(a), &big(b)).expect("integers have a sign")
}

/// The exact squared distance of two triangles.
pub fn separation(a: &[DVec3; 3], b: &[DVec3; 3]) -> Square {
    let exponent = common_exponent(numbers([a, b]));
    let big = |t: &[DVec3; 3]| t.map(|p| p.to_array().map(|x| integer(x, exponent)));
    triangle_distance(&big(a), &big(b), exponent)
}

/// All pairs of triangles with a common point, sorted.
pub fn meeting_pairs(a: &Soup, b: &Soup) -> Vec<[u32; 2]> {
    let (ta, tb) = (a.corners(), b.corners());
    let mut pairs = Vec::new();
    for (i, s) in ta.iter().enumerate() {
        for (j, t) in tb.iter().enumerate() {
            if meet(s, t) {
                pairs.push([i as u32, j as u32]);
            }
        }
    }
    pairs
}

/// Lower bound on the distance of two triangles from their boxes, safely below by a relative 1e-9.
fn box_gap(a: &[DVec3; 3], b: &[DVec3; 3]) -> f64 {
    let ([al, ah], [bl, bh]) = (bounds(a), bounds(b));
    let gap = (al - bh).max(bl - ah).max(DVec3::ZERO);
    let most = gap.max_element();
    if most == 0.0 { 0.0 } else { most * (gap / most).length() * (1.0 - 1e-9) }
}

/// The exact squared distance of two surfaces; `None` when one of them is empty.
pub fn surface_distance(a: &Soup, b: &Soup) -> Option<Square> {
    let (ta, tb) = (a.corners(), b.corners());
    let mut order: Vec<(f64, usize, usize)> = Vec::with_capacity(ta.len() * tb.len());
    for (i, s) in ta.iter().enumerate() {
        order.extend(tb.iter().enumerate().map(|(j, t)| (box_gap(s, t), i, j)));
    }
    order.sort_by(|x, y| x.0.total_cmp(&y.0));
    let mut best: Option<(Square, f64)> = None;
    for (gap, i, j) in order {
        if best.as_ref().is_some_and(|(square, root)| square.is_zero() || gap > *root * (1.0 + 1e-9)) {
            break;
        }
        let square = separation(&ta[i], &tb[j]);
        if best.as_ref().is_none_or(|(least, _)| square.compare(least).is_lt()) {
            let root = square.root();
            best = Some((square, root));
        }
    }
    best.map(|(square, _)| square)
}

/// Whether a vertex of a triangle of `a` lies inside the closed surface `b`, and none on it.
pub fn lies_inside(a: &Soup, b: &Soup) -> bool {
    let (ta, tb) = (a.corners(), b.corners());
    let exponent = common_exponent(numbers(ta.iter().chain(&tb)));
    let solid = integers(&tb, exponent);
    let mut seen: Vec<u32> = a.triangles.iter().map(|t| t[0]).collect();
    seen.sort_unstable();
    seen.dedup();
    seen.into_iter().any(|v| {
        let p = a.vertices[v as usize].to_array().map(|x| integer(x, exponent));
        place(&p, &solid) == Place::Inside
    })
}
