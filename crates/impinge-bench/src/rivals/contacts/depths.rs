//! Who is right where two sides tell different depths: brute force on every pair of which they do.
//!
//! The depth of a pair is that of its deepest point, and negative where the bodies are apart. The truth is the least
//! depth over all directions of faces and of pairs of edges, or minus the distance, by brute force. Ours may be deeper
//! by a tenth of the prediction, as `ManifoldOptions` says, where the normal of a face takes the place of the least way
//! out; so *right* means from the truth to that much more. Without points the bodies are beyond the prediction.

use impinge::{Method, Pair, Pose};

/// How far two rounded depths may lie apart and still be the same.
const SLACK: f64 = 1e-6;

/// How many pairs differ, and who is right about them.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
pub(super) struct Depths {
    pub(super) same: usize,
    /// Of those that differ: ours is the truth within 1e-6, or deeper within what is allowed, or neither.
    pub(super) ours: [usize; 3],
    /// The same of theirs.
    pub(super) theirs: [usize; 3],
}

impl Depths {
    /// Compares the deepest points of one pair, `None` where a side has no points.
    pub(super) fn compare(&mut self, ours: Option<f64>, theirs: Option<f64>, prediction: f64, truth: impl Fn() -> f64) {
        let same = match (ours, theirs) {
            (None, None) => true,
            (Some(x), Some(y)) => (x - y).abs() <= SLACK,
            _ => false,
        };
        if same {
            self.same += 1;
            return;
        }
        let truth = truth();
        let rank = |told: Option<f64>| match told {
            None if truth <= SLACK - prediction => 0,
            Some(depth) if (depth - truth).abs() <= SLACK => 0,
            Some(depth) if depth >= truth && depth - truth <= 0.1 * prediction + SLACK => 1,
            _ => 2,
        };
        self.ours[rank(ours)] += 1;
        self.theirs[rank(theirs)] += 1;
    }

    pub(super) fn told(&self) -> String {
        let [exact, allowed, wrong] = self.ours;
        let [their_exact, their_allowed, their_wrong] = self.theirs;
        let differ = exact + allowed + wrong;
        format!(
            "{differ} differ; ours {exact} exact, {allowed} allowed, {wrong} wrong; parry's {their_exact}, \
             {their_allowed}, {their_wrong}"
        )
    }
}

/// The depth by brute force, or minus the distance.
pub(super) fn truth(pair: Pair, [a, b]: &[Pose; 2]) -> f64 {
    let mut pair = pair.with_method(Method::Brute);
    let distance = pair.distance(a, b);
    if distance.penetrating { pair.penetration(a, b).interval.upper } else { -distance.interval.upper }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_truth_decides() {
        let mut found = Depths::default();
        found.compare(None, None, 0.02, || unreachable!());
        found.compare(Some(0.5), Some(0.5 + 1e-7), 0.02, || unreachable!());
        found.compare(Some(0.5), Some(0.4), 0.02, || 0.5);
        found.compare(Some(0.501), None, 0.02, || 0.5);
        found.compare(None, Some(-0.03), 0.02, || -0.03);
        found.compare(Some(0.49), Some(0.5), 0.02, || 0.5);
        assert_eq!(found, Depths { same: 2, ours: [2, 1, 1], theirs: [2, 0, 2] });
        assert!(found.told().starts_with("4 differ"));
    }
}
