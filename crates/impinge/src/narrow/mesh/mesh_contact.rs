//! Points, normals and features of two triangles of meshes, in `a`'s frame and the bodies' own unit.

use glam::DVec3;

use super::placed::closest_triangles::ClosestTriangles;
use super::placed::placed_meshes::PlacedMeshes;
use crate::answer::{Contact, DepthKind, Feature, Witness, feature_pair_id};
use crate::model::Mesh;
use crate::narrow::outcome::Outcome;
use crate::narrow::proximity::{CommonPoint, Proximity};
use crate::prim::{Part, common_segment};

/// Where two touching triangles, by places in leaf order, have common points.
pub(crate) fn contact(placed: &PlacedMeshes<'_>, places: [u32; 2]) -> Contact {
    let (a, b) = (placed.a_triangle(places[0]), placed.b_triangle(places[1]));
    let normal = |t: &[DVec3; 3]| (t[1] - t[0]).cross(t[2] - t[0]).normalize_or_zero();
    let from_a = normal(&a);
    let normal = if from_a == DVec3::ZERO { -normal(&b) } else { from_a };
    let unit = placed.scale.recip();
    let pair = [placed.a.id(places[0]), placed.b.id(places[1])];
    let features = pair.map(|triangle| Feature::Face { triangle });
    let segment = common_segment(&a, &b).map(|x| x * unit);
    Contact {
        pair,
        points: segment.map(|x| [x; 2]).into_iter().collect(),
        normal,
        depth: None,
        kind: DepthKind::Local,
        features,
        id: feature_pair_id(features),
        segment: Some(segment),
    }
}

/// The closest points of two triangles.
pub(crate) fn witness(placed: &PlacedMeshes<'_>, found: &ClosestTriangles) -> Witness {
    let unit = placed.scale.recip();
    Witness {
        points: found.near.points().map(|x| x * unit),
        features: [
            feature(placed.a, found.places[0], found.near.parts[0]),
            feature(placed.b, found.places[1], found.near.parts[1]),
        ],
    }
}

/// Of the triangles of two meshes, which touch.
pub(crate) fn touching(placed: &PlacedMeshes<'_>, places: [u32; 2]) -> Proximity {
    let contact = contact(placed, places);
    let features = contact.pair.map(|triangle| Feature::Face { triangle });
    Outcome::Touching(CommonPoint::OfTriangles(contact, features))
}

/// Of the triangles of two meshes, which are closest.
pub(crate) fn apart(placed: &PlacedMeshes<'_>, found: &ClosestTriangles) -> Proximity {
    let interval = placed.interval(found.lower.min(found.upper()), found.upper());
    Proximity::apart(interval, witness(placed, found))
}

/// The part of the triangle at a place, by the indices given.
pub(crate) fn feature(mesh: &Mesh, place: u32, part: Part) -> Feature {
    let (triangle, corners) = (mesh.id(place), mesh.corner_ids(place));
    let corner = |i: u8| corners[usize::from(i) % 3];
    match part {
        Part::Vertex(i) => Feature::Vertex { triangle, vertex: corner(i) },
        Part::Edge(i) => Feature::Edge { triangle, vertices: [corner(i), corner(i + 1)] },
        Part::Face => Feature::Face { triangle },
    }
}
