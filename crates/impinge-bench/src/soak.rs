//! A long run: many boxes, a tenth of them replaced in every frame. Memory has to stay flat, and the pairs have to be
//! those of a plain sort-and-sweep, written for this and sharing nothing with the broad phases.
//!
//! The world is that of W5's `small`: sides of 0.5 to 1.5 in eight times their volume, steps of 0.02.

use std::io::Write;
use std::time::Instant;

use impinge::bound::Aabb;
use impinge::broad::{BoxId, Boxes, Filter, Mobility, Phase};
use impinge::glam::DVec3;

use crate::error::BenchError;
use crate::heap::live_bytes;
use crate::random::Random;

/// One box in so many is replaced in every frame.
const CHURN: u32 = 10;
/// Memory may grow by this after the first checks: the lists of pairs are not always as long.
const SLACK: f64 = 1.1;

/// How long, and how often the pairs are compared.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Soak {
    pub(crate) boxes: usize,
    pub(crate) frames: usize,
    pub(crate) every: usize,
    /// Whether nothing else runs in this process: then what counts is the whole heap, not what the phase says it has.
    pub(crate) sole_in_process: bool,
}

/// Runs the soak. `false` when pairs differ or memory grows.
pub(crate) fn run(soak: Soak) -> Result<bool, BenchError> {
    let mut world = World::new(soak.boxes)?;
    let (mut phase, mut most, mut flat, start) = (Phase::Auto.start(), 0, true, Instant::now());
    let before = live_bytes();
    for frame in 1..=soak.frames {
        world.advance()?;
        phase.refresh(&world.boxes);
        world.boxes.settle();
        let mut count = 0;
        phase.pairs(&world.boxes, &mut |pairs| count += pairs.len());
        if frame % soak.every != 0 {
            continue;
        }
        let held = if soak.sole_in_process { live_bytes() - before } else { phase.bytes() as isize };
        let bytes = held + world.boxes.bytes() as isize;
        if most == 0 {
            most = bytes;
        }
        flat &= bytes as f64 <= SLACK * most as f64;
        let mut found = Vec::with_capacity(count);
        phase.pairs(&world.boxes, &mut |pairs| found.extend_from_slice(pairs));
        found.sort_unstable();
        let expected = plain_sweep(&world.boxes);
        let same = found == expected;
        let each = bytes as f64 / soak.boxes as f64;
        let ms = start.elapsed().as_secs_f64() * 1e3 / frame as f64;
        let line = format!("frame {frame}: {count} pairs, equal: {same}, {each:.1} bytes a box, {ms:.1} ms a frame");
        writeln!(std::io::stdout(), "{line}").map_err(BenchError::write("stdout".as_ref()))?;
        if !same || !flat {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Boxes that drift, and some that go and come.
struct World {
    boxes: Boxes,
    bodies: Vec<(BoxId, DVec3)>,
    random: Random,
    side: f64,
}

impl World {
    fn new(count: usize) -> Result<World, BenchError> {
        let side = (8.0 * count as f64).cbrt();
        let mut world =
            World { boxes: Boxes::new(), bodies: Vec::with_capacity(count), random: Random::new(5, 0), side };
        world.boxes.reserve(count);
        for _ in 0..count {
            let body = world.insert()?;
            world.bodies.push(body);
        }
        Ok(world)
    }

    fn within(&mut self, low: f64, high: f64) -> DVec3 {
        DVec3::from_array([0; 3].map(|_| self.random.between(low, high)))
    }

    fn insert(&mut self) -> Result<(BoxId, DVec3), BenchError> {
        let (centre, half) = (self.within(0.0, self.side), self.within(0.25, 0.75));
        let id = self.boxes.insert(Aabb::new(centre - half, centre + half), Filter::ALL, Mobility::Moving)?;
        Ok((id, self.within(-0.035, 0.035)))
    }

    fn advance(&mut self) -> Result<(), BenchError> {
        for k in 0..self.bodies.len() {
            if self.random.below(CHURN) == 0 {
                self.boxes.remove(self.bodies[k].0)?;
                self.bodies[k] = self.insert()?;
                continue;
            }
            let (id, step) = self.bodies[k];
            if let Some(&b) = self.boxes.bounds(id) {
                self.boxes.update(id, Aabb::new(b.min + step, b.max + step))?;
            }
        }
        Ok(())
    }
}

/// Every pair, sorted: boxes in the order in which they begin along x, each against those that begin before it ends.
fn plain_sweep(boxes: &Boxes) -> Vec<[u32; 2]> {
    let mut order: Vec<(Aabb, u32)> = boxes.live().map(|slot| (boxes.all()[slot as usize], slot)).collect();
    order.sort_by(|a, b| a.0.min.x.total_cmp(&b.0.min.x));
    let mut pairs = Vec::new();
    for (k, (a, i)) in order.iter().enumerate() {
        for (b, j) in order[k + 1..].iter().take_while(|(b, _)| b.min.x <= a.max.x) {
            let apart = (b.min.y > a.max.y) | (a.min.y > b.max.y) | (b.min.z > a.max.z) | (a.min.z > b.max.z);
            if !apart {
                pairs.push([*i.min(j), *i.max(j)]);
            }
        }
    }
    pairs.sort_unstable();
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_soak_finds_nothing_wrong() {
        assert!(run(Soak { boxes: 3000, frames: 160, every: 40, sole_in_process: false }).unwrap_or(false));
    }
}
