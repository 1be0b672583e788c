//! Points as text: one for each row of a CSV file that is read while rows are answered.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _};
use std::path::Path;

use impinge::glam::DVec3;

use crate::input::poses::{MAX_LINE, is_header, unreadable};
use crate::output::error::Failure;

const NAMES: [&str; 3] = ["x", "y", "z"];
const HELP: &str = "write one point a row: x,y,z";

/// Largest coordinate that the library takes.
const LARGEST: f64 = 1e150;

/// What is wrong with a row, and in which column of its line, counted from 1.
#[derive(Debug, PartialEq)]
struct BadCell {
    column: usize,
    problem: String,
}

impl BadCell {
    fn new(column: usize, problem: impl Into<String>) -> BadCell {
        BadCell { column, problem: problem.into() }
    }
}

/// The rows of a CSV file, one at a time.
pub(crate) struct Points {
    input: Box<dyn BufRead>,
    file: String,
    size: Option<u64>,
    line: u64,
    read: u64,
    /// Whether a header may come yet.
    first: bool,
    any: bool,
}

impl Points {
    /// Opens the file; `-` is standard input.
    pub(crate) fn open(path: &Path) -> Result<Points, Failure> {
        if path.as_os_str() == "-" {
            return Ok(Points::new(Box::new(io::stdin().lock()), "standard input".to_owned(), None));
        }
        let name = path.display().to_string();
        let file = File::open(path).map_err(|error| unreadable(name.clone(), &error))?;
        let size = file.metadata().ok().filter(|m| m.is_file()).map(|m| m.len());
        Ok(Points::new(Box::new(BufReader::with_capacity(1 << 16, file)), name, size))
    }

    fn new(input: Box<dyn BufRead>, file: String, size: Option<u64>) -> Points {
        Points { input, file, size, line: 0, read: 0, first: true, any: false }
    }

    /// Bytes in the file, where that is known.
    pub(crate) fn size(&self) -> Option<u64> {
        self.size
    }

    /// Bytes read so far.
    pub(crate) fn read(&self) -> u64 {
        self.read
    }

    fn fail(&self, bad: BadCell) -> Failure {
        let place = format!("{}:{}:{}", self.file, self.line, bad.column);
        Failure::Poses { place, problem: bad.problem, help: HELP }
    }

    /// The next line without its end; `None` after the last.
    fn next_line(&mut self) -> Result<Option<String>, Failure> {
        let mut bytes = Vec::new();
        let got = (&mut self.input).take(MAX_LINE as u64 + 1).read_until(b'\n', &mut bytes);
        let got = got.map_err(|error| unreadable(self.file.clone(), &error))?;
        if got == 0 {
            return Ok(None);
        }
        self.line += 1;
        self.read += got as u64;
        if got > MAX_LINE {
            return Err(self.fail(BadCell::new(MAX_LINE, format!("the line is longer than {MAX_LINE} bytes"))));
        }
        let text = String::from_utf8(bytes).map_err(|error| {
            self.fail(BadCell::new(error.utf8_error().valid_up_to() + 1, "the line is not UTF-8 text"))
        })?;
        Ok(Some(text.trim_start_matches('\u{feff}').trim_end().to_owned()))
    }

    fn advance(&mut self) -> Result<Option<DVec3>, Failure> {
        while let Some(text) = self.next_line()? {
            if text.trim().is_empty() {
                continue;
            }
            if std::mem::take(&mut self.first) && is_header(&text) {
                header(&text).map_err(|bad| self.fail(bad))?;
                continue;
            }
            let point = point(&text).map_err(|bad| self.fail(bad))?;
            self.any = true;
            return Ok(Some(point));
        }
        match self.any {
            true => Ok(None),
            false => {
                let problem = "there are no points in it".to_owned();
                Err(Failure::Poses { place: self.file.clone(), problem, help: HELP })
            }
        }
    }
}

impl Iterator for Points {
    type Item = Result<DVec3, Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        self.advance().transpose()
    }
}

/// The cells of a row, without the quotes that spreadsheets put around them, and the column where each begins.
fn cells(text: &str) -> Vec<(usize, &str)> {
    let mut column = 1;
    let mut cells = Vec::with_capacity(NAMES.len());
    for cell in text.split(',') {
        let word = cell.trim();
        let indent = cell.chars().take_while(|c| c.is_whitespace()).count();
        let bare = word.strip_prefix('"').and_then(|word| word.strip_suffix('"')).map_or(word, str::trim);
        cells.push((column + indent, bare));
        column += cell.chars().count() + 1;
    }
    cells
}

/// Three cells, or what is wrong with their number.
fn three(text: &str) -> Result<[(usize, &str); 3], BadCell> {
    let cells = cells(text);
    <[(usize, &str); 3]>::try_from(cells.as_slice()).map_err(|_| {
        let beyond = cells.get(NAMES.len()).map(|cell| cell.0);
        let column = beyond.unwrap_or_else(|| text.chars().count() + 1);
        BadCell::new(column, format!("a point has 3 numbers separated by commas, not {}", cells.len()))
    })
}

fn point(text: &str) -> Result<DVec3, BadCell> {
    let mut point = [0.0f64; 3];
    for ((column, word), x) in three(text)?.into_iter().zip(&mut point) {
        let shown: String = word.chars().take(40).collect();
        *x = word.parse().map_err(|_| BadCell::new(column, format!("`{shown}` is not a number")))?;
        if !x.is_finite() {
            return Err(BadCell::new(column, format!("`{shown}` is not finite")));
        }
        if x.abs() > LARGEST {
            let problem = format!("`{shown}` lies beyond the supported ±{LARGEST:e}; choose a larger unit");
            return Err(BadCell::new(column, problem));
        }
    }
    Ok(DVec3::from_array(point))
}

/// Names that are known must stand in their own place.
fn header(text: &str) -> Result<(), BadCell> {
    for ((column, word), expected) in three(text)?.into_iter().zip(NAMES) {
        let name = word.to_lowercase();
        if NAMES.contains(&name.as_str()) && name != expected {
            return Err(BadCell::new(
                column,
                format!("this column is named {name}, but stands where {expected} belongs"),
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<DVec3>, String> {
        let input = Box::new(io::Cursor::new(text.as_bytes().to_vec()));
        let points = Points::new(input, "p.csv".into(), None);
        points.collect::<Result<_, _>>().map_err(|failure| failure.to_string())
    }

    #[test]
    fn rows_with_and_without_header() {
        let two = [DVec3::X, DVec3::new(0.0, -1.0, 1e-300)];
        for text in [
            "1,0,0\n0,-1,1e-300\n",
            "x,y,z\n1,0,0\n0,-1,1e-300",
            "\u{feff}X, Y ,Z\r\n\r\n 1, 0,0\r\n\"0\",-1,1e-300\r\n\n",
        ] {
            assert_eq!(read(text).as_deref(), Ok(&two[..]), "{text:?}");
        }
    }

    #[test]
    fn bad_rows_name_their_line_and_column() {
        for (text, message) in [
            ("1,2,3\n1,b,3", "p.csv:2:3: `b` is not a number"),
            ("1, 2,  c", "p.csv:1:8: `c` is not a number"),
            ("1,2", "p.csv:1:4: a point has 3 numbers separated by commas, not 2"),
            ("1,2,3,4", "p.csv:1:7: a point has 3 numbers separated by commas, not 4"),
            ("1;2;3", "p.csv:1:6: a point has 3 numbers separated by commas, not 1"),
            ("1,,3", "p.csv:1:3: `` is not a number"),
            ("x,z,y\n1,2,3", "p.csv:1:3: this column is named z, but stands where y belongs"),
            ("1,2,nan", "p.csv:1:5: `nan` is not finite"),
            ("1,1e200,0", "p.csv:1:3: `1e200` lies beyond the supported ±1e150; choose a larger unit"),
            ("x,y,z\nx,y,z", "p.csv:2:1: `x` is not a number"),
            ("", "p.csv: there are no points in it"),
            ("x,y,z\n", "p.csv: there are no points in it"),
        ] {
            assert_eq!(read(text).unwrap_err(), message, "{text:?}");
        }
        assert!(read(&"1".repeat(5000)).unwrap_err().contains("longer than"));
    }
}
