//! The rules of this source tree that no compiler checks.

mod examples;
mod files;
mod layout;
mod lines;

use std::path::Path;
use std::time::Instant;

/// A text file of the tree.
#[derive(Debug)]
struct Source {
    /// Relative to the root, with `/` between the names.
    path: String,
    text: String,
}

/// One broken rule: file, line (0 for the whole file) and what is wrong.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Complaint {
    path: String,
    line: usize,
    what: String,
}

impl Complaint {
    fn new(path: &str, line: usize, what: impl Into<String>) -> Complaint {
        Complaint { path: path.to_owned(), line, what: what.into() }
    }
}

impl std::fmt::Display for Complaint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Complaint { path, line, what } = self;
        if *line == 0 { write!(f, "{path}: {what}") } else { write!(f, "{path}:{line}: {what}") }
    }
}

pub(crate) fn run(root: &Path) -> Result<(), String> {
    println!("== tidy: cargo xtask tidy");
    let start = Instant::now();
    let paths = files::list(root)?;
    let sources = files::read(root, &paths)?;
    let mut complaints: Vec<Complaint> = sources.iter().flat_map(lines::check).collect();
    complaints.extend(layout::check(&paths, &sources));
    complaints.extend(examples::check(&sources));
    complaints.sort();
    for complaint in &complaints {
        eprintln!("{complaint}");
    }
    match complaints.len() {
        0 => println!("== tidy: ok, {} files, {:.1} s", paths.len(), start.elapsed().as_secs_f64()),
        n => return Err(format!("tidy failed (complaints above: {n}); repeat it with: cargo xtask tidy")),
    }
    Ok(())
}
