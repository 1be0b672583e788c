//! Polynomials with whole coefficients, of a degree of 3 or so, and their roots between 0 and 1.
//!
//! Roots are isolated by Descartes' rule in the Bernstein basis: G. Collins and A. Akritas, *Polynomial real root
//! isolation using Descartes's rule of signs*, SYMSAC 1976. Of a polynomial without multiple roots, a stretch on which
//! the Bernstein coefficients change their sign once holds one root, and one without a change none; others are halved.
//! Multiple roots are removed first by the greatest common divisor with the derivative.
//!
//! The sign of another polynomial at a root: the stretch of the root is halved until the other one has no change of
//! sign on it. Where that takes long, their greatest common divisor says whether it is zero there.
//!
//! Invariant: all signs are exact. Cost: a few dozen products for each halving.

use std::ops::{Add, Mul, Sub};

use smallvec::{SmallVec, smallvec};

use super::interval::Interval;
use super::whole_number::WholeNumber;

/// The most halvings: only roots nearer to each other than 2⁻¹⁰²⁴ need more.
const MOST_HALVINGS: u32 = 1 << 10;
/// The number of halvings after which the greatest common divisor is computed.
const HALVINGS_BEFORE_DIVISOR: u32 = 8;
/// The bits of a root's interval.
const FINE: u32 = 52;

type Coefficients = SmallVec<[WholeNumber; 4]>;

/// A polynomial by its coefficients, the constant one first; the last one is not 0.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Polynomial {
    coefficients: Coefficients,
}

/// The stretch from `number/2^bits` to `(number + 1)/2^bits`, or the number at which it begins.
#[derive(Debug, Clone)]
struct Dyadic {
    number: WholeNumber,
    bits: u32,
}

impl Dyadic {
    /// The half of the stretch, 0 or 1. The second begins in the middle.
    fn half(&self, k: u64) -> Dyadic {
        Dyadic { number: &self.number.shifted(1) + &WholeNumber::from(k), bits: self.bits + 1 }
    }
}

/// A root between 0 and 1.
#[derive(Debug, Clone)]
pub(crate) struct PolynomialRoot {
    /// The polynomial, without multiple roots.
    of: Polynomial,
    /// The root is inside of this stretch, and no other one is; or it is where the stretch begins.
    stretch: Dyadic,
    is_dyadic: bool,
    /// False for a stretch that a cap left with several roots, or none.
    pub(crate) is_single: bool,
}

impl Polynomial {
    fn of(mut coefficients: Coefficients) -> Polynomial {
        while coefficients.last().is_some_and(|last| last.sign() == 0) {
            coefficients.pop();
        }
        Polynomial { coefficients }
    }

    /// The linear function with these values at 0 and at 1.
    pub(crate) fn linear(start: &WholeNumber, end: &WholeNumber) -> Polynomial {
        Polynomial::of(smallvec![start.clone(), end - start])
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.coefficients.is_empty()
    }

    fn degree(&self) -> usize {
        self.coefficients.len().saturating_sub(1)
    }

    fn derivative(&self) -> Polynomial {
        let times = |(k, c): (usize, &WholeNumber)| &WholeNumber::from(k as u64) * c;
        Polynomial::of(self.coefficients.iter().enumerate().skip(1).map(times).collect())
    }

    /// Quotient and remainder, both up to a factor; the divisor is not 0.
    fn divided(&self, by: &Polynomial) -> [Polynomial; 2] {
        let (mut rest, mut quotient) = (self.clone(), Polynomial::default());
        let Some(lead) = by.coefficients.last() else { return [quotient, rest] };
        let constant = Polynomial::of(smallvec![lead.clone()]);
        while let Some(top) = rest.coefficients.last()
            && rest.degree() >= by.degree()
        {
            let mut power: Coefficients = smallvec![WholeNumber::default(); rest.degree() - by.degree()];
            power.push(top.clone());
            let power = Polynomial::of(power);
            rest = &(&rest * &constant) - &(&power * by);
            quotient = &(&quotient * &constant) + &power;
        }
        [quotient, rest]
    }

    /// The greatest common divisor, up to a factor.
    fn common(&self, other: &Polynomial) -> Polynomial {
        let (mut p, mut q) = (self.clone(), other.clone());
        while !q.is_zero() {
            let [_, rest] = p.divided(&q);
            p = std::mem::replace(&mut q, rest);
        }
        p
    }

    /// A polynomial with the same roots, each of them once.
    fn without_multiple_roots(&self) -> Polynomial {
        let common = self.common(&self.derivative());
        if common.degree() == 0 { self.clone() } else { self.divided(&common)[0].clone() }
    }

    /// The coefficients as a function of the share of the way through a stretch, times a positive factor.
    fn along(&self, stretch: &Dyadic) -> Coefficients {
        let degree = self.degree();
        let scaled = |(i, c): (usize, &WholeNumber)| c.shifted(stretch.bits * (degree - i) as u32);
        let mut shifted: Coefficients = self.coefficients.iter().enumerate().map(scaled).collect();
        // Horner's scheme, again and again, moves the origin by `number`.
        for low in 0..degree {
            for i in (low..degree).rev() {
                shifted[i] = &shifted[i] + &(&shifted[i + 1] * &stretch.number);
            }
        }
        shifted
    }

    fn sign_at(&self, at: &Dyadic) -> i32 {
        let degree = self.degree();
        let mut value = WholeNumber::default();
        for (i, c) in self.coefficients.iter().enumerate().rev() {
            value = &(&value * &at.number) + &c.shifted(at.bits * (degree - i) as u32);
        }
        value.sign()
    }

    /// The signs of the coefficients in the Bernstein basis of a stretch.
    fn bernstein_signs(&self, stretch: &Dyadic) -> SmallVec<[i32; 4]> {
        let along = self.along(stretch);
        let degree = self.degree();
        let choose = |n: usize, k: usize| (0..k).fold(1u64, |c, i| c * (n - i) as u64 / (i as u64 + 1));
        let factor: u64 = (0..=degree).map(|i| choose(degree, i)).product();
        let coefficient = |j: usize| {
            let term = |i: usize| &WholeNumber::from(choose(j, i) * (factor / choose(degree, i))) * &along[i];
            (0..=j).fold(WholeNumber::default(), |sum, i| &sum + &term(i)).sign()
        };
        (0..along.len()).map(coefficient).collect()
    }

    /// All roots from 0 to 1, in ascending order; none of a constant.
    pub(crate) fn roots(&self) -> SmallVec<[PolynomialRoot; 3]> {
        let mut roots = SmallVec::new();
        if self.degree() == 0 {
            return roots;
        }
        let whole = Dyadic { number: WholeNumber::default(), bits: 0 };
        if self.sign_at(&whole) != 0 && changes(&self.bernstein_signs(&whole)) == 0 {
            let end = Dyadic { number: WholeNumber::from(1), bits: 0 };
            if self.sign_at(&end) == 0 {
                roots.push(PolynomialRoot { of: self.clone(), stretch: end, is_dyadic: true, is_single: true });
            }
            return roots;
        }
        let of = self.without_multiple_roots();
        let root =
            |stretch: Dyadic, is_dyadic, is_single| PolynomialRoot { of: of.clone(), stretch, is_dyadic, is_single };
        let mut open =
            vec![(Dyadic { number: WholeNumber::from(1), bits: 0 }, true), (whole.clone(), false), (whole, true)];
        while let Some((stretch, is_point)) = open.pop() {
            if is_point {
                if of.sign_at(&stretch) == 0 {
                    roots.push(root(stretch, true, true));
                }
                continue;
            }
            match changes(&of.bernstein_signs(&stretch)) {
                0 => {}
                1 => roots.push(root(stretch, false, true)),
                _ if stretch.bits >= MOST_HALVINGS => roots.push(root(stretch, false, false)),
                _ => {
                    let [first, second] = [0, 1].map(|k| stretch.half(k));
                    open.extend([(second.clone(), false), (second, true), (first, false)]);
                }
            }
        }
        roots
    }
}

impl PolynomialRoot {
    /// The number 0, for signs where a step begins.
    pub(crate) fn zero() -> PolynomialRoot {
        let stretch = Dyadic { number: WholeNumber::default(), bits: 0 };
        PolynomialRoot { of: Polynomial::default(), stretch, is_dyadic: true, is_single: true }
    }

    /// The sign of a polynomial at the root; `None` where a cap leaves it open.
    pub(crate) fn sign_of(&mut self, other: &Polynomial) -> Option<i32> {
        if other.degree() == 0 {
            return Some(other.coefficients.first().map_or(0, WholeNumber::sign));
        }
        if self.is_dyadic {
            return Some(other.sign_at(&self.stretch));
        }
        let mut is_common = None;
        for count in 0.. {
            if self.is_dyadic {
                return Some(other.sign_at(&self.stretch));
            }
            let signs = other.bernstein_signs(&self.stretch);
            // The ends of the stretch are not the root.
            if changes(&signs) == 0 {
                return signs.iter().find(|sign| **sign != 0).copied();
            }
            if count >= HALVINGS_BEFORE_DIVISOR {
                let common = |root: &PolynomialRoot| {
                    let common = root.of.common(other);
                    common.degree() > 0 && changes(&common.bernstein_signs(&root.stretch)) % 2 == 1
                };
                if self.is_single && *is_common.get_or_insert_with(|| common(self)) {
                    return Some(0);
                }
            }
            if !self.is_single || self.stretch.bits >= MOST_HALVINGS {
                return None;
            }
            self.halve();
        }
        None
    }

    fn halve(&mut self) {
        let [first, second] = [0, 1].map(|k| self.stretch.half(k));
        if self.of.sign_at(&second) == 0 {
            (self.stretch, self.is_dyadic) = (second, true);
        } else if changes(&self.of.bernstein_signs(&first)) == 1 {
            self.stretch = first;
        } else {
            self.stretch = second;
        }
    }

    /// An interval that contains the root, 2⁻⁵² wide or less.
    pub(crate) fn interval(&self) -> Interval {
        let mut root = self.clone();
        while !root.is_dyadic && root.is_single && root.stretch.bits < FINE {
            root.halve();
        }
        let Dyadic { number, bits } = &root.stretch;
        let unit = 1.0 / (1u64 << FINE) as f64;
        if *bits > FINE {
            let lower = number.high_part(bits - FINE) as f64 * unit;
            return Interval { lower, upper: (lower + unit).min(1.0) };
        }
        let lower = number.shifted(FINE - bits).high_part(0) as f64 * unit;
        let upper = if root.is_dyadic { lower } else { (lower + 1.0 / (1u64 << bits) as f64).min(1.0) };
        Interval { lower, upper }
    }
}

/// How often the sign changes along a list; zeros do not count.
fn changes(signs: &[i32]) -> usize {
    let (mut last, mut changes) = (0, 0);
    for &sign in signs.iter().filter(|sign| **sign != 0) {
        changes += usize::from(sign == -last);
        last = sign;
    }
    changes
}

impl Add for &Polynomial {
    type Output = Polynomial;

    fn add(self, other: &Polynomial) -> Polynomial {
        self.with(other, |x, y| x + y)
    }
}

impl Sub for &Polynomial {
    type Output = Polynomial;

    fn sub(self, other: &Polynomial) -> Polynomial {
        self.with(other, |x, y| x - y)
    }
}

impl Mul for &Polynomial {
    type Output = Polynomial;

    fn mul(self, other: &Polynomial) -> Polynomial {
        let mut product: Coefficients =
            smallvec![WholeNumber::default(); self.coefficients.len() + other.coefficients.len()];
        for (i, x) in self.coefficients.iter().enumerate() {
            for (j, y) in other.coefficients.iter().enumerate() {
                product[i + j] = &product[i + j] + &(x * y);
            }
        }
        Polynomial::of(product)
    }
}

impl Polynomial {
    fn with(&self, other: &Polynomial, join: impl Fn(&WholeNumber, &WholeNumber) -> WholeNumber) -> Polynomial {
        let none = WholeNumber::default();
        let of = |p: &Polynomial, k: usize| p.coefficients.get(k).unwrap_or(&none).clone();
        let longest = self.coefficients.len().max(other.coefficients.len());
        Polynomial::of((0..longest).map(|k| join(&of(self, k), &of(other, k))).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The product of `denominator·t − numerator` over some roots.
    fn with_roots(roots: &[(i32, i32)]) -> Polynomial {
        let number = |x: i32| WholeNumber::scaled(f64::from(x), 0);
        let factor = |(p, q): &(i32, i32)| Polynomial::linear(&number(-*p), &number(*q - *p));
        roots.iter().fold(Polynomial::linear(&number(1), &number(1)), |all, root| &all * &factor(root))
    }

    #[test]
    fn rational_roots_are_found_each_once() {
        let fractions = [(0, 1), (1, 1), (1, 2), (1, 3), (2, 3), (333, 1000), (1, 1024), (-1, 2), (3, 2), (7, 9)];
        for a in fractions {
            for b in fractions {
                for c in fractions {
                    let polynomial = with_roots(&[a, b, c]);
                    let mut expected: Vec<f64> =
                        [a, b, c].map(|(p, q)| f64::from(p) / f64::from(q)).into_iter().collect();
                    expected.retain(|x| (0.0..=1.0).contains(x));
                    expected.sort_by(f64::total_cmp);
                    expected.dedup();
                    let found = polynomial.roots();
                    assert_eq!(found.len(), expected.len(), "{a:?} {b:?} {c:?}");
                    for (root, x) in found.iter().zip(&expected) {
                        let interval = root.interval();
                        assert!(interval.lower <= x + 1e-16 && interval.upper >= x - 1e-16, "{interval:?} {x}");
                        assert!(interval.width() < 1e-15);
                    }
                }
            }
        }
    }

    #[test]
    fn signs_at_roots_are_exact() {
        let third = with_roots(&[(1, 3), (7, 9)]);
        let [mut first, mut second] = [third.roots()[0].clone(), third.roots()[1].clone()];
        for (polynomial, signs) in [
            (with_roots(&[(1, 3), (2, 3)]), [0, 1]),
            (with_roots(&[(1, 3), (1, 3)]), [0, 1]),
            (with_roots(&[(333_333, 1_000_000)]), [1, 1]),
            (with_roots(&[(333_334, 1_000_000), (7, 9)]), [1, 0]),
            (with_roots(&[(333_334, 1_000_000)]), [-1, 1]),
            (with_roots(&[]), [1, 1]),
            (Polynomial::default(), [0, 0]),
        ] {
            assert_eq!([first.sign_of(&polynomial), second.sign_of(&polynomial)], signs.map(Some));
        }
        assert_eq!(PolynomialRoot::zero().sign_of(&with_roots(&[(1, 3)])), Some(-1));
    }
}
