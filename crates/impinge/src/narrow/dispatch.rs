//! The grid of pairs: which engine answers which question about which two models.
//!
//! | | mesh | convex or round | parts |
//! |---|---|---|---|
//! | **mesh** | both trees in tandem | the mesh's tree, GJK on triangles | each part, by the tree of parts |
//! | **convex or round** | | the convex engines ([`super::stand`], [`super::depth`]) | as one part |
//! | **parts** | | | both trees of parts |

use std::ops::ControlFlow;

use glam::DVec3;
use smallvec::{SmallVec, smallvec};

use super::mesh_query::{Closest, MeshMemory, MeshQuery};
use super::stand::{Recollection, Solid, Stand, Witnesses, stand, tracked};
use super::depth::{self, Escape};
use super::mesh_solid::{self, Meeting};
use super::parts_depth::{self, Exit};
use super::parts_pair::{self, Ask, Gap, Pieces, Trees, Walk};
use super::{Method, Polyhedra, manifold, mesh_contact};
use crate::answer::{Contact, Containment, DepthKind, Feature, Points, Semantics, Stats, Witness};
use crate::math::{Interval, Relative};
use crate::model::{Convex, Core, Mesh, Model, Parts};

/// What is remembered between queries. It speeds the next one up and never changes its answer.
#[derive(Debug, Clone, Default)]
pub(crate) struct Memory {
    pub(crate) meshes: MeshMemory,
    pub(crate) solids: Recollection,
    walk: Walk,
    /// Pieces that were last closest or touching.
    pieces: Option<[u32; 2]>,
    escape: Escape,
}

impl Memory {
    pub(crate) fn forget(&mut self) {
        self.meshes.forget();
        self.solids = Recollection::default();
        self.pieces = None;
        self.escape = Escape::default();
    }
}

/// Pairs of primitives, by their indices. Two are kept without an allocation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pairs(SmallVec<[[u32; 2]; 2]>);

impl std::ops::Deref for Pairs {
    type Target = [[u32; 2]];

    fn deref(&self) -> &[[u32; 2]] {
        &self.0
    }
}

impl Pairs {
    pub(crate) fn sort_unstable(&mut self) {
        self.0.sort_unstable();
    }
}

/// What touches.
#[derive(Debug, Clone, Default)]
pub(crate) struct Touching {
    pub(crate) pairs: Pairs,
    pub(crate) contained: Option<Containment>,
}

/// The way out of bodies that overlap, in `a`'s frame.
#[derive(Debug, Clone)]
pub(crate) struct Deepest {
    pub(crate) interval: Interval,
    pub(crate) normal: DVec3,
    pub(crate) witness: Option<Witness>,
    pub(crate) kind: DepthKind,
}

/// How two bodies stand to each other; points and directions are in `a`'s frame.
#[derive(Debug, Clone)]
pub(crate) enum Answer {
    /// One body is empty, or they are farther apart than was asked.
    Nothing,
    Apart(Interval, Witness),
    /// Surfaces have a common point, in these triangles.
    Surfaces(Contact, [Feature; 2]),
    Contained(Containment),
    /// Convex bodies have a common point.
    Common(Witness),
}

/// Two models, one placed relative to the other, and who answers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Query<'q> {
    pub(crate) a: &'q Model,
    pub(crate) b: &'q Model,
    pub(crate) b_in_a: Relative,
    pub(crate) method: Method,
}

/// A body as the grid sees it.
#[derive(Debug, Clone, Copy)]
enum Body<'m> {
    Mesh(&'m Mesh),
    Solid(Solid<'m>),
    Parts(&'m Parts),
}

impl<'m> Body<'m> {
    fn of(model: &'m Model) -> Body<'m> {
        match model {
            Model::Mesh(mesh) => Body::Mesh(mesh),
            Model::Parts(parts) => Body::Parts(parts),
            Model::Convex(convex) => Body::Solid(Solid::polyhedron(convex)),
            Model::Round(round) => Body::Solid(Solid { core: round.core(), margin: round.margin() }),
        }
    }

    /// The hull or piece at a node of the tree of parts; other bodies have one node.
    fn node(self, node: u32) -> Body<'m> {
        match self {
            Body::Parts(parts) => Body::Solid(Solid::polyhedron(parts.body(node))),
            other => other,
        }
    }

    fn pieces(self) -> Pieces<'m> {
        if let Body::Parts(parts) = self { Pieces::Many(parts) } else { Pieces::One }
    }

    /// A mesh by its hull; `None` where it has none.
    fn hulled(self) -> Option<Body<'m>> {
        match self {
            Body::Mesh(mesh) => mesh.hull().map(|hull| Body::Solid(Solid::polyhedron(hull))),
            other => Some(other),
        }
    }
}

impl<'q> Query<'q> {
    pub(crate) fn semantics(&self) -> Semantics {
        let solid = |model: &Model| match model {
            Model::Mesh(mesh) => mesh.is_solid(),
            Model::Convex(_) | Model::Round(_) | Model::Parts(_) => true,
        };
        if solid(self.a) || solid(self.b) { Semantics::Solid } else { Semantics::Surface }
    }

    fn bodies(&self) -> [Body<'q>; 2] {
        [Body::of(self.a), Body::of(self.b)]
    }

    /// How near they are; beyond `enough` that need not be known. At 0 it is asked whether they touch.
    pub(crate) fn nearest(&self, enough: f64, memory: &mut Memory, stats: &mut Stats) -> Answer {
        let [a, b] = self.bodies();
        match (a, b) {
            (Body::Parts(_), _) | (_, Body::Parts(_)) => self.nearest_parts(enough, memory, stats),
            _ => simple([a, b], &self.b_in_a, enough, self.method, memory, stats),
        }
    }

    /// As [`Query::nearest`] without a limit, for polyhedra whose closest features are remembered and still apart.
    #[inline(always)]
    pub(crate) fn tracked(&self, memory: &mut Memory, stats: &mut Stats) -> Option<(Interval, Witness)> {
        let (Model::Convex(a), Model::Convex(b), Method::Auto) = (self.a, self.b, self.method) else { return None };
        let pair = Polyhedra { a, b, b_in_a: self.b_in_a };
        let near = tracked(&pair, &mut memory.solids, stats)?;
        let features = pair.elements(near.cells).map(|element| Feature::Convex { piece: 0, element });
        Some((pair.interval(near.distance(), f64::INFINITY), Witness { points: near.points, features }))
    }

    fn nearest_parts(&self, enough: f64, memory: &mut Memory, stats: &mut Stats) -> Answer {
        let bodies = self.bodies();
        let trees = Trees { a: bodies[0].pieces(), b: bodies[1].pieces() };
        let mut walk = std::mem::take(&mut memory.walk);
        let test = |nodes: [u32; 2], cutoff: f64| {
            let answer = self.at_nodes(nodes, cutoff, &mut memory.meshes);
            let (lower, upper) = match &answer {
                Answer::Nothing => (f64::INFINITY, f64::INFINITY),
                Answer::Apart(interval, _) => (interval.lower, interval.upper),
                _ => (0.0, 0.0),
            };
            Gap { lower, upper, near: answer }
        };
        let ask = Ask { within: enough, enough: -1.0, seed: memory.pieces };
        let closest = parts_pair::distance(&trees, &ask, test, &mut walk, stats);
        memory.walk = walk;
        let Some((pieces, answer)) = closest.best else { return Answer::Nothing };
        memory.pieces = Some(pieces);
        match answer.with_pieces(pieces) {
            Answer::Apart(interval, witness) => {
                Answer::Apart(Interval { lower: interval.lower.min(closest.lower), ..interval }, witness)
            }
            other => other,
        }
    }

    /// How near two nodes are: pieces, hulls, or bodies that are no trees.
    fn at_nodes(&self, [i, j]: [u32; 2], enough: f64, meshes: &mut MeshMemory) -> Answer {
        let [a, b] = self.bodies();
        let mut memory = Memory { meshes: std::mem::take(meshes), ..Memory::default() };
        let pair = [a.node(i), b.node(j)];
        let answer = simple(pair, &self.b_in_a, enough, self.method, &mut memory, &mut Stats::default());
        *meshes = memory.meshes;
        answer
    }

    /// Up to `limit` pairs of primitives nearer than `envelope`.
    pub(crate) fn touching(&self, limit: usize, envelope: f64, memory: &mut Memory, stats: &mut Stats) -> Touching {
        match self.bodies() {
            [Body::Mesh(a), Body::Mesh(b)] if envelope == 0.0 => {
                touching_triangles(&MeshQuery::new(a, b, &self.b_in_a, self.method), limit, memory, stats)
            }
            [Body::Solid(_), Body::Solid(_)] => {
                let touches = self.nearest(envelope, memory, stats).is_within(envelope);
                let pairs = if touches && limit > 0 { Pairs(smallvec![[0, 0]]) } else { Pairs::default() };
                Touching { pairs, contained: None }
            }
            [a, b] => self.touching_pieces([a, b], limit, envelope, memory, stats),
        }
    }

    fn touching_pieces(
        &self,
        [a, b]: [Body<'_>; 2],
        limit: usize,
        envelope: f64,
        memory: &mut Memory,
        stats: &mut Stats,
    ) -> Touching {
        let trees = Trees { a: a.pieces(), b: b.pieces() };
        let mut touching = Touching::default();
        let mut walk = std::mem::take(&mut memory.walk);
        let near = |nodes: [u32; 2], slack: f64| {
            let enough = envelope + slack;
            self.at_nodes(nodes, enough, &mut memory.meshes).is_within(enough)
        };
        let each = |[i, j]: [u32; 2]| {
            let rest = limit - touching.pairs.len();
            if rest == 0 {
                return ControlFlow::Break(());
            }
            let (pairs, contained) = primitives([a.node(i), b.node(j)], &self.b_in_a, envelope, rest);
            touching.pairs.0.extend(pairs.into_iter().map(|[x, y]| [x.unwrap_or(i), y.unwrap_or(j)]));
            touching.contained = touching.contained.or(contained);
            ControlFlow::Continue(())
        };
        let _ = parts_pair::contacts(&trees, near, each, &mut walk, stats);
        memory.walk = walk;
        if !touching.pairs.is_empty() {
            touching.contained = None;
        }
        touching
    }

    /// The contact of two primitives that touch.
    pub(crate) fn contact(&self, [i, j]: [u32; 2], envelope: f64) -> Option<Contact> {
        let [a, b] = self.bodies();
        match [a.node(i), b.node(j)] {
            [Body::Mesh(a), Body::Mesh(b)] => self.contact_of_triangles(a, b, [i, j]),
            [Body::Solid(a), Body::Solid(b)] => {
                let contact = self.contact_of_solids([&a, &b], envelope)?;
                Some(Contact { pair: [i, j], ..contact })
            }
            [Body::Mesh(mesh), Body::Solid(solid)] => {
                let (witness, normal) = mesh_solid::contact(mesh, mesh.place(i)?, &solid, &self.b_in_a)?;
                Some(Contact { pair: [i, j], points: Points::from_iter([witness.points]), normal, depth: None })
            }
            [Body::Solid(solid), Body::Mesh(mesh)] => {
                let (witness, normal) = mesh_solid::contact(mesh, mesh.place(j)?, &solid, &self.b_in_a.inverse())?;
                let [q, p] = witness.points.map(|x| self.b_in_a.apply(x));
                let normal = -(self.b_in_a.rotation * normal);
                Some(Contact { pair: [i, j], points: Points::from_iter([[p, q]]), normal, depth: None })
            }
            _ => None,
        }
    }

    fn contact_of_triangles(&self, a: &Mesh, b: &Mesh, [i, j]: [u32; 2]) -> Option<Contact> {
        let query = MeshQuery::new(a, b, &self.b_in_a, self.method);
        let places = [a.place(i)?, b.place(j)?];
        let mut contact = mesh_contact::contact(query.placed()?, places);
        if a.copies(places[0]).iter().any(|c| c.id == i && c.is_flipped()) {
            contact.normal = -contact.normal;
        }
        contact.pair = [i, j];
        Some(contact)
    }

    fn contact_of_solids(&self, [a, b]: [&Solid<'_>; 2], envelope: f64) -> Option<Contact> {
        let (memory, stats) = (&mut Memory::default(), &mut Stats::default());
        let deep = depth::depth([a, b], &self.b_in_a, self.method, &mut memory.solids, &mut memory.escape, stats);
        let (normal, witness, interval) = match deep {
            Some(deep) => (deep.normal, deep.witness, Interval { lower: deep.lower, upper: deep.upper }),
            None => match stand([a, b], &self.b_in_a, f64::INFINITY, self.method, &mut memory.solids, stats) {
                Stand::Apart { near, .. } => {
                    ((near.points[1] - near.points[0]).normalize_or_zero(), near, Interval::ZERO)
                }
                _ => return None,
            },
        };
        let points = match (a.core, b.core) {
            (Core::Polyhedron(p), Core::Polyhedron(q)) => {
                let pair = Polyhedra { a: p, b: q, b_in_a: self.b_in_a };
                let above = envelope + a.margin + b.margin + pair.noise(0.0);
                let cores = [witness.points[0] - normal * a.margin, witness.points[1] + normal * b.margin];
                let points = manifold::manifold(&pair, normal, above, cores);
                points.iter().map(|[x, y]| [*x + normal * a.margin, *y - normal * b.margin]).collect()
            }
            _ => Points::from_iter([witness.points]),
        };
        Some(Contact { pair: [0, 0], points, normal, depth: Some(interval) })
    }

    /// The least translation that separates them; `None` when they are apart.
    pub(crate) fn deepest(&self, memory: &mut Memory, stats: &mut Stats) -> Option<Deepest> {
        let [a, b] = self.bodies();
        if let (Body::Solid(a), Body::Solid(b)) = (a, b) {
            return self.deepest_solids([&a, &b], memory, stats);
        }
        if !self.nearest(0.0, memory, stats).is_within(0.0) {
            return None;
        }
        let inexact = [a, b].iter().any(|body| matches!(body, Body::Mesh(mesh) if !(mesh.is_solid() && mesh.is_convex())));
        let beyond = Deepest {
            interval: Interval { lower: 0.0, upper: f64::INFINITY },
            normal: DVec3::X,
            witness: None,
            kind: DepthKind::UpperBound,
        };
        let (Some(a), Some(b)) = (a.hulled(), b.hulled()) else { return Some(beyond) };
        let deep = match (a, b) {
            (Body::Solid(a), Body::Solid(b)) => self.deepest_solids([&a, &b], memory, stats),
            _ => self.deepest_parts([a, b], memory, stats),
        };
        // Touching decided exactly for the bodies, and not for their hulls: no depth that could be told.
        let deep = deep.unwrap_or(Deepest { interval: Interval::ZERO, witness: None, ..beyond });
        if !inexact {
            return Some(deep);
        }
        Some(Deepest { interval: Interval { lower: 0.0, ..deep.interval }, kind: DepthKind::UpperBound, ..deep })
    }

    fn deepest_solids(&self, [a, b]: [&Solid<'_>; 2], memory: &mut Memory, stats: &mut Stats) -> Option<Deepest> {
        let (solids, escape) = (&mut memory.solids, &mut memory.escape);
        let deep = depth::depth([a, b], &self.b_in_a, self.method, solids, escape, stats)?;
        Some(Deepest {
            interval: Interval { lower: deep.lower, upper: deep.upper },
            normal: deep.normal,
            witness: Some(of_convex(deep.witness)),
            kind: deep.kind,
        })
    }

    fn deepest_parts(&self, [a, b]: [Body<'_>; 2], memory: &mut Memory, stats: &mut Stats) -> Option<Deepest> {
        let trees = Trees { a: a.pieces(), b: b.pieces() };
        let solids = |[i, j]: [u32; 2]| match [a.node(i), b.node(j)] {
            [Body::Solid(a), Body::Solid(b)] => Some([a, b]),
            _ => None,
        };
        let moved = |shift: DVec3| Relative { translation: self.b_in_a.translation + shift, ..self.b_in_a };
        let near = |nodes: [u32; 2], length: f64, shift: DVec3| {
            let Some([a, b]) = solids(nodes) else { return false };
            let (memory, stats) = (&mut Recollection::default(), &mut Stats::default());
            match stand([&a, &b], &moved(shift), length, self.method, memory, stats) {
                Stand::Beyond => false,
                Stand::Apart { lower, .. } => length > 0.0 && lower <= length,
                Stand::Overlap(_) => true,
            }
        };
        let depth = |nodes: [u32; 2], shift: DVec3| {
            let [a, b] = solids(nodes)?;
            let (memory, escape, stats) = (&mut Recollection::default(), &mut Escape::default(), &mut Stats::default());
            let deep = depth::depth([&a, &b], &moved(shift), self.method, memory, escape, stats)?;
            Some(Exit { normal: deep.normal, lower: deep.lower, depth: deep.upper })
        };
        let deep = parts_depth::penetration(&trees, near, depth, &mut memory.walk, stats)?;
        Some(Deepest {
            interval: Interval { lower: deep.lower, upper: deep.upper },
            normal: deep.direction,
            witness: None,
            kind: DepthKind::PerPiece,
        })
    }
}

/// How near two bodies are that are no trees of parts.
fn simple(
    bodies: [Body<'_>; 2],
    b_in_a: &Relative,
    enough: f64,
    method: Method,
    memory: &mut Memory,
    stats: &mut Stats,
) -> Answer {
    match bodies {
        [Body::Mesh(a), Body::Mesh(b)] => {
            let query = MeshQuery::new(a, b, b_in_a, method);
            let closest = match enough {
                0.0 => query.touch(&mut memory.meshes, stats),
                f64::INFINITY => query.closest(None, &mut memory.meshes, stats),
                _ => query.closest(Some(enough), &mut memory.meshes, stats),
            };
            of_meshes(&query, closest)
        }
        [Body::Solid(a), Body::Solid(b)] => {
            of_solids(stand([&a, &b], b_in_a, enough, method, &mut memory.solids, stats))
        }
        [Body::Mesh(mesh), Body::Solid(solid)] => of_mesh(mesh_solid::nearest(mesh, &solid, b_in_a, enough, stats)),
        [Body::Solid(solid), Body::Mesh(mesh)] => {
            of_mesh(mesh_solid::nearest(mesh, &solid, &b_in_a.inverse(), enough, stats)).seen_from_b(b_in_a)
        }
        _ => Answer::Nothing,
    }
}

/// Primitives of two bodies that come as near as `envelope`, and whether the one holds the other: triangles of meshes;
/// `None` stands for the body itself.
type Primitives = (Vec<[Option<u32>; 2]>, Option<Containment>);

fn primitives(bodies: [Body<'_>; 2], b_in_a: &Relative, envelope: f64, limit: usize) -> Primitives {
    let stats = &mut Stats::default();
    match bodies {
        [Body::Mesh(mesh), Body::Solid(solid)] => {
            let (places, contained) = mesh_solid::touching(mesh, &solid, b_in_a, envelope, limit, stats);
            let ids = places.iter().flat_map(|&place| mesh.all_at(place)).take(limit);
            (ids.map(|id| [Some(id), None]).collect(), contained)
        }
        [Body::Solid(solid), Body::Mesh(mesh)] => {
            let (places, contained) = mesh_solid::touching(mesh, &solid, &b_in_a.inverse(), envelope, limit, stats);
            let ids = places.iter().flat_map(|&place| mesh.all_at(place)).take(limit);
            (ids.map(|id| [None, Some(id)]).collect(), contained.map(Containment::swapped))
        }
        [Body::Mesh(a), Body::Mesh(b)] => near_triangles(a, b, b_in_a, envelope, limit),
        _ => (vec![[None; 2]], None),
    }
}

/// Pairs of triangles of two meshes that come as near as `envelope`: each triangle of `a` in turn against `b`'s tree.
fn near_triangles(a: &Mesh, b: &Mesh, b_in_a: &Relative, envelope: f64, limit: usize) -> Primitives {
    let (mut pairs, back, stats) = (Vec::new(), b_in_a.inverse(), &mut Stats::default());
    for place in 0..a.place_count() {
        let Ok(triangle) = Convex::hull(&a.corners(place)) else { continue };
        let rest = limit - pairs.len();
        let (near, _) = mesh_solid::touching(b, &Solid::polyhedron(&triangle), &back, envelope, rest, stats);
        for (i, j) in near.iter().flat_map(|&q| a.all_at(place).flat_map(move |i| b.all_at(q).map(move |j| (i, j)))) {
            if pairs.len() < limit {
                pairs.push([Some(i), Some(j)]);
            }
        }
        if pairs.len() >= limit {
            break;
        }
    }
    let contained = if pairs.is_empty() { MeshQuery::new(a, b, b_in_a, Method::Auto).containment(stats) } else { None };
    (pairs, contained)
}

impl Answer {
    /// Whether they touch, or come as near as `envelope`.
    fn is_within(&self, envelope: f64) -> bool {
        match self {
            Answer::Nothing => false,
            // Touching is decided exactly.
            Answer::Apart(interval, _) => envelope > 0.0 && interval.lower <= envelope,
            _ => true,
        }
    }

    /// Bodies exchanged, and from the frame of the one to that of the other.
    fn seen_from_b(self, b_in_a: &Relative) -> Answer {
        let turned = |w: Witness| {
            let [q, p] = w.points.map(|x| b_in_a.apply(x));
            Witness { points: [p, q], features: [w.features[1], w.features[0]] }
        };
        match self {
            Answer::Apart(interval, witness) => Answer::Apart(interval, turned(witness)),
            Answer::Common(witness) => Answer::Common(turned(witness)),
            Answer::Contained(containment) => Answer::Contained(containment.swapped()),
            other => other,
        }
    }

    /// With the pieces named in the features.
    fn with_pieces(self, pieces: [u32; 2]) -> Answer {
        let name = |w: Witness| {
            let mut features = w.features;
            for (feature, at) in features.iter_mut().zip(pieces) {
                if let Feature::Convex { piece, .. } = feature {
                    *piece = at;
                }
            }
            Witness { features, ..w }
        };
        match self {
            Answer::Apart(interval, witness) => Answer::Apart(interval, name(witness)),
            Answer::Common(witness) => Answer::Common(name(witness)),
            other => other,
        }
    }
}

fn of_mesh(meeting: Meeting) -> Answer {
    match meeting {
        Meeting::Beyond => Answer::Nothing,
        Meeting::Apart(interval, witness) => Answer::Apart(interval, witness),
        Meeting::Touches(witness) => Answer::Common(witness),
        Meeting::Contained(containment) => Answer::Contained(containment),
    }
}

fn touching_triangles(query: &MeshQuery<'_>, limit: usize, memory: &mut Memory, stats: &mut Stats) -> Touching {
    let places = query.touching(limit, &mut memory.meshes, stats);
    let mut pairs = Vec::with_capacity(places.len());
    for [i, j] in places {
        let rest = limit - pairs.len();
        pairs.extend(query.a.all_at(i).flat_map(|a| query.b.all_at(j).map(move |b| [a, b])).take(rest));
    }
    let contained = if pairs.is_empty() && limit > 0 { query.containment(stats) } else { None };
    Touching { pairs: Pairs(SmallVec::from_vec(pairs)), contained }
}

fn of_convex(w: Witnesses) -> Witness {
    Witness { points: w.points, features: w.elements.map(|element| Feature::Convex { piece: 0, element }) }
}

fn of_meshes(query: &MeshQuery<'_>, closest: Closest) -> Answer {
    let Some(placed) = query.placed() else { return Answer::Nothing };
    match closest {
        Closest::Nothing => Answer::Nothing,
        Closest::Contained(containment) => Answer::Contained(containment),
        Closest::Overlap(places) => {
            let contact = mesh_contact::contact(placed, places);
            let features = contact.pair.map(|triangle| Feature::Face { triangle });
            Answer::Surfaces(contact, features)
        }
        Closest::Apart(found) => {
            let interval = placed.interval(found.lower.min(found.upper()), found.upper());
            Answer::Apart(interval, mesh_contact::witness(placed, &found))
        }
    }
}

fn of_solids(stand: Stand) -> Answer {
    match stand {
        Stand::Beyond => Answer::Nothing,
        Stand::Apart { lower, upper, near } => Answer::Apart(Interval { lower, upper }, of_convex(near)),
        Stand::Overlap(common) => Answer::Common(of_convex(common)),
    }
}
