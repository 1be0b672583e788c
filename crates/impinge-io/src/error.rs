//! Why a file could not be read: which file, where in it, what is wrong, what to do.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// Why a file could not be read.
///
/// Printed as one line: `bunny.stl: line 12: "nan" is not a finite number; replace it by a finite coordinate`.
///
/// ```
/// use impinge_io::Place;
/// let error = impinge_io::read_bytes(b"v 0 0 0\nf 1 2 3\n", "cut.obj").unwrap_err();
/// assert_eq!(error.place(), Some(Place::Line(2)));
/// ```
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{}: {}{message}; {help}", path.display(), place.map(|p| format!("{p}: ")).unwrap_or_default())]
pub struct ReadError {
    path: PathBuf,
    place: Option<Place>,
    message: String,
    help: Cow<'static, str>,
}

impl ReadError {
    pub(crate) fn new(path: &Path, fault: Fault) -> ReadError {
        let Inner { place, message, help } = *fault.0;
        ReadError { path: path.to_owned(), place, message, help }
    }

    /// The file, as it was named by the caller.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where in the file, when the error has a place. For a compressed file: where in the decompressed content.
    #[must_use]
    pub fn place(&self) -> Option<Place> {
        self.place
    }

    /// What is wrong.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What to do about it.
    #[must_use]
    pub fn help(&self) -> &str {
        &self.help
    }
}

/// A place in a file.
///
/// ```
/// use impinge_io::Place;
/// assert_eq!((Place::Line(12).to_string(), Place::Byte(80).to_string()), ("line 12".into(), "byte 80".into()));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Line of a text file, counted from 1.
    Line(u64),
    /// Offset into a binary file, counted from 0.
    Byte(u64),
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Place::Line(n) => write!(f, "line {n}"),
            Place::Byte(n) => write!(f, "byte {n}"),
        }
    }
}

/// A [`ReadError`] that does not know its file yet; one pointer wide, so that it costs nothing in the readers' loops.
#[derive(Debug)]
pub(crate) struct Fault(Box<Inner>);

#[derive(Debug)]
struct Inner {
    place: Option<Place>,
    message: String,
    help: Cow<'static, str>,
}

impl Fault {
    #[cold]
    pub(crate) fn new(message: impl Into<String>, help: impl Into<Cow<'static, str>>) -> Fault {
        Fault(Box::new(Inner { place: None, message: message.into(), help: help.into() }))
    }

    #[cold]
    pub(crate) fn at_line(line: u64, message: impl Into<String>, help: impl Into<Cow<'static, str>>) -> Fault {
        Fault::new(message, help).at(Place::Line(line))
    }

    #[cold]
    pub(crate) fn at_byte(byte: usize, message: impl Into<String>, help: impl Into<Cow<'static, str>>) -> Fault {
        Fault::new(message, help).at(Place::Byte(byte as u64))
    }

    /// Gives the fault a place unless it has one already.
    pub(crate) fn at(mut self, place: Place) -> Fault {
        self.0.place.get_or_insert(place);
        self
    }
}

/// Remedy for a file that ends too early.
pub(crate) const CUT_OFF: &str = "the file is cut off or damaged: copy or export it again";
/// Remedy for a file that breaks the rules of its format.
pub(crate) const MALFORMED: &str = "correct it, or export the file again";
/// Remedy for a coordinate that is NaN or infinite.
pub(crate) const FINITE: &str = "replace it by a finite coordinate, or export the file again";
/// Remedy for a file without surface.
pub(crate) const NO_SURFACE: &str = "export a triangle mesh";
