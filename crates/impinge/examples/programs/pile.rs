//! A pile: bricks fall on a floor and on each other, and come to rest, by a solver of sixty lines.
//!
//! In each step gravity acts, the world tells the points where bodies are near, the solver finds impulses that let no
//! point go into the other body, and the bodies move. The solver goes through the points again and again, each time
//! with what is left to do (sequential impulses), and begins with the impulses of the step before.
//! `cargo run --release -p impinge --example pile`

use std::collections::BTreeMap;
use std::f64::consts::PI;

use impinge::glam::{DQuat, DVec3};
use impinge::{Body, BodyId, ContactPoint, ManifoldOptions, Mobility, Pose, PoseError, Round, World};

const STEP: f64 = 1.0 / 120.0;
const GRAVITY: DVec3 = DVec3::new(0.0, 0.0, -9.81);
const FRICTION: f64 = 0.6;
/// The share of its spin that a brick loses to the air in a second.
const DRAG: f64 = 0.5;
/// Points of bodies that are still apart by this count, so that no contact comes as a surprise.
const PREDICTION: f64 = 0.05;
/// Bodies may be this deep in each other before they are pushed apart.
const SLOP: f64 = 0.002;

/// A brick that moves; the floor has neither mass nor inertia, as if both were infinite.
struct Brick {
    id: BodyId,
    pose: Pose,
    velocity: DVec3,
    spin: DVec3,
    /// The reciprocals of the mass, and of the moments of inertia about the brick's own axes.
    light: f64,
    nimble: DVec3,
}

impl Brick {
    fn spin_by(&self, torque: DVec3) -> DVec3 {
        self.pose.rotate(self.nimble * self.pose.rotate_inverse(torque))
    }

    /// Moves and turns for one step. The angular momentum stays the same, not the spin.
    fn advance(&mut self) -> Result<(), PoseError> {
        let momentum = self.pose.rotate(self.pose.rotate_inverse(self.spin) / self.nimble);
        let turned = DQuat::from_scaled_axis(self.spin * STEP) * self.pose.rotation();
        self.pose = Pose::new(self.pose.translation() + self.velocity * STEP, turned)?;
        self.spin = self.spin_by(momentum * (1.0 - DRAG * STEP));
        Ok(())
    }

    fn energy(&self) -> f64 {
        if self.light == 0.0 {
            return 0.0;
        }
        let spin = self.pose.rotate_inverse(self.spin);
        let moving = self.velocity.length_squared() / self.light + (spin * spin / self.nimble).element_sum();
        0.5 * moving - GRAVITY.dot(self.pose.translation()) / self.light
    }
}

/// What one point of contact has to do with two bricks.
struct Point {
    bricks: [usize; 2],
    id: u64,
    arms: [DVec3; 2],
    /// The normal, and two directions across it, with the mass that an impulse along each has to move.
    axes: [DVec3; 3],
    mass: [f64; 3],
    impulse: [f64; 3],
    depth: f64,
}

fn point(bricks: &[Brick], pair: [usize; 2], normal: DVec3, at: &ContactPoint) -> Point {
    let arms = [0, 1].map(|k| at.points[k] - bricks[pair[k]].pose.translation());
    let (across, beyond) = normal.any_orthonormal_pair();
    let axes = [normal, across, beyond];
    let mass = axes.map(|axis| {
        let yields = |k: usize| {
            let brick = &bricks[pair[k]];
            brick.light + brick.spin_by(arms[k].cross(axis)).cross(arms[k]).dot(axis)
        };
        (yields(0) + yields(1)).recip()
    });
    Point { bricks: pair, id: at.id, arms, axes, mass, impulse: [0.0; 3], depth: at.depth }
}

/// Pushes the two bricks of a point apart, along one of its axes.
fn push(bricks: &mut [Brick], point: &Point, axis: usize, impulse: f64) {
    for (k, sign) in [(0, -1.0), (1, 1.0)] {
        let brick = &mut bricks[point.bricks[k]];
        let impulse = point.axes[axis] * (sign * impulse);
        brick.velocity += impulse * brick.light;
        brick.spin += brick.spin_by(point.arms[k].cross(impulse));
    }
}

/// Lets no point come nearer, and what slides slow down. With `apart` deep points are pushed out of each other, too.
fn solve(bricks: &mut [Brick], points: &mut [Point], rounds: u32, apart: bool) {
    for _ in 0..rounds {
        for point in &mut *points {
            // Friction first: what must not be, that bricks go into each other, has the last word.
            for axis in [1, 2, 0] {
                let speed_of = |k: usize| {
                    let brick = &bricks[point.bricks[k]];
                    (brick.velocity + brick.spin.cross(point.arms[k])).dot(point.axes[axis])
                };
                let speed = speed_of(1) - speed_of(0);
                let out = if point.depth > SLOP && apart { (0.2 / STEP * (point.depth - SLOP)).min(2.0) } else { 0.0 };
                let gap = point.depth.min(0.0) / STEP;
                let before = point.impulse[axis];
                let wanted = before - point.mass[axis] * (speed - if axis == 0 { out + gap } else { 0.0 });
                let most = FRICTION * point.impulse[0];
                point.impulse[axis] = if axis == 0 { wanted.max(0.0) } else { wanted.clamp(-most, most) };
                push(bricks, point, axis, point.impulse[axis] - before);
            }
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new();
    let floor = Body::new(Round::half_space(DVec3::Z, 0.0)?, Pose::IDENTITY);
    let (velocity, spin) = (DVec3::ZERO, DVec3::ZERO);
    let id = world.add(Body { mobility: Mobility::Static, ..floor })?;
    let fixed = Brick { id, pose: Pose::IDENTITY, velocity, spin, light: 0.0, nimble: DVec3::ZERO };
    let mut bricks = vec![fixed];
    for i in 0..20 {
        let t = f64::from(i);
        let sides = DVec3::new(0.5, 0.3, 0.2) * (1.0 + 0.3 * (2.0 * t).sin());
        let (column, layer) = (i % 5, i / 5);
        let corner = DQuat::from_rotation_z(0.4 * PI * f64::from(column)) * DVec3::X;
        let place = 0.5 * corner + DVec3::Z * (0.5 + 0.7 * f64::from(layer));
        let pose = Pose::new(place, DQuat::from_scaled_axis(DVec3::new(t.cos(), t.sin(), 0.3 * t)))?;
        let (light, squares) = ((1000.0 * sides.element_product()).recip(), sides * sides);
        let nimble = 12.0 * light / (squares.element_sum() - squares);
        let id = world.add(Body { user_data: bricks.len() as u128, ..Body::new(Round::cuboid(sides)?, pose) })?;
        bricks.push(Brick { id, pose, velocity, spin, light, nimble });
    }

    let options = ManifoldOptions { prediction: PREDICTION, ..Default::default() };
    let mut remembered: BTreeMap<([usize; 2], u64), [f64; 3]> = BTreeMap::new();
    let energy_of = |bricks: &[Brick]| bricks.iter().map(Brick::energy).sum::<f64>();
    let mut near = Vec::new();
    let (start, mut energy, mut deepest) = (energy_of(&bricks), energy_of(&bricks), 0.0);
    for step in 0..600 {
        for brick in bricks.iter_mut().filter(|brick| brick.light > 0.0) {
            brick.velocity += GRAVITY * STEP;
        }
        let mut points = Vec::new();
        world.manifolds_into(&options, &mut near);
        for met in &near {
            // The number of the brick is kept with its body; the floor's is 0.
            let pair = [met.a, met.b].map(|id| world.body(id).map_or(0, |body| body.user_data as usize));
            for manifold in met.answer.iter() {
                points.extend(manifold.points.iter().map(|at| point(&bricks, pair, manifold.normal, at)));
            }
        }
        for point in &mut points {
            point.impulse = remembered.get(&(point.bricks, point.id)).copied().unwrap_or_default();
            (0..3).for_each(|axis| push(&mut bricks, point, axis, point.impulse[axis]));
        }
        solve(&mut bricks, &mut points, 20, true);
        for brick in bricks.iter_mut().filter(|brick| brick.light > 0.0) {
            brick.advance()?;
            world.place(brick.id, brick.pose)?;
        }
        // Once more without what pushed deep points apart: that was no speed of the bricks.
        solve(&mut bricks, &mut points, 4, false);

        let now = energy_of(&bricks);
        // Friction that is remembered may be too much for a step in which a brick spins fast.
        assert!(now < energy + 0.01 * start, "energy does not grow: {energy} to {now}");
        energy = now;
        deepest = points.iter().map(|point| point.depth).fold(0.0, f64::max);
        if step % 60 == 0 {
            println!(
                "{:4.1} s: energy {energy:8.1}, {:3} points, {deepest:.4} deep",
                STEP * f64::from(step),
                points.len()
            );
        }
        remembered = points.iter().map(|point| ((point.bricks, point.id), point.impulse)).collect();
    }
    let fastest = bricks.iter().map(|brick| brick.velocity.length()).fold(0.0, f64::max);
    let top = bricks.iter().map(|brick| brick.pose.translation().z).fold(0.0, f64::max);
    println!("at rest up to {fastest:.4} m/s, at most {deepest:.4} deep in each other, and {top:.2} m high");
    assert!(fastest < 0.02 && deepest < 2.0 * SLOP && top > 0.3);
    Ok(())
}
