//! Tokens, lines and numbers of the text formats, over byte slices.

use crate::error::{FINITE, Fault, MALFORMED};

/// Walks over tokens separated by white space and knows the line it is on.
///
/// A line ends with `\n`, `\r\n` or a lone `\r`.
#[derive(Debug, Clone)]
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    line: u64,
    comments: bool,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Cursor<'a> {
        Cursor { bytes, at: 0, line: 1, comments: false }
    }

    /// Starts at offset `at`, which lies on line `line`.
    pub(crate) fn starting(bytes: &'a [u8], at: usize, line: u64) -> Cursor<'a> {
        Cursor { bytes, at, line, comments: false }
    }

    /// From `#` to the end of the line counts as white space.
    pub(crate) fn with_comments(mut self) -> Cursor<'a> {
        self.comments = true;
        self
    }

    /// Line of the token returned last.
    pub(crate) fn line(&self) -> u64 {
        self.line
    }

    /// Number of bytes not yet walked over.
    pub(crate) fn remaining(&self) -> usize {
        self.bytes.len() - self.at
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_blank(&mut self) {
        while let Some(byte) = self.peek() {
            match byte {
                b'\n' => self.line += 1,
                b'\r' => self.line += u64::from(self.bytes.get(self.at + 1) != Some(&b'\n')),
                b' ' | b'\t' | 0x0b | 0x0c => {}
                b'#' if self.comments => {
                    self.skip_line();
                    continue;
                }
                _ => return,
            }
            self.at += 1;
        }
    }

    /// The next token, or `None` at the end of the file.
    pub(crate) fn token(&mut self) -> Option<&'a [u8]> {
        self.skip_blank();
        let rest = &self.bytes[self.at..];
        let len = rest.iter().position(|b| matches!(b, b' ' | 0x09..=0x0d)).unwrap_or(rest.len());
        self.at += len;
        (len > 0).then(|| &rest[..len])
    }

    /// What is left of the current line, without the end of the line.
    pub(crate) fn rest_of_line(&mut self) -> &'a [u8] {
        let start = self.at;
        self.skip_line();
        &self.bytes[start..self.at]
    }

    fn skip_line(&mut self) {
        let rest = &self.bytes[self.at..];
        self.at += rest.iter().position(|b| matches!(b, b'\n' | b'\r')).unwrap_or(rest.len());
    }
}

/// Walks over the lines of an OBJ file, counted from 1.
///
/// A line that ends with a backslash continues on the next if it holds numbers. After comments and names a backslash
/// is the end of a Windows path, and the next line must not be lost.
#[derive(Debug, Clone)]
pub(crate) struct Lines<'a> {
    rest: &'a [u8],
    next: u64,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Lines<'a> {
        Lines { rest: bytes, next: 1 }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = (u64, &'a [u8]);

    fn next(&mut self) -> Option<(u64, &'a [u8])> {
        if self.rest.is_empty() {
            return None;
        }
        let number = self.next;
        let (whole, mut end) = (self.rest, 0);
        loop {
            end += whole[end..].iter().position(|b| matches!(b, b'\n' | b'\r')).unwrap_or(whole.len() - end);
            let after = (end + line_end(&whole[end..])).min(whole.len());
            self.next += 1;
            self.rest = &whole[after..];
            let ends_open = end > 0 && whole[end - 1] == b'\\' && after < whole.len();
            if !(ends_open && holds_numbers(whole)) {
                return Some((number, &whole[..end]));
            }
            end = after;
        }
    }
}

fn holds_numbers(line: &[u8]) -> bool {
    matches!(line.trim_ascii_start(), [b'v' | b'f' | b'l' | b'p', ..])
}

/// Length of the line end at the start of `bytes`; 0 if there is none.
fn line_end(bytes: &[u8]) -> usize {
    match bytes {
        [b'\r', b'\n', ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        _ => 0,
    }
}

/// The tokens of one line; a backslash before a line end is white space.
pub(crate) fn tokens(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = line;
    std::iter::from_fn(move || {
        while !rest.is_empty() {
            let end = rest.iter().position(|b| matches!(b, b' ' | 0x09..=0x0d)).unwrap_or(rest.len());
            let (token, after) = rest.split_at(end);
            rest = after.get(1..).unwrap_or_default();
            let token = match (token, after) {
                ([token @ .., b'\\'], [b'\n' | b'\r', ..]) => token,
                _ => token,
            };
            if !token.is_empty() {
                return Some(token);
            }
        }
        None
    })
}

/// A finite coordinate.
pub(crate) fn coordinate(token: &[u8], line: u64) -> Result<f64, Fault> {
    let value: Option<f64> = std::str::from_utf8(token).ok().and_then(|text| text.parse().ok());
    match value {
        Some(value) if value.is_finite() => Ok(value),
        Some(_) => Err(Fault::at_line(line, format!("{} is not a finite number", quote(token)), FINITE)),
        None => Err(Fault::at_line(line, format!("{} is not a number", quote(token)), MALFORMED)),
    }
}

/// A signed whole number; `None` if `token` is not one or does not fit.
pub(crate) fn integer(token: &[u8]) -> Option<i64> {
    let (negative, digits) = match token {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    if digits.is_empty() || digits.len() > 18 || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let value = digits.iter().fold(0, |value: i64, d| value * 10 + i64::from(d - b'0'));
    Some(if negative { -value } else { value })
}

/// A token as it is quoted in messages: short, and without control characters.
pub(crate) fn quote(token: &[u8]) -> String {
    const SHOWN: usize = 40;
    let text = String::from_utf8_lossy(&token[..token.len().min(4 * SHOWN)]);
    let shown: String = text.chars().take(SHOWN).flat_map(char::escape_debug).collect();
    let more = if text.chars().count() > SHOWN { "…" } else { "" };
    format!("\"{shown}{more}\"")
}

/// A name from a file, as text; of a name that long only the beginning.
pub(crate) fn name(bytes: &[u8]) -> String {
    const LONGEST: usize = 4096;
    let bytes = bytes.trim_ascii();
    String::from_utf8_lossy(&bytes[..bytes.len().min(LONGEST)]).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_for_every_line_end() {
        let found: Vec<_> = Lines::new(b"a\nb\r\nc\rd\n\ne").collect();
        assert_eq!(found, [(1, &b"a"[..]), (2, b"b"), (3, b"c"), (4, b"d"), (5, b""), (6, b"e")]);
        let mut cursor = Cursor::new(b"a\nb\r\nc\rd\n\ne");
        let mut at = Vec::new();
        while let Some(token) = cursor.token() {
            at.push((cursor.line(), token));
        }
        assert_eq!(at, [(1, &b"a"[..]), (2, b"b"), (3, b"c"), (4, b"d"), (6, b"e")]);
    }

    #[test]
    fn a_backslash_continues_a_line() {
        let found: Vec<_> = Lines::new(b"f 1 \\\n2 3\nv").map(|(n, l)| (n, tokens(l).collect::<Vec<_>>())).collect();
        assert_eq!(found, [(1, vec![&b"f"[..], b"1", b"2", b"3"]), (3, vec![b"v"])]);
        assert_eq!(tokens(b"1\\\r\n\\\n2\\").collect::<Vec<_>>(), [&b"1"[..], b"2\\"]);
        assert_eq!(Lines::new(b"v\\").count(), 1);
        assert_eq!(Lines::new(b"v\\\n").count(), 1);
        assert_eq!(Lines::new(b"# C:\\\nv 0 0 0").count(), 2);
    }

    #[test]
    fn integers() {
        assert_eq!(integer(b"-12"), Some(-12));
        assert_eq!(integer(b"+7"), Some(7));
        for bad in [&b""[..], b"-", b"1.0", b"9999999999999999999", b"0x1"] {
            assert_eq!(integer(bad), None);
        }
    }

    #[test]
    fn quotes_are_short_and_printable() {
        assert_eq!(quote(b"a\x1b[2J"), "\"a\\u{1b}[2J\"");
        assert!(quote(&[b'x'; 1000]).chars().count() < 50);
        assert!(quote(&[0xff; 1000]).chars().count() < 50);
    }
}
