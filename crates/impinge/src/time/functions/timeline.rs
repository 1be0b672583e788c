//! The spans of contact of two bodies, joined as they are found.
//!
//! Two spans become one where the first may last until the second may begin, since then no gap between them is certain.
//! This happens where a contact passes from one triangle to its neighbour: each of the two knows the time of that only
//! up to rounding.
//!
//! Invariant: spans are ascending and disjoint. Cost: a binary search, and moving the later spans along the list.

use crate::math::Interval;

/// A span of time in which two bodies touch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ContactSpan {
    /// When they begin to touch: at `lower` they do not yet touch; the true beginning is no later than `upper`.
    pub(crate) begin: Interval,
    /// When they part: the true end is no earlier than `lower`; at `upper` they no longer touch.
    pub(crate) end: Interval,
    /// Whether the bodies certainly touch from `begin.upper` to `end.lower`, except for times too short for rounding to
    /// resolve. If not, they are so near that rounding leaves it open, or the search stopped at a cap; both intervals
    /// are then the whole span of time.
    pub(crate) certain: bool,
}

impl ContactSpan {
    /// A certain contact from exactly `from` to exactly `to`.
    pub(crate) fn throughout(from: f64, to: f64) -> ContactSpan {
        let at = |t: f64| Interval { lower: t, upper: t };
        ContactSpan { begin: at(from), end: at(to), certain: true }
    }

    /// A possible contact at some time from `from` to `to`.
    pub(crate) fn possible(from: f64, to: f64) -> ContactSpan {
        let some = Interval { lower: from, upper: to };
        ContactSpan { begin: some, end: some, certain: false }
    }

    fn join(&self, other: &ContactSpan) -> ContactSpan {
        let (lower, upper) = (self.begin.lower.min(other.begin.lower), self.end.upper.max(other.end.upper));
        let [begin, end] = match (self.certain, other.certain) {
            (true, true) => [self.begin.upper.min(other.begin.upper), self.end.lower.max(other.end.lower)],
            (true, false) => [self.begin.upper, self.end.lower],
            (false, true) => [other.begin.upper, other.end.lower],
            (false, false) => [upper, lower],
        };
        ContactSpan {
            begin: Interval { lower, upper: begin },
            end: Interval { lower: end, upper },
            certain: self.certain || other.certain,
        }
    }
}

/// All contacts so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct Timeline {
    contacts: Vec<ContactSpan>,
}

impl Timeline {
    /// Adds a contact, and joins it with those from which a gap shorter than `moment` separates it.
    pub(crate) fn insert(&mut self, contact: ContactSpan, moment: f64) {
        let first = self.contacts.partition_point(|c| c.end.upper < contact.begin.lower - moment);
        let past = self.contacts.partition_point(|c| c.begin.lower <= contact.end.upper + moment);
        let joined = self.contacts[first..past].iter().fold(contact, |sum, c| sum.join(c));
        self.contacts.splice(first..past, [joined]);
    }

    /// The time until which the bodies certainly touch; `None` where they do not certainly touch at `t`.
    pub(crate) fn touching_until(&self, t: f64) -> Option<f64> {
        let at = self.contacts.partition_point(|c| c.begin.upper <= t);
        let contact = self.contacts[..at].last()?;
        (contact.certain && t < contact.end.lower).then_some(contact.end.lower)
    }

    /// The spans from `from` to `to` that lie in no contact.
    pub(crate) fn gaps(&self, from: f64, to: f64) -> Vec<[f64; 2]> {
        let begins = self.contacts.iter().map(|c| c.begin.lower).chain([to]);
        let ends = [from].into_iter().chain(self.contacts.iter().map(|c| c.end.upper));
        ends.zip(begins).map(|(end, begin)| [end, begin]).filter(|[end, begin]| end < begin).collect()
    }

    pub(crate) fn into_contacts(self) -> Vec<ContactSpan> {
        self.contacts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contact(b: [f64; 2], e: [f64; 2]) -> ContactSpan {
        let interval = |[lower, upper]: [f64; 2]| Interval { lower, upper };
        ContactSpan { begin: interval(b), end: interval(e), certain: true }
    }

    #[test]
    fn spans_that_may_meet_are_joined() {
        let mut line = Timeline::default();
        line.insert(contact([5.0, 5.1], [6.0, 6.1]), 0.0);
        line.insert(contact([1.0, 1.1], [2.0, 2.1]), 0.0);
        line.insert(contact([2.1, 2.2], [3.0, 3.1]), 0.0);
        line.insert(ContactSpan::possible(0.5, 1.05), 0.0);
        line.insert(ContactSpan::possible(4.0, 4.5), 0.0);
        assert_eq!(line.touching_until(1.5), Some(3.0));
        assert_eq!([line.touching_until(1.05), line.touching_until(3.0), line.touching_until(4.2)], [None; 3]);
        assert_eq!(line.gaps(0.0, 7.0), [[0.0, 0.5], [3.1, 4.0], [4.5, 5.0], [6.1, 7.0]]);
        let all = line.into_contacts();
        assert_eq!(all.len(), 3);
        assert_eq!(all[0], contact([0.5, 1.1], [3.0, 3.1]));
        assert_eq!(all[1], ContactSpan::possible(4.0, 4.5));
    }
}
