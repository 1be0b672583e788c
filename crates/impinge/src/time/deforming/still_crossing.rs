//! For how long does an edge certainly cross a face while all five points move straight?
//!
//! Let one corner of the face be the origin, `b` and `c` the others, and `p`, `q` the ends of the edge. The edge
//! crosses the inside of the face when its ends are on different sides of the face's plane, and the face's edges go
//! round the line of the edge in the same sense: with `[x, y, z]` for a determinant,
//!
//! ```text
//!     [b, c, q],  −[b, c, p],  [p, q, b],  −[p, q, c],  [q − p, b − p, c − p]     have one sign.
//! ```
//!
//! Each is a cubic function of time. Over a stretch, its coefficients in the Bernstein basis are means of determinants
//! of vectors of both ends; where all four have one sign, so has the function. G. Farin, *Curves and surfaces for
//! CAGD*, 5th ed., 2002, §6.1.
//!
//! **Error.** With `M` the largest coordinate at the ends of the step and `L` the largest of the stretch, in scaled
//! units, a coordinate is off by `8ε·M`, a determinant by `3·8ε·M·6L²`, and its own arithmetic by `6·8ε·L³`; a sum of
//! three by no more, after its division. [`ERROR`] times `M·L²` is above that.
//!
//! Cost: 20 coefficients, each of at most three determinants, for every stretch tried; about two stretches for each
//! halving of what is left.

use glam::DVec3;

use crate::math::{EPS, normalising_scale};
use crate::model::Deforming;

/// Bound on the error of a determinant, in units of the vectors.
const ERROR: f64 = 256.0 * EPS;

/// The most stretches tried for one crossing.
const MOST_TRIED: usize = 192;

/// An edge and a face, seen from the first corner of the face, and scaled.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StayingCrossing {
    /// `b`, `c`, `p`, `q` at time 0 and at time 1.
    points: [[DVec3; 2]; 4],
    /// Largest coordinate.
    size: f64,
}

impl StayingCrossing {
    fn new(edge: [[DVec3; 2]; 2], [corner, b, c]: [[DVec3; 2]; 3]) -> StayingCrossing {
        let relative = |x: [DVec3; 2]| [x[0] - corner[0], x[1] - corner[1]];
        let points = [b, c, edge[0], edge[1]].map(relative);
        let size = points.iter().flatten().fold(DVec3::ZERO, |most, x| most.max(x.abs())).max_element();
        let scale = normalising_scale(size);
        StayingCrossing { points: points.map(|x| x.map(|x| x * scale)), size: size * scale }
    }

    /// All edges and faces of two triangles, by their places.
    pub(crate) fn of(a: &Deforming, b: &Deforming, [i, j]: [u32; 2]) -> impl Iterator<Item = StayingCrossing> {
        let (a, b) = (a.corners(i), b.corners(j));
        let edges = |t: [[DVec3; 2]; 3]| [[t[0], t[1]], [t[1], t[2]], [t[2], t[0]]];
        let of_a = edges(a).map(|edge| StayingCrossing::new(edge, b));
        let of_b = edges(b).map(|edge| StayingCrossing::new(edge, a));
        of_a.into_iter().chain(of_b)
    }

    /// The time until which the edge certainly crosses the face from `from` on; `from` where that is not certain at
    /// all.
    pub(crate) fn until(&self, from: f64, shortest: f64) -> f64 {
        let (mut t, mut width) = (from, 1.0 - from);
        for _ in 0..MOST_TRIED {
            if t >= 1.0 || width < shortest {
                break;
            }
            let to = if width >= 1.0 - t { 1.0 } else { t + width };
            if self.is_crossing(t, to) {
                (t, width) = (to, 2.0 * width);
            } else {
                width = 0.5 * width.min(1.0 - t);
            }
        }
        t
    }

    /// Whether the edge certainly crosses the face at every time of a stretch.
    fn is_crossing(&self, from: f64, to: f64) -> bool {
        let ends = [from, to].map(|t| self.points.map(|[start, end]| start * (1.0 - t) + end * t));
        let long = ends.iter().flatten().fold(DVec3::ZERO, |most, x| most.max(x.abs())).max_element();
        // Differences of two points are twice as long.
        let error = ERROR * self.size * 4.0 * long * long;
        let [b, c, p, q] = [0, 1, 2, 3].map(|k| [ends[0][k], ends[1][k]]);
        let from_p = |x: [DVec3; 2]| [x[0] - p[0], x[1] - p[1]];
        let Some(side) = sign([b, c, q], error) else { return false };
        sign([b, c, p], error) == Some(-side)
            && sign([p, q, b], error) == Some(side)
            && sign([p, q, c], error) == Some(-side)
            && sign([from_p(q), from_p(b), from_p(c)], error) == Some(side)
    }
}

/// The sign, 1 or −1, that a determinant of vectors has at both ends of a stretch and everywhere between.
fn sign([x, y, z]: [[DVec3; 2]; 3], error: f64) -> Option<i32> {
    let det = |i: usize, j: usize, k: usize| x[i].cross(y[j]).dot(z[k]);
    let first = det(0, 0, 0);
    let side = if first > error {
        1
    } else if first < -error {
        -1
    } else {
        return None;
    };
    let rest = || {
        [
            (det(1, 0, 0) + det(0, 1, 0) + det(0, 0, 1)) / 3.0,
            (det(0, 1, 1) + det(1, 0, 1) + det(1, 1, 0)) / 3.0,
            det(1, 1, 1),
        ]
    };
    let signed = f64::from(side);
    rest().iter().all(|c| signed * c > error).then_some(side)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prim::triangles_overlap;

    /// Where a crossing is claimed, the static test finds it at every time sampled; and crossings that last are found.
    #[test]
    fn crossings_last_as_long_as_claimed() {
        let mut seed = 3u64;
        let mut number = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) as f64 / (1u64 << 30) as f64 - 1.0
        };
        let (mut whole, mut parts, mut none) = (0, 0, 0);
        for k in 0..3_000 {
            let mut moving = || {
                let [start, way] = [0; 2].map(|_| DVec3::new(number(), number(), number()));
                [start, start + way * 0.5]
            };
            let (edge, face) = ([moving(), moving()], [moving(), moving(), moving()]);
            let until = StayingCrossing::new(edge, face).until(0.0, 1e-9);
            let at = |x: [DVec3; 2], t: f64| x[0] * (1.0 - t) + x[1] * t;
            let crosses = |t: f64| {
                let [p, q] = edge.map(|x| at(x, t));
                triangles_overlap(&[p, q, q], &face.map(|x| at(x, t)))
            };
            for s in 0..=100 {
                let t = until * f64::from(s) / 100.0;
                assert!(until == 0.0 || crosses(t), "{k}: not at {t}, said until {until}");
            }
            // The claim lasts to the sample before the first one at which they do not cross.
            let all = (0..=1000).find(|&s| !crosses(f64::from(s) / 1000.0));
            match all {
                None => assert!(until == 1.0, "{k}: until {until}"),
                Some(s) => assert!(s == 0 || until > (f64::from(s) - 1.001) / 1000.0, "{k}: until {until} {s}"),
            }
            whole += u32::from(until == 1.0);
            parts += u32::from(until > 0.0 && until < 1.0);
            none += u32::from(until == 0.0);
        }
        assert!(whole > 50 && parts > 50 && none > 50, "{whole} {parts} {none}");
    }
}
