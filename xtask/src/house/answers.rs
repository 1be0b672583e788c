//! Answers about one file or folder: what it uses and who uses it, what it reaches, what its files are for.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::building::{House, is_below};
use super::graph::reached;

impl House {
    /// The file or folder that `name` stands for: its path, or the end of it, with or without `.rs`. Of several the
    /// one in the fewest folders: `broad` is the room of the library and not that of a program with the same name.
    ///
    /// # Errors
    ///
    /// When there is none, or more than one.
    pub fn find(&self, name: &str) -> Result<String, String> {
        let name = name.trim_end_matches('/');
        let folders = self.files.keys().flat_map(|path| path.match_indices('/').map(|(at, _)| &path[..at]));
        let all: BTreeSet<&str> = self.files.keys().map(String::as_str).chain(folders).collect();
        let fits = |path: &&&str| {
            let ends = |end: &str| path.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'));
            ends(name) || ends(&format!("{name}.rs"))
        };
        let mut found: Vec<&str> = all.iter().filter(fits).copied().collect();
        // `pair` is the folder, with `pair.rs`; `pair.rs` is the file.
        let module_file = |path: &str| path.strip_suffix(".rs").is_some_and(|stem| found.contains(&stem));
        found = found.iter().copied().filter(|path| !module_file(path)).collect();
        let depth = |path: &str| path.matches('/').count();
        let least = found.iter().map(|path| depth(path)).min();
        found.retain(|path| Some(depth(path)) == least);
        match found[..] {
            [] => Err(format!("no file or folder of the crates is called `{name}`")),
            [only] => Ok(only.to_owned()),
            _ => Err(format!("`{name}` can be any of these:\n  {}", found.join("\n  "))),
        }
    }

    /// What a file or folder uses, and who uses it, with the first place of each.
    #[must_use]
    pub fn neighbours(&self, path: &str) -> String {
        let inside = |file: &String| file == path || self.files[file].folder == path || is_below(file, path);
        let mut text = format!("{path} uses\n");
        for ((from, to), place) in self.uses.iter().filter(|((from, to), _)| inside(from) && !inside(to)) {
            let _ = writeln!(text, "  {to}  ({} at {from}:{})", place.path, place.line);
        }
        text += "and is used by\n";
        for ((from, to), place) in self.uses.iter().filter(|((from, to), _)| !inside(from) && inside(to)) {
            let _ = writeln!(text, "  {from}:{}  ({} of {to})", place.line, place.path);
        }
        text
    }

    /// Every file that must be read to follow this one to the end.
    #[must_use]
    pub fn reach(&self, file: &str) -> String {
        let reached = reached(&self.file_uses(), file);
        let mut text = format!("{file} reaches {} files\n", reached.len());
        for path in reached {
            let _ = writeln!(text, "  {path}: {}", self.purpose(&path));
        }
        text
    }

    /// The files of a folder, of all folders below it, or of every crate, each with its first sentence.
    #[must_use]
    pub fn purposes(&self, folder: Option<&str>) -> String {
        let wanted =
            |path: &&String| folder.is_none_or(|f| *path == f || self.files[*path].folder == f || is_below(path, f));
        self.files
            .keys()
            .filter(wanted)
            .fold(String::new(), |text, path| text + &format!("{path}: {}\n", self.purpose(path)))
    }

    /// What is wrong with the first sentences of files: path and complaint.
    pub fn without_purpose(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().filter_map(|(path, file)| Some((path.as_str(), *file.purpose.as_ref().err()?)))
    }

    fn purpose(&self, path: &str) -> &str {
        match &self.files[path].purpose {
            Ok(purpose) => purpose,
            Err(what) => what,
        }
    }
}
