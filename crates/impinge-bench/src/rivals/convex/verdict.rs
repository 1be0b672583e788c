//! The result of a comparison of convex bodies: ratios of times, and answers that differ.

use crate::agreement::Differences;
use crate::report::figure;
use crate::timing::median;

/// How many times faster than parry, row by row.
#[derive(Default)]
pub(super) struct Ratios(pub(super) Vec<f64>);

impl Ratios {
    pub(super) fn told(self, above: impl std::fmt::Display) -> String {
        let least = self.0.iter().copied().fold(f64::INFINITY, f64::min);
        format!("{above}\nRatio: median {}, least {}.", figure(median(self.0)), figure(least))
    }
}

/// What came of comparing answers.
#[derive(Default)]
pub(super) struct Verdict {
    compared: usize,
    pub(super) against_us: usize,
    remarks: Vec<String>,
}

impl Verdict {
    /// Keeps the differences of one question, and says how many answers are the same.
    pub(super) fn add(&mut self, question: &str, peer: &str, found: &Differences) -> String {
        self.compared += found.compared;
        self.against_us += found.against_us();
        self.remarks.extend(found.told(question, peer));
        format!("{}/{}", found.compared - found.differ, found.compared)
    }

    pub(super) fn told(&self) -> String {
        let mut text =
            format!("{} answers compared; brute force found {} of ours wrong.", self.compared, self.against_us);
        for remark in &self.remarks {
            text += &format!("\n- {remark}");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_answer_of_ours_is_counted() {
        let mut verdict = Verdict::default();
        assert_eq!(verdict.add("x", "parry", &Differences::between(&[1.0, 2.0], &[1.0, 3.0], |_| 2.0)), "1/2");
        assert_eq!((verdict.compared, verdict.against_us, verdict.remarks.len()), (2, 0, 1));
        verdict.add("y", "parry", &Differences::between(&[1.0], &[3.0], |_| 3.0));
        assert_eq!((verdict.against_us, verdict.told().lines().count()), (1, 3));
    }

    #[test]
    fn ratios_are_told_below_their_table() {
        assert_eq!(Ratios(vec![2.0, 8.0, 4.0]).told("table"), "table\nRatio: median 4.00, least 2.00.");
    }
}
