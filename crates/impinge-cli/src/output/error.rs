//! What can go wrong, where, and what to do about it.

use std::env;
use std::io::{self, IsTerminal as _, Write as _};

use impinge::{BuildError, NotClosed};
use impinge_io::{Place, ReadError};
use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme};
use thiserror::Error;

use crate::output::text;

/// Why a command has no (further) answer.
#[derive(Debug, Error, Diagnostic)]
pub(crate) enum Failure {
    #[error("{file}: no such file")]
    NoFile {
        file: String,
        #[help]
        help: String,
    },
    #[error("{place}: {problem}")]
    Read {
        place: String,
        problem: String,
        #[help]
        help: String,
    },
    #[error("{body}: {problem}")]
    Build {
        body: String,
        problem: String,
        #[help]
        help: &'static str,
    },
    #[error("{body}: {problem}")]
    #[diagnostic(help(
        "leave out --solid to take open meshes as surfaces, or say --solid=winding; `impinge info` shows every count"
    ))]
    NotClosed { body: String, problem: NotClosed },
    #[error("{word}: {problem}")]
    Shape {
        word: String,
        problem: String,
        #[help]
        help: String,
    },
    #[error("--method: {problem}")]
    Method {
        problem: String,
        #[help]
        help: String,
    },
    #[error("{file}: there is no part named `{name}`")]
    NoPart {
        file: String,
        name: String,
        #[help]
        help: String,
    },
    #[error("{place}: {problem}")]
    Poses {
        place: String,
        problem: String,
        #[help]
        help: &'static str,
    },
    #[error("{place}: {problem}")]
    Motion {
        place: String,
        problem: String,
        #[help]
        help: String,
    },
    #[error("{scene}: body `{body}`: {problem}")]
    Scene {
        scene: String,
        body: String,
        problem: String,
        #[help]
        help: &'static str,
    },
    #[error("the answer could not be written: {0}")]
    #[diagnostic(help("what was written is not whole; check the disk or the pipe that standard output goes to"))]
    Output(#[from] io::Error),
}

impl Failure {
    pub(crate) fn build(body: String, problem: BuildError) -> Failure {
        let help = match problem {
            BuildError::Empty => "export the surface as triangles; points and curves have no surface",
            BuildError::NotFinite { .. } => "repair the coordinate in the file, or export it again",
            BuildError::TooLarge { .. } => "export the file in a larger unit",
            BuildError::TooSmall { .. } => "export the file in a smaller unit",
            BuildError::IndexOutOfRange { .. } => "the file is damaged or cut off: export it again",
            BuildError::TooMany { .. } => "split the file and ask about each piece",
            _ => "export the file again",
        };
        let problem = match problem {
            BuildError::TooLarge { vertex, position, .. } => {
                let at = text::point(position.into());
                format!("vertex {vertex} at {at} lies beyond the supported scale")
            }
            _ => problem.to_string(),
        };
        Failure::Build { body, problem, help }
    }

    /// The same, of a body of a scene.
    pub(crate) fn of_body(self, scene: &str, body: &str) -> Failure {
        let help = self.help().map_or(String::new(), |help| help.to_string());
        Failure::Read { place: format!("{scene}: body `{body}`"), problem: self.to_string(), help }
    }

    /// The reader of standard output went away: an end, not an error.
    pub(crate) fn is_broken_pipe(&self) -> bool {
        matches!(self, Failure::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Failure {
        let file = error.path().display();
        let place = match error.place() {
            Some(Place::Line(line)) => format!("{file}:{line}"),
            Some(Place::Byte(byte)) => format!("{file}, byte {byte}"),
            None => file.to_string(),
        };
        Failure::Read { place, problem: error.message().to_owned(), help: error.help().to_owned() }
    }
}

/// Says on standard error what the reader should know of an answer.
pub(crate) fn note(text: &str) {
    let _ = writeln!(io::stderr(), "note: {text}");
}

/// Prints the error and its remedy to standard error; in colour on a terminal that wants it.
pub(crate) fn show(failure: Failure) {
    let unset = |name: &str| env::var_os(name).is_none_or(|value| value.is_empty());
    let dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
    let mut theme = match io::stderr().is_terminal() && unset("NO_COLOR") && !dumb {
        true => GraphicalTheme::unicode(),
        false => GraphicalTheme::none(),
    };
    theme.characters.error = "error:".to_owned();
    // Wrapping would break paths, which scripts look for.
    let handler = GraphicalReportHandler::new_themed(theme).with_wrap_lines(false);
    let mut text = String::new();
    if handler.render_report(&mut text, &failure).is_err() {
        text = format!("error: {failure}\n");
    }
    let _ = writeln!(io::stderr(), "{}", text.trim());
}
