//! Exact signs of small determinants.
//!
//! `robust` is a port of Shewchuk's adaptive predicates: a filtered evaluation first, exact expansions only when the
//! filter cannot decide. They are exact as long as no product over- or underflows; callers therefore work in
//! coordinates scaled by a power of two to about 1 (see [`super::normalising_scale`]).

use glam::{DVec2, DVec3};
use robust::{Coord, Coord3D};

/// The sign of an exact real number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(i8)]
pub(crate) enum Sign {
    Negative = -1,
    Zero = 0,
    Positive = 1,
}

impl Sign {
    #[inline]
    pub(crate) fn of(x: f64) -> Sign {
        if x > 0.0 {
            Sign::Positive
        } else if x < 0.0 {
            Sign::Negative
        } else {
            Sign::Zero
        }
    }

    #[inline]
    pub(crate) fn flipped(self) -> Sign {
        match self {
            Sign::Negative => Sign::Positive,
            Sign::Zero => Sign::Zero,
            Sign::Positive => Sign::Negative,
        }
    }
}

/// Sign of `(x − p)·((q − p) × (r − p))`: on which side of the plane `pqr` the point `x` lies.
#[inline]
pub(crate) fn orient3d(p: DVec3, q: DVec3, r: DVec3, x: DVec3) -> Sign {
    let c = |v: DVec3| Coord3D { x: v.x, y: v.y, z: v.z };
    // Shewchuk's orient3d is positive when the fourth point lies below the plane.
    Sign::of(robust::orient3d(c(p), c(q), c(r), c(x))).flipped()
}

/// Sign of `(q − p) × (x − p)`: positive when `x` lies left of the line from `p` to `q`.
#[inline]
pub(crate) fn orient2d(p: DVec2, q: DVec2, x: DVec2) -> Sign {
    let c = |v: DVec2| Coord { x: v.x, y: v.y };
    Sign::of(robust::orient2d(c(p), c(q), c(x)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orientation_follows_the_right_hand() {
        let (o, x, y) = (DVec3::ZERO, DVec3::X, DVec3::Y);
        assert_eq!(orient3d(o, x, y, DVec3::Z), Sign::Positive);
        assert_eq!(orient3d(o, x, y, -DVec3::Z), Sign::Negative);
        assert_eq!(orient3d(o, x, y, x + y), Sign::Zero);
        assert_eq!(orient2d(DVec2::ZERO, DVec2::X, DVec2::Y), Sign::Positive);
    }

    #[test]
    fn one_ulp_decides() {
        let third = 1.0 / 3.0;
        let (p, q, r) = (DVec3::new(third, 0.0, 0.0), DVec3::new(0.0, third, 0.0), DVec3::new(0.0, 0.0, third));
        let x = (p + q + r) / 3.0;
        let above = DVec3::new(x.x.next_up(), x.y, x.z);
        assert!(orient3d(p, q, r, above) >= orient3d(p, q, r, x));
        assert_eq!(orient3d(p, q, r, above + DVec3::splat(1e-16)), Sign::Positive);
    }
}
