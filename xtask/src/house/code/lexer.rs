//! The words of a file of Rust: names, signs and literals, without comments and white space.
//!
//! A full parser is not needed: which file uses which is told by paths, and a path is a row of names. Paths inside
//! macro calls look the same as others here, which a parser of the grammar would not see.

/// What a token is, as far as the search for paths cares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name or a keyword; a raw name (`r#type`) comes without its `r#`.
    Name,
    /// One sign, but `::` and `=>` are one token each.
    Sign,
    /// A number, a string, a character or a lifetime.
    Literal,
}

/// A word of the file and the line where it begins, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token<'t> {
    pub(super) kind: Kind,
    pub(super) text: &'t str,
    pub(super) line: usize,
}

impl Token<'_> {
    pub(super) fn is_name(&self) -> bool {
        self.kind == Kind::Name
    }

    /// Is this the sign or the keyword `text`?
    pub(super) fn is(&self, text: &str) -> bool {
        self.kind != Kind::Literal && self.text == text
    }
}

/// All tokens of a file that compiles. Of one that does not, some tokens.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let (mut at, mut line) = (0, 1);
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let (length, kind) = if first.is_whitespace() {
            (first.len_utf8(), None)
        } else if rest.starts_with("//") {
            (rest.find('\n').unwrap_or(rest.len()), None)
        } else if rest.starts_with("/*") {
            (block_comment(rest), None)
        } else {
            let (length, kind) = word(rest, first);
            (length, Some(kind))
        };
        let token = &rest[..length];
        if let Some(kind) = kind {
            let text = if kind == Kind::Name { token.trim_start_matches("r#") } else { token };
            found.push(Token { kind, text, line });
        }
        line += token.matches('\n').count();
        at += length;
    }
    found
}

/// Length and kind of the token at the beginning of `rest`.
fn word(rest: &str, first: char) -> (usize, Kind) {
    if let Some(length) = string(rest) {
        return (length, Kind::Literal);
    }
    if first == '\'' {
        return (quote(rest), Kind::Literal);
    }
    if first.is_ascii_digit() {
        return (number(rest), Kind::Literal);
    }
    if letter(first) {
        let prefix = if rest.starts_with("r#") { 2 } else { 0 };
        return (prefix + name(&rest[prefix..]), Kind::Name);
    }
    let double = rest.starts_with("::") || rest.starts_with("=>");
    (if double { 2 } else { first.len_utf8() }, Kind::Sign)
}

fn letter(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn name(rest: &str) -> usize {
    rest.find(|c: char| !letter(c)).unwrap_or(rest.len())
}

/// Digits, a point between digits and an exponent; the second point of `0..3` is not part of the number.
fn number(rest: &str) -> usize {
    let whole = name(rest);
    match rest[whole..].strip_prefix('.') {
        Some(tail) if tail.starts_with(|c: char| c.is_ascii_digit()) => whole + 1 + name(tail),
        _ => whole,
    }
}

/// Block comments nest.
fn block_comment(rest: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < rest.len() {
        let here = &rest.as_bytes()[at..];
        if here.starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if here.starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                break;
            }
        } else {
            at += 1;
        }
    }
    at
}

/// Length of a string in any form (`"…"`, `b"…"`, `c"…"`, `r#"…"#`), if there is one.
fn string(rest: &str) -> Option<usize> {
    let prefix = rest.len() - rest.trim_start_matches(['b', 'c', 'r']).len();
    if prefix > 2 {
        return None;
    }
    let body = &rest[prefix..];
    if rest[..prefix].ends_with('r') {
        let hashes = body.len() - body.trim_start_matches('#').len();
        let inner = body[hashes..].strip_prefix('"')?;
        let close = format!("\"{}", "#".repeat(hashes));
        let end = inner.find(&close).map_or(inner.len(), |end| end + close.len());
        return Some(prefix + hashes + 1 + end);
    }
    let inner = body.strip_prefix('"')?;
    Some(prefix + 1 + closing(inner, '"'))
}

/// A character (`'a'`, `'\n'`) or a lifetime (`'a`).
fn quote(rest: &str) -> usize {
    let inner = &rest[1..];
    let mut chars = inner.chars();
    let (first, second) = (chars.next(), chars.next());
    if first == Some('\\') || second == Some('\'') { 1 + closing(inner, '\'') } else { 1 + name(inner) }
}

/// Length up to and with the first `quote` that no backslash precedes.
fn closing(inner: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in inner.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    inner.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        tokens(text).iter().map(|t| t.text).collect()
    }

    #[test]
    fn comments_are_left_out() {
        assert_eq!(texts("a // crate::b\n/* c /* d */ e */ f /// g\n//! h"), ["a", "f"]);
        assert_eq!(texts("a /* not closed"), ["a"]);
    }

    #[test]
    fn strings_are_one_token() {
        assert_eq!(texts(r##"x(r#"a "b" // c"#, b"d\"e", "f")"##).len(), 8);
        assert_eq!(texts(r#"r"\" b"#), [r#"r"\""#, "b"]);
        assert_eq!(texts("break brr"), ["break", "brr"]);
    }

    #[test]
    fn characters_and_lifetimes() {
        assert_eq!(
            texts(r"'a' 'b '\'' '{' b'}' '\u{1f}' '_"),
            ["'a'", "'b", r"'\''", "'{'", "b", "'}'", r"'\u{1f}'", "'_"]
        );
    }

    #[test]
    fn numbers_names_and_signs() {
        assert_eq!(
            texts("0..3 1.5e-3 r#type a::b=>c"),
            ["0", ".", ".", "3", "1.5e", "-", "3", "type", "a", "::", "b", "=>", "c"]
        );
    }

    #[test]
    fn lines_are_counted() {
        let lines: Vec<usize> = tokens("a\n\"b\nc\" d\n/*\n*/ e").iter().map(|t| t.line).collect();
        assert_eq!(lines, [1, 2, 3, 5]);
    }
}
