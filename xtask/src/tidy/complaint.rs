//! The files that the rules look at, and what a rule says of one.

/// A text file of the tree.
#[derive(Debug, Clone)]
pub(super) struct Source {
    /// Relative to the root, with `/` between the names.
    pub(super) path: String,
    pub(super) text: String,
}

/// One broken rule: file, line (0 for the whole file) and what is wrong.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Complaint {
    pub(super) path: String,
    line: usize,
    what: String,
}

impl Complaint {
    pub(super) fn new(path: &str, line: usize, what: impl Into<String>) -> Complaint {
        Complaint { path: path.to_owned(), line, what: what.into() }
    }
}

impl std::fmt::Display for Complaint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Complaint { path, line, what } = self;
        if *line == 0 { write!(f, "{path}: {what}") } else { write!(f, "{path}:{line}: {what}") }
    }
}
