//! The closest features of two pieces, and the direction across them, which nearly touching points no longer give.

use glam::DVec3;

use super::piece::ConvexPiece;
use crate::math::Relative;
use crate::model::Convex;
use crate::model::round::Core;
use crate::narrow::convex::polyhedra::HullFeature;
use crate::prim::{Part, Triangle, careful_cross};

/// The features that are closest.
#[derive(Debug, Clone, Copy)]
pub(crate) enum PieceFeatures {
    /// Of polyhedra.
    Cells([HullFeature; 2]),
    /// Of triangles.
    Parts([Part; 2]),
    /// Of bodies without features.
    None,
}

/// The direction across features as they stand now, on the side of `n`; `None` where they have no single one.
pub(crate) fn across_features(
    pieces: [&ConvexPiece<'_>; 2],
    features: PieceFeatures,
    b_in_a: &Relative,
    n: DVec3,
) -> Option<DVec3> {
    match (features, pieces) {
        (PieceFeatures::Cells(cells), [ConvexPiece::Solid(a), ConvexPiece::Solid(b)]) => {
            let (Core::Polyhedron(a), Core::Polyhedron(b)) = (a.core, b.core) else { return None };
            let single = matches!(
                cells,
                [HullFeature::Face(_), _] | [_, HullFeature::Face(_)] | [HullFeature::Edge(_), HullFeature::Edge(_)]
            );
            single.then(|| between_cells([a, b], cells, b_in_a, n))
        }
        (PieceFeatures::Parts(parts), [ConvexPiece::Triangle(a), ConvexPiece::Triangle(b)]) => {
            let single = matches!(parts, [Part::Face, _] | [_, Part::Face] | [Part::Edge(_), Part::Edge(_)]);
            single.then(|| between_parts([a, &b.map(|x| b_in_a.apply(x))], parts, n))
        }
        _ => None,
    }
}

/// Two edges that are closest, as unit vectors, each in the frame of its body.
pub(crate) fn closest_edges(pieces: [&ConvexPiece<'_>; 2], features: PieceFeatures) -> Option<[DVec3; 2]> {
    match (features, pieces) {
        (
            PieceFeatures::Cells([HullFeature::Edge(e), HullFeature::Edge(f)]),
            [ConvexPiece::Solid(a), ConvexPiece::Solid(b)],
        ) => {
            let (Core::Polyhedron(a), Core::Polyhedron(b)) = (a.core, b.core) else { return None };
            Some([a.edge(e).direction, b.edge(f).direction])
        }
        (
            PieceFeatures::Parts([Part::Edge(i), Part::Edge(j)]),
            [ConvexPiece::Triangle(a), ConvexPiece::Triangle(b)],
        ) => Some([edge_of(a, i), edge_of(b, j)]),
        _ => None,
    }
}

/// The direction across two features of polyhedra, on the side of `n`.
pub(crate) fn between_cells([a, b]: [&Convex; 2], cells: [HullFeature; 2], b_in_a: &Relative, n: DVec3) -> DVec3 {
    match cells {
        [HullFeature::Face(f), _] => toward(n, Some(a.face(f).normal)),
        [_, HullFeature::Face(f)] => toward(n, Some(b_in_a.rotation * b.face(f).normal)),
        [HullFeature::Edge(e), HullFeature::Edge(f)] => {
            across([a.edge(e).direction, b_in_a.rotation * b.edge(f).direction], n)
        }
        [HullFeature::Edge(e), _] => off_edge(a.edge(e).direction, n),
        [_, HullFeature::Edge(f)] => off_edge(b_in_a.rotation * b.edge(f).direction, n),
        _ => n,
    }
}

/// The direction or its opposite, whichever is on the side of `n`; `n` itself where there is none, or where the two
/// have little in common.
fn toward(n: DVec3, direction: Option<DVec3>) -> DVec3 {
    match direction {
        Some(d) if d.dot(n) > 0.9 => d,
        Some(d) if d.dot(n) < -0.9 => -d,
        _ => n,
    }
}

/// Across two edges; where they are parallel, `n` without what it has along them.
fn across([u, v]: [DVec3; 2], n: DVec3) -> DVec3 {
    let cross = u.cross(v);
    if cross.length_squared() < 1e-12 { off_edge(u, n) } else { toward(n, cross.try_normalize()) }
}

/// `n` without what it has along an edge of unit length.
fn off_edge(edge: DVec3, n: DVec3) -> DVec3 {
    toward(n, (n - edge * edge.dot(n)).try_normalize())
}

fn edge_of(t: &Triangle, i: u8) -> DVec3 {
    let i = usize::from(i);
    (t[(i + 1) % 3] - t[i]).normalize_or_zero()
}

/// The direction across two parts of triangles, on the side of `n`.
pub(crate) fn between_parts(triangles: [&Triangle; 2], parts: [Part; 2], n: DVec3) -> DVec3 {
    let edge = |k: usize, i: u8| edge_of(triangles[k], i);
    let face = |k: usize| {
        let [p, q, r] = *triangles[k];
        careful_cross(q - p, r - p).try_normalize()
    };
    match parts {
        [Part::Face, _] => toward(n, face(0)),
        [_, Part::Face] => toward(n, face(1)),
        [Part::Edge(i), Part::Edge(j)] => across([edge(0, i), edge(1, j)], n),
        [Part::Edge(i), _] => off_edge(edge(0, i), n),
        [_, Part::Edge(j)] => off_edge(edge(1, j), n),
        _ => n,
    }
}
