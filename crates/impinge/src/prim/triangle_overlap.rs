//! Whether two triangles have a common point: exact on the coordinates given, closed, degenerate triangles included.
//!
//! After O. Devillers and P. Guigue, *Faster triangle-triangle intersection tests*, INRIA RR-4488 (2002): signs of
//! orientation determinants alone decide, no intersection point is ever computed. Each sign is exact
//! ([`crate::math::orient3d`]), so the answer is. Departure: their test takes triangles with an area; a triangle that
//! is a segment or a point is treated here as its edges.
//!
//! Cost: 6 to 8 orientations in general position, each a dozen products when the filter is sure.

use glam::{DVec2, DVec3};

use super::Triangle;
use super::segment::segments_meet;
use crate::math::{Sign, orient2d, orient3d};
use Sign::{Negative, Positive, Zero};

type Signs = [Sign; 3];

/// Whether the closed triangles have a common point.
pub(crate) fn triangles_overlap(a: &Triangle, b: &Triangle) -> bool {
    triangles_overlap_knowing(a, b, [[None; 3]; 2])
}

/// The same, where some sides are known: of the corners of `a` against the plane of `b`, and of those of `b`.
pub(crate) fn triangles_overlap_knowing(a: &Triangle, b: &Triangle, known: [[Option<Sign>; 3]; 2]) -> bool {
    let a_signs = sides(a, b, known[0]);
    if apart(a_signs) {
        return false;
    }
    let b_signs = sides(b, a, known[1]);
    if apart(b_signs) {
        return false;
    }
    match (a_signs == [Zero; 3], b_signs == [Zero; 3]) {
        (false, false) => intervals_overlap(a, a_signs, b, b_signs),
        // `b` has no plane (else `a`, which has one, would lie in it and `b` in that of `a`): it is its edges.
        (true, false) => edges_pierce(b, b_signs, a),
        (false, true) => edges_pierce(a, a_signs, b),
        (true, true) => flat_overlap(a, b),
    }
}

/// Whether the three corners are collinear, exactly: the area vanishes along all three axes.
pub(crate) fn is_degenerate(t: &Triangle) -> bool {
    AXES.iter().all(|&axis| area_sign(t, axis) == Zero)
}

/// Sides of `plane(u)` on which the corners of `t` lie.
fn sides(t: &Triangle, u: &Triangle, known: [Option<Sign>; 3]) -> Signs {
    [0, 1, 2].map(|k| known[k].unwrap_or_else(|| orient3d(u[0], u[1], u[2], t[k])))
}

/// All strictly on one side.
fn apart(s: Signs) -> bool {
    s == [Positive; 3] || s == [Negative; 3]
}

/// Turns `t` so that its first corner is alone on its side of the other plane, and says which side that is.
///
/// Alone: strictly on one side with the others on the other or on the plane; failing that, on the plane with the others
/// strictly on one side, and then it counts as being on the opposite one.
fn lone_first(t: &Triangle, s: Signs) -> (Triangle, Sign) {
    let turned = |i: usize| [t[i], t[(i + 1) % 3], t[(i + 2) % 3]];
    for i in 0..3 {
        let (lone, second, third) = (s[i], s[(i + 1) % 3], s[(i + 2) % 3]);
        if lone != Zero && second != lone && third != lone {
            return (turned(i), lone);
        }
    }
    let on_plane = s.iter().position(|&x| x == Zero).unwrap_or(0);
    (turned(on_plane), s[(on_plane + 1) % 3].flipped())
}

/// Neither triangle lies in the other's plane: each cuts the planes' common line in an interval, and two signs compare
/// the intervals' ends (§3 of the report).
fn intervals_overlap(a: &Triangle, a_signs: Signs, b: &Triangle, b_signs: Signs) -> bool {
    let ([p1, mut q1, mut r1], a_side) = lone_first(a, a_signs);
    let ([p2, mut q2, mut r2], b_side) = lone_first(b, b_signs);
    if a_side == Negative {
        std::mem::swap(&mut q2, &mut r2);
    }
    if b_side == Negative {
        std::mem::swap(&mut q1, &mut r1);
    }
    orient3d(q1, p2, p1, q2) != Positive && orient3d(p1, p2, r1, r2) != Positive
}

/// Whether an edge of the degenerate triangle `d`, whose corners lie on the sides `s` of the plane of `t`, meets `t`.
fn edges_pierce(d: &Triangle, s: Signs, t: &Triangle) -> bool {
    (0..3).any(|i| {
        let j = (i + 1) % 3;
        match (s[i], s[j]) {
            (Zero, Zero) => flat_overlap(&[d[i], d[j], d[j]], t),
            (x, y) => x != y && line_meets(d[i], d[j], t),
        }
    })
}

/// Whether the line `pq`, which crosses the plane of `t` in one point, meets `t`: it passes all edges on one side.
fn line_meets(p: DVec3, q: DVec3, t: &Triangle) -> bool {
    let s = [0, 1, 2].map(|i| orient3d(p, q, t[i], t[(i + 1) % 3]));
    !(s.contains(&Positive) && s.contains(&Negative))
}

/// The two coordinates that remain when an axis is dropped.
pub(super) const AXES: [fn(DVec3) -> DVec2; 3] =
    [|v| DVec2::new(v.y, v.z), |v| DVec2::new(v.z, v.x), |v| DVec2::new(v.x, v.y)];

pub(super) fn area_sign(t: &Triangle, axis: fn(DVec3) -> DVec2) -> Sign {
    orient2d(axis(t[0]), axis(t[1]), axis(t[2]))
}

/// All orientations vanished. Either a triangle with an area spans a plane that holds both, and an axis along which its
/// area is seen projects that plane one to one; or both are segments or points.
fn flat_overlap(a: &Triangle, b: &Triangle) -> bool {
    match AXES.iter().find(|&&axis| area_sign(a, axis) != Zero || area_sign(b, axis) != Zero) {
        Some(axis) => plane_overlap(a.map(axis), b.map(axis)),
        None => edge_pairs().any(|(i, j)| {
            let (p, q, r, s) = (a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]);
            // Coplanar segments meet when all three of their projections do: one of these is one to one.
            orient3d(p, q, r, s) == Zero && AXES.iter().all(|axis| segments_meet(axis(p), axis(q), axis(r), axis(s)))
        }),
    }
}

fn edge_pairs() -> impl Iterator<Item = (usize, usize)> {
    (0..9).map(|k| (k / 3, k % 3))
}

/// Triangles in the plane: their borders meet, or one holds the other.
fn plane_overlap(a: [DVec2; 3], b: [DVec2; 3]) -> bool {
    edge_pairs().any(|(i, j)| segments_meet(a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]))
        || holds(&a, b[0])
        || holds(&b, a[0])
}

/// Whether `x` lies strictly inside `t`.
fn holds(t: &[DVec2; 3], x: DVec2) -> bool {
    let s = [0, 1, 2].map(|i| orient2d(t[i], t[(i + 1) % 3], x));
    apart(s)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn t(c: [[f64; 3]; 3]) -> Triangle {
        c.map(DVec3::from_array)
    }

    #[test]
    fn degenerate_triangles_are_segments_and_points() {
        let face = t([[0., 0., 0.], [2., 0., 0.], [0., 2., 0.]]);
        let needle = t([[0.5, 0.5, -1.], [0.5, 0.5, 3.], [0.5, 0.5, 1.]]);
        assert!(triangles_overlap(&face, &needle) && triangles_overlap(&needle, &face));
        let beside = t([[1.5, 1.5, -1.], [1.5, 1.5, 3.], [1.5, 1.5, 1.]]);
        assert!(!triangles_overlap(&face, &beside) && !triangles_overlap(&beside, &face));
        let point = t([[0.5, 0.5, 0.]; 3]);
        assert!(triangles_overlap(&face, &point) && triangles_overlap(&point, &needle));
        assert!(!triangles_overlap(&point, &t([[0.5, 0.5, 1e-300]; 3])));
        let skew = t([[0., 0., 1.], [1., 0., 1.], [2., 0., 1.]]);
        assert!(!triangles_overlap(&t([[0., -1., 0.], [0., 1., 0.], [0., 0., 0.]]), &skew));
        assert!(is_degenerate(&needle) && !is_degenerate(&face));
    }

    #[test]
    fn one_ulp_above_is_apart() {
        let face = t([[0., 0., 1.], [2., 0., 1.], [0., 2., 1.]]);
        let tip = |z: f64| t([[0.5, 0.5, z], [0.5, 0.6, 2.], [0.6, 0.5, 2.]]);
        assert!(triangles_overlap(&face, &tip(1.0)));
        assert!(!triangles_overlap(&face, &tip(1f64.next_up())));
    }
}
