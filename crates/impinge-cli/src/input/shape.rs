//! Shapes in words: `box:1,2,3`, `sphere:0.5`, and with a margin around them `box:1,2,3+0.1`.

use impinge::glam::DVec3;
use impinge::{BuildError, Round};

use crate::input::body_kind::BodyKind;
use crate::output::error::Failure;
use crate::output::suggest;
use crate::output::text::number;

/// A shape that can be said.
#[derive(Debug)]
pub(super) struct Word {
    pub(super) name: &'static str,
    /// Its numbers, in order.
    numbers: &'static str,
    pub(super) example: &'static str,
    /// What the numbers mean.
    meaning: &'static str,
    pub(super) kind: BodyKind,
}

const fn word(
    name: &'static str,
    numbers: &'static str,
    example: &'static str,
    meaning: &'static str,
    kind: BodyKind,
) -> Word {
    Word { name, numbers, example, meaning, kind }
}

pub(super) const WORDS: [Word; 11] = [
    word("sphere", "r", "sphere:0.5", "the radius", BodyKind::Polyhedron),
    word("box", "x,y,z", "box:1,2,3", "the three full sides", BodyKind::Polyhedron),
    word(
        "capsule",
        "r,h",
        "capsule:0.5,2",
        "the radius and the height between the centres of the caps",
        BodyKind::Polyhedron,
    ),
    word("cylinder", "r,h", "cylinder:0.5,2", "the radius and the height", BodyKind::Smooth),
    word("cone", "r,h", "cone:0.5,2", "the radius of the base and the height", BodyKind::Smooth),
    word("ellipsoid", "x,y,z", "ellipsoid:1,2,3", "the three radii", BodyKind::Smooth),
    word(
        "half-space",
        "nx,ny,nz,d",
        "half-space:0,0,1,0",
        "the normal n and the offset d of the points with n·x ≤ d",
        BodyKind::HalfSpace,
    ),
    word("point", "x,y,z", "point:0,0,0", "the point", BodyKind::Polyhedron),
    word("segment", "x,y,z,x,y,z", "segment:0,0,0,1,0,0", "the two ends", BodyKind::Polyhedron),
    word("triangle", "x,y,z,x,y,z,x,y,z", "triangle:0,0,0,1,0,0,0,1,0", "the three corners", BodyKind::Polyhedron),
    word(
        "polygon",
        "x,y,z,x,y,z,x,y,z,…",
        "polygon:0,0,0,1,0,0,1,1,0,0,1,0",
        "three or more corners",
        BodyKind::Polyhedron,
    ),
];

/// Other names that people give to them.
const SYNONYMS: [(&str, &str); 14] = [
    ("ball", "sphere"),
    ("cube", "box"),
    ("cuboid", "box"),
    ("brick", "box"),
    ("pill", "capsule"),
    ("tube", "cylinder"),
    ("rod", "cylinder"),
    ("plane", "half-space"),
    ("floor", "half-space"),
    ("ground", "half-space"),
    ("line", "segment"),
    ("edge", "segment"),
    ("vertex", "point"),
    ("face", "triangle"),
];

/// What is said about the words in the help.
pub(crate) const HELP: &str = "\
Shapes in words, centred at the origin with their axis along z unless they are given by points:
  sphere:r                    box:x,y,z (full sides)         ellipsoid:x,y,z (radii)
  capsule:r,h                 cylinder:r,h                   cone:r,h (apex up)
  half-space:nx,ny,nz,d       the points p with n\u{b7}p \u{2264} d
  point:x,y,z                 segment:x,y,z,x,y,z
  triangle:x,y,z,\u{2026} (9 numbers)  polygon:x,y,z,\u{2026} (9 numbers or more)
  +m at the end               a margin: all points within m of the shape, such as box:1,2,3+0.1";

/// A shape that was said.
#[derive(Debug, Clone)]
pub(crate) struct Shape {
    pub(crate) word: &'static str,
    pub(crate) kind: BodyKind,
    pub(crate) round: Round,
    pub(super) numbers: Vec<f64>,
    /// The margin asked for beside the numbers.
    pub(super) margin: f64,
}

/// The shape that `text` says; `None` when it does not start with the word of a shape.
pub(crate) fn parse(text: &str) -> Option<Result<Shape, Failure>> {
    let (name, rest) = text.split_once(':')?;
    let word = WORDS.iter().find(|word| word.name == name)?;
    Some(read(word, rest).map_err(|problem| refusal(text, word, problem)))
}

fn refusal(text: &str, word: &Word, problem: String) -> Failure {
    let help = format!(
        "write {}, such as {}; a margin goes after a plus, such as {}+0.1",
        word.meaning, word.example, word.example
    );
    Failure::Shape { word: text.to_owned(), problem, help }
}

/// What to say about a name that is neither a file nor a shape, but looks like one.
pub(crate) fn did_you_mean(text: &str) -> Option<String> {
    let (typed, has_colon) = text.split_once(':').map_or((text, false), |(typed, _)| (typed, true));
    let lower = typed.to_lowercase();
    let synonym = SYNONYMS.iter().find(|(other, _)| *other == lower).map(|(_, name)| *name);
    let near = || suggest::nearest(typed, WORDS.iter().map(|word| word.name)).first().copied();
    let name = match has_colon {
        true => synonym.or_else(near)?,
        // Without a colon a name is a file's, unless it is exactly a word.
        false => synonym.or_else(|| near().filter(|name| *name == lower))?,
    };
    let word = WORDS.iter().find(|word| word.name == name)?;
    Some(format!("did you mean the shape {name}:{}, such as {}?", word.numbers, word.example))
}

fn read(word: &'static Word, rest: &str) -> Result<Shape, String> {
    let (cells, margin) = split_margin(rest);
    let names: Vec<&str> = word.numbers.split(',').filter(|name| *name != "…").collect();
    let endless = word.name == "polygon";
    let mut numbers = Vec::with_capacity(names.len());
    for (i, cell) in cells.split(',').enumerate() {
        let name = if endless { ["x", "y", "z"][i % 3] } else { names.get(i).copied().unwrap_or("too many") };
        numbers.push(finite(cell).map_err(|problem| format!("number {} ({name}) {problem}", i + 1))?);
    }
    let count = numbers.len();
    let fits = if endless { count >= 9 && count.is_multiple_of(3) } else { count == names.len() };
    if !fits {
        let wanted = match (endless, names.len()) {
            (true, _) => "9, 12, 15 or more numbers".to_owned(),
            (_, 1) => format!("one number ({})", word.numbers),
            (_, n) => format!("{n} numbers ({})", word.numbers),
        };
        return Err(format!("{} has {wanted}, not {count}", with_article(word.name)));
    }
    let margin = match margin {
        Some(cell) => match finite(cell).map_err(|problem| format!("the margin {problem}"))? {
            margin if margin >= 0.0 => margin,
            margin => return Err(format!("the margin is {}, but has to be 0 or more", number(margin))),
        },
        None => 0.0,
    };
    let round = build(word.name, &numbers).and_then(|round| round.with_margin(margin)).map_err(in_words)?;
    Ok(Shape { word: word.name, kind: word.kind, round, numbers, margin })
}

/// `a box`, `an ellipsoid`.
pub(crate) fn with_article(word: &str) -> String {
    let article = if word.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
    format!("{article} {word}")
}

/// The margin stands after a plus that follows a number: not that of `1e+5`, nor a sign.
fn split_margin(rest: &str) -> (&str, Option<&str>) {
    let follows_number = |at: usize| rest[..at].trim_end().ends_with(|c: char| c.is_ascii_digit() || c == '.');
    match rest.match_indices('+').map(|(at, _)| at).find(|&at| follows_number(at)) {
        Some(at) => (&rest[..at], Some(&rest[at + 1..])),
        None => (rest, None),
    }
}

fn finite(cell: &str) -> Result<f64, String> {
    let text = cell.trim();
    match text.parse::<f64>() {
        Ok(x) if x.is_finite() => Ok(x),
        Ok(_) => Err(format!("is `{text}`, but has to be finite")),
        Err(_) if text.is_empty() => Err("is missing".to_owned()),
        Err(_) => Err(format!("is `{}`, which is not a number", text.chars().take(40).collect::<String>())),
    }
}

/// An error of the library, about a shape rather than about vertices of a file.
fn in_words(problem: BuildError) -> String {
    match problem {
        BuildError::NotPositive { what: "length of the normal", .. } => "the normal has no length".to_owned(),
        BuildError::NotPositive { what, value } => {
            format!("the {what} is {}, but has to be positive", number(value))
        }
        BuildError::TooLarge { vertex, .. } => format!("point {} lies beyond the supported scale", vertex + 1),
        other => other.to_string(),
    }
}

fn build(name: &str, n: &[f64]) -> Result<Round, BuildError> {
    let p: Vec<DVec3> = n.chunks_exact(3).map(DVec3::from_slice).collect();
    match (name, n, &p[..]) {
        ("sphere", &[r], _) => Round::sphere(r),
        ("box", _, &[sides]) => Round::cuboid(sides),
        ("capsule", &[r, h], _) => Round::capsule(r, h),
        ("cylinder", &[r, h], _) => Round::cylinder(r, h),
        ("cone", &[r, h], _) => Round::cone(r, h),
        ("ellipsoid", _, &[radii]) => Round::ellipsoid(radii),
        ("half-space", &[.., d], &[normal]) => Round::half_space(normal, d),
        ("point", _, &[p]) => Round::point(p),
        ("segment", _, &[p, q]) => Round::segment(p, q),
        ("triangle", _, &[p, q, r]) => Round::triangle(p, q, r),
        _ => Round::polygon(&p),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn good(text: &str) -> Shape {
        parse(text).unwrap().unwrap()
    }

    fn bad(text: &str) -> String {
        parse(text).unwrap().unwrap_err().to_string()
    }

    #[test]
    fn what_is_not_a_shape_is_left_to_the_files() {
        for text in ["a.stl", "c:/a.stl", "ball:1", "box", "Box:1,2,3"] {
            assert!(parse(text).is_none(), "{text}");
        }
    }

    #[test]
    fn typos_and_other_names_are_understood() {
        for (text, name) in [
            ("bxo:1,2,3", "box:x,y,z"),
            ("spere:1", "sphere:r"),
            ("Sphere:1", "sphere:r"),
            ("ball:1", "sphere:r"),
            ("halfspace:0,0,1,0", "half-space:nx,ny,nz,d"),
            ("plane:0,0,1,0", "half-space:nx,ny,nz,d"),
            ("sphere", "sphere:r"),
        ] {
            let help = did_you_mean(text).unwrap();
            assert!(help.starts_with(&format!("did you mean the shape {name}, such as ")), "{text}: {help}");
        }
        for text in ["a.stl", "spheres.stl", "boxy", "xyzzy:1", "boxes/a.stl"] {
            assert_eq!(did_you_mean(text), None, "{text}");
        }
    }

    #[test]
    fn every_example_is_a_shape_with_and_without_a_margin() {
        for word in &WORDS {
            let plain = good(word.example);
            assert_eq!((plain.round.kind(), plain.word, plain.margin), (word.name, word.name, 0.0));
            let wide = good(&format!("{}+0.25", word.example));
            assert_eq!(wide.round.margin(), plain.round.margin() + 0.25);
            if let (Some([low, high]), Some([lower, higher])) = (plain.bounds(), wide.bounds()) {
                assert_eq!([lower, higher], [low - 0.25, high + 0.25], "{}", word.name);
            }
            assert!(HELP.contains(&format!("{}:", word.name)), "{}", word.name);
        }
    }

    #[test]
    fn margins_are_told_from_signs_and_exponents() {
        for (text, margin) in [
            ("sphere:1", 0.0),
            ("sphere:+1", 0.0),
            ("sphere:1e+5", 0.0),
            ("sphere:1+0.5", 0.5),
            ("sphere:1e+5+5e-1", 0.5),
            ("sphere:1.+.5", 0.5),
            ("sphere: 1 + 0.5", 0.5),
            ("half-space:+0,+0,+1,+2", 0.0),
            ("half-space:+0,+0,+1,+2+0.5", 0.5),
            ("box:1,2,3+0", 0.0),
        ] {
            assert_eq!(good(text).margin, margin, "{text}");
        }
    }

    #[test]
    fn bad_numbers_are_named() {
        for (text, words) in [
            ("box:", "number 1 (x) is missing"),
            ("box:1,2", "a box has 3 numbers (x,y,z), not 2"),
            ("box:1,2,3,4", "a box has 3 numbers (x,y,z), not 4"),
            ("box:1,2,", "number 3 (z) is missing"),
            ("box:1,2,x", "number 3 (z) is `x`, which is not a number"),
            ("box:1,nan,3", "number 2 (y) is `nan`, but has to be finite"),
            ("box:1,2,inf", "number 3 (z) is `inf`, but has to be finite"),
            ("box:1,2,0", "the side is 0, but has to be positive"),
            ("box:1,2,-3", "the side is -3, but has to be positive"),
            ("box:1,1,1e300", "the side is 1e300, beyond the supported"),
            ("sphere:1,2", "a sphere has one number (r), not 2"),
            ("sphere:-1", "the radius is -1, but has to be positive"),
            ("capsule:1,0", "the height is 0, but has to be positive"),
            ("cone:1", "a cone has 2 numbers (r,h), not 1"),
            ("half-space:0,0,0,1", "the normal has no length"),
            ("polygon:1,2,3", "9, 12, 15 or more numbers, not 3"),
            ("polygon:1,2,3,4,5,6,7,8,9,10", "9, 12, 15 or more numbers, not 10"),
            ("point:1e300,0,0", "point 1 lies beyond the supported scale"),
            ("sphere:1+", "the margin is missing"),
            ("sphere:1+x", "the margin is `x`, which is not a number"),
            ("sphere:1+nan", "the margin is `nan`, but has to be finite"),
            ("sphere:1+-1", "the margin is -1, but has to be 0 or more"),
            ("sphere:1+1+1", "the margin is `1+1`, which is not a number"),
        ] {
            let error = bad(text);
            assert!(error.starts_with(&format!("{text}: ")) && error.contains(words), "{text}: {error}");
        }
    }
}
