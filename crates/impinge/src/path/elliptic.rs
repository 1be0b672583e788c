//! Jacobi's functions sn, cn and dn and the elliptic integrals of the first and the third kind, which describe the free
//! rotation of a rigid body.
//!
//! The functions by Landen's descending transformation (Abramowitz and Stegun, 16.12): with `k₁ = (1 − k′)/(1 + k′)`
//! and `s, c, d` those of `u/(1 + k₁)` for the modulus `k₁`,
//!
//! ```text
//!     sn : cn = (1 + k₁)·s : c·d,   sn² + cn² = 1,   dn² = cn² + k′²·sn²
//! ```
//!
//! without a difference, so that cn and dn keep all their digits where they are small, as they are most of the time
//! near `m = 1`. An amplitude would lose them: its cosine is that of an angle close to a quarter turn. For the same
//! reason sums of arguments are taken of the functions ([`Elliptic::sum`]), not of the arguments.
//!
//! The integrals by duplication (B. C. Carlson, *Numerical computation of real or complex elliptic integrals*, 1995, as
//! in DLMF 19.36), from sn, cn and dn. All for the parameter `m = k²` in `[0, 1)`, given by its complement
//! `m₁ = 1 − m`, so that nothing is lost near `m = 1`, and for `n ≤ 0`, where the integral of the third kind has no
//! pole.
//!
//! Cost: both series converge at a rate that is known beforehand; steps are counted and capped.

use std::f64::consts::FRAC_PI_2;

/// Steps of the transformation; the modulus is 0 after 13 for every `m₁` above [`LEAST`].
const STEPS: usize = 14;
/// The least complement: below it the motion stays on the separatrix for longer than floating-point times last.
const LEAST: f64 = 1e-200;
/// Duplications; each divides the spread of the arguments by 4.
const DUPLICATIONS: usize = 40;

/// sn, cn and dn of one argument.
pub(crate) type Functions = [f64; 3];

/// The functions of one parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Elliptic {
    m1: f64,
    /// `k₁` and `k′` of each step.
    moduli: [[f64; 2]; STEPS],
    /// The arithmetic-geometric mean of 1 and `k′`.
    mean: f64,
}

impl Elliptic {
    /// For the complement `m₁` of the parameter, brought into `[1e-200, 1]`.
    pub(crate) fn new(m1: f64) -> Elliptic {
        let m1 = if m1 > LEAST { m1.min(1.0) } else { LEAST };
        let (mut a, mut b) = (1.0_f64, m1.sqrt());
        let mut moduli = [[0.0, 1.0]; STEPS];
        for step in &mut moduli {
            *step = [(a - b) / (a + b), b / a];
            (a, b) = (0.5 * (a + b), (a * b).sqrt());
        }
        Elliptic { m1, moduli, mean: a }
    }

    /// `K`: the integral of the first kind up to a quarter turn.
    pub(crate) fn quarter(&self) -> f64 {
        FRAC_PI_2 / self.mean
    }

    /// Splits `u` into half periods of `2K`, whether these are odd, and the rest within `±K`.
    fn split(&self, u: f64) -> (f64, bool, f64) {
        let half = 2.0 * self.quarter();
        let whole = (u / half).round();
        (whole, whole.rem_euclid(2.0) == 1.0, u - whole * half)
    }

    /// sn, cn and dn of `u`.
    pub(crate) fn functions(&self, u: f64) -> Functions {
        let (_, odd, rest) = self.split(u);
        let from_quarter = self.quarter() - rest.abs();
        let [s, c, d] = if from_quarter < rest.abs() {
            let [s, c, d] = self.near_zero(from_quarter);
            let k = self.m1.sqrt();
            [c / d, k * s / d, k / d]
        } else {
            self.near_zero(rest.abs())
        };
        let sign = if odd { -1.0 } else { 1.0 };
        [s.copysign(sign * rest), c * sign, d]
    }

    /// The functions of an argument from 0 to `K/2`, where the last angle is at most an eighth of a turn.
    fn near_zero(&self, u: f64) -> Functions {
        let (s, c) = (self.mean * u).sin_cos();
        self.moduli.iter().rev().fold([s, c, 1.0], |[s, c, d], [k, complement]| {
            let (s, c) = ((1.0 + k) * s, c * d);
            // Each step would double the rounding error of s² + c² = 1.
            let length = (s * s + c * c).sqrt();
            let (s, c) = (s / length, c / length);
            [s, c, (c * c + complement * complement * s * s).sqrt()]
        })
    }

    /// The functions of a sum, from those of its terms (Abramowitz and Stegun, 16.17). Where two terms of cn, or of dn,
    /// have opposite signs, these would cancel; then the numerator is multiplied out, since `cn(u + v)·cn(u − v)` is a
    /// product of sums without such terms.
    pub(crate) fn sum(&self, [s, c, d]: Functions, [x, y, z]: Functions) -> Functions {
        let (k, m) = (self.m1.sqrt(), 1.0 - self.m1);
        // 1 − m s²x², the denominator, is the square of this.
        let root = y.hypot(x * d);
        let over = |numerator: f64| numerator / root / root;
        let (cc, ssdd) = (c * y, s * x * d * z);
        let cn = if cc * ssdd > 0.0 { (cc - k * s * x) / (cc + ssdd) * (cc + k * s * x) } else { over(cc - ssdd) };
        let (dd, sscc) = (d * z, m * s * x * c * y);
        let dn = if sscc > 0.0 {
            let above = (y * d).hypot(k * x);
            above / (dd + sscc) * above
        } else {
            over(dd - sscc)
        };
        [over(s * y * z + x * c * d), cn, dn]
    }

    /// The integral of the first kind, `u`, from the functions of an angle within a half turn.
    pub(crate) fn first(&self, [s, c, d]: Functions) -> f64 {
        let part = s * carlson_first(c * c, d * d, 1.0);
        if c >= 0.0 { part } else { (2.0 * self.quarter()).copysign(s) - part }
    }

    /// The integral of the third kind as a function of `u`, the functions of which are given: `∫₀ᵘ du/(1 − n sn²u)`,
    /// `n ≤ 0`.
    pub(crate) fn third(&self, n: f64, u: f64, [s, c, d]: Functions) -> f64 {
        let part = |s: f64, c: f64, d: f64| {
            let [x, y, p] = [c * c, d * d, 1.0 - n * s * s];
            n / 3.0 * s * s * s * carlson_third(x, y, 1.0, p)
        };
        let (whole, odd, _) = self.split(u);
        let complete = if whole == 0.0 { 0.0 } else { whole * part(1.0, 0.0, self.m1.sqrt()) };
        u + 2.0 * complete + part(if odd { -s } else { s }, c, d)
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
                let functions = [phi.sin(), phi.cos(), root(phi)];
                assert!((elliptic.first(functions) - u).abs() < 1e-12 * (1.0 + u.abs()), "F({phi}|{m})");
                let found = elliptic.functions(u);
                let close = |k: usize| (found[k] - functions[k]).abs() < 1e-11;
                assert!((0..3).all(close), "({u}|{m}) is {found:?}, not {functions:?}");
                for n in [0.0, -1e-6, -0.3, -1.0, -20.0, -1e4] {
                    let third = quadrature(|x| 1.0 / ((1.0 - n * x.sin().powi(2)) * root(x)), phi);
                    let error = (elliptic.third(n, u, found) - third).abs();
                    assert!(error < 1e-11 * (1.0 + u.abs()), "Pi({n}; {phi}|{m}) is off by {error:e}");
                }
            }
        }
    }

    /// Near the separatrix the functions are hyperbolic, to the last digits of the small ones, and so are their sums.
    #[test]
    fn small_values_keep_their_digits() {
        let elliptic = Elliptic::new(1e-120);
        for u in [0.5, 3.0, 20.0, -30.0, 60.0] {
            let close = |[s, c, d]: Functions, u: f64| {
                let far = |x: f64, y: f64| (x - y).abs() / y.abs();
                far(s, u.tanh()).max(far(c, 1.0 / u.cosh())).max(far(d, 1.0 / u.cosh()))
            };
            assert!(close(elliptic.functions(u), u) < 1e-13, "{u}: {:?}", elliptic.functions(u));
            for v in [0.25, -0.75, 4.0, -20.0, 4.5] {
                let sum = elliptic.sum(elliptic.functions(u), elliptic.functions(v));
                assert!(u + v == 0.0 || close(sum, u + v) < 1e-12, "{u} + {v}: {sum:?}");
            }
        }
    }

    /// Sums of arguments, over whole periods and for every parameter.
    #[test]
    fn sums_are_those_of_the_arguments() {
        for m1 in [1.0, 0.9, 0.3, 1e-3, 1e-9] {
            let elliptic = Elliptic::new(m1);
            for i in -20..=20 {
                for j in -20..=20 {
                    let (u, v) = (0.37 * f64::from(i), 0.53 * f64::from(j));
                    let sum = elliptic.sum(elliptic.functions(u), elliptic.functions(v));
                    let direct = elliptic.functions(u + v);
                    assert!((0..3).all(|k| (sum[k] - direct[k]).abs() < 1e-12), "{m1} {u} {v}: {sum:?} {direct:?}");
                }
            }
        }
    }

    /// Near the separatrix the quarter period is ln(4/√m₁).
    #[test]
    fn the_quarter_grows_as_a_logarithm() {
        for m1 in [1e-8_f64, 1e-12, f64::EPSILON, 1e-100] {
            assert!((Elliptic::new(m1).quarter() - (4.0 / m1.sqrt()).ln()).abs() < 1e-6);
        }
        assert!(Elliptic::new(0.0).functions(1e6).iter().all(|x| x.is_finite()));
    }
}
