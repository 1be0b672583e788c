//! Which primitives of two bodies touch, and where: triangles of meshes, pieces of parts, whole convex bodies.

use std::ops::ControlFlow;

use glam::DVec3;
use smallvec::{SmallVec, smallvec};

use super::dispatch::Query;
use super::memory::Memory;
use crate::answer::{Contact, Containment, Points, Stats};
use crate::math::{Interval, Relative};
use crate::model::Mesh;
use crate::model::round::Core;
use crate::narrow::body::BodyKind;
use crate::narrow::context::Context;
use crate::narrow::convex::closest;
use crate::narrow::convex::polyhedra::Polyhedra;
use crate::narrow::convex::witnesses::ConvexGap;
use crate::narrow::convex::{half_space, manifold};
use crate::narrow::depth::convex_depth;
use crate::narrow::mesh::mesh_query::MeshQuery;
use crate::narrow::mesh::{mesh_contact, mesh_solid};
use crate::narrow::outcome::Outcome;
use crate::narrow::parts::parts_pair;
use crate::narrow::parts::parts_pair::PartsTrees;
use crate::narrow::solid::Solid;
use crate::threads::share;
use crate::tree::nodes::SERIAL;

/// Pairs of primitives, by their indices. Two are kept without an allocation.
///
/// ```
/// use impinge::{Limit, Model, Pose, Round};
/// let ball = Model::from(Round::sphere(1.0)?);
/// let contacts = impinge::contacts(&ball, &Pose::IDENTITY, &ball, &Pose::IDENTITY, Limit::All);
/// // It is a slice of pairs: the first index is of `a`, the second of `b`.
/// assert_eq!(contacts.pairs.to_vec(), [[0, 0]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(transparent))]
pub struct Pairs(SmallVec<[[u32; 2]; 2]>);

impl std::ops::Deref for Pairs {
    type Target = [[u32; 2]];

    fn deref(&self) -> &[[u32; 2]] {
        &self.0
    }
}

impl Pairs {
    pub(crate) fn sort_unstable(&mut self) {
        if self.0.len() > SERIAL { share::sort(&mut self.0) } else { self.0.sort_unstable() }
    }
}

/// What touches.
#[derive(Debug, Clone, Default)]
pub(crate) struct Touching {
    pub(crate) pairs: Pairs,
    pub(crate) contained: Option<Containment>,
}

impl Query<'_> {
    /// Up to `limit` pairs of primitives nearer than `envelope`.
    pub(crate) fn touching(&self, limit: usize, envelope: f64, cx: Context<'_, Memory>) -> Touching {
        match self.bodies() {
            [BodyKind::Mesh(a), BodyKind::Mesh(b)] => {
                touching_triangles(&MeshQuery::new(a, b, &self.b_in_a, self.method), limit, envelope, cx)
            }
            [BodyKind::Solid(_), BodyKind::Solid(_)] => {
                let touches = self.nearest(envelope, cx).is_within(envelope);
                let pairs = if touches && limit > 0 { Pairs(smallvec![[0, 0]]) } else { Pairs::default() };
                Touching { pairs, contained: None }
            }
            [a, b] => self.touching_pieces([a, b], limit, envelope, cx),
        }
    }

    fn touching_pieces(
        &self,
        [a, b]: [BodyKind<'_>; 2],
        limit: usize,
        envelope: f64,
        cx: Context<'_, Memory>,
    ) -> Touching {
        let trees = PartsTrees { a, b };
        let mut touching = Touching::default();
        let mut walk = std::mem::take(&mut cx.memory.walk);
        let near = |nodes: [u32; 2], slack: f64| {
            let enough = envelope + slack;
            self.at_nodes(nodes, enough, cx.memory).is_within(enough)
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
        let _ = parts_pair::contacts(&trees, near, each, &mut walk, cx.stats);
        cx.memory.walk = walk;
        if !touching.pairs.is_empty() {
            touching.contained = None;
        }
        touching
    }

    /// The contact of two primitives that touch.
    pub(crate) fn contact(&self, [i, j]: [u32; 2], envelope: f64) -> Option<Contact> {
        let [a, b] = self.bodies();
        match [a.node(i), b.node(j)] {
            [BodyKind::Mesh(a), BodyKind::Mesh(b)] => self.contact_of_triangles(a, b, [i, j]),
            [BodyKind::Solid(a), BodyKind::Solid(b)] => {
                let contact = self.contact_of_solids([&a, &b], envelope)?;
                Some(Contact { pair: [i, j], ..contact })
            }
            [BodyKind::Mesh(mesh), BodyKind::Solid(solid)] => {
                let (witness, normal) = mesh_solid::contact(mesh, mesh.place(i)?, &solid, &self.b_in_a)?;
                Some(Contact { pair: [i, j], points: Points::from_iter([witness.points]), normal, depth: None })
            }
            [BodyKind::Solid(solid), BodyKind::Mesh(mesh)] => {
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
        let deep = convex_depth::depth([a, b], &self.b_in_a, self.method, Context::new(&mut memory.solids, stats));
        let (normal, witness, interval) = match deep {
            Some(deep) => (deep.normal, deep.witness, Interval { lower: deep.lower, upper: deep.upper }),
            None => {
                match closest::nearest(
                    [a, b],
                    &self.b_in_a,
                    f64::INFINITY,
                    self.method,
                    Context::new(&mut memory.solids, stats),
                ) {
                    Outcome::Apart(ConvexGap { witness: near, .. }) => {
                        ((near.points[1] - near.points[0]).normalize_or_zero(), near, Interval::ZERO)
                    }
                    _ => return None,
                }
            }
        };
        let points = match (a.core, b.core) {
            (Core::Polyhedron(p), Core::Polyhedron(q)) => {
                let pair = Polyhedra { a: p, b: q, b_in_a: self.b_in_a };
                let above = envelope + a.margin + b.margin + pair.noise(0.0);
                let cores = [witness.points[0] - normal * a.margin, witness.points[1] + normal * b.margin];
                let points = manifold::manifold(&pair, normal, above, cores);
                points.iter().map(|[x, y]| [*x + normal * a.margin, *y - normal * b.margin]).collect()
            }
            (Core::HalfSpace { normal: up, offset }, Core::Polyhedron(q)) => {
                let above = envelope + a.margin + b.margin;
                let points = half_space::footprint(up, offset, q, &self.b_in_a, above);
                points.iter().map(|[x, y]| [*x + normal * a.margin, *y - normal * b.margin]).collect()
            }
            (Core::Polyhedron(p), Core::HalfSpace { normal: up, offset }) => {
                let above = envelope + a.margin + b.margin;
                let points = half_space::footprint(up, offset, p, &self.b_in_a.inverse(), above);
                let place = |x: DVec3| self.b_in_a.apply(x);
                points.iter().map(|[y, x]| [place(*x) + normal * a.margin, place(*y) - normal * b.margin]).collect()
            }
            _ => Points::default(),
        };
        let points = if points.is_empty() { Points::from_iter([witness.points]) } else { points };
        Some(Contact { pair: [0, 0], points, normal, depth: Some(interval) })
    }
}

/// Primitives of two bodies that come as near as `envelope`, and whether the one holds the other: triangles of meshes;
/// `None` stands for the body itself.
type Primitives = (Vec<[Option<u32>; 2]>, Option<Containment>);

fn primitives(bodies: [BodyKind<'_>; 2], b_in_a: &Relative, envelope: f64, limit: usize) -> Primitives {
    let stats = &mut Stats::default();
    match bodies {
        [BodyKind::Mesh(mesh), BodyKind::Solid(solid)] => {
            let (places, contained) = mesh_solid::touching(mesh, &solid, b_in_a, envelope, limit, stats);
            let ids = places.iter().flat_map(|&place| mesh.all_at(place)).take(limit);
            (ids.map(|id| [Some(id), None]).collect(), contained)
        }
        [BodyKind::Solid(solid), BodyKind::Mesh(mesh)] => {
            let (places, contained) = mesh_solid::touching(mesh, &solid, &b_in_a.inverse(), envelope, limit, stats);
            let ids = places.iter().flat_map(|&place| mesh.all_at(place)).take(limit);
            (ids.map(|id| [None, Some(id)]).collect(), contained.map(Containment::swapped))
        }
        _ => (vec![[None; 2]], None),
    }
}

fn touching_triangles(query: &MeshQuery<'_>, limit: usize, envelope: f64, mut cx: Context<'_, Memory>) -> Touching {
    let places = match envelope {
        0.0 => query.touching(limit, cx.part(Memory::of_meshes)),
        _ => query.near(envelope, limit, cx.part(Memory::of_meshes)),
    };
    let mut pairs = Vec::with_capacity(places.len());
    for [i, j] in places {
        let rest = limit - pairs.len();
        pairs.extend(query.a.all_at(i).flat_map(|a| query.b.all_at(j).map(move |b| [a, b])).take(rest));
    }
    let contained = if pairs.is_empty() && limit > 0 { query.containment(cx.stats) } else { None };
    Touching { pairs: Pairs(SmallVec::from_vec(pairs)), contained }
}
