//! Poses as text: one in an argument, or one for each row of a CSV file that is read while rows are answered.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _};
use std::path::Path;

use impinge::glam::{DQuat, DVec3};
use impinge::{Pose, PoseError, Span};
use thiserror::Error;

use crate::input::straight_motion::between;
use crate::output::error::Failure;

const NAMES: [&str; 7] = ["x", "y", "z", "qx", "qy", "qz", "qw"];
const HELP: &str = "write one pose a row: x,y,z or x,y,z,qx,qy,qz,qw with a quaternion of length 1";
/// More bytes than any row of seven numbers needs.
pub(crate) const MAX_LINE: usize = 4096;

#[derive(Debug, Error, PartialEq)]
pub(crate) enum Problem {
    #[error("a pose has 3 or 7 numbers separated by commas, not {0}")]
    Count(usize),
    #[error("`{text}` is not a number")]
    NotANumber { column: usize, text: String },
    #[error(transparent)]
    Pose(#[from] PoseError),
    #[error("this row has {got} columns, the ones before it have {before}")]
    Ragged { got: usize, before: usize },
    #[error("column {place} is named {got}, but column {place} of a pose is {expected}")]
    Order { place: usize, got: String, expected: &'static str },
    #[error("the line is longer than {MAX_LINE} bytes")]
    LongLine,
    #[error("the line is not UTF-8 text")]
    NotText,
    #[error("{0}")]
    Motion(String),
}

/// A pose from `x,y,z` or `x,y,z,qx,qy,qz,qw`.
pub(crate) fn parse_pose(text: &str) -> Result<Pose, String> {
    numbers(text).and_then(|n| pose(&n)).map_err(|problem| problem.to_string())
}

/// Whether a first row names the columns: words, not numbers that were mistyped.
pub(crate) fn is_header(text: &str) -> bool {
    text.split(',').map(unquoted).all(|word| word.starts_with(char::is_alphabetic) && word.parse::<f64>().is_err())
}

/// A cell without the quotes that spreadsheets put around it.
fn unquoted(cell: &str) -> &str {
    let cell = cell.trim();
    cell.strip_prefix('"').and_then(|cell| cell.strip_suffix('"')).map_or(cell, str::trim)
}

pub(crate) fn numbers(text: &str) -> Result<Vec<f64>, Problem> {
    let mut column = 1;
    let mut numbers = Vec::with_capacity(7);
    for cell in text.split(',') {
        let word = unquoted(cell);
        let x = word.parse().map_err(|_| Problem::NotANumber { column, text: word.chars().take(40).collect() })?;
        numbers.push(x);
        column += cell.chars().count() + 1;
    }
    Ok(numbers)
}

pub(crate) fn pose(numbers: &[f64]) -> Result<Pose, Problem> {
    match *numbers {
        [x, y, z] => Ok(Pose::at(DVec3::new(x, y, z))?),
        [x, y, z, qx, qy, qz, qw] => Ok(Pose::new(DVec3::new(x, y, z), DQuat::from_xyzw(qx, qy, qz, qw))?),
        _ => Err(Problem::Count(numbers.len())),
    }
}

/// The rows of a CSV file, one at a time.
pub(crate) struct Poses {
    input: Box<dyn BufRead>,
    file: String,
    size: Option<u64>,
    line: u64,
    read: u64,
    columns: Option<usize>,
    any: bool,
    /// Where a body begins that moves to the pose of each row, and how long that takes.
    begins: Option<(Pose, Span)>,
}

impl Poses {
    /// Opens the file; `-` is standard input.
    pub(crate) fn open(path: &Path) -> Result<Poses, Failure> {
        let new =
            |input, file, size| Poses { input, file, size, line: 0, read: 0, columns: None, any: false, begins: None };
        if path.as_os_str() == "-" {
            return Ok(new(Box::new(io::stdin().lock()), "standard input".to_owned(), None));
        }
        let name = path.display().to_string();
        let file = File::open(path).map_err(|error| unreadable(name.clone(), &error))?;
        let size = file.metadata().ok().filter(|m| m.is_file()).map(|m| m.len());
        Ok(new(Box::new(BufReader::with_capacity(1 << 16, file)), name, size))
    }

    /// Refuses poses to which there is no motion from where a body begins.
    pub(crate) fn reached_from(self, begins: Option<(Pose, Span)>) -> Poses {
        Poses { begins, ..self }
    }

    /// Bytes in the file, where that is known.
    pub(crate) fn size(&self) -> Option<u64> {
        self.size
    }

    /// Bytes read so far.
    pub(crate) fn read(&self) -> u64 {
        self.read
    }

    fn fail(&self, problem: &Problem) -> Failure {
        let place = match problem {
            Problem::NotANumber { column, .. } => format!("{}:{}:{column}", self.file, self.line),
            _ => format!("{}:{}", self.file, self.line),
        };
        let help = if matches!(problem, Problem::Motion(_)) { "choose a larger unit" } else { HELP };
        Failure::Poses { place, problem: problem.to_string(), help }
    }

    /// The next line without its end; `None` after the last.
    fn next_line(&mut self) -> Result<Option<String>, Failure> {
        let mut bytes = Vec::new();
        let limit = MAX_LINE as u64 + 1;
        let got = (&mut self.input).take(limit).read_until(b'\n', &mut bytes);
        let got = got.map_err(|error| unreadable(self.file.clone(), &error))?;
        if got == 0 {
            return Ok(None);
        }
        self.line += 1;
        self.read += got as u64;
        if got > MAX_LINE {
            return Err(self.fail(&Problem::LongLine));
        }
        let text = String::from_utf8(bytes).map_err(|_| self.fail(&Problem::NotText))?;
        Ok(Some(text.trim_start_matches('\u{feff}').trim().to_owned()))
    }

    /// The pose of a row; `None` for the header.
    fn row(&mut self, text: &str) -> Result<Option<Pose>, Problem> {
        if self.columns.is_none() && is_header(text) {
            self.columns = Some(header(text)?);
            return Ok(None);
        }
        // With other separators than commas the whole row is one cell.
        if !text.contains(',') {
            return Err(Problem::Count(1));
        }
        let numbers = numbers(text)?;
        let pose = pose(&numbers)?;
        if let Some((from, span)) = self.begins {
            between(from, pose, span).map_err(Problem::Motion)?;
        }
        match self.columns.replace(numbers.len()) {
            Some(before) if before != numbers.len() => Err(Problem::Ragged { got: numbers.len(), before }),
            _ => Ok(Some(pose)),
        }
    }

    fn advance(&mut self) -> Result<Option<Pose>, Failure> {
        while let Some(text) = self.next_line()? {
            if text.is_empty() {
                continue;
            }
            let row = self.row(&text);
            if let Some(pose) = row.map_err(|problem| self.fail(&problem))? {
                self.any = true;
                return Ok(Some(pose));
            }
        }
        match self.any {
            true => Ok(None),
            false => {
                Err(Failure::Poses { place: self.file.clone(), problem: "there are no poses in it".into(), help: HELP })
            }
        }
    }
}

impl Iterator for Poses {
    type Item = Result<Pose, Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        self.advance().transpose()
    }
}

/// The number of columns a header promises; names that are known must stand in their own place.
fn header(text: &str) -> Result<usize, Problem> {
    let cells: Vec<String> = text.split(',').map(|cell| cell.trim().trim_matches('"').to_lowercase()).collect();
    if cells.len() != 3 && cells.len() != 7 {
        return Err(Problem::Count(cells.len()));
    }
    for (i, cell) in cells.iter().enumerate() {
        if NAMES.contains(&cell.as_str()) && cell != NAMES[i] {
            return Err(Problem::Order { place: i + 1, got: cell.clone(), expected: NAMES[i] });
        }
    }
    Ok(cells.len())
}

pub(crate) fn unreadable(place: String, error: &io::Error) -> Failure {
    Failure::Poses { place, problem: error.to_string(), help: "give a readable CSV file, or - for standard input" }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<Pose>, String> {
        let input = Box::new(io::Cursor::new(text.as_bytes().to_vec()));
        let poses = Poses {
            input,
            file: "p.csv".into(),
            size: None,
            line: 0,
            read: 0,
            columns: None,
            any: false,
            begins: None,
        };
        poses.collect::<Result<_, _>>().map_err(|failure| failure.to_string())
    }

    #[test]
    fn rows_with_and_without_header() {
        let two = [Pose::at(DVec3::X).unwrap(), Pose::at(-DVec3::Y).unwrap()];
        for text in ["1,0,0\n0,-1,0\n", "x,y,z\n1,0,0\n0,-1,0", "\u{feff}X, Y ,Z\r\n\r\n 1, 0,0\r\n0,-1,0\r\n\n"] {
            assert_eq!(read(text).as_deref(), Ok(&two[..]), "{text:?}");
        }
        assert_eq!(read("0,0,0,0,0,0,1"), Ok(vec![Pose::IDENTITY]));
    }

    /// A number with a typing error in it is not a column name: the row must not be skipped as a header.
    #[test]
    fn a_first_row_that_begins_with_digits_is_no_header() {
        let pose = Pose::at(DVec3::X).unwrap();
        assert_eq!(read("\"1\",\"0\", \"0\"\n"), Ok(vec![pose]));
        for text in ["5.0m,0m,0m\n1,0,0", "1;0;0\n1,0,0", "-,0,0\n", "\"1,0,0\n"] {
            assert!(read(text).is_err_and(|error| error.contains("1:")), "{text:?} {:?}", read(text));
        }
    }

    #[test]
    fn bad_rows_name_their_place() {
        for (text, message) in [
            ("1,2,3\n1,b,3", "p.csv:2:3: `b` is not a number"),
            ("1,2", "p.csv:1: a pose has 3 or 7 numbers separated by commas, not 2"),
            ("1;2;3", "p.csv:1: a pose has 3 or 7 numbers separated by commas, not 1"),
            ("\n1,2,3,4,5", "p.csv:2: a pose has 3 or 7 numbers separated by commas, not 5"),
            ("1,2,3,0,0,0,1\n1,2,3", "p.csv:2: this row has 3 columns, the ones before it have 7"),
            ("x,y,z,qx,qy,qz,qw\n1,2,3", "p.csv:2: this row has 3 columns, the ones before it have 7"),
            ("x,y,z,qw,qx,qy,qz", "p.csv:1: column 4 is named qw, but column 4 of a pose is qx"),
            ("1,2,nan", "p.csv:1: the pose has a component that is not finite"),
            ("", "p.csv: there are no poses in it"),
            ("x,y,z\n", "p.csv: there are no poses in it"),
        ] {
            assert_eq!(read(text).unwrap_err(), message, "{text:?}");
        }
        assert!(read("0,0,0,0,0,0,2").unwrap_err().contains("length 2"));
        assert!(read("0,0,0,0,0,0,0").unwrap_err().contains("length 0"));
        assert!(read(&"1".repeat(5000)).unwrap_err().contains("longer than"));
    }
}
