//! How deep any two bodies are in each other, and what that depth is worth.
//!
//! Convex bodies have an exact depth. For bodies of parts there are bounds. For a mesh that is not convex the depth of
//! its hull is known: a translation that separates the hulls separates the bodies, but a shorter one might too. For
//! surfaces that is the answer; for solids it is where [`super::grid_mesh_depth`] begins. Against a half-space the
//! depth of the hull is exact.

use glam::DVec3;

use super::dispatch::Query;
use super::memory::Memory;
use crate::answer::{DepthKind, Stats, Witness};
use crate::math::{Interval, Relative};
use crate::model::round::Core;
use crate::narrow::body::BodyKind;
use crate::narrow::context::Context;
use crate::narrow::convex::closest;
use crate::narrow::convex::convex_memory::ConvexMemory;
use crate::narrow::convex::witnesses::ConvexGap;
use crate::narrow::depth::convex_depth;
use crate::narrow::mesh::mesh_solid;
use crate::narrow::method::Method;
use crate::narrow::outcome::Outcome;
use crate::narrow::parts::parts_depth;
use crate::narrow::parts::parts_depth::Exit;
use crate::narrow::parts::parts_pair::PartsTrees;
use crate::narrow::solid::Solid;

/// The way out of bodies that overlap, in `a`'s frame.
#[derive(Debug, Clone)]
pub(crate) struct Deepest {
    pub(crate) interval: Interval,
    pub(crate) normal: DVec3,
    pub(crate) witness: Option<Witness>,
    pub(crate) kind: DepthKind,
}

impl Query<'_> {
    /// The least translation that separates them; `None` when they are apart.
    pub(crate) fn deepest(&self, mut cx: Context<'_, Memory>) -> Option<Deepest> {
        let [a, b] = self.bodies();
        if let (BodyKind::Solid(a), BodyKind::Solid(b)) = (a, b) {
            return self.deepest_solids([&a, &b], cx);
        }
        if !self.nearest(0.0, cx.lend()).is_within(0.0) {
            return None;
        }
        let solid = |body: &BodyKind<'_>| !matches!(body, BodyKind::Mesh(mesh) if !mesh.is_solid());
        let convex = |body: &BodyKind<'_>| !matches!(body, BodyKind::Mesh(mesh) if !mesh.is_convex_solid());
        let half_space =
            |body: &BodyKind<'_>| matches!(body, BodyKind::Solid(Solid { core: Core::HalfSpace { .. }, .. }));
        let bodies = [a, b];
        let beyond = Deepest {
            interval: Interval { lower: 0.0, upper: f64::INFINITY },
            normal: DVec3::X,
            witness: None,
            kind: DepthKind::UpperBound,
        };
        let (Some(a), Some(b)) = (a.hulled(), b.hulled()) else {
            return Some(self.deepest_rescaled(cx.stats).unwrap_or(beyond));
        };
        let deep = match (a, b) {
            (BodyKind::Solid(a), BodyKind::Solid(b)) => {
                // An estimate of hulls would be no bound.
                let exact = self.method != Method::VClip || bodies.iter().all(convex);
                let method = if exact { self.method } else { Method::Auto };
                Query { method, ..*self }.deepest_solids([&a, &b], cx.lend())
            }
            _ => self.deepest_parts([a, b], cx.lend()),
        };
        // The bodies touch by the exact test, but rounding finds their hulls apart: the depth is 0.
        let Some(deep) = deep else { return Some(Deepest { interval: Interval::ZERO, ..beyond }) };
        if bodies.iter().all(convex) || bodies.iter().any(half_space) {
            return Some(deep);
        }
        if bodies.iter().all(solid) {
            return Some(self.deepest_meshes(deep, cx));
        }
        Some(Deepest { interval: Interval { lower: 0.0, ..deep.interval }, kind: DepthKind::UpperBound, ..deep })
    }

    /// A lower bound on how far a convex body lies below the surface of a mesh, which is the other body; 0 when it does
    /// not.
    pub(crate) fn buried(&self, stats: &mut Stats) -> f64 {
        match self.bodies() {
            [BodyKind::Mesh(mesh), BodyKind::Solid(solid)] => mesh_solid::buried(mesh, &solid, &self.b_in_a, stats),
            [BodyKind::Solid(solid), BodyKind::Mesh(mesh)] => {
                mesh_solid::buried(mesh, &solid, &self.b_in_a.inverse(), stats)
            }
            _ => 0.0,
        }
    }

    fn deepest_solids(&self, [a, b]: [&Solid<'_>; 2], mut cx: Context<'_, Memory>) -> Option<Deepest> {
        let deep = convex_depth::depth([a, b], &self.b_in_a, self.method, cx.part(|m| &mut m.solids))?;
        Some(Deepest {
            interval: Interval { lower: deep.lower, upper: deep.upper },
            normal: deep.normal,
            witness: Some(deep.witness.of_bodies()),
            kind: deep.kind,
        })
    }

    /// The deepest points of the deepest pieces.
    fn witness_of_pieces(&self, [a, b]: [Solid<'_>; 2], pieces: [u32; 2]) -> Option<Witness> {
        let (memory, stats) = (&mut ConvexMemory::default(), &mut Stats::default());
        let deep = convex_depth::depth([&a, &b], &self.b_in_a, Method::Auto, Context::new(memory, stats))?;
        Some(deep.witness.of_bodies().with_pieces(pieces))
    }

    pub(crate) fn deepest_parts(&self, [a, b]: [BodyKind<'_>; 2], cx: Context<'_, Memory>) -> Option<Deepest> {
        let trees = PartsTrees { a, b };
        // An estimate of pieces would be no bound.
        let method = if self.method == Method::VClip { Method::Auto } else { self.method };
        let solids = |[i, j]: [u32; 2]| match [a.node(i), b.node(j)] {
            [BodyKind::Solid(a), BodyKind::Solid(b)] => Some([a, b]),
            _ => None,
        };
        let moved = |shift: DVec3| Relative { translation: self.b_in_a.translation + shift, ..self.b_in_a };
        let near = |nodes: [u32; 2], length: f64, shift: DVec3| {
            let Some([a, b]) = solids(nodes) else { return false };
            let (memory, stats) = (&mut ConvexMemory::default(), &mut Stats::default());
            match closest::nearest([&a, &b], &moved(shift), length, method, Context::new(memory, stats)) {
                Outcome::Beyond => false,
                Outcome::Apart(ConvexGap { interval: Interval { lower, .. }, .. }) => length > 0.0 && lower <= length,
                Outcome::Touching(_) | Outcome::Contained(_) => true,
            }
        };
        let depth = |nodes: [u32; 2], shift: DVec3| {
            let [a, b] = solids(nodes)?;
            let (memory, stats) = (&mut ConvexMemory::default(), &mut Stats::default());
            let deep = convex_depth::depth([&a, &b], &moved(shift), method, Context::new(memory, stats))?;
            Some(Exit { normal: deep.normal, lower: deep.lower, depth: deep.upper })
        };
        let deep = parts_depth::penetration(&trees, near, depth, &mut cx.memory.walk, cx.stats)?;
        Some(Deepest {
            interval: Interval { lower: deep.lower, upper: deep.upper },
            normal: deep.direction,
            witness: self.witness_of_pieces(solids(deep.pieces)?, deep.pieces),
            kind: DepthKind::PerPiece,
        })
    }
}
