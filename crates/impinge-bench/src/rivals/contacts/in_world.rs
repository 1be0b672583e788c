//! The same pairs as bodies of a world: every frame all of them are placed anew, and the world is asked for manifolds,
//! broad phase included.
//!
//! Parry's side does what a physics engine built on it does: its tree of boxes is moved leaf by leaf, refitted and
//! improved a little, then walked with itself; each pair found updates its manifold. Pairs are looked up by index,
//! which costs less than the map that an engine needs.

use impinge::{Body, BodyId, ManifoldOptions, Mobility, World};
use parry3d_f64::bounding_volume::BoundingVolume;
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};
use parry3d_f64::query::{DefaultQueryDispatcher, PersistentQueryDispatcher};

use super::super::sides::parry::ParryPoses;
use super::resting::{FRAMES, Kept, PREDICTION, Resting, RestingBody, SLOT};
use crate::error::BenchError;
use crate::timing::{Side, interleaved};

/// Seconds a frame, and points found in the last one.
pub(super) struct InWorld {
    pub(super) seconds: [f64; 2],
    pub(super) points: [usize; 2],
}

/// Both sides on one thread.
pub(super) fn measured(passes: usize, kind: &Resting, tile: &RestingBody) -> Result<InWorld, BenchError> {
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    one.install(|| on_this_thread(passes, kind, tile))
}

fn on_this_thread(passes: usize, kind: &Resting, tile: &RestingBody) -> Result<InWorld, BenchError> {
    let count = kind.count();
    let (mut world, bodies) = placed(kind, tile)?;
    let wanted = ManifoldOptions { prediction: PREDICTION, ..Default::default() };
    let theirs: Vec<Vec<ParryPoses>> =
        kind.places.iter().map(|frames| frames.iter().map(ParryPoses::new).collect()).collect();
    let their_box = |body: usize, frame: usize| {
        let (i, on_tile) = (body % count, body >= count);
        let ParryPoses(at_tile, at) = &theirs[i][frame];
        let shape = if on_tile { kind.body(i).theirs.as_ref() } else { tile.theirs.as_ref() };
        shape.compute_aabb(if on_tile { at } else { at_tile }).loosened(0.5 * PREDICTION)
    };
    let leaves = (0..2 * count).map(|body| (body, their_box(body, 0)));
    let (mut tree, mut workspace) = (Bvh::from_iter(BvhBuildStrategy::Binned, leaves), BvhWorkspace::default());
    let mut kept: Vec<Kept> = (0..count).map(|_| (Vec::new(), None)).collect();
    let (mut frame, mut their_frame, mut refused, mut found) = (0, 0, None, Vec::new());
    let mut sides: [Side<'_>; 2] = [
        Box::new(|| {
            for (&body, frames) in bodies.iter().zip(&kind.places) {
                if let Err(error) = world.place(body, frames[frame % FRAMES][1]) {
                    refused = Some(error);
                }
            }
            world.manifolds_into(&wanted, &mut found);
            frame += 1;
        }),
        Box::new(|| {
            let frame = their_frame % FRAMES;
            for body in count..2 * count {
                tree.insert_or_update_partially(their_box(body, frame), body as u32, 0.0);
            }
            tree.refit(&mut workspace);
            tree.optimize_incremental(&mut workspace);
            tree.traverse_bvtt_single_tree::<false>(&mut workspace, &mut |i, j| {
                let (i, j) = (i.min(j) as usize, i.max(j) as usize);
                if i < count && j == i + count {
                    let (at, (manifolds, workspace)) = (theirs[i][frame].b_in_a(), &mut kept[i]);
                    let (tile, shape) = (tile.theirs.as_ref(), kind.body(i).theirs.as_ref());
                    let told =
                        DefaultQueryDispatcher.contact_manifolds(&at, tile, shape, PREDICTION, manifolds, workspace);
                    std::hint::black_box(told.is_ok());
                }
            });
            their_frame += 1;
        }),
    ];
    let seconds = interleaved(passes, SLOT, &mut sides);
    drop(sides);
    if let Some(error) = refused {
        return Err(BenchError::Rival { name: "world".to_owned(), reason: error.to_string() });
    }
    let points = found.iter().map(|met| met.answer.points().len()).sum();
    let theirs = kept.iter().flat_map(|(manifolds, _)| manifolds).map(|manifold| manifold.points.len()).sum();
    Ok(InWorld { seconds: [seconds[0], seconds[1]], points: [points, theirs] })
}

/// Tiles that stand still, and what rests on them.
fn placed(kind: &Resting, tile: &RestingBody) -> Result<(World, Vec<BodyId>), BenchError> {
    let refused = |e: impinge::WorldError| BenchError::Rival { name: "world".to_owned(), reason: e.to_string() };
    let mut world = World::new();
    for frames in &kind.places {
        let floor = Body { mobility: Mobility::Static, ..Body::new(tile.ours.clone(), frames[0][0]) };
        world.add(floor).map_err(refused)?;
    }
    let mut ids = Vec::with_capacity(kind.count());
    for (i, frames) in kind.places.iter().enumerate() {
        ids.push(world.add(Body::new(kind.body(i).ours.clone(), frames[0][1])).map_err(refused)?);
    }
    Ok((world, ids))
}
