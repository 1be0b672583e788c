//! The house: every file of the workspace with its place, and which file uses which.

use std::collections::BTreeMap;

use super::code::facts::Facts;
use super::graph::Uses;
use super::modules::Modules;
use super::sources::{Package, Sources};

/// The source tree as drawn from its code.
#[derive(Debug)]
pub struct House {
    pub(super) packages: Vec<Package>,
    /// Every file of Rust, tests and examples too, by path.
    pub(super) files: BTreeMap<String, SourceFile>,
    /// Where the first file names something of the second, for all files that are not for tests only.
    pub(super) uses: BTreeMap<(String, String), Place>,
}

#[derive(Debug)]
pub(super) struct SourceFile {
    pub(super) lines: usize,
    /// What the file is for, or what is wrong with its first sentence.
    pub(super) purpose: Result<String, &'static str>,
    pub(super) facts: Facts,
    /// The folder that the file belongs to: the one it lies in, but `pair.rs` beside a folder `pair` belongs to that.
    pub(super) folder: String,
    /// Part of a library or program, not of tests.
    pub(super) built: bool,
}

/// The first place where one file names another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) line: usize,
    pub(super) path: String,
}

impl House {
    /// Draws the house of the workspace at `root`.
    ///
    /// # Errors
    ///
    /// When a file or folder cannot be read.
    pub fn read(root: &std::path::Path) -> Result<House, String> {
        Ok(House::new(super::sources::read(root)?))
    }

    pub(super) fn new(sources: Sources) -> House {
        let mut modules = Modules::new(&sources);
        let uses = uses(&modules);
        let mut built: Vec<String> = modules.nodes.iter().map(|node| node.file.clone()).collect();
        built.sort();
        let mut files = BTreeMap::new();
        for (path, text) in &sources.texts {
            let file = SourceFile {
                lines: text.lines().count(),
                purpose: super::purpose::of(text),
                facts: modules.facts.remove(path).unwrap_or_default(),
                folder: folder_of(path, &sources),
                built: built.binary_search(path).is_ok(),
            };
            files.insert(path.clone(), file);
        }
        House { packages: sources.packages, files, uses }
    }

    /// Which file uses which.
    pub(super) fn file_uses(&self) -> Uses {
        let mut uses = Uses::new();
        for (from, to) in self.uses.keys() {
            uses.entry(from.clone()).or_default().insert(to.clone());
        }
        uses
    }

    /// The package whose folder the path begins with.
    pub(super) fn package_of(&self, path: &str) -> Option<&Package> {
        self.packages.iter().find(|package| is_below(path, &package.folder))
    }
}

/// Does `path` lie in `folder` or below it?
pub(super) fn is_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// Is this the first file of a library or program?
pub(super) fn is_root(path: &str) -> bool {
    path.ends_with("/src/lib.rs") || path.ends_with("/src/main.rs")
}

fn folder_of(path: &str, sources: &Sources) -> String {
    let stem = path.trim_end_matches(".rs");
    let has_folder = sources.texts.range(format!("{stem}/")..).next().is_some_and(|(next, _)| is_below(next, stem));
    let folder = if has_folder { stem } else { path.rsplit_once('/').map_or("", |(folder, _)| folder) };
    folder.to_owned()
}

/// Every path of every module, followed to the files that define what it names.
fn uses(modules: &Modules) -> BTreeMap<(String, String), Place> {
    let mut uses = BTreeMap::new();
    let only_lists = |file: &str| modules.facts[file].modules.iter().all(|module| module.only_lists());
    for (here, node) in modules.nodes.iter().enumerate() {
        if only_lists(&node.file) {
            continue;
        }
        let mut note = |definers: std::collections::BTreeSet<usize>, line: usize, path: String| {
            for definer in definers {
                let file = &modules.nodes[definer].file;
                if *file != node.file && !only_lists(file) {
                    let place = Place { line, path: path.clone() };
                    let first = uses.entry((node.file.clone(), file.clone())).or_insert_with(|| place.clone());
                    if line < first.line {
                        *first = place;
                    }
                }
            }
        };
        let module = modules.module(here);
        let has_children = module.children.iter().any(|child| !child.test_only);
        for import in &module.imports {
            match &import.name {
                // A module that re-exports for its folder does not use what it re-exports, unless its own code does.
                Some(name) if !(has_children && import.visible) || module.names.contains(name) => {
                    note(modules.definers(here, &import.path), import.line, import.path.join("::"));
                }
                _ => {}
            }
        }
        if module.imports.iter().any(|import| import.name.is_none()) {
            for name in &module.names {
                let line = module.imports.iter().find(|import| import.name.is_none()).map_or(0, |glob| glob.line);
                note(modules.definers_by_glob(here, name), line, format!("*::{name}"));
            }
        }
        for path in &module.paths {
            if let [name] = &path.names[..] {
                let around = modules.macro_definer(here, name);
                note(around.into_iter().collect(), path.line, format!("{name}!"));
            } else {
                note(modules.definers(here, &path.names), path.line, path.names.join("::"));
            }
        }
    }
    uses
}
