//! Builds a binary tree bottom-up by locally-ordered clustering.
//!
//! After D. Meister and J. Bittner, *Parallel locally-ordered clustering for bounding volume hierarchy construction*,
//! TVCG 24(3), 2018. Clusters lie along the Morton curve; each looks [`RADIUS`] places to both sides for the neighbour with
//! which it makes the box of least surface, and two that choose each other merge. About 1.5·log n rounds, each linear and
//! parallel.
//!
//! Departures. Costs are compared as (surface, index xor index): symmetric and without ties, so that equal boxes pair off
//! instead of all choosing the same partner. A round that merges fewer than one cluster in sixteen (nested boxes that all
//! choose the innermost) is followed by one that merges neighbours two by two; so n clusters need O(log n) rounds whatever
//! they are. The tree does not depend on the number of threads: every step is a map or a serial sweep.

use rayon::prelude::*;

use super::binary::{Binary, BinaryNode, Kind};
use crate::bound::Box32;

/// How far a cluster looks along the curve.
const RADIUS: usize = 8;

/// Fewest clusters worth handing to another thread.
const GRAIN: usize = 1024;

/// Builds over at least one box.
pub(super) fn build(boxes: &[Box32]) -> Binary {
    let mut nodes = Vec::with_capacity(2 * boxes.len() - 1);
    nodes.extend(along_curve(boxes).into_iter().map(|i| BinaryNode {
        bounds: boxes[i as usize],
        count: 1,
        kind: Kind::Primitive(i),
    }));
    let mut clusters: Vec<u32> = (0..boxes.len() as u32).collect();
    let mut bounds: Vec<Box32> = nodes.iter().map(|n| n.bounds).collect();
    let mut choice: Vec<u32> = Vec::new();
    let mut next = Vec::new();
    let mut stalled = false;
    while clusters.len() > 1 {
        if stalled {
            choice.clear();
            choice.extend((0..clusters.len() as u32).map(|i| i ^ 1));
        } else {
            choose(&bounds, &mut choice);
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
        bounds.clear();
        bounds.extend(clusters.iter().map(|&c| nodes[c as usize].bounds));
    }
    Binary { root: clusters[0], nodes }
}

/// For each cluster the neighbour with which it makes the least surface.
fn choose(bounds: &[Box32], choice: &mut Vec<u32>) {
    (0..bounds.len())
        .into_par_iter()
        .with_min_len(GRAIN)
        .map(|i| {
            let mine = &bounds[i];
            let mut best = (f32::INFINITY, usize::MAX, i);
            for j in i.saturating_sub(RADIUS)..(i + RADIUS + 1).min(bounds.len()) {
                let area = mine.union(&bounds[j]).half_area();
                if j != i && (area < best.0 || (area == best.0 && i ^ j < best.1)) {
                    best = (area, i ^ j, j);
                }
            }
            best.2 as u32
        })
        .collect_into_vec(choice);
}

/// The boxes' indices in the order of their centres along the Morton curve; equal codes in the order given.
fn along_curve(boxes: &[Box32]) -> Vec<u32> {
    let mut keys: Vec<(u64, u32)> = boxes
        .par_iter()
        .with_min_len(GRAIN)
        .enumerate()
        .map(|(i, b)| {
            // Centres lie within ±1 (a little more, by rounding): 21 bits an axis.
            let grid = (b.double_centre() * 0.25 + 0.5) * (1 << 21) as f32;
            let [x, y, z] = grid.to_array().map(|g| spread((g as u64).min((1 << 21) - 1)));
            (x << 2 | y << 1 | z, i as u32)
        })
        .collect();
    keys.par_sort_unstable();
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
