//! How long a world takes until it can be asked again, after bodies have moved; and the memory for that.

use std::hint::black_box;
use std::time::Duration;

use impinge::glam::DVec3;
use impinge::{BodyId, Pose};
use parry3d_f64::partitioning::BvhWorkspace;

use super::both_worlds::BothWorlds;
use crate::random::Random;
use crate::timing::seconds_of;

/// The least milliseconds of a frame: of ours until all bodies are placed and asked, the part of that for the view,
/// and of parry's.
pub(super) struct Frame {
    pub(super) ours: f64,
    pub(super) view: f64,
    pub(super) theirs: f64,
}

/// Moves every `one_in`-th body a tenth of its size in each of some frames, and asks one question after each.
pub(super) fn frames(worlds: &mut BothWorlds, one_in: usize, count: usize, random: &mut Random) -> Frame {
    let BothWorlds { ours, theirs, ids, .. } = worlds;
    let mut workspace = BvhWorkspace::default();
    let mut times = [const { Vec::new() }; 3];
    let mut before: Vec<u32> = Vec::new();
    for frame in 0..count {
        let moved: Vec<usize> = (frame % one_in..ids.len()).step_by(one_in).collect();
        let step = DVec3::new(random.between(-0.1, 0.1), random.between(-0.1, 0.1), random.between(-0.1, 0.1));
        let mut view = Duration::ZERO;
        // Nothing is near the end of the supported scale, so that nothing is refused.
        let moved_to = |&k: &usize| {
            let pose = ours.body(ids[k])?.pose;
            Some((ids[k], Pose::new(pose.translation() + step, pose.rotation()).ok()?))
        };
        let places: Vec<(BodyId, Pose)> = moved.iter().filter_map(moved_to).collect();
        let all = seconds_of(|| {
            for (id, pose) in places {
                let _ = ours.place(id, pose);
            }
            let seconds = seconds_of(|| {
                let _ = black_box(ours.view().point_distance(DVec3::ZERO));
            });
            view = Duration::from_secs_f64(seconds);
        });
        let named: Vec<u32> = moved.iter().map(|&k| k as u32).collect();
        let parry = seconds_of(|| {
            moved.iter().for_each(|&k| theirs.shift(k, step));
            // What costs parry less: only the paths above few bodies, or all.
            if one_in > 1 {
                theirs.tree.refit_partial(&before, &named);
            } else {
                theirs.tree.refit(&mut workspace);
            }
            black_box(theirs.point(DVec3::ZERO));
        });
        before = named;
        for (times, seconds) in times.iter_mut().zip([all, view.as_secs_f64(), parry]) {
            times.push(seconds * 1e3);
        }
    }
    let [ours, view, theirs] = times.map(|times| times.into_iter().fold(f64::INFINITY, f64::min));
    Frame { ours, view, theirs }
}
