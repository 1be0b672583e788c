//! Steps along one straight line: what one sweep has shown to be clear ahead is not swept again.
//!
//! Paths are asked about in steps (Xavier 1997, §3.2). Where surfaces slide along each other a step opens nearly the
//! boxes that a way many times as long does, and so does the next. So when steps follow each other on one line, and
//! nothing came near, the next is drawn out ahead by half as many steps as there were; if all of that is clear, so are
//! the steps on it, without a look at the trees. The way come grows by half each time, so that n steps take some log n
//! sweeps, and where the line ends, or something is met, little was swept in vain.
//!
//! A look ahead that finds something, or takes [`PATIENCE`] times the work of the steps before it, is broken off. Then
//! the step is asked about by itself, as it is when anything is near: nothing but "clear" is told from here. Where
//! something was found, the next look on this line goes a quarter as far. After each look some steps pass before
//! another, twice as many each time, unless it spared a search.
//!
//! Invariant: with `b` turned as on the line, and no farther than `pad` from the stretch between `since` and `clear`,
//! nothing is as near as `within`.

use glam::{DMat3, DVec3};

use super::swept_trees::Course;
use crate::answer::Stats;
use crate::math::Relative;
use crate::narrow::mesh::mesh_query::MeshMemory;
use crate::narrow::mesh::mesh_sweep::MeshSweep;
use crate::search::backoff::Backoff;

/// Room beside the line for the rounding of where steps begin and end, as a part of the bodies' reach.
const PAD: f64 = 1e-12;
/// Node pairs that a step opens for a line to begin with it, and that steps have opened before it is looked ahead.
const WORTH: [u64; 2] = [16, 64];
/// How far to look, as a part of the way come; whole steps.
const SHARE: f64 = 0.5;
/// How many times as many a look ahead may open.
const PATIENCE: u64 = 2;
/// Steps that pass after a look ahead that was of no use, at most.
const LONGEST_PAUSE: u16 = 64;

/// What is known of the line that steps follow.
#[derive(Debug, Clone, Default)]
pub(crate) struct LookAhead {
    line: Option<Line>,
    /// Steps until the next look ahead.
    pause: Backoff<1, LONGEST_PAUSE>,
}

#[derive(Debug, Clone, Copy)]
struct Line {
    rotation: DMat3,
    /// Where the first step began and the last one ended.
    from: DVec3,
    to: DVec3,
    /// From here to there all is clear, and so far beside it.
    since: DVec3,
    clear: DVec3,
    pad: f64,
    within: f64,
    /// How far it is worth looking.
    farthest: f64,
    /// Node pairs opened by steps.
    opened: u64,
}

impl Line {
    fn of(step: &MeshSweep<'_>, within: f64) -> Line {
        let (from, to) = (step.start, step.start + step.way);
        let rotation = step.placed.b_in_a.rotation;
        Line { rotation, from, to, since: to, clear: to, pad: 0.0, within, farthest: f64::INFINITY, opened: 0 }
    }

    /// Whether a step lies on the stretch that is clear.
    fn has(&self, step: &MeshSweep<'_>, within: f64) -> bool {
        let pad = self.pad - 2.0 * step.noise / step.placed.scale;
        self.rotation == step.placed.b_in_a.rotation
            && within <= self.within
            && [step.start, step.start + step.way].iter().all(|p| beside(*p, self.since, self.clear) <= pad)
    }

    /// Whether a step begins where the last one ended, and goes on as the others did.
    fn is_continued_by(&self, step: &MeshSweep<'_>, within: f64) -> bool {
        let (pad, behind) = (PAD / step.placed.scale, self.to - self.from);
        self.rotation == step.placed.b_in_a.rotation
            && within == self.within
            && (step.start - self.to).length() <= pad
            && step.way.dot(behind) > 0.0
            && beside(self.from, step.start, step.start - step.way * (behind.length() / step.way.length())) <= pad
    }
}

/// How far a point is from the segment between two others; NaN where they are one.
fn beside(p: DVec3, from: DVec3, to: DVec3) -> f64 {
    let along = to - from;
    let at = ((p - from).dot(along) / along.length_squared()).clamp(0.0, 1.0);
    (p - from - along * at).length()
}

impl LookAhead {
    pub(crate) fn forget(&mut self) {
        *self = LookAhead::default();
    }

    /// Whether nothing comes as near as `within` in a step, known from the last look ahead, or by another one.
    pub(crate) fn is_clear(step: &MeshSweep<'_>, within: f64, memory: &mut MeshMemory, stats: &mut Stats) -> bool {
        let ahead = &mut memory.ahead;
        let Some(line) = &mut ahead.line else { return false };
        if line.has(step, within) {
            line.to = step.start + step.way;
            ahead.pause.paid();
            return true;
        }
        if line.opened < WORTH[1] || !line.is_continued_by(step, within) {
            return false;
        }
        if ahead.pause.sits_out() {
            return false;
        }
        let (length, pad) = (step.way.length(), PAD / step.placed.scale);
        let steps = SHARE * (line.to - line.from).length().min(line.farthest) / length;
        let further = length * (steps + 1e-6).floor();
        if further < length {
            return false;
        }
        // Taken back by the first step that is known to be clear from this look ahead.
        ahead.pause.failed();
        let (patience, way) = (PATIENCE * line.opened, step.way * (1.0 + further / length));
        let start = Relative { translation: step.start, ..step.placed.b_in_a };
        let long = MeshSweep::new(step.placed.a, step.placed.b, &start, way, step.blur);
        if !Course::new(&long).is_touch_and_go((within + pad) * long.placed.scale + long.noise) {
            line.farthest = 0.5 * further;
            return false;
        }
        let (near, complete) = long.pairs(within + pad, 1, patience, memory, stats);
        let clear = near.is_empty() && complete;
        let Some(line) = &mut memory.ahead.line else { return clear };
        if clear {
            (line.to, line.since, line.clear, line.pad) = (step.start + step.way, step.start, step.start + way, pad);
        } else if !near.is_empty() {
            line.farthest = 0.25 * further;
        }
        clear
    }

    /// Takes note of a step that was asked about by itself.
    pub(crate) fn follow(&mut self, step: &MeshSweep<'_>, within: f64, clear: bool, opened: u64) {
        match &mut self.line {
            Some(line) if clear && line.is_continued_by(step, within) => {
                line.to = step.start + step.way;
                line.opened = line.opened.saturating_add(opened);
            }
            line if clear && opened >= WORTH[0] => *line = Some(Line { opened, ..Line::of(step, within) }),
            line => *line = None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Mesh;
    use std::f64::consts::TAU;

    /// The wall of a tube about z, of this radius, from `low` to `high`; with a lid below, if wanted.
    fn tube(radius: f64, low: f64, high: f64, lid: bool) -> Mesh {
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
        if lid {
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

        /// Whether anything comes near on the way from `from` to `to`, which a pair without memory says too.
        fn step(&mut self, rotation: DMat3, from: DVec3, to: DVec3, within: f64) -> bool {
            let start = Relative { rotation, translation: from };
            let sweep = MeshSweep::new(&self.bodies[0], &self.bodies[1], &start, to - from, 0.0);
            let (floor, near) = sweep.nearest(within, &mut self.memory, &mut self.warm);
            let (cold_floor, cold) = sweep.nearest(within, &mut MeshMemory::default(), &mut self.cold);
            assert_eq!(near.is_some(), cold.is_some(), "{from} to {to} within {within}");
            assert_eq!(floor, cold_floor, "{from} to {to} within {within}");
            near.is_some()
        }
    }

    #[test]
    fn a_rod_in_a_tube_costs_few_sweeps_for_many_steps_and_ends_at_the_lid() {
        for (steps, percent) in [(7, 105), (50, 60), (300, 20)] {
            let mut path = Path::new([tube(1.002, -3.0, 3.0, true), tube(1.0, -0.5, 0.5, false)]);
            let at = |k: u32| DVec3::Z * (2.4 - 5.0 * f64::from(k) / f64::from(steps));
            let met = (0..steps).find(|&k| path.step(DMat3::IDENTITY, at(k), at(k + 1), 1e-4));
            let met = met.expect("the lid is in the way");
            assert!(at(met).z > -2.4999 && at(met + 1).z <= -2.4999, "{met} of {steps}");
            let (warm, cold) = (path.warm.volume_tests, path.cold.volume_tests);
            assert!(100 * warm < percent * cold, "{steps} steps: {warm} of {cold}");
        }
    }

    /// Turns, returns, side steps from rounding to a tenth, other tolerances and other poses, in random order.
    #[test]
    fn memory_never_changes_whether_anything_comes_near() {
        let mut path = Path::new([tube(1.01, -3.0, 3.0, true), tube(1.0, -0.5, 0.5, false)]);
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
                // Towards the lid.
                6 => (at, way) = (DVec3::Z * -2.1, DVec3::Z * -0.01 * f64::from(1 + draw(5))),
                5 => way += DVec3::Y * [1e-15, 1e-12, 1e-5][draw(3) as usize],
                _ => {}
            }
            if path.step(rotation, at, at + way, within) {
                touched += 1;
                // Back to the middle, on another line.
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
}
