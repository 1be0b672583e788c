//! The manifolds of any two bodies.

use super::seams::Seams;
use crate::answer::{Feature, Stats};
use crate::manifolds::gather::Gathering;
use crate::manifolds::list::{ContactPoint, Manifolds};
use crate::manifolds::memory::ManifoldMemory;
use crate::manifolds::meshes::mesh_and_solid::MeshSolidContacts;
use crate::manifolds::meshes::mesh_sheets;
use crate::manifolds::meshes::triangle_contact::MeshAndSolid;
use crate::manifolds::options::ManifoldOptions;
use crate::manifolds::solids::solid_contact::SolidContact;
use crate::math::Pose;
use crate::model::Mesh;
use crate::narrow::body::BodyKind;
use crate::narrow::context::Context;
use crate::narrow::grid::dispatch::Query;
use crate::narrow::grid::grid_contacts::Touching;
use crate::narrow::grid::memory::Memory;
use crate::narrow::mesh::placed::placed_meshes::PlacedMeshes;

/// Most pairs of triangles or pieces that are looked at.
const MOST_PAIRS: usize = 1 << 16;

/// Fills the list with the manifolds of two bodies.
pub(crate) fn manifolds(
    query: &Query<'_>,
    poses: [&Pose; 2],
    options: &ManifoldOptions,
    known: &mut ManifoldMemory,
    memory: &mut Memory,
    out: &mut Manifolds,
) {
    out.clear();
    let mut stats = Stats::default();
    match query.bodies() {
        [BodyKind::Solid(a), BodyKind::Solid(b)] => {
            let contact = SolidContact {
                a: &a,
                b: &b,
                b_in_a: &query.b_in_a,
                poses,
                method: query.method,
                options,
                pieces: [0, 0],
            };
            known.single = contact.add(known.single, Context::new(&mut memory.solids, &mut stats), out);
        }
        bodies => {
            of_pieces(query, bodies, poses, options, known, Context::new(memory, &mut stats), out);
            if out.is_empty() && out.contained.is_some() {
                by_least_way(query, poses, Context::new(memory, &mut stats), out);
            }
        }
    }
    out.semantics = query.semantics();
    out.stats = stats;
}

/// Each two pieces that come near each other.
fn of_pieces(
    query: &Query<'_>,
    [a, b]: [BodyKind<'_>; 2],
    poses: [&Pose; 2],
    options: &ManifoldOptions,
    known: &mut ManifoldMemory,
    mut cx: Context<'_, Memory>,
    out: &mut Manifolds,
) {
    let mut touching = query.touching(MOST_PAIRS, options.reach(), cx.lend());
    touching.pairs.sort_unstable();
    out.contained = touching.contained;
    out.complete = touching.pairs.len() < MOST_PAIRS;
    let mut faces = Vec::with_capacity(touching.pairs.len());
    for &[i, j] in touching.pairs.iter() {
        let [BodyKind::Solid(p), BodyKind::Solid(q)] = [a.node(i), b.node(j)] else { break };
        let contact =
            SolidContact { a: &p, b: &q, b_in_a: &query.b_in_a, poses, method: query.method, options, pieces: [i, j] };
        let mut blank = Default::default();
        let face = contact.add(known.of_pieces([i, j]), Context::new(&mut blank, cx.stats), out);
        faces.push(([i, j], face));
    }
    known.pieces = faces;
    for (side, body) in [a, b].into_iter().enumerate() {
        if let BodyKind::Parts(parts) = body {
            Seams { parts, pose: poses[side], side }.leave_out(&touching.pairs, out);
        }
    }
    let mut gathering = Gathering::default();
    match [a, b] {
        [BodyKind::Mesh(mesh), _] if !matches!(b, BodyKind::Mesh(_)) => {
            on_mesh(query, mesh, b, poses, options, &touching, false, &mut gathering, cx.stats);
        }
        [_, BodyKind::Mesh(mesh)] if !matches!(a, BodyKind::Mesh(_)) => {
            on_mesh(query, mesh, a, poses, options, &touching, true, &mut gathering, cx.stats);
        }
        [BodyKind::Mesh(a), BodyKind::Mesh(b)] if !touching.pairs.is_empty() => {
            let places = |&[i, j]: &[u32; 2]| Some([a.place(i)?, b.place(j)?]);
            let mut pairs: Vec<[u32; 2]> = touching.pairs.iter().filter_map(places).collect();
            pairs.sort_unstable();
            pairs.dedup();
            let placed = PlacedMeshes::new(a, b, query.b_in_a);
            mesh_sheets::add_manifolds(&placed, poses, options.reach(), pairs, &mut gathering);
        }
        _ => {}
    }
    gathering.finish(options, out);
}

/// Each triangle near a convex body, or near a piece.
#[allow(clippy::too_many_arguments, reason = "what a query hands down")]
fn on_mesh(
    query: &Query<'_>,
    mesh: &Mesh,
    other: BodyKind<'_>,
    poses: [&Pose; 2],
    options: &ManifoldOptions,
    touching: &Touching,
    swapped: bool,
    gathering: &mut Gathering,
    stats: &mut Stats,
) {
    let place = if swapped { query.b_in_a.inverse() } else { query.b_in_a };
    let mut found: Vec<[u32; 2]> = touching.pairs.iter().map(|&[i, j]| if swapped { [i, j] } else { [j, i] }).collect();
    found.sort_unstable();
    for [piece, triangle] in found {
        let (BodyKind::Solid(solid), Some(at)) = (other.node(piece), mesh.place(triangle)) else { continue };
        if mesh.id(at) != triangle {
            // A copy: the first of the same corners stands for all.
            continue;
        }
        let bodies = MeshAndSolid { mesh, solid: &solid, place: &place, reach: options.reach() };
        let pose = poses[usize::from(swapped)];
        MeshSolidContacts { bodies, pose, piece, swapped }.add(at, gathering, stats);
    }
}

/// One body inside the other, with surfaces apart: the least way out, as `penetration` tells it.
fn by_least_way(query: &Query<'_>, poses: [&Pose; 2], cx: Context<'_, Memory>, out: &mut Manifolds) {
    let Some(deep) = query.deepest(cx) else { return };
    let normal = poses[0].rotate(deep.normal);
    let Some(witness) = deep.witness else { return };
    let points = witness.points.map(|p| poses[0].apply(p));
    out.push(ContactPoint::new(points, (points[0] - points[1]).dot(normal), witness.features));
    let named = witness.features.map(|feature| match feature {
        Feature::Convex { piece, .. } => piece,
        other => other.triangle().unwrap_or(0),
    });
    out.close(named, normal, deep.interval, deep.kind);
}
