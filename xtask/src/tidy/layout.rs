//! Rules that look at the tree as a whole: what must be there, and that the documents speak of what is there.

use super::complaint::{Complaint, Source};
use super::walks;

const REQUIRED: [&str; 12] = [
    ".ci/run",
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "Cargo.lock",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "README.md",
    "deny.toml",
    "docs/contract.md",
    "docs/json.md",
    "docs/papers.md",
];

/// Names that say nothing about what a file holds.
const NAMELESS: [&str; 6] = ["util", "utils", "helper", "helpers", "common", "misc"];

pub(super) fn check(paths: &[String], sources: &[Source]) -> Vec<Complaint> {
    let exists =
        |path: &str| paths.iter().any(|p| p == path || p.strip_prefix(path).is_some_and(|r| r.starts_with('/')));
    let text = |path: &str| sources.iter().find(|s| s.path == path).map_or("", |s| s.text.as_str());
    let missing = REQUIRED.iter().filter(|path| !exists(path)).map(|path| Complaint::new(path, 0, "is missing"));
    let mut found: Vec<Complaint> = missing.collect();
    found.extend(paths.iter().filter_map(|path| nameless(path)));
    found.extend(paper_paths(text("docs/papers.md"), exists));
    found.extend(dependencies(text("Cargo.toml"), text("ARCHITECTURE.md"), &members(sources)));
    found.extend(walks::check(text("ARCHITECTURE.md"), exists));
    if exists("CHANGELOG.md") && !text("CHANGELOG.md").contains("## [Unreleased]") {
        found.push(Complaint::new("CHANGELOG.md", 0, "has no `## [Unreleased]`"));
    }
    for source in sources.iter().filter(|s| s.path.ends_with(".md")) {
        found.extend(links(source, exists));
    }
    found
}

fn nameless(path: &str) -> Option<Complaint> {
    let bad =
        path.split('/').map(|name| name.split('.').next().unwrap_or(name)).find(|name| NAMELESS.contains(name))?;
    path.ends_with(".rs").then(|| Complaint::new(path, 0, format!("`{bad}` says nothing about what is in it")))
}

/// Every file of Rust that `docs/papers.md` names is there, by its path in the library or in the tree.
fn paper_paths(text: &str, exists: impl Fn(&str) -> bool) -> Vec<Complaint> {
    let gone = |path: &&str| path.ends_with(".rs") && !exists(path) && !exists(&format!("crates/impinge/src/{path}"));
    let complain = |(number, line)| {
        let named: Vec<&str> = code_spans(line).filter(gone).collect();
        named.into_iter().map(move |path| Complaint::new("docs/papers.md", number, format!("`{path}` does not exist")))
    };
    numbered(text).flat_map(complain).collect()
}

/// The manifests of the workspace's members, one after another.
fn members(sources: &[Source]) -> String {
    let member = |path: &str| path.ends_with("/Cargo.toml") && !path.starts_with("fuzz/");
    sources.iter().filter(|s| member(&s.path)).map(|s| s.text.as_str()).collect()
}

/// Every package of `[workspace.dependencies]` from outside is used, and has its line in `ARCHITECTURE.md`.
fn dependencies(manifest: &str, architecture: &str, members: &str) -> Vec<Complaint> {
    let section = manifest.lines().skip_while(|line| line.trim() != "[workspace.dependencies]").skip(1);
    let entries = section.take_while(|line| !line.starts_with('[')).filter_map(|line| line.split_once('='));
    let outside = entries.filter(|(_, value)| !value.contains("path =")).map(|(name, _)| name.trim());
    let used = |name: &str| {
        let forms = [format!("{name}.workspace"), format!("{name} = {{ workspace")];
        members.lines().any(|line| forms.iter().any(|form| line.starts_with(form)))
    };
    let complain = |name: &str| {
        if !used(name) {
            Some(Complaint::new("Cargo.toml", 0, format!("no member uses the dependency `{name}`: remove it")))
        } else if !architecture.contains(&format!("`{name}`")) {
            let what = format!("the dependency `{name}` has no line saying what it saves us");
            Some(Complaint::new("ARCHITECTURE.md", 0, what))
        } else {
            None
        }
    };
    outside.filter_map(complain).collect()
}

/// Every relative link of a document leads to a file or folder of the tree.
fn links(source: &Source, exists: impl Fn(&str) -> bool) -> Vec<Complaint> {
    let folder = source.path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut found = Vec::new();
    for (number, line) in numbered(&source.text) {
        for rest in line.split("](").skip(1) {
            let target = rest.split([')', '#', ' ']).next().unwrap_or_default();
            if !target.is_empty() && !target.contains(':') && !exists(&joined(folder, target)) {
                found.push(Complaint::new(&source.path, number, format!("the link to `{target}` leads nowhere")));
            }
        }
    }
    found
}

/// `target` as seen from `folder`, with `.` and `..` resolved.
fn joined(folder: &str, target: &str) -> String {
    let mut names: Vec<&str> = folder.split('/').filter(|name| !name.is_empty()).collect();
    for name in target.split('/') {
        match name {
            "" | "." => {}
            ".." => drop(names.pop()),
            name => names.push(name),
        }
    }
    names.join("/")
}

fn numbered(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().map(|(index, line)| (index + 1, line))
}

/// What stands between backquotes.
fn code_spans(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(complaints: Vec<Complaint>) -> Vec<String> {
        complaints.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn an_empty_tree_misses_everything() {
        let found = said(check(&[], &[]));
        assert_eq!(found.len(), REQUIRED.len());
        assert!(found.contains(&"CHANGELOG.md: is missing".to_owned()));
    }

    #[test]
    fn changelog_has_a_place_for_news() {
        let source = Source { path: "CHANGELOG.md".into(), text: "# Changelog\n".into() };
        let found = said(check(&["CHANGELOG.md".into()], &[source]));
        assert!(found.contains(&"CHANGELOG.md: has no `## [Unreleased]`".to_owned()), "{found:?}");
    }

    #[test]
    fn papers_name_files_that_exist() {
        let exists = |path: &str| ["crates/impinge/src/prim/segment.rs", "xtask/src/main.rs"].contains(&path);
        let text =
            "| §1 | `prim/segment.rs`, `xtask/src/main.rs` |\n| §2 | `narrow/convex/simplex/gjk.rs` | `not yet` |";
        assert_eq!(
            said(paper_paths(text, exists)),
            ["docs/papers.md:2: `narrow/convex/simplex/gjk.rs` does not exist"]
        );
    }

    #[test]
    fn dependencies_are_used_and_explained() {
        let names = "own = { path = \"x\" }\nglam = \"1\"\nserde = \"1\"\nserde_json = \"1\"\n";
        let manifest = format!("[workspace.dependencies]\n{names}\n[other]\nx = 1");
        let members = "[dependencies]\nglam.workspace = true\nserde_json = { workspace = true, features = [] }\n";
        let found = said(dependencies(&manifest, "- `glam`: vectors", members));
        assert_eq!(
            found,
            [
                "Cargo.toml: no member uses the dependency `serde`: remove it",
                "ARCHITECTURE.md: the dependency `serde_json` has no line saying what it saves us"
            ]
        );
    }

    #[test]
    fn links_lead_somewhere() {
        let text = "[a](json.md#x) [b](../README.md) [c](https://x.org) [d](#here)\n[e](gone.md) [f](../docs)";
        let source = Source { path: "docs/a.md".into(), text: text.into() };
        let exists = |path: &str| ["docs/json.md", "README.md", "docs"].contains(&path);
        assert_eq!(said(links(&source, exists)), ["docs/a.md:2: the link to `gone.md` leads nowhere"]);
    }

    #[test]
    fn names_say_something() {
        assert!(nameless("crates/x/src/utils.rs").is_some());
        assert!(nameless("crates/x/tests/common/mod.rs").is_some());
        assert!(nameless("crates/x/src/commons.rs").is_none());
    }
}
