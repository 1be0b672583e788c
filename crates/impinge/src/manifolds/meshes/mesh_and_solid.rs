//! The manifolds of a mesh and a convex body: each triangle near the body by itself, then what lies in one plane
//! together.
//!
//! A triangle on which the body lies flat gives the polygon that they share, seen along the normal: the face of the
//! body that looks down most, cut to the sides of the triangle. Where an edge or a corner of the mesh meets a face of
//! the body, it is the other way round. Else there is one point. Points on seams between triangles of one plane are no
//! corners of the contact, and a triangle that the body touches only there leaves it to its neighbour.

use glam::DVec3;

use super::triangle_contact::{MeshAndSolid, TriangleContact};
use crate::answer::{DepthKind, Element, Feature, Stats};
use crate::manifolds::face_contact::{ClipCorner, ClipCorners, Side, cut};
use crate::manifolds::gather::{Gathered, Gathering};
use crate::manifolds::list::ContactPoint;
use crate::math::Pose;
use crate::model::Convex;
use crate::model::convex::polyhedron::{HalfEdge, NONE};
use crate::model::mesh::sheets::FaceSide;
use crate::model::round::Core;
use crate::narrow::mesh::mesh_contact::feature;
use crate::prim::{Part, Triangle};

/// Cosine of the angle to a normal within which a face lies flat.
const FLAT: f64 = 1.0 - 1e-9;

/// How far outside of a triangle's sides, by its size, a point is still over it: no point falls between two triangles.
const OVERHANG: f64 = 1e-9;

/// A mesh and a convex body, and how to tell about them.
pub(crate) struct MeshSolidContacts<'q> {
    pub(crate) bodies: MeshAndSolid<'q>,
    /// Of the mesh.
    pub(crate) pose: &'q Pose,
    /// The number of the body among the pieces of a union.
    pub(crate) piece: u32,
    /// Whether the mesh is the second body.
    pub(crate) swapped: bool,
}

/// A point in the mesh's frame: on the mesh, on the body, how deep, and the features.
struct Found {
    points: [DVec3; 2],
    depth: f64,
    part: Part,
    element: Element,
}

impl MeshSolidContacts<'_> {
    /// Adds the points of the triangle at a place.
    pub(crate) fn add(&self, at: u32, gathering: &mut Gathering, stats: &mut Stats) {
        let mesh = self.bodies.mesh;
        // Of the sides of a sheet that the body is nearer to.
        let sides = mesh.sides(at).iter().filter_map(|&side| Some((side, self.bodies.at(at, side, stats)?)));
        let Some((side, contact)) = sides.min_by(|x, y| x.1.depth.total_cmp(&y.1.depth)) else { return };
        let t = mesh.corners(at);
        let around = mesh.surroundings_from(side);
        let is_flat = contact.normal.distance_squared(around.normal(at)) < 1e-20;
        let mut found = Vec::new();
        let core = self.bodies.solid.core;
        if let Core::Polyhedron(body) = core {
            if is_flat {
                self.on_triangle(&t, contact.normal, body, &mut found);
            } else {
                self.on_face(&t, contact.normal, body, &mut found);
            }
        } else if let Core::HalfSpace { .. } = core {
            self.on_half_space(&t, &contact, &mut found);
        }
        found.retain(|x| x.depth >= -self.bodies.reach - contact.noise);
        let deepest = found.iter().fold(f64::NEG_INFINITY, |deepest: f64, x| deepest.max(x.depth));
        // None on the face, or deeper beside it.
        if contact.depth > deepest + 64.0 * contact.noise {
            let TriangleContact { points, depth, part, element, .. } = contact;
            found.push(Found { points, depth, part, element });
        }
        let patch = is_flat.then(|| around.patch(at));
        for x in found {
            // A point over a corner or an edge within a flat face is over that face.
            let seam = is_flat && around.is_within_patch(mesh, at, x.part);
            self.gather((at, side), &contact, x, patch, seam, gathering);
        }
    }

    fn gather(
        &self,
        (at, side): (u32, FaceSide),
        contact: &TriangleContact,
        x: Found,
        patch: Option<u32>,
        seam: bool,
        gathering: &mut Gathering,
    ) {
        let mesh = self.bodies.mesh;
        let points = x.points.map(|p| self.pose.apply(p));
        let features = [feature(mesh, at, x.part), Feature::Convex { piece: self.piece, element: x.element }];
        let normal = self.pose.rotate(contact.normal);
        // Triangles of one flat face are one feature.
        let named = match features[0] {
            Feature::Face { .. } => Feature::Face { triangle: mesh.surroundings_from(side).patch(at) },
            other => other,
        };
        let pair = [mesh.id_from(at, side), self.piece];
        let gathered = |pair, normal, points, features, named| {
            let point = ContactPoint { features, ..ContactPoint::new(points, x.depth, named) };
            Gathered { pair, normal, patch, point, noise: contact.noise, seam }
        };
        let gathered = match self.swapped {
            false => gathered(pair, normal, points, features, [named, features[1]]),
            true => {
                let [p, q] = points;
                gathered([pair[1], pair[0]], -normal, [q, p], [features[1], features[0]], [features[1], named])
            }
        };
        gathering.add(&gathered, DepthKind::Local);
    }

    /// ClipCorners of the triangle that lie below a half-space.
    fn on_half_space(&self, t: &Triangle, contact: &TriangleContact, found: &mut Vec<Found>) {
        let up = -contact.normal;
        for (k, &p) in t.iter().enumerate() {
            let depth = contact.depth - up.dot(p - contact.points[0]);
            found.push(Found {
                points: [p, p + up * depth],
                depth,
                part: Part::Vertex(k as u8),
                element: Element::Surface,
            });
        }
    }

    /// The face of the body that looks down most, cut to the sides of the triangle.
    fn on_triangle(&self, t: &Triangle, n: DVec3, body: &Convex, found: &mut Vec<Found>) {
        let place = self.bodies.place;
        let own = -(place.rotation.transpose() * n);
        let vertex = body.support(own, 0);
        let around = body.vertex_edges(vertex).iter().map(|h| body.edge(h.edge()).faces[h.side()]);
        let looks = |f: &u32| body.face(*f).normal.dot(own);
        let face = around.filter(|f| *f != NONE).max_by(|f, g| looks(f).total_cmp(&looks(g)));
        let mut corners = ClipCorners::new();
        let corner = |v: u32, before: HalfEdge, after: HalfEdge| {
            let at = place.apply(body.vertex(v));
            ClipCorner { at, height: n.dot(at - t[0]), sides: [Side::Incident(before), Side::Incident(after)] }
        };
        match face {
            Some(face) => {
                let around = body.face_edges(face);
                let mut before = around[around.len() - 1];
                for &h in around {
                    corners.push(corner(body.tail(h), before, h));
                    before = h;
                }
            }
            None if body.vertex_count() == 2 => {
                corners.extend([0, 1].map(|k| corner(body.tail(HalfEdge(k)), HalfEdge(1 - k), HalfEdge(k))));
            }
            None => corners.push(corner(vertex, HalfEdge(NONE), HalfEdge(NONE))),
        }
        let size = (t[1] - t[0]).length().max((t[2] - t[0]).length());
        let planes = (0..3).map(|k| {
            let along = (t[(k + 1) % 3] - t[k]).normalize_or_zero();
            let inward = n.cross(along);
            let inward = if inward.dot(t[(k + 2) % 3] - t[k]) < 0.0 { -inward } else { inward };
            (HalfEdge(k as u32), inward, t[k] - inward * (OVERHANG * size))
        });
        cut_to(&mut corners, planes);
        let margin = self.bodies.solid.margin;
        for x in &corners {
            let (mine, theirs) = match x.sides {
                [_, Side::Incident(HalfEdge(NONE))] => (Part::Face, element(body, HullPart::Vertex(vertex))),
                [Side::Incident(_), Side::Incident(h)] => (Part::Face, element(body, HullPart::Vertex(body.tail(h)))),
                [Side::Incident(h), Side::Reference(k)] | [Side::Reference(k), Side::Incident(h)] => {
                    (Part::Edge(k.0 as u8), element(body, HullPart::Edge(h.edge())))
                }
                [Side::Reference(j), Side::Reference(k)] => {
                    (common_corner(j.0, k.0), face.map_or(Element::Inside, Element::Face))
                }
            };
            let depth = margin - x.height;
            let points = [x.at - n * x.height, x.at - n * margin];
            found.push(Found { points, depth, part: mine, element: theirs });
        }
    }

    /// The triangle, cut to the sides of the face of the body that looks against the normal, if one does.
    fn on_face(&self, t: &Triangle, n: DVec3, body: &Convex, found: &mut Vec<Found>) {
        let place = self.bodies.place;
        let own = -(place.rotation.transpose() * n);
        let vertex = body.support(own, 0);
        let around = body.vertex_edges(vertex).iter().map(|h| body.edge(h.edge()).faces[h.side()]);
        let looks = |f: &u32| body.face(*f).normal.dot(own);
        let Some(face) = around.filter(|f| *f != NONE).max_by(|f, g| looks(f).total_cmp(&looks(g))) else { return };
        if looks(&face) < FLAT {
            return;
        }
        let (up, on_face) = (place.rotation * body.face(face).normal, place.apply(body.vertex(vertex)));
        let mut corners: ClipCorners = (0..3u32)
            .map(|k| {
                let at = t[k as usize];
                let sides = [Side::Incident(HalfEdge((k + 2) % 3)), Side::Incident(HalfEdge(k))];
                ClipCorner { at, height: up.dot(at - on_face), sides }
            })
            .collect();
        let planes = body.face_edges(face).iter().map(|&h| {
            let inward = place.rotation * body.edge(h.edge()).inward[h.side()];
            (h, inward, place.apply(body.vertex(body.tail(h))))
        });
        cut_to(&mut corners, planes);
        let margin = self.bodies.solid.margin;
        for x in &corners {
            let (mine, theirs) = match x.sides {
                [Side::Incident(_), Side::Incident(k)] => (Part::Vertex(k.0 as u8), Element::Face(face)),
                [Side::Incident(k), Side::Reference(h)] | [Side::Reference(h), Side::Incident(k)] => {
                    (Part::Edge(k.0 as u8), element(body, HullPart::Edge(h.edge())))
                }
                [Side::Reference(g), Side::Reference(h)] => {
                    let v = if body.head(h) == body.tail(g) { body.tail(g) } else { body.tail(h) };
                    (Part::Face, element(body, HullPart::Vertex(v)))
                }
            };
            let points = [x.at, x.at - up * (x.height - margin)];
            found.push(Found { points, depth: margin - x.height, part: mine, element: theirs });
        }
    }
}

/// A part of a hull, by its place there.
enum HullPart {
    Vertex(u32),
    Edge(u32),
}

fn element(body: &Convex, part: HullPart) -> Element {
    let id = |v: u32| body.vertex_id(v).unwrap_or(v);
    match part {
        HullPart::Vertex(v) => Element::Vertex(id(v)),
        HullPart::Edge(e) => Element::Edge(body.edge(e).ends.map(id)),
    }
}

/// The corner between two sides of a triangle.
fn common_corner(j: u32, k: u32) -> Part {
    match (j % 3, k % 3) {
        (0, 1) | (1, 0) => Part::Vertex(1),
        (1, 2) | (2, 1) => Part::Vertex(2),
        (0, 2) | (2, 0) => Part::Vertex(0),
        (side, _) => Part::Vertex(side as u8),
    }
}

/// Cuts the polygon to the inner sides of planes, each by its normal inward and a point on it.
fn cut_to(corners: &mut ClipCorners, planes: impl Iterator<Item = (HalfEdge, DVec3, DVec3)>) {
    let mut spare = ClipCorners::new();
    for (side, inward, on_plane) in planes {
        spare.clear();
        cut(corners, &mut spare, side, |x| inward.dot(x - on_plane));
        std::mem::swap(corners, &mut spare);
    }
}
