//! Numbers, points and features as words for a reader.

use impinge::glam::DVec3;
use impinge::{Containment, Element, Feature, Witness};

use crate::units::Units;

/// Shortest form that reads back to the same number; `3` rather than `3.0`.
pub(crate) fn number(x: f64) -> String {
    let text = format!("{x:?}");
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
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

/// What is known of a question apart from its answer: the unit, and whether each body is in one piece.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wording {
    pub(crate) units: Option<Units>,
    pub(crate) one_piece: [bool; 2],
}

impl Wording {
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
        };
        let piece = if one_piece { "" } else { "a component of " };
        format!("{piece}{inner} lies inside {outer}")
    }
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
    fn wording_follows_the_bodies() {
        let wording = Wording { units: Some(Units::Mm), one_piece: [true, false] };
        assert_eq!(wording.length(2.5), "2.5 mm");
        assert_eq!(wording.contained(Containment::AInB), "a lies inside b");
        assert_eq!(wording.contained(Containment::BInA), "a component of b lies inside a");
    }
}
