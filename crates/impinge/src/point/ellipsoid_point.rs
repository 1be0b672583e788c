//! How far a point is from the surface of an ellipsoid.
//!
//! D. Eberly, *Distance from a point to an ellipse, an ellipsoid, or a hyperellipsoid*, 2013: with radii `rᵢ` and the
//! point at `yᵢ ≥ 0`, the nearest point is `xᵢ = rᵢ²yᵢ/(t + rᵢ²)` for the greatest root `t` of `G(t) = Σ (xᵢ/rᵢ)² = 1`.
//! Here `s = t + r²`, with `r` the least radius, takes the place of `t`, so that the denominators `s + (rᵢ² − r²)` have
//! no cancellation near the pole. Where the point lies in the plane across the least axis, near the middle, there is no
//! root: the nearest points are off that plane, one on either side, at `s = 0`.
//!
//! The root is between `max(rᵢyᵢ − (rᵢ² − r²))` and `|(rᵢyᵢ)|`, which are kept as a bracket. `1/√G` is nearly a
//! straight line of `s`, as in trust regions (J. Moré and D. Sorensen, *Computing a trust region step*, 1983);
//! Newton's steps on it approach the root in a few steps, and bisection by exponents helps where the pole is far off.
//!
//! **Error.** All terms of `G` are positive, so it is off by some dozen roundings of itself; ends of the bracket are
//! proven by values that differ from 1 by more. The distance `|t|·√Σ(yᵢ/(t + rᵢ²))²` falls or grows with `s` all the
//! way on each side, so the ends of the bracket give ends of the distance.

use glam::DVec3;

use super::signed_gap::FormGap;
use crate::answer::Element;
use crate::math::{EPS, normalising_scale};

/// The most steps; a bracket halved as often in its exponent is as narrow as rounding.
const MOST_STEPS: usize = 96;

/// How far from 1 a value of `G` proves on which side of the root it is taken.
const SURE: f64 = 64.0 * EPS;

struct Secular {
    /// `rᵢyᵢ`.
    weight: [f64; 3],
    /// `rᵢ² − r²`.
    shift: [f64; 3],
}

impl Secular {
    /// `G` and its derivative.
    fn at(&self, s: f64) -> [f64; 2] {
        let mut sum = [0.0; 2];
        for (weight, shift) in self.weight.into_iter().zip(self.shift) {
            if weight > 0.0 {
                let (below, term) = (s + shift, weight / (s + shift));
                sum[0] += term * term;
                sum[1] -= 2.0 * term * term / below;
            }
        }
        sum
    }

    /// Ends between which the root is; both 0 where there is none above 0.
    fn root(&self) -> [f64; 2] {
        let [x, y, z] = self.weight;
        let mut lower = (0..3).fold(0.0f64, |most, i| most.max(self.weight[i] - self.shift[i]));
        let mut upper = DVec3::new(x, y, z).length() * (1.0 + SURE);
        if lower == 0.0 && self.at(0.0)[0] <= 1.0 {
            return [0.0; 2];
        }
        lower *= 1.0 - SURE;
        let mut s = lower;
        for step in 0..MOST_STEPS {
            let [value, slope] = self.at(s);
            if value > 1.0 + SURE {
                lower = lower.max(s);
            } else if value < 1.0 - SURE {
                upper = upper.min(s);
            } else {
                // As near as rounding lets it: a little to both sides is proof.
                let aside = 4.0 * SURE * (value / -slope).max(EPS * s);
                if self.at(s - aside)[0] > 1.0 + SURE {
                    lower = lower.max(s - aside);
                }
                if self.at(s + aside)[0] < 1.0 - SURE {
                    upper = upper.min(s + aside);
                }
                break;
            }
            if upper - lower <= 4.0 * EPS * upper {
                break;
            }
            let newton = s + 2.0 * (value / -slope) * (value.sqrt() - 1.0);
            let inside = newton > lower && newton < upper && newton.is_finite();
            let middle = if lower > 0.0 { lower.sqrt() * upper.sqrt() } else { 0.5 * upper };
            s = if inside && step % 4 < 3 { newton } else { middle.clamp(lower, upper) };
        }
        [lower, upper]
    }
}

/// Where the point is.
pub(super) fn ellipsoid(radii: DVec3, at: DVec3) -> FormGap {
    // In a unit in which squares neither vanish nor overflow.
    let scale = normalising_scale(radii.max_element().max(at.abs().max_element()));
    let (r, y) = (radii * scale, at.abs() * scale);
    let least = r.min_element();
    let (r, y) = (r.to_array(), y.to_array());
    let secular =
        Secular { weight: [0, 1, 2].map(|i| r[i] * y[i]), shift: [0, 1, 2].map(|i| (r[i] - least) * (r[i] + least)) };
    let ends = secular.root();
    let distances = ends.map(|s| distance(&r, &y, least, s));
    let s = 0.5 * (ends[0] + ends[1]);
    let mut foot = [0, 1, 2].map(|i| if y[i] > 0.0 { r[i] * secular.weight[i] / (s + secular.shift[i]) } else { 0.0 });
    let rest = |foot: &[f64; 3]| 1.0 - (0..3).map(|i| (foot[i] / r[i]).powi(2)).sum::<f64>();
    let axis = (0..3).find(|i| r[*i] == least).unwrap_or(0);
    let mut inside = s < least * least;
    let mut middle = 0.5 * (distances[0] + distances[1]);
    let mut spread = 0.5 * (distances[0] - distances[1]).abs();
    if (ends[0] < least * least) != (ends[1] < least * least) {
        spread += middle;
    }
    if ends[1] == 0.0 {
        // Off the plane across a least axis.
        foot[axis] = 0.0;
        foot[axis] = least * rest(&foot).max(0.0).sqrt();
        (inside, spread) = (true, 0.0);
        middle = DVec3::from_array(foot).distance(DVec3::from_array(y));
    }
    let size = 1.0 + middle;
    let noise = (spread + 64.0 * EPS * size) / scale;
    let foot = DVec3::from_array(foot) / scale;
    let foot = foot.copysign(at);
    let normal = foot / radii * (radii.min_element() / radii);
    let out = normal.normalize_or(DVec3::AXES[axis]);
    let distance = middle / scale * if inside { -1.0 } else { 1.0 };
    FormGap { distance, noise, foot, out, element: Element::Surface }
}

/// The distance of the point from its foot at `s`.
fn distance(r: &[f64; 3], y: &[f64; 3], least: f64, s: f64) -> f64 {
    let t = (s - least * least).abs();
    let part = |i: usize| if y[i] > 0.0 { y[i] * t / (s + (r[i] - least) * (r[i] + least)) } else { 0.0 };
    DVec3::new(part(0), part(1), part(2)).length()
}
