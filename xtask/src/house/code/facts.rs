//! What one file says about itself: its modules, what they declare and import, and which paths they name.

/// A file, read by the reader beside this. Code for tests is left out.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    /// The file's own module comes first; then those written inside it (`mod x { … }`), parents before children.
    pub(crate) modules: Vec<Module>,
    pub(crate) functions: Vec<Function>,
    /// The file says `#![cfg(test)]`.
    pub(crate) test_only: bool,
}

#[derive(Debug, Default)]
pub(crate) struct Module {
    pub(crate) name: String,
    /// Place of the module around this one in [`Facts::modules`].
    pub(crate) parent: Option<usize>,
    /// `mod x;`
    pub(crate) children: Vec<Child>,
    pub(crate) imports: Vec<Import>,
    pub(crate) items: Vec<Item>,
    /// Paths outside `use`, and macro calls.
    pub(crate) paths: Vec<NamedPath>,
    /// Every name in the code outside `use`, once.
    pub(crate) names: std::collections::BTreeSet<String>,
    /// It holds an `impl` block or calls a macro where an item can stand.
    pub(crate) implements: bool,
}

impl Module {
    /// Does it only list modules and re-export names?
    pub(crate) fn only_lists(&self) -> bool {
        self.items.is_empty() && !self.implements
    }
}

/// A module in a file of its own.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Child {
    pub(crate) name: String,
    /// `#[path = "…"]`
    pub(crate) path: Option<String>,
    pub(crate) test_only: bool,
}

/// One name of a `use`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Import {
    pub(crate) path: Vec<String>,
    /// The name it has here; none for `*`.
    pub(crate) name: Option<String>,
    /// `pub use` in any form.
    pub(crate) visible: bool,
    pub(crate) line: usize,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Item {
    pub(crate) name: String,
    pub(crate) kind: ItemKind,
    /// It can be named outside its module: `pub` in any form.
    pub(crate) visible: bool,
    pub(crate) line: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ItemKind {
    /// A struct, enum, union, trait or type alias.
    Type,
    /// A function, constant or static.
    Value,
    Macro,
    /// A macro with `#[macro_export]`, which stands in the crate's root.
    ExportedMacro,
}

/// `a::b::c` with at least two names, or the name of a macro that is called.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NamedPath {
    pub(crate) names: Vec<String>,
    pub(crate) line: usize,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) line: usize,
    /// From `fn` to the closing brace.
    pub(crate) lines: usize,
}
