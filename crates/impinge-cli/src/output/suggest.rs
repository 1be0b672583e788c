//! "Did you mean": the names nearest to a mistyped one.

const MAX_LENGTH: usize = 64;
const MAX_NAMES: usize = 3;

/// Up to three of `names` that differ from `typed` in few letters, nearest first.
pub(crate) fn nearest<'a>(typed: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let allowed = 1 + typed.chars().count().min(MAX_LENGTH) / 4;
    let mut close: Vec<(usize, &str)> =
        names.into_iter().map(|name| (edits(typed, name), name)).filter(|&(d, _)| d <= allowed).collect();
    close.sort_unstable();
    close.dedup();
    let best = close.first().map_or(0, |&(d, _)| d);
    close.retain(|&(d, _)| d <= best + 1);
    close.into_iter().take(MAX_NAMES).map(|(_, name)| name).collect()
}

/// `x`, `y` or `z` as words; what to say when `nearest` found something.
pub(crate) fn did_you_mean(names: &[&str]) -> Option<String> {
    let (last, rest) = names.split_last()?;
    let quoted: Vec<String> = rest.iter().map(|name| format!("`{name}`")).collect();
    Some(match quoted.is_empty() {
        true => format!("did you mean `{last}`?"),
        false => format!("did you mean {} or `{last}`?", quoted.join(", ")),
    })
}

/// Letters inserted, deleted, replaced or swapped with their neighbour, case ignored (optimal string alignment).
fn edits(a: &str, b: &str) -> usize {
    let letters = |s: &str| s.chars().take(MAX_LENGTH).flat_map(char::to_lowercase).collect::<Vec<char>>();
    let (a, b) = (letters(a), letters(b));
    let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            table[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let replaced = table[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let swaps = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
                let swapped = if swaps { table[i - 2][j - 2] + 1 } else { usize::MAX };
                replaced.min(swapped).min(table[i - 1][j] + 1).min(table[i][j - 1] + 1)
            };
        }
    }
    table[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_edits() {
        assert_eq!([edits("", "abc"), edits("kitten", "sitting"), edits("Wheel", "wheel")], [3, 3, 0]);
        assert_eq!([edits("bxo", "box"), edits("teapto", "teapot"), edits("ab", "")], [1, 1, 2]);
    }

    #[test]
    fn finds_the_near_and_not_the_far() {
        let names = ["wheel_left", "wheel_right", "body"];
        assert_eq!(nearest("wheel_lft", names), ["wheel_left"]);
        assert!(nearest("xyz", names).is_empty());
        assert_eq!(nearest("gearr.obj.gz", ["rail.obj.gz", "gear.obj.gz"]), ["gear.obj.gz"]);
        assert_eq!(did_you_mean(&["a", "b", "c"]).as_deref(), Some("did you mean `a`, `b` or `c`?"));
        assert_eq!(did_you_mean(&["a"]).as_deref(), Some("did you mean `a`?"));
        assert_eq!(did_you_mean(&[]), None);
    }
}
