//! What `cargo xtask house` prints: rooms, the longest files and functions, and what breaks a rule.

use std::fmt::Write;

use super::building::House;
use super::folders::Floor;
use super::ranks::rank;
use super::rules::Rule;

/// So many of the longest are listed.
const LONGEST: usize = 10;

impl House {
    /// The whole house in words.
    #[must_use]
    pub fn overview(&self) -> String {
        let mut text = String::new();
        for package in &self.packages {
            let src = format!("{}/src", package.folder);
            let _ = writeln!(text, "{src}: {}", self.sizes(&src));
            self.rooms(&src, 1, &mut text);
        }
        text += "\nThe longest files:\n";
        let mut files: Vec<_> = self.files.iter().map(|(path, file)| (file.lines, path)).collect();
        files.sort_by(|a, b| b.cmp(a));
        for (lines, path) in files.iter().take(LONGEST) {
            let _ = writeln!(text, "  {lines:>4} {path}");
        }
        text += "\nThe longest functions:\n";
        let functions = self.files.iter().flat_map(|(path, file)| file.facts.functions.iter().map(move |f| (path, f)));
        let mut functions: Vec<_> = functions.filter(|(path, _)| self.files[*path].built).collect();
        functions.sort_by_key(|(_, function)| std::cmp::Reverse(function.lines));
        for (path, function) in functions.iter().take(LONGEST) {
            let _ = writeln!(text, "  {:>4} {} at {path}:{}", function.lines, function.name, function.line);
        }
        text + "\n" + &self.breaches()
    }

    /// What breaks a rule, in words.
    #[must_use]
    pub fn breaches(&self) -> String {
        let mut text = String::new();
        let mut count = 0;
        for rule in Rule::EACH {
            for breach in self.broken(rule) {
                count += 1;
                let _ = writeln!(text, "{breach}\n");
            }
        }
        match count {
            0 => "No rule is broken.\n".to_owned(),
            1 => format!("A rule is broken:\n\n{text}"),
            _ => format!("Rules are broken in {count} places:\n\n{text}"),
        }
    }

    /// One line a room with its files, lines and purpose, one with what it uses, and its own rooms after it.
    fn rooms(&self, folder: &str, depth: usize, text: &mut String) {
        let floor = self.floor(folder);
        let indent = "  ".repeat(depth);
        for room in self.rooms_by_rank(folder) {
            let rank = rank(&room).map_or(String::new(), |rank| format!(", rank {rank}"));
            let name = room.rsplit('/').next().unwrap_or(&room);
            let purpose = self.purpose_of_room(&room);
            let _ = writeln!(text, "{indent}{name}{rank}: {}. {purpose}", self.sizes(&room));
            if let Some(uses) = uses(&floor, &room) {
                let _ = writeln!(text, "{indent}  uses {uses}");
            }
            if !room.ends_with(".rs") {
                self.rooms(&room, depth + 1, text);
            }
        }
        if depth > 1
            && let Some(uses) = uses(&floor, &format!("{folder}/*.rs"))
            && floor.rooms.len() > 1
        {
            let _ = writeln!(text, "{indent}its own files use {uses}");
        }
    }

    fn sizes(&self, room: &str) -> String {
        let (files, lines) = self.size(room);
        format!("{files} {}, {lines} lines", if files == 1 { "file" } else { "files" })
    }

    /// Files and lines of a room and all below it.
    pub(super) fn size(&self, room: &str) -> (usize, usize) {
        let inside = self.files.iter().filter(|(path, file)| {
            *path == room || file.folder == room || super::building::is_below(&file.folder, room)
        });
        inside.fold((0, 0), |(files, lines), (_, file)| (files + 1, lines + file.lines))
    }

    /// The first sentence of the room's `mod.rs`, or of the file that stands for it.
    pub(super) fn purpose_of_room(&self, room: &str) -> String {
        let stem = room.trim_end_matches(".rs");
        let first =
            [format!("{stem}/mod.rs"), format!("{stem}.rs"), format!("{stem}/lib.rs"), format!("{stem}/main.rs")];
        let file = first.iter().find_map(|path| self.files.get(path));
        file.and_then(|file| file.purpose.clone().ok()).unwrap_or_default()
    }
}

/// The rooms that a room uses, with the number of files that do: `math 3, tree 1`.
fn uses(floor: &Floor, room: &str) -> Option<String> {
    let used = floor.arrows.iter().filter(|((from, _), _)| from == room);
    let named = used.map(|((_, to), edges)| format!("{} {}", last_name(to), edges.len()));
    let list: Vec<String> = named.collect();
    (!list.is_empty()).then(|| list.join(", "))
}

/// The last name of a room; the own files of a folder come with its name: `broad/*.rs`.
fn last_name(room: &str) -> &str {
    let slashes = if room.ends_with("/*.rs") { 1 } else { 0 };
    room.rmatch_indices('/').nth(slashes).map_or(room, |(at, _)| &room[at + 1..])
}
