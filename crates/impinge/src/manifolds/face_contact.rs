//! A contact on a face of one of two polyhedra: whether that face gives the least way out, and the polygon that it
//! shares with the other body.
//!
//! Let `n` be the normal of a face `F` of the one body, `v` the vertex of the other that is deepest below its plane, by
//! `δ`. The difference `C = {p − q}` of the bodies has a facet with normal `n` at height `δ` over the origin. The depth
//! along a direction `d` is `h(d) = max d·c` over `C`, and `h(n) = δ`.
//!
//! *Apart* (`δ ≤ 0`): if `v` is over the face, `v` and the point of the face below it are the closest points. In
//! general the distance is at least `−δ`, and at most that of any two points.
//!
//! *Overlapping*: if `C` holds a disc of radius `ρ`, perpendicular to `n`, about `n·λ`, then for `d` at an angle `θ`
//! to `n` `h(d) ≥ λ cos θ + ρ sin θ`, which for `θ ≤ 90°` is at least `λ` where `ρ ≥ λ`. If it holds `−n·H`, too,
//! `h(d) ≥ −H cos θ` for the others; with `H ≥ 2λ` and `ρ ≥ 1.75 λ` one of the two is at least `λ` for all of them
//! (at `cos θ = −1/2` the first is `0.866·1.75 λ − 0.5 λ > λ`). So no way out is shorter than `λ`. Discs are at hand:
//! a disc of `F` about the foot of `v`, `λ = δ`; or discs about a point of the polygon that the faces share, the one
//! in `F`, the other in the face of the other body, `λ` the height there less what the tilt of that face takes. The
//! point `−n·H` is the difference of the foot of a centre and that centre.
//!
//! What is not proven in this way is left to an engine, so a face taken is right whatever was remembered.
//!
//! The polygon: the face around `v` that looks most against `n` is clipped to the sides of `F` (Sutherland, Hodgman).
//! Each side of the polygon keeps the edge that it lies on, so each corner knows the pair of features that it comes
//! from: a vertex on the face, two edges that cross, or a vertex of `F` on the other face.
//!
//! Cost: one walk to the deepest vertex, the sides of `F` times the corners of the other face.

use glam::DVec3;
use smallvec::SmallVec;

use crate::answer::Element;
use crate::math::Relative;
use crate::model::Convex;
use crate::model::convex::polyhedron::{HalfEdge, NONE};

/// A face of one body, and the other body, in the frame of the first.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReferenceFace<'m> {
    pub(crate) body: &'m Convex,
    pub(crate) face: u32,
    pub(crate) other: &'m Convex,
    pub(crate) place: Relative,
}

/// What counts in a contact, in terms of the bodies without their margins.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FaceRules {
    /// How far apart points may be.
    pub(crate) reach: f64,
    /// How much more than the least way out the depth may be.
    pub(crate) bias: f64,
    /// What rounding may do to a depth.
    pub(crate) noise: f64,
}

/// What of the other body lies lowest over a face.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DeepestPart {
    pub(crate) vertex: u32,
    /// The face around the vertex that looks most against the normal; [`NONE`] for bodies without faces.
    pub(crate) incident: u32,
}

/// What a look at a face tells.
pub(crate) enum FaceLook {
    /// The bodies are farther apart than the reach.
    Far,
    /// The way out is along the face's normal: between `lower` and `depth`, signed; `deepest` is how the other body
    /// lies on the face.
    Taken { lower: f64, depth: f64, deepest: DeepestPart },
    /// Another way may be shorter.
    Unsure,
}

/// The edge that a side of the polygon lies on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Side {
    Reference(HalfEdge),
    Incident(HalfEdge),
}

/// A corner of the polygon, in the frame of the face.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ClipCorner {
    /// On the other body.
    pub(crate) at: DVec3,
    /// Over the face.
    pub(crate) height: f64,
    /// The side that leads here, and the one that leads on.
    pub(crate) sides: [Side; 2],
}

pub(crate) type ClipCorners = SmallVec<[ClipCorner; 12]>;

impl ReferenceFace<'_> {
    /// Is the way out along this face's normal? Then the corners are those of the polygon of contact, if there is one.
    pub(crate) fn look(&self, hint: u32, rules: &FaceRules, corners: &mut ClipCorners) -> FaceLook {
        let own = self.down();
        let (vertex, deepest) = self.deepest_along(own, hint);
        let depth = self.depth(deepest);
        if -depth > rules.reach + rules.noise {
            return FaceLook::Far;
        }
        let (incident, cosine) = self.incident(vertex, own);
        let centre = self.place.apply(self.other.centre());
        let [inside, of_centre] = self.clip(incident, vertex, [deepest, centre], corners);
        let apart = depth <= rules.noise && inside >= 0.0;
        let is_inner = of_centre >= 0.0 && self.body.height(self.face, centre) >= 2.0 * depth;
        let has_inner_point = || is_inner || self.has_point_behind(incident, depth);
        let overlapping = || depth > 0.0 && inside >= 1.75 * depth && has_inner_point();
        let lower = if apart || overlapping() {
            depth
        } else {
            self.lower_by_polygon(depth, incident, cosine, corners, has_inner_point)
        };
        if depth - lower <= rules.bias + rules.noise {
            FaceLook::Taken { lower, depth, deepest: DeepestPart { vertex, incident } }
        } else {
            FaceLook::Unsure
        }
    }

    /// The vertex of the other body that is deepest below the face, and where it is.
    pub(crate) fn deepest(&self, hint: u32) -> (u32, DVec3) {
        self.deepest_along(self.down(), hint)
    }

    /// The same along the direction against the normal, in the frame of the other body.
    #[inline]
    fn deepest_along(&self, own: DVec3, hint: u32) -> (u32, DVec3) {
        let hint = if (hint as usize) < self.other.vertex_count() { hint } else { 0 };
        let vertex = self.other.support_by_climb(own, hint);
        (vertex, self.place.apply(self.other.vertex(vertex)))
    }

    /// How far below the face a point is.
    pub(crate) fn depth(&self, p: DVec3) -> f64 {
        -self.body.height(self.face, p)
    }

    /// Against the normal, in the frame of the other body.
    fn down(&self) -> DVec3 {
        -(self.place.rotation.transpose() * self.normal())
    }

    pub(crate) fn normal(&self) -> DVec3 {
        self.body.face(self.face).normal
    }

    /// How far inside all sides of the face a point is, seen along the normal.
    fn inside(&self, p: DVec3) -> f64 {
        self.body.face_edges(self.face).iter().fold(f64::INFINITY, |least, &h| least.min(inward(self.body, h, p)))
    }

    /// The face around the vertex that looks most along `own`, and how much; [`NONE`] for bodies without faces.
    fn incident(&self, vertex: u32, own: DVec3) -> (u32, f64) {
        let mut best = (NONE, -1.0);
        for &h in self.other.vertex_edges(vertex) {
            let face = self.other.edge(h.edge()).faces[h.side()];
            if face == NONE {
                continue;
            }
            let cosine = self.other.face(face).normal.dot(own);
            if cosine > best.1 {
                best = (face, cosine);
            }
        }
        best
    }

    /// Whether the difference of the bodies holds a point straight behind the face, twice as far as it is deep: the
    /// line through the centre of the face's body leaves the other body so far away. The centre of the other body is
    /// another, if it is over the face.
    fn has_point_behind(&self, incident: u32, depth: f64) -> bool {
        if incident == NONE {
            return false;
        }
        let own = self.place.rotation.transpose() * self.normal();
        let centre = self.own(self.body.centre());
        let plane = self.other.face(incident).normal;
        let slope = -plane.dot(own);
        if slope <= 0.5 {
            return false;
        }
        let foot = centre + own * (self.other.height(incident, centre) / slope);
        let inside = self.other.face_edges(incident).iter().all(|&h| inward(self.other, h, foot) >= 0.0);
        inside && (foot - centre).dot(own) >= 2.0 * depth
    }

    /// A lower bound on the signed depth along every direction, from a point of the polygon.
    fn lower_by_polygon(
        &self,
        depth: f64,
        incident: u32,
        cosine: f64,
        corners: &ClipCorners,
        has_inner_point: impl Fn() -> bool,
    ) -> f64 {
        let Some(deepest) = corners.iter().min_by(|x, y| x.height.total_cmp(&y.height)) else {
            return f64::NEG_INFINITY;
        };
        if depth <= 0.0 {
            return -deepest.height;
        }
        if incident == NONE || cosine < 0.5 || !has_inner_point() {
            return f64::NEG_INFINITY;
        }
        let count = corners.len() as f64;
        let (middle, height) =
            corners.iter().fold((DVec3::ZERO, 0.0), |(x, h), c| (x + c.at / count, h + c.height / count));
        // Near the deepest corner, and far enough from the sides for a disc.
        let (x, height) = (deepest.at.lerp(middle, 0.125), deepest.height + 0.125 * (height - deepest.height));
        let own = self.own(x);
        let there = self.other.face_edges(incident).iter();
        let there = there.fold(f64::INFINITY, |least, &h| least.min(inward(self.other, h, own))).max(0.0);
        let here = self.inside(x).max(0.0);
        let wanted = 1.75 * depth;
        if here + there * cosine < wanted {
            return f64::NEG_INFINITY;
        }
        let sine = (1.0 - cosine * cosine).max(0.0).sqrt();
        -height - ((wanted - here) / cosine).max(0.0) * sine
    }

    /// A point of the face's frame in that of the other body.
    fn own(&self, p: DVec3) -> DVec3 {
        self.place.rotation.transpose() * (p - self.place.translation)
    }

    /// The incident face, or all of a body without faces, cut to the sides of the reference. Returns how far inside all
    /// sides two points are, seen along the normal.
    fn clip(&self, incident: u32, vertex: u32, points: [DVec3; 2], corners: &mut ClipCorners) -> [f64; 2] {
        self.placed_corners(incident, vertex, corners);
        let mut spare = ClipCorners::new();
        let mut inside = [f64::INFINITY; 2];
        for &h in self.body.face_edges(self.face) {
            let edge = self.body.edge(h.edge());
            let (inward, tail) = (edge.inward[h.side()], self.body.vertex(edge.ends[h.side()]));
            inside[0] = inside[0].min(inward.dot(points[0] - tail));
            inside[1] = inside[1].min(inward.dot(points[1] - tail));
            let mut least = f64::INFINITY;
            for corner in corners.iter() {
                least = least.min(inward.dot(corner.at - tail));
            }
            if least < 0.0 {
                spare.clear();
                cut(corners, &mut spare, h, |x| inward.dot(x - tail));
                std::mem::swap(corners, &mut spare);
            }
        }
        inside
    }

    /// The corners of the incident face, or all of a body without faces.
    fn placed_corners(&self, incident: u32, vertex: u32, corners: &mut ClipCorners) {
        corners.clear();
        let (normal, on_face) = (self.normal(), self.body.vertex(self.body.tail(self.body.face_edges(self.face)[0])));
        let corner = |v: u32, before: HalfEdge, after: HalfEdge| {
            let at = self.place.apply(self.other.vertex(v));
            let sides = [Side::Incident(before), Side::Incident(after)];
            ClipCorner { at, height: normal.dot(at - on_face), sides }
        };
        match (incident, self.other.vertex_count()) {
            (NONE, 2) => {
                corners.extend([0, 1].map(|k| corner(self.other.tail(HalfEdge(k)), HalfEdge(1 - k), HalfEdge(k))));
            }
            (NONE, _) => corners.push(corner(vertex, HalfEdge(NONE), HalfEdge(NONE))),
            _ => {
                let around = self.other.face_edges(incident);
                let mut before = around[around.len() - 1];
                for &h in around {
                    corners.push(corner(self.other.tail(h), before, h));
                    before = h;
                }
            }
        }
    }

    /// What of the other body is deepest, found again for a vertex that is.
    pub(crate) fn deepest_part(&self, vertex: u32) -> DeepestPart {
        DeepestPart { vertex, incident: self.incident(vertex, self.down()).0 }
    }

    /// The features that meet in a corner: of this body, and of the other.
    pub(crate) fn elements(&self, corner: &ClipCorner, deepest: DeepestPart) -> [Element; 2] {
        let (body, other) = (self.body, self.other);
        let id = |convex: &Convex, v: u32| convex.vertex_id(v).unwrap_or(v);
        let edge = |convex: &Convex, h: HalfEdge| Element::Edge(convex.edge(h.edge()).ends.map(|v| id(convex, v)));
        match corner.sides {
            [_, Side::Incident(HalfEdge(NONE))] => {
                [Element::Face(self.face), Element::Vertex(id(other, deepest.vertex))]
            }
            [Side::Incident(_), Side::Incident(h)] => {
                [Element::Face(self.face), Element::Vertex(id(other, other.tail(h)))]
            }
            [Side::Incident(g), Side::Reference(h)] | [Side::Reference(h), Side::Incident(g)] => {
                [edge(body, h), edge(other, g)]
            }
            [Side::Reference(g), Side::Reference(h)] => {
                let v = if body.head(h) == body.tail(g) { body.tail(g) } else { body.tail(h) };
                let face = deepest.incident;
                [Element::Vertex(id(body, v)), if face == NONE { Element::Inside } else { Element::Face(face) }]
            }
        }
    }
}

/// How far inside a side of its face a point is.
#[inline(always)]
fn inward(body: &Convex, h: HalfEdge, p: DVec3) -> f64 {
    body.edge(h.edge()).inward[h.side()].dot(p - body.vertex(body.tail(h)))
}

/// Keeps what lies on the inner side of the reference's side `h`.
pub(crate) fn cut(before: &ClipCorners, after: &mut ClipCorners, h: HalfEdge, inside: impl Fn(DVec3) -> f64) {
    let count = before.len();
    for (k, x) in before.iter().enumerate() {
        let y = &before[if k + 1 == count { 0 } else { k + 1 }];
        let (at_x, at_y) = (inside(x.at), inside(y.at));
        if at_x >= 0.0 {
            after.push(*x);
        }
        // Of a segment, each way is an edge: the crossing is met twice, and kept once.
        if (at_x < 0.0) == (at_y < 0.0) || (count == 2 && k == 1) {
            continue;
        }
        let t = at_x / (at_x - at_y);
        let along = x.sides[1];
        let sides = if at_y < 0.0 { [along, Side::Reference(h)] } else { [Side::Reference(h), along] };
        after.push(ClipCorner { at: x.at + (y.at - x.at) * t, height: x.height + (y.height - x.height) * t, sides });
    }
}
