//! A span of time that a question is about.

use glam::DVec3;

use crate::error::MotionError;

/// A closed span of time; a single moment when both ends are the same.
///
/// ```
/// use impinge::Span;
/// assert_eq!(Span::new(0.0, 1.0), Ok(Span::UNIT));
/// assert!(Span::new(1.0, 0.0).is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Span {
    from: f64,
    to: f64,
}

impl Span {
    /// From 0 to 1.
    pub const UNIT: Span = Span { from: 0.0, to: 1.0 };

    /// From one time to another that is not earlier.
    ///
    /// # Errors
    /// A time is not finite or beyond the supported scale, or the span is reversed.
    pub fn new(from: f64, to: f64) -> Result<Span, MotionError> {
        MotionError::check("span of time", DVec3::new(from, to, 0.0))?;
        if from <= to { Ok(Span { from, to }) } else { Err(MotionError::NoTime { from, to }) }
    }

    /// When it begins.
    pub fn from(&self) -> f64 {
        self.from
    }

    /// When it ends.
    pub fn to(&self) -> f64 {
        self.to
    }
}
