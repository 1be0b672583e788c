//! The point of a simplex nearest to the origin, by Johnson's subdistance algorithm.
//!
//! E. Gilbert, D. Johnson and S. Keerthi, *A fast procedure for computing the distance between complex objects in
//! three-dimensional space*, IEEE J. Robotics and Automation 4(2), 1988, §IV: for a subset `Y` of the points,
//!
//! ```text
//!     Δ_i({i}) = 1,     Δ_j(Y ∪ {j}) = Σ_{i ∈ Y} Δ_i(Y) · y_i·(y_k − y_j),    k the first of Y
//! ```
//!
//! are proportional to the weights of the point of `Y`'s flat nearest to the origin. `Y` carries the answer when its
//! own `Δ` are positive and no other point's would be. Rounding may leave none: then, the paper's backup procedure,
//! every subset with positive weights is tried and the nearest kept.
//!
//! Here we deviate: products of dot products lose so many digits on slivers that the backup is wrong as well, up to an
//! origin called inside that is not. So the answer is tested, all points beyond the plane through it or the origin
//! truly inside, and one that fails is left to the [`RegionWalk`]. Kept for comparison.

use glam::DVec3;

use super::simplex::{Foot, RegionWalk, SimplexSides, Solver};
use crate::math::EPS;

/// Johnson's solver, with the backup procedure.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Johnson;

impl Solver for Johnson {
    fn foot(points: &[DVec3]) -> Foot {
        let count = points.len().min(4);
        let mut y = [DVec3::ZERO; 4];
        y[..count].copy_from_slice(&points[..count]);
        let delta = determinants(&y, count);
        let full = 1usize << count;
        let foot = (1..full)
            .find(|&s| carries(&delta, s, count))
            .map(|s| blend(&y, &delta, s))
            .or_else(|| (1..full).filter(|&s| positive(&delta, s)).map(|s| blend(&y, &delta, s)).reduce(Foot::nearer))
            .unwrap_or(Foot::vertex(0, y[0]));
        if holds(&foot, &y, count) { foot } else { RegionWalk::foot(&points[..count]) }
    }
}

/// Whether no point lies before the plane through the foot, or, for a foot inside, the origin is truly there.
fn holds(foot: &Foot, y: &[DVec3; 4], count: usize) -> bool {
    if foot.count == 4 {
        return SimplexSides::of(*y).inside().is_some();
    }
    let v = foot.point;
    let size = y[..count].iter().fold(0.0, |m: f64, p| m.max(p.abs().max_element()));
    let slack = 64.0 * EPS * size * v.length();
    y[..count].iter().all(|p| v.dot(*p - v) >= -slack)
}

/// `delta[s][i]` is `Δ_i` of the subset with bits `s`.
type Determinants = [[f64; 4]; 16];

fn determinants(y: &[DVec3; 4], count: usize) -> Determinants {
    let mut delta = [[0.0; 4]; 16];
    for s in 1..1usize << count {
        for j in (0..count).filter(|j| s >> j & 1 == 1) {
            let rest = s & !(1 << j);
            if rest == 0 {
                delta[s][j] = 1.0;
                continue;
            }
            let step = y[rest.trailing_zeros() as usize] - y[j];
            delta[s][j] = members(rest).map(|i| delta[rest][i] * y[i].dot(step)).sum();
        }
    }
    delta
}

fn members(s: usize) -> impl Iterator<Item = usize> {
    (0..4).filter(move |i| s >> i & 1 == 1)
}

fn positive(delta: &Determinants, s: usize) -> bool {
    members(s).all(|i| delta[s][i] > 0.0)
}

fn carries(delta: &Determinants, s: usize, count: usize) -> bool {
    positive(delta, s) && (0..count).filter(|j| s >> j & 1 == 0).all(|j| delta[s | 1 << j][j] <= 0.0)
}

fn blend(y: &[DVec3; 4], delta: &Determinants, s: usize) -> Foot {
    let sum: f64 = members(s).map(|i| delta[s][i]).sum();
    let mut foot = Foot { kept: [0; 4], count: 0, weights: [0.0; 4], point: DVec3::ZERO };
    for i in members(s) {
        foot.kept[foot.count] = i as u8;
        foot.weights[foot.count] = delta[s][i] / sum;
        foot.point += y[i] * foot.weights[foot.count];
        foot.count += 1;
    }
    if foot.count == 4 {
        foot.point = DVec3::ZERO;
    }
    foot
}
