//! Steps along one line, with and without the memory of how far a sweep has shown the way ahead to be clear.

use std::f64::consts::TAU;

use glam::{DMat3, DVec3};

use crate::answer::Stats;
use crate::math::Relative;
use crate::model::Mesh;
use crate::narrow::context::Context;
use crate::narrow::mesh::memory::MeshMemory;
use crate::narrow::mesh::sweep::swept_meshes::MeshSweep;

/// What is at the lower end of a tube.
#[derive(PartialEq)]
enum End {
    Open,
    Lid,
}

/// The wall of a tube about z, of this radius, from `low` to `high`.
fn tube(radius: f64, low: f64, high: f64, end: End) -> Mesh {
    const SIDES: u32 = 96;
    const RINGS: u32 = 12;
    let at = |k: u32, ring: u32| {
        let angle = TAU * f64::from(k) / f64::from(SIDES);
        let z = low + (high - low) * f64::from(ring) / f64::from(RINGS - 1);
        DVec3::new(radius * angle.cos(), radius * angle.sin(), z)
    };
    let mut vertices: Vec<DVec3> = (0..RINGS).flat_map(|ring| (0..SIDES).map(move |k| at(k, ring))).collect();
    let name = |k: u32, ring: u32| ring * SIDES + k % SIDES;
    let mut triangles = Vec::new();
    for (ring, k) in (0..RINGS - 1).flat_map(|ring| (0..SIDES).map(move |k| (ring, k))) {
        let [p, q, r, s] = [name(k, ring), name(k + 1, ring), name(k + 1, ring + 1), name(k, ring + 1)];
        triangles.extend([[p, q, r], [p, r, s]]);
    }
    if end == End::Lid {
        let middle = vertices.len() as u32;
        vertices.push(DVec3::Z * low);
        triangles.extend((0..SIDES).map(|k| [middle, name(k + 1, 0), name(k, 0)]));
    }
    Mesh::new(vertices, triangles).unwrap().into_surface()
}

struct Path {
    bodies: [Mesh; 2],
    memory: MeshMemory,
    warm: Stats,
    cold: Stats,
}

impl Path {
    fn new(bodies: [Mesh; 2]) -> Path {
        Path { bodies, memory: MeshMemory::default(), warm: Stats::default(), cold: Stats::default() }
    }

    /// Whether anything comes near on the way from `from` to `to`; a pair without memory has to say the same.
    fn step(&mut self, rotation: DMat3, from: DVec3, to: DVec3, within: f64) -> bool {
        let start = Relative { rotation, translation: from };
        let sweep = MeshSweep::new(&self.bodies[0], &self.bodies[1], &start, to - from, 0.0);
        let (floor, near) = sweep.nearest(within, Context::new(&mut self.memory, &mut self.warm));
        let (cold_floor, cold) = sweep.nearest(within, Context::new(&mut MeshMemory::default(), &mut self.cold));
        assert_eq!(near.is_some(), cold.is_some(), "{from} to {to} within {within}");
        assert_eq!(floor, cold_floor, "{from} to {to} within {within}");
        near.is_some()
    }
}

#[test]
fn a_rod_in_a_tube_costs_few_sweeps_for_many_steps_and_ends_at_the_lid() {
    for (steps, percent) in [(7, 105), (50, 60), (300, 20)] {
        let mut path = Path::new([tube(1.002, -3.0, 3.0, End::Lid), tube(1.0, -0.5, 0.5, End::Open)]);
        let at = |k: u32| DVec3::Z * (2.4 - 5.0 * f64::from(k) / f64::from(steps));
        let met = (0..steps).find(|&k| path.step(DMat3::IDENTITY, at(k), at(k + 1), 1e-4));
        let met = met.expect("the lid is in the way");
        assert!(at(met).z > -2.4999 && at(met + 1).z <= -2.4999, "{met} of {steps}");
        let (warm, cold) = (path.warm.volume_tests, path.cold.volume_tests);
        assert!(100 * warm < percent * cold, "{steps} steps: {warm} of {cold}");
    }
}

/// Turns, returns, steps to the side (from rounding to a tenth), other tolerances and other poses, in random order.
#[test]
fn memory_never_changes_whether_anything_comes_near() {
    let mut path = Path::new([tube(1.01, -3.0, 3.0, End::Lid), tube(1.0, -0.5, 0.5, End::Open)]);
    let mut state = 5u64;
    let mut draw = |below: u32| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as u32 % below
    };
    let (mut at, mut way, mut rotation, mut within) = (DVec3::ZERO, DVec3::Z * 0.05, DMat3::IDENTITY, 1e-4);
    let mut touched = 0;
    for _ in 0..6000 {
        match draw(24) {
            0 => way = -way,
            1 => within = [0.0, 1e-4, 1e-3, 5e-3][draw(4) as usize],
            2 => at += DVec3::X * [1e-16, 1e-13, 1e-12, 1e-10, 1e-6, 0.02][draw(6) as usize],
            3 => way = DVec3::Z * [0.01, 0.05, 0.2, -0.03][draw(4) as usize],
            4 => rotation = DMat3::from_rotation_z(f64::from(draw(3))),
            // Moves towards the lid.
            6 => (at, way) = (DVec3::Z * -2.1, DVec3::Z * -0.01 * f64::from(1 + draw(5))),
            5 => way += DVec3::Y * [1e-15, 1e-12, 1e-5][draw(3) as usize],
            _ => {}
        }
        if path.step(rotation, at, at + way, within) {
            touched += 1;
            // Moves back to the middle, on another line.
            (at, way) = (DVec3::Z * f64::from(draw(3)) * 0.5, DVec3::Z * 0.02 * f64::from(1 + draw(4)));
        }
        at += way;
        if at.length() > 4.0 || way.length() > 1.0 {
            (at, way) = (DVec3::ZERO, DVec3::Z * 0.05);
        }
    }
    assert!(touched > 60 && touched < 3000, "{touched}");
    assert!(path.warm.volume_tests * 3 < path.cold.volume_tests * 2, "{:?} {:?}", path.warm, path.cold);
}
