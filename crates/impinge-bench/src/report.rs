//! Tables in Markdown, and files of them that say when, where and how they were made.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::error::BenchError;

/// The report of a bench.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// The file's stem under `results/`.
    pub(crate) name: &'static str,
    pub(crate) title: String,
    pub(crate) body: String,
}

impl Report {
    pub(crate) fn new(name: &'static str, title: impl Into<String>) -> Report {
        Report { name, title: title.into(), body: String::new() }
    }

    /// Adds a paragraph or a table.
    pub(crate) fn add(&mut self, part: impl fmt::Display) {
        self.body.push_str(part.to_string().trim_end());
        self.body.push_str("\n\n");
    }

    /// Writes `<folder>/<name>.md` and tells its path.
    pub(crate) fn save(&self, folder: &Path, command: &str) -> Result<PathBuf, BenchError> {
        fs::create_dir_all(folder).map_err(BenchError::write(folder))?;
        let path = folder.join(format!("{}.md", self.name));
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |t| t.as_secs());
        let (date, cpu) = (date(now / 86_400), cpu_name());
        let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
        let head = format!("# {}\n\n{date} · {cpu}, {cores} threads · `{command}`\n\n", self.title);
        fs::write(&path, head + self.body.trim_end() + "\n").map_err(BenchError::write(&path))?;
        Ok(path)
    }
}

/// Columns of text, the first ones to the left and numbers to the right.
#[derive(Debug)]
pub(crate) struct Table {
    rows: Vec<Vec<String>>,
    words: usize,
}

impl Table {
    /// The heads of the columns; the first `words` columns hold words.
    pub(crate) fn new(words: usize, heads: &[&str]) -> Table {
        Table { rows: vec![heads.iter().map(|&h| h.to_owned()).collect()], words }
    }

    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let cell = |row: &Vec<String>, c: usize| row.get(c).cloned().unwrap_or_default();
        let width = |c: usize| self.rows.iter().map(|row| cell(row, c).chars().count()).max().unwrap_or(0).max(3);
        for (r, row) in self.rows.iter().enumerate() {
            for c in 0..columns {
                let (text, w) = (cell(row, c), width(c));
                if c < self.words { write!(f, "| {text:<w$} ")? } else { write!(f, "| {text:>w$} ")? }
            }
            writeln!(f, "|")?;
            if r == 0 {
                for c in 0..columns {
                    let dashes = "-".repeat(width(c));
                    if c < self.words { write!(f, "|-{dashes}-")? } else { write!(f, "|-{dashes}:")? }
                }
                writeln!(f, "|")?;
            }
        }
        Ok(())
    }
}

/// Three significant digits; `-` for a number that was not measured.
pub(crate) fn figure(x: f64) -> String {
    match x.abs() {
        a if a.is_nan() => "-".to_owned(),
        a if a >= 100.0 || a == 0.0 => format!("{x:.0}"),
        a if a >= 10.0 => format!("{x:.1}"),
        a if a >= 1.0 => format!("{x:.2}"),
        _ => format!("{x:.3}"),
    }
}

/// The civil date of a day counted from 1970-01-01, by whole years and months.
fn date(mut day: u64) -> String {
    let leap = |y: u64| y.is_multiple_of(4) && (!y.is_multiple_of(100) || y.is_multiple_of(400));
    let mut year = 1970;
    while day >= 365 + u64::from(leap(year)) {
        day -= 365 + u64::from(leap(year));
        year += 1;
    }
    let months = [31, 28 + u64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while day >= months[month] {
        day -= months[month];
        month += 1;
    }
    format!("{year}-{:02}-{:02}", month + 1, day + 1)
}

fn cpu_name() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    name.map_or_else(|| std::env::consts::ARCH.to_owned(), |(_, name)| name.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        assert_eq!(date(0), "1970-01-01");
        assert_eq!(date(11_016), "2000-02-29");
        assert_eq!(date(11_017), "2000-03-01");
        assert_eq!(date(20_818), "2026-12-31");
    }

    #[test]
    fn tables_are_markdown() {
        let mut table = Table::new(1, &["case", "µs"]);
        table.row(["far".to_owned(), figure(1.5)]);
        assert_eq!(table.to_string(), "| case |   µs |\n|------|-----:|\n| far  | 1.50 |\n");
        assert_eq!([figure(f64::NAN), figure(1234.5), figure(0.01234)], ["-", "1234", "0.012"]);
    }
}
