//! Which engine answers which query about which bodies. Where an engine cannot answer, the library uses `auto` in its
//! place; here that is an error, so that nobody measures or trusts the wrong engine.

use std::fmt::Write as _;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use impinge::Method;

use crate::input::body_kind::BodyKind;
use crate::output::error::Failure;

/// What an engine can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verb {
    Overlap,
    Contacts,
    Distance,
    Within,
    Penetration,
    Sweep,
    Impact,
}

impl Verb {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Verb::Overlap => "overlap",
            Verb::Contacts => "contacts",
            Verb::Distance => "distance",
            Verb::Within => "within",
            Verb::Penetration => "penetration",
            Verb::Sweep => "sweep",
            Verb::Impact => "impact",
        }
    }
}

const VERBS: [Verb; 7] =
    [Verb::Overlap, Verb::Contacts, Verb::Distance, Verb::Within, Verb::Penetration, Verb::Sweep, Verb::Impact];

/// What is said about the engines in the help.
pub(crate) const HELP: &str = "\
Who answers; every engine gives the same answer to what it can be asked

Any bodies, any question, and the only one for sweep and impact:
  auto
A mesh and any other body, all but penetration:
  tree, and for two meshes brute
Convex polyhedra: hulls, parts, and shapes with flat faces or a margin (a sphere is a point with one):
  any question                      brute, v-clip (its penetration is an estimate)
  all but penetration               lin-canny, lin-canny-cells, gjk, gjk-signed-volumes, gjk-johnson,
                                    gjk-nesterov, enhanced-gjk
  all but distance and penetration  witness-plane, separating-vector, rabbitz
  penetration                       epa, gauss-map; of meshes, that of their hulls
Smooth shapes (cylinder, cone, ellipsoid):
  all but penetration               gjk
  penetration                       epa";

/// The names, for completion and suggestions.
pub(crate) fn parser() -> impl TypedValueParser<Value = Method> {
    PossibleValuesParser::new(Method::EACH.iter().map(|method| method.name())).try_map(|name| name.parse::<Method>())
}

/// Whether an engine itself answers a question about bodies of these kinds.
fn answers(method: Method, verb: Verb, kinds: [BodyKind; 2]) -> bool {
    if matches!(verb, Verb::Sweep | Verb::Impact) {
        return method == Method::Auto;
    }
    let penetration = verb == Verb::Penetration;
    let meshes = kinds.iter().filter(|kind| **kind == BodyKind::Mesh).count();
    if meshes > 0 && !penetration {
        return matches!(method, Method::Auto | Method::Tree) || (method == Method::Brute && meshes == 2);
    }
    // Parts are queried pair by pair, and the depth of a mesh is that of its hull.
    let is_flat = |kind: &BodyKind| matches!(kind, BodyKind::Polyhedron | BodyKind::Parts | BodyKind::Mesh);
    let flat = kinds.iter().all(is_flat);
    let curved = kinds.iter().all(|kind| is_flat(kind) || *kind == BodyKind::Smooth);
    match method {
        Method::Auto => true,
        Method::Tree => false,
        Method::Brute | Method::VClip => flat,
        Method::Gjk => curved && !penetration,
        Method::LinCanny
        | Method::LinCannyCells
        | Method::GjkSignedVolumes
        | Method::GjkJohnson
        | Method::GjkNesterov
        | Method::EnhancedGjk => flat && !penetration,
        Method::WitnessPlane | Method::SeparatingVector | Method::Rabbitz => {
            flat && !penetration && verb != Verb::Distance
        }
        Method::Epa => curved && penetration,
        Method::GaussMap => flat && penetration,
    }
}

/// An error when the engine asked for would not be the one that answers.
pub(crate) fn check(method: Method, verb: Verb, kinds: [BodyKind; 2]) -> Result<(), Failure> {
    if answers(method, verb, kinds) {
        return Ok(());
    }
    let able: Vec<String> = Method::EACH.iter().filter(|m| answers(**m, verb, kinds)).map(|m| m.to_string()).collect();
    let name = verb.name();
    let words = in_words(kinds);
    let problem = match VERBS.iter().any(|verb| answers(method, *verb, kinds)) {
        true => format!("{method} does not answer {name} for {words}"),
        false => format!("{method} does not take {words}"),
    };
    let mut help = format!("{name} is answered for these bodies by {}", able.join(", "));
    let hulled = kinds.map(|kind| if kind == BodyKind::Mesh { BodyKind::Polyhedron } else { kind });
    if hulled != kinds && answers(method, verb, hulled) {
        // Writing to a string does not fail.
        let _ = write!(help, "; with --hull files are convex polyhedra");
    }
    Err(Failure::Method { problem, help })
}

fn in_words([a, b]: [BodyKind; 2]) -> String {
    let words = |kind| match kind {
        BodyKind::Mesh => ("a mesh", "two meshes"),
        BodyKind::Polyhedron => ("a convex polyhedron", "two convex polyhedra"),
        BodyKind::Smooth => ("a smooth shape", "two smooth shapes"),
        BodyKind::HalfSpace => ("a half-space", "two half-spaces"),
        BodyKind::Parts => ("a body of parts", "two bodies of parts"),
    };
    match a == b {
        true => words(a).1.to_owned(),
        false => format!("{} and {}", words(a).0, words(b).0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINDS: [BodyKind; 5] =
        [BodyKind::Mesh, BodyKind::Polyhedron, BodyKind::Smooth, BodyKind::HalfSpace, BodyKind::Parts];

    fn grid() -> impl Iterator<Item = (Verb, [BodyKind; 2])> {
        VERBS.into_iter().flat_map(|verb| KINDS.into_iter().flat_map(move |a| KINDS.map(|b| (verb, [a, b]))))
    }

    #[test]
    fn the_order_of_bodies_does_not_matter_and_auto_answers_all() {
        for (verb, [a, b]) in grid() {
            assert!(answers(Method::Auto, verb, [a, b]));
            for &method in Method::EACH {
                assert_eq!(answers(method, verb, [a, b]), answers(method, verb, [b, a]), "{method} {verb:?}");
            }
        }
    }

    #[test]
    fn every_engine_answers_something_and_is_in_the_help() {
        for &method in Method::EACH {
            assert!(grid().any(|(verb, kinds)| answers(method, verb, kinds)), "{method}");
            let name = method.to_string();
            assert!(HELP.split([' ', ',', ';', '\n']).any(|word| word == name), "{method}");
        }
    }
}
