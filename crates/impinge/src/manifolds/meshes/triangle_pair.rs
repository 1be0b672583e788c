//! Two triangles of two meshes: the line in which they cross, the polygon that they share where they lie on each other,
//! or their closest points; and how far the one reaches beyond the other along a direction.
//!
//! Cost: some dozens of products.

use glam::DVec3;
use smallvec::SmallVec;

use crate::prim::{Part, Triangle, common_segment, nearest};

/// Cosine of the angle between two planes within which triangles lie on each other.
const FACING: f64 = 0.9995;

/// A point on each triangle, and the parts that carry them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PairPoint {
    pub(crate) points: [DVec3; 2],
    pub(crate) parts: [Part; 2],
}

/// How two triangles meet.
#[derive(Debug, Clone)]
pub(crate) enum TrianglesMeet {
    /// In a segment, which runs along the product of the normals.
    Crossing([DVec3; 2]),
    /// Face on face: the corners of what they share, seen along the normal of the first.
    Facing(Vec<PairPoint>),
    /// Apart, or touching in a point: the closest points.
    Beside(PairPoint),
}

/// How two triangles with these unit normals meet; `overlap` says whether they have a common point.
pub(crate) fn meeting(a: &Triangle, b: &Triangle, normals: [DVec3; 2], overlap: bool) -> TrianglesMeet {
    let [n, m] = normals;
    if n.dot(m) < -FACING {
        let shared = shared_polygon(a, b, n);
        if !shared.is_empty() {
            return TrianglesMeet::Facing(shared);
        }
    }
    let across = n.cross(m);
    if overlap && across.length_squared() > 1e-12 {
        let [p, q] = common_segment(a, b);
        return TrianglesMeet::Crossing(if (q - p).dot(across) < 0.0 { [q, p] } else { [p, q] });
    }
    let near = nearest(a, b);
    TrianglesMeet::Beside(PairPoint { points: near.points(), parts: near.parts })
}

/// A corner of a polygon, and the sides that lead to it and on: of `b` (0 to 2) or of `a` (3 to 5).
#[derive(Clone, Copy)]
struct SharedCorner {
    at: DVec3,
    sides: [u8; 2],
}

/// Triangle `b`, cut to the sides of `a` as seen along `a`'s normal.
pub(crate) fn shared_polygon(a: &Triangle, b: &Triangle, n: DVec3) -> Vec<PairPoint> {
    let mut polygon: SmallVec<[SharedCorner; 8]> =
        (0..3u8).map(|k| SharedCorner { at: b[usize::from(k)], sides: [(k + 2) % 3, k] }).collect();
    for k in 0..3u8 {
        let (p, q, r) = (a[usize::from(k)], a[(usize::from(k) + 1) % 3], a[(usize::from(k) + 2) % 3]);
        let inward = n.cross(q - p).normalize_or_zero();
        let inward = if inward.dot(r - p) < 0.0 { -inward } else { inward };
        let size = (q - p).length().max((r - p).length());
        let inside = |x: &SharedCorner| inward.dot(x.at - p) + 1e-12 * size;
        let before = std::mem::take(&mut polygon);
        for (i, x) in before.iter().enumerate() {
            let y = &before[(i + 1) % before.len()];
            let (at_x, at_y) = (inside(x), inside(y));
            if at_x >= 0.0 {
                polygon.push(*x);
            }
            if (at_x < 0.0) != (at_y < 0.0) {
                let at = x.at + (y.at - x.at) * (at_x / (at_x - at_y));
                let sides = if at_y < 0.0 { [x.sides[1], 3 + k] } else { [3 + k, x.sides[1]] };
                polygon.push(SharedCorner { at, sides });
            }
        }
    }
    polygon.iter().map(|x| PairPoint { points: [x.at - n * n.dot(x.at - a[0]), x.at], parts: parts(x.sides) }).collect()
}

/// The parts of `a` and `b` that make a corner.
fn parts([x, y]: [u8; 2]) -> [Part; 2] {
    // Between side `k` of a triangle and the one before it lies corner `k`.
    let corner = |j: u8, k: u8| if (j + 1) % 3 == k { Part::Vertex(k) } else { Part::Vertex(j) };
    match (x < 3, y < 3) {
        (true, true) => [Part::Face, corner(x, y)],
        (true, false) => [Part::Edge(y - 3), Part::Edge(x)],
        (false, true) => [Part::Edge(x - 3), Part::Edge(y)],
        (false, false) => [corner(x - 3, y - 3), Part::Face],
    }
}

/// The point pair that is deepest along `n`: `p` of `a` and `q` of `b` with `p − q = t·n` and the greatest `t`, if any
/// line along `n` meets both.
pub(crate) fn deepest_along(a: &Triangle, b: &Triangle, n: DVec3) -> Option<(f64, PairPoint)> {
    let mut best: Option<(f64, PairPoint)> = None;
    let mut offer = |t: f64, points: [DVec3; 2], parts: [Part; 2]| {
        if t.is_finite() && best.as_ref().is_none_or(|best| t > best.0) {
            best = Some((t, PairPoint { points, parts }));
        }
    };
    for k in 0..3u8 {
        let q = b[usize::from(k)];
        if let Some(t) = along(a, q, n) {
            offer(t, [q + n * t, q], [Part::Face, Part::Vertex(k)]);
        }
        let p = a[usize::from(k)];
        if let Some(t) = along(b, p, -n) {
            offer(t, [p, p - n * t], [Part::Vertex(k), Part::Face]);
        }
    }
    for i in 0..3u8 {
        for j in 0..3u8 {
            let side = |t: &Triangle, k: u8| [t[usize::from(k)], t[(usize::from(k) + 1) % 3]];
            if let Some((t, points)) = between_edges(side(a, i), side(b, j), n) {
                offer(t, points, [Part::Edge(i), Part::Edge(j)]);
            }
        }
    }
    best
}

/// How far along `n` from `x` the triangle is.
pub(crate) fn along(t: &Triangle, x: DVec3, n: DVec3) -> Option<f64> {
    let (u, v) = (t[1] - t[0], t[2] - t[0]);
    let face = u.cross(v);
    let slope = face.dot(n);
    if slope * slope <= 1e-20 * face.length_squared() || slope == 0.0 {
        return None;
    }
    let off = x - t[0];
    let across = off.cross(n);
    let (beta, gamma) = (-v.dot(across) / slope, u.dot(across) / slope);
    let within = beta >= -1e-9 && gamma >= -1e-9 && beta + gamma <= 1.0 + 1e-9;
    within.then(|| -face.dot(off) / slope)
}

/// Points `p` and `q` of two segments with `p − q = t·n`.
fn between_edges([p, p2]: [DVec3; 2], [q, q2]: [DVec3; 2], n: DVec3) -> Option<(f64, [DVec3; 2])> {
    let (u, v) = (p2 - p, q2 - q);
    let normal = u.cross(v);
    let slope = normal.dot(n);
    if slope * slope <= 1e-20 * normal.length_squared() || slope == 0.0 {
        return None;
    }
    let off = q - p;
    // off = u·s − v·r − n·t, by Cramer's rule.
    let s = off.dot(v.cross(n)) / u.dot(v.cross(n));
    let r = -off.dot(n.cross(u)) / v.dot(n.cross(u));
    let within = |x: f64| (-1e-9..=1.0 + 1e-9).contains(&x);
    (within(s) && within(r)).then(|| {
        let points = [p + u * s, q + v * r];
        ((points[0] - points[1]).dot(n), points)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn t(corners: [[f64; 3]; 3]) -> Triangle {
        corners.map(DVec3::from_array)
    }

    #[test]
    fn a_corner_below_a_face_is_as_deep_as_it_is() {
        let floor = t([[-1., -1., 0.], [1., -1., 0.], [0., 1., 0.]]);
        let spike = t([[0., 0., -0.25], [0.2, 0., 1.], [-0.2, 0.1, 1.]]);
        let (depth, point) = deepest_along(&floor, &spike, DVec3::Z).unwrap();
        assert!((depth - 0.25).abs() < 1e-15 && point.points[0].distance(DVec3::ZERO) < 1e-15);
        assert!(matches!(point.parts, [Part::Face, Part::Vertex(0)]));
    }

    #[test]
    fn crossed_ridges_are_as_deep_as_their_edges() {
        let along_x = t([[-1., 0., 0.], [1., 0., 0.], [0., 0.5, -1.]]);
        let along_y = t([[0., -1., -0.125], [0., 1., -0.125], [0.5, 0., 1.]]);
        let (depth, point) = deepest_along(&along_x, &along_y, DVec3::Z).unwrap();
        assert!((depth - 0.125).abs() < 1e-15, "{depth} {point:?}");
        assert!(matches!(point.parts, [Part::Edge(0), Part::Edge(0)]));
    }

    #[test]
    fn faces_on_each_other_share_a_polygon() {
        let below = t([[0., 0., 0.], [2., 0., 0.], [0., 2., 0.]]);
        let above = t([[0.5, 0.5, 0.1], [0.5, 2.5, 0.1], [2.5, 0.5, 0.1]]);
        match meeting(&below, &above, [DVec3::Z, -DVec3::Z], false) {
            TrianglesMeet::Facing(corners) => {
                assert_eq!(corners.len(), 3);
                assert!(corners.iter().all(|c| c.points[0].z == 0.0 && (c.points[1].z - 0.1).abs() < 1e-15));
            }
            other => panic!("{other:?}"),
        }
    }
}
