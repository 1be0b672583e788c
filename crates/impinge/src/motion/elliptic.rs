//! Jacobi's amplitude and the elliptic integrals of the first and the third kind: what the free rotation of a rigid
//! body is made of.
//!
//! The amplitude by the arithmetic-geometric mean and Landen's descending transformation (Abramowitz and Stegun, 16.4);
//! the integrals by duplication (B. C. Carlson, *Numerical computation of real or complex elliptic integrals*, 1995, as
//! in DLMF 19.36). All for the parameter `m = k²` in `[0, 1)`, given by its complement `m₁ = 1 − m`, so that nothing is
//! lost near `m = 1`, and for `n ≤ 0`, where the integral of the third kind has no pole.
//!
//! Cost: both converge by a factor per step that is fixed in advance; steps are counted and capped.

use std::f64::consts::{FRAC_PI_2, PI};

/// Steps of the mean; it has converged after 8 for every `m₁` above 2⁻⁵².
const MEANS: usize = 10;
/// Duplications; each divides the spread of the arguments by 4.
const DUPLICATIONS: usize = 40;

/// The functions of one parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Elliptic {
    m1: f64,
    /// The ratios `c_k/a_k`.
    ratios: [f64; MEANS],
    /// The common limit of the means.
    mean: f64,
}

impl Elliptic {
    /// For the complement `m₁` of the parameter, brought into `[2⁻⁵², 1]`.
    pub(super) fn new(m1: f64) -> Elliptic {
        let m1 = if m1 > f64::EPSILON { m1.min(1.0) } else { f64::EPSILON };
        let (mut a, mut b) = (1.0_f64, m1.sqrt());
        let mut ratios = [0.0; MEANS];
        for ratio in &mut ratios {
            let c = 0.5 * (a - b);
            (a, b) = (0.5 * (a + b), (a * b).sqrt());
            *ratio = c / a;
        }
        Elliptic { m1, ratios, mean: a }
    }

    /// `m₁`.
    pub(super) fn complement(&self) -> f64 {
        self.m1
    }

    /// `K`: the integral of the first kind up to a quarter turn.
    pub(super) fn quarter(&self) -> f64 {
        FRAC_PI_2 / self.mean
    }

    /// Splits `u` into half periods of `2K` and the rest within `±K`.
    fn split(&self, u: f64) -> (f64, f64) {
        let half = 2.0 * self.quarter();
        let whole = (u / half).round();
        (whole, u - whole * half)
    }

    /// The amplitude `φ` with `u = F(φ)`.
    pub(super) fn amplitude(&self, u: f64) -> f64 {
        let (whole, rest) = self.split(u);
        let mut phi = self.mean * rest * f64::from(1u32 << MEANS);
        for &ratio in self.ratios.iter().rev() {
            phi = 0.5 * (phi + (ratio * phi.sin()).asin());
        }
        whole * PI + phi
    }

    /// `1 − m sin²φ`.
    fn delta(&self, sine: f64, cosine: f64) -> f64 {
        cosine * cosine + self.m1 * sine * sine
    }

    /// The integral of the first kind, `F(φ)`, for `φ` within a half turn.
    pub(super) fn first(&self, phi: f64) -> f64 {
        let whole = (phi / PI).round();
        let (sine, cosine) = (phi - whole * PI).sin_cos();
        2.0 * whole * self.quarter() + sine * carlson_first(cosine * cosine, self.delta(sine, cosine), 1.0)
    }

    /// The integral of the third kind as a function of `u`: `∫₀ᵘ du / (1 − n sn²u)`, `n ≤ 0`.
    pub(super) fn third(&self, n: f64, u: f64) -> f64 {
        let part = |phi: f64| {
            let (sine, cosine) = phi.sin_cos();
            let [x, y, p] = [cosine * cosine, self.delta(sine, cosine), 1.0 - n * sine * sine];
            n / 3.0 * sine.powi(3) * carlson_third(x, y, 1.0, p)
        };
        let (whole, rest) = self.split(u);
        let complete = if whole == 0.0 { 0.0 } else { whole * part(FRAC_PI_2) };
        u + 2.0 * complete + part(self.amplitude(rest))
    }
}

/// `R_F(x, y, z)`, DLMF 19.36.1.
fn carlson_first(mut x: f64, mut y: f64, mut z: f64) -> f64 {
    let mut mean = (x + y + z) / 3.0;
    for _ in 0..DUPLICATIONS {
        if (mean - x).abs().max((mean - y).abs()).max((mean - z).abs()) < 2e-3 * mean {
            break;
        }
        let lambda = (x * y).sqrt() + (x * z).sqrt() + (y * z).sqrt();
        [x, y, z] = [x, y, z].map(|v| 0.25 * (v + lambda));
        mean = (x + y + z) / 3.0;
    }
    let [dx, dy] = [1.0 - x / mean, 1.0 - y / mean];
    let dz = -(dx + dy);
    let (e2, e3) = (dx * dy - dz * dz, dx * dy * dz);
    let series = 1.0 - e2 / 10.0 + e3 / 14.0 + e2 * e2 / 24.0 - 3.0 * e2 * e3 / 44.0 - 5.0 * e2.powi(3) / 208.0
        + 3.0 * e3 * e3 / 104.0;
    series / mean.sqrt()
}

/// `R_J(x, y, z, p)`, DLMF 19.36.2, for `p ≥ x, y, z`: then the `R_C` of each step is an arc tangent.
fn carlson_third(mut x: f64, mut y: f64, mut z: f64, mut p: f64) -> f64 {
    let mut delta = (p - x) * (p - y) * (p - z);
    let (mut sum, mut scale) = (0.0, 1.0);
    let mean = |x: f64, y: f64, z: f64, p: f64| (x + y + z + 2.0 * p) / 5.0;
    for _ in 0..DUPLICATIONS {
        let m = mean(x, y, z, p);
        if [x, y, z, p].iter().all(|v| (m - v).abs() < 2e-3 * m) {
            break;
        }
        let [rx, ry, rz, rp] = [x, y, z, p].map(f64::sqrt);
        let d = (rp + rx) * (rp + ry) * (rp + rz);
        sum += scale / d * arc_ratio(delta / (d * d));
        let lambda = rx * ry + rx * rz + ry * rz;
        [x, y, z, p] = [x, y, z, p].map(|v| 0.25 * (v + lambda));
        scale *= 0.25;
        delta /= 64.0;
    }
    let m = mean(x, y, z, p);
    let [dx, dy, dz] = [x, y, z].map(|v| 1.0 - v / m);
    let dp = -0.5 * (dx + dy + dz);
    let all = dx * dy * dz;
    let e2 = dx * dy + dx * dz + dy * dz - 3.0 * dp * dp;
    let e3 = all + 2.0 * e2 * dp + 4.0 * dp.powi(3);
    let e4 = (2.0 * all + e2 * dp + 3.0 * dp.powi(3)) * dp;
    let e5 = all * dp * dp;
    let series = 1.0 - 3.0 * e2 / 14.0 + e3 / 6.0 + 9.0 * e2 * e2 / 88.0 - 3.0 * e4 / 22.0 - 9.0 * e2 * e3 / 52.0
        + 3.0 * e5 / 26.0;
    scale * series / (m * m.sqrt()) + 6.0 * sum
}

/// `R_C(1, 1 + e) = atan(√e)/√e`, for `e ≥ 0`.
fn arc_ratio(e: f64) -> f64 {
    let root = e.max(0.0).sqrt();
    if root < 1e-4 { 1.0 - e / 3.0 + e * e / 5.0 } else { root.atan() / root }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gauss-Legendre with 5 points on each of many parts.
    fn quadrature(f: impl Fn(f64) -> f64, to: f64) -> f64 {
        const NODES: [(f64, f64); 3] = [
            (0.0, 0.568_888_888_888_888_9),
            (0.538_469_310_105_683_1, 0.478_628_670_499_366_5),
            (0.906_179_845_938_664, 0.236_926_885_056_189_1),
        ];
        let parts = 4000;
        let half = 0.5 * to / f64::from(parts);
        (0..parts)
            .map(|k| {
                let middle = half * f64::from(2 * k + 1);
                let [centre, near, far] = NODES.map(|(x, w)| w * (f(middle + x * half) + f(middle - x * half)));
                (0.5 * centre + near + far) * half
            })
            .sum()
    }

    #[test]
    fn integrals_agree_with_quadrature() {
        for m in [0.0, 1e-9, 0.1, 0.5, 0.9, 0.999] {
            let elliptic = Elliptic::new(1.0 - m);
            for phi in [0.0, 0.1, 0.7, 1.5, 1.57, 2.2, 3.1, -0.4, -3.0] {
                let root = |x: f64| (1.0 - m * x.sin().powi(2)).sqrt();
                let u = quadrature(|x| 1.0 / root(x), phi);
                assert!((elliptic.first(phi) - u).abs() < 1e-12 * (1.0 + u.abs()), "F({phi}|{m})");
                assert!((elliptic.amplitude(u) - phi).abs() < 1e-11, "am({u}|{m}) is {}", elliptic.amplitude(u));
                for n in [0.0, -1e-6, -0.3, -1.0, -20.0, -1e4] {
                    let third = quadrature(|x| 1.0 / ((1.0 - n * x.sin().powi(2)) * root(x)), phi);
                    let error = (elliptic.third(n, u) - third).abs();
                    assert!(error < 1e-11 * (1.0 + u.abs()), "Pi({n}; {phi}|{m}) is off by {error:e}");
                }
            }
        }
    }

    /// Near the separatrix the quarter period is ln(4/√m₁).
    #[test]
    fn the_quarter_grows_as_a_logarithm() {
        for m1 in [1e-8_f64, 1e-12, f64::EPSILON] {
            assert!((Elliptic::new(m1).quarter() - (4.0 / m1.sqrt()).ln()).abs() < 1e-6);
        }
        assert!(Elliptic::new(0.0).amplitude(1e6).is_finite());
    }
}
