//! Manifolds of resting pairs of convex bodies beside parry3d-f64: poses move a little from frame to frame, and each
//! side keeps what it remembers.
//!
//! Parry's dispatcher updates the manifold of the last frame (`contact_manifolds` with a manifold and a workspace that
//! are kept) with the same prediction. Each side takes the poses of one frame after another; relative poses are
//! computed in both. First the pairs are given; then they are bodies of a world, broad phase included.

mod depths;
mod in_world;
mod resting;

use impinge::{ManifoldOptions, Manifolds, Pair};
use parry3d_f64::query::{DefaultQueryDispatcher, PersistentQueryDispatcher};

use self::depths::Depths;
use self::resting::{FRAMES, Kept, PREDICTION, Resting, RestingBody, SLOT, kinds};
use super::sides::Options;
use super::sides::parry::ParryPoses;
use crate::error::BenchError;
use crate::random::Random;
use crate::report::{Report, Table, figure};
use crate::timing::{Side, interleaved};

pub(super) fn run(options: Options) -> Result<(Report, bool), BenchError> {
    let title = format!("Warm manifolds: impinge and parry3d-f64 (seed {})", options.seed);
    let mut report = Report::new("rivals-contacts", title);
    let count = if options.quick { 500 } else { 5000 };
    report.add(format!(
        "{count} bodies rest on tiles, sunk in by up to a thousandth or over them by as much; in each of {FRAMES} \
         frames they stand up to 0.0005 and 0.0005 radians from their middle place. Prediction {PREDICTION}. \
         Nanoseconds a pair, one thread: medians of {} rounds in which the sides take turns. `ratio`: parry's time \
         over ours.",
        options.passes
    ));
    let mut given =
        Table::new(1, &["pairs given", "impinge ns", "parry ns", "ratio", "cold impinge ns", "points", "parry points"]);
    let mut worlds = Table::new(
        1,
        &["in a world", "impinge ns", "parry ns", "ratio", "ratio to pairs given", "points", "parry points"],
    );
    let (mut remarks, mut right) = (String::new(), true);
    let mut random = Random::new(options.seed, 83);
    let tile = resting::tile()?;
    for kind in kinds(count, &mut random)? {
        eprintln!("{}", kind.name);
        let row = measured(options, &kind, &tile);
        let world = in_world::measured(options.passes, &kind, &tile)?;
        let each = world.seconds.map(|seconds| seconds * 1e9 / count as f64);
        right &= row.depths.ours[2] == 0 && world.points[0] > 0;
        given.row([
            kind.name.to_owned(),
            figure(row.ours),
            figure(row.theirs),
            figure(row.theirs / row.ours),
            figure(row.cold),
            row.points[0].to_string(),
            row.points[1].to_string(),
        ]);
        worlds.row([
            kind.name.to_owned(),
            figure(each[0]),
            figure(each[1]),
            figure(each[1] / each[0]),
            figure(row.theirs / each[0]),
            world.points[0].to_string(),
            world.points[1].to_string(),
        ]);
        remarks += &format!("\n- {}: {}.", kind.name, row.depths.told());
    }
    report.add(given);
    report.add(
        "In a world: all bodies are placed anew, the broad phase finds the pairs, each gets its manifold. Parry's tree \
         of boxes is moved, refitted, improved and walked, as rapier does. `ratio to pairs given`: parry's time \
         without a broad phase over ours with one.",
    );
    report.add(worlds);
    report.add(format!(
        "Depths of the deepest points in the last frame that differ by more than 1e-6, judged by brute force. Exact: \
         within 1e-6 of the least way out, or of minus the distance. Allowed: deeper by a tenth of the prediction at \
         most, as `ManifoldOptions` says, for the normal of a face. Ours keeps up to four points of each pair, parry \
         all.{remarks}"
    ));
    Ok((report, right))
}

/// What came of one kind, with the pairs given: nanoseconds a pair.
struct Measured {
    ours: f64,
    theirs: f64,
    cold: f64,
    points: [usize; 2],
    depths: Depths,
}

fn measured(options: Options, kind: &Resting, tile: &RestingBody) -> Measured {
    let (count, places) = (kind.count(), &kind.places);
    let prepared = || (0..count).map(|i| Pair::new(&tile.ours, &kind.body(i).ours)).collect::<Vec<Pair>>();
    let (mut pairs, mut lists) = (prepared(), vec![Manifolds::new(); count]);
    let (mut cold_pairs, mut cold_lists) = (prepared(), vec![Manifolds::new(); count]);
    let mut kept: Vec<Kept> = (0..count).map(|_| (Vec::new(), None)).collect();
    let wanted = ManifoldOptions { prediction: PREDICTION, ..Default::default() };
    let theirs: Vec<Vec<ParryPoses>> =
        places.iter().map(|frames| frames.iter().map(ParryPoses::new).collect()).collect();
    let [mut frame, mut their_frame] = [0; 2];
    let mut sides: [Side<'_>; 3] = [
        Box::new(|| {
            for (i, (pair, list)) in pairs.iter_mut().zip(&mut lists).enumerate() {
                let [a, b] = &places[i][frame % FRAMES];
                pair.manifolds(a, b, &wanted, list);
            }
            frame += 1;
        }),
        Box::new(|| {
            for (i, (manifolds, workspace)) in kept.iter_mut().enumerate() {
                let at = theirs[i][their_frame % FRAMES].b_in_a();
                let (tile, shape) = (tile.theirs.as_ref(), kind.body(i).theirs.as_ref());
                let told = DefaultQueryDispatcher.contact_manifolds(&at, tile, shape, PREDICTION, manifolds, workspace);
                std::hint::black_box(told.is_ok());
            }
            their_frame += 1;
        }),
        Box::new(|| {
            for (i, (pair, list)) in cold_pairs.iter_mut().zip(&mut cold_lists).enumerate() {
                let [a, b] = &places[i][0];
                pair.forget();
                pair.manifolds(a, b, &wanted, list);
            }
        }),
    ];
    let seconds = interleaved(options.passes, SLOT, &mut sides);
    drop(sides);
    let last = (their_frame + FRAMES - 1) % FRAMES;
    let mut depths = Depths::default();
    for (i, (pair, list)) in pairs.iter_mut().zip(&mut lists).enumerate() {
        let at = &places[i][last];
        pair.manifolds(&at[0], &at[1], &wanted, list);
        let ours = list.points().iter().map(|point| point.depth).max_by(f64::total_cmp);
        let theirs = kept[i].0.iter().flat_map(|manifold| &manifold.points).map(|point| -point.dist);
        let brute = || depths::truth(pair.clone(), at);
        // Parry keeps points that are beyond the prediction, too.
        let theirs = theirs.max_by(f64::total_cmp).filter(|&depth| depth >= -PREDICTION || ours.is_some());
        depths.compare(ours, theirs, PREDICTION, brute);
    }
    let each = |x: f64| x * 1e9 / count as f64;
    let their_points = |(manifolds, _): &Kept| manifolds.iter().map(|manifold| manifold.points.len()).sum::<usize>();
    Measured {
        ours: each(seconds[0]),
        theirs: each(seconds[1]),
        cold: each(seconds[2]),
        points: [lists.iter().map(|l| l.points().len()).sum(), kept.iter().map(their_points).sum()],
        depths,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_find_the_same_depths() {
        let (mut random, tile) = (Random::new(1, 83), resting::tile().unwrap());
        for kind in kinds(60, &mut random).unwrap() {
            let row = measured(Options { seed: 1, passes: 1, quick: true }, &kind, &tile);
            let Depths { same, ours, .. } = row.depths;
            let told = format!("{}: {:?}, {:?} points", kind.name, row.depths, row.points);
            // What differs is decided by brute force, and never against us.
            assert!(ours[2] == 0 && same + ours[0] + ours[1] == 60, "{told}");
            assert!(same + ours[0] >= 57 && row.points[0] >= 120, "{told}");
        }
    }

    #[test]
    fn a_world_finds_every_pair() {
        let (mut random, tile) = (Random::new(2, 83), resting::tile().unwrap());
        for kind in kinds(20, &mut random).unwrap() {
            let found = in_world::measured(1, &kind, &tile).unwrap();
            assert!(found.points[0] >= 20 && found.points[1] >= 20, "{}: {:?}", kind.name, found.points);
        }
    }
}
