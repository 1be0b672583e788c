//! How far the origin is from four triangles at once.
//!
//! Each lane does what [`squared_from`](crate::prim::squared_from) does for one triangle: the foot on the face, found
//! along one side `u` and square to it, and once more for what is left over; else the nearest point of the three edges.
//! Nothing branches.
//!
//! **Error.** All is relative to the point, so that only the sizes of the triangles and their distance matter. With
//! `h = |across|` the height of a triangle over its side `u`, the direction of `across` is off by some `4ε|v|/h`, and a
//! foot by that much of its own height over `u`, which is at most `h`: so by `4ε|v|`. Where `h < 2⁻⁴⁶|v|` the face is left
//! out: its points are within `2⁻⁴⁶|v|` of an edge. Where rounding takes a foot to be beside the face, an edge is as near
//! within the same error.

use crate::math::simd::{F64x4, Simd, Vector, axes};

/// Triangles side by side.
pub(super) const LANES: usize = 4;

/// Four triangles relative to the point: `[corner][axis][lane]`.
pub(super) type FourTriangles = [[[f64; LANES]; 3]; 3];

/// Keeps denominators away from zero; what it divides is then so small that the quotient does not matter.
const TINY: f64 = 1e-300;

/// The square of `2⁻⁴⁶`.
const THIN: f64 = 1.0 / (1u128 << 92) as f64;

/// Squared distances of the origin from the triangles.
#[inline(always)]
pub(super) fn squared_distances<S: Simd>(triangles: &FourTriangles) -> [f64; LANES] {
    let (zero, one) = (S::F64x4::splat(0.0), S::F64x4::splat(1.0));
    let corner = axes!(k => axes!(i => S::F64x4::load(&triangles[k][i])));
    let (u, v, x) = (sub::<S>(corner[1], corner[0]), sub::<S>(corner[2], corner[0]), sub::<S>(corner[2], corner[1]));
    let w = axes!(i => zero.sub(corner[0][i]));
    let from_next = axes!(i => zero.sub(corner[1][i]));
    let vv = dot::<S>(v, v);
    let (per_u, per_v, per_x) = (inverse::<S>(dot::<S>(u, u)), inverse::<S>(vv), inverse::<S>(dot::<S>(x, x)));
    let edges = from_edge::<S>(w, u, per_u).min(from_edge::<S>(w, v, per_v)).min(from_edge::<S>(from_next, x, per_x));

    let across = less::<S>(v, u, dot::<S>(v, u).mul(per_u));
    let width = dot::<S>(across, across);
    let per_width = inverse::<S>(width);
    let gamma = dot::<S>(w, across).mul(per_width);
    let beside = less::<S>(w, v, gamma);
    let beta = dot::<S>(beside, u).mul(per_u);
    let left = less::<S>(beside, u, beta);
    let gamma_left = dot::<S>(left, across).mul(per_width);
    let beside_left = less::<S>(left, v, gamma_left);
    let left = less::<S>(beside_left, u, dot::<S>(beside_left, u).mul(per_u));
    let face = dot::<S>(left, left);

    let off = zero.sub(beta).max(zero.sub(gamma)).max(beta.add(gamma).sub(one));
    let face = zero.if_lt(off, edges, face);
    vv.mul(S::F64x4::splat(THIN)).if_lt(width, face, edges).array()
}

#[inline(always)]
fn sub<S: Simd>(a: [S::F64x4; 3], b: [S::F64x4; 3]) -> [S::F64x4; 3] {
    axes!(i => a[i].sub(b[i]))
}

/// `a − b·s`.
#[inline(always)]
fn less<S: Simd>(a: [S::F64x4; 3], b: [S::F64x4; 3], s: S::F64x4) -> [S::F64x4; 3] {
    axes!(i => a[i].sub(b[i].mul(s)))
}

#[inline(always)]
fn dot<S: Simd>(a: [S::F64x4; 3], b: [S::F64x4; 3]) -> S::F64x4 {
    a[0].mul(b[0]).add(a[1].mul(b[1])).add(a[2].mul(b[2]))
}

#[inline(always)]
fn inverse<S: Simd>(x: S::F64x4) -> S::F64x4 {
    S::F64x4::splat(1.0).div(x.max(S::F64x4::splat(TINY)))
}

/// Squared distance from the point at `w` from the tail of the edge `u`.
#[inline(always)]
fn from_edge<S: Simd>(w: [S::F64x4; 3], u: [S::F64x4; 3], per_u: S::F64x4) -> S::F64x4 {
    let along = dot::<S>(w, u).mul(per_u).max(S::F64x4::splat(0.0)).min(S::F64x4::splat(1.0));
    let left = less::<S>(w, u, along);
    dot::<S>(left, left)
}
