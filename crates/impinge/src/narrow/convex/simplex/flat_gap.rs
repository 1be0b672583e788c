//! A plane between two bodies with nearly parallel faces close to each other, where GJK ends without one.
//!
//! Bodies of size 1 that are `d` apart have a nearest point of their difference that is off by rounding, so its
//! direction is off by `ε/d`; along that a face of length 1 sinks by as much. For `d` of less than `√ε` no direction of
//! GJK then has a gap, though the bodies are far more apart than rounding. The face itself has many more digits: the
//! plane through three of its points is off by `ε` over the height of their triangle. So the direction here is the
//! normal of the simplex that GJK ended with; where a support lies below that plane it takes the place of the corner
//! that leaves the largest triangle, which is nearly all of the face after a few.
//!
//! Invariant: what is returned is between the bodies, up to the rounding of one support. Cost: none unless bounds have
//! not met; then some [`MOST_TRIES`] supports.

use glam::DVec3;

use super::gjk::GjkResult;
use super::minkowski::{Difference, Mapped};
use crate::answer::Stats;

/// Triangles tried.
const MOST_TRIES: usize = 8;
/// The share of the distance from which on a gap is as good as that.
pub(crate) const MET: f64 = 0.999;

/// How far apart the bodies are at least, by a plane across the simplex that GJK ended with; `None` without one.
pub(crate) fn flat_gap<A: Mapped + ?Sized, B: Mapped + ?Sized>(
    m: &Difference<'_, A, B>,
    found: &GjkResult,
    stats: &mut Stats,
) -> Option<f64> {
    let mut corners = found.simplex.w;
    let mut count = found.simplex.count.min(3);
    let mut best = None;
    for _ in 0..MOST_TRIES {
        let Some(d) = across(&corners[..count], found.v) else { break };
        stats.iterations += 1;
        let w = m.support_once(d, found.simplex.names[0], stats).w;
        let gap = d.dot(w) / m.scale;
        if gap > 0.0 {
            best = Some(gap.max(best.unwrap_or(0.0)));
        }
        if gap >= MET * found.upper() || corners[..count].contains(&w) {
            break;
        }
        if count < 3 {
            corners[count] = w;
            count += 1;
            continue;
        }
        let area = |k: usize| {
            let mut with = [corners[0], corners[1], corners[2]];
            with[k] = w;
            normal(with).length_squared()
        };
        let widest = (0..3).fold(0, |best, k| if area(k) > area(best) { k } else { best });
        corners[widest] = w;
    }
    best
}

/// The unit direction across one to three points, on the side of `v`.
fn across(points: &[DVec3], v: DVec3) -> Option<DVec3> {
    let d = match *points {
        [p] => p,
        // Twice, since the first leaves rounding along the edge that is large beside what is left.
        [p, q] => {
            let along = (q - p).try_normalize()?;
            let once = p - along * along.dot(p);
            once - along * along.dot(once)
        }
        [p, q, r, ..] => normal([p, q, r]),
        [] => return None,
    };
    let unit = d.try_normalize()?;
    Some(if unit.dot(v) < 0.0 { -unit } else { unit })
}

fn normal([p, q, r]: [DVec3; 3]) -> DVec3 {
    (q - p).cross(r - p)
}
