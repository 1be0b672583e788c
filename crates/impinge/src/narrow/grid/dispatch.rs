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

use super::memory::Memory;
use crate::answer::{Semantics, Witness};
use crate::math::{Interval, Pose, Relative};
use crate::model::{Mesh, Model};
use crate::narrow::body::BodyKind;
use crate::narrow::context::Context;
use crate::narrow::convex::closest;
use crate::narrow::convex::convex_memory::ConvexMemory;
use crate::narrow::convex::polyhedra::Polyhedra;
use crate::narrow::convex::witnesses::ConvexOutcome;
use crate::narrow::mesh::mesh_query::{MeshOutcome, MeshQuery};
use crate::narrow::mesh::mesh_solid::SolidOutcome;
use crate::narrow::mesh::{apart_by_planes, convex_meshes, mesh_contact, mesh_solid};
use crate::narrow::method::Method;
use crate::narrow::outcome::Outcome;
use crate::narrow::precision::Precision;
use crate::narrow::proximity::{CommonPoint, Proximity, WitnessedGap};
use crate::narrow::solid::Solid;

/// Two models, one placed relative to the other, and the engine chosen for them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Query<'q> {
    pub(crate) a: &'q Model,
    pub(crate) b: &'q Model,
    pub(crate) b_in_a: Relative,
    pub(crate) method: Method,
}

impl<'q> Query<'q> {
    pub(crate) fn semantics(&self) -> Semantics {
        let solid = |model: &Model| match model {
            Model::Mesh(mesh) => mesh.is_solid(),
            Model::Deforming(body) => body.mesh().is_solid(),
            Model::Convex(_) | Model::Round(_) | Model::Parts(_) => true,
        };
        if solid(self.a) || solid(self.b) { Semantics::Solid } else { Semantics::Surface }
    }

    pub(crate) fn bodies(&self) -> [BodyKind<'q>; 2] {
        [BodyKind::of(self.a), BodyKind::of(self.b)]
    }

    /// How near they are; beyond `enough` that need not be known. With `enough` 0 the question is whether they touch.
    pub(crate) fn nearest(&self, enough: f64, cx: Context<'_, Memory>) -> Proximity {
        let [a, b] = self.bodies();
        match (a, b) {
            (BodyKind::Parts(_), _) | (_, BodyKind::Parts(_)) => self.nearest_parts(enough, cx),
            _ => simple([a, b], &self.b_in_a, enough, self.method, cx),
        }
    }

    /// How near they are, as exactly as asked.
    #[inline(always)]
    pub(crate) fn nearest_to(&self, precision: Precision, mut cx: Context<'_, Memory>) -> Proximity {
        match self.bodies() {
            [BodyKind::Mesh(a), BodyKind::Mesh(b)] if precision != Precision::EXACT => {
                if self.method == Method::Auto
                    && let Some(proximity) = by_hulls([a, b], &self.b_in_a, f64::INFINITY, cx.lend())
                {
                    return proximity;
                }
                let query = MeshQuery::new(a, b, &self.b_in_a, self.method);
                of_meshes(&query, query.closest(None, precision, cx.part(Memory::of_meshes)))
            }
            _ => self.nearest(f64::INFINITY, cx),
        }
    }

    /// As [`Query::nearest`] without a limit, for polyhedra or pieces, whose closest features are remembered and still
    /// apart.
    #[inline(always)]
    pub(crate) fn tracked(&self, mut cx: Context<'_, Memory>) -> Option<(Interval, Witness)> {
        let (Model::Convex(a), Model::Convex(b), Method::Auto) = (self.a, self.b, self.method) else {
            return self.tracked_parts(cx);
        };
        let pair = Polyhedra { a, b, b_in_a: self.b_in_a };
        let near = closest::tracked(&pair, cx.part(|m| &mut m.solids))?;
        Some((pair.interval(near.distance(), f64::INFINITY), pair.witness(&near)))
    }
}

/// How near two bodies are, neither of which has a tree of parts.
pub(super) fn simple(
    bodies: [BodyKind<'_>; 2],
    b_in_a: &Relative,
    enough: f64,
    method: Method,
    mut cx: Context<'_, Memory>,
) -> Proximity {
    match bodies {
        [BodyKind::Mesh(a), BodyKind::Mesh(b)] => {
            // Planes between the bodies are tried first, unless triangles are remembered that were near the last time:
            // then it is better to measure these first.
            let looks =
                enough == 0.0 || cx.memory.meshes.as_ref().is_none_or(|meshes| meshes.begins_with_bodies(enough));
            let looks = looks && enough < f64::INFINITY && method != Method::Brute && !a.is_empty() && !b.is_empty();
            if looks && apart_by_planes::are_apart(a, b, b_in_a, enough) {
                cx.stats.volume_tests += 1;
                return Outcome::Beyond;
            }
            if method == Method::Auto
                && let Some(proximity) = by_hulls([a, b], b_in_a, enough, cx.lend())
            {
                return proximity;
            }
            let query = MeshQuery::new(a, b, b_in_a, method);
            let cx = cx.part(Memory::of_meshes);
            let closest = match enough {
                0.0 => query.touch(cx),
                f64::INFINITY => query.closest(None, Precision::EXACT, cx),
                _ => query.closest(Some(enough), Precision::EXACT, cx),
            };
            of_meshes(&query, closest)
        }
        [BodyKind::Solid(a), BodyKind::Solid(b)] => {
            of_solids(closest::nearest([&a, &b], b_in_a, enough, method, cx.part(|m| &mut m.solids)))
        }
        [BodyKind::Mesh(mesh), BodyKind::Solid(solid)] => {
            of_mesh(mesh_and_solid(mesh, &solid, b_in_a, None, enough, method, cx.part(|m| &mut m.solids)))
        }
        [BodyKind::Solid(solid), BodyKind::Mesh(mesh)] => {
            let cx = cx.part(|m| &mut m.solids);
            let meeting = mesh_and_solid(mesh, &solid, &b_in_a.inverse(), Some(b_in_a), enough, method, cx);
            of_mesh(meeting).seen_from_b(b_in_a)
        }
        _ => Outcome::Beyond,
    }
}

/// How near two meshes are, if both are convex and their hulls decide it.
fn by_hulls(meshes: [&Mesh; 2], b_in_a: &Relative, enough: f64, mut cx: Context<'_, Memory>) -> Option<Proximity> {
    let (proximity, places) = convex_meshes::nearest(meshes, b_in_a, enough, cx.part(|m| &mut m.solids))?;
    if places.is_some() {
        cx.memory.of_meshes().last_places = places;
    }
    Some(proximity)
}

/// How near a convex body is to a mesh: by the mesh's hull where that decides it, else by its tree. `mesh_in_solid` is
/// given where the convex body is the first of the two.
fn mesh_and_solid(
    mesh: &Mesh,
    solid: &Solid<'_>,
    place: &Relative,
    mesh_in_solid: Option<&Relative>,
    enough: f64,
    method: Method,
    mut cx: Context<'_, ConvexMemory>,
) -> SolidOutcome {
    if method == Method::Auto
        && let Some(meeting) = convex_meshes::nearest_solid(mesh, solid, place, mesh_in_solid, enough, cx.lend())
    {
        return meeting;
    }
    mesh_solid::nearest(mesh, solid, place, enough, cx.stats)
}

impl Witness {
    /// The witness in the frame of the world, in which `a` has this pose.
    #[inline(always)]
    pub(crate) fn placed(self, pose_a: &Pose) -> Witness {
        Witness { points: self.points.map(|x| pose_a.apply(x)), ..self }
    }
}

fn of_mesh(outcome: SolidOutcome) -> Proximity {
    outcome.map(|gap| gap, CommonPoint::OfBodies)
}

fn of_meshes(query: &MeshQuery<'_>, closest: MeshOutcome) -> Proximity {
    let Some(placed) = query.placed() else { return Outcome::Beyond };
    match closest {
        Outcome::Beyond => Outcome::Beyond,
        Outcome::Contained(containment) => Outcome::Contained(containment),
        Outcome::Touching(places) => mesh_contact::touching(placed, places),
        Outcome::Apart(found) => mesh_contact::apart(placed, &found),
    }
}

pub(super) fn of_solids(outcome: ConvexOutcome) -> Proximity {
    outcome.map(
        |gap| WitnessedGap { interval: gap.interval, witness: gap.witness.of_bodies() },
        |common| CommonPoint::OfBodies(common.of_bodies()),
    )
}
