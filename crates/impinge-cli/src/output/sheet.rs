//! Standard output as a list of answers that is valid wherever it ends.

use std::io::{self, BufWriter, Stdout, Write};

use crate::output::format::AnswerFormat;
use crate::output::json::Partial;
use crate::output::text::plural;

/// What the sheet is about.
#[derive(Debug, Clone)]
pub(crate) struct Title {
    pub(crate) verb: &'static str,
    pub(crate) a: String,
    /// None where the question is about one body.
    pub(crate) b: Option<String>,
}

/// Rows of answers in one format: JSON is an array when `many`, JSON lines and text are flushed row by row.
pub(crate) struct Sheet<W: Write = BufWriter<Stdout>> {
    out: W,
    format: AnswerFormat,
    many: bool,
    title: Title,
    rows: u64,
    closed: bool,
}

impl Sheet {
    pub(crate) fn on_stdout(format: AnswerFormat, many: bool, title: Title) -> Sheet {
        Sheet::new(BufWriter::with_capacity(1 << 16, io::stdout()), format, many, title)
    }
}

impl<W: Write> Sheet<W> {
    fn new(out: W, format: AnswerFormat, many: bool, title: Title) -> Sheet<W> {
        Sheet { out, format, many, title, rows: 0, closed: false }
    }

    pub(crate) fn rows(&self) -> u64 {
        self.rows
    }

    fn is_array(&self) -> bool {
        self.many && self.format == AnswerFormat::Json
    }

    /// Adds one answer, given without its line end.
    pub(crate) fn put(&mut self, row: &[u8]) -> io::Result<()> {
        if self.closed {
            return Ok(());
        }
        if self.is_array() {
            self.out.write_all(if self.rows == 0 { b"[\n" } else { b",\n" })?;
            self.out.write_all(row)?;
        } else {
            self.out.write_all(row)?;
            self.out.write_all(b"\n")?;
            self.out.flush()?;
        }
        self.rows += 1;
        Ok(())
    }

    /// Ends the sheet; `partial` when not every row was answered.
    pub(crate) fn close(&mut self, partial: bool) -> io::Result<()> {
        if std::mem::replace(&mut self.closed, true) {
            return Ok(());
        }
        if partial {
            self.closed = false;
            let answered = self.rows;
            let mark = self.mark(answered)?;
            self.put(&mark)?;
            self.closed = true;
        }
        if self.is_array() {
            self.out.write_all(b"\n]\n")?;
        }
        self.out.flush()
    }

    fn mark(&self, answered: u64) -> io::Result<Vec<u8>> {
        if self.format == AnswerFormat::Text {
            return Ok(format!("partial: {} answered", plural(answered, "row", "rows")).into_bytes());
        }
        let Title { verb, a, b } = &self.title;
        Ok(serde_json::to_vec(&Partial { verb, a, b: b.as_deref(), partial: true, answered })?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet(format: AnswerFormat, many: bool, rows: &[&str], partial: bool) -> String {
        let title = Title { verb: "overlap", a: "p".into(), b: Some("q".into()) };
        let mut sheet = Sheet::new(Vec::new(), format, many, title);
        for row in rows {
            sheet.put(row.as_bytes()).unwrap();
        }
        sheet.close(partial).unwrap();
        sheet.close(true).unwrap();
        sheet.put(b"late").unwrap();
        String::from_utf8(sheet.out).unwrap()
    }

    #[test]
    fn each_format_ends_well() {
        assert_eq!(sheet(AnswerFormat::Json, false, &["1"], false), "1\n");
        assert_eq!(sheet(AnswerFormat::Json, true, &["1", "2"], false), "[\n1,\n2\n]\n");
        assert_eq!(sheet(AnswerFormat::Jsonl, true, &["1", "2"], false), "1\n2\n");
    }

    #[test]
    fn a_partial_sheet_says_so() {
        let mark = r#"{"verb":"overlap","a":"p","b":"q","partial":true,"answered":1}"#;
        assert_eq!(sheet(AnswerFormat::Json, true, &["1"], true), format!("[\n1,\n{mark}\n]\n"));
        assert_eq!(sheet(AnswerFormat::Jsonl, true, &["1"], true), format!("1\n{mark}\n"));
        assert_eq!(sheet(AnswerFormat::Text, true, &["1"], true), "1\npartial: 1 row answered\n");
        let empty = sheet(AnswerFormat::Json, true, &[], true);
        assert_eq!(empty, format!("[\n{}\n]\n", mark.replace("answered\":1", "answered\":0")));
    }
}
