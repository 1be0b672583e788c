//! How far two oriented boxes are apart at least: the bound of the distance queries, eight at once, in `f64`.
//!
//! The six gaps of [`super::separation`] bound the distance from below, each by itself; so does the Euclidean length of the
//! three along the outer axes, because the inner box lies in a box along these axes; and that of the three along the inner
//! axes (notes §2.3). The bound is the largest, squared:
//!
//! ```text
//!     g_i = max(0, |t_i| − ha_i − Σ_j |R_ij|·hb_j)        bound² = max(Σ_i g_i², Σ_j g'_j²)
//! ```
//!
//! The boxes are those of the tree, in `f32`; the arithmetic is in `f64`, because far bodies' gaps differ in digits that
//! `f32` does not have, and a bound that cannot tell them apart would visit every pair.
//!
//! **Error.** As in the separation test with `2⁻⁵³` for `2⁻²⁴`: `2⁻⁴⁷` times `4 + |T|` is taken off every gap.

use super::descend::{Frame, Metric};
use super::{Node, Slot, WIDTH};
use crate::math::simd::{F64x4, Simd};

/// The shared rotation, ready for the bound.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Gap {
    rotation: [[f64; 3]; 3],
    abs: [[f64; 3]; 3],
    translation: [f64; 3],
    scale: f64,
    slack: f64,
}

impl Gap {
    pub(crate) fn new(f: &Frame) -> Gap {
        let abs = f.rotation.map(|row| row.map(|x| x.abs() + 1e-15));
        let slack = (4.0 + f.reach()) / (1u64 << 47) as f64;
        Gap { rotation: f.rotation, abs, translation: f.translation, scale: f.scale, slack }
    }

    /// Squared bound for the roots of the trees.
    pub(crate) fn of_roots(&self, outer: &super::Tree, inner: &super::Tree) -> f64 {
        let (o, i) = (outer.nodes[0].slot(0), inner.nodes[0].slot(0));
        let c = i.centre.map(|x| f64::from(x) * self.scale);
        let (ha, hb) = (o.half.map(f64::from), i.half.map(|x| f64::from(x) * self.scale));
        let t = [0, 1, 2].map(|k| {
            let r = &self.rotation[k];
            r[0] * c[0] + r[1] * c[1] + r[2] * c[2] + self.translation[k] - f64::from(o.centre[k])
        });
        let (mut outer_sum, mut inner_sum) = (0.0, 0.0);
        for k in 0..3 {
            let n = &self.abs[k];
            let g = t[k].abs() - ha[k] - (n[0] * hb[0] + n[1] * hb[1] + n[2] * hb[2]) - self.slack;
            outer_sum += g.max(0.0).powi(2);
            let column = |m: &[[f64; 3]; 3], v: &[f64; 3]| m[0][k] * v[0] + m[1][k] * v[1] + m[2][k] * v[2];
            let g = column(&self.rotation, &t).abs() - hb[k] - column(&self.abs, &ha) - self.slack;
            inner_sum += g.max(0.0).powi(2);
        }
        outer_sum.max(inner_sum)
    }
}

impl Metric for Gap {
    type Bound = f64;

    #[inline(always)]
    fn outer_children<S: Simd>(&self, node: &Node, inner: &Slot) -> [f64; WIDTH] {
        let splat = S::F64x4::splat;
        let c = inner.centre.map(|x| f64::from(x) * self.scale);
        let h = inner.half.map(|x| f64::from(x) * self.scale);
        let sum = |m: &[f64; 3], v: &[f64; 3]| m[0] * v[0] + m[1] * v[1] + m[2] * v[2];
        let centre = [0, 1, 2].map(|i| sum(&self.rotation[i], &c) + self.translation[i]);
        let radius = [0, 1, 2].map(|i| sum(&self.abs[i], &h) + self.slack);
        halves(|half| {
            let ha: [S::F64x4; 3] = node.half.each_ref().map(|x| S::F64x4::widen(x, half));
            let t = [0, 1, 2].map(|i| splat(centre[i]).sub(S::F64x4::widen(&node.centre[i], half)));
            let outer = [0, 1, 2].map(|i| t[i].abs().sub(ha[i]).sub(splat(radius[i])));
            let inner = [0, 1, 2].map(|j| {
                let radius = self.column::<S>(&self.abs, j, &ha).add(splat(h[j] + self.slack));
                self.column::<S>(&self.rotation, j, &t).abs().sub(radius)
            });
            squared_bound::<S>(outer, inner)
        })
    }

    #[inline(always)]
    fn inner_children<S: Simd>(&self, outer: &Slot, node: &Node) -> [f64; WIDTH] {
        let splat = S::F64x4::splat;
        let (c, h) = (outer.centre.map(f64::from), outer.half.map(f64::from));
        let scale = splat(self.scale);
        halves(|half| {
            let b: [S::F64x4; 3] = node.centre.each_ref().map(|x| S::F64x4::widen(x, half).mul(scale));
            let hb: [S::F64x4; 3] = node.half.each_ref().map(|x| S::F64x4::widen(x, half).mul(scale));
            let row = |m: &[f64; 3], v: &[S::F64x4; 3]| {
                splat(m[0]).mul(v[0]).add(splat(m[1]).mul(v[1])).add(splat(m[2]).mul(v[2]))
            };
            let t = [0, 1, 2].map(|i| row(&self.rotation[i], &b).add(splat(self.translation[i] - c[i])));
            let outer = [0, 1, 2].map(|i| t[i].abs().sub(row(&self.abs[i], &hb)).sub(splat(h[i] + self.slack)));
            let inner = [0, 1, 2].map(|j| {
                let n = &self.abs;
                let radius = n[0][j] * h[0] + n[1][j] * h[1] + n[2][j] * h[2] + self.slack;
                self.column::<S>(&self.rotation, j, &t).abs().sub(hb[j]).sub(splat(radius))
            });
            squared_bound::<S>(outer, inner)
        })
    }

    fn inner_scale(&self) -> f32 {
        self.scale as f32
    }
}

impl Gap {
    /// `Σ_i m_ij·v_i`.
    #[inline(always)]
    fn column<S: Simd>(&self, m: &[[f64; 3]; 3], j: usize, v: &[S::F64x4; 3]) -> S::F64x4 {
        let splat = S::F64x4::splat;
        splat(m[0][j]).mul(v[0]).add(splat(m[1][j]).mul(v[1])).add(splat(m[2][j]).mul(v[2]))
    }
}

/// The larger of the two sums of squares of what is positive.
#[inline(always)]
fn squared_bound<S: Simd>(outer: [S::F64x4; 3], inner: [S::F64x4; 3]) -> S::F64x4 {
    let sum = |g: [S::F64x4; 3]| {
        let [x, y, z] = g.map(|x| x.max(S::F64x4::splat(0.0)));
        x.mul(x).add(y.mul(y)).add(z.mul(z))
    };
    sum(outer).max(sum(inner))
}

/// Both halves of eight lanes.
#[inline(always)]
fn halves<F: F64x4>(f: impl Fn(usize) -> F) -> [f64; WIDTH] {
    let (low, high) = (f(0).array(), f(1).array());
    [low[0], low[1], low[2], low[3], high[0], high[1], high[2], high[3]]
}
