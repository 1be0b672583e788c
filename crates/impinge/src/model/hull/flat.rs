//! The hull of points in a plane: Andrew's monotone chain (1979) on two of the three axes, signs exact.
//!
//! The axis left out is the one nearest to the normal, so the projection turns no polygon over and squeezes none by
//! more than √3. Corners within `2τ` of the line of a longer edge are left out: they are rounding, as the corners of a
//! rotated grid would be. O(n log n).

use glam::{DVec2, DVec3};

use super::sites::Sites;
use crate::math::{Sign, orient2d};

/// The corners of the hull in order; `None` when there are fewer than three.
pub(super) fn polygon(sites: &Sites<'_>, normal: DVec3) -> Option<Vec<u32>> {
    let n = normal.abs();
    let [i, j] = if n.z >= n.x && n.z >= n.y {
        [0, 1]
    } else if n.x >= n.y {
        [1, 2]
    } else {
        [2, 0]
    };
    let at = |v: u32| DVec2::new(sites.at[v as usize][i], sites.at[v as usize][j]);
    let mut order: Vec<u32> = (0..sites.at.len() as u32).collect();
    // By the first axis, then the second, then the index: of equal points the first comes first.
    order.sort_unstable_by(|&v, &w| {
        let (p, q) = (at(v), at(w));
        p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)).then(v.cmp(&w))
    });
    order.dedup_by(|v, w| at(*v) == at(*w));
    let mut polygon = chain(order.iter().copied(), at);
    let back = chain(order.iter().rev().copied(), at);
    polygon.pop();
    polygon.extend_from_slice(&back[..back.len() - 1]);
    if polygon.len() < 3 {
        return None;
    }
    let corners = simplified(&polygon, sites);
    let corners = if let [p, q] = corners[..] { triangle(&polygon, [p, q], sites) } else { corners };
    Some(corners.into_iter().map(|k| polygon[k]).collect())
}

/// The part of the hull to the right of the way from the first point to the last, ends included.
fn chain(order: impl Iterator<Item = u32>, at: impl Fn(u32) -> DVec2) -> Vec<u32> {
    let mut chain: Vec<u32> = Vec::new();
    for v in order {
        while let [.., p, q] = chain[..] {
            if orient2d(at(p), at(q), at(v)) == Sign::Positive {
                break;
            }
            chain.pop();
        }
        chain.push(v);
    }
    chain
}

/// Of a polygon hardly wider than `τ` the two corners left and the one farthest from their line, in order.
fn triangle(polygon: &[u32], [p, q]: [usize; 2], sites: &Sites<'_>) -> Vec<usize> {
    let at = |k: usize| sites.points[polygon[k] as usize];
    let height = |k: &usize| (at(q) - at(p)).cross(at(*k) - at(p)).length_squared();
    let others = (0..polygon.len()).filter(|k| *k != p && *k != q);
    let mut corners = vec![p, q];
    corners.extend(others.max_by(|k, l| height(k).total_cmp(&height(l))));
    corners.sort_unstable();
    corners
}

/// The corners, by their place, without those that rounding made: edges, longest first, take in those before and after
/// while they stay within `2τ` of the line and do not turn back. At least two corners are left.
fn simplified(polygon: &[u32], sites: &Sites<'_>) -> Vec<usize> {
    const FREE: u32 = u32::MAX;
    let n = polygon.len();
    let at = |k: usize| sites.points[polygon[k % n] as usize];
    let mut longest: Vec<u32> = (0..n as u32).collect();
    let length = |k: u32| at(k as usize).distance_squared(at(k as usize + 1));
    longest.sort_by(|&k, &l| length(l).total_cmp(&length(k)));
    let mut side = vec![FREE; n];
    for &k in &longest {
        let k = k as usize;
        if side[k] != FREE {
            continue;
        }
        side[k] = k as u32;
        let along = (at(k + 1) - at(k)).normalize_or_zero();
        let near = |m: usize| along.cross(at(m) - at(k)).length() <= 2.0 * sites.tolerance;
        for step in [1, n - 1] {
            let mut m = (k + step) % n;
            // The end of edge `m` that is farther along.
            let on = |m: usize| along.dot(at(m + 1) - at(m)) > 0.0;
            while side[m] == FREE && on(m) && near(if step == 1 { m + 1 } else { m }) {
                side[m] = k as u32;
                m = (m + step) % n;
            }
        }
    }
    (0..n).filter(|&k| side[k] != side[(k + n - 1) % n]).collect()
}
