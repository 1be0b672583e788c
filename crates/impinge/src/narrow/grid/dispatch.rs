//! The grid of pairs: which engine answers which question about which two models.
//!
//! | | mesh | convex or round | parts |
//! |---|---|---|---|
//! | **mesh** | both trees in tandem | the mesh's tree, GJK on triangles | each part, by the tree of parts |
//! | **convex or round** | | the convex engines ([`closest`], [`convex_depth`]) | as one part |
//! | **parts** | | | both trees of parts |
//!
//! [`closest`]: crate::narrow::convex::closest
//! [`convex_depth`]: crate::narrow::depth::convex_depth

use glam::DVec3;

use crate::answer::{Contact, Containment, Feature, Semantics, Stats, Witness};
use crate::math::{Interval, Pose, Relative};
use crate::model::{Mesh, Model, Parts};
use crate::narrow::convex::closest::{Recollection, Solid, Stand, Witnesses, stand, tracked};
use crate::narrow::convex::polyhedra::Polyhedra;
use crate::narrow::depth::convex_depth::Escape;
use crate::narrow::depth::union_depth::Branches;
use crate::narrow::mesh::mesh_distance::Found;
use crate::narrow::mesh::mesh_query::{Closest, MeshMemory, MeshQuery};
use crate::narrow::mesh::mesh_solid;
use crate::narrow::mesh::mesh_solid::Meeting;
use crate::narrow::mesh::placed::placed_meshes::Placed;
use crate::narrow::mesh::{apart_by_planes, convex_meshes, mesh_contact};
use crate::narrow::method::Method;
use crate::narrow::parts::parts_pair;
use crate::narrow::parts::parts_pair::{Ask, Gap, Pieces, Trees, Walk};
use crate::narrow::precision::Precision;

/// What is remembered between queries. It speeds the next one up and never changes its answer.
#[derive(Debug, Clone, Default)]
pub(crate) struct Memory {
    /// Made when two meshes are first asked about: a pair of convex bodies has none.
    meshes: Option<Box<MeshMemory>>,
    pub(crate) solids: Recollection,
    pub(crate) walk: Walk,
    /// Pieces that were last closest or touching.
    pieces: Option<[u32; 2]>,
    pub(crate) escape: Escape,
    /// The last shift that freed a mesh.
    pub(crate) shift: Option<DVec3>,
    pub(crate) branches: Branches,
}

impl Memory {
    /// Of one thread among several that ask: a query stays on its own.
    pub(crate) fn one_of_many() -> Memory {
        Memory { meshes: Some(Box::new(MeshMemory::one_of_many())), ..Memory::default() }
    }

    /// As [`Memory::forget`], before item `first` of a list of queries.
    pub(crate) fn forget_at(&mut self, first: usize) {
        self.forget();
        self.of_meshes().begin_run(first);
    }

    pub(crate) fn of_meshes(&mut self) -> &mut MeshMemory {
        self.meshes.get_or_insert_default()
    }

    pub(crate) fn forget(&mut self) {
        if let Some(meshes) = &mut self.meshes {
            meshes.forget();
        }
        self.solids = Recollection::default();
        self.pieces = None;
        self.escape = Escape::default();
        self.shift = None;
    }
}

impl Memory {
    /// Keeps what is still about the bodies after one was replaced: places of triangles, where these are the same.
    pub(crate) fn replaced(&mut self, old: &Model, new: &Model) {
        let same = matches!((old, new), (Model::Mesh(old), Model::Mesh(new)) if new.has_layout_of(old));
        let last = self.meshes.as_ref().and_then(|meshes| meshes.last).filter(|_| same);
        self.forget();
        if let Some(meshes) = &mut self.meshes {
            meshes.last = last;
        }
    }
}

/// How two bodies stand to each other; points and directions are in `a`'s frame.
#[derive(Debug, Clone)]
#[allow(clippy::large_enum_variant, reason = "a box would be an allocation in every query")]
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
pub(crate) enum Body<'m> {
    Mesh(&'m Mesh),
    Solid(Solid<'m>),
    Parts(&'m Parts),
}

impl<'m> Body<'m> {
    pub(crate) fn of(model: &'m Model) -> Body<'m> {
        match model {
            Model::Mesh(mesh) => Body::Mesh(mesh),
            Model::Parts(parts) => Body::Parts(parts),
            Model::Convex(convex) => Body::Solid(Solid::polyhedron(convex)),
            Model::Round(round) => Body::Solid(Solid { core: round.core(), margin: round.margin() }),
        }
    }

    /// The hull or piece at a node of the tree of parts; other bodies have one node.
    pub(crate) fn node(self, node: u32) -> Body<'m> {
        match self {
            Body::Parts(parts) => Body::Solid(Solid::polyhedron(parts.body(node))),
            other => other,
        }
    }

    pub(crate) fn pieces(self) -> Pieces<'m> {
        if let Body::Parts(parts) = self { Pieces::Many(parts) } else { Pieces::One }
    }

    /// A mesh by its hull; `None` where it has none.
    pub(crate) fn hulled(self) -> Option<Body<'m>> {
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

    pub(crate) fn bodies(&self) -> [Body<'q>; 2] {
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

    /// How near they are, as exactly as asked.
    #[inline(always)]
    pub(crate) fn nearest_to(&self, precision: Precision, memory: &mut Memory, stats: &mut Stats) -> Answer {
        match self.bodies() {
            [Body::Mesh(a), Body::Mesh(b)] if precision != Precision::EXACT => {
                if self.method == Method::Auto
                    && let Some(answer) = convex_meshes::nearest([a, b], &self.b_in_a, f64::INFINITY, memory, stats)
                {
                    return answer;
                }
                let query = MeshQuery::new(a, b, &self.b_in_a, self.method);
                of_meshes(&query, query.closest(None, precision, memory.of_meshes(), stats))
            }
            _ => self.nearest(f64::INFINITY, memory, stats),
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
        let seed = memory.pieces;
        let test = |nodes: [u32; 2], cutoff: f64| {
            let answer = self.at_nodes(nodes, cutoff, memory);
            let (lower, upper) = match &answer {
                Answer::Nothing => (f64::INFINITY, f64::INFINITY),
                Answer::Apart(interval, _) => (interval.lower, interval.upper),
                _ => (0.0, 0.0),
            };
            Gap { lower, upper, near: answer }
        };
        let ask = Ask { within: enough, enough: -1.0, seed };
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
    pub(crate) fn at_nodes(&self, [i, j]: [u32; 2], enough: f64, of_all: &mut Memory) -> Answer {
        let [a, b] = self.bodies();
        let mut memory = Memory { meshes: of_all.meshes.take(), ..Memory::default() };
        let pair = [a.node(i), b.node(j)];
        let answer = simple(pair, &self.b_in_a, enough, self.method, &mut memory, &mut Stats::default());
        of_all.meshes = memory.meshes;
        answer
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
            // Who remembers near triangles asks these first, unless nothing was near the last time.
            let looks = enough == 0.0 || memory.meshes.as_ref().is_none_or(|meshes| meshes.looks(enough));
            let looks = looks && enough < f64::INFINITY && method != Method::Brute && !a.is_empty() && !b.is_empty();
            if looks && apart_by_planes::are_apart(a, b, b_in_a, enough) {
                stats.volume_tests += 1;
                return Answer::Nothing;
            }
            if method == Method::Auto
                && let Some(answer) = convex_meshes::nearest([a, b], b_in_a, enough, memory, stats)
            {
                return answer;
            }
            let query = MeshQuery::new(a, b, b_in_a, method);
            let closest = match enough {
                0.0 => query.touch(memory.of_meshes(), stats),
                f64::INFINITY => query.closest(None, Precision::EXACT, memory.of_meshes(), stats),
                _ => query.closest(Some(enough), Precision::EXACT, memory.of_meshes(), stats),
            };
            of_meshes(&query, closest)
        }
        [Body::Solid(a), Body::Solid(b)] => {
            of_solids(stand([&a, &b], b_in_a, enough, method, &mut memory.solids, stats))
        }
        [Body::Mesh(mesh), Body::Solid(solid)] => {
            of_mesh(mesh_and_solid(mesh, &solid, b_in_a, enough, method, &mut memory.solids, stats))
        }
        [Body::Solid(solid), Body::Mesh(mesh)] => {
            // What is remembered is of bodies in their order.
            let (place, memory) = (b_in_a.inverse(), &mut Recollection::default());
            of_mesh(mesh_and_solid(mesh, &solid, &place, enough, method, memory, stats)).seen_from_b(b_in_a)
        }
        _ => Answer::Nothing,
    }
}

/// How near a convex body is to a mesh: by the mesh's hull where that tells, else by its tree.
fn mesh_and_solid(
    mesh: &Mesh,
    solid: &Solid<'_>,
    place: &Relative,
    enough: f64,
    method: Method,
    memory: &mut Recollection,
    stats: &mut Stats,
) -> Meeting {
    if method == Method::Auto
        && let Some(meeting) = convex_meshes::nearest_solid(mesh, solid, place, enough, memory, stats)
    {
        return meeting;
    }
    mesh_solid::nearest(mesh, solid, place, enough, stats)
}

impl Answer {
    /// Of the triangles of two meshes, which touch.
    pub(crate) fn touching(placed: &Placed<'_>, places: [u32; 2]) -> Answer {
        let contact = mesh_contact::contact(placed, places);
        let features = contact.pair.map(|triangle| Feature::Face { triangle });
        Answer::Surfaces(contact, features)
    }

    /// Of the triangles of two meshes, which are closest.
    pub(crate) fn apart(placed: &Placed<'_>, found: &Found) -> Answer {
        let interval = placed.interval(found.lower.min(found.upper()), found.upper());
        Answer::Apart(interval, mesh_contact::witness(placed, found))
    }

    /// Whether they touch, or come as near as `envelope`.
    pub(crate) fn is_within(&self, envelope: f64) -> bool {
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
        match self {
            Answer::Apart(interval, witness) => Answer::Apart(interval, witness.with_pieces(pieces)),
            Answer::Common(witness) => Answer::Common(witness.with_pieces(pieces)),
            other => other,
        }
    }
}

impl Witness {
    /// The same in the world, where `a` stands.
    #[inline(always)]
    pub(crate) fn placed(self, pose_a: &Pose) -> Witness {
        Witness { points: self.points.map(|x| pose_a.apply(x)), ..self }
    }

    /// With the pieces named in the features.
    pub(crate) fn with_pieces(mut self, pieces: [u32; 2]) -> Witness {
        for (feature, at) in self.features.iter_mut().zip(pieces) {
            if let Feature::Convex { piece, .. } = feature {
                *piece = at;
            }
        }
        self
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

pub(crate) fn of_convex(w: Witnesses) -> Witness {
    Witness { points: w.points, features: w.elements.map(|element| Feature::Convex { piece: 0, element }) }
}

fn of_meshes(query: &MeshQuery<'_>, closest: Closest) -> Answer {
    let Some(placed) = query.placed() else { return Answer::Nothing };
    match closest {
        Closest::Nothing => Answer::Nothing,
        Closest::Contained(containment) => Answer::Contained(containment),
        Closest::Overlap(places) => Answer::touching(placed, places),
        Closest::Apart(found) => Answer::apart(placed, &found),
    }
}

fn of_solids(stand: Stand) -> Answer {
    match stand {
        Stand::Beyond => Answer::Nothing,
        Stand::Apart { lower, upper, near } => Answer::Apart(Interval { lower, upper }, of_convex(near)),
        Stand::Overlap(common) => Answer::Common(of_convex(common)),
    }
}
