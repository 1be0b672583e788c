//! Gradient descent on the distance: a body that is stuck among others is moved until all are clear by a margin.
//!
//! Planners ask for the gradient of a clearance. It needs no differences: the two closest points and the normal between
//! them are the gradient. When the body moves by `v` and turns by `ω` about its origin, its point `p` moves by
//! `v + ω × (p − origin)`, and the distance grows by that times the normal. Bodies that overlap give the way out by
//! `penetration`, with the deepest points.
//! `cargo run -p impinge --example descent`

use impinge::glam::{DQuat, DVec3};
use impinge::{Pair, Parts, Pose, Round};

/// A body is clear of another when it is farther away than this.
const MARGIN: f64 = 0.1;

/// How near one obstacle is, and how that changes as the body moves and turns.
struct Clearance {
    /// Negative where they overlap.
    distance: f64,
    along: DVec3,
    about: DVec3,
}

/// The body is `b` of the pair: normals lead from the obstacle to it.
fn clearance(pair: &mut Pair, obstacle: &Pose, body: &Pose) -> Clearance {
    let near = pair.distance(obstacle, body);
    let (distance, normal, point) = match near.witness {
        Some(witness) if !near.penetrating => {
            let [there, here] = witness.points;
            (near.interval.lower, (here - there).normalize_or_zero(), here)
        }
        _ => {
            let deep = pair.penetration(obstacle, body);
            let point = deep.witness.map_or(body.translation(), |witness| witness.points[1]);
            (-deep.interval.upper, deep.direction.unwrap_or(DVec3::Z), point)
        }
    };
    Clearance { distance, along: normal, about: (point - body.translation()).cross(normal) }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A bracket of two bars, dropped into a heap of three obstacles.
    let bar = |x: f64, y: f64, z: f64| {
        let corner =
            |i: u32| DVec3::new(x, y, z) * DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2));
        (0..8).map(corner).collect::<Vec<_>>()
    };
    let bracket = Parts::from_hulls([bar(1.0, 0.2, 0.2), bar(0.2, 1.0, 0.2)].iter().map(Vec::as_slice))?;
    let obstacles = [
        (Round::sphere(0.4)?, Pose::at(DVec3::new(0.7, 0.7, 0.1))?),
        (Round::cuboid(DVec3::new(0.2, 3.0, 1.0))?, Pose::at(DVec3::new(-0.15, 0.0, 0.0))?),
        (Round::capsule(0.15, 2.0)?, Pose::new(DVec3::new(0.6, 0.1, 0.0), DQuat::from_rotation_y(1.2))?),
    ];
    let mut pairs: Vec<(Pair, Pose)> =
        obstacles.into_iter().map(|(obstacle, pose)| (Pair::new(obstacle, bracket.clone()), pose)).collect();

    let mut pose = Pose::IDENTITY;
    let mut steps = 0;
    loop {
        let found: Vec<Clearance> = pairs.iter_mut().map(|(pair, at)| clearance(pair, at, &pose)).collect();
        let least = found.iter().map(|clearance| clearance.distance).fold(f64::INFINITY, f64::min);
        if steps % 10 == 0 || least > MARGIN {
            println!("after {steps} steps the least clearance is {least:.4}");
        }
        if least > MARGIN {
            break;
        }
        assert!(steps < 200, "it is stuck");
        // Half of what is missing to each obstacle that is too near, along the gradient: it moves and turns.
        let (mut shift, mut turn) = (DVec3::ZERO, DVec3::ZERO);
        for Clearance { distance, along, about } in found {
            let missing = (MARGIN * 1.1 - distance).max(0.0);
            let slope = along.length_squared() + about.length_squared();
            shift += along * (0.5 * missing / slope);
            turn += about * (0.5 * missing / slope);
        }
        pose = Pose::new(pose.translation() + shift, DQuat::from_scaled_axis(turn) * pose.rotation())?;
        steps += 1;
    }
    // Certain: the lower ends of the intervals are beyond the margin.
    assert!(pairs.iter_mut().all(|(pair, at)| pair.distance(at, &pose).interval.lower > MARGIN));
    // The gradient is the true one: a small step along it changes the distance as foretold.
    for (pair, at) in &mut pairs {
        let here = clearance(pair, at, &pose);
        let small = 1e-6;
        let turned = DQuat::from_scaled_axis(here.about * small) * pose.rotation();
        let moved = Pose::new(pose.translation() + here.along * small, turned)?;
        let grown = clearance(pair, at, &moved).distance - here.distance;
        let foretold = small * (here.along.length_squared() + here.about.length_squared());
        assert!((grown - foretold).abs() < 1e-3 * foretold, "{grown} {foretold}");
    }
    Ok(())
}
