//! What the wording of an answer depends on besides the answer: the unit, and what the bodies are.

use impinge::Containment;

use crate::input::body::Body;
use crate::input::body_kind::BodyKind;
use crate::input::units::Units;
use crate::output::text::number;

/// What is known of a question apart from its answer: the unit, what the bodies are, whether each is in one piece.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Context {
    pub(crate) units: Option<Units>,
    pub(crate) kinds: [BodyKind; 2],
    pub(crate) one_piece: [bool; 2],
}

impl Context {
    pub(crate) fn new(units: Option<Units>, bodies: [&Body; 2]) -> Context {
        Context { units, kinds: bodies.map(|body| body.kind), one_piece: bodies.map(Body::is_one_piece) }
    }

    /// What an index in a pair counts, for `a` and for `b`; `None` for a body that has but one.
    pub(crate) fn primitives(&self) -> [Option<&'static str>; 2] {
        self.kinds.map(|kind| match kind {
            BodyKind::Mesh => Some("triangle"),
            BodyKind::Parts => Some("part"),
            BodyKind::Polyhedron | BodyKind::Smooth | BodyKind::HalfSpace => None,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_follow_the_bodies() {
        let context =
            Context { units: Some(Units::Mm), kinds: [BodyKind::Polyhedron, BodyKind::Mesh], one_piece: [true, false] };
        assert_eq!(context.length(2.5), "2.5 mm");
        assert_eq!(context.pair([0, 7]), ["a", "triangle 7 of b"]);
        assert_eq!(context.contained(Containment::AInB), "a lies inside b");
        assert_eq!(context.contained(Containment::BInA), "a component of b lies inside a");
    }
}
