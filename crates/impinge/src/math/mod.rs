//! Poses, intervals, exact predicates. Every tolerance on input is defined here.

mod eigen;
mod interval;
#[cfg(feature = "serde")]
pub(crate) mod number;
mod polynomial;
mod pose;
mod pose_algebra;
mod pose_error;
mod pose_forms;
mod predicates;
pub(crate) mod simd;
mod whole_number;

pub(crate) use eigen::principal_axes;
pub use interval::Interval;
pub(crate) use polynomial::{Polynomial, PolynomialRoot};
pub use pose::Pose;
pub(crate) use pose::Relative;
pub(crate) use pose_algebra::shortest_turn;
pub use pose_error::PoseError;
pub(crate) use predicates::{Sign, orient2d, orient3d};
pub(crate) use whole_number::WholeNumber;

/// Largest absolute coordinate a model or a pose may have: its square and the product of two such are still finite.
pub(crate) const LIMIT: f64 = 1e150;

/// Half a unit in the last place of 1: the relative error of one rounding.
pub(crate) const EPS: f64 = 0.5 * f64::EPSILON;

/// The power of two `s` for which `s·x` lies in `[½, 1)`; 1 for zero. Scaling by it is exact.
pub(crate) fn normalising_scale(x: f64) -> f64 {
    if x == 0.0 {
        return 1.0;
    }
    let tiny = x < f64::MIN_POSITIVE * 2.0;
    let lifted = if tiny { x * 2f64.powi(200) } else { x };
    let exponent = ((lifted.to_bits() >> 52) & 0x7ff) as i32 - 1022 - if tiny { 200 } else { 0 };
    // 2^1023 is the largest power there is; what is smaller than 2^-1022 stays below ½, which is harmless.
    let power = (-exponent).min(1023);
    if power >= -1022 {
        return f64::from_bits(((power + 1023) as u64) << 52);
    }
    // Less than the least normal number by a factor of 2 or 4, and not the inverse of 2^1024, which is infinite.
    f64::MIN_POSITIVE * 2f64.powi(power + 1022)
}

#[cfg(test)]
mod tests {
    use super::normalising_scale;

    #[test]
    fn scale_brings_any_size_to_one() {
        for x in [1.0, 0.75, 1e-300, 1e150, 3.0, 5e-310, f64::MIN_POSITIVE, 8.9e307, 9.1e307, 1e308, f64::MAX] {
            let y = x * normalising_scale(x);
            assert!((0.0..1.0).contains(&y) && (y >= 0.5 || x < f64::MIN_POSITIVE * 2.0), "{x} -> {y}");
        }
    }
}
