//! The names that one `use` brings in, each with its whole path.

use super::lexer::Token;

/// A path, and the name it gets; no name for `*`.
pub(super) type Named = (Vec<String>, Option<String>);

/// Reads what stands between `use` and `;`. A path that begins with `::` leads out of the workspace and is left out.
pub(super) fn names(tokens: &[Token<'_>]) -> Vec<Named> {
    let mut found = Vec::new();
    if !tokens.first().is_some_and(|token| token.is("::")) {
        tree(tokens, 0, &[], &mut found);
    }
    found
}

/// Reads one path or group from `at` on and returns the place behind it.
fn tree(tokens: &[Token<'_>], mut at: usize, before: &[String], found: &mut Vec<Named>) -> usize {
    let is = |at: usize, text: &str| tokens.get(at).is_some_and(|token| token.is(text));
    let mut path = before.to_vec();
    loop {
        if is(at, "*") {
            found.push((path, None));
            return at + 1;
        }
        if is(at, "{") {
            at += 1;
            while at < tokens.len() && !is(at, "}") {
                at = if is(at, ",") { at + 1 } else { tree(tokens, at, &path, found) };
            }
            return at + 1;
        }
        let Some(name) = tokens.get(at).filter(|token| token.is_name()) else {
            return at + 1;
        };
        // `a::{self}` is `a`.
        if !name.is("self") || path.is_empty() {
            path.push(name.text.to_owned());
        }
        at += 1;
        if !is(at, "::") {
            break;
        }
        at += 1;
    }
    let mut name = path.last().cloned();
    if is(at, "as") {
        name = tokens.get(at + 1).map(|token| token.text.to_owned());
        at += 2;
    }
    found.push((path, name));
    at
}

#[cfg(test)]
mod tests {
    use super::super::lexer::tokens;
    use super::*;

    fn said(text: &str) -> Vec<String> {
        let named = |(path, name): Named| format!("{} = {}", name.unwrap_or("*".into()), path.join("::"));
        names(&tokens(text)).into_iter().map(named).collect()
    }

    #[test]
    fn groups_are_taken_apart() {
        assert_eq!(
            said("crate::{math::{Pose, eigen::x as y}, prim, answer::{self, Answer}, tree::*,}"),
            [
                "Pose = crate::math::Pose",
                "y = crate::math::eigen::x",
                "prim = crate::prim",
                "answer = crate::answer",
                "Answer = crate::answer::Answer",
                "* = crate::tree"
            ]
        );
    }

    #[test]
    fn single_paths() {
        assert_eq!(said("super::super::a::B as _"), ["_ = super::super::a::B"]);
        assert_eq!(said("self::a"), ["a = self::a"]);
        assert_eq!(said("super::*"), ["* = super"]);
        assert_eq!(said("{a, b::c}"), ["a = a", "c = b::c"]);
        assert!(said("::std::fmt").is_empty());
    }
}
