//! Depth, normal and points of contacts of triangles: what `contacts` tells of each pair.
//!
//! The same local depth as that of a manifold: of a triangle and a convex body by itself, of two triangles along the
//! normal of the region in which they meet.

use crate::answer::{Contact, DepthKind, Feature, Points, Stats, feature_pair_id};
use crate::manifolds::meshes::mesh_and_mesh::TwoMeshes;
use crate::manifolds::meshes::mesh_sheets;
use crate::manifolds::meshes::triangle_contact::MeshAndSolid;
use crate::manifolds::meshes::triangle_pair::deepest_along;
use crate::math::{Interval, Pose, Relative};
use crate::model::mesh::sheets::FaceSide;
use crate::narrow::body::BodyKind;
use crate::narrow::grid::dispatch::Query;
use crate::narrow::mesh::mesh_contact::feature;
use crate::narrow::mesh::placed::placed_meshes::PlacedMeshes;
use crate::prim::nearest;

use glam::DVec3;

/// Two triangles by their places, and the sides to which they push.
type Seen = ([u32; 2], [FaceSide; 2]);

/// What is needed to tell about any of the pairs of triangles of a list of contacts.
pub(crate) struct Refinement<'q> {
    query: Query<'q>,
    envelope: f64,
    /// Normals of the pairs of two meshes, by their places and the sides from which they are seen, ascending.
    normals: Vec<(Seen, DVec3)>,
    b_to_a: Relative,
}

impl<'q> Refinement<'q> {
    /// For these pairs of primitives.
    pub(crate) fn new(query: Query<'q>, pairs: &[[u32; 2]], envelope: f64) -> Refinement<'q> {
        let mut normals = Vec::new();
        if let [BodyKind::Mesh(a), BodyKind::Mesh(b)] = query.bodies()
            && !a.is_empty()
            && !b.is_empty()
        {
            let placed = PlacedMeshes::new(a, b, query.b_in_a);
            let mut places: Vec<[u32; 2]> =
                pairs.iter().filter_map(|&[i, j]| Some([a.place(i)?, b.place(j)?])).collect();
            places.sort_unstable();
            places.dedup();
            for sides in mesh_sheets::views(a, b) {
                let meshes = TwoMeshes { placed: &placed, sides, poses: [&Pose::IDENTITY; 2], reach: f64::INFINITY };
                normals.extend(meshes.normals(&places).into_iter().map(|(places, normal)| ((places, sides), normal)));
            }
            normals.sort_unstable_by_key(|(seen, _)| *seen);
        }
        Refinement { query, envelope, normals, b_to_a: query.b_in_a.inverse() }
    }

    /// The contact with its depth, in `a`'s frame.
    pub(crate) fn refined(&self, contact: Contact) -> Contact {
        let plain = contact.clone();
        let refined = self.told(contact);
        let finite = refined.normal.is_finite() && refined.points.iter().flatten().all(|p| p.is_finite());
        let known = refined.depth.is_some_and(|depth| depth.lower.is_finite());
        // Beyond the range of numbers the contact stays as it was found.
        if finite && known || plain.depth.is_some() { refined } else { plain }
    }

    fn told(&self, contact: Contact) -> Contact {
        let [a, b] = self.query.bodies();
        let [i, j] = contact.pair;
        match [a.node(i), b.node(j)] {
            [BodyKind::Mesh(_), BodyKind::Mesh(_)] => self.of_triangles(contact),
            [BodyKind::Mesh(mesh), BodyKind::Solid(solid)] => {
                let bodies = MeshAndSolid { mesh, solid: &solid, place: &self.query.b_in_a, reach: self.envelope };
                self.on_mesh(&bodies, i, j, contact, false)
            }
            [BodyKind::Solid(solid), BodyKind::Mesh(mesh)] => {
                let bodies = MeshAndSolid { mesh, solid: &solid, place: &self.b_to_a, reach: self.envelope };
                self.on_mesh(&bodies, j, i, contact, true)
            }
            _ => contact,
        }
    }

    fn on_mesh(
        &self,
        bodies: &MeshAndSolid<'_>,
        triangle: u32,
        piece: u32,
        contact: Contact,
        swapped: bool,
    ) -> Contact {
        let at = bodies.mesh.place(triangle);
        let Some((at, found)) =
            at.and_then(|at| Some((at, bodies.at(at, bodies.mesh.side_of(triangle), &mut Stats::default())?)))
        else {
            // Within the envelope, but beside or behind the triangle: the closest points.
            let gap = contact.points.first().map_or(0.0, |[p, q]| p.distance(*q));
            return Contact { depth: Some(Interval { lower: -gap, upper: -gap }), ..contact };
        };
        let depth = Interval { lower: found.depth - found.noise, upper: found.depth + found.noise };
        let mut features = [feature(bodies.mesh, at, found.part), Feature::Convex { piece, element: found.element }];
        let (mut points, mut normal) = (found.points, found.normal);
        if swapped {
            let [p, q] = points.map(|x| self.query.b_in_a.apply(x));
            (points, normal) = ([q, p], -(self.query.b_in_a.rotation * normal));
            features.swap(0, 1);
        }
        Contact {
            points: Points::from_iter([points]),
            normal,
            depth: Some(depth),
            kind: DepthKind::Local,
            features,
            id: feature_pair_id(features),
            ..contact
        }
    }

    fn of_triangles(&self, contact: Contact) -> Contact {
        let [BodyKind::Mesh(a), BodyKind::Mesh(b)] = self.query.bodies() else { return contact };
        let [Some(i), Some(j)] = [a.place(contact.pair[0]), b.place(contact.pair[1])] else { return contact };
        let triangles = [a.corners(i), b.corners(j).map(|x| self.query.b_in_a.apply(x))];
        let seen = ([i, j], [a.side_of(contact.pair[0]), b.side_of(contact.pair[1])]);
        let Ok(known) = self.normals.binary_search_by_key(&seen, |(seen, _)| *seen) else {
            // Within the envelope, but beside or behind each other: the closest points.
            let points = nearest(&triangles[0], &triangles[1]).points();
            let gap = points[0].distance(points[1]);
            let (points, depth) = (Points::from_iter([points]), Some(Interval { lower: -gap, upper: -gap }));
            return Contact { points, depth, ..contact };
        };
        let normal = self.normals[known].1;
        let (depth, points, features) = match deepest_along(&triangles[0], &triangles[1], normal) {
            Some((depth, x)) => (depth, x.points, [feature(a, i, x.parts[0]), feature(b, j, x.parts[1])]),
            None => {
                let points = contact.points.first().copied().unwrap_or_default();
                ((points[0] - points[1]).dot(normal), points, contact.features)
            }
        };
        let placed = PlacedMeshes::new(a, b, self.query.b_in_a);
        let noise = 4.0 * placed.noise(0.0) / placed.scale;
        Contact {
            points: Points::from_iter([points]),
            normal,
            depth: Some(Interval { lower: depth - noise, upper: depth + noise }),
            kind: DepthKind::Local,
            features,
            id: feature_pair_id(features),
            ..contact
        }
    }
}
