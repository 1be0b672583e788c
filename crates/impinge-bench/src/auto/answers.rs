//! Whether answers about the same motion agree, and which of them say enough to be compared.

use super::ways::{Told, Way};

/// An interval that is wider than this share of the span, and than a hundred times another, says less.
const NARROW: f64 = 1e-6;

/// Two answers of which one must be wrong: one knows that they touch at a time before which the other excludes it.
pub(super) fn contradiction(told: &[(Way, Told)]) -> Option<[&'static str; 2]> {
    let touching = |told: &Told| told.time.filter(|_| told.certain).map(|time| time.upper);
    for (way, one) in told {
        let Some(touch) = touching(one) else { continue };
        for (other, two) in told.iter().filter(|(other, _)| other.proves()) {
            let apart_until = match two.time {
                Some(time) => time.lower,
                None if two.certain => f64::INFINITY,
                None => 0.0,
            };
            if apart_until > touch * (1.0 + 1e-12) + 1e-12 {
                return Some([way.name(), other.name()]);
            }
        }
    }
    None
}

/// Whether an answer says as much as another.
pub(super) fn as_good(one: &Told, other: &Told) -> bool {
    let width = |told: &Told| told.time.map_or(0.0, |time| time.upper - time.lower);
    (one.certain || !other.certain) && width(one) <= NARROW.max(100.0 * width(other))
}
