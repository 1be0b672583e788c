//! The rules of the house, and what breaks them.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::building::{House, is_root};
use super::code::facts::ItemKind;
use super::folders::{Edge, Floor};
use super::graph::cycles;
use super::ranks::{RANKED, rank};

/// Files in one folder, besides its `mod.rs` (or the crate's first file).
const FILES: usize = 15;
/// Lines of a file.
const LINES: usize = 600;

/// So many uses of one arrow between rooms are written out.
const MANY: usize = 12;

/// The rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// Files and folders do not use one another in a circle.
    NoCircles,
    /// A room uses only rooms of lower rank.
    Ranks,
    /// At most 15 files lie in a folder.
    Folders,
    /// A file has at most 600 lines.
    Lengths,
    /// A type that can be named outside its file has a name of its own in its crate.
    Names,
}

impl Rule {
    /// All of them.
    pub const EACH: [Rule; 5] = [Rule::NoCircles, Rule::Ranks, Rule::Folders, Rule::Lengths, Rule::Names];
}

impl House {
    /// Every breach of a rule, each with what is needed to mend it; none when all is in order.
    #[must_use]
    pub fn broken(&self, rule: Rule) -> Vec<String> {
        match rule {
            Rule::NoCircles => {
                let folders = self.floors().into_iter().flat_map(|floor| self.folder_circles(&floor));
                self.file_circles().into_iter().chain(folders).collect()
            }
            Rule::Ranks => self.against_ranks(),
            Rule::Folders => self.full_folders(),
            Rule::Lengths => self.long_files(),
            Rule::Names => self.shared_names(),
        }
    }

    fn file_circles(&self) -> Vec<String> {
        let mut broken = Vec::new();
        for group in cycles(&self.file_uses()) {
            let inside = |(from, to): &&Edge| group.contains(from) && group.contains(to);
            let edges: Vec<Edge> = self.uses.keys().filter(inside).cloned().collect();
            broken.push(format!("{} files use one another in a circle:{}", group.len(), self.lines_of(&edges)));
        }
        broken
    }

    /// Arrows with few uses come first: they are the likely ones to turn round.
    fn folder_circles(&self, floor: &Floor) -> Vec<String> {
        let mut broken = Vec::new();
        // Rooms that are single files are a circle of files, which is told already.
        let is_folder = |room: &String| !room.ends_with(".rs") || room.ends_with("/*.rs");
        for group in cycles(&floor.uses()).into_iter().filter(|group| group.iter().any(is_folder)) {
            let mut text = format!("{} rooms of {} use one another in a circle:", group.len(), floor.folder);
            let inside = |(from, to): &(String, String)| group.contains(from) && group.contains(to);
            let mut arrows: Vec<_> = floor.arrows.iter().filter(|(arrow, _)| inside(arrow)).collect();
            arrows.sort_by_key(|(_, edges)| edges.len());
            for ((from, to), edges) in arrows {
                let _ = write!(text, "\n  {from} → {to}: {}{}", edges.len(), self.some_lines_of(edges));
            }
            broken.push(text);
        }
        broken
    }

    fn against_ranks(&self) -> Vec<String> {
        let floor = self.floor(RANKED);
        let unranked = floor.rooms.keys().filter(|room| rank(room).is_none());
        let mut broken: Vec<String> = unranked.map(|room| format!("{room} has no rank: add it to ranks.rs")).collect();
        for ((from, to), edges) in &floor.arrows {
            if let (Some(own), Some(used)) = (rank(from), rank(to))
                && used >= own
            {
                broken.push(format!("{from} (rank {own}) uses {to} (rank {used}):{}", self.lines_of(edges)));
            }
        }
        broken
    }

    fn full_folders(&self) -> Vec<String> {
        let mut counts = BTreeMap::<&str, usize>::new();
        for path in self.files.keys().filter(|path| !path.ends_with("/mod.rs") && !is_root(path)) {
            *counts.entry(path.rsplit_once('/').map_or("", |(folder, _)| folder)).or_default() += 1;
        }
        let full = counts.into_iter().filter(|(_, count)| *count > FILES);
        full.map(|(folder, count)| format!("{folder} holds {count} files; at most {FILES} are allowed")).collect()
    }

    fn long_files(&self) -> Vec<String> {
        let long = self.files.iter().filter(|(_, file)| file.lines > LINES);
        long.map(|(path, file)| format!("{path} has {} lines; at most {LINES} are allowed", file.lines)).collect()
    }

    /// Two types of one crate that can be named outside their files and have the same name.
    fn shared_names(&self) -> Vec<String> {
        let mut places = BTreeMap::<(&str, &str), Vec<String>>::new();
        for (path, file) in self.files.iter().filter(|(_, file)| file.built) {
            let package = self.package_of(path).map_or("", |package| &package.name);
            for module in &file.facts.modules {
                // Two in one module exclude each other by their conditions: the map keeps one of them.
                let types = module.items.iter().filter(|item| item.visible && item.kind == ItemKind::Type);
                for (name, line) in types.map(|item| (&item.name, item.line)).collect::<BTreeMap<_, _>>() {
                    places.entry((package, name)).or_default().push(format!("{path}:{line}"));
                }
            }
        }
        places.retain(|_, places| places.len() > 1);
        let said = |((package, name), places): ((&str, &str), Vec<String>)| {
            format!("`{name}` names {} types of {package}:\n    {}", places.len(), places.join("\n    "))
        };
        places.into_iter().map(said).collect()
    }

    fn lines_of(&self, edges: &[Edge]) -> String {
        edges.iter().map(|(from, to)| self.line_of(from, to)).collect()
    }

    /// The same of an arrow between rooms; one that stands for many uses is not the one to turn round.
    fn some_lines_of(&self, edges: &[Edge]) -> String {
        let more = edges.len().saturating_sub(MANY);
        let rest = if more > 0 { format!("\n    and {more} more") } else { String::new() };
        self.lines_of(&edges[..edges.len() - more]) + &rest
    }

    fn line_of(&self, from: &str, to: &str) -> String {
        let place = &self.uses[&(from.to_owned(), to.to_owned())];
        format!("\n    {from}:{} → {to}  ({})", place.line, place.path)
    }
}
