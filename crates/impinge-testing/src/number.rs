//! Numbers with a known sign: machine integers, big integers, and `f64` bounds that may decline to answer.

use std::cmp::Ordering;

use num_bigint::{BigInt, Sign};

/// What the predicates need of a number. A product or sum is exact, or a bound on it.
pub trait Number: Clone {
    /// The number zero.
    fn zero() -> Self;
    /// `self + other`.
    fn plus(&self, other: &Self) -> Self;
    /// `self − other`.
    fn minus(&self, other: &Self) -> Self;
    /// `self · other`.
    fn times(&self, other: &Self) -> Self;
    /// The sign, or `None` where a bound does not show it. Exact numbers always answer.
    fn sign(&self) -> Option<i8>;
}

impl Number for i128 {
    fn zero() -> Self {
        0
    }
    fn plus(&self, other: &Self) -> Self {
        self.checked_add(*other).expect("the fast path is taken only where sums fit")
    }
    fn minus(&self, other: &Self) -> Self {
        self.checked_sub(*other).expect("the fast path is taken only where differences fit")
    }
    fn times(&self, other: &Self) -> Self {
        self.checked_mul(*other).expect("the fast path is taken only where products fit")
    }
    fn sign(&self) -> Option<i8> {
        Some(self.signum() as i8)
    }
}

impl Number for BigInt {
    fn zero() -> Self {
        BigInt::from(0)
    }
    fn plus(&self, other: &Self) -> Self {
        self + other
    }
    fn minus(&self, other: &Self) -> Self {
        self - other
    }
    fn times(&self, other: &Self) -> Self {
        self * other
    }
    fn sign(&self) -> Option<i8> {
        Some(match self.sign() {
            Sign::Minus => -1,
            Sign::NoSign => 0,
            Sign::Plus => 1,
        })
    }
}

/// `[lower, upper]` around a real number, rounded outwards after every operation.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    lower: f64,
    upper: f64,
}

impl Bounds {
    /// The number itself.
    pub fn of(x: f64) -> Bounds {
        Bounds { lower: x, upper: x }
    }

    fn outward(lower: f64, upper: f64) -> Bounds {
        Bounds { lower: lower.next_down(), upper: upper.next_up() }
    }

    fn is_zero(&self) -> bool {
        self.lower == 0.0 && self.upper == 0.0
    }
}

impl Number for Bounds {
    fn zero() -> Self {
        Bounds::of(0.0)
    }
    fn plus(&self, other: &Self) -> Self {
        match (self.is_zero(), other.is_zero()) {
            (true, _) => *other,
            (_, true) => *self,
            _ => Bounds::outward(self.lower + other.lower, self.upper + other.upper),
        }
    }
    fn minus(&self, other: &Self) -> Self {
        if self.lower == self.upper && self.lower == other.lower && other.lower == other.upper {
            return Bounds::zero();
        }
        self.plus(&Bounds { lower: -other.upper, upper: -other.lower })
    }
    fn times(&self, other: &Self) -> Self {
        if self.is_zero() || other.is_zero() {
            return Bounds::zero();
        }
        let ends =
            [self.lower * other.lower, self.lower * other.upper, self.upper * other.lower, self.upper * other.upper];
        let (lower, upper) = ends.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, u), &x| (l.min(x), u.max(x)));
        if ends.iter().any(|x| x.is_nan()) {
            return Bounds { lower: f64::NEG_INFINITY, upper: f64::INFINITY };
        }
        Bounds::outward(lower, upper)
    }
    fn sign(&self) -> Option<i8> {
        if self.lower > 0.0 {
            Some(1)
        } else if self.upper < 0.0 {
            Some(-1)
        } else if self.is_zero() {
            Some(0)
        } else {
            None
        }
    }
}

/// `x = mantissa · 2^exponent`, with an odd mantissa; zero is `(0, i32::MAX)`.
fn parts(x: f64) -> (i64, i32) {
    assert!(x.is_finite(), "the oracle takes finite numbers, not {x}");
    if x == 0.0 {
        return (0, i32::MAX);
    }
    let bits = x.to_bits();
    let biased = ((bits >> 52) & 0x7ff) as i32;
    let fraction = (bits & ((1 << 52) - 1)) as i64;
    let (mantissa, exponent) = if biased == 0 { (fraction, -1074) } else { (fraction | 1 << 52, biased - 1075) };
    let zeros = mantissa.trailing_zeros();
    let odd = mantissa >> zeros;
    (if x < 0.0 { -odd } else { odd }, exponent + zeros as i32)
}

/// The exponent of the unit in which all of `numbers` are integers.
pub fn common_exponent(numbers: impl IntoIterator<Item = f64>) -> i32 {
    let least = numbers.into_iter().map(|x| parts(x).1).min().unwrap_or(0);
    if least == i32::MAX { 0 } else { least }
}

/// `x / 2^exponent`, which must be an integer.
pub fn integer(x: f64, exponent: i32) -> BigInt {
    let (mantissa, own) = parts(x);
    if mantissa == 0 {
        return BigInt::from(0);
    }
    BigInt::from(mantissa) << usize::try_from(own - exponent).expect("the unit divides the number")
}

/// `x / 2^exponent` where it is an integer of fewer than 39 bits, so that six factors and sums of them fit an `i128`.
pub fn small_integer(x: f64, exponent: i32) -> Option<i128> {
    let (mantissa, own) = parts(x);
    if mantissa == 0 {
        return Some(0);
    }
    let shift = u32::try_from(own.checked_sub(exponent)?).ok()?;
    let used = 64 - mantissa.unsigned_abs().leading_zeros();
    (shift < 39 && used + shift < 39).then(|| i128::from(mantissa) << shift)
}

/// Compares `x · 2^ex` with `y · 2^ey`.
pub fn compare_scaled(x: &BigInt, ex: i32, y: &BigInt, ey: i32) -> Ordering {
    let low = ex.min(ey);
    (x << ((ex - low) as usize)).cmp(&(y << ((ey - low) as usize)))
}
