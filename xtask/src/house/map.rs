//! The map in `ARCHITECTURE.md`: the rooms of every crate, in short.
//!
//! It counts files and no lines, so that few changes touch it. An arrow that follows from others is left out: where
//! `pair` uses `time` and `time` uses `math`, `pair` may use `math` too.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::building::House;
use super::graph::{Uses, reached};
use super::purpose::in_short;
use super::ranks::{RANKED, rank};
use super::sources::Package;

/// The lines around the map.
pub(super) const BEGIN: &str = "<!-- house -->";
pub(super) const END: &str = "<!-- /house -->";

impl House {
    /// The map as it stands in the document.
    #[must_use]
    pub fn map(&self) -> String {
        let mut text = String::from("```text\n");
        for package in &self.packages {
            let src = format!("{}/src", package.folder);
            let _ = write!(text, "{src} {}: {}", self.size(&src).0, in_short(&self.purpose_of_room(&src)));
            arrows(&mut text, self.packages_used(package).into_iter());
            if src == RANKED {
                self.rooms_in_full(&src, 0, &mut text);
            } else if let Some(list) = self.rooms_by_name(&src) {
                let _ = writeln!(text, "    {list}");
            }
        }
        text + "```\n"
    }

    /// `document` with the map of today between its two markers.
    ///
    /// # Errors
    ///
    /// When a marker is missing.
    pub fn with_map(&self, document: &str) -> Result<String, String> {
        let missing = |marker| format!("the line `{marker}` is missing");
        let (before, rest) = document.split_once(BEGIN).ok_or_else(|| missing(BEGIN))?;
        let (_, after) = rest.split_once(END).ok_or_else(|| missing(END))?;
        Ok(format!("{before}{BEGIN}\n{}{END}{after}", self.map()))
    }

    fn rooms_in_full(&self, folder: &str, depth: usize, text: &mut String) {
        let uses = self.floor(folder).uses();
        for room in self.rooms_by_rank(folder) {
            let rank = rank(&room).map_or(String::new(), |rank| format!("{rank} "));
            let used = direct(&uses, &room).into_iter().map(|room| name(room));
            let purpose = self.purpose_of_room(&room);
            let purpose = in_short(&purpose);
            let indent = "  ".repeat(depth);
            let _ = write!(text, "{indent}{rank}{} {}: {purpose}", short(&room), self.size(&room).0);
            arrows(text, used);
            if !room.ends_with(".rs") {
                self.rooms_in_full(&room, depth + 1, text);
            }
        }
    }

    /// The rooms of a folder, by rank where they have one and then by name, without the folder's own files.
    pub(super) fn rooms_by_rank(&self, folder: &str) -> Vec<String> {
        let mut rooms: Vec<String> = self.floor(folder).rooms.into_keys().filter(|r| !r.ends_with("/*.rs")).collect();
        rooms.sort_by_key(|room| rank(room));
        rooms
    }

    /// The sub-folders alone: `commands/ (clash/, info/), input/`.
    fn rooms_by_name(&self, folder: &str) -> Option<String> {
        let named = |room: &String| match self.rooms_by_name(room) {
            Some(inner) => format!("{} ({inner})", short(room)),
            None => short(room),
        };
        let rooms = self.rooms_by_rank(folder);
        let list: Vec<String> = rooms.iter().filter(|room| !room.ends_with(".rs")).map(named).collect();
        (!list.is_empty()).then(|| list.join(", "))
    }

    /// The names of the other crates that this one uses.
    fn packages_used(&self, package: &Package) -> BTreeSet<String> {
        let pair = |(from, to): &(String, String)| Some((self.package_of(from)?, self.package_of(to)?));
        let pairs = self.uses.keys().filter_map(pair);
        pairs.filter(|(from, to)| *from == package && *to != package).map(|(_, to)| to.name.clone()).collect()
    }
}

/// What a room uses and reaches in no other way.
fn direct<'u>(uses: &'u Uses, room: &str) -> Vec<&'u String> {
    let used: Vec<&String> = uses.get(room).into_iter().flatten().collect();
    let reaches = |from: &str, to: &String| reached(uses, from).contains(to);
    let implied = |to: &String| used.iter().any(|by| *by != to && reaches(by, to) && !reaches(to, by));
    used.iter().copied().filter(|to| !implied(to)).collect()
}

/// ` → a, b` and the end of the line.
fn arrows(text: &mut String, used: impl Iterator<Item = String>) {
    let list = used.collect::<Vec<_>>().join(", ");
    let _ = if list.is_empty() { writeln!(text) } else { writeln!(text, " → {list}") };
}

/// The last name of a room; a folder with its slash.
fn short(room: &str) -> String {
    let slash = if room.ends_with(".rs") { "" } else { "/" };
    format!("{}{slash}", room.rsplit('/').next().unwrap_or(room))
}

/// The last name of a room alone; the own files of a folder are `*`.
fn name(room: &str) -> String {
    room.rsplit('/').next().unwrap_or(room).trim_end_matches(".rs").to_owned()
}
