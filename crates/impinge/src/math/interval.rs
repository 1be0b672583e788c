//! Closed intervals: how an answer carries its own error.

/// A closed interval `[lower, upper]` that contains the true value.
///
/// ```
/// use impinge::{glam::DVec3, Pair, Pose, Round};
/// let mut pair = Pair::new(Round::sphere(1.0)?, Round::sphere(1.0)?);
/// let distance = pair.distance(&Pose::IDENTITY, &Pose::at(DVec3::new(3.0, 4.0, 0.0))?).interval;
/// assert!(distance.lower <= 3.0 && distance.upper >= 3.0 && distance.width() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Interval {
    /// No true value is smaller.
    #[cfg_attr(feature = "serde", serde(with = "crate::math::number"))]
    pub lower: f64,
    /// No true value is larger.
    #[cfg_attr(feature = "serde", serde(with = "crate::math::number"))]
    pub upper: f64,
}

impl Interval {
    /// The interval `[0, 0]`.
    pub const ZERO: Interval = Interval { lower: 0.0, upper: 0.0 };
    /// The distance to nothing.
    pub const INFINITE: Interval = Interval { lower: f64::INFINITY, upper: f64::INFINITY };

    /// Half way between the ends.
    ///
    /// ```
    /// let i = impinge::Interval { lower: 1.0, upper: 1.5 };
    /// assert_eq!((i.mid(), i.width()), (1.25, 0.5));
    /// ```
    pub fn mid(&self) -> f64 {
        if self.lower == self.upper { self.lower } else { 0.5 * self.lower + 0.5 * self.upper }
    }

    /// `upper − lower`; zero for an infinite distance.
    pub fn width(&self) -> f64 {
        if self.lower == self.upper { 0.0 } else { self.upper - self.lower }
    }

    /// Whether `x` may be the true value.
    pub fn contains(&self, x: f64) -> bool {
        self.lower <= x && x <= self.upper
    }
}
