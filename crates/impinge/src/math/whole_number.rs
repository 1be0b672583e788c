//! Whole numbers of any size, for signs that have to be exact whatever the exponents of the coordinates are.
//!
//! Sign and magnitude; digits are 64 bits, the lowest first. A sum takes the longer one's digits, a product the product
//! of both lengths. Numbers of up to six digits need no heap.

use std::cmp::Ordering;
use std::ops::{Add, Mul, Neg, Sub};

use smallvec::SmallVec;

type Digits = SmallVec<[u64; 6]>;

/// A whole number. The highest digit is not 0; zero has no digits and is not negative.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct WholeNumber {
    is_negative: bool,
    digits: Digits,
}

impl WholeNumber {
    /// The exponent of the lowest bit of a finite number that is set; `None` for zero.
    pub(crate) fn lowest_bit(x: f64) -> Option<i32> {
        let (mantissa, exponent) = parts(x)?;
        Some(exponent + mantissa.trailing_zeros() as i32)
    }

    /// `x/2^exponent`, for an exponent no higher than [`WholeNumber::lowest_bit`] of `x`.
    pub(crate) fn scaled(x: f64, exponent: i32) -> WholeNumber {
        let Some((mantissa, own)) = parts(x) else { return WholeNumber::default() };
        let zeros = mantissa.trailing_zeros();
        let odd = WholeNumber { is_negative: x < 0.0, digits: Digits::from_slice(&[mantissa >> zeros]) };
        odd.shifted((own + zeros as i32 - exponent).max(0) as u32)
    }

    pub(crate) fn sign(&self) -> i32 {
        if self.digits.is_empty() {
            0
        } else if self.is_negative {
            -1
        } else {
            1
        }
    }

    /// This number times `2^bits`.
    pub(crate) fn shifted(&self, bits: u32) -> WholeNumber {
        if self.digits.is_empty() || bits == 0 {
            return self.clone();
        }
        let (whole, rest) = ((bits / 64) as usize, bits % 64);
        let mut digits = Digits::from_elem(0, whole);
        let mut carry = 0;
        for &digit in &self.digits {
            digits.push(digit << rest | carry);
            carry = if rest == 0 { 0 } else { digit >> (64 - rest) };
        }
        digits.push(carry);
        WholeNumber::of(self.is_negative, digits)
    }

    /// The magnitude divided by `2^bits`, rounded down; for quotients below `2^64`.
    pub(crate) fn high_part(&self, bits: u32) -> u64 {
        let (whole, rest) = ((bits / 64) as usize, bits % 64);
        let digit = |k: usize| self.digits.get(k).copied().unwrap_or(0);
        if rest == 0 { digit(whole) } else { digit(whole) >> rest | digit(whole + 1) << (64 - rest) }
    }

    fn of(is_negative: bool, mut digits: Digits) -> WholeNumber {
        while digits.last() == Some(&0) {
            digits.pop();
        }
        WholeNumber { is_negative: is_negative && !digits.is_empty(), digits }
    }

    /// `self + other`, or `self − other`.
    fn plus(&self, other: &WholeNumber, other_is_negative: bool) -> WholeNumber {
        if self.is_negative == other_is_negative {
            return WholeNumber::of(self.is_negative, sum(&self.digits, &other.digits));
        }
        match compare(&self.digits, &other.digits) {
            Ordering::Less => WholeNumber::of(other_is_negative, difference(&other.digits, &self.digits)),
            _ => WholeNumber::of(self.is_negative, difference(&self.digits, &other.digits)),
        }
    }
}

impl From<u64> for WholeNumber {
    fn from(x: u64) -> WholeNumber {
        WholeNumber::of(false, Digits::from_slice(&[x]))
    }
}

impl Add for &WholeNumber {
    type Output = WholeNumber;

    fn add(self, other: &WholeNumber) -> WholeNumber {
        self.plus(other, other.is_negative)
    }
}

impl Sub for &WholeNumber {
    type Output = WholeNumber;

    fn sub(self, other: &WholeNumber) -> WholeNumber {
        self.plus(other, !other.is_negative)
    }
}

impl Neg for WholeNumber {
    type Output = WholeNumber;

    fn neg(self) -> WholeNumber {
        WholeNumber::of(!self.is_negative, self.digits)
    }
}

impl Mul for &WholeNumber {
    type Output = WholeNumber;

    fn mul(self, other: &WholeNumber) -> WholeNumber {
        let mut digits = Digits::from_elem(0, self.digits.len() + other.digits.len());
        for (i, &x) in self.digits.iter().enumerate() {
            let mut carry = 0u128;
            for (j, &y) in other.digits.iter().enumerate() {
                carry += u128::from(x) * u128::from(y) + u128::from(digits[i + j]);
                digits[i + j] = carry as u64;
                carry >>= 64;
            }
            digits[i + other.digits.len()] = carry as u64;
        }
        WholeNumber::of(self.is_negative != other.is_negative, digits)
    }
}

/// The mantissa and the exponent of a finite number; `None` for zero.
fn parts(x: f64) -> Option<(u64, i32)> {
    let (bits, fraction) = (x.to_bits(), x.to_bits() & ((1 << 52) - 1));
    let exponent = (bits >> 52 & 0x7ff) as i32;
    let (mantissa, exponent) = if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
    (mantissa != 0).then_some((mantissa, exponent))
}

fn compare(x: &[u64], y: &[u64]) -> Ordering {
    x.len().cmp(&y.len()).then_with(|| x.iter().rev().cmp(y.iter().rev()))
}

fn sum(x: &[u64], y: &[u64]) -> Digits {
    let (long, short) = if x.len() >= y.len() { (x, y) } else { (y, x) };
    let mut digits = Digits::with_capacity(long.len() + 1);
    let mut carry = false;
    for (k, &digit) in long.iter().enumerate() {
        let (one, first) = digit.overflowing_add(short.get(k).copied().unwrap_or(0));
        let (both, second) = one.overflowing_add(u64::from(carry));
        digits.push(both);
        carry = first || second;
    }
    digits.push(u64::from(carry));
    digits
}

/// Of magnitudes; the first is not the lesser one.
fn difference(x: &[u64], y: &[u64]) -> Digits {
    let mut digits = Digits::with_capacity(x.len());
    let mut borrow = false;
    for (k, &digit) in x.iter().enumerate() {
        let (one, first) = digit.overflowing_sub(y.get(k).copied().unwrap_or(0));
        let (both, second) = one.overflowing_sub(u64::from(borrow));
        digits.push(both);
        borrow = first || second;
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_bigint::BigInt;

    fn big(x: &WholeNumber) -> BigInt {
        let value = x.digits.iter().rev().fold(BigInt::from(0), |sum, &digit| (sum << 64) + digit);
        if x.is_negative { -value } else { value }
    }

    #[test]
    fn arithmetic_is_that_of_another_library() {
        let mut seed = 7u64;
        let mut next = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            seed >> 11
        };
        let mut number = |size: u64| {
            let one = (next() % (1 << 50)) as f64 * if next() % 2 == 0 { 1.0 } else { -1.0 };
            let x = WholeNumber::scaled(one, 0);
            let wide = &x.shifted((next() % size) as u32) + &WholeNumber::from(next() % 5);
            if next() % 9 == 0 { WholeNumber::default() } else { wide }
        };
        for round in 0..4000 {
            let (x, y) = (number(1 + round % 300), number(1 + round % 70));
            let (p, q) = (big(&x), big(&y));
            assert_eq!([big(&(&x + &y)), big(&(&x - &y)), big(&(&x * &y))], [&p + &q, &p - &q, &p * &q]);
            assert_eq!(big(&x.shifted(round as u32 % 200)), &p << (round % 200));
            assert_eq!(x.sign(), p.sign() as i32 - num_bigint::Sign::NoSign as i32);
            assert_eq!(&x - &x, WholeNumber::default());
        }
    }

    #[test]
    fn floating_point_numbers_are_exact() {
        for x in [1.0, -0.75, 5e-324, 1e150, f64::MIN_POSITIVE, 3e-310] {
            let exponent = WholeNumber::lowest_bit(x).unwrap_or_default();
            let whole = WholeNumber::scaled(x, exponent);
            assert_eq!(whole.digits[0] % 2, 1, "no bit is lost or empty");
            let back = whole.high_part(0) as f64 * 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2);
            assert_eq!(back.copysign(x), x);
            assert_eq!(WholeNumber::scaled(x, exponent - 100), whole.shifted(100));
        }
        assert_eq!(WholeNumber::lowest_bit(-0.0), None);
        assert_eq!(WholeNumber::scaled(0.0, 3), WholeNumber::default());
        assert_eq!(WholeNumber::from(5).shifted(130).high_part(129), 10);
    }
}
