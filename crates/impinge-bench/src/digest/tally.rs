//! Hashes of answers and of work, by the kind of question.

use std::collections::BTreeMap;
use std::fmt::{Debug, Write};

use impinge::Stats;

use crate::report::Report;

/// The hash of Fowler, Noll and Vo (FNV-1a) in 64 bits.
#[derive(Debug, Clone, Copy)]
struct Hash(u64);

impl Default for Hash {
    fn default() -> Hash {
        Hash(0xCBF2_9CE4_8422_2325)
    }
}

impl Hash {
    fn add(&mut self, text: &str) {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
    }
}

#[derive(Debug, Default)]
struct Row {
    count: u64,
    answers: Hash,
    work: Hash,
}

/// What has been asked, by the kind of question.
#[derive(Debug, Default)]
pub(super) struct Tally {
    rows: BTreeMap<String, Row>,
    text: String,
}

impl Tally {
    /// Counts an answer. Its text shows every bit: floating-point numbers are written so that they read back the same.
    pub(super) fn add(&mut self, kind: &str, answer: &dyn Debug, work: Stats) {
        self.text.clear();
        // Writing to a string does not fail.
        let _ = write!(self.text, "{answer:?};");
        if !self.rows.contains_key(kind) {
            self.rows.insert(kind.to_owned(), Row::default());
        }
        let Some(row) = self.rows.get_mut(kind) else { return };
        row.count += 1;
        row.answers.add(&self.text);
        row.work.add(&format!("{work:?};"));
    }

    /// Rows in alphabetical order, and one for all.
    pub(super) fn report(&self) -> Report {
        let mut all = Row::default();
        let mut body = String::from("| question | times | answers | work |\n|---|---:|---|---|\n");
        for (kind, row) in &self.rows {
            let line = format!("{} | {:016x} | {:016x} |\n", row.count, row.answers.0, row.work.0);
            body += &format!("| {kind} | {line}");
            all.count += row.count;
            all.answers.add(&format!("{kind}{:x}", row.answers.0));
            all.work.add(&format!("{kind}{:x}", row.work.0));
        }
        body += &format!("| all | {} | {:016x} | {:016x} |\n", all.count, all.answers.0, all.work.0);
        let mut report = Report::new("digest", "Digest of the answers");
        report.add(body);
        report
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_hash_of_a_letter() {
        let mut hash = Hash::default();
        hash.add("a");
        assert_eq!(hash.0, 0xAF63_DC4C_8601_EC8C);
    }

    #[test]
    fn answers_and_work_are_told_apart() {
        let told = |answer: f64, iterations: u64| {
            let mut tally = Tally::default();
            tally.add("x", &answer, Stats { iterations, ..Stats::default() });
            let row = &tally.rows["x"];
            (row.answers.0, row.work.0)
        };
        let (answer, work) = told(1.0, 1);
        assert!(told(1.0f64.next_up(), 1).0 != answer && told(1.0, 1).0 == answer);
        assert!(told(1.0, 2).1 != work && told(2.0, 1).1 == work);
    }
}
