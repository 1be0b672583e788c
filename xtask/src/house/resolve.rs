//! Follows a path to the files that define what it names, through any number of re-exports.

use std::collections::BTreeSet;

use super::code::facts::ItemKind;
use super::modules::Modules;

/// What a path leads to. A name can stand for several: a module and a function, or the same item under two conditions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Target {
    Module(usize),
    /// An item of this module.
    ItemOf(usize),
}

/// Names that are being looked up, so that two globs that import each other come to an end.
type Open = Vec<(usize, String)>;

impl Modules {
    /// The modules that define what `names` stands for in the module `here`. A path out of the workspace has none.
    pub(super) fn definers(&self, here: usize, names: &[String]) -> BTreeSet<usize> {
        let targets = self.path(here, names, &mut Open::new());
        targets
            .into_iter()
            .map(|target| match target {
                Target::Module(node) | Target::ItemOf(node) => node,
            })
            .collect()
    }

    /// The modules that define `name` when the module `here` has it from one of its globs.
    pub(super) fn definers_by_glob(&self, here: usize, name: &str) -> BTreeSet<usize> {
        if !self.named_here(here, name, &mut Open::new()).is_empty() {
            return BTreeSet::new();
        }
        self.definers(here, &[name.to_owned()])
    }

    /// The module around `here`, or `here` itself, that has a macro of this name. Macros are seen by all below.
    pub(super) fn macro_definer(&self, here: usize, name: &str) -> Option<usize> {
        let defines = |node: &usize| {
            let items = &self.module(*node).items;
            items.iter().any(|item| item.name == name && matches!(item.kind, ItemKind::Macro | ItemKind::ExportedMacro))
        };
        std::iter::successors(Some(here), |&node| self.nodes[node].parent).find(defines)
    }

    fn path(&self, here: usize, names: &[String], open: &mut Open) -> BTreeSet<Target> {
        let Some((first, mut rest)) = names.split_first() else {
            return BTreeSet::new();
        };
        let mut found: BTreeSet<Target> = match first.as_str() {
            "crate" => [Target::Module(self.nodes[here].root)].into(),
            "self" => [Target::Module(here)].into(),
            "super" => self.nodes[here].parent.map(Target::Module).into_iter().collect(),
            name => self.first_name(here, name, open),
        };
        while let Some((_, further)) = rest.split_first().filter(|(next, _)| *next == "super") {
            let parent = |target| match target {
                Target::Module(node) => self.nodes[node].parent.map(Target::Module),
                Target::ItemOf(_) => None,
            };
            found = found.into_iter().filter_map(parent).collect();
            rest = further;
        }
        for name in rest {
            found = found.into_iter().flat_map(|target| self.below(target, name, open)).collect();
        }
        found
    }

    /// The first name of a path: something of this module, or another crate of the workspace.
    fn first_name(&self, here: usize, name: &str, open: &mut Open) -> BTreeSet<Target> {
        let mut found = self.lookup(here, name, open);
        if found.is_empty() {
            found.extend(self.libraries.get(name).map(|&root| Target::Module(root)));
        }
        found
    }

    /// What `name` stands for inside `target`: in a module a name that is not found is taken for one that a macro
    /// makes there; what is inside a type belongs to the type.
    fn below(&self, target: Target, name: &str, open: &mut Open) -> BTreeSet<Target> {
        let Target::Module(node) = target else {
            return [target].into();
        };
        let asked_already = open.contains(&(node, name.to_owned()));
        let found = self.lookup(node, name, open);
        if found.is_empty() && !asked_already { [Target::ItemOf(node)].into() } else { found }
    }

    /// What `name` stands for in the module `node`.
    fn lookup(&self, node: usize, name: &str, open: &mut Open) -> BTreeSet<Target> {
        let key = (node, name.to_owned());
        if open.contains(&key) {
            return self.declared(node, name);
        }
        open.push(key);
        let mut found = self.named_here(node, name, open);
        if found.is_empty() {
            for glob in self.module(node).imports.iter().filter(|import| import.name.is_none()) {
                for target in self.path(node, &glob.path, open) {
                    if let Target::Module(from) = target {
                        found.extend(self.lookup(from, name, open));
                    }
                }
            }
        }
        open.pop();
        found
    }

    /// What the module declares or imports by this very name.
    fn named_here(&self, node: usize, name: &str, open: &mut Open) -> BTreeSet<Target> {
        let mut found = self.declared(node, name);
        for import in self.module(node).imports.iter().filter(|import| import.name.as_deref() == Some(name)) {
            found.extend(self.path(node, &import.path, open));
        }
        found
    }

    /// The items and the modules of this name that the module itself holds.
    fn declared(&self, node: usize, name: &str) -> BTreeSet<Target> {
        let in_root = self.nodes[node].parent.is_none();
        let here = |kind: ItemKind| kind != ItemKind::ExportedMacro || in_root;
        let items = &self.module(node).items;
        let item = items.iter().any(|item| item.name == name && here(item.kind)).then_some(Target::ItemOf(node));
        let child = self.nodes[node].children.get(name).map(|&child| Target::Module(child));
        item.into_iter().chain(child).collect()
    }
}
