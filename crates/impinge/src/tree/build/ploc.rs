//! Builds a binary tree bottom-up by locally-ordered clustering.
//!
//! After D. Meister and J. Bittner, *Parallel locally-ordered clustering for bounding volume hierarchy construction*,
//! TVCG 24(3), 2018. Clusters lie along the Morton curve; each looks [`RADIUS`] places to both sides for the neighbour
//! with which it makes the box of least surface, and two that choose each other merge. About 1.5·log n rounds, each
//! linear and parallel.
//!
//! Departures. Costs are compared as (surface, index xor index): symmetric and without ties, so that equal boxes pair
//! off instead of all choosing the same partner. Both lie in the bits of one float (see [`TAGS`]). A round that merges
//! fewer than one cluster in sixteen (nested boxes that all choose the innermost) is followed by one that merges
//! neighbours two by two; so n clusters need O(log n) rounds whatever they are. The tree does not depend on the number
//! of threads: every step is a map or a serial sweep.

use glam::Vec3A;

use super::binary::{Binary, BinaryKind, BinaryNode};
use super::curve::along_curve;
use crate::bound::Box32;
use crate::math::simd::{F32x8, Kernel, Simd, Vector, axes, dispatch};
use crate::threads::share;
use crate::tree::nodes::{GRAIN, SERIAL};

/// How far a cluster looks along the curve: the lanes of a vector.
const RADIUS: usize = 8;

/// Builds over at least one box.
pub(crate) fn build(boxes: Vec<Box32>) -> Binary {
    let mut nodes = Vec::with_capacity(2 * boxes.len() - 1);
    nodes.extend(along_curve(&boxes).into_iter().map(|i| BinaryNode {
        bounds: boxes[i as usize],
        count: 1,
        kind: BinaryKind::Primitive(i),
    }));
    let mut clusters: Vec<Cluster> = (0..boxes.len() as u32).map(|node| Cluster { node, count: 1 }).collect();
    let mut runs = vec![nodes.len()];
    drop(boxes);
    let mut lanes = Lanes::new(&nodes);
    let mut choice = vec![0; clusters.len()];
    let mut stalled = false;
    while clusters.len() > 1 {
        choice.truncate(clusters.len());
        if stalled {
            choice.iter_mut().zip(0..).for_each(|(c, i)| *c = i ^ 1);
        } else {
            choose(&lanes, &mut choice);
        }
        // Clusters that stay move up, over those that were merged.
        let mut kept = 0;
        for i in 0..clusters.len() {
            let j = choice[i] as usize;
            let mut cluster = clusters[i];
            let mut bounds = lanes.get(i);
            if choice.get(j).is_some_and(|&back| back as usize == i) {
                if j < i {
                    continue;
                }
                bounds = bounds.union(&lanes.get(j));
                let (children, count) = ([cluster.node, clusters[j].node], cluster.count + clusters[j].count);
                cluster = Cluster { node: nodes.len() as u32, count };
                nodes.push(BinaryNode { bounds, count, kind: BinaryKind::Inner(children) });
            }
            clusters[kept] = cluster;
            lanes.set(kept, &bounds);
            kept += 1;
        }
        stalled = (clusters.len() - kept) * 16 < clusters.len();
        clusters.truncate(kept);
        runs.push(nodes.len());
        (kept..kept + RADIUS).for_each(|i| lanes.set(i, &Lanes::NEVER));
    }
    Binary { root: clusters[0].node, nodes, runs }
}

/// What is left to merge: a node, and the primitives below it.
#[derive(Debug, Clone, Copy)]
struct Cluster {
    node: u32,
    count: u32,
}

/// The clusters' boxes, coordinate by coordinate, between [`RADIUS`] others on each side that are never chosen.
struct Lanes {
    min: [Vec<f32>; 3],
    max: [Vec<f32>; 3],
}

impl Lanes {
    /// Larger than any box of a tree, and its surface still a number.
    const NEVER: Box32 = Box32 { min: Vec3A::splat(-1e18), max: Vec3A::splat(1e18) };

    fn new(nodes: &[BinaryNode]) -> Lanes {
        let fill = |value: fn(&Box32) -> f32| {
            let never = std::iter::repeat_n(value(&Lanes::NEVER), RADIUS);
            never.clone().chain(nodes.iter().map(|n| value(&n.bounds))).chain(never).collect::<Vec<f32>>()
        };
        Lanes {
            min: [fill(|b| b.min.x), fill(|b| b.min.y), fill(|b| b.min.z)],
            max: [fill(|b| b.max.x), fill(|b| b.max.y), fill(|b| b.max.z)],
        }
    }

    #[inline(always)]
    fn get(&self, i: usize) -> Box32 {
        let [min, max] = [&self.min, &self.max].map(|c| Vec3A::from(axes!(k => c[k][i + RADIUS])));
        Box32 { min, max }
    }

    #[inline(always)]
    fn set(&mut self, i: usize, b: &Box32) {
        for axis in 0..3 {
            self.min[axis][i + RADIUS] = b.min[axis];
            self.max[axis][i + RADIUS] = b.max[axis];
        }
    }
}

/// For each cluster the neighbour with which it makes the least surface.
fn choose(lanes: &Lanes, choice: &mut [u32]) {
    if choice.len() > SERIAL {
        share::each_piece(choice.chunks_mut(GRAIN), |c, out| dispatch(Choose { lanes, first: c * GRAIN, out }));
    } else {
        dispatch(Choose { lanes, first: 0, out: choice });
    }
}

/// The last five bits of `i ^ j`, for `i` by its last five bits and `j` from `i − 8` to `i − 1`, and from `i + 1` to
/// `i + 8`. No two neighbours of `i` have the same, since they are less than 32 apart.
const TAGS: [[[u32; RADIUS]; 2]; 32] = {
    let mut tags = [[[0; RADIUS]; 2]; 32];
    let mut i = 0;
    while i < 32 {
        let mut k = 0;
        while k < RADIUS {
            tags[i][0][k] = ((i ^ (i + 32 + k - RADIUS)) & 31) as u32;
            tags[i][1][k] = ((i ^ (i + 1 + k)) & 31) as u32;
            k += 1;
        }
        i += 1;
    }
    tags
};

/// The neighbour of `i` with that tag.
#[inline(always)]
fn tagged(i: usize, tag: u32) -> u32 {
    let ahead = (i as u32 ^ tag).wrapping_sub(i as u32) & 31;
    (i as u32 + ahead).wrapping_sub(if ahead > RADIUS as u32 { 32 } else { 0 })
}

/// The neighbours chosen by clusters from `first` on. The bits of positive floats are ordered as they are, so the tag,
/// in the place of the last bits of a surface, decides between equal ones.
struct Choose<'a> {
    lanes: &'a Lanes,
    first: usize,
    out: &'a mut [u32],
}

impl Kernel for Choose<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self) {
        for (k, out) in self.out.iter_mut().enumerate() {
            let i = self.first + k;
            let tags = &TAGS[i % 32];
            let before = surfaces::<S>(self.lanes, i, i).tag(&tags[0]);
            let after = surfaces::<S>(self.lanes, i, i + RADIUS + 1).tag(&tags[1]);
            *out = tagged(i, before.min(after).least().to_bits() & 31);
        }
    }
}

/// Half the surfaces that cluster `i` makes with each of the eight whose lanes begin at `at`.
#[inline(always)]
fn surfaces<S: Simd>(lanes: &Lanes, i: usize, at: usize) -> S::F32x8 {
    let side = axes!(axis => {
        let (min, max) = (&lanes.min[axis], &lanes.max[axis]);
        let low = load::<S>(min, at).min(S::F32x8::splat(min[i + RADIUS]));
        let high = load::<S>(max, at).max(S::F32x8::splat(max[i + RADIUS]));
        high.sub(low)
    });
    side[0].mul(side[1]).add(side[1].mul(side[2])).add(side[2].mul(side[0]))
}

#[inline(always)]
fn load<S: Simd>(from: &[f32], at: usize) -> S::F32x8 {
    let mut lanes = [0.0; RADIUS];
    lanes.copy_from_slice(&from[at..at + RADIUS]);
    S::F32x8::load(&lanes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_name_the_neighbours() {
        for i in 8..200usize {
            let [before, after] = TAGS[i % 32].map(|tags| tags.map(|tag| tagged(i, tag) as usize));
            assert!(before.into_iter().eq(i - RADIUS..i) && after.into_iter().eq(i + 1..i + 1 + RADIUS));
        }
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
        let tree = build(boxes);
        assert_eq!(tree.nodes.len(), 39_999);
        assert_eq!(tree.nodes[tree.root as usize].count, 20_000);
    }
}
