//! Whether oriented boxes are apart: the test of the overlap queries, eight boxes at once, in `f32`.
//!
//! Both trees stand still in their own frames, so every pair of boxes has the *same* relative rotation `R`, and what
//! the separating-axis test needs of it is computed once a query. With `t` the vector between the centres and `ha`,
//! `hb` the half extents, the boxes are apart when one of the six face normals separates them (after van
//! den Bergen, *Efficient collision detection of complex deformable models using AABB trees*, JGT 2(4), 1997):
//!
//! ```text
//!     outer axis i:  |t_i|            > ha_i + Σ_j |R_ij|·hb_j
//!     inner axis j:  |Σ_i R_ij·t_i|   > hb_j + Σ_i |R_ij|·ha_i
//! ```
//!
//! The nine axes between edges are left out: they would drop a few more boxes in a hundred. The bound returned is the
//! widest gap along the six axes.
//!
//! A body that is *swept*, from `−y` to `y` about where it stands (Xavier 1997, §2.2), reaches `|y_i|` farther along an
//! outer axis and `|Σ_i R_ij·y_i|` along an inner one, whichever box it is: constants of the query.
//!
//! **Error.** Coordinates are within ±1 and the inner scale is at most 1, so `t` and all radii stay below
//! `4 + |T| + |y|₁`.
//! About 40 roundings of `2⁻²⁴` go into one gap: [`Separation::SLACK`] times that magnitude, subtracted from every gap,
//! covers them.

use super::descend::{ChildBounds, Metric, TreeFrame};
use crate::math::simd::{F32x8, Simd, Vector, axes};
use crate::tree::nodes::{Tree, TreeNode, WIDTH};

/// Both trees' boxes, and the shared rotation, ready for the test.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Separation<'t> {
    outer: &'t [TreeNode],
    inner: &'t [TreeNode],
    rotation: [[f32; 3]; 3],
    /// `scale·R`.
    scaled: [[f32; 3]; 3],
    /// `|scale·R|`, rounded up.
    scaled_abs: [[f32; 3]; 3],
    /// `|R|`, rounded up.
    abs: [[f32; 3]; 3],
    translation: [f32; 3],
    scale: f32,
    /// What comes off the gaps along the outer and the inner axes: the sweep and the rounding.
    outer_slack: [f32; 3],
    inner_slack: [f32; 3],
}

impl<'t> Separation<'t> {
    /// `2⁻¹⁹`.
    const SLACK: f32 = 1.0 / 524_288.0;

    /// `None` when the roots are apart, computed in `f64`; so where `f32` is used the translation is of moderate size.
    pub(crate) fn new(outer: &'t Tree, inner: &'t Tree, f: &TreeFrame) -> Option<Separation<'t>> {
        let apart = Separation::are_roots_apart(outer, inner, f, [0.0; 3], 0.0);
        (!apart).then(|| Separation::swept(outer, inner, f, [0.0; 3]))
    }

    /// For roots that are not apart, with one body swept from `−sweep` to `sweep`, in the outer tree's frame and unit.
    /// The longer the sweep, the fewer boxes are found apart: see the slack.
    pub(crate) fn swept(outer: &'t Tree, inner: &'t Tree, f: &TreeFrame, sweep: [f64; 3]) -> Separation<'t> {
        let way = sweep[0].abs() + sweep[1].abs() + sweep[2].abs();
        let slack = Separation::SLACK * (4.0 + (f.reach() + way) as f32);
        let along = |y: f64| slack + y.abs() as f32;
        let each = |g: &dyn Fn(f64) -> f32| f.rotation.map(|row| row.map(g));
        let up = |x: f64| (x.abs() as f32) * (1.0 + 1e-6) + 1e-6;
        Separation {
            outer: &outer.nodes,
            inner: &inner.nodes,
            rotation: each(&|x| x as f32),
            scaled: each(&|x| (x * f.scale) as f32),
            scaled_abs: each(&|x| up(x) * f.scale as f32),
            abs: each(&up),
            translation: f.translation.map(|x| x as f32),
            scale: f.scale as f32,
            outer_slack: axes!(i => along(sweep[i])),
            inner_slack: axes!(j => {
                along(f.rotation[0][j] * sweep[0] + f.rotation[1][j] * sweep[1] + f.rotation[2][j] * sweep[2])
            }),
        }
    }

    /// Whether one of the six axes has more than `enough`, and rounding in `f64`, between the boxes of two bodies, with
    /// one of them swept from `−sweep` to `sweep`, in the outer tree's frame and unit.
    pub(crate) fn are_roots_apart(outer: &Tree, inner: &Tree, f: &TreeFrame, sweep: [f64; 3], enough: f64) -> bool {
        let (outer, inner) = (outer.nodes[0].slot(0), inner.nodes[0].slot(0));
        let wide = |x: [f32; 3]| x.map(f64::from);
        let (c, ha) = (wide(outer.centre), wide(outer.half));
        let (b, hb) = (wide(inner.centre).map(|x| x * f.scale), wide(inner.half).map(|x| x * f.scale));
        let row = |m: &[f64; 3], v: &[f64; 3]| m[0] * v[0] + m[1] * v[1] + m[2] * v[2];
        let t = [0, 1, 2].map(|i| row(&f.rotation[i], &b) + f.translation[i] - c[i]);
        let slack = 1e-14 * (4.0 + f.reach() + sweep.iter().fold(0.0, |sum, y| sum + y.abs())) + enough * (1.0 + 1e-14);
        (0..3).any(|k| {
            let line = f.rotation[k].map(f64::abs);
            let column = f.rotation.map(|r| r[k]);
            t[k].abs() > ha[k] + row(&line, &hb) + slack + sweep[k].abs()
                || row(&column, &t).abs() > hb[k] + row(&column.map(f64::abs), &ha) + slack + row(&column, &sweep).abs()
        })
    }
}

impl Metric for Separation<'_> {
    type Bound = f32;

    #[inline(always)]
    fn outer_children<S: Simd>(&self, node: usize, inner: usize, cutoff: f32) -> ChildBounds<f32> {
        let (node, inner) = (&self.outer[node], self.inner[inner / WIDTH].slot(inner % WIDTH));
        let (c, h) = (&inner.centre, &inner.half);
        let a = axes!(i => S::F32x8::load(&node.centre[i]));
        let ha = axes!(i => S::F32x8::load(&node.half[i]));
        let centre = axes!(i => dot(&self.scaled[i], c) + self.translation[i]);
        let t = axes!(i => S::F32x8::splat(centre[i]).sub(a[i]));
        let outer = axes!(i => {
            let radius = dot(&self.scaled_abs[i], h) + self.outer_slack[i];
            t[i].abs().sub(ha[i]).sub(S::F32x8::splat(radius))
        });
        let inner = axes!(j => {
            let radius = column(&self.abs, j, ha).add(S::F32x8::splat(self.scale * h[j] + self.inner_slack[j]));
            column(&self.rotation, j, t).abs().sub(radius)
        });
        widest(outer, inner, cutoff)
    }

    #[inline(always)]
    fn inner_children<S: Simd>(&self, outer: usize, node: usize, cutoff: f32) -> ChildBounds<f32> {
        let (outer, node) = (self.outer[outer / WIDTH].slot(outer % WIDTH), &self.inner[node]);
        let (c, h) = (&outer.centre, &outer.half);
        let b = axes!(j => S::F32x8::load(&node.centre[j]));
        let hb = axes!(j => S::F32x8::load(&node.half[j]));
        let t = axes!(i => row(&self.scaled[i], b).add(S::F32x8::splat(self.translation[i] - c[i])));
        let outer = axes!(i => {
            let radius = row(&self.scaled_abs[i], hb).add(S::F32x8::splat(h[i] + self.outer_slack[i]));
            t[i].abs().sub(radius)
        });
        let inner = axes!(j => {
            let (n, scale) = (&self.abs, S::F32x8::splat(self.scale));
            let mine = n[0][j] * h[0] + n[1][j] * h[1] + n[2][j] * h[2] + self.inner_slack[j];
            column(&self.rotation, j, t).abs().sub(scale.mul(hb[j]).add(S::F32x8::splat(mine)))
        });
        widest(outer, inner, cutoff)
    }
}

#[inline(always)]
fn dot(m: &[f32; 3], v: &[f32; 3]) -> f32 {
    m[0] * v[0] + m[1] * v[1] + m[2] * v[2]
}

/// `Σ_j m_j·v_j`.
#[inline(always)]
fn row<F: F32x8>(m: &[f32; 3], v: [F; 3]) -> F {
    F::splat(m[0]).mul(v[0]).add(F::splat(m[1]).mul(v[1])).add(F::splat(m[2]).mul(v[2]))
}

/// `Σ_i m_ij·v_i`.
#[inline(always)]
fn column<F: F32x8>(m: &[[f32; 3]; 3], j: usize, v: [F; 3]) -> F {
    row(&[m[0][j], m[1][j], m[2][j]], v)
}

#[inline(always)]
fn widest<F: F32x8>(outer: [F; 3], inner: [F; 3], cutoff: f32) -> ChildBounds<f32> {
    let [a, b, c] = axes!(i => outer[i].max(inner[i]));
    let gap = a.max(b).max(c);
    ChildBounds { bound: gap.array(), within: gap.le(F::splat(cutoff)) }
}
