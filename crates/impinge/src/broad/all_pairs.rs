//! Compares each box with each, eight at a time: n²/16 steps, and nothing to keep up to date.
//!
//! The fastest way for some hundred boxes, and the oracle for more. Boxes are compared in `f32`
//! ([`super::store::local`]); boxes that overlap by a rounding or less are compared once more in `f64`. The oracle of
//! every phase does the same in `f64` alone ([`super::store::plain_pairs`]).

use std::ops::Range;

use super::store::boxes::Boxes;
use super::store::broad_phase::{BroadPhase, Counts};
use super::store::local::{CERTAIN, Local};
use super::store::stream::{Stream, in_order};
use crate::math::simd::{F32x8, Kernel, Simd, Vector, axes, dispatch};

/// Boxes in one comparison.
const WIDTH: usize = 8;
/// The number of boxes that a task compares with all that follow.
const TASK: usize = 64;

/// Compares each box with each.
///
/// ```
/// use impinge::{bound::Aabb, broad::{AllPairs, Boxes, BroadPhase, Filter, Mobility}, glam::DVec3};
/// let mut boxes = Boxes::new();
/// let unit = |x: f64| Aabb::new(DVec3::X * x, DVec3::X * x + 1.0);
/// for x in [0.0, 0.5, 3.0] {
///     boxes.insert(unit(x), Filter::ALL, Mobility::Moving)?;
/// }
/// let mut phase = AllPairs::new();
/// phase.refresh(&boxes);
/// let mut met = Vec::new();
/// phase.pairs(&boxes, &mut |pairs| met.extend_from_slice(pairs));
/// assert_eq!(met, [[0, 1]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct AllPairs {
    slots: Vec<u32>,
    /// Lanes 0, 1, 2, 4, 5, 6 of the local boxes, each in an array of its own; the last vector is filled up with boxes
    /// that meet no other.
    low: [Vec<f32>; 3],
    high: [Vec<f32>; 3],
    counts: Counts,
}

impl AllPairs {
    /// A phase that knows no boxes yet.
    pub fn new() -> AllPairs {
        AllPairs::default()
    }
}

impl BroadPhase for AllPairs {
    fn boxed_clone(&self) -> Box<dyn BroadPhase> {
        Box::new(self.clone())
    }

    fn refresh(&mut self, boxes: &Boxes) {
        self.slots.clear();
        self.low.iter_mut().chain(&mut self.high).for_each(Vec::clear);
        dispatch(Read { phase: self, boxes });
        let filled = self.slots.len().next_multiple_of(WIDTH);
        self.low.iter_mut().for_each(|v| v.resize(filled, f32::INFINITY));
        self.high.iter_mut().for_each(|v| v.resize(filled, f32::NEG_INFINITY));
        self.counts.builds += 1;
    }

    fn pairs(&mut self, boxes: &Boxes, visit: &mut dyn FnMut(&[[u32; 2]])) {
        let n = self.slots.len() as u64;
        let tasks = self.slots.len().div_ceil(TASK);
        in_order(tasks, visit, |task, out| {
            let end = self.slots.len().min((task + 1) * TASK);
            dispatch(Compare { phase: self, boxes, rows: task * TASK..end, out });
            0
        });
        self.counts.tests += n * n.saturating_sub(1) / 2;
    }

    fn counts(&self) -> Counts {
        self.counts
    }

    fn bytes(&self) -> usize {
        let lanes: usize = self.low.iter().chain(&self.high).map(Vec::capacity).sum();
        (lanes + self.slots.capacity()) * 4
    }
}

/// Reads all boxes.
struct Read<'a> {
    phase: &'a mut AllPairs,
    boxes: &'a Boxes,
}

impl Kernel for Read<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self) {
        let local = Local::of(&self.boxes.world());
        for slot in self.boxes.live() {
            let lanes = local.outward::<S>(&self.boxes.all()[slot as usize]).array();
            self.phase.slots.push(slot);
            for axis in 0..3 {
                self.phase.low[axis].push(lanes[axis]);
                self.phase.high[axis].push(-lanes[axis + 4]);
            }
        }
    }
}

/// Boxes `first..end` against each that follows.
struct Compare<'a, 'b> {
    phase: &'a AllPairs,
    boxes: &'a Boxes,
    rows: Range<usize>,
    out: &'a mut Stream<'b>,
}

impl Kernel for Compare<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self) {
        let AllPairs { slots, low, high, .. } = self.phase;
        for i in self.rows {
            let slot = slots[i];
            if self.out.is_full() {
                return;
            }
            let a_low = axes!(k => S::F32x8::splat(low[k][i]));
            let a_high = axes!(k => S::F32x8::splat(high[k][i]));
            for first in (i / WIDTH * WIDTH..slots.len()).step_by(WIDTH) {
                // How far the boxes overlap, on the axis where they overlap least.
                let room = axes!(k => {
                    let (b_low, b_high) = (load::<S>(&low[k], first), load::<S>(&high[k], first));
                    b_high.sub(a_low[k]).min(a_high[k].sub(b_low))
                });
                let room = room[0].min(room[1]).min(room[2]);
                let mut near = S::F32x8::splat(0.0).le(room);
                if first <= i {
                    near &= !0 << (i - first + 1);
                }
                let certain = S::F32x8::splat(CERTAIN).le(room);
                while near != 0 {
                    let k = near.trailing_zeros();
                    near &= near - 1;
                    let other = slots[first + k as usize];
                    let touch = certain >> k & 1 == 1 || self.boxes.touch(slot, other);
                    if touch && self.boxes.admits(slot, other) {
                        self.out.push(slot, other);
                    }
                }
            }
        }
    }
}

#[inline(always)]
fn load<S: Simd>(from: &[f32], at: usize) -> S::F32x8 {
    let mut lanes = [0.0; WIDTH];
    lanes.copy_from_slice(&from[at..at + WIDTH]);
    S::F32x8::load(&lanes)
}
