//! Worlds of 20 to 200 bodies on one thread and on two: what a second thread is worth where there is little to share.

use std::sync::Arc;
use std::time::{Duration, Instant};

use impinge::glam::{DQuat, DVec3};
use impinge::{Advance, Body, BodyId, Builder, Convex, Limit, Model, Pose, Round, Schedule, Span, Steady, World};

use crate::error::BenchError;
use crate::random::Random;
use crate::report::{Report, Table, figure};
use crate::shapes::torus;

const COUNTS: [usize; 4] = [20, 50, 100, 200];
const THREADS: [usize; 2] = [1, 2];
/// Bodies in the cube of side 1, so that each has about four others that are near.
const DENSITY: f64 = 0.35;

/// A frame of a world: its bodies are placed, then something is asked.
type Frame = fn(&mut Scene);

const VERBS: [(&str, Frame); 4] = [
    ("overlap", |scene| {
        scene.step();
        std::hint::black_box(scene.world.overlap());
    }),
    ("distance 0.2", |scene| {
        scene.step();
        std::hint::black_box(scene.world.distance(0.2));
    }),
    ("contacts", |scene| {
        scene.step();
        let met = scene.world.contacts(Limit::UpTo(4));
        std::hint::black_box(met.iter().map(|met| met.answer.iter().count()).sum::<usize>());
    }),
    ("advance", |scene| {
        scene.advance();
    }),
];

pub(super) fn run(quick: bool) -> Result<Report, BenchError> {
    let (rounds, slot) = if quick { (7, Duration::from_millis(5)) } else { (41, Duration::from_millis(20)) };
    let mut report = Report::new("papers-worlds", "Worlds of 20 to 200 bodies, on one thread and on two");
    report.add(format!(
        "Hulls of 30 points, capsules, cylinders and rings of 200 triangles, each about 1 wide, strewn over a cube, \
         {DENSITY} of them to the cube of side 1, moving and turning a little each frame. µs a frame: the bodies are \
         placed and the question is asked. The least of {rounds} rounds of {} ms in which one thread and two take \
         turns, and the median of their ratios. \"Two\" asks from a thread of rayon's pool, \"outside\" from none.",
        slot.as_millis()
    ));
    let heads = ["verb", "bodies", "one, µs", "two, µs", "gain", "median gain", "outside, µs", "gain", "median gain"];
    let mut table = Table::new(1, &heads);
    // The pool of all threads that belong to none; where there is one already, it serves.
    let _ = rayon::ThreadPoolBuilder::new().num_threads(THREADS[1]).build_global();
    let pools = THREADS.map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build());
    let [one, two] = pools;
    let (one, two) = (one?, two?);
    for (verb, frame) in VERBS {
        for count in COUNTS {
            eprintln!("{verb} of {count} bodies");
            let mut scenes = [Scene::new(count)?, Scene::new(count)?, Scene::new(count)?];
            let mut samples: [Vec<f64>; 3] = Default::default();
            for _ in 0..=rounds {
                let [a, b, c] = &mut scenes;
                let inside = one.install(|| turn(a, frame, slot));
                let shared = two.install(|| turn(b, frame, slot));
                let outside = turn(c, frame, slot);
                samples.iter_mut().zip([inside, shared, outside]).for_each(|(all, time)| all.push(time));
            }
            let least = samples.each_ref().map(|all| all[1..].iter().copied().fold(f64::INFINITY, f64::min));
            let gain = |k: usize| {
                let ratios = samples[0][1..].iter().zip(&samples[k][1..]).map(|(one, two)| one / two).collect();
                [least[0] / least[k], crate::timing::median(ratios)].map(figure)
            };
            let us = |k: usize| figure(least[k] * 1e6);
            let ([gain, median], [far_gain, far_median]) = (gain(1), gain(2));
            table.row([verb.to_owned(), count.to_string(), us(0), us(1), gain, median, us(2), far_gain, far_median]);
        }
    }
    report.add(table);
    Ok(report)
}

/// Seconds of a frame, over as many as fill the slot.
fn turn(scene: &mut Scene, frame: impl Fn(&mut Scene), slot: Duration) -> f64 {
    let (start, mut frames) = (Instant::now(), 0);
    while frames == 0 || start.elapsed() < slot {
        frame(scene);
        frames += 1;
    }
    start.elapsed().as_secs_f64() / f64::from(frames)
}

struct Scene {
    world: World,
    bodies: Vec<(BodyId, DVec3, DVec3)>,
    frame: u32,
}

impl Scene {
    fn new(count: usize) -> Result<Scene, BenchError> {
        let refused = |source| BenchError::Build { name: "body".to_owned(), source };
        let trouble = |error: &dyn std::fmt::Display| BenchError::usage(error.to_string());
        let mut random = Random::new(6, count as u64);
        let points: Vec<DVec3> = (0..30).map(|_| random.direction() * 0.55).collect();
        let mut ring = torus(20, 5, &mut random);
        ring.vertices.iter_mut().for_each(|v| *v *= 0.4);
        let models: [Model; 4] = [
            Convex::hull(&points).map_err(refused)?.into(),
            Round::capsule(0.3, 0.5).map_err(refused)?.into(),
            Round::cylinder(0.4, 0.7).map_err(refused)?.into(),
            Arc::new(ring.surface(Builder::Auto).map_err(refused)?).into(),
        ];
        let half = 0.5 * (count as f64 / DENSITY).cbrt();
        let (mut world, mut bodies) = (World::new(), Vec::new());
        for k in 0..count {
            let at = DVec3::from_array(std::array::from_fn(|_| random.between(-half, half)));
            let axis = random.direction();
            let body = Body::new(models[k % models.len()].clone(), Pose::at(at).map_err(|e| trouble(&e))?);
            bodies.push((world.add(body).map_err(|e| trouble(&e))?, at, axis));
        }
        Ok(Scene { world, bodies, frame: 0 })
    }

    fn pose(&self, k: usize, frame: u32) -> Option<Pose> {
        let (_, at, axis) = self.bodies[k];
        let t = 0.02 * f64::from(frame % 1000);
        Pose::new(at + axis * (0.1 * t.sin()), DQuat::from_axis_angle(axis, t)).ok()
    }

    fn step(&mut self) {
        self.frame += 1;
        for k in 0..self.bodies.len() {
            if let Some(pose) = self.pose(k, self.frame) {
                // The body is in the world.
                let _ = self.world.place(self.bodies[k].0, pose);
            }
        }
    }

    /// Moves on by a hundredth of a second, every body straight and turning.
    fn advance(&mut self) {
        self.frame += 1;
        for k in 0..self.bodies.len() {
            let Some(pose) = self.pose(k, self.frame) else { continue };
            let (id, _, axis) = self.bodies[k];
            if let Ok(motion) = Steady::new(pose, DVec3::ZERO, axis * 0.1, axis, 0.0) {
                let _ = self.world.set_motion(id, Some(Arc::new(motion)));
            }
        }
        if let Ok(span) = Span::new(0.0, 0.01) {
            std::hint::black_box(self.world.advance(span, &Advance::new(Schedule::Queue), |_, _| {}));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_have_others_near_and_every_verb_finds_some() {
        let mut scene = Scene::new(100).unwrap();
        for (_, frame) in VERBS {
            (0..3).for_each(|_| frame(&mut scene));
        }
        let (near, touching) = (scene.world.distance(0.2).len(), scene.world.overlap().len());
        assert!(near > 50 && (20..near).contains(&touching), "{near} near, {touching} touch");
    }
}
