//! Cross products of vectors that are given as sums, exactly.
//!
//! The corners of a Minkowski sum are sums of given corners, and rounding them would undo every exact decision made on
//! them. They are therefore never added up: a predicate multiplies all terms out, exactly, into an expansion (Shewchuk
//! 1997, *Adaptive Precision Floating-Point Arithmetic*, §2: a sum of `f64` of which none overlaps another), whose last
//! component has the sign of the whole. A plain evaluation with an error bound comes first and mostly decides.
//!
//! Exact as long as no product underflows, which [`LARGEST`] and [`SMALLEST`] see to. At most four terms a vector.

use glam::DVec2;

use crate::math::{EPS, Sign};

/// Largest coordinate.
pub(super) const LARGEST: f64 = 1e100;
/// Smallest coordinate that is not zero.
pub(super) const SMALLEST: f64 = 1e-100;

/// Most terms of a vector.
const TERMS: usize = 4;

/// Sign of `Σu × Σv`.
pub(super) fn cross_sign(u: &[DVec2], v: &[DVec2]) -> Sign {
    let (value, size) = rounded(u, v);
    if value.abs() > 16.0 * EPS * size {
        return Sign::of(value);
    }
    Sign::of(Expansion::cross(u, v).last())
}

/// `Σu × Σv`, within 32 EPS of its value.
pub(super) fn cross(u: &[DVec2], v: &[DVec2]) -> f64 {
    let (value, size) = rounded(u, v);
    if value.abs() > 0.5 * size { value } else { Expansion::cross(u, v).value() }
}

/// `Σu × Σv` as it comes, and the sum of the absolute products: three roundings in each sum, one in each product and
/// one in the difference make an error of 8 EPS of it, and twice that is more than the higher orders need.
fn rounded(u: &[DVec2], v: &[DVec2]) -> (f64, f64) {
    let (s, t) = (u.iter().sum::<DVec2>(), v.iter().sum::<DVec2>());
    let size = |w: &[DVec2]| w.iter().fold(DVec2::ZERO, |sum, x| sum + x.abs());
    let (big_u, big_v) = (size(u), size(v));
    (s.x * t.y - s.y * t.x, big_u.x * big_v.y + big_u.y * big_v.x)
}

/// `Σu`, within 32 EPS in each coordinate.
pub(super) fn total(u: &[DVec2]) -> DVec2 {
    DVec2::new(cross(u, &[DVec2::Y]), cross(&[DVec2::X], u))
}

struct Expansion {
    parts: [f64; 4 * TERMS * TERMS],
    count: usize,
}

impl Expansion {
    fn cross(u: &[DVec2], v: &[DVec2]) -> Expansion {
        debug_assert!(u.len() <= TERMS && v.len() <= TERMS);
        let mut sum = Expansion { parts: [0.0; 4 * TERMS * TERMS], count: 0 };
        for s in u {
            for t in v {
                sum.add_product(s.x, t.y);
                sum.add_product(-s.y, t.x);
            }
        }
        sum
    }

    fn add_product(&mut self, x: f64, y: f64) {
        let product = x * y;
        self.add(x.mul_add(y, -product));
        self.add(product);
    }

    /// Grow-Expansion with elimination of zeros.
    fn add(&mut self, x: f64) {
        let (mut carry, mut kept) = (x, 0);
        for i in 0..self.count {
            let (sum, rest) = two_sum(carry, self.parts[i]);
            carry = sum;
            if rest != 0.0 {
                self.parts[kept] = rest;
                kept += 1;
            }
        }
        if carry != 0.0 {
            self.parts[kept] = carry;
            kept += 1;
        }
        self.count = kept;
    }

    fn last(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.parts[self.count - 1] }
    }

    fn value(&self) -> f64 {
        self.parts[..self.count].iter().sum()
    }
}

/// The rounded sum, and what rounding left out.
fn two_sum(x: f64, y: f64) -> (f64, f64) {
    let sum = x + y;
    let from_y = sum - x;
    (sum, (x - (sum - from_y)) + (y - from_y))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_that_cancel_leave_the_smallest() {
        let v = |x: f64, y: f64| DVec2::new(x, y);
        let u = [v(1e20, 0.0), v(1e-20, 0.0), v(-1e20, 0.0)];
        assert_eq!(cross(&u, &[v(0.0, 3.0)]), 3.0 * 1e-20);
        assert_eq!(cross_sign(&u, &[v(7.0, -1e-60)]), Sign::Negative);
        assert_eq!(cross_sign(&[v(0.1, 0.2), v(0.2, 0.4)], &[v(0.3, 0.6)]), Sign::Zero);
        assert_eq!(total(&u), v(1e-20, 0.0));
    }

    #[test]
    fn integers_agree_with_integers() {
        let mut state = 1u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 34) as i64 - (1 << 29)
        };
        for _ in 0..1000 {
            let n: Vec<[i64; 2]> = (0..6).map(|_| [next() << 20, next()]).collect();
            let sum = |r: std::ops::Range<usize>, k: usize| n[r].iter().map(|p| i128::from(p[k])).sum::<i128>();
            let exact = sum(0..3, 0) * sum(3..6, 1) - sum(0..3, 1) * sum(3..6, 0);
            let terms: Vec<DVec2> = n.iter().map(|p| DVec2::new(p[0] as f64, p[1] as f64)).collect();
            let value = cross(&terms[..3], &terms[3..]);
            assert!((value - exact as f64).abs() <= 2.0 * EPS * exact.abs() as f64);
            assert_eq!(cross_sign(&terms[..3], &terms[3..]) as i128, exact.signum());
        }
    }
}
