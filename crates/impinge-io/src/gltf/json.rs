//! JSON read in place: a value is an offset into the text, and nothing is copied until it is needed.
//!
//! The text is checked once as a whole; after that, walking over members and elements cannot fail. No tree is built, so
//! the memory needed does not depend on the content of the text, and every error can name its place.

use crate::error::{Fault, MALFORMED, Place};
use std::borrow::Cow;

const DEEPEST: usize = 64;

/// A JSON text that has passed the check.
#[derive(Debug, Clone, Copy)]
pub(super) struct Json<'a> {
    text: &'a [u8],
    /// Offset of the text in a GLB file; errors then name bytes, otherwise lines.
    offset: Option<usize>,
}

/// A value in the text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Value<'a> {
    json: Json<'a>,
    at: usize,
}

impl<'a> Json<'a> {
    pub(super) fn check(text: &'a [u8], offset: Option<usize>) -> Result<Value<'a>, Fault> {
        let json = Json { text, offset };
        let start = blank(text, 0);
        let end = check_value(text, start, 0).map_err(|at| json.damaged(at))?;
        match blank(text, end) {
            end if end == text.len() => Ok(Value { json, at: start }),
            end => Err(json.damaged(end)),
        }
    }

    /// The value at an offset that [`Value::at`] gave.
    pub(super) fn value(self, at: usize) -> Value<'a> {
        Value { json: self, at }
    }

    fn place(self, at: usize) -> Place {
        match self.offset {
            Some(offset) => Place::Byte((offset + at) as u64),
            None => Place::Line(1 + self.text.iter().take(at).filter(|b| **b == b'\n').count() as u64),
        }
    }

    fn damaged(self, at: usize) -> Fault {
        let message = match self.text.get(at) {
            None => "the JSON text ends too early",
            Some(byte) if at == blank(self.text, 0) && *byte != b'{' => "this begins neither as GLB does nor as JSON",
            Some(_) => "this is not valid JSON",
        };
        Fault::new(message, "the file is cut off or damaged: copy or export it again").at(self.place(at))
    }
}

impl<'a> Value<'a> {
    pub(super) fn json(self) -> Json<'a> {
        self.json
    }

    /// The offset of the value in its text.
    pub(super) fn at(self) -> usize {
        self.at
    }

    pub(super) fn place(self) -> Place {
        self.json.place(self.at)
    }

    pub(super) fn fault(self, message: impl Into<String>, help: impl Into<Cow<'static, str>>) -> Fault {
        Fault::new(message, help).at(self.place())
    }

    fn wrong(self, wanted: &str) -> Fault {
        let end = skip(self.json.text, self.at);
        self.fault(format!("{} is not {wanted}", crate::text::quote(&self.json.text[self.at..end])), MALFORMED)
    }

    /// Key and value of each member of an object. Keys are compared as written.
    pub(super) fn members(self) -> Result<impl Iterator<Item = (&'a [u8], Value<'a>)> + use<'a>, Fault> {
        let Value { json, at } = self;
        let mut at = self.open(b'{', "an object").map(|_| blank(json.text, at + 1))?;
        Ok(std::iter::from_fn(move || {
            let text = json.text;
            (text.get(at) == Some(&b'"')).then(|| {
                let end = skip(text, at);
                let key = &text[at + 1..end - 1];
                let value = blank(text, blank(text, end) + 1);
                at = after_comma(text, skip(text, value));
                (key, Value { json, at: value })
            })
        }))
    }

    /// The elements of an array.
    pub(super) fn elements(self) -> Result<impl Iterator<Item = Value<'a>> + use<'a>, Fault> {
        let Value { json, at } = self;
        let mut at = self.open(b'[', "an array").map(|_| blank(json.text, at + 1))?;
        Ok(std::iter::from_fn(move || {
            (json.text.get(at).is_some_and(|b| *b != b']')).then(|| {
                let value = Value { json, at };
                at = after_comma(json.text, skip(json.text, at));
                value
            })
        }))
    }

    fn open(self, byte: u8, wanted: &str) -> Result<(), Fault> {
        if self.json.text.get(self.at) == Some(&byte) { Ok(()) } else { Err(self.wrong(wanted)) }
    }

    /// The member of an object with this key, if there is one.
    pub(super) fn get(self, key: &str) -> Result<Option<Value<'a>>, Fault> {
        Ok(self.members()?.find(|(name, _)| *name == key.as_bytes()).map(|(_, value)| value))
    }

    fn scalar(self) -> &'a [u8] {
        &self.json.text[self.at..skip(self.json.text, self.at)]
    }

    /// A whole number, also when it is written as `4.0`.
    pub(super) fn whole(self) -> Result<u64, Fault> {
        const EXACT: f64 = (1_u64 << f64::MANTISSA_DIGITS) as f64;
        let whole = crate::text::integer(self.scalar()).and_then(|n| u64::try_from(n).ok());
        let rounded = || self.number().ok().filter(|n| n.fract() == 0.0 && (0.0..EXACT).contains(n));
        whole.or_else(|| rounded().map(|n| n as u64)).ok_or_else(|| self.wrong("a whole number"))
    }

    pub(super) fn index(self) -> Result<u32, Fault> {
        u32::try_from(self.whole()?).map_err(|_| self.wrong("an index"))
    }

    pub(super) fn number(self) -> Result<f64, Fault> {
        let value = std::str::from_utf8(self.scalar()).ok().and_then(|text| text.parse().ok());
        value.filter(|value: &f64| value.is_finite()).ok_or_else(|| self.wrong("a finite number"))
    }

    /// An array of exactly `N` numbers.
    pub(super) fn numbers<const N: usize>(self) -> Result<[f64; N], Fault> {
        let mut numbers = [0.0; N];
        let mut elements = self.elements()?;
        for number in &mut numbers {
            *number = elements.next().ok_or_else(|| self.wrong("a longer array of numbers"))?.number()?;
        }
        match elements.next() {
            None => Ok(numbers),
            Some(_) => Err(self.wrong("a shorter array of numbers")),
        }
    }

    pub(super) fn is_true(self) -> bool {
        self.scalar() == b"true"
    }

    /// The length of the value as written: a string without its escapes is no longer than that.
    pub(super) fn len(self) -> usize {
        self.scalar().len()
    }

    /// A string, with its escapes resolved.
    pub(super) fn string(self) -> Result<Cow<'a, str>, Fault> {
        self.open(b'"', "a string")?;
        let quoted = self.scalar();
        let inner = std::str::from_utf8(&quoted[1..quoted.len() - 1]).map_err(|_| self.wrong("UTF-8 text"))?;
        if !inner.contains('\\') {
            return Ok(Cow::Borrowed(inner));
        }
        unescape(inner).map(Cow::Owned).ok_or_else(|| self.wrong("a valid string"))
    }
}

fn blank(text: &[u8], mut at: usize) -> usize {
    while matches!(text.get(at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
        at += 1;
    }
    at
}

fn after_comma(text: &[u8], at: usize) -> usize {
    match blank(text, at) {
        at if text.get(at) == Some(&b',') => blank(text, at + 1),
        at => at,
    }
}

/// End of the value at `at`, in a text that has passed the check.
fn skip(text: &[u8], mut at: usize) -> usize {
    let mut depth = 0_usize;
    loop {
        match text.get(at) {
            None => return text.len(),
            Some(b'"') => at = string_end(text, at).unwrap_or(text.len()),
            Some(b'{' | b'[') => {
                depth += 1;
                at += 1;
            }
            Some(b'}' | b']') => {
                depth = depth.saturating_sub(1);
                at += 1;
            }
            Some(b',' | b':' | b' ' | b'\t' | b'\n' | b'\r') => at += 1,
            Some(_) => at = scalar_end(text, at),
        }
        if depth == 0 {
            return at;
        }
    }
}

fn scalar_end(text: &[u8], at: usize) -> usize {
    let len = text[at..].iter().position(|b| !matches!(b, b'0'..=b'9' | b'a'..=b'z' | b'+' | b'-' | b'.' | b'E'));
    len.map_or(text.len(), |len| at + len.max(1))
}

/// End of the string that opens at `at`; `None` if it does not close or has a control character in it.
fn string_end(text: &[u8], at: usize) -> Option<usize> {
    let mut at = at + 1;
    loop {
        match *text.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += 2,
            0..=0x1f => return None,
            _ => at += 1,
        }
    }
}

/// End of the value at `at`, or where it is damaged.
fn check_value(text: &[u8], at: usize, depth: usize) -> Result<usize, usize> {
    match text.get(at) {
        Some(b'"') => string_end(text, at).ok_or(text.len()),
        Some(b'{') if depth < DEEPEST => check_items(text, at, depth, b'}'),
        Some(b'[') if depth < DEEPEST => check_items(text, at, depth, b']'),
        Some(b'-' | b'0'..=b'9' | b't' | b'f' | b'n') => check_scalar(text, at),
        _ => Err(at),
    }
}

fn check_scalar(text: &[u8], at: usize) -> Result<usize, usize> {
    let end = scalar_end(text, at);
    let word = &text[at..end];
    let number = || {
        word.last().is_some_and(u8::is_ascii_digit) && std::str::from_utf8(word).is_ok_and(|w| w.parse::<f64>().is_ok())
    };
    if matches!(word, b"true" | b"false" | b"null") || number() { Ok(end) } else { Err(at) }
}

fn check_items(text: &[u8], at: usize, depth: usize, close: u8) -> Result<usize, usize> {
    let mut at = blank(text, at + 1);
    if text.get(at) == Some(&close) {
        return Ok(at + 1);
    }
    loop {
        if close == b'}' {
            if text.get(at) != Some(&b'"') {
                return Err(at);
            }
            let colon = blank(text, string_end(text, at).ok_or(text.len())?);
            if text.get(colon) != Some(&b':') {
                return Err(colon);
            }
            at = blank(text, colon + 1);
        }
        at = blank(text, check_value(text, at, depth + 1)?);
        match text.get(at) {
            Some(b',') => at = blank(text, at + 1),
            Some(b) if *b == close => return Ok(at + 1),
            _ => return Err(at),
        }
    }
}

fn unescape(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let escape = rest.as_bytes().get(at + 1)?;
        rest = rest.get(at + 2..)?;
        out.push(match escape {
            b'"' | b'\\' | b'/' => char::from(*escape),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let high = hex(rest)?;
                rest = &rest[4..];
                match rest.strip_prefix("\\u").and_then(hex) {
                    Some(low @ 0xdc00..=0xdfff) if (0xd800..0xdc00).contains(&high) => {
                        rest = &rest[6..];
                        char::from_u32(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00))?
                    }
                    _ => char::from_u32(high).unwrap_or(char::REPLACEMENT_CHARACTER),
                }
            }
            _ => return None,
        });
    }
    out.push_str(rest);
    Some(out)
}

fn hex(text: &str) -> Option<u32> {
    let digits = text.get(..4).filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()))?;
    u32::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> Result<Value<'_>, Fault> {
        Json::check(text.as_bytes(), None)
    }

    #[test]
    fn values_are_found() {
        let value = check(r#" {"a" : [1, 2.5e1 ,{"x":[]}], "b\"": "q\u00e9\ud83d\ude00\/", "c":true } "#).unwrap();
        let keys: Vec<_> = value.members().unwrap().map(|(key, _)| key).collect();
        assert_eq!(keys, [&b"a"[..], b"b\\\"", b"c"]);
        let a: Vec<_> = value.get("a").unwrap().unwrap().elements().unwrap().collect();
        assert_eq!((a.len(), a[0].whole().unwrap(), a[1].number().unwrap()), (3, 1, 25.0));
        assert_eq!(a[1].whole().unwrap(), 25);
        assert!(a[2].whole().is_err() && a[0].elements().is_err());
        assert_eq!(value.members().unwrap().nth(1).unwrap().1.string().unwrap(), "qé😀/");
        assert!(value.get("c").unwrap().unwrap().is_true());
    }

    #[test]
    fn damage_is_found() {
        for bad in [
            "", "{", "[1,]", "{\"a\"}", "{\"a\":}", "[1 2]", "nul", "1e", "-", "\"a", "[1]]", "{,}", "\"\\", "[\"\n\"]",
        ] {
            assert!(check(bad).is_err(), "{bad}");
        }
        assert!(check(&"[".repeat(100_000)).is_err());
    }

    #[test]
    fn empty_containers_are_empty() {
        assert_eq!(check("[ ]").unwrap().elements().unwrap().count(), 0);
        assert_eq!(check("{ }").unwrap().members().unwrap().count(), 0);
    }
}
