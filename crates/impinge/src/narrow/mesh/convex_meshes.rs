//! Queries on convex meshes, answered by their hulls; `Auto` uses this where both models are convex.
//!
//! The engines of convex bodies ([`crate::narrow::convex::closest`]) compute how near the hulls come: GJK when nothing
//! is remembered, else V-Clip from the last closest features. The distance of the hulls, less how far the meshes stand
//! out of them, is a lower bound for the meshes. An upper bound is the distance of two triangles: those that hold the
//! closest points, found in the trees (`tree/descent/locate.rs`). Where the two bounds differ by more than rounding, or
//! the hulls overlap, the trees answer as they do for all meshes; so the answer is right whether or not the meshes are
//! convex.
//!
//! Cost: a convex query and two lookups, whatever the number of triangles.

use std::ops::ControlFlow;

use glam::DVec3;

use super::mesh_contact;
use super::mesh_distance::all_within;
use super::mesh_solid;
use super::mesh_solid::SolidOutcome;
use super::placed::closest_triangles::ClosestTriangles;
use super::placed::placed_meshes::PlacedMeshes;
use crate::answer::Stats;
use crate::math::{EPS, Interval, Relative};
use crate::model::Mesh;
use crate::narrow::context::Context;
use crate::narrow::convex::closest;
use crate::narrow::convex::convex_memory::ConvexMemory;
use crate::narrow::convex::polyhedra::Polyhedra;
use crate::narrow::convex::witnesses::ConvexGap;
use crate::narrow::method::Method;
use crate::narrow::outcome::Outcome;
use crate::narrow::proximity::{Proximity, WitnessedGap};
use crate::narrow::solid::Solid;
use crate::prim::squared_from;

/// How far the place of a closest point may be off, by the size of the mesh.
const NEARLY: f64 = 1e-9;

/// How near two meshes are, where both are convex and apart; beyond `enough` the distance is not computed. The places
/// of the closest triangles come with it. `None` leaves the query to the trees.
pub(crate) fn nearest(
    [a, b]: [&Mesh; 2],
    b_in_a: &Relative,
    enough: f64,
    mut cx: Context<'_, ConvexMemory>,
) -> Option<(Proximity, Option<[u32; 2]>)> {
    let (p, q) = (a.as_convex()?, b.as_convex()?);
    let placed = PlacedMeshes::new(a, b, *b_in_a);
    // What the boxes around the bodies decide needs no work on the bodies themselves.
    if enough > 0.0 && enough < f64::INFINITY && all_within(&placed, placed.enough(enough)) {
        return None;
    }
    let out = p.out + q.out;
    let solids = [p.hull, q.hull].map(Solid::polyhedron);
    let (lower, upper, points) =
        match closest::nearest([&solids[0], &solids[1]], b_in_a, enough + out, Method::Auto, cx.lend()) {
            Outcome::Beyond => return Some((Outcome::Beyond, None)),
            Outcome::Apart(ConvexGap { interval: Interval { lower, upper }, witness }) => {
                (lower - out, upper, witness.points)
            }
            Outcome::Touching(_) | Outcome::Contained(_) => return None,
        };
    if lower <= 0.0 {
        return None;
    }
    if lower > enough || enough == 0.0 {
        return Some((Outcome::Beyond, None));
    }
    let hulls = Polyhedra { a: p.hull, b: q.hull, b_in_a: *b_in_a };
    let rounding = 2.0 * (hulls.noise(upper) + out);
    let places = [place_at(a, points[0], cx.stats)?, place_at(b, b_in_a.inverse().apply(points[1]), cx.stats)?];
    let found = ClosestTriangles::at(&placed, places);
    cx.stats.primitive_tests += 1;
    let above = placed.interval(0.0, found.upper()).upper;
    // Triangles that hold the closest points of the hulls, up to rounding, are as near as these points.
    if found.overlap || above - lower > 2.0 * rounding {
        return None;
    }
    // Along the line between the triangles' points the gap of the hulls is as good a bound as that of the triangles,
    // unless rounding turns the line.
    let [p, q] = found.near.points();
    let gap = hulls.gap_along((q - p).normalize_or_zero()) * placed.scale;
    let sharp = placed.interval(gap.min(found.upper()), found.upper()).lower - out;
    let no_nearer = |gap: WitnessedGap| {
        let lower = lower.max(sharp).min(gap.interval.upper);
        WitnessedGap { interval: Interval { lower, ..gap.interval }, ..gap }
    };
    Some((mesh_contact::apart(&placed, &found).map(no_nearer, |common| common), Some(places)))
}

/// The same for a mesh and a convex body, which is placed in the mesh's frame. Where the convex body is the first of
/// the two, `mesh_in_solid` is given: what is remembered is of the bodies in their order, so they are compared in it.
pub(crate) fn nearest_solid(
    mesh: &Mesh,
    solid: &Solid<'_>,
    place: &Relative,
    mesh_in_solid: Option<&Relative>,
    enough: f64,
    mut cx: Context<'_, ConvexMemory>,
) -> Option<SolidOutcome> {
    let own = mesh.as_convex()?;
    let hull = Solid::polyhedron(own.hull);
    let far = enough + own.out;
    let outcome = match mesh_in_solid {
        None => closest::nearest([&hull, solid], place, far, Method::Auto, cx.lend()),
        Some(b_in_a) => closest::nearest([solid, &hull], b_in_a, far, Method::Auto, cx.lend()).exchanged(place),
    };
    let (lower, points) = match outcome {
        Outcome::Beyond => return Some(Outcome::Beyond),
        Outcome::Apart(ConvexGap { interval: Interval { lower, .. }, witness: near }) => (lower - own.out, near.points),
        Outcome::Touching(_) | Outcome::Contained(_) => return None,
    };
    if lower <= 0.0 {
        return None;
    }
    if lower > enough || enough == 0.0 {
        return Some(Outcome::Beyond);
    }
    let at = place_at(mesh, points[0], cx.stats)?;
    let (interval, witness) = mesh_solid::at(mesh, at, solid, place, cx.stats)?;
    let rounding = 256.0 * EPS * (own.hull.reach() + interval.upper + place.translation.abs().max_element()) + own.out;
    if interval.upper - lower > 4.0 * rounding {
        return None;
    }
    let interval = Interval { lower: lower.min(interval.upper), ..interval };
    Some(Outcome::Apart(WitnessedGap { interval, witness }))
}

/// The place of a triangle that holds a point of the mesh's frame, or nearly.
fn place_at(mesh: &Mesh, p: DVec3, stats: &mut Stats) -> Option<u32> {
    let size = mesh.radius();
    let (enough, mut best) = ((4.0 * EPS * size).powi(2), ((NEARLY * size).powi(2), None));
    stats.volume_tests += mesh.tree().leaves_at(p, |leaf| {
        for place in leaf.places() {
            let squared = squared_from(&mesh.corners(place), p);
            if squared < best.0 || best.1.is_none() && squared == 0.0 {
                best = (squared, Some(place));
            }
            if squared <= enough {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    });
    best.1
}
