//! How exact a distance has to be.

/// How far the distance found may exceed the least distance: it is accepted when it is within either margin.
///
/// With a margin, a search drops pairs that cannot improve the distance by more than the margin, and the interval of
/// the answer says how wide it became: `upper ≤ lower + absolute` or `upper ≤ lower·(1 + relative)`, up to rounding.
/// Where the exact distance costs no more, as between convex bodies, the answer is exact. A margin that is negative or
/// NaN counts as 0.
///
/// ```
/// use impinge::Precision;
/// let percent = Precision { relative: 0.01, ..Precision::EXACT };
/// assert_eq!(percent.absolute, 0.0);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct Precision {
    /// As a part of the distance.
    pub relative: f64,
    /// As a length.
    pub absolute: f64,
}

impl Precision {
    /// No margin.
    pub const EXACT: Precision = Precision { relative: 0.0, absolute: 0.0 };

    /// With the absolute margin multiplied by `scale`, and both margins made finite and not negative.
    pub(crate) fn scaled(self, scale: f64) -> Precision {
        let margin = |x: f64| if x > 0.0 { x.min(1e300) } else { 0.0 };
        Precision { relative: margin(self.relative), absolute: margin(margin(self.absolute) * scale) }
    }

    /// The squared distance from which on a pair is dropped when the best distance so far, squared, is `best`; Larsen
    /// et al. §5.
    #[inline(always)]
    pub(crate) fn cutoff(self, best: f64) -> f64 {
        if self == Precision::EXACT {
            return best;
        }
        let distance = best.sqrt();
        let least = (distance - self.absolute).min(distance / (1.0 + self.relative)).max(0.0);
        least * least
    }
}
