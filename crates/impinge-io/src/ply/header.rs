//! The header of a PLY file.

use crate::error::{CUT_OFF, Fault, MALFORMED};
use crate::text::{integer, quote, tokens};

/// More elements and properties than this together are refused; real files have a few dozen.
const MOST: usize = 4096;

pub(super) struct Header<'a> {
    pub(super) encoding: Encoding,
    pub(super) elements: Vec<Element<'a>>,
    /// Offset of the first byte after the header, and its line.
    pub(super) body: usize,
    pub(super) line: u64,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Encoding {
    Ascii,
    LittleEndian,
    BigEndian,
}

pub(super) struct Element<'a> {
    pub(super) name: &'a [u8],
    pub(super) count: u64,
    pub(super) properties: Vec<Property<'a>>,
}

pub(super) struct Property<'a> {
    pub(super) name: &'a [u8],
    pub(super) kind: Kind,
}

#[derive(Clone, Copy)]
pub(super) enum Kind {
    Scalar(Scalar),
    List { count: Scalar, item: Scalar },
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Header<'_> {
    pub(super) fn element(&self, name: &[u8]) -> Option<&Element<'_>> {
        self.elements.iter().find(|element| element.name == name)
    }
}

impl Property<'_> {
    pub(super) fn is_scalar(&self) -> bool {
        matches!(self.kind, Kind::Scalar(_))
    }

    /// The scalar that every item has: for a list, its length.
    pub(super) fn least_scalar(&self) -> Scalar {
        match self.kind {
            Kind::Scalar(scalar) => scalar,
            Kind::List { count, .. } => count,
        }
    }
}

impl Scalar {
    fn parse(word: &[u8]) -> Option<Scalar> {
        Some(match word {
            b"char" | b"int8" => Scalar::I8,
            b"uchar" | b"uint8" => Scalar::U8,
            b"short" | b"int16" => Scalar::I16,
            b"ushort" | b"uint16" => Scalar::U16,
            b"int" | b"int32" => Scalar::I32,
            b"uint" | b"uint32" => Scalar::U32,
            b"float" | b"float32" => Scalar::F32,
            b"double" | b"float64" => Scalar::F64,
            _ => return None,
        })
    }

    pub(super) fn size(self) -> usize {
        match self {
            Scalar::I8 | Scalar::U8 => 1,
            Scalar::I16 | Scalar::U16 => 2,
            Scalar::I32 | Scalar::U32 | Scalar::F32 => 4,
            Scalar::F64 => 8,
        }
    }

    fn is_whole(self) -> bool {
        !matches!(self, Scalar::F32 | Scalar::F64)
    }
}

pub(super) fn read(bytes: &[u8]) -> Result<Header<'_>, Fault> {
    let mut lines = HeaderLines { bytes, at: 0, line: 0 };
    let magic = lines.next()?;
    if magic.trim_ascii() != b"ply" {
        return Err(Fault::at_line(1, format!("{} stands where \"ply\" is expected", quote(magic)), MALFORMED));
    }
    let mut encoding = None;
    let mut elements: Vec<Element<'_>> = Vec::new();
    let mut records = 0;
    loop {
        let line = lines.next()?;
        let words = first_words(line);
        let fault = |message: String| Fault::at_line(lines.line, message, MALFORMED);
        match words {
            [b"" | b"comment" | b"obj_info", ..] => continue,
            [b"format", name, b"1.0", b"", ..] => {
                encoding = Some(parse_encoding(name).ok_or_else(|| unknown(line, &fault))?);
            }
            [b"element", name, count, b"", ..] if !name.is_empty() => {
                let count = integer(count).and_then(|n| u64::try_from(n).ok()).ok_or_else(|| unknown(line, &fault))?;
                elements.push(Element { name, count, properties: Vec::new() });
            }
            [b"property", ..] => {
                let property = parse_property(words).ok_or_else(|| unknown(line, &fault))?;
                let element =
                    elements.last_mut().ok_or_else(|| fault("a property stands before any element".into()))?;
                element.properties.push(property);
            }
            [b"end_header", b"", ..] => break,
            _ => return Err(unknown(line, &fault)),
        }
        records += 1;
        if records > MOST {
            return Err(fault(format!("more than {MOST} elements and properties")));
        }
    }
    let encoding =
        encoding.ok_or_else(|| Fault::at_line(lines.line, "the header has no \"format\" line", MALFORMED))?;
    Ok(Header { encoding, elements, body: lines.at, line: lines.line + 1 })
}

fn unknown(line: &[u8], fault: &dyn Fn(String) -> Fault) -> Fault {
    fault(format!("{} is not a valid header line", quote(line)))
}

/// The first six words of a line; missing ones are empty.
fn first_words(line: &[u8]) -> [&[u8]; 6] {
    let mut words = tokens(line);
    std::array::from_fn(|_| words.next().unwrap_or_default())
}

fn parse_encoding(name: &[u8]) -> Option<Encoding> {
    match name {
        b"ascii" => Some(Encoding::Ascii),
        b"binary_little_endian" => Some(Encoding::LittleEndian),
        b"binary_big_endian" => Some(Encoding::BigEndian),
        _ => None,
    }
}

fn parse_property(words: [&[u8]; 6]) -> Option<Property<'_>> {
    match words {
        [_, b"list", count, item, name, b""] if !name.is_empty() => {
            let count = Scalar::parse(count).filter(|scalar| scalar.is_whole())?;
            Some(Property { name, kind: Kind::List { count, item: Scalar::parse(item)? } })
        }
        [_, scalar, name, b"", ..] if !name.is_empty() => {
            Some(Property { name, kind: Kind::Scalar(Scalar::parse(scalar)?) })
        }
        _ => None,
    }
}

/// The header's lines. A lone `\r` ends a line only if the first line ends so: in a binary file the line after
/// `end_header\n` may start with any byte.
struct HeaderLines<'a> {
    bytes: &'a [u8],
    at: usize,
    line: u64,
}

impl<'a> HeaderLines<'a> {
    fn next(&mut self) -> Result<&'a [u8], Fault> {
        let carriage_return = matches!(self.bytes, [b'p', b'l', b'y', b'\r', next, ..] if *next != b'\n');
        let end = if carriage_return { b'\r' } else { b'\n' };
        let rest = &self.bytes[self.at..];
        self.line += 1;
        let Some(len) = rest.iter().position(|b| *b == end) else {
            return Err(Fault::at_line(self.line, "the file ends within its header", CUT_OFF));
        };
        self.at += len + 1;
        Ok(&rest[..len])
    }
}
