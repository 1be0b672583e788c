//! A motion as a CSV file: a time and a pose a row.

use std::fs::File;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;

use impinge::glam::DVec3;
use impinge::{MotionError, Pose, TimedPoses};

use crate::input::body::must_exist;
use crate::input::poses::{MAX_LINE, is_header, numbers, pose, unreadable};
use crate::output::error::Failure;

const HELP: &str = "write a time and a pose a row, in order of time: t,x,y,z or t,x,y,z,qx,qy,qz,qw";

const NAMES: [&str; 8] = ["t", "x", "y", "z", "qx", "qy", "qz", "qw"];

/// Most rows of a file: some gigabytes of motion.
const MOST_ROWS: usize = 1 << 24;

/// Reads a motion through timed poses; the body's own origin moves straight from each to the next.
pub(crate) fn read(path: &Path) -> Result<TimedPoses, Failure> {
    must_exist(path)?;
    let name = path.display().to_string();
    let file = File::open(path).map_err(|error| unreadable(name.clone(), &error))?;
    let mut input = BufReader::with_capacity(1 << 16, file);
    let fail = |line: u64, problem: String| {
        Err(Failure::Motion { place: format!("{name}:{line}"), problem, help: HELP.to_owned() })
    };
    let (mut rows, mut lines): (Vec<(f64, Pose)>, Vec<u64>) = (Vec::new(), Vec::new());
    let (mut bytes, mut first) = (Vec::new(), true);
    for line in 1.. {
        bytes.clear();
        let got = (&mut input).take(MAX_LINE as u64 + 1).read_until(b'\n', &mut bytes);
        if got.map_err(|error| unreadable(name.clone(), &error))? == 0 {
            break;
        }
        if bytes.len() > MAX_LINE {
            return fail(line, format!("the line is longer than {MAX_LINE} bytes"));
        }
        let Ok(text) = std::str::from_utf8(&bytes) else { return fail(line, "the line is not UTF-8 text".to_owned()) };
        let text = text.trim_start_matches('\u{feff}').trim();
        if text.is_empty() {
            continue;
        }
        if std::mem::take(&mut first) && is_header(text) {
            match misplaced(text) {
                Some(problem) => return fail(line, problem),
                None => continue,
            }
        }
        match row(text) {
            Ok(row) => rows.push(row),
            Err(problem) => return fail(line, problem),
        }
        lines.push(line);
        if rows.len() > MOST_ROWS {
            return fail(line, format!("there are more than {MOST_ROWS} rows"));
        }
    }
    TimedPoses::new(&rows, DVec3::ZERO).or_else(|error| {
        let row = match error {
            MotionError::BadTime { row, .. } | MotionError::NotLater { row, .. } | MotionError::TooFast { row } => row,
            _ => 0,
        };
        let problem = match error {
            MotionError::NoPoses => "there are no poses in it".to_owned(),
            MotionError::NotLater { time, before, .. } => {
                format!("the time {time} is not later than that of the row before, {before}")
            }
            MotionError::BadTime { time, .. } => format!("the time {time} is not a finite number of supported size"),
            MotionError::TooFast { .. } => "to be here in time takes a speed beyond the supported scale".to_owned(),
            other => other.to_string(),
        };
        match lines.get(row) {
            Some(&line) => fail(line, problem),
            None => Err(Failure::Motion { place: name.clone(), problem, help: HELP.to_owned() }),
        }
    })
}

/// What is wrong with a header: names that are known must stand in their own place.
fn misplaced(text: &str) -> Option<String> {
    let count = text.split(',').count();
    if count != 4 && count != 8 {
        return Some(format!("a row has 4 or 8 columns separated by commas, not {count}"));
    }
    let cells = text.split(',').map(|cell| cell.trim().trim_matches('"').to_lowercase());
    cells.enumerate().find_map(|(i, cell)| {
        let known = NAMES.contains(&cell.as_str());
        let expected = NAMES.get(i).copied().unwrap_or("not there");
        (known && cell != expected).then(|| format!("column {} is named {cell}, but it is {expected}", i + 1))
    })
}

fn row(text: &str) -> Result<(f64, Pose), String> {
    let numbers = numbers(text).map_err(|problem| problem.to_string())?;
    match numbers.as_slice() {
        [t, at @ ..] if matches!(at.len(), 3 | 7) => {
            pose(at).map(|pose| (*t, pose)).map_err(|problem| problem.to_string())
        }
        _ => Err(format!("a row has 4 or 8 numbers separated by commas, not {}", numbers.len())),
    }
}
