//! Builds a binary tree bottom-up by locally-ordered clustering.
//!
//! After D. Meister and J. Bittner, *Parallel locally-ordered clustering for bounding volume hierarchy construction*,
//! TVCG 24(3), 2018. Clusters lie along the Morton curve; each looks [`RADIUS`] places to both sides for the neighbour
//! with which it makes the box of least surface, and two that choose each other merge. About 1.5·log n rounds, each
//! linear and parallel.
//!
//! Departures. Costs are compared as (surface, index xor index): symmetric and without ties, so that equal boxes pair
//! off instead of all choosing the same partner. A round that merges fewer than one cluster in sixteen (nested boxes
//! that all choose the innermost) is followed by one that merges neighbours two by two; so n clusters need O(log n)
//! rounds whatever they are. The tree does not depend on the number of threads: every step is a map or a serial sweep.

use rayon::prelude::*;

use super::binary::{Binary, BinaryNode, Kind};
use super::{GRAIN, SERIAL};
use crate::bound::Box32;
use crate::math::simd::{F32x8, Kernel, Simd, Vector, axes, dispatch};

/// How far a cluster looks along the curve: the lanes of a vector.
const RADIUS: usize = 8;

/// Builds over at least one box.
pub(super) fn build(boxes: &[Box32]) -> Binary {
    let mut nodes = Vec::with_capacity(2 * boxes.len() - 1);
    nodes.extend(along_curve(boxes).into_iter().map(|i| BinaryNode {
        bounds: boxes[i as usize],
        count: 1,
        kind: Kind::Primitive(i),
    }));
    let mut clusters: Vec<u32> = (0..boxes.len() as u32).collect();
    let mut lanes = Lanes::default();
    let mut choice: Vec<u32> = Vec::new();
    let mut next = Vec::new();
    let mut stalled = false;
    while clusters.len() > 1 {
        choice.clear();
        if stalled {
            choice.extend((0..clusters.len() as u32).map(|i| i ^ 1));
        } else {
            lanes.fill(clusters.iter().map(|&c| nodes[c as usize].bounds));
            choose(&lanes, clusters.len(), &mut choice);
        }
        next.clear();
        for (i, &cluster) in clusters.iter().enumerate() {
            let j = choice[i] as usize;
            let mutual = choice.get(j).is_some_and(|&back| back as usize == i);
            match (mutual, i < j) {
                (true, true) => {
                    next.push(nodes.len() as u32);
                    let (a, b) = (&nodes[cluster as usize], &nodes[clusters[j] as usize]);
                    nodes.push(BinaryNode {
                        bounds: a.bounds.union(&b.bounds),
                        count: a.count + b.count,
                        kind: Kind::Inner([cluster, clusters[j]]),
                    });
                }
                (true, false) => {}
                (false, _) => next.push(cluster),
            }
        }
        stalled = (clusters.len() - next.len()) * 16 < clusters.len();
        std::mem::swap(&mut clusters, &mut next);
    }
    Binary { root: clusters[0], nodes }
}

/// The clusters' boxes, coordinate by coordinate, with [`RADIUS`] more at the end that are never chosen.
#[derive(Default)]
struct Lanes {
    min: [Vec<f32>; 3],
    max: [Vec<f32>; 3],
}

impl Lanes {
    fn fill(&mut self, boxes: impl Iterator<Item = Box32>) {
        self.min.iter_mut().chain(&mut self.max).for_each(Vec::clear);
        for b in boxes.chain(std::iter::repeat_n(Box32::EMPTY, RADIUS)) {
            for axis in 0..3 {
                self.min[axis].push(b.min[axis]);
                self.max[axis].push(b.max[axis]);
            }
        }
    }
}

/// For each cluster the neighbour with which it makes the least surface.
fn choose(lanes: &Lanes, clusters: usize, choice: &mut Vec<u32>) {
    let mut surfaces = vec![[0f32; RADIUS]; clusters];
    if clusters > SERIAL {
        let fill = |(c, out): (usize, &mut [_])| dispatch(Ahead { lanes, first: c * GRAIN, out });
        surfaces.par_chunks_mut(GRAIN).enumerate().for_each(fill);
        let all = (0..clusters).into_par_iter().with_min_len(GRAIN);
        all.map(|i| nearest(&surfaces, i)).collect_into_vec(choice);
    } else {
        dispatch(Ahead { lanes, first: 0, out: &mut surfaces });
        choice.extend((0..clusters).map(|i| nearest(&surfaces, i)));
    }
}

/// The neighbour of cluster `i`, given the surfaces that each makes with those after it: the least of (surface, i xor
/// j), as one number, since the bits of positive floats are ordered as they are.
fn nearest(surfaces: &[[f32; RADIUS]], i: usize) -> u32 {
    let key = |surface: f32, j: usize| u64::from(surface.to_bits()) << 32 | (i ^ j) as u64;
    let before = (1..=RADIUS.min(i)).map(|k| key(surfaces[i - k][k - 1], i - k));
    let after = (1..=RADIUS.min(surfaces.len() - 1 - i)).map(|k| key(surfaces[i][k - 1], i + k));
    let best = before.fold(u64::MAX, u64::min).min(after.fold(u64::MAX, u64::min));
    i as u32 ^ best as u32
}

/// Surfaces that clusters from `first` on make with each of the [`RADIUS`] next ones.
struct Ahead<'a> {
    lanes: &'a Lanes,
    first: usize,
    out: &'a mut [[f32; RADIUS]],
}

impl Kernel for Ahead<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self) {
        for (k, out) in self.out.iter_mut().enumerate() {
            let i = self.first + k;
            let side = axes!(axis => {
                let (min, max) = (&self.lanes.min[axis], &self.lanes.max[axis]);
                let low = load::<S>(min, i + 1).min(S::F32x8::splat(min[i]));
                let high = load::<S>(max, i + 1).max(S::F32x8::splat(max[i]));
                high.sub(low)
            });
            *out = side[0].mul(side[1]).add(side[1].mul(side[2])).add(side[2].mul(side[0])).array();
        }
    }
}

#[inline(always)]
fn load<S: Simd>(from: &[f32], at: usize) -> S::F32x8 {
    let mut lanes = [0.0; RADIUS];
    lanes.copy_from_slice(&from[at..at + RADIUS]);
    S::F32x8::load(&lanes)
}

/// The boxes' indices in the order of their centres along the Morton curve; equal codes in the order given.
fn along_curve(boxes: &[Box32]) -> Vec<u32> {
    let key = |(i, b): (usize, &Box32)| {
        // Centres lie within ±1 (a little more, by rounding): 21 bits an axis.
        let grid = (b.double_centre() * 0.25 + 0.5) * (1 << 21) as f32;
        let [x, y, z] = grid.to_array().map(|g| spread((g as u64).min((1 << 21) - 1)));
        (x << 2 | y << 1 | z, i as u32)
    };
    let mut keys: Vec<(u64, u32)>;
    if boxes.len() > SERIAL {
        keys = boxes.par_iter().with_min_len(GRAIN).enumerate().map(key).collect();
        keys.par_sort_unstable();
    } else {
        keys = boxes.iter().enumerate().map(key).collect();
        keys.sort_unstable();
    }
    keys.into_iter().map(|(_, i)| i).collect()
}

/// Puts two zero bits between the 21 bits of `x`.
fn spread(mut x: u64) -> u64 {
    x = (x | x << 32) & 0x001f_0000_0000_ffff;
    x = (x | x << 16) & 0x001f_0000_ff00_00ff;
    x = (x | x << 8) & 0x100f_00f0_0f00_f00f;
    x = (x | x << 4) & 0x10c3_0c30_c30c_30c3;
    (x | x << 2) & 0x1249_2492_4924_9249
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3A;

    #[test]
    fn spread_interleaves() {
        assert_eq!(spread(0b1011), 0b1_000_001_001);
        assert_eq!(spread((1 << 21) - 1), 0x1249_2492_4924_9249);
    }

    /// All choose the innermost: without the stall rule this takes n rounds.
    #[test]
    fn nested_boxes_take_few_rounds() {
        let boxes: Vec<Box32> = (1..=20_000)
            .map(|i| {
                let r = Vec3A::splat(i as f32 / 20_000.0);
                Box32 { min: -r, max: r }
            })
            .collect();
        let tree = build(&boxes);
        assert_eq!(tree.nodes.len(), 39_999);
        assert_eq!(tree.nodes[tree.root as usize].count, 20_000);
    }
}
