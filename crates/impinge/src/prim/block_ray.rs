//! A line against four triangles at once: the weights of their corners for the point where it meets each plane.
//!
//! With corners from a point of the line, the line along `d` crosses the plane of `p q r` at the point with weights
//! `d·(q × r)`, `d·(r × p)` and `d·(p × q)`, divided by their sum: each is the volume that `d` spans with the edge
//! across from the corner. The line meets the triangle where no two of them have different signs.
//!
//! **Error.** With no component of `d` above 1 and none of the corners above `m`, products of two components are off by
//! `4εm²` with the rounding of the corners, and a weight, of six such products, by at most `48εm²` (ε = 2⁻⁵³); a `d`
//! that is itself off by `8ε` changes it by as much again. Corners that are each off by `δ` more, because the point of
//! the line is, change a weight by at most `12mδ`. Weights within that of zero decide nothing here.

use glam::DVec3;

use super::block::LANES;
use crate::math::EPS;
use crate::math::simd::{F64x4, Simd, Vector, axes};

/// The corners of four triangles: `[corner][axis][lane]`.
pub(crate) type FourCorners = [[[f64; LANES]; 3]; 3];

/// The weights of the corners, `[corner][lane]`; how far they may be off; and the lanes that the line may meet.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RayWeights {
    pub(crate) weights: [[f64; LANES]; 3],
    pub(crate) noise: [f64; LANES],
    pub(crate) may_meet: u32,
}

/// The weights for the line through `start` along `d`, whose components are at most 1; `off` is how far `start` may be
/// off.
#[inline(always)]
pub(crate) fn ray_weights<S: Simd>(corners: &FourCorners, start: DVec3, d: DVec3, off: f64) -> RayWeights {
    let zero = S::F64x4::splat(0.0);
    let direction = axes!(i => S::F64x4::splat(d[i]));
    let start = axes!(i => S::F64x4::splat(start[i]));
    let corners = axes!(c => axes!(i => S::F64x4::load(&corners[c][i]).sub(start[i])));
    let [u, v, w] = axes!(c => volume::<S>(&direction, &corners[(c + 1) % 3], &corners[(c + 2) % 3]));
    let [p, q, r] = axes!(c => corners[c][0].abs().max(corners[c][1].abs()).max(corners[c][2].abs()));
    let most = p.max(q).max(r);
    let noise = most.mul(S::F64x4::splat(128.0 * EPS)).add(S::F64x4::splat(16.0 * off)).mul(most);
    let noise = noise.add(S::F64x4::splat(1e-300));
    let (low, high) = (u.min(v).min(w), u.max(v).max(w));
    let apart = low.lt(zero.sub(noise)) & noise.lt(high);
    let may_meet = !apart & ((1 << LANES) - 1);
    RayWeights { weights: [u.array(), v.array(), w.array()], noise: noise.array(), may_meet }
}

/// `d·(q × r)`. A function and no closure: only what is inlined for certain is compiled with the vector instructions.
#[inline(always)]
fn volume<S: Simd>(d: &[S::F64x4; 3], q: &[S::F64x4; 3], r: &[S::F64x4; 3]) -> S::F64x4 {
    let x = d[0].mul(q[1].mul(r[2]).sub(q[2].mul(r[1])));
    let y = d[1].mul(q[2].mul(r[0]).sub(q[0].mul(r[2])));
    let z = d[2].mul(q[0].mul(r[1]).sub(q[1].mul(r[0])));
    x.add(y).add(z)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::simd::{Kernel, dispatch};

    struct Weights<'a>(&'a FourCorners, DVec3, DVec3);
    impl Kernel for Weights<'_> {
        type Output = RayWeights;
        fn run<S: Simd>(self) -> RayWeights {
            ray_weights::<S>(self.0, self.1, self.2, 0.0)
        }
    }

    #[test]
    fn weights_give_the_point_on_the_line() {
        let mut state = 5u64;
        let mut coordinate = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 40) as f64 / (1u64 << 23) as f64 - 1.0
        };
        let mut point = || DVec3::new(coordinate(), coordinate(), coordinate());
        let (mut met, mut missed) = (0, 0);
        for _ in 0..2000 {
            let mut block: FourCorners = [[[0.0; LANES]; 3]; 3];
            let triangles = [(); LANES].map(|()| [point(), point(), point()]);
            for (lane, t) in triangles.iter().enumerate() {
                for (corner, p) in block.iter_mut().zip(t) {
                    p.to_array().iter().zip(corner).for_each(|(x, axis)| axis[lane] = *x);
                }
            }
            let (start, d) = (point() * 0.25, point());
            let found = dispatch(Weights(&block, start, d));
            for (lane, t) in triangles.iter().enumerate() {
                let [u, v, w] = found.weights.map(|weight| weight[lane]);
                let all_one_side = u.min(v).min(w) >= 0.0 || u.max(v).max(w) <= 0.0;
                if all_one_side {
                    let p = (t[0] * u + t[1] * v + t[2] * w) / (u + v + w) - start;
                    assert!(p.cross(d).length() <= 1e-9 && found.may_meet >> lane & 1 == 1, "{t:?} {d}");
                    met += 1;
                } else if u.min(v).min(w) < -1e-9 && u.max(v).max(w) > 1e-9 {
                    assert!(found.may_meet >> lane & 1 == 0, "{t:?} {d}");
                    missed += 1;
                }
            }
        }
        assert!(met > 200 && missed > 2000, "{met} {missed}");
    }
}
