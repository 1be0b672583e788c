//! Many boxes beside parry3d-f64's tree of boxes, which rapier's broad phase is built on: frame by frame, every pair.
//!
//! Parry's tree is moved leaf by leaf, refitted and improved a little in every frame, as rapier does, and then walked
//! with itself; or it is built anew. Both sides list every pair of boxes that meet, on one thread; ours also on all.

mod motion;

use std::time::Instant;

use impinge::bound::Aabb;
use impinge::broad::{BoxId, Boxes, Filter, Mobility, Phase};
use parry3d_f64::bounding_volume::Aabb as Theirs;
use parry3d_f64::math::Vector;
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};

use self::motion::{KINDS, Kind, Motion};
use super::sides::Options;
use crate::error::BenchError;
use crate::report::{Report, Table, figure};
use crate::timing::median;

const SIZES: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];

pub(super) fn run(options: Options) -> Result<(Report, bool), BenchError> {
    let title = format!("Many boxes: impinge and parry3d-f64 (seed {})", options.seed);
    let mut report = Report::new("rivals-broad", title);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let columns = ["impinge", "all threads", "parry moved", "parry built", "ratio", "threads' ratio", "pairs", "same"];
    let mut table = Table::new(1, &[&["motion", "boxes"], columns.as_slice()].concat());
    let (mut ratios, mut gains, mut agreed) = (Vec::new(), Vec::new(), true);
    for size in SIZES.into_iter().filter(|&size| !options.quick || size <= 10_000) {
        for kind in KINDS {
            eprintln!("{} {size}", kind.name);
            let row = Row::measured(kind, size, threads, options)?;
            let rival = row.moved.min(row.built);
            ratios.push(rival / row.ours);
            gains.push(row.ours / row.threaded);
            agreed &= row.same;
            table.row([
                kind.name.to_owned(),
                size.to_string(),
                figure(row.ours),
                figure(row.threaded),
                figure(row.moved),
                figure(row.built),
                figure(rival / row.ours),
                figure(row.ours / row.threaded),
                row.pairs.to_string(),
                row.same.to_string(),
            ]);
        }
    }
    report.add(format!(
        "Milliseconds a frame: all boxes are moved, the phase is refreshed, every pair is shown; medians of the frames of \
         {} rounds in which the sides take turns. Ours is `Phase::Auto` on one thread, then on {threads}. Ratio: \
         parry's better over ours on one thread.",
        options.passes
    ));
    report.add(table);
    let least = |values: &[f64]| figure(values.iter().copied().fold(f64::INFINITY, f64::min));
    report.add(format!("Ratio: median {}, least {}.", figure(median(ratios.clone())), least(&ratios)));
    report.add(format!("Of threads: median {}, least {}.", figure(median(gains.clone())), least(&gains)));
    Ok((report, agreed))
}

/// Milliseconds a frame.
struct Row {
    ours: f64,
    threaded: f64,
    moved: f64,
    built: f64,
    pairs: u64,
    same: bool,
}

impl Row {
    fn measured(kind: Kind, size: usize, threads: usize, options: Options) -> Result<Row, BenchError> {
        let frames = if size >= 1_000_000 { 6 } else { 11 };
        let passes = if size >= 100_000 { options.passes.min(2) } else { options.passes };
        let frames = Motion::new(kind, size, options.seed).frames(frames);
        let one = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
        let all = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        let mut times = [const { Vec::new() }; 4];
        let mut counts: Vec<Vec<u64>> = Vec::new();
        for _ in 0..passes.max(1) {
            let sides = [
                one.install(|| ours(&frames, false))?,
                all.install(|| ours(&frames, true))?,
                theirs(&frames, true),
                theirs(&frames, false),
            ];
            for (times, (ms, pairs)) in times.iter_mut().zip(sides) {
                times.extend(ms);
                counts.push(pairs);
            }
        }
        let same = counts.iter().all(|c| *c == counts[0]);
        let pairs = counts[0].first().copied().unwrap_or(0);
        let [ours, threaded, moved, built] = times.map(median);
        Ok(Row { ours, threaded, moved, built, pairs, same })
    }
}

/// Milliseconds and pairs of every frame after the first.
type Played = (Vec<f64>, Vec<u64>);

fn ours(frames: &[Vec<Aabb>], shared: bool) -> Result<Played, BenchError> {
    let (mut boxes, mut phase) = (Boxes::new(), Phase::Auto.start());
    let ids: Vec<BoxId> =
        frames[0].iter().map(|b| boxes.insert(*b, Filter::ALL, Mobility::Moving)).collect::<Result<_, _>>()?;
    phase.refresh(&boxes);
    boxes.settle();
    phase.pairs(&boxes, &mut |_| {});
    let (mut ms, mut counts) = (Vec::new(), Vec::new());
    for frame in &frames[1..] {
        let start = Instant::now();
        if shared {
            boxes.update_each(|slot| frame.get(slot as usize).copied())?;
        } else {
            ids.iter().zip(frame).try_for_each(|(&id, b)| boxes.update(id, *b))?;
        }
        phase.refresh(&boxes);
        boxes.settle();
        let mut count = 0;
        phase.pairs(&boxes, &mut |pairs| count += pairs.len() as u64);
        ms.push(start.elapsed().as_secs_f64() * 1e3);
        counts.push(count);
    }
    Ok((ms, counts))
}

fn theirs(frames: &[Vec<Aabb>], moved: bool) -> Played {
    let place = |b: &Aabb| Theirs {
        mins: Vector::new(b.min.x, b.min.y, b.min.z),
        maxs: Vector::new(b.max.x, b.max.y, b.max.z),
    };
    let build = |frame: &[Aabb]| Bvh::from_iter(BvhBuildStrategy::Binned, frame.iter().map(place).enumerate());
    let mut workspace = BvhWorkspace::default();
    let mut tree = build(&frames[0]);
    let (mut ms, mut counts) = (Vec::new(), Vec::new());
    for frame in &frames[1..] {
        let start = Instant::now();
        if moved {
            for (k, b) in (0u32..).zip(frame) {
                tree.insert_or_update_partially(place(b), k, 0.0);
            }
            tree.refit(&mut workspace);
            tree.optimize_incremental(&mut workspace);
        } else {
            tree = build(frame);
        }
        let mut count = 0;
        tree.traverse_bvtt_single_tree::<false>(&mut workspace, &mut |_, _| count += 1);
        ms.push(start.elapsed().as_secs_f64() * 1e3);
        counts.push(count);
    }
    (ms, counts)
}
