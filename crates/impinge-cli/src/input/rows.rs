//! Rows of numbers as text: points or rays, in a CSV file that is read while rows are answered.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _};
use std::marker::PhantomData;
use std::path::Path;

use crate::input::poses::{MAX_LINE, is_header, unreadable};
use crate::output::error::Failure;

/// What stands in a row.
pub(crate) trait Row: Sized {
    /// A row, in words: "a point".
    const WHAT: &'static str;
    /// Many rows: "points".
    const MANY: &'static str;
    /// The names of the columns.
    const NAMES: &'static [&'static str];
    /// The least number of columns; those after it may be left out.
    const NEEDED: usize;
    /// What to write.
    const HELP: &'static str;

    /// From as many numbers as there are columns; else which column is wrong, from 0, and what is wrong with it.
    fn of(numbers: &[f64]) -> Result<Self, (usize, String)>;
}

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
pub(crate) struct Rows<R> {
    input: Box<dyn BufRead>,
    file: String,
    size: Option<u64>,
    line: u64,
    read: u64,
    /// Whether a header may come yet.
    first: bool,
    any: bool,
    row: PhantomData<R>,
}

impl<R: Row> Rows<R> {
    /// Opens the file; `-` is standard input.
    pub(crate) fn open(path: &Path) -> Result<Rows<R>, Failure> {
        if path.as_os_str() == "-" {
            return Ok(Rows::new(Box::new(io::stdin().lock()), "standard input".to_owned(), None));
        }
        let name = path.display().to_string();
        let file = File::open(path).map_err(|error| unreadable(name.clone(), &error))?;
        let size = file.metadata().ok().filter(|m| m.is_file()).map(|m| m.len());
        Ok(Rows::new(Box::new(BufReader::with_capacity(1 << 16, file)), name, size))
    }

    fn new(input: Box<dyn BufRead>, file: String, size: Option<u64>) -> Rows<R> {
        Rows { input, file, size, line: 0, read: 0, first: true, any: false, row: PhantomData }
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
        Failure::Poses { place, problem: bad.problem, help: R::HELP }
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

    fn advance(&mut self) -> Result<Option<R>, Failure> {
        while let Some(text) = self.next_line()? {
            if text.trim().is_empty() {
                continue;
            }
            if std::mem::take(&mut self.first) && is_header(&text) {
                header::<R>(&text).map_err(|bad| self.fail(bad))?;
                continue;
            }
            let row = row(&text).map_err(|bad| self.fail(bad))?;
            self.any = true;
            return Ok(Some(row));
        }
        match self.any {
            true => Ok(None),
            false => {
                let problem = format!("there are no {} in it", R::MANY);
                Err(Failure::Poses { place: self.file.clone(), problem, help: R::HELP })
            }
        }
    }
}

impl<R: Row> Iterator for Rows<R> {
    type Item = Result<R, Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        self.advance().transpose()
    }
}

/// The cells of a row, without the quotes that spreadsheets put around them, and the column where each begins.
fn cells(text: &str) -> Vec<(usize, &str)> {
    let mut column = 1;
    let mut cells = Vec::new();
    for cell in text.split(',') {
        let word = cell.trim();
        let indent = cell.chars().take_while(|c| c.is_whitespace()).count();
        let bare = word.strip_prefix('"').and_then(|word| word.strip_suffix('"')).map_or(word, str::trim);
        cells.push((column + indent, bare));
        column += cell.chars().count() + 1;
    }
    cells
}

/// As many cells as there are columns, or what is wrong with their number.
fn cells_of<R: Row>(text: &str) -> Result<Vec<(usize, &str)>, BadCell> {
    let (cells, most) = (cells(text), R::NAMES.len());
    if (R::NEEDED..=most).contains(&cells.len()) {
        return Ok(cells);
    }
    let column = cells.get(most).map_or_else(|| text.chars().count() + 1, |cell| cell.0);
    let numbers = if R::NEEDED == most { most.to_string() } else { format!("{} or {most}", R::NEEDED) };
    let problem = format!("{} has {numbers} numbers separated by commas, not {}", R::WHAT, cells.len());
    Err(BadCell::new(column, problem))
}

fn row<R: Row>(text: &str) -> Result<R, BadCell> {
    let cells = cells_of::<R>(text)?;
    let mut numbers = Vec::with_capacity(cells.len());
    for &(column, word) in &cells {
        // A spreadsheet leaves the cell of what is left out empty.
        if word.is_empty() && numbers.len() >= R::NEEDED {
            break;
        }
        let shown: String = word.chars().take(40).collect();
        numbers.push(word.parse().map_err(|_| BadCell::new(column, format!("`{shown}` is not a number")))?);
    }
    R::of(&numbers).map_err(|(k, problem)| BadCell::new(cells.get(k).map_or(1, |cell| cell.0), problem))
}

/// Names that are known must stand in their own place.
fn header<R: Row>(text: &str) -> Result<(), BadCell> {
    for ((column, word), expected) in cells_of::<R>(text)?.into_iter().zip(R::NAMES) {
        let name = word.to_lowercase();
        if R::NAMES.contains(&name.as_str()) && name != *expected {
            let problem = format!("this column is named {name}, but stands where {expected} belongs");
            return Err(BadCell::new(column, problem));
        }
    }
    Ok(())
}

/// Largest coordinate that the library takes.
const LARGEST: f64 = 1e150;

/// A coordinate that the library takes.
pub(crate) fn coordinate(k: usize, x: f64) -> Result<f64, (usize, String)> {
    if !x.is_finite() {
        return Err((k, format!("`{x}` is not finite")));
    }
    if x.abs() > LARGEST {
        return Err((k, format!("`{x:e}` lies beyond the supported ±{LARGEST:e}; choose a larger unit")));
    }
    Ok(x)
}

#[cfg(test)]
mod tests {
    use impinge::glam::DVec3;

    use super::*;

    fn read(text: &str) -> Result<Vec<DVec3>, String> {
        let input = Box::new(io::Cursor::new(text.as_bytes().to_vec()));
        let points = Rows::<DVec3>::new(input, "p.csv".into(), None);
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
    fn what_may_be_left_out_may_be_an_empty_cell() {
        let read = |text: &str| {
            let input = Box::new(io::Cursor::new(text.as_bytes().to_vec()));
            Rows::<impinge::Ray>::new(input, "r.csv".into(), None).map(|ray| ray.map(|ray| ray.length())).collect()
        };
        let lengths: Result<Vec<f64>, Failure> =
            read("x,y,z,dx,dy,dz,length\n0,0,0,1,0,0,\n0,0,0,1,0,0,5\n0,0,0,1,0,0\n");
        assert_eq!(lengths.ok(), Some(vec![f64::INFINITY, 5.0, f64::INFINITY]));
        let missing: Result<Vec<f64>, Failure> = read("0,0,0,1,,0,5\n");
        assert!(missing.is_err());
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
            ("1,2,nan", "p.csv:1:5: `NaN` is not finite"),
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
