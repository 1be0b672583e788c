//! Cases L01: a world of 2000 bodies gives the same bits on any number of threads.

use std::collections::HashMap;
use std::sync::Arc;

use glam::{DQuat, DVec3};
use impinge::{Body, BodyId, Convex, Interval, Limit, Mesh, Model, Pose, Round, World};
use impinge_testing::random::Random;

/// As many frames as take a few seconds.
const STEPS: usize = 24;

/// FNV-1a.
struct Hash(u64);

impl Hash {
    fn take(&mut self, bits: u64) {
        for byte in bits.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    fn point(&mut self, p: DVec3) {
        p.to_array().iter().for_each(|x| self.take(x.to_bits()));
    }
}

/// A tetrahedron with a dent, a hull, and shapes.
fn models(r: &mut Random) -> Vec<Model> {
    let v =
        [[0.0, 0.0, 0.0], [0.8, 0.0, 0.0], [0.0, 0.8, 0.0], [0.0, 0.0, 0.8], [0.1, 0.1, 0.1]].map(DVec3::from_array);
    let dented = vec![[0, 2, 1], [0, 1, 3], [2, 0, 3], [1, 2, 4], [2, 3, 4], [3, 1, 4]];
    vec![
        Arc::new(Mesh::new(v.to_vec(), dented).unwrap()).into(),
        Convex::hull(&(0..12).map(|_| r.point(0.5)).collect::<Vec<_>>()).unwrap().into(),
        Round::sphere(0.4).unwrap().into(),
        Round::cuboid(DVec3::new(0.4, 0.6, 0.9)).unwrap().into(),
        Round::cylinder(0.3, 0.8).unwrap().into(),
    ]
}

fn run(threads: usize) -> (u64, usize) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let mut r = Random::new(101);
        let (mut world, models) = (World::new(), models(&mut r));
        let mut ids: Vec<(BodyId, DVec3, DVec3)> = Vec::new();
        for k in 0..2000 {
            let (at, velocity) = (r.point(6.5), r.point(0.1));
            let body = Body::new(models[k % models.len()].clone(), Pose::at(at).unwrap());
            ids.push((world.add(body).unwrap(), at, velocity));
        }
        let places: HashMap<BodyId, u64> = ids.iter().map(|known| known.0).zip(0..).collect();
        let (mut hash, mut touching) = (Hash(0xcbf2_9ce4_8422_2325), 0);
        for step in 0..STEPS {
            for (id, at, velocity) in &mut ids {
                *at += *velocity;
                let turn = DQuat::from_scaled_axis(*velocity * 3.0 * step as f64);
                world.place(*id, Pose::new(*at, turn).unwrap()).unwrap();
            }
            for met in world.distance(0.05) {
                let Interval { lower, upper } = met.answer.interval;
                [lower, upper].iter().for_each(|x| hash.take(x.to_bits()));
                met.answer.witness.iter().flat_map(|w| w.points).for_each(|p| hash.point(p));
            }
            for met in world.contacts(Limit::UpTo(4)) {
                touching += 1;
                [met.a, met.b].iter().for_each(|id| hash.take(places[id]));
                met.answer.iter().for_each(|contact| hash.point(contact.normal));
            }
        }
        (hash.0, touching)
    })
}

#[test]
fn l01_threads_do_not_matter_to_2000_bodies() {
    let one = run(1);
    assert!(one.1 > 100 * STEPS, "{} contacts", one.1);
    for threads in [1, 2, 3, 4, 8, 16, 32] {
        assert_eq!(run(threads), one, "{threads} threads");
    }
}
