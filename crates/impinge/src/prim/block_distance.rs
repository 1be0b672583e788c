//! The distance of one triangle to four others at once: the candidates of [`super::triangle_distance`], side by side.
//!
//! Each lane takes the fifteen candidates without branching and keeps the shortest vector `r` from the one triangle to
//! the other. The width of the slab across `r` that the corners leave free then bounds the distance from below,
//! whatever `r` is: so a lane can be dismissed for certain, and only a lane that may be nearer than all before is done
//! again with its points.

use glam::DVec3;

use super::block::{LANES, TriangleBlock, TrianglePlane, V};
use crate::math::EPS;
use crate::math::simd::{F64x4, Kernel, Simd, Vector, axes};

/// Squared distances of four pairs: computed, and certainly not exceeding the true ones.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LaneDistances {
    pub(crate) squared: [f64; LANES],
    pub(crate) lower_squared: [f64; LANES],
    /// The shortest vectors from the one triangle to the others, `[axis][lane]`.
    vector: [[f64; LANES]; 3],
}

impl LaneDistances {
    #[inline(always)]
    pub(crate) fn vector(&self, lane: usize) -> DVec3 {
        DVec3::new(self.vector[0][lane], self.vector[1][lane], self.vector[2][lane])
    }
}

/// Rounding of the slab's width: 64 roundings of coordinates that differ by at most 2.
const SLACK: f64 = 128.0 * EPS;

/// The shortest vector so far, and its squared length.
#[derive(Clone, Copy)]
struct Shortest<S: Simd> {
    squared: S::F64x4,
    vector: V<S>,
}

impl<S: Simd> Shortest<S> {
    #[inline(always)]
    fn offer(&mut self, squared: S::F64x4, vector: V<S>) {
        self.vector = V(axes!(i => squared.if_lt(self.squared, vector.0[i], self.vector.0[i])));
        self.squared = squared.min(self.squared);
    }
}

/// Distances of the triangle `a` to the lanes of `block`. Empty lanes mean nothing.
#[inline(always)]
pub(crate) fn distances<S: Simd>(a: &TrianglePlane, block: &TriangleBlock) -> LaneDistances {
    S::part(Distances { a, block })
}

struct Distances<'t> {
    a: &'t TrianglePlane,
    block: &'t TriangleBlock,
}

impl Kernel for Distances<'_> {
    type Output = LaneDistances;

    #[inline(always)]
    fn run<S: Simd>(self) -> LaneDistances {
        distances_in::<S>(self.a, self.block)
    }
}

#[inline(always)]
fn distances_in<S: Simd>(a: &TrianglePlane, block: &TriangleBlock) -> LaneDistances {
    let origin = a.triangle()[0];
    let p = axes!(k => V::<S>::splat(a.triangle()[k] - origin));
    let o = V::<S>::splat(origin);
    let q = axes!(k => block.corner::<S>(k).sub(o));
    let u = [p[1].sub(p[0]), p[2].sub(p[1]), p[0].sub(p[2])];
    let v = [q[1].sub(q[0]), q[2].sub(q[1]), q[0].sub(q[2])];
    let uu = axes!(i => u[i].dot(u[i]).max(tiny::<S>()));
    let vv = axes!(j => v[j].dot(v[j]).max(tiny::<S>()));
    let mut best = Shortest { squared: S::F64x4::splat(f64::MAX), vector: V([S::F64x4::splat(0.0); 3]) };
    for i in 0..3 {
        for j in 0..3 {
            edge_edge(&mut best, u[i], uu[i], v[j], vv[j], q[j].sub(p[i]));
        }
    }
    let face = Face::new(u[0], u[2]);
    for corner in q {
        face.offer(&mut best, corner, S::F64x4::splat(1.0));
    }
    let face = Face::new(v[0], v[2]);
    for corner in p {
        face.offer(&mut best, corner.sub(q[0]), S::F64x4::splat(-1.0));
    }
    let Shortest { squared, vector } = best;
    let near = axes!(k => vector.dot(q[k]));
    let far = axes!(k => vector.dot(p[k]));
    let width = near[0].min(near[1]).min(near[2]).sub(far[0].max(far[1]).max(far[2]));
    let zero = S::F64x4::splat(0.0);
    let safe = width.sub(squared.sqrt().mul(S::F64x4::splat(SLACK))).max(zero);
    let lower = safe.mul(safe).div(squared.max(tiny::<S>())).mul(S::F64x4::splat(1.0 - 8.0 * EPS));
    let vector = axes!(i => vector.0[i].array());
    LaneDistances { squared: squared.array(), lower_squared: lower.array(), vector }
}

/// Keeps denominators away from zero; what it divides is zero as well then, or large and clamped.
#[inline(always)]
fn tiny<S: Simd>() -> S::F64x4 {
    S::F64x4::splat(1e-300)
}

#[inline(always)]
fn clamp<F: F64x4>(x: F) -> F {
    x.max(F::splat(0.0)).min(F::splat(1.0))
}

/// Closest points of two edges, as in [`super::triangle_distance`].
#[inline(always)]
fn edge_edge<S: Simd>(best: &mut Shortest<S>, u: V<S>, uu: S::F64x4, v: V<S>, vv: S::F64x4, w: V<S>) {
    let n = u.cross(v);
    let (b, c, f) = (u.dot(v), u.dot(w), v.dot(w));
    let s = clamp(w.cross(v).dot(n).div(n.dot(n).max(tiny::<S>())));
    let t = clamp(b.mul(s).sub(f).div(vv));
    let s = clamp(b.mul(t).add(c).div(uu));
    let r = V(axes!(i => w.0[i].add(v.0[i].mul(t)).sub(u.0[i].mul(s))));
    best.offer(r.dot(r), r);
}

/// Faces with two edges from one corner: what turns a point into barycentric coordinates, and its height.
#[derive(Clone, Copy)]
struct Face<S: Simd> {
    beta: V<S>,
    gamma: V<S>,
    normal: V<S>,
    inverse: S::F64x4,
}

impl<S: Simd> Face<S> {
    /// `u` leads from the corner, `back` to it.
    #[inline(always)]
    fn new(u: V<S>, back: V<S>) -> Face<S> {
        let normal = back.cross(u);
        let inverse = S::F64x4::splat(1.0).div(normal.dot(normal).max(tiny::<S>()));
        Face { beta: normal.cross(back), gamma: normal.cross(u), normal, inverse }
    }

    /// The perpendicular on the face from the point at `w` from its corner, times `sign`, if its foot is on the face.
    #[inline(always)]
    fn offer(&self, best: &mut Shortest<S>, w: V<S>, sign: S::F64x4) {
        let beta = w.dot(self.beta).mul(self.inverse);
        let gamma = w.dot(self.gamma).mul(self.inverse);
        let inside = beta.min(gamma).min(S::F64x4::splat(1.0).sub(beta).sub(gamma));
        let height = w.dot(self.normal).mul(self.inverse).mul(sign);
        let r = V(axes!(i => self.normal.0[i].mul(height)));
        let squared = inside.if_lt(S::F64x4::splat(0.0), S::F64x4::splat(f64::MAX), r.dot(r));
        best.offer(squared, r);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::simd::{Kernel, dispatch};
    use crate::prim::{Triangle, nearest, triangles_overlap};
    use glam::DVec3;

    struct Distances<'a>(&'a TrianglePlane, &'a TriangleBlock);
    impl Kernel for Distances<'_> {
        type Output = LaneDistances;
        fn run<S: Simd>(self) -> LaneDistances {
            distances::<S>(self.0, self.1)
        }
    }

    #[test]
    fn agrees_with_one_by_one_and_never_overstates() {
        let mut state = 3u64;
        let mut coordinate = move || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 40) as f64 / (1 << 24) as f64 - 0.5
        };
        let mut triangle =
            move |by: f64| -> Triangle { [(); 3].map(|()| DVec3::new(coordinate() + by, coordinate(), coordinate())) };
        let mut block = TriangleBlock::EMPTY;
        for _ in 0..20_000 {
            let a = triangle(0.0);
            let b = [triangle(0.4), triangle(0.4), triangle(0.4), triangle(0.4)];
            block.clear();
            b.iter().for_each(|t| block.push(t));
            let lanes = dispatch(Distances(&TrianglePlane::of(&a), &block));
            for (lane, t) in b.iter().enumerate().filter(|(_, t)| !triangles_overlap(&a, t)) {
                let exact = nearest(&a, t).squared;
                assert!((lanes.squared[lane] - exact).abs() <= 1e-13 && lanes.lower_squared[lane] <= exact);
                assert!(exact < 1e-4 || lanes.lower_squared[lane] >= exact - 1e-11);
            }
        }
    }
}
