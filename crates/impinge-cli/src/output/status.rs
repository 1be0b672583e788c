//! The exit status of the process.

use std::process::ExitCode;

/// Bad input, bad usage, or an answer that could not be written.
pub(crate) const ERROR: u8 = 2;
/// Ended by Ctrl-C.
pub(crate) const INTERRUPTED: u8 = 130;

/// How a command that did not fail ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    /// Nothing touches, or there was no question.
    Clear,
    /// Something touches, or is closer than asked.
    Touching,
    /// The reader of the output went away before the last row, and no row so far touched.
    CutShort,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        match status {
            Status::Clear => ExitCode::SUCCESS,
            Status::Touching => ExitCode::from(1),
            Status::CutShort => ExitCode::from(141),
        }
    }
}

impl Status {
    pub(crate) fn of(touching: bool) -> Status {
        if touching { Status::Touching } else { Status::Clear }
    }
}
