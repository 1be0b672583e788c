//! Unions of convex pieces have no seams: what slides over them, or touches them anywhere, is pushed as by one body.

use glam::{DQuat, DVec3};
use impinge::{Convex, KeptPoints, ManifoldOptions, Manifolds, Model, Pair, Parts, Pose, Round};
use impinge_testing::environment::rounds;
use impinge_testing::random::Random;

fn predicted(prediction: f64) -> ManifoldOptions {
    ManifoldOptions { prediction, points: KeptPoints::Four }
}

/// A box from `low` to `high`, cut into `counts` boxes along the axes.
fn cut_box(low: DVec3, high: DVec3, counts: [u32; 3]) -> Model {
    let [nx, ny, nz] = counts;
    let at = |i: [u32; 3]| {
        let part = DVec3::new(f64::from(i[0]), f64::from(i[1]), f64::from(i[2]));
        low + (high - low) * part / DVec3::new(f64::from(nx), f64::from(ny), f64::from(nz))
    };
    let mut pieces = Vec::new();
    for k in 0..nx * ny * nz {
        let [x, y, z] = [k % nx, k / nx % ny, k / (nx * ny)];
        pieces.push((0..8).map(|c| at([x + (c & 1), y + (c >> 1 & 1), z + (c >> 2)])).collect::<Vec<_>>());
    }
    Parts::from_hulls(pieces.iter().map(|piece| &piece[..])).unwrap().into()
}

#[test]
fn a_rolling_ball_and_a_sliding_box_feel_no_seam() {
    let ground = cut_box(DVec3::new(-2.22, -2.22, -1.0), DVec3::new(2.22, 2.22, 0.0), [12, 12, 1]);
    let ball = Model::from(Round::sphere(0.5).unwrap());
    let cube = Model::from(Round::cuboid(DVec3::new(0.9, 0.7, 1.0)).unwrap());
    let rounded = Round::cuboid(DVec3::new(0.7, 0.5, 0.8)).unwrap().with_margin(0.1).unwrap().into();
    let pair_of_halves = cut_box(DVec3::new(-0.45, -0.35, -0.5), DVec3::new(0.45, 0.35, 0.5), [2, 2, 1]);
    let tilt = DQuat::from_scaled_axis(DVec3::new(0.3, -0.2, 0.7));
    let floor = Pose::new(DVec3::new(0.1, 0.2, 0.3), tilt).unwrap();
    let (up, mut found) = (tilt * DVec3::Z, Manifolds::new());
    for swapped in [false, true] {
        for (kind, body) in [&ball, &cube, &rounded, &pair_of_halves].into_iter().enumerate() {
            let mut pair = if swapped { Pair::new(body, &ground) } else { Pair::new(&ground, body) };
            for step in 0..60 {
                let s = f64::from(step);
                for depth in [0.01, 0.0001, -0.005] {
                    let at = DVec3::new(0.025 * s - 0.7, 0.013 * s - 0.4, 0.5 - depth);
                    let turn = if kind == 0 { DQuat::from_rotation_y(0.1 * s) } else { DQuat::IDENTITY };
                    let pose = Pose::new(floor.translation() + tilt * at, tilt * turn).unwrap();
                    let [pa, pb] = if swapped { [&pose, &floor] } else { [&floor, &pose] };
                    pair.manifolds(pa, pb, &predicted(0.02), &mut found);
                    let say = format!("{swapped} {kind} {step} {depth}: {found:?}");
                    assert!(!found.is_empty() && found.points().len() >= if kind == 0 { 1 } else { 4 }, "{say}");
                    for manifold in found.iter() {
                        let normal = if swapped { -manifold.normal } else { manifold.normal };
                        assert!(normal.distance(up) < 1e-6, "{say}");
                        assert!(manifold.points.iter().all(|point| (point.depth - depth).abs() < 1e-9), "{say}");
                    }
                }
            }
        }
    }
}

/// A box of pieces against balls and hulls around it: the deepest manifold is that of the box in one piece, and those
/// of balls push out of the whole box. A hull at an edge of the box may be told, less deep, along the way out of one
/// piece that is not quite that of the box.
#[test]
fn a_cut_box_is_touched_as_a_whole_one() {
    let mut random = Random::new(8);
    let half = DVec3::new(0.9, 0.7, 0.5);
    let whole = Model::from(Round::cuboid(half * 2.0).unwrap());
    let cut = cut_box(-half, half, [3, 2, 2]);
    let (mut found, mut single, mut met) = (Manifolds::new(), Manifolds::new(), 0);
    for round in 0..rounds(400) {
        let points: Vec<DVec3> = (0..12).map(|_| random.point(0.6)).collect();
        let body = match round % 2 {
            0 => Model::from(Round::sphere(random.within(0.1, 0.6)).unwrap()),
            _ => Model::from(Convex::hull(&points).unwrap()),
        };
        let (turn, way) = (random.rotation(), random.point(1.0).normalize());
        let at = |s: f64| Pose::new(way * s, turn).unwrap();
        let mut pair = Pair::new(&whole, &body);
        let (mut low, mut high) = (0.0, 5.0);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if pair.overlap(&Pose::IDENTITY, &at(middle)).overlap { low = middle } else { high = middle }
        }
        let pose = at(low + random.within(-0.01, 0.01));
        // With a prediction a face of a hull may be taken whose normal is not quite the way out.
        let options = predicted(if round % 2 == 0 { 0.02 } else { 0.0 });
        pair.manifolds(&Pose::IDENTITY, &pose, &options, &mut single);
        Pair::new(&cut, &body).manifolds(&Pose::IDENTITY, &pose, &options, &mut found);
        let say = format!("round {round}: {single:?}\n{found:?}");
        assert_eq!(single.is_empty(), found.is_empty(), "{say}");
        let Some(expected) = single.iter().next() else { continue };
        met += 1;
        for manifold in found.iter().filter(|_| round % 2 == 0) {
            // The farthest corner of the box along the normal is no farther than some point of the manifold.
            let top = half.dot(manifold.normal.abs());
            let slack = 2e-6;
            let on_top = |point: &impinge::ContactPoint| manifold.normal.dot(point.points[0]) >= top - slack;
            assert!(manifold.points.iter().any(on_top), "{top}: {manifold:?}\n{say}");
        }
        let deepest = |list: &Manifolds| list.points().iter().fold(f64::NEG_INFINITY, |x: f64, p| x.max(p.depth));
        assert!((deepest(&found) - deepest(&single)).abs() < 1e-6, "{expected:?} {say}");
    }
    assert!(met > 250, "{met}");
}

/// A box in the corner between a floor and a wall, pieces of one body, touches both.
#[test]
fn hollow_corners_keep_both_contacts() {
    let slab = |low: DVec3, high: DVec3| {
        (0..8u32)
            .map(|i| DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2)))
            .map(|t| low + (high - low) * t)
            .collect::<Vec<_>>()
    };
    let floor = slab(DVec3::new(0.0, -3.0, -1.0), DVec3::new(4.0, 3.0, 0.0));
    let wall = slab(DVec3::new(-1.0, -3.0, -1.0), DVec3::new(0.0, 3.0, 4.0));
    let corner = Model::from(Parts::from_hulls([&floor[..], &wall[..]]).unwrap());
    let cube = Model::from(Round::cuboid(DVec3::ONE).unwrap());
    let mut found = Manifolds::new();
    for depth in [0.01, -0.01] {
        let pose = Pose::at(DVec3::new(0.5 - depth, 0.1, 0.5 - depth)).unwrap();
        Pair::new(&corner, &cube).manifolds(&Pose::IDENTITY, &pose, &predicted(0.02), &mut found);
        let normals: Vec<DVec3> = found.iter().map(|manifold| manifold.normal).collect();
        assert!(normals.len() == 2 && found.points().len() == 8, "{depth}: {found:?}");
        assert!(normals[0].distance(DVec3::Z) < 1e-9 && normals[1].distance(DVec3::X) < 1e-9, "{depth}: {found:?}");
    }
    // So deep that each way out leads through another piece: all are told rather than none.
    let block = cut_box(DVec3::splat(-1.0), DVec3::splat(1.0), [4, 4, 4]);
    Pair::new(&block, Round::sphere(0.05).unwrap()).manifolds(
        &Pose::IDENTITY,
        &Pose::at(DVec3::splat(0.02)).unwrap(),
        &predicted(0.0),
        &mut found,
    );
    assert!(!found.is_empty());
}
