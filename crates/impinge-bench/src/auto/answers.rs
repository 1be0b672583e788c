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

/// Whether an answer says as much as another: as certain, about as narrow, and about as late where neither knows a
/// contact, for what it excludes is all that such an answer says.
pub(super) fn as_good(one: &Told, other: &Told) -> bool {
    let width = |told: &Told| told.time.map_or(0.0, |time| time.upper - time.lower);
    let lower = |told: &Told| told.time.map_or(f64::INFINITY, |time| time.lower);
    let narrow = NARROW.max(100.0 * width(other));
    let excludes = lower(one) >= lower(other) - narrow || lower(one) == lower(other);
    (one.certain || !other.certain) && width(one) <= narrow && (one.certain || excludes)
}

#[cfg(test)]
mod tests {
    use impinge::Interval;

    use super::*;

    #[test]
    fn a_contact_that_is_not_certain_says_more_the_later_it_is() {
        let told = |at: Option<f64>, certain| {
            let time = at.map(|t| Interval { lower: t, upper: t });
            Told { time, certain, work: 0 }
        };
        let [never, at_start, later, sure] =
            [told(None, true), told(Some(0.0), false), told(Some(0.5), false), told(Some(0.5), true)];
        assert!(as_good(&later, &at_start) && !as_good(&at_start, &later) && as_good(&later, &later));
        assert!(as_good(&sure, &later) && !as_good(&later, &sure) && !as_good(&later, &never));
        assert!(as_good(&never, &later) && as_good(&never, &never));
    }
}
