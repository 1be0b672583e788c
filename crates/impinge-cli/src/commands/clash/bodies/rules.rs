//! Pairs that are not to be reported: of one file, of one group, or listed by name.
//!
//! A listed pair is two patterns, in which `*` matches any letters; it leaves out the pairs of which one body matches
//! the first pattern and the other body the second. Patterns are matched once with every name; for each body the rules
//! are kept that it takes part in, so that a pair costs a comparison of two short lists.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use super::assembly::Member;
use crate::output::error::Failure;

const HELP: &str =
    "write two names separated by a comma, such as `frame/bolt*,frame/plate`; names with a comma in \"quotes\"";

/// Two patterns.
#[derive(Debug)]
pub(crate) struct Listed {
    patterns: [String; 2],
}

/// What is left out.
#[derive(Debug, Default)]
pub(crate) struct Rules {
    same_file: bool,
    same_group: bool,
    /// Of each body, the listed pairs whose first and whose second pattern it matches, ascending.
    sides: Vec<[Vec<u32>; 2]>,
    /// Patterns that no body matches, and the rules that they are of.
    pub(crate) idle: Vec<(usize, String)>,
}

impl Rules {
    pub(crate) fn new(bodies: &[Member], listed: &[Listed], same_file: bool, same_group: bool) -> Rules {
        let mut rules = Rules { same_file, same_group, ..Rules::default() };
        if listed.is_empty() {
            return rules;
        }
        rules.sides = vec![Default::default(); bodies.len()];
        let by_name: HashMap<&str, usize> = bodies.iter().enumerate().map(|(i, body)| (&*body.name, i)).collect();
        for (number, rule) in listed.iter().enumerate() {
            for (side, pattern) in rule.patterns.iter().enumerate() {
                let matching: Vec<usize> = match pattern.contains('*') {
                    true => (0..bodies.len()).filter(|&i| matches(pattern, &bodies[i].name)).collect(),
                    false => by_name.get(pattern.as_str()).copied().into_iter().collect(),
                };
                if matching.is_empty() {
                    rules.idle.push((number, pattern.clone()));
                }
                matching.into_iter().for_each(|i| rules.sides[i][side].push(number as u32));
            }
        }
        rules
    }

    /// Whether the pair is left out.
    pub(crate) fn ignore(&self, bodies: &[Member], [i, j]: [u32; 2]) -> bool {
        let (a, b) = (&bodies[i as usize], &bodies[j as usize]);
        let one_file = a.file == b.file;
        if one_file && (self.same_file || (self.same_group && a.group.is_some() && a.group == b.group)) {
            return true;
        }
        let (Some(a), Some(b)) = (self.sides.get(i as usize), self.sides.get(j as usize)) else { return false };
        share(&a[0], &b[1]) || share(&a[1], &b[0])
    }
}

/// Whether two ascending lists have a common entry.
fn share(a: &[u32], b: &[u32]) -> bool {
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    short.iter().any(|x| long.binary_search(x).is_ok())
}

/// Whether `*` can be replaced by letters so that the pattern is the name.
///
/// Going back to the last star is enough: what an earlier one could take more, the last can take too.
fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name) = (pattern.as_bytes(), name.as_bytes());
    let (mut p, mut n) = (0, 0);
    let mut star = None;
    while n < name.len() {
        if p < pattern.len() && pattern[p] == b'*' {
            star = Some((p + 1, n));
            p += 1;
        } else if p < pattern.len() && pattern[p] == name[n] {
            (p, n) = (p + 1, n + 1);
        } else if let Some((after, taken)) = star {
            star = Some((after, taken + 1));
            (p, n) = (after, taken + 1);
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|&c| c == b'*')
}

/// A pair of patterns as typed.
pub(crate) fn parse(text: &str) -> Result<Listed, Failure> {
    row(text).map_err(|problem| {
        let place = format!("--ignore {}", text.chars().take(80).collect::<String>());
        Failure::Read { place, problem, help: HELP.to_owned() }
    })
}

/// One pair a row; blank rows, rows that begin with `#`, and a first row `a,b` are passed over.
pub(crate) fn read(path: &Path) -> Result<Vec<Listed>, Failure> {
    let file = path.display().to_string();
    let fail = |place: String, problem: String| Failure::Read { place, problem, help: HELP.to_owned() };
    let text = fs::read(path).map_err(|error| fail(file.clone(), format!("cannot be read: {error}")))?;
    let text = String::from_utf8(text).map_err(|_| fail(file.clone(), "is not UTF-8 text".to_owned()))?;
    let mut listed = Vec::new();
    for (number, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let line = line.trim();
        let header = listed.is_empty() && line.replace(' ', "").eq_ignore_ascii_case("a,b");
        if line.is_empty() || line.starts_with('#') || header {
            continue;
        }
        listed.push(row(line).map_err(|problem| fail(format!("{file}:{}", number + 1), problem))?);
    }
    Ok(listed)
}

/// Two cells; in quotes a comma is a letter, and two quotes are one.
fn row(line: &str) -> Result<Listed, String> {
    let mut cells = vec![String::new()];
    let (mut quoted, mut letters) = (false, line.chars().peekable());
    while let Some(letter) = letters.next() {
        let cell = cells.last_mut().ok_or("there is no cell")?;
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => {
                letters.next();
                cell.push('"');
            }
            '"' if quoted => quoted = false,
            '"' if cell.trim().is_empty() => {
                cell.clear();
                quoted = true;
            }
            ',' if !quoted => cells.push(String::new()),
            _ => cell.push(letter),
        }
    }
    if quoted {
        return Err("a quote is not closed".to_owned());
    }
    let cells: Vec<String> = cells.iter().map(|cell| cell.trim().to_owned()).collect();
    match <[String; 2]>::try_from(cells) {
        Ok(patterns) if patterns.iter().all(|pattern| !pattern.is_empty()) => Ok(Listed { patterns }),
        Ok(_) => Err("a name is missing".to_owned()),
        Err(cells) => Err(format!("a rule is two names, not {}", cells.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_any_letters() {
        for (pattern, name, same) in [
            ("*", "", true),
            ("*", "any/thing", true),
            ("a*", "a", true),
            ("a*b*c", "a-b-b-c", true),
            ("a*b*c", "a-b-b-d", false),
            ("*bolt*", "frame/bolt#2", true),
            ("bolt", "bolt#2", false),
            ("**", "x", true),
            ("a", "", false),
            ("*é", "caf\u{e9}", true),
        ] {
            assert_eq!(matches(pattern, name), same, "{pattern} {name}");
        }
        let slow = "a*".repeat(40) + "b";
        assert!(!matches(&slow, &"a".repeat(20_000)));
    }

    #[test]
    fn rows_have_two_names() {
        let good = |text: &str| row(text).unwrap().patterns;
        assert_eq!(good(" a , b "), ["a", "b"]);
        assert_eq!(good(r#""x,1","say ""hi""""#), ["x,1", r#"say "hi""#]);
        for bad in ["a", "a,b,c", "a,", ",", r#""a,b"#, ""] {
            assert!(row(bad).is_err(), "{bad}");
        }
    }
}
