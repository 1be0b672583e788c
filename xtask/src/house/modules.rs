//! The tree of modules of every library and program: which file holds which module.

use std::collections::BTreeMap;

use super::code::facts::{Child, Facts, Module};
use super::sources::Sources;

/// A module, in a file of its own or written inside another.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) file: String,
    /// Place in the file's list of modules.
    pub(super) inside: usize,
    pub(super) parent: Option<usize>,
    /// The module of the library's or program's first file.
    pub(super) root: usize,
    pub(super) children: BTreeMap<String, usize>,
}

/// All modules of the workspace that are not for tests only.
#[derive(Debug, Default)]
pub(super) struct Modules {
    pub(super) nodes: Vec<Node>,
    pub(super) facts: BTreeMap<String, Facts>,
    /// The roots of the libraries, by the name that other crates use.
    pub(super) libraries: BTreeMap<String, usize>,
}

impl Modules {
    pub(super) fn new(sources: &Sources) -> Modules {
        let mut modules = Modules::default();
        for (path, text) in &sources.texts {
            modules.facts.insert(path.clone(), super::code::read(text));
        }
        for package in &sources.packages {
            let src = format!("{}/src", package.folder);
            let library = format!("{src}/lib.rs");
            if sources.texts.contains_key(&library) {
                let root = modules.add(&library, 0, None);
                modules.libraries.insert(package.library_name(), root);
            }
            let program = |path: &&String| {
                path.strip_prefix(&format!("{src}/")).is_some_and(|inside| {
                    inside == "main.rs" || inside.strip_prefix("bin/").is_some_and(|name| !name.contains('/'))
                })
            };
            for path in sources.texts.keys().filter(program) {
                modules.add(path, 0, None);
            }
        }
        modules
    }

    pub(super) fn module(&self, node: usize) -> &Module {
        let Node { file, inside, .. } = &self.nodes[node];
        &self.facts[file].modules[*inside]
    }

    /// Adds a module and all below it.
    fn add(&mut self, file: &str, inside: usize, parent: Option<usize>) -> usize {
        let node = self.nodes.len();
        let root = parent.map_or(node, |parent| self.nodes[parent].root);
        self.nodes.push(Node { file: file.to_owned(), inside, parent, root, children: BTreeMap::new() });
        let modules = &self.facts[file].modules;
        let inner: Vec<(String, usize)> = (0..modules.len())
            .filter(|&place| modules[place].parent == Some(inside))
            .map(|place| (modules[place].name.clone(), place))
            .collect();
        let outer: Vec<(String, String)> = modules[inside]
            .children
            .iter()
            .filter(|child| !child.test_only)
            .filter_map(|child| Some((child.name.clone(), self.file_of(node, child)?)))
            .collect();
        for (name, place) in inner {
            let child = self.add(file, place, Some(node));
            self.nodes[node].children.insert(name, child);
        }
        for (name, path) in outer {
            let child = self.add(&path, 0, Some(node));
            self.nodes[node].children.insert(name, child);
        }
        node
    }

    /// Where `mod x;` finds its file; none when it is not there or is for tests only.
    fn file_of(&self, node: usize, child: &Child) -> Option<String> {
        let Node { file, inside, .. } = &self.nodes[node];
        let (folder, name) = file.rsplit_once('/')?;
        let mut below = match name {
            "mod.rs" | "lib.rs" | "main.rs" => folder.to_owned(),
            _ if folder.ends_with("/src/bin") => folder.to_owned(),
            name => format!("{folder}/{}", name.trim_end_matches(".rs")),
        };
        let mut names = Vec::new();
        let mut module = *inside;
        while let Some(parent) = self.facts[file].modules[module].parent {
            names.push(&self.facts[file].modules[module].name);
            module = parent;
        }
        for name in names.iter().rev() {
            below = format!("{below}/{name}");
        }
        let candidates = match &child.path {
            Some(path) => vec![format!("{folder}/{path}")],
            None => vec![format!("{below}/{}.rs", child.name), format!("{below}/{}/mod.rs", child.name)],
        };
        candidates.into_iter().find(|path| self.facts.get(path).is_some_and(|facts| !facts.test_only))
    }
}
