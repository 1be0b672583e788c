//! Whether a body lies inside a shape in words, with its surface apart from that of the shape.
//!
//! Shapes are convex: one holds a triangle in its inside iff it holds the corners there. So of a mesh the triangles are
//! looked at that have a point in the shape: if it holds the corners of all of these, none of them meets its surface.
//! Depth in a convex body is concave, so that a shape with a margin lies in another one iff the corners of its core are
//! deeper there than the margin. A corner is as deep as is certain.
//!
//! Cylinders, cones, ellipsoids and half-spaces have no corners: that they are inside a shape is not told.
//!
//! Cost: one depth query a corner, until one is not inside.

use std::collections::HashSet;

use impinge::glam::DVec3;
use impinge::{Containment, Limit, Model, Pair, Pose, Round};

/// Which of the two, if any, lies inside the other, a shape.
pub(crate) fn contained(pair: &mut Pair, [a, b]: [&Model; 2]) -> Option<Containment> {
    if holds(a, b, || triangles(pair, 1)) {
        return Some(Containment::BInA);
    }
    holds(b, a, || triangles(pair, 0)).then_some(Containment::AInB)
}

/// Those of one body that have a point in the other.
fn triangles(pair: &mut Pair, body: usize) -> Vec<u32> {
    let contacts = pair.contacts(&Pose::IDENTITY, &Pose::IDENTITY, Limit::All);
    if contacts.complete { contacts.pairs.iter().map(|pair| pair[body]).collect() } else { Vec::new() }
}

fn holds(outer: &Model, inner: &Model, touching: impl FnOnce() -> Vec<u32>) -> bool {
    let (Model::Round(_), Ok(point)) = (outer, Round::point(DVec3::ZERO)) else { return false };
    let mut probe = Pair::new(point, outer.clone());
    let mut is_deeper = |corner: DVec3, margin: f64| {
        Pose::at(corner).is_ok_and(|at| probe.penetration(&at, &Pose::IDENTITY).interval.lower > margin)
    };
    match inner {
        Model::Round(round) => round.polyhedron().is_some_and(|core| {
            let mut corners = core.vertices().iter();
            corners.all(|&corner| is_deeper(corner, round.margin()))
        }),
        Model::Mesh(mesh) => {
            let touching = touching();
            let mut seen = HashSet::new();
            let corners = touching.iter().filter_map(|&i| mesh.triangle(i)).flatten();
            let mut corners = corners.filter(|corner| seen.insert(corner.to_array().map(f64::to_bits)));
            !touching.is_empty() && corners.all(|corner| is_deeper(corner, 0.0))
        }
        Model::Convex(_) | Model::Parts(_) => false,
    }
}
