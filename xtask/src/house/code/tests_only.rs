//! Which attributes keep an item out of everything but tests, and where such an item ends.

use super::lexer::Token;

/// Is this the inside of `#[cfg(test)]`, of another condition that holds in tests only, or of `#[test]`?
pub(super) fn is_for_tests(attribute: &[Token<'_>]) -> bool {
    match attribute {
        [only] => only.is("test") || only.is("bench"),
        [cfg, open, inside @ .., _] => cfg.is("cfg") && open.is("(") && needs_test(inside),
        _ => false,
    }
}

/// Can this condition hold in tests only?
fn needs_test(condition: &[Token<'_>]) -> bool {
    match condition {
        [only] => only.is("test") || only.is("doctest"),
        [all, _, inside @ .., _] if all.is("all") => parts(inside).into_iter().any(needs_test),
        [any, _, inside @ .., _] if any.is("any") => {
            let parts = parts(inside);
            !parts.is_empty() && parts.into_iter().all(needs_test)
        }
        _ => false,
    }
}

/// What stands between the commas that are in no brackets.
fn parts<'a, 't>(list: &'a [Token<'t>]) -> Vec<&'a [Token<'t>]> {
    let (mut depth, mut start, mut found) = (0_usize, 0, Vec::new());
    for (at, token) in list.iter().enumerate() {
        if token.is("(") {
            depth += 1;
        } else if token.is(")") {
            depth = depth.saturating_sub(1);
        } else if token.is(",") && depth == 0 {
            found.push(&list[start..at]);
            start = at + 1;
        }
    }
    found.push(&list[start..]);
    found.retain(|part| !part.is_empty());
    found
}

/// The place behind the item, field, variant or statement that begins at `from`.
pub(super) fn skipped(tokens: &[Token<'_>], closes: &[usize], from: usize) -> usize {
    let mut at = from;
    // Further attributes, and `pub(crate)`.
    while at < tokens.len() && (tokens[at].is("#") || tokens[at].is("pub")) {
        let next = at + 1;
        let bracket = next < tokens.len() && (tokens[next].is("[") || tokens[next].is("("));
        at = if bracket { closes[next] + 1 } else { next };
    }
    let first = |words: &[&str]| at < tokens.len() && words.iter().any(|word| tokens[at].is(word));
    let function = at + 1 < tokens.len() && tokens[at].is("const") && tokens[at + 1].is("fn");
    let to_semicolon = first(&["use", "const", "static", "let", "type"]) && !function;
    let keyword = ["fn", "struct", "enum", "union", "impl", "trait", "mod", "unsafe", "extern", "async", "macro_rules"];
    let item = function || first(&keyword) || first(&["{"]);
    while at < tokens.len() {
        let token = tokens[at];
        let comma = !to_semicolon && !item && token.is(",");
        if token.is(";") || comma {
            return at + 1;
        }
        if [")", "]", "}"].iter().any(|sign| token.is(sign)) {
            return at;
        }
        let body = token.is("{") && item;
        at = closes[at] + 1;
        if body {
            return at;
        }
    }
    at
}
