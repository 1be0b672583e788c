//! Rules that look at one file at a time.

use super::complaint::{Complaint, Source};

/// Longest file of Rust, in lines.
const LINES: usize = 600;
/// Longest line of Rust, in characters.
const WIDTH: usize = 120;
/// Largest file of text, in bytes.
const BYTES: usize = 1 << 20;

/// First folder of paths that exist on one machine only.
const MACHINE_FOLDERS: [&str; 6] = ["work", "home", "root", "tmp", "Users", "mnt"];
/// Endings and parts of host names that only one network knows.
const PRIVATE_ENDINGS: [&str; 5] = [".internal", ".local", ".lan", ".corp", ".intranet"];
const PRIVATE_PARTS: [&str; 4] = ["artifactory", "nexus", "mirror", "proxy"];
/// What is left over from work in progress. Each is written in two halves, so that this file passes.
const LEFTOVERS: [(&str, &str); 9] = [
    ("todo", "!("),
    ("unimplemented", "!("),
    ("dbg", "!("),
    ("#[ign", "ore"),
    ("TO", "DO"),
    ("FIX", "ME"),
    ("XX", "X"),
    ("HA", "CK"),
    ("NOCOM", "MIT"),
];

pub(super) fn check(source: &Source) -> Vec<Complaint> {
    let Source { path, text } = source;
    let mut found = Vec::new();
    let rust = path.ends_with(".rs");
    if text.len() > BYTES {
        found.push(Complaint::new(path, 0, format!("{} bytes; at most {BYTES} are allowed", text.len())));
    }
    let length = text.lines().count();
    if rust && length > LINES {
        found.push(Complaint::new(path, 0, format!("{length} lines; at most {LINES} are allowed: split it")));
    }
    for (number, line) in text.lines().enumerate() {
        found.extend(line_rules(path, line).map(|what| Complaint::new(path, number + 1, what)));
    }
    found
}

fn is_lock(path: &str) -> bool {
    path.ends_with("Cargo.lock")
}

fn line_rules(path: &str, line: &str) -> impl Iterator<Item = String> {
    let rust = path.ends_with(".rs");
    // The texts of licences and locks are not ours, and test data may be as ugly as it needs to be.
    let written_here = !path.starts_with("testdata/") && !path.starts_with("LICENSE") && !is_lock(path);
    let width = line.chars().count();
    // The formatter leaves strings alone, and so does this.
    let has_string = line.contains('"');
    [
        (rust && width > WIDTH && !has_string).then(|| format!("{width} characters; at most {WIDTH} are allowed")),
        (written_here && line.ends_with([' ', '\t'])).then(|| "white space at the end".to_owned()),
        (rust && line.contains('\t')).then(|| "a tab".to_owned()),
        leftover(path, line),
        machine_path(line).map(|path| format!("`{path}` exists on one machine only")),
        private_host(path, line).map(|host| format!("the host `{host}` is known in one network only")),
        foreign_source(path, line),
    ]
    .into_iter()
    .flatten()
}

/// Leftovers, in code and in comments; words of capitals stand alone.
fn leftover(path: &str, line: &str) -> Option<String> {
    let code = path.ends_with(".rs") || path.ends_with(".toml") || path.starts_with(".ci/");
    let halves = LEFTOVERS.iter().filter(|_| code && !path.starts_with("testdata/"));
    halves
        .map(|(a, b)| format!("{a}{b}"))
        .find(|word| has_word(line, word))
        .map(|word| format!("`{word}` is left over"))
}

fn has_word(line: &str, word: &str) -> bool {
    let letter = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    line.match_indices(word).any(|(at, _)| {
        let open_ended = word.ends_with(|c: char| !c.is_ascii_uppercase());
        !letter(line[..at].chars().next_back()) && (open_ended || !letter(line[at + word.len()..].chars().next()))
    })
}

/// An absolute path into a folder of the machine it was written on.
fn machine_path(line: &str) -> Option<String> {
    let inner = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || "._-~}>)/".contains(c));
    for folder in MACHINE_FOLDERS {
        let needle = format!("/{folder}/");
        if line.match_indices(&needle).any(|(at, _)| !inner(line[..at].chars().next_back())) {
            return Some(needle);
        }
    }
    None
}

/// The host of a URL that is not public. This machine itself (`localhost`, `127.0.0.1`) is everywhere; names without a
/// dot are made up in code and real elsewhere.
fn private_host(path: &str, line: &str) -> Option<String> {
    let hosts = line.split("://").skip(1).map(|rest| {
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || ".-@".contains(c))).unwrap_or(rest.len());
        rest[..end].rsplit('@').next().unwrap_or_default()
    });
    let made_up = |host: &str| path.ends_with(".rs") && !host.contains('.');
    hosts.filter(|host| !host.is_empty() && !made_up(host) && is_private(host)).map(str::to_owned).next()
}

fn is_private(host: &str) -> bool {
    if host == "localhost" || host == "127.0.0.1" {
        return false;
    }
    let numbers = host.split('.').all(|part| part.parse::<u8>().is_ok());
    let named = PRIVATE_ENDINGS.iter().any(|e| host.ends_with(e)) || PRIVATE_PARTS.iter().any(|p| host.contains(p));
    numbers || named || !host.contains('.')
}

/// A locked package that does not come from the public registry.
fn foreign_source(path: &str, line: &str) -> Option<String> {
    let public = "source = \"registry+https://github.com/rust-lang/crates.io-index\"";
    let foreign = is_lock(path) && line.starts_with("source = ") && line != public;
    foreign.then(|| "a package that is not from the public registry".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaints(path: &str, text: &str) -> Vec<String> {
        let source = Source { path: path.to_owned(), text: text.to_owned() };
        check(&source).iter().map(ToString::to_string).collect()
    }

    fn one(path: &str, text: &str, part: &str) {
        let found = complaints(path, text);
        assert!(found.len() == 1 && found[0].contains(part), "{path}: expected `{part}`, got {found:?}");
    }

    fn clean(path: &str, text: &str) {
        assert_eq!(complaints(path, text), Vec::<String>::new());
    }

    #[test]
    fn long_lines_and_files() {
        clean("fuzz/a.rs", &"é".repeat(WIDTH));
        one("fuzz/a.rs", &"é".repeat(WIDTH + 1), "121 characters");
        clean("fuzz/a.rs", &format!("\"{}\"", "x".repeat(WIDTH)));
        clean("README.md", &"x".repeat(WIDTH + 1));
        clean("fuzz/a.rs", &"x\n".repeat(LINES));
        one("fuzz/a.rs", &"x\n".repeat(LINES + 1), "601 lines");
        one("testdata/big.obj", &"v 0 0 0\n".repeat(BYTES / 8 + 1), "bytes");
    }

    #[test]
    fn white_space() {
        one("docs/a.md", "a \nb", "docs/a.md:1: white space");
        one("fuzz/a.rs", "a\tb", "a tab");
        clean("testdata/ugly.obj", "v 0 0 0 \n");
    }

    #[test]
    fn leftovers() {
        for (a, b) in LEFTOVERS {
            one("fuzz/a.rs", &format!("x; {a}{b} y"), "is left over");
        }
        let word = ["TO", "DO"].concat();
        clean("fuzz/a.rs", &format!("let my_todo!(1) = {word}_LIST;"));
        clean("docs/a.md", &word);
    }

    #[test]
    fn paths_of_one_machine() {
        for folder in MACHINE_FOLDERS {
            one("docs/a.md", &format!("see \"/{folder}/x\""), "on one machine");
            one("docs/a.md", &format!("/{folder}/x"), "on one machine");
            clean("docs/a.md", &format!("https://example.org/{folder}/x ../{folder}/x"));
        }
    }

    #[test]
    fn hosts_of_one_network() {
        for host in ["registry", "10.0.0.1", "crates.corp", "artifactory.example.org", "user@box.local"] {
            one("docs/a.md", &format!("<https://{host}:8080/x>"), "in one network");
        }
        clean("fuzz/a.rs", "https://h/x");
        one("fuzz/a.rs", &format!("https://{}/x", "10.0.0.1"), "in one network");
        clean("docs/a.md", "https://github.com/x http://127.0.0.1:8000 http://localhost/ https://docs.rs");
    }

    #[test]
    fn locked_sources() {
        clean("Cargo.lock", "source = \"registry+https://github.com/rust-lang/crates.io-index\"");
        one("Cargo.lock", "source = \"git+https://github.com/x/y\"", "public registry");
        one("fuzz/Cargo.lock", "source = \"sparse+https://example.org/index\"", "public registry");
    }
}
