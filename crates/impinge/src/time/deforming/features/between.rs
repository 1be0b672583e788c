//! The vector between two features whose points move straight, and the box around its values over a cell.
//!
//! With the time `t`, and the parameters `u` and `v` of the points on the features (Wang et al. 2021, §3):
//!
//! ```text
//!     F(t, u, v) = d₀(t) + u·d₁(t) + v·d₂(t),    dᵢ(t) = (1 − t)·dᵢ(0) + t·dᵢ(1)
//!     vertex p, face abc:   d₀ = p − a,  d₁ = a − b,  d₂ = a − c,    u, v ≥ 0, u + v ≤ 1
//!     edges ab and cd:      d₀ = a − c,  d₁ = b − a,  d₂ = c − d,    0 ≤ u, v ≤ 1
//! ```
//!
//! Both have the same form, affine in `t`, in `u` and in `v`. The features meet where it is 0, in any frame. The frame
//! here is scaled by a power of two to a size of 1, and turned so that its third axis is normal to both features at `t
//! = ½`.
//!
//! **Error.** With `ε = 2⁻⁵³`: coordinates of `dᵢ` are at most 1 and have one rounding error, rows of the frame have
//! length 1, and `t`, `u`, `v`, `1 − t` are exact. A turned coordinate is at most `√3` and off by `√3·(1 + 3)·ε`; at
//! `t` by `√3·6·ε`; three of them by `√3·18·ε`; two products and two sums add `√3·(2 + 2 + 3)·ε`. [`ERROR`] is above
//! that.

use glam::{DMat3, DVec3};

use super::encounter::FeatureEncounter;
use crate::math::{EPS, normalising_scale};

/// Bound on the error of a coordinate.
pub(crate) const ERROR: f64 = 64.0 * EPS;

/// Three coordinates and a zero, to fill a SIMD register.
pub(crate) type PaddedVector = [f64; LANES];
const LANES: usize = 4;

/// A box of time and of both parameters, by its least corner and its widths: dyadic numbers, so all exact.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ParameterCell {
    pub(crate) at: [f64; 3],
    pub(crate) width: [f64; 3],
    /// The longest side of the box around its image.
    pub(crate) image: f64,
    /// The longest of those sides that are more than half due to the change with time.
    pub(crate) image_by_time: f64,
}

/// The vector between the features of an encounter, in the frame of the search.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Between {
    /// `ends[i][s]` is `dᵢ(s)`.
    pub(crate) ends: [[PaddedVector; 2]; 3],
    /// How far one unit of each parameter moves the vector at most, in any coordinate.
    pub(crate) reach: [f64; 3],
    pub(crate) is_face: bool,
    /// The power of two by which the vector is scaled.
    pub(crate) scale: f64,
}

impl Between {
    pub(crate) fn of(encounter: &FeatureEncounter) -> Between {
        let [p, q, r, s] = &encounter.points;
        let at = |k: usize| match encounter.is_face {
            true => [p[k] - q[k], q[k] - r[k], q[k] - s[k]],
            false => [p[k] - r[k], q[k] - p[k], r[k] - s[k]],
        };
        let d = [at(0), at(1)];
        let size = d.iter().flatten().fold(DVec3::ZERO, |most, d| most.max(d.abs())).max_element();
        let scale = normalising_scale(size);
        let d = d.map(|d| d.map(|d| d * scale));
        let frame = frame(&d);
        let turned = |d: DVec3| {
            let [x, y, z] = (frame * d).to_array();
            [x, y, z, 0.0]
        };
        let ends: [[PaddedVector; 2]; 3] = [0, 1, 2].map(|i| [0, 1].map(|s| turned(d[s][i])));
        let most = |v: &PaddedVector| v.iter().fold(0.0, |most, x| greatest(most, x.abs()));
        let along = |i: usize| greatest(most(&ends[i][0]), most(&ends[i][1]));
        let travel = |u: f64, v: f64| {
            let by = |i: usize, k: usize| ends[i][1][k] - ends[i][0][k];
            most(&std::array::from_fn(|k| by(0, k) + u * by(1, k) + v * by(2, k)))
        };
        let far = if encounter.is_face { 0.0 } else { travel(1.0, 1.0) };
        let time = [travel(0.0, 0.0), travel(1.0, 0.0), travel(0.0, 1.0), far].into_iter().fold(0.0, greatest);
        Between { ends, reach: [time, along(1), along(2)], is_face: encounter.is_face, scale }
    }

    /// The cell, unless some coordinate is farther than `around` from 0 in all of it.
    #[inline(always)]
    pub(crate) fn cell(&self, at: [f64; 3], width: [f64; 3], around: f64) -> Option<ParameterCell> {
        let [t, u, v] = at;
        let mut high = [u + width[1], v + width[2]];
        if self.is_face {
            if u + v > 1.0 {
                return None;
            }
            high = [least(high[0], 1.0 - v), least(high[1], 1.0 - u)];
        }
        let [from, to] = [t, t + width[0]].map(|t| self.range(t, [u, v], high));
        let (mut image, mut image_by_time, mut apart) = (0.0, 0.0, false);
        for k in 0..LANES {
            let (low, high) = (least(from[0][k], to[0][k]), greatest(from[1][k], to[1][k]));
            apart |= low > around || high < -around;
            image = greatest(image, high - low);
            let still = greatest(from[1][k] - from[0][k], to[1][k] - to[0][k]);
            image_by_time = if high - low > 2.0 * still { greatest(image_by_time, high - low) } else { image_by_time };
        }
        (!apart).then_some(ParameterCell { at, width, image, image_by_time })
    }

    /// The least and greatest values of each coordinate at one time.
    #[inline(always)]
    fn range(&self, t: f64, low: [f64; 2], high: [f64; 2]) -> [PaddedVector; 2] {
        let (mut lower, mut upper) = ([0.0; LANES], [0.0; LANES]);
        for k in 0..LANES {
            let [d0, d1, d2] = self.at(t, k);
            let (u0, u1) = (low[0] * d1, high[0] * d1);
            let (v0, v1) = (low[1] * d2, high[1] * d2);
            lower[k] = d0 + least(u0, u1) + least(v0, v1);
            upper[k] = d0 + greatest(u0, u1) + greatest(v0, v1);
        }
        [lower, upper]
    }

    /// `dᵢ(t)`, one coordinate.
    #[inline(always)]
    pub(crate) fn at(&self, t: f64, k: usize) -> [f64; 3] {
        let d = &self.ends;
        [0, 1, 2].map(|i| (1.0 - t) * d[i][0][k] + t * d[i][1][k])
    }
}

#[inline(always)]
fn least(x: f64, y: f64) -> f64 {
    if x < y { x } else { y }
}

#[inline(always)]
fn greatest(x: f64, y: f64) -> f64 {
    if x > y { x } else { y }
}

/// Three rows of length 1 at right angles, up to rounding: the third is normal to both features at half time, the first
/// is along the longer one. The search is correct with any frame.
fn frame(d: &[[DVec3; 3]; 2]) -> DMat3 {
    let [from, e1, e2] = [0, 1, 2].map(|i| d[0][i] + d[1][i]);
    let longer = if e1.length_squared() > e2.length_squared() { e1 } else { e2 };
    let Some(x) = longer.try_normalize() else { return DMat3::IDENTITY };
    // Features in one line have many normals: the one along which they approach separates them best.
    let across = |v: DVec3| v - x * x.dot(v);
    let is_usable = |v: &DVec3| v.length_squared() > 1e-20;
    let candidates = [e1.cross(e2), across(d[1][0] - d[0][0]), across(from)];
    let Some(z) = candidates.into_iter().find(is_usable).and_then(|normal| across(normal).try_normalize()) else {
        return DMat3::IDENTITY;
    };
    DMat3::from_cols(x, z.cross(x), z).transpose()
}
