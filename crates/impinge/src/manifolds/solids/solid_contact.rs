//! The manifold of two convex bodies: on the face where it lay before, if that still gives the least way out; else by
//! the engines.
//!
//! A contact that rests on a face is answered by [`face_contact`](super::super::face_contact) alone: no engine. What
//! it cannot prove goes to the engines for the closest points or the least way out; a face that looks along the normal
//! found is then the one to remember.

use glam::DVec3;

use super::edge_contact::{EdgePoint, shared_segment};
use crate::answer::{DepthKind, Element, Feature};
use crate::manifolds::choose_four::choose_four;
use crate::manifolds::face_contact::{ClipCorners, DeepestPart, FaceLook, FaceRules, ReferenceFace};
use crate::manifolds::list::{ContactPoint, Manifolds};
use crate::manifolds::memory::ContactFace;
use crate::manifolds::options::{KeptPoints, ManifoldOptions};
use crate::math::{EPS, Interval, Pose, Relative};
use crate::model::Convex;
use crate::model::convex::polyhedron::{HalfEdge, NONE};
use crate::model::round::Core;
use crate::narrow::Method;
use crate::narrow::context::Context;
use crate::narrow::convex::closest;
use crate::narrow::convex::convex_memory::ConvexMemory;
use crate::narrow::convex::polyhedra::Polyhedra;
use crate::narrow::convex::witnesses::{ConvexGap, ConvexWitness};
use crate::narrow::depth::convex_depth;
use crate::narrow::outcome::Outcome;
use crate::narrow::solid::Solid;

/// Cosine of the angle to the contact normal within which a face may stand for it.
const ALIGNED: f64 = 0.97;

/// Cosine of the angle within which a face is certainly the one that was touched.
const EXACTLY: f64 = 1.0 - 1e-7;

/// Most corners of a polygon of contact that are told.
const MOST_CORNERS: usize = 64;

/// Two convex bodies where they stand, and what is wanted.
pub(crate) struct SolidContact<'q> {
    pub(crate) a: &'q Solid<'q>,
    pub(crate) b: &'q Solid<'q>,
    pub(crate) b_in_a: &'q Relative,
    pub(crate) poses: [&'q Pose; 2],
    pub(crate) method: Method,
    pub(crate) options: &'q ManifoldOptions,
    pub(crate) pieces: [u32; 2],
}

/// The way out that an engine found; signed, negative where the bodies are apart.
struct Way {
    interval: Interval,
    normal: DVec3,
    witness: ConvexWitness,
    kind: DepthKind,
}

impl SolidContact<'_> {
    /// Adds the manifold of the two bodies, if they are near enough; returns the face to remember.
    pub(crate) fn add(&self, known: ContactFace, cx: Context<'_, ConvexMemory>, out: &mut Manifolds) -> ContactFace {
        match (self.a.core, self.b.core) {
            (Core::Polyhedron(p), Core::Polyhedron(q)) => {
                let pair = Polyhedra { a: p, b: q, b_in_a: *self.b_in_a };
                self.polyhedra(&pair, known, cx, out)
            }
            (Core::HalfSpace { normal, offset }, Core::Polyhedron(body)) => {
                self.on_half_space(normal, offset, body, self.b_in_a, false, out);
                known
            }
            (Core::Polyhedron(body), Core::HalfSpace { normal, offset }) => {
                self.on_half_space(normal, offset, body, &self.b_in_a.inverse(), true, out);
                known
            }
            _ => {
                if let Some(way) = self.way(cx) {
                    self.witness(&way, out);
                }
                known
            }
        }
    }

    fn margins(&self) -> f64 {
        self.a.margin + self.b.margin
    }

    fn rules(&self, pair: &Polyhedra<'_>) -> FaceRules {
        let (reach, bias) = (self.options.reach() + self.margins(), self.options.bias());
        FaceRules { reach, bias, noise: pair.noise(0.0) }
    }

    fn polyhedra(
        &self,
        pair: &Polyhedra<'_>,
        known: ContactFace,
        cx: Context<'_, ConvexMemory>,
        out: &mut Manifolds,
    ) -> ContactFace {
        let rules = self.rules(pair);
        if pair.balls_are_apart(rules.reach + rules.noise) {
            return known;
        }
        let mut corners = ClipCorners::new();
        if let Some(face) = known.face()
            && (face as usize) < [pair.a, pair.b][usize::from(known.of_b)].face_count()
        {
            cx.stats.primitive_tests += 1;
            let reference = reference(pair, known.of_b, face);
            match reference.look(known.vertex, &rules, &mut corners) {
                FaceLook::Far => return known,
                FaceLook::Taken { lower, depth, deepest } => {
                    let interval = Interval { lower: lower - rules.noise, upper: depth + rules.noise };
                    self.on_face(&reference, known.of_b, interval, deepest, &mut corners, out);
                    return ContactFace::new(known.of_b, face, deepest.vertex);
                }
                FaceLook::Unsure => {}
            }
        }
        let Some(way) = self.way(cx) else { return known };
        self.by_way(pair, &way, &rules, &mut corners, out).unwrap_or(known)
    }

    /// The manifold along a way that an engine found: on a face that looks that way, on two edges, or one point.
    fn by_way(
        &self,
        pair: &Polyhedra<'_>,
        way: &Way,
        rules: &FaceRules,
        corners: &mut ClipCorners,
        out: &mut Manifolds,
    ) -> Option<ContactFace> {
        let (face_a, cos_a) = facing(pair.a, way.normal);
        let (face_b, cos_b) = facing(pair.b, -(pair.b_in_a.rotation.transpose() * way.normal));
        let mut faces = [(false, face_a, cos_a), (true, face_b, cos_b)];
        if cos_b > cos_a {
            faces.reverse();
        }
        // No way out is shorter than this; so a face is as good where the depth along it is not more.
        let least = way.interval.lower - self.margins();
        for (of_b, face, cosine) in faces {
            if cosine < ALIGNED {
                break;
            }
            let reference = reference(pair, of_b, face);
            if let FaceLook::Far = reference.look(0, rules, corners) {
                continue;
            }
            let (vertex, deepest) = reference.deepest(0);
            let depth = reference.depth(deepest);
            let nearest = corners.iter().fold(f64::INFINITY, |low: f64, corner| low.min(corner.height));
            let slack = rules.bias + 4.0 * rules.noise;
            let as_good = depth - least <= slack || cosine >= EXACTLY;
            if as_good && least + nearest <= slack {
                let interval = Interval { lower: least.min(depth), upper: depth + rules.noise };
                self.on_face(&reference, of_b, interval, reference.deepest_part(vertex), corners, out);
                return Some(ContactFace::new(of_b, face, vertex));
            }
        }
        let deep_enough = way.interval.lower - self.margins() - rules.bias - 4.0 * rules.noise;
        match shared_segment(pair, way.normal) {
            Some(ends) if ends[0].1.max(ends[1].1) >= deep_enough => self.on_edges(way, &ends, out),
            _ => self.witness(way, out),
        }
        None
    }

    /// The least way out, or the closest points, by the engines; `None` where the bodies are beyond the prediction.
    fn way(&self, mut cx: Context<'_, ConvexMemory>) -> Option<Way> {
        let (reach, bodies) = (self.options.reach(), [self.a, self.b]);
        if reach > 0.0 {
            match closest::nearest(bodies, self.b_in_a, reach, self.method, cx.lend()) {
                Outcome::Beyond => return None,
                Outcome::Apart(ConvexGap { interval, witness }) => {
                    return if interval.lower > reach { None } else { self.gap(interval, witness, cx) };
                }
                _ => {}
            }
        }
        let deep = convex_depth::depth(bodies, self.b_in_a, self.method, cx)?;
        let interval = Interval { lower: deep.lower, upper: deep.upper };
        Some(Way { interval, normal: deep.normal, witness: deep.witness, kind: deep.kind })
    }

    /// The way along the closest points; where these are next to each other, that of bodies with margins, which
    /// overlap.
    fn gap(&self, interval: Interval, witness: ConvexWitness, cx: Context<'_, ConvexMemory>) -> Option<Way> {
        let [p, q] = witness.points;
        let blurred = 1e-7 * (self.options.reach() + self.margins());
        let normal = if interval.upper > blurred {
            (q - p).try_normalize()?
        } else {
            let wide = [self.a, self.b].map(|body| Solid { margin: body.margin + self.options.reach(), ..*body });
            convex_depth::depth([&wide[0], &wide[1]], self.b_in_a, self.method, cx)?.normal
        };
        let interval = Interval { lower: -interval.upper, upper: -interval.lower };
        Some(Way { interval, normal, witness, kind: DepthKind::Exact })
    }

    /// A single pair of points.
    fn witness(&self, way: &Way, out: &mut Manifolds) {
        let depth = (way.witness.points[0] - way.witness.points[1]).dot(way.normal);
        self.push(way.witness.points, depth, way.witness.elements, out);
        self.close(way.normal, way.interval, way.kind, out);
    }

    fn on_edges(&self, way: &Way, ends: &[EdgePoint; 2], out: &mut Manifolds) {
        let reach = self.options.reach() + self.margins();
        for &([p, q], depth, elements) in ends {
            if depth >= -reach {
                let points = [p + way.normal * self.a.margin, q - way.normal * self.b.margin];
                self.push(points, depth + self.margins(), elements, out);
            }
        }
        if out.points().len() == out.open_from() {
            return self.witness(way, out);
        }
        self.close(way.normal, way.interval, way.kind, out);
    }

    /// The polygon over a face; `interval` is the signed depth of the cores.
    fn on_face(
        &self,
        reference: &ReferenceFace<'_>,
        of_b: bool,
        interval: Interval,
        deepest: DeepestPart,
        corners: &mut ClipCorners,
        out: &mut Manifolds,
    ) {
        let reach = self.options.reach() + self.margins();
        let normal = reference.normal();
        corners.retain(|corner| corner.height <= reach);
        corners.truncate(MOST_CORNERS);
        let corners = &corners[..];
        let ([pose, _], own, other) = if of_b {
            ([self.poses[1], self.poses[0]], self.b.margin, self.a.margin)
        } else {
            ([self.poses[0], self.poses[1]], self.a.margin, self.b.margin)
        };
        let up = pose.rotate(normal);
        let (chosen, count) = match self.options.points {
            KeptPoints::All => ([0; 4], corners.len()),
            KeptPoints::Four => choose_four(corners.len(), |k| corners[k].at, |k| -corners[k].height, normal),
        };
        for k in 0..count {
            let corner = &corners[if self.options.points == KeptPoints::All { k } else { chosen[k] }];
            let [mine, theirs] = reference.elements(corner, deepest);
            let on_other = pose.apply(corner.at - normal * other);
            let depth = own + other - corner.height;
            let on_face = on_other + up * depth;
            let features = |elements: [Element; 2]| self.features(elements);
            out.push(match of_b {
                false => ContactPoint::new([on_face, on_other], depth, features([mine, theirs])),
                true => ContactPoint::new([on_other, on_face], depth, features([theirs, mine])),
            });
        }
        let margins = self.margins();
        let interval =
            Interval { lower: interval.lower + margins, upper: interval.upper + margins * (1.0 + 4.0 * EPS) };
        out.close(self.pieces, if of_b { -up } else { up }, interval, DepthKind::Exact);
    }

    /// A polyhedron on a half-space: the corners of the face that looks down most.
    fn on_half_space(
        &self,
        normal: DVec3,
        offset: f64,
        body: &Convex,
        place: &Relative,
        of_b: bool,
        out: &mut Manifolds,
    ) {
        let margins = self.margins();
        let down = -(place.rotation.transpose() * normal);
        let vertex = body.support(down, 0);
        let height = |p: DVec3| normal.dot(p) - offset;
        let lowest = height(place.apply(body.vertex(vertex))) - margins;
        let noise = 32.0 * EPS * (body.reach() + place.translation.length() + offset.abs());
        if lowest > self.options.reach() + noise {
            return;
        }
        let looks = |h: HalfEdge| {
            let face = body.edge(h.edge()).faces[h.side()];
            (face, if face == NONE { -1.0 } else { body.face(face).normal.dot(down) })
        };
        let around = body.vertex_edges(vertex).iter().map(|&h| looks(h));
        let face = around.filter(|f| f.0 != NONE).max_by(|f, g| f.1.total_cmp(&g.1)).map(|f| f.0);
        let corners: smallvec::SmallVec<[u32; 16]> = match face {
            Some(face) => body.face_edges(face).iter().map(|&h| body.tail(h)).collect(),
            None => (0..body.vertex_count() as u32).collect(),
        };
        let at: smallvec::SmallVec<[(u32, DVec3, f64); 16]> = corners
            .iter()
            .map(|&v| (v, place.apply(body.vertex(v))))
            .map(|(v, p)| (v, p, height(p)))
            .filter(|x| x.2 - margins <= self.options.reach() + noise)
            .collect();
        let (chosen, count) = match self.options.points {
            KeptPoints::All => ([0; 4], at.len()),
            KeptPoints::Four => choose_four(at.len(), |k| at[k].1, |k| -at[k].2, normal),
        };
        let pose = self.poses[usize::from(of_b)];
        let [own, other] = if of_b { [self.b.margin, self.a.margin] } else { [self.a.margin, self.b.margin] };
        for k in 0..count {
            let (v, p, h) = at[if self.options.points == KeptPoints::All { k } else { chosen[k] }];
            let points = [p - normal * (h - own), p - normal * other].map(|x| pose.apply(x));
            let elements = [Element::Surface, Element::Vertex(body.vertex_id(v).unwrap_or(v))];
            let (points, elements) =
                if of_b { ([points[1], points[0]], [elements[1], elements[0]]) } else { (points, elements) };
            out.push(ContactPoint::new(points, margins - h, self.features(elements)));
        }
        let up = pose.rotate(normal);
        let interval = Interval { lower: -lowest - noise, upper: -lowest + noise };
        out.close(self.pieces, if of_b { -up } else { up }, interval, DepthKind::Exact);
    }

    fn features(&self, elements: [Element; 2]) -> [Feature; 2] {
        let [a, b] = elements;
        [Feature::Convex { piece: self.pieces[0], element: a }, Feature::Convex { piece: self.pieces[1], element: b }]
    }

    /// Adds a point given in `a`'s frame.
    fn push(&self, points: [DVec3; 2], depth: f64, elements: [Element; 2], out: &mut Manifolds) {
        let points = points.map(|x| self.poses[0].apply(x));
        out.push(ContactPoint::new(points, depth, self.features(elements)));
    }

    fn close(&self, normal: DVec3, interval: Interval, kind: DepthKind, out: &mut Manifolds) {
        out.close(self.pieces, self.poses[0].rotate(normal), interval, kind);
    }
}

/// A face of `a`, or of `b`, and the other body.
fn reference<'m>(pair: &Polyhedra<'m>, of_b: bool, face: u32) -> ReferenceFace<'m> {
    match of_b {
        false => ReferenceFace { body: pair.a, face, other: pair.b, place: pair.b_in_a },
        true => ReferenceFace { body: pair.b, face, other: pair.a, place: pair.b_in_a.inverse() },
    }
}

/// The face that looks most along a direction of the body's own frame, and the cosine.
fn facing(body: &Convex, own: DVec3) -> (u32, f64) {
    let mut best = (NONE, f64::NEG_INFINITY);
    for (f, face) in body.faces().iter().enumerate() {
        let cosine = face.normal.dot(own);
        if cosine > best.1 {
            best = (f as u32, cosine);
        }
    }
    best
}
