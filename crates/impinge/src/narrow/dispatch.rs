//! The grid of pairs: which engine answers which question about which two models.

use glam::DVec3;
use smallvec::{SmallVec, smallvec};

use super::mesh_query::{Closest, MeshMemory, MeshQuery};
use super::stand::{Recollection, Solid, Stand, Witnesses, stand};
use super::depth::{self, Workshop};
use super::{Method, Polyhedra, manifold, mesh_contact};
use crate::answer::{Contact, Containment, DepthKind, Feature, Points, Semantics, Stats, Witness};
use crate::math::{Interval, Relative};
use crate::model::{Core, Model};

/// What is remembered between queries. It speeds the next one up and never changes its answer.
#[derive(Debug, Clone, Default)]
pub(crate) struct Memory {
    pub(crate) meshes: MeshMemory,
    pub(crate) solids: Recollection,
    /// Boxed: most pairs are never asked how deep they are.
    pub(crate) workshop: Workshop,
}

impl Memory {
    pub(crate) fn forget(&mut self) {
        self.meshes.forget();
        self.solids = Recollection::default();
        self.workshop.forget();
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

impl Query<'_> {
    pub(crate) fn semantics(&self) -> Semantics {
        let solid = |model: &Model| match model {
            Model::Mesh(mesh) => mesh.is_solid(),
            _ => true,
        };
        if solid(self.a) || solid(self.b) { Semantics::Solid } else { Semantics::Surface }
    }

    /// How near they are; beyond `enough` that need not be known. At 0 it is asked whether they touch.
    pub(crate) fn nearest(&self, enough: f64, memory: &mut Memory, stats: &mut Stats) -> Answer {
        if let (Model::Mesh(a), Model::Mesh(b)) = (self.a, self.b) {
            let query = MeshQuery::new(a, b, &self.b_in_a, self.method);
            let closest = match enough {
                0.0 => query.touch(&mut memory.meshes, stats),
                f64::INFINITY => query.closest(None, &mut memory.meshes, stats),
                _ => query.closest(Some(enough), &mut memory.meshes, stats),
            };
            return of_meshes(&query, closest);
        }
        match (Solid::of(self.a), Solid::of(self.b)) {
            (Some(a), Some(b)) => {
                of_solids(stand([&a, &b], &self.b_in_a, enough, self.method, &mut memory.solids, stats))
            }
            _ => Answer::Nothing,
        }
    }

    /// Up to `limit` pairs of primitives nearer than `envelope`.
    pub(crate) fn touching(&self, limit: usize, envelope: f64, memory: &mut Memory, stats: &mut Stats) -> Touching {
        if let (Model::Mesh(a), Model::Mesh(b)) = (self.a, self.b) {
            let query = MeshQuery::new(a, b, &self.b_in_a, self.method);
            return touching_triangles(&query, limit, memory, stats);
        }
        let touches = match self.nearest(envelope, memory, stats) {
            Answer::Nothing => false,
            Answer::Apart(interval, _) => envelope > 0.0 && interval.lower <= envelope,
            _ => true,
        };
        let pairs = if touches && limit > 0 { Pairs(smallvec![[0, 0]]) } else { Pairs::default() };
        Touching { pairs, contained: None }
    }

    /// The contact of two primitives that touch.
    pub(crate) fn contact(&self, [i, j]: [u32; 2], envelope: f64) -> Option<Contact> {
        if let (Model::Mesh(a), Model::Mesh(b)) = (self.a, self.b) {
            let query = MeshQuery::new(a, b, &self.b_in_a, self.method);
            let places = [a.place(i)?, b.place(j)?];
            let mut contact = mesh_contact::contact(query.placed()?, places);
            if a.copies(places[0]).iter().any(|c| c.id == i && c.is_flipped()) {
                contact.normal = -contact.normal;
            }
            contact.pair = [i, j];
            return Some(contact);
        }
        let (a, b) = (Solid::of(self.a)?, Solid::of(self.b)?);
        self.contact_of_solids([&a, &b], envelope)
    }

    fn contact_of_solids(&self, [a, b]: [&Solid<'_>; 2], envelope: f64) -> Option<Contact> {
        let (memory, stats) = (&mut Memory::default(), &mut Stats::default());
        let deep = depth::depth([a, b], &self.b_in_a, self.method, &mut memory.solids, &mut memory.workshop, stats);
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
        let (a, b) = (Solid::of(self.a)?, Solid::of(self.b)?);
        let (solids, workshop) = (&mut memory.solids, &mut memory.workshop);
        let deep = depth::depth([&a, &b], &self.b_in_a, self.method, solids, workshop, stats)?;
        Some(Deepest {
            interval: Interval { lower: deep.lower, upper: deep.upper },
            normal: deep.normal,
            witness: Some(of_convex(deep.witness)),
            kind: deep.kind,
        })
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
