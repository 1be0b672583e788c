//! Exact squared distances between triangles: the least over nine edge pairs and six corners over faces, as fractions.

use std::cmp::Ordering;

use num_bigint::BigInt;

use super::number::{Number, compare_scaled, integer};
use super::overlap::{Point, Triangle, cross, dot, minus, triangles_meet};

/// A nonnegative fraction `num / den`, times the square of the unit `2^exponent`.
#[derive(Clone, Debug)]
pub struct Square {
    num: BigInt,
    den: BigInt,
    exponent: i32,
}

impl Square {
    /// `num / den` in units of `2^(2·exponent)`.
    pub fn new(num: BigInt, den: BigInt, exponent: i32) -> Square {
        Square { num, den, exponent }
    }

    /// Whether the distance is zero.
    pub fn is_zero(&self) -> bool {
        self.num.sign() == num_bigint::Sign::NoSign
    }

    /// Orders two squared distances, whatever their units.
    pub fn compare(&self, other: &Square) -> Ordering {
        compare_scaled(&(&self.num * &other.den), 2 * self.exponent, &(&other.num * &self.den), 2 * other.exponent)
    }

    /// Orders the distance (the root of this square) and the nonnegative number `x`; infinity is larger than all.
    pub fn compare_root(&self, x: f64) -> Ordering {
        assert!(x >= 0.0, "{x} is not a distance");
        if x == f64::INFINITY {
            return Ordering::Less;
        }
        let unit = super::number::common_exponent([x]);
        let root = integer(x, unit);
        compare_scaled(&self.num, 2 * self.exponent, &(&root * &root * &self.den), 2 * unit)
    }

    /// The distance, rounded to nearest up to an ulp.
    pub fn root(&self) -> f64 {
        if self.is_zero() {
            return 0.0;
        }
        let shift = 2 * ((140 + self.den.bits() as i64 - self.num.bits() as i64) / 2);
        let quotient = if shift >= 0 {
            (&self.num << shift as usize) / &self.den
        } else {
            &self.num / (&self.den << (-shift) as usize)
        };
        let root = quotient.sqrt();
        let drop = root.bits().saturating_sub(62);
        let top = u64::try_from(&root >> drop as usize).expect("62 bits");
        scale(top as f64, drop as i64 - shift / 2 + i64::from(self.exponent))
    }
}

/// `x · 2^e`, in steps that neither overflow nor lose bits on the way.
fn scale(mut x: f64, mut e: i64) -> f64 {
    while e != 0 {
        let step = e.clamp(-1000, 1000);
        x *= f64::from_bits(((1023 + step) as u64) << 52);
        e -= step;
    }
    x
}

type P = Point<BigInt>;

fn square(v: &P) -> BigInt {
    dot(v, v)
}

fn positive(x: &BigInt) -> bool {
    Number::sign(x) == Some(1)
}

fn zero(x: &BigInt) -> bool {
    Number::sign(x) == Some(0)
}

/// A fraction in the unit of the coordinates.
pub type Fraction = (BigInt, BigInt);

/// The smaller of two fractions with positive denominators.
pub fn least(x: Fraction, y: Fraction) -> Fraction {
    if &x.0 * &y.1 <= &y.0 * &x.1 { x } else { y }
}

fn point_segment(p: &P, a: &P, b: &P) -> Fraction {
    let (d, r) = (minus(b, a), minus(p, a));
    let (length, along) = (square(&d), dot(&r, &d));
    if !positive(&along) {
        return (square(&r), 1.into());
    }
    if along >= length {
        return (square(&minus(p, b)), 1.into());
    }
    (square(&r) * &length - &along * &along, length)
}

/// Of the segments `pq` and `rs`, each possibly a point.
pub fn segment_segment(p: &P, q: &P, r: &P, s: &P) -> Fraction {
    let mut best = least(point_segment(p, r, s), point_segment(q, r, s));
    best = least(best, least(point_segment(r, p, q), point_segment(s, p, q)));
    let (u, v, w) = (minus(q, p), minus(s, r), minus(p, r));
    let normal = cross(&u, &v);
    let area = square(&normal);
    if zero(&area) {
        return best;
    }
    let (uu, vv, uv, uw, vw) = (square(&u), square(&v), dot(&u, &v), dot(&u, &w), dot(&v, &w));
    let (x, y) = (&uv * &vw - &uw * &vv, &uu * &vw - &uv * &uw);
    if positive(&x) && x < area && positive(&y) && y < area {
        let height = dot(&w, &normal);
        best = least(best, (&height * &height, area));
    }
    best
}

/// From `p` straight down to the inside of `t`, where the foot lies in it.
pub fn point_face(p: &P, [a, b, c]: &Triangle<BigInt>) -> Option<Fraction> {
    let normal = cross(&minus(b, a), &minus(c, a));
    let area = square(&normal);
    if zero(&area) {
        return None;
    }
    for (x, y) in [(a, b), (b, c), (c, a)] {
        if Number::sign(&dot(&cross(&minus(y, x), &minus(p, x)), &normal)) == Some(-1) {
            return None;
        }
    }
    let height = dot(&minus(p, a), &normal);
    Some((&height * &height, area))
}

/// The squared distance of two triangles whose coordinates count units of `2^exponent`.
pub fn triangle_distance(a: &Triangle<BigInt>, b: &Triangle<BigInt>, exponent: i32) -> Square {
    if triangles_meet(a, b) == Some(true) {
        return Square::new(0.into(), 1.into(), exponent);
    }
    let mut best = segment_segment(&a[0], &a[1], &b[0], &b[1]);
    for (i, j) in [(0, 1), (1, 2), (2, 0)] {
        for (k, l) in [(0, 1), (1, 2), (2, 0)] {
            best = least(best, segment_segment(&a[i], &a[j], &b[k], &b[l]));
        }
    }
    for (t, u) in [(a, b), (b, a)] {
        for corner in t {
            if let Some(foot) = point_face(corner, u) {
                best = least(best, foot);
            }
        }
    }
    Square::new(best.0, best.1, exponent)
}
