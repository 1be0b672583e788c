//! Which folder uses which, seen from the folder around them.

use std::collections::{BTreeMap, BTreeSet};

use super::building::{House, is_below, is_root};
use super::graph::Uses;

/// A use of one file by another.
pub(super) type Edge = (String, String);

/// The rooms of one folder: its sub-folders, and its own files as one room more, called `folder/*.rs`. Of the files in
/// the `src` of a crate each is a room of its own.
#[derive(Debug)]
pub(super) struct Floor {
    pub(super) folder: String,
    /// The files of each room.
    pub(super) rooms: BTreeMap<String, Vec<String>>,
    /// Which room uses which other, and by which files.
    pub(super) arrows: BTreeMap<(String, String), Vec<Edge>>,
}

impl Floor {
    pub(super) fn uses(&self) -> Uses {
        let mut uses: Uses = self.rooms.keys().map(|room| (room.clone(), BTreeSet::new())).collect();
        for (from, to) in self.arrows.keys() {
            uses.entry(from.clone()).or_default().insert(to.clone());
        }
        uses
    }
}

impl House {
    /// Every folder that code lies in, from the outermost of a crate inwards.
    pub(super) fn floors(&self) -> Vec<Floor> {
        let mut folders = BTreeSet::new();
        for (path, file) in self.files.iter().filter(|(_, file)| file.built) {
            let Some(package) = self.package_of(path) else { continue };
            let top = format!("{}/src", package.folder);
            let mut folder = file.folder.as_str();
            while folder == top || is_below(folder, &top) {
                folders.insert(folder.to_owned());
                folder = folder.rsplit_once('/').map_or("", |(above, _)| above);
            }
        }
        folders.iter().map(|folder| self.floor(folder)).collect()
    }

    /// The rooms of one folder.
    pub(super) fn floor(&self, folder: &str) -> Floor {
        let mut rooms = BTreeMap::<String, Vec<String>>::new();
        for path in self.files.iter().filter(|(_, file)| file.built).map(|(path, _)| path) {
            if let Some(room) = self.room(folder, path) {
                rooms.entry(room).or_default().push(path.clone());
            }
        }
        let mut arrows = BTreeMap::<(String, String), Vec<Edge>>::new();
        for (from, to) in self.uses.keys() {
            if let (Some(a), Some(b)) = (self.room(folder, from), self.room(folder, to))
                && a != b
            {
                arrows.entry((a, b)).or_default().push((from.clone(), to.clone()));
            }
        }
        Floor { folder: folder.to_owned(), rooms, arrows }
    }

    /// The room of `folder` that a file is in. A crate's first file is in none: it may use all.
    fn room(&self, folder: &str, path: &str) -> Option<String> {
        let own = &self.files[path].folder;
        if own == folder {
            return match folder {
                _ if is_root(path) => None,
                _ if folder.ends_with("/src") => Some(path.to_owned()),
                _ => Some(format!("{folder}/*.rs")),
            };
        }
        let below = own.strip_prefix(folder)?.strip_prefix('/')?;
        let name = below.split('/').next().unwrap_or(below);
        Some(format!("{folder}/{name}"))
    }
}
