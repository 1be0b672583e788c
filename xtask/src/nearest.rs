//! Which word a typing error meant.

/// "there is no …", with the nearest of the known words when one is near.
pub(crate) fn unknown(kind: &str, word: &str, known: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let near = known.into_iter().map(|k| k.as_ref().to_owned()).min_by_key(|k| distance(word, k));
    match near.filter(|k| distance(word, k) <= 2 || (word.len() > 1 && k.starts_with(word))) {
        Some(near) => format!("there is no {kind} `{word}`; did you mean `{near}`?"),
        None => format!("there is no {kind} `{word}`."),
    }
}

/// Levenshtein's distance: insertions, deletions and replacements of single characters.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != *y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_of_known_words() {
        for (a, b, expected) in [("", "", 0), ("demo", "demo", 0), ("dmeo", "demo", 2), ("kitten", "sitting", 3)] {
            assert_eq!((distance(a, b), distance(b, a)), (expected, expected), "{a} {b}");
        }
    }

    #[test]
    fn suggests_what_is_near_and_only_that() {
        let known = ["demo", "test", "tidy"];
        assert!(unknown("command", "tests", known).ends_with("did you mean `test`?"));
        assert!(unknown("command", "ti", known).ends_with("did you mean `tidy`?"));
        assert_eq!(unknown("command", "release", known), "there is no command `release`.");
    }
}
