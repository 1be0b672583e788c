//! Scenes of boxes that every broad phase is run through: each changes a store frame by frame.

use glam::DVec3;
use impinge::bound::Aabb;
use impinge::broad::{BoxId, Boxes, Filter, Mobility};
use impinge_testing::random::Random;

/// A store, the boxes in it, and how these change from frame to frame.
pub(crate) struct Scene {
    pub(crate) name: &'static str,
    pub(crate) frames: usize,
    pub(crate) boxes: Boxes,
    pub(crate) ids: Vec<BoxId>,
    random: Random,
    scale: usize,
    step: fn(&mut Scene, usize, usize),
}

impl Scene {
    fn new(name: &'static str, scale: usize, frames: usize, step: fn(&mut Scene, usize, usize)) -> Scene {
        let seed = name.bytes().fold(17, |s: u64, b| s.wrapping_mul(31).wrapping_add(u64::from(b)));
        Scene { name, frames, boxes: Boxes::new(), ids: Vec::new(), random: Random::new(seed), scale, step }
    }

    /// Changes the store as it changes in frame `frame`; frame 0 fills it.
    pub(crate) fn advance(&mut self, frame: usize) {
        (self.step)(self, frame, self.scale);
    }

    pub(crate) fn put(&mut self, centre: DVec3, half: DVec3) -> BoxId {
        self.put_with(centre, half, Filter::ALL, Mobility::Moving)
    }

    pub(crate) fn put_with(&mut self, centre: DVec3, half: DVec3, filter: Filter, mobility: Mobility) -> BoxId {
        let id = self.boxes.insert(Aabb::new(centre - half, centre + half), filter, mobility).unwrap();
        self.ids.push(id);
        id
    }

    pub(crate) fn shift(&mut self, id: BoxId, by: DVec3) {
        let b = *self.boxes.bounds(id).unwrap();
        self.boxes.update(id, Aabb::new(b.min + by, b.max + by)).unwrap();
    }

    fn take_out(&mut self, k: usize) {
        let id = self.ids.swap_remove(k);
        self.boxes.remove(id).unwrap();
    }

    fn fill(&mut self, n: usize, reach: f64, half: [f64; 2]) {
        for _ in 0..n {
            let centre = self.random.point(reach);
            let half = DVec3::from_array([0; 3].map(|_| self.random.within(half[0], half[1])));
            self.put(centre, half);
        }
    }

    /// Moves every box by up to `by` on each axis.
    fn jitter(&mut self, by: f64) {
        for k in 0..self.ids.len() {
            let step = self.random.point(by);
            self.shift(self.ids[k], step);
        }
    }
}

/// Every scene; `scale` multiplies the number of boxes.
pub(crate) fn scenes(scale: usize) -> Vec<Scene> {
    vec![
        Scene::new("empty, then one box", scale, 3, |s, frame, _| {
            if frame == 1 {
                s.put(DVec3::ONE, DVec3::ONE);
            }
        }),
        Scene::new("I01: boxes share a face", scale, 2, |s, frame, _| {
            if frame == 0 {
                s.put(DVec3::splat(0.5), DVec3::splat(0.5));
                s.put(DVec3::new(1.5, 0.5, 0.5), DVec3::splat(0.5));
            }
        }),
        Scene::new("I03: one point twice", scale, 2, |s, frame, _| {
            if frame == 0 {
                s.put(DVec3::new(1.0, 2.0, 3.0), DVec3::ZERO);
                s.put(DVec3::new(1.0, 2.0, 3.0), DVec3::ZERO);
            }
        }),
        Scene::new("I19: equal ends", scale, 2, |s, frame, _| {
            if frame == 0 {
                for (low, high) in [(0.0, 1.0), (1.0, 2.0), (1.0, 1.0), (2.0, 2.0)] {
                    s.put(DVec3::splat((low + high) / 2.0), DVec3::splat((high - low) / 2.0));
                }
            }
        }),
        Scene::new("a swarm", scale, 24, |s, frame, n| match frame {
            0 => s.fill(300 * n, 8.0, [0.25, 0.75]),
            _ => s.jitter(0.05),
        }),
        Scene::new("a fast swarm", scale, 12, |s, frame, n| match frame {
            0 => s.fill(300 * n, 8.0, [0.25, 0.75]),
            _ => s.jitter(2.0),
        }),
        Scene::new("one direction", scale, 24, |s, frame, n| match frame {
            0 => s.fill(200 * n, 6.0, [0.1, 0.9]),
            _ => {
                for k in 0..s.ids.len() {
                    let by = DVec3::new(0.02, 0.05, -0.03) * (1.0 + (k % 7) as f64);
                    s.shift(s.ids[k], by);
                }
            }
        }),
        Scene::new("some move", scale, 16, |s, frame, n| match frame {
            0 => s.fill(300 * n, 8.0, [0.25, 0.75]),
            _ => {
                for _ in 0..5 {
                    let k = s.random.below(s.ids.len() as u64) as usize;
                    let by = s.random.point(1.0);
                    s.shift(s.ids[k], by);
                }
            }
        }),
        Scene::new("settled on a floor", scale, 12, |s, frame, n| match frame {
            0 => {
                let side = ((100 * n) as f64).sqrt() as usize;
                for k in 0..3 * side * side {
                    let (column, layer) = (k / 3, k % 3);
                    let at =
                        DVec3::new((column % side) as f64 * 1.1, (column / side) as f64 * 1.1, layer as f64 * 1.02);
                    let at = at + s.random.point(0.1);
                    s.put(at, DVec3::splat(0.5));
                }
            }
            _ => s.jitter(0.002),
        }),
        Scene::new("sizes of a million to one", scale, 10, |s, frame, n| match frame {
            0 => {
                for _ in 0..250 * n {
                    let centre = s.random.point(10.0);
                    let size = 10f64.powf(s.random.within(-5.0, 1.0));
                    s.put(centre, DVec3::splat(size) * 0.5);
                }
            }
            _ => s.jitter(0.03),
        }),
        Scene::new("all at one point", scale, 3, |s, frame, n| match frame {
            0 => {
                for _ in 0..100 * n {
                    s.put(DVec3::ONE, DVec3::splat(0.5));
                }
            }
            _ => s.jitter(0.001),
        }),
        Scene::new("touching cubes", scale, 3, |s, frame, _| {
            if frame == 0 {
                for k in 0..7 * 7 * 7 {
                    s.put(DVec3::new((k % 7) as f64, (k / 7 % 7) as f64, (k / 49) as f64), DVec3::splat(0.5));
                }
            }
        }),
        Scene::new("along a line", scale, 8, |s, frame, n| match frame {
            0 => {
                for k in 0..200 * n {
                    let along = DVec3::new(0.0, k as f64 * 0.7, 0.0);
                    s.put(along, DVec3::splat(0.5));
                }
            }
            _ => s.jitter(0.2),
        }),
        Scene::new("far from the origin", scale, 8, |s, frame, n| match frame {
            0 => {
                for _ in 0..150 * n {
                    let centre = DVec3::new(1e9, -3e9, 7e8) + s.random.point(5.0);
                    s.put(centre, DVec3::splat(0.4));
                }
            }
            _ => s.jitter(0.05),
        }),
        Scene::new("clusters far apart", scale, 8, |s, frame, n| match frame {
            0 => {
                for k in 0..200 * n {
                    let cluster = DVec3::new(1e12, 2e12, -1e12) * (k % 4) as f64;
                    let centre = cluster + s.random.point(4.0);
                    s.put(centre, DVec3::splat(0.4));
                }
            }
            _ => s.jitter(0.05),
        }),
        Scene::new("one flies away", scale, 30, |s, frame, n| match frame {
            0 => s.fill(80 * n, 4.0, [0.25, 0.75]),
            _ => {
                let by = DVec3::splat(2f64.powi(frame as i32));
                s.shift(s.ids[0], by);
                s.jitter(0.01);
            }
        }),
        Scene::new("the smallest and the largest there are", scale, 4, |s, frame, n| match frame {
            0 => {
                for k in 0..20 * n {
                    let exponent = (k as i32 * 37) % 440 - 300;
                    let at = s.random.point(1.0) * 10f64.powi(exponent.min(149));
                    s.put(at, at.abs() * 0.4);
                }
            }
            _ => {
                let id = s.ids[frame];
                s.shift(id, DVec3::splat(1e-3));
            }
        }),
        Scene::new("groups and static boxes", scale, 12, |s, frame, n| match frame {
            0 => {
                for k in 0..300 * n as u32 {
                    let filter = match k % 4 {
                        0 => Filter::ALL,
                        1 => Filter { group: 1, mask: 2 },
                        2 => Filter { group: 2, mask: 3 },
                        _ => Filter { group: 4, mask: 0 },
                    };
                    let mobility = if k % 3 == 0 { Mobility::Static } else { Mobility::Moving };
                    let centre = s.random.point(5.0);
                    s.put_with(centre, DVec3::splat(0.5), filter, mobility);
                }
            }
            _ => {
                for k in 0..s.ids.len() {
                    if k % 3 != 0 {
                        let by = s.random.point(0.1);
                        s.shift(s.ids[k], by);
                    }
                }
                let filter = Filter { group: s.random.below(8) as u32, mask: s.random.below(8) as u32 };
                let k = s.random.below(s.ids.len() as u64) as usize;
                s.boxes.set_filter(s.ids[k], filter).unwrap();
            }
        }),
        Scene::new("coming and going", scale, 24, |s, frame, n| match frame {
            0 => s.fill(200 * n, 6.0, [0.2, 0.8]),
            12 => (0..s.ids.len()).rev().for_each(|k| s.take_out(k)),
            13 => s.fill(200 * n, 3.0, [0.2, 0.8]),
            _ => {
                for _ in 0..20 * n {
                    let k = s.random.below(s.ids.len() as u64 + 1) as usize;
                    if k < s.ids.len() {
                        s.take_out(k);
                    }
                }
                s.fill(20 * n, 6.0, [0.2, 0.8]);
                s.jitter(0.02);
            }
        }),
        Scene::new("still", scale, 3, |s, frame, n| {
            if frame == 0 {
                s.fill(100 * n, 4.0, [0.25, 0.75]);
            }
        }),
    ]
}
