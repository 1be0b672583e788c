//! Meshes that move by small steps: what is remembered makes the next answer cheaper and changes none.

use glam::{DQuat, DVec3};
use impinge::{Model, Pair, Pose, Stats};
use impinge_testing::random::Random;
use impinge_testing::shapes::{sphere, torus};
use impinge_testing::soup::Soup;

fn surface(soup: &Soup) -> Model {
    impinge::Mesh::new(soup.vertices.clone(), soup.triangles.clone()).unwrap().into_surface().into()
}

/// A torus and a ball with waves on them, of some thousand triangles each.
fn bodies() -> [Model; 2] {
    let wavy = |soup: Soup| soup.map(|p| p * (1.0 + 0.02 * (17.0 * p.x).sin() * (13.0 * p.y).sin()));
    [surface(&wavy(torus(1.0, 0.4, 72, 36))), surface(&wavy(sphere(4, 0.7)))]
}

fn direction(random: &mut Random) -> DVec3 {
    random.rotation() * DVec3::X
}

/// A path that leads past the body at the origin and into it, in steps that move no point by more than `step`.
fn way(step: f64, steps: usize, random: &mut Random) -> Vec<Pose> {
    let (start, axis) = (direction(random) * random.within(1.4, 2.6), direction(random));
    let velocity = (direction(random) - start.normalize()) * (0.25 * step);
    let turn = random.rotation();
    let at = |k: f64| Pose::new(start + velocity * k, DQuat::from_axis_angle(axis, 0.4 * step * k) * turn).unwrap();
    (0..steps).map(|k| at(k as f64)).collect()
}

/// The counts of the queries with and without memory, after their answers were compared.
fn along(pair: &mut Pair, poses: &[Pose]) -> [u64; 2] {
    let work = |stats: Stats| stats.iterations + stats.primitive_tests / 8;
    let mut total = [0; 2];
    for (k, pose) in poses.iter().enumerate() {
        let warm = pair.distance(&Pose::IDENTITY, pose);
        let mut fresh = pair.clone();
        fresh.forget();
        let cold = fresh.distance(&Pose::IDENTITY, pose);
        let (w, c) = (warm.interval, cold.interval);
        assert_eq!(w.upper == 0.0, c.upper == 0.0, "step {k}: {w:?} {c:?}");
        assert!((w.upper - c.upper).abs() <= 1e-14 && (w.lower - c.lower).abs() <= 1e-14, "step {k}: {w:?} {c:?}");
        let reach = c.upper * [0.5, 0.999, 1.001, 2.0][k % 4];
        let (near, truth) = (pair.within(&Pose::IDENTITY, pose, reach), fresh.within(&Pose::IDENTITY, pose, reach));
        assert_eq!(near.within, truth.within, "step {k}: within {reach} of {c:?}");
        total = [total[0] + work(warm.stats), total[1] + work(cold.stats)];
    }
    total
}

#[test]
fn small_steps_are_cheap_and_right() {
    let [a, b] = bodies();
    let mut random = Random::new(5);
    for (step, least) in [(1e-6, 6.0), (1e-4, 3.0), (1e-3, 1.5), (1e-2, 0.95)] {
        let mut total = [0; 2];
        for _ in 0..6 {
            let counts = along(&mut Pair::new(&a, &b), &way(step, 150, &mut random));
            total = [total[0] + counts[0], total[1] + counts[1]];
        }
        let ratio = total[1] as f64 / total[0] as f64;
        assert!(ratio >= least, "steps of {step}: {total:?}, {ratio:.2} times less work, not {least}");
    }
}

/// Bodies so small or so large that squares of their lengths are 0 or nearly overflow: memory must not conclude that
/// nothing has moved.
#[test]
fn small_steps_of_bodies_of_any_size_are_right() {
    for unit in [-600, -531, -528, 450].map(|k| 2f64.powi(k)) {
        let scaled = |soup: Soup| surface(&soup.map(|p| p * unit));
        let mut pair = Pair::new(scaled(torus(1.0, 0.4, 36, 18)), scaled(sphere(3, 0.7)));
        for pose in way(0.02, 200, &mut Random::new(8)) {
            let pose = Pose::at(pose.translation() * unit).unwrap();
            let mut fresh = pair.clone();
            fresh.forget();
            let (w, c) = [&mut pair, &mut fresh].map(|p| p.distance(&Pose::IDENTITY, &pose).interval).into();
            assert!((w.upper - c.upper).abs() <= 1e-14 * unit && w.lower <= c.upper, "{unit:e}: {w:?} {c:?}");
        }
    }
}

#[test]
fn jumps_cost_no_more_than_cold_queries() {
    let [a, b] = bodies();
    let mut random = Random::new(6);
    let mut at = DVec3::new(2.0, 0.0, 0.0);
    let poses: Vec<Pose> = (0..400)
        .map(|k| {
            // Steps of every size, in random order.
            at = (at + direction(&mut random) * 10f64.powf(random.within(-6.0, 0.0))).clamp_length(1.2, 3.0);
            Pose::new(at, if k % 3 == 0 { random.rotation() } else { DQuat::IDENTITY }).unwrap()
        })
        .collect();
    let [warm, cold] = along(&mut Pair::new(&a, &b), &poses);
    assert!(warm as f64 <= 1.05 * cold as f64, "{warm} against {cold}");
}

#[test]
fn other_bodies_are_not_mistaken_for_those_remembered() {
    let [a, b] = bodies();
    let mut random = Random::new(7);
    let mut pair = Pair::new(&a, &b);
    along(&mut pair, &way(1e-4, 20, &mut random));
    // The bodies exchanged, and each body against itself.
    for (x, y) in [(&b, &a), (&a, &a), (&b, &b)] {
        let mut other = Pair::new(x, y);
        along(&mut other, &way(1e-4, 20, &mut random));
    }
    let still = vec![way(1e-4, 1, &mut random)[0]; 10];
    along(&mut pair, &still);
}
