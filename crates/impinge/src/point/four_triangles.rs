//! How far a point is from four triangles at once.
//!
//! Each lane takes the foot on the face, if it lies on the face, else the nearest point of the three edges. Nothing
//! branches. With `u` and `v` two sides from a corner, and `w` from that corner to the point, the parts of `v` and `w`
//! square to `u` are
//!
//! ```text
//!     across = v − u·t,   t = v·u/u²          beside = w − u·s,   s = w·u/u²
//! ```
//!
//! and the foot is `γ = beside·across/across²` along `v` and `β = s − γ·t` along `u`; what is left is
//! `beside − across·γ`.
//!
//! **Error.** All is relative to the point, so that only the sizes of the triangles and their distance matter. `across`
//! and `beside` are off by some `2ε` of `|v|` and `|w|`, and `γ` lies between 0 and 1: so what is left is off by as
//! much, however thin the triangle. With `h = |across|`, a foot is off by some `ε|v|·|beside|/h` along `across`, and by
//! `h` at most; at the distance `|beside|` that adds half the product over that distance, `ε|v|`. Where rounding takes
//! a foot to be beside the face, an edge is as near within the same error. (To take `w·across` in place of
//! `beside·across` would be off by `ε|v||w|/h`: `across` is not quite square to `u`.)

use glam::DVec3;

use crate::math::simd::{F64x4, Simd, Vector, axes};

/// Triangles side by side.
pub(super) const LANES: usize = 4;

/// Four triangles: `[corner][axis][lane]`.
pub(super) type FourTriangles = [[[f64; LANES]; 3]; 3];

/// Keeps denominators away from zero; what it divides is then so small that the quotient does not matter.
const TINY: f64 = 1e-300;

/// Squared distances of a point from the triangles, all lengths multiplied by `scale`.
#[inline(always)]
pub(super) fn squared_distances<S: Simd>(triangles: &FourTriangles, at: DVec3, scale: f64) -> [f64; LANES] {
    let (zero, one, scale) = (S::F64x4::splat(0.0), S::F64x4::splat(1.0), S::F64x4::splat(scale));
    let at = axes!(i => S::F64x4::splat(at[i]));
    let corner = axes!(k => axes!(i => S::F64x4::load(&triangles[k][i]).sub(at[i]).mul(scale)));
    let (u, v, x) = (sub::<S>(corner[1], corner[0]), sub::<S>(corner[2], corner[0]), sub::<S>(corner[2], corner[1]));
    let w = axes!(i => zero.sub(corner[0][i]));
    let from_next = axes!(i => zero.sub(corner[1][i]));
    let per_u = inverse::<S>(dot::<S>(u, u));
    let (s, t) = (dot::<S>(w, u).mul(per_u), dot::<S>(v, u).mul(per_u));
    let edges = from_edge::<S>(w, u, s);
    let edges = edges.min(from_edge::<S>(w, v, dot::<S>(w, v).mul(inverse::<S>(dot::<S>(v, v)))));
    let along = dot::<S>(from_next, x).mul(inverse::<S>(dot::<S>(x, x)));
    let edges = edges.min(from_edge::<S>(from_next, x, along));

    let (across, beside) = (less::<S>(v, u, t), less::<S>(w, u, s));
    let gamma = dot::<S>(beside, across).mul(inverse::<S>(dot::<S>(across, across)));
    let beta = s.sub(gamma.mul(t));
    let left = less::<S>(beside, across, gamma);
    let off = zero.sub(beta).max(zero.sub(gamma)).max(beta.add(gamma).sub(one));
    zero.if_lt(off, edges, dot::<S>(left, left)).array()
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

/// Squared distance of the point, at `w` from the tail of the edge `u`, whose foot is at `s` along it.
#[inline(always)]
fn from_edge<S: Simd>(w: [S::F64x4; 3], u: [S::F64x4; 3], s: S::F64x4) -> S::F64x4 {
    let left = less::<S>(w, u, s.max(S::F64x4::splat(0.0)).min(S::F64x4::splat(1.0)));
    dot::<S>(left, left)
}
