//! Are two oriented boxes apart? The test of the overlap queries: eight at once, in `f32`.
//!
//! Both trees stand still in their own frames, so every pair of boxes has the *same* relative rotation `R`, and what the
//! separating-axis test needs of it is computed once a query. With `t` the vector between the centres and `ha`, `hb` the
//! half extents, the boxes are apart when one of the six face normals separates them (notes §2.2, after van den Bergen,
//! *Efficient collision detection of complex deformable models using AABB trees*, JGT 2(4), 1997):
//!
//! ```text
//!     outer axis i:  |t_i|            > ha_i + Σ_j |R_ij|·hb_j
//!     inner axis j:  |Σ_i R_ij·t_i|   > hb_j + Σ_i |R_ij|·ha_i
//! ```
//!
//! The nine axes between edges are left out: they would drop a few more boxes in a hundred. The bound returned is the widest
//! gap along the six axes.
//!
//! **Error.** Coordinates are within ±1 and the inner scale is at most 1, so `t` and all radii stay below `4 + |T|`. About 40
//! roundings of `2⁻²⁴` go into one gap: [`Separation::SLACK`] times that magnitude, subtracted from every gap, covers them.

use super::descend::{Frame, Metric};
use super::{Node, Slot, WIDTH};
use crate::math::simd::{F32x8, Simd};

/// The shared rotation, ready for the test.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Separation {
    rotation: [[f32; 3]; 3],
    /// `scale·R`.
    scaled: [[f32; 3]; 3],
    /// `|scale·R|`, rounded up.
    scaled_abs: [[f32; 3]; 3],
    /// `|R|`, rounded up.
    abs: [[f32; 3]; 3],
    translation: [f32; 3],
    scale: f32,
    slack: f32,
}

impl Separation {
    /// `2⁻¹⁹`.
    const SLACK: f32 = 1.0 / 524_288.0;

    /// For frames whose translation is moderate: the caller has found the roots not to be apart.
    pub(crate) fn new(f: &Frame) -> Separation {
        let each = |g: &dyn Fn(f64) -> f32| f.rotation.map(|row| row.map(g));
        let up = |x: f64| (x.abs() as f32) * (1.0 + 1e-6) + 1e-6;
        Separation {
            rotation: each(&|x| x as f32),
            scaled: each(&|x| (x * f.scale) as f32),
            scaled_abs: each(&|x| up(x) * f.scale as f32),
            abs: each(&up),
            translation: f.translation.map(|x| x as f32),
            scale: f.scale as f32,
            slack: Separation::SLACK * (4.0 + f.reach() as f32),
        }
    }
}

impl Metric for Separation {
    type Bound = f32;

    #[inline(always)]
    fn outer_children<S: Simd>(&self, node: &Node, inner: &Slot) -> [f32; WIDTH] {
        let (c, h) = (&inner.centre, &inner.half);
        let splat = S::F32x8::splat;
        let a: [S::F32x8; 3] = node.centre.each_ref().map(S::F32x8::load);
        let ha: [S::F32x8; 3] = node.half.each_ref().map(S::F32x8::load);
        let mut gap = splat(f32::MIN);
        let mut t = [gap; 3];
        for i in 0..3 {
            let (m, n) = (&self.scaled[i], &self.scaled_abs[i]);
            let centre = m[0] * c[0] + m[1] * c[1] + m[2] * c[2] + self.translation[i];
            let radius = n[0] * h[0] + n[1] * h[1] + n[2] * h[2] + self.slack;
            t[i] = splat(centre).sub(a[i]);
            gap = gap.max(t[i].abs().sub(ha[i]).sub(splat(radius)));
        }
        for j in 0..3 {
            let r = |i: usize| splat(self.rotation[i][j]);
            let n = |i: usize| splat(self.abs[i][j]);
            let along = r(0).mul(t[0]).add(r(1).mul(t[1])).add(r(2).mul(t[2]));
            let radius = n(0).mul(ha[0]).add(n(1).mul(ha[1])).add(n(2).mul(ha[2]));
            gap = gap.max(along.abs().sub(radius).sub(splat(self.scale * h[j] + self.slack)));
        }
        gap.array()
    }

    #[inline(always)]
    fn inner_children<S: Simd>(&self, outer: &Slot, node: &Node) -> [f32; WIDTH] {
        let (c, h) = (&outer.centre, &outer.half);
        let splat = S::F32x8::splat;
        let b: [S::F32x8; 3] = node.centre.each_ref().map(S::F32x8::load);
        let hb: [S::F32x8; 3] = node.half.each_ref().map(S::F32x8::load);
        let mut gap = splat(f32::MIN);
        let mut t = [gap; 3];
        for i in 0..3 {
            let m = |j: usize| splat(self.scaled[i][j]);
            let n = |j: usize| splat(self.scaled_abs[i][j]);
            t[i] = m(0).mul(b[0]).add(m(1).mul(b[1])).add(m(2).mul(b[2])).add(splat(self.translation[i] - c[i]));
            let radius = n(0).mul(hb[0]).add(n(1).mul(hb[1])).add(n(2).mul(hb[2]));
            gap = gap.max(t[i].abs().sub(radius).sub(splat(h[i] + self.slack)));
        }
        for j in 0..3 {
            let r = |i: usize| splat(self.rotation[i][j]);
            let n = |i: usize| self.abs[i][j] * h[i];
            let along = r(0).mul(t[0]).add(r(1).mul(t[1])).add(r(2).mul(t[2]));
            let radius = splat(self.scale).mul(hb[j]).add(splat(n(0) + n(1) + n(2) + self.slack));
            gap = gap.max(along.abs().sub(radius));
        }
        gap.array()
    }

    fn inner_scale(&self) -> f32 {
        self.scale
    }
}
