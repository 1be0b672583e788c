//! Rules about `ARCHITECTURE.md`: it stays short, and its walks name files that are there.

use super::complaint::Complaint;

const PAGE: &str = "ARCHITECTURE.md";
/// The most bytes of the page.
const BYTES: usize = 10_000;
/// The most files that one walk names; a folder counts as one.
const FILES: usize = 20;

pub(super) fn check(text: &str, exists: impl Fn(&str) -> bool) -> Vec<Complaint> {
    let mut found = Vec::new();
    if text.len() > BYTES {
        found.push(Complaint::new(PAGE, 0, format!("{} bytes; at most {BYTES} are allowed", text.len())));
    }
    for walk in walks(text) {
        let files = walk.files();
        if files.len() > FILES {
            let what = format!("the walk of {} names {} files; at most {FILES} are allowed", walk.title, files.len());
            found.push(Complaint::new(PAGE, walk.line, what));
        }
        let gone = |path: &&String| !exists(path) && !exists(&format!("{path}.rs"));
        let complain = |path| Complaint::new(PAGE, walk.line, format!("the walk names `{path}`, which does not exist"));
        found.extend(files.iter().filter(gone).map(complain));
    }
    found
}

/// The files in the order in which a question goes through them.
struct Walk<'t> {
    /// The line at which it begins.
    line: usize,
    title: &'t str,
    /// Its lines, joined.
    text: String,
}

/// The points of the list below the heading `## Walks`: `- **title**: files`.
fn walks(text: &str) -> Vec<Walk<'_>> {
    let mut found: Vec<Walk<'_>> = Vec::new();
    let section = (1..).zip(text.lines()).skip_while(|(_, line)| *line != "## Walks").skip(1);
    for (number, line) in section.take_while(|(_, line)| !line.starts_with("## ")) {
        if let Some((title, rest)) = line.strip_prefix("- **").and_then(|point| point.split_once("**:")) {
            found.push(Walk { line: number, title, text: rest.to_owned() });
        } else if let (Some(walk), true) = (found.last_mut(), line.starts_with("  ")) {
            walk.text.push_str(&line[1..]);
        }
    }
    found
}

impl Walk<'_> {
    /// Paths from the root of the tree, without the ending `.rs`. A name of a crate with a colon after it holds up to
    /// the next semicolon; all other paths are in the library.
    fn files(&self) -> Vec<String> {
        let mut found = Vec::new();
        for part in self.text.split(';') {
            let (name, list) = part.split_once("`:").unwrap_or(("`impinge", part));
            let name = name.trim().trim_start_matches('`');
            for span in list.split('`').skip(1).step_by(2) {
                found.extend(spelt_out(span).map(|path| format!("crates/{name}/src/{path}")));
            }
        }
        found
    }
}

/// `a/{b, c}` is short for `a/b` and `a/c`. The slash at the end of a folder is left out.
fn spelt_out(span: &str) -> impl Iterator<Item = String> + '_ {
    let (folder, names) = span.strip_suffix('}').and_then(|span| span.split_once('{')).unwrap_or(("", span));
    names.split(',').map(move |name| format!("{folder}{}", name.trim().trim_end_matches('/')))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Vec<String> {
        let files = ["crates/impinge/src/pair.rs", "crates/impinge/src/prim/block.rs", "crates/impinge-io/src/stl"];
        check(text, |path| files.contains(&path)).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn the_page_stays_short() {
        assert!(said(&"x".repeat(BYTES)).is_empty());
        assert_eq!(said(&"x".repeat(BYTES + 1)), ["ARCHITECTURE.md: 10001 bytes; at most 10000 are allowed"]);
    }

    #[test]
    fn walks_name_what_is_there() {
        let text = "`gone`\n## Walks\n\n- **a `World`**: `impinge-io`: `stl/`, `obj`; `pair`, `prim/{block,\n  gap}`\n";
        let message = |path: &str| format!("ARCHITECTURE.md:4: the walk names `crates/{path}`, which does not exist");
        assert_eq!(said(text), [message("impinge-io/src/obj"), message("impinge/src/prim/gap")]);
        assert_eq!(said(&format!("{text}\n## Other\n- **b**: `gone`\n")).len(), 2, "only walks are checked");
    }

    #[test]
    fn walks_are_short() {
        let walk = |files: usize| said(&format!("## Walks\n- **long**: `{{{}}}`", vec!["pair"; files].join(", ")));
        assert!(walk(FILES).is_empty());
        let expected = "ARCHITECTURE.md:2: the walk of long names 21 files; at most 20 are allowed";
        assert_eq!(walk(FILES + 1), [expected]);
    }
}
