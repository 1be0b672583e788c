//! Nanoseconds per query.

use std::time::Duration;

use crate::output::text::plural;

/// The time each query took, and nothing but the query.
#[derive(Debug, Default)]
pub(crate) struct Timing {
    nanoseconds: Vec<u64>,
}

impl Timing {
    pub(crate) fn add(&mut self, query: Duration) {
        self.nanoseconds.push(u64::try_from(query.as_nanos()).unwrap_or(u64::MAX));
    }

    /// One line for standard error.
    pub(crate) fn summary(mut self) -> String {
        self.nanoseconds.sort_unstable();
        let count = plural(self.nanoseconds.len() as u64, "query", "queries");
        match (rank(&self.nanoseconds, 50), rank(&self.nanoseconds, 95)) {
            (Some(median), Some(high)) => format!("timing: {count}, median {median} ns, 95th percentile {high} ns"),
            _ => format!("timing: {count}"),
        }
    }
}

/// The smallest entry that at least `percent` of all do not exceed.
fn rank(sorted: &[u64], percent: usize) -> Option<u64> {
    let place = (sorted.len() * percent).div_ceil(100).max(1);
    sorted.get(place - 1).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_rank() {
        let hundred: Vec<u64> = (1..=100).collect();
        assert_eq!([50, 95, 100].map(|p| rank(&hundred, p)), [Some(50), Some(95), Some(100)]);
        assert_eq!([50, 95].map(|p| rank(&[7], p)), [Some(7), Some(7)]);
        assert_eq!([50, 95].map(|p| rank(&[1, 2, 3], p)), [Some(2), Some(3)]);
        assert_eq!(rank(&[], 50), None);
    }

    #[test]
    fn says_how_many() {
        let mut timing = Timing::default();
        timing.add(Duration::from_nanos(12));
        assert_eq!(timing.summary(), "timing: 1 query, median 12 ns, 95th percentile 12 ns");
        assert_eq!(Timing::default().summary(), "timing: 0 queries");
    }
}
