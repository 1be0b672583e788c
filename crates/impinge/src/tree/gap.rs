//! How far two oriented boxes are apart at least: the bound of the distance queries, eight at once, in `f64`.
//!
//! With `t` between the centres, `C_ij` the cosines between the axes of the two boxes, and `ha`, `hb` their half
//! extents, the gaps along the axes of one box bound the distance by their Euclidean length, because the other lies in
//! a box along these axes; so do the gaps along the axes of the other; and so does the gap along any
//! direction `n`. The bound, squared, is the largest:
//!
//! ```text
//!     g_i = max(0, |a_i·t| − ha_i − Σ_j |C_ij|·hb_j)    g'_j = max(0, |b_j·t| − hb_j − Σ_i |C_ij|·ha_i)
//!     g'' = max(0, n·t − Σ_i |a_i·n|·ha_i − Σ_j |b_j·n|·hb_j)
//!     bound² = max(Σ_i g_i², Σ_j g'_j², g''²)
//! ```
//!
//! With `n` between the closest points known so far the last one is the sharpest for bodies far apart, where the other
//! axes lie askew to the shortest way and lose by its slant.
//!
//! The boxes are stored in `f32`; the arithmetic is in `f64`, because far bodies' gaps differ in digits that `f32` does
//! not have, and a bound that cannot tell them apart would visit every pair.
//!
//! **Error.** The stored axes are orthonormal to `2⁻²²`: the sums of squares are reduced by `10⁻⁶`. The arithmetic is
//! off by some 60 roundings of `2⁻⁵³` of the largest term, which is at most `4 + |T|`: `2⁻⁴⁶` times that is taken off
//! every gap.

use glam::DVec3;

use super::WIDTH;
use super::descend::{Bounds, Frame, Metric};
use super::oriented::{Oriented, OrientedBox};
use crate::math::simd::{F64x4, Simd, axes};

/// Both trees' oriented boxes, and the maps between the trees' units.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Gap<'t> {
    outer: &'t [Oriented],
    inner: &'t [Oriented],
    to_outer: Frame,
    to_inner: Frame,
    /// From the outer body to the inner, in the frame of the outer.
    direction: DVec3,
}

impl<'t> Gap<'t> {
    /// `direction` leads from the outer body to the inner, in the outer's frame; it has length 1 or 0.
    pub(crate) fn new(outer: &'t [Oriented], inner: &'t [Oriented], to_outer: &Frame, direction: DVec3) -> Gap<'t> {
        Gap { outer, inner, to_outer: *to_outer, to_inner: to_outer.inverse(), direction }
    }
}

impl Metric for Gap<'_> {
    type Bound = f64;

    #[inline(always)]
    fn outer_children<S: Simd>(&self, node: usize, inner: usize, cutoff: f64) -> Bounds<f64> {
        let fixed = place(&self.to_outer, &self.inner[inner / WIDTH].slot(inner % WIDTH));
        bounds::<S>(&self.outer[node], &fixed, self.direction, slack(&self.to_outer), 1.0, cutoff)
    }

    #[inline(always)]
    fn inner_children<S: Simd>(&self, outer: usize, node: usize, cutoff: f64) -> Bounds<f64> {
        let fixed = place(&self.to_inner, &self.outer[outer / WIDTH].slot(outer % WIDTH));
        let scale = self.to_outer.scale;
        let direction = -self.to_inner.rotate(self.direction);
        bounds::<S>(&self.inner[node], &fixed, direction, slack(&self.to_inner), scale * scale, cutoff)
    }
}

fn slack(frame: &Frame) -> f64 {
    (4.0 + 4.0 * frame.scale + frame.reach()) / (1u64 << 46) as f64
}

/// The box in the other tree's units.
#[inline(always)]
fn place(to: &Frame, b: &OrientedBox) -> OrientedBox {
    OrientedBox {
        centre: to.rotate(b.centre * to.scale) + DVec3::from_array(to.translation),
        axes: axes!(j => to.rotate(b.axes[j])),
        half: b.half * to.scale,
    }
}

/// Squared bounds of the eight boxes of `node` against one box, to which `n` leads, times `unit2`.
#[inline(always)]
fn bounds<S: Simd>(node: &Oriented, fixed: &OrientedBox, n: DVec3, slack: f64, unit2: f64, cutoff: f64) -> Bounds<f64> {
    let low = half_bounds::<S>(node, 0, fixed, n, slack, unit2);
    let high = half_bounds::<S>(node, 1, fixed, n, slack, unit2);
    let cutoff = S::F64x4::splat(cutoff);
    let beyond = cutoff.lt(low) | cutoff.lt(high) << 4;
    let (l, h) = (low.array(), high.array());
    Bounds { bound: [l[0], l[1], l[2], l[3], h[0], h[1], h[2], h[3]], within: 0xff ^ beyond }
}

#[inline(always)]
fn half_bounds<S: Simd>(
    node: &Oriented,
    half: usize,
    fixed: &OrientedBox,
    n: DVec3,
    slack: f64,
    unit2: f64,
) -> S::F64x4 {
    let b = axes!(j => splat3::<S::F64x4>(fixed.axes[j]));
    let hb = splat3::<S::F64x4>(fixed.half);
    let x = axes!(i => S::F64x4::widen(&node.axes[0][i], half));
    let y = axes!(i => S::F64x4::widen(&node.axes[1][i], half));
    let a = [x, y, cross(x, y)];
    let ha = axes!(i => S::F64x4::widen(&node.half[i], half));
    let centre = splat3::<S::F64x4>(fixed.centre);
    let t = axes!(i => centre[i].sub(S::F64x4::widen(&node.centre[i], half)));
    let cosines = axes!(i => axes!(j => dot(a[i], b[j]).abs()));
    let slacks = S::F64x4::splat(slack);
    let mine = axes!(i => {
        dot(a[i], t).abs().sub(ha[i]).sub(dot(cosines[i], hb)).sub(slacks)
    });
    let theirs = axes!(j => {
        let column = [cosines[0][j], cosines[1][j], cosines[2][j]];
        dot(b[j], t).abs().sub(hb[j]).sub(dot(column, ha)).sub(slacks)
    });
    let fixed_radius = DVec3::from_array(axes!(j => fixed.axes[j].dot(n).abs())).dot(fixed.half);
    let n = splat3::<S::F64x4>(n);
    let radius = dot(axes!(i => dot(a[i], n).abs()), ha).add(S::F64x4::splat(fixed_radius + slack));
    let along = dot(n, t).sub(radius).max(S::F64x4::splat(0.0));
    squares(mine).max(squares(theirs)).max(along.mul(along)).mul(S::F64x4::splat(unit2 * (1.0 - 1e-6)))
}

#[inline(always)]
fn splat3<F: F64x4>(v: DVec3) -> [F; 3] {
    [F::splat(v.x), F::splat(v.y), F::splat(v.z)]
}

#[inline(always)]
fn dot<F: F64x4>(a: [F; 3], b: [F; 3]) -> F {
    a[0].mul(b[0]).add(a[1].mul(b[1])).add(a[2].mul(b[2]))
}

#[inline(always)]
fn cross<F: F64x4>(a: [F; 3], b: [F; 3]) -> [F; 3] {
    [a[1].mul(b[2]).sub(a[2].mul(b[1])), a[2].mul(b[0]).sub(a[0].mul(b[2])), a[0].mul(b[1]).sub(a[1].mul(b[0]))]
}

/// Sum of the squares of what is positive.
#[inline(always)]
fn squares<F: F64x4>(gaps: [F; 3]) -> F {
    let [x, y, z] = axes!(i => gaps[i].max(F::splat(0.0)));
    x.mul(x).add(y.mul(y)).add(z.mul(z))
}
