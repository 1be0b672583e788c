//! Numbers, points and features as words for a reader.

use impinge::glam::DVec3;
use impinge::{Containment, Element, Feature, Interval, Witness};

use crate::input::body::{Body, Kind};
use crate::input::units::Units;

/// Shortest form that reads back to the same number; `3` rather than `3.0`.
pub(crate) fn number(x: f64) -> String {
    let text = format!("{x:?}");
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

/// The shortest number near the middle of the interval that lies in it.
pub(crate) fn shortest(interval: &Interval) -> f64 {
    let mid = interval.mid();
    (0..17).filter_map(|digits| format!("{mid:.digits$e}").parse().ok()).find(|x| interval.contains(*x)).unwrap_or(mid)
}

/// Both ends of an interval.
pub(crate) fn between(interval: &Interval) -> String {
    format!("between {} and {}", number(interval.lower), number(interval.upper))
}

pub(crate) fn point(p: DVec3) -> String {
    format!("({}, {}, {})", number(p.x), number(p.y), number(p.z))
}

/// Two lines: where on `a`, where on `b`.
pub(crate) fn witness(witness: &Witness) -> Vec<String> {
    let line =
        |i: usize, body: char| format!("  on {body}: {}, {}", point(witness.points[i]), feature(&witness.features[i]));
    vec![line(0, 'a'), line(1, 'b')]
}

fn feature(feature: &Feature) -> String {
    match *feature {
        Feature::Vertex { triangle, vertex } => format!("vertex {vertex} of triangle {triangle}"),
        Feature::Edge { triangle, vertices: [u, v] } => format!("edge {u}-{v} of triangle {triangle}"),
        Feature::Face { triangle } => format!("face of triangle {triangle}"),
        Feature::Convex { piece, element } => {
            let of = if piece == 0 { String::new() } else { format!(" of piece {piece}") };
            match element {
                Element::Vertex(vertex) => format!("vertex {vertex}{of}"),
                Element::Edge([u, v]) => format!("edge {u}-{v}{of}"),
                Element::Face(face) => format!("face {face}{of}"),
                Element::Surface => format!("surface{of}"),
                Element::Inside => format!("inside{of}"),
            }
        }
    }
}

/// What is known of a question apart from its answer: the unit, what the bodies are, whether each is in one piece.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Context {
    pub(crate) units: Option<Units>,
    pub(crate) kinds: [Kind; 2],
    pub(crate) one_piece: [bool; 2],
}

impl Context {
    pub(crate) fn new(units: Option<Units>, bodies: [&Body; 2]) -> Context {
        Context { units, kinds: bodies.map(|body| body.kind), one_piece: bodies.map(Body::is_one_piece) }
    }

    /// What an index in a pair counts, for `a` and for `b`; `None` for a body that has but one.
    pub(crate) fn primitives(&self) -> [Option<&'static str>; 2] {
        self.kinds.map(|kind| match kind {
            Kind::Mesh => Some("triangle"),
            Kind::Parts => Some("part"),
            Kind::Polyhedron | Kind::Smooth | Kind::HalfSpace => None,
        })
    }

    /// A pair by its indices: `triangle 3 of a and b`.
    pub(crate) fn pair(&self, pair: [u32; 2]) -> [String; 2] {
        let [p, q] = self.primitives();
        [(p, pair[0], 'a'), (q, pair[1], 'b')].map(|(what, index, body)| match what {
            Some(what) => format!("{what} {index} of {body}"),
            None => body.to_string(),
        })
    }

    /// A number with the unit it is in, where one was stated.
    pub(crate) fn length(&self, x: f64) -> String {
        match self.units {
            Some(units) => format!("{} {}", number(x), units.name()),
            None => number(x),
        }
    }

    pub(crate) fn contained(&self, which: Containment) -> String {
        let (inner, outer, one_piece) = match which {
            Containment::AInB => ('a', 'b', self.one_piece[0]),
            Containment::BInA => ('b', 'a', self.one_piece[1]),
            Containment::Mutual => {
                return "each has surface of the other inside, and neither lies in the other".to_owned();
            }
        };
        let piece = if one_piece { "" } else { "a component of " };
        format!("{piece}{inner} lies inside {outer}")
    }
}

/// Why a list of contacts is not complete.
pub(crate) fn stopped(limit: Option<u32>) -> &'static str {
    if limit.is_some() { "stopped by --limit" } else { "stopped at the most that are listed" }
}

pub(crate) fn plural(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_read_back() {
        assert_eq!(
            [3.0, 0.1, 1e-300, 1e300, -0.0, f64::INFINITY].map(number),
            ["3", "0.1", "1e-300", "1e300", "-0", "inf"]
        );
    }

    #[test]
    fn intervals_are_shown_by_their_shortest_number() {
        for (lower, upper, x) in [
            (0.24999999999998923, 0.2500000000000085, 0.25),
            (0.0, 0.0, 0.0),
            (0.0, 1e-15, 5e-16),
            (1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0),
            (1e300, 1.0000001e300, 1e300),
            (f64::INFINITY, f64::INFINITY, f64::INFINITY),
            (0.0, f64::INFINITY, f64::INFINITY),
        ] {
            assert_eq!(shortest(&Interval { lower, upper }), x, "{lower} {upper}");
        }
    }

    #[test]
    fn words_follow_the_bodies() {
        let context =
            Context { units: Some(Units::Mm), kinds: [Kind::Polyhedron, Kind::Mesh], one_piece: [true, false] };
        assert_eq!(context.length(2.5), "2.5 mm");
        assert_eq!(context.pair([0, 7]), ["a", "triangle 7 of b"]);
        assert_eq!(context.contained(Containment::AInB), "a lies inside b");
        assert_eq!(context.contained(Containment::BInA), "a component of b lies inside a");
    }
}
