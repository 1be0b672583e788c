//! Chooses up to four points of a contact: the deepest, and those that with it span a large area.
//!
//! The deepest point; the one farthest from it; the one that makes the largest triangle with these two; and the one
//! farthest out beyond the sides of that triangle. This is the usual choice of rigid body solvers (G. van den Bergen,
//! *Contact manifolds using GJK*, Game Developers Conference 2015): torques about any axis in the plane are carried.
//! Of equal ones the first is taken, so the choice depends on the order of the points only.
//!
//! Cost: four passes over the points.

use glam::DVec3;

/// The places of up to four of `count` points, ascending; `count` is their number if there are fewer. `at` gives a
/// point in the plane of the contact, `depth` how deep it is, `normal` is perpendicular to the plane.
#[inline]
pub(crate) fn choose_four(
    count: usize,
    at: impl Fn(usize) -> DVec3,
    depth: impl Fn(usize) -> f64,
    normal: DVec3,
) -> ([usize; 4], usize) {
    if count <= 4 { ([0, 1, 2, 3], count) } else { spread(count, at, depth, normal) }
}

/// Of more than four.
fn spread(
    count: usize,
    at: impl Fn(usize) -> DVec3,
    depth: impl Fn(usize) -> f64,
    normal: DVec3,
) -> ([usize; 4], usize) {
    let first = best(count, &depth);
    let p = at(first);
    let second = best(count, |k| at(k).distance_squared(p));
    let across = normal.cross(at(second) - p);
    let side = |k: usize| across.dot(at(k) - p);
    let third = best(count, |k| side(k).abs());
    let q = [p, at(second), at(third)];
    // How far out beyond the three sides, as an area, whichever way round the triangle is.
    let turn = if side(third) < 0.0 { -1.0 } else { 1.0 };
    let outside = |k: usize| {
        let area = |i: usize| -turn * normal.cross(q[(i + 1) % 3] - q[i]).dot(at(k) - q[i]);
        area(0).max(area(1)).max(area(2))
    };
    let fourth = best(count, outside);
    let mut chosen = [first, second, third, fourth];
    chosen.sort_unstable();
    let mut kept = 1;
    for k in 1..4 {
        if chosen[k] != chosen[kept - 1] {
            chosen[kept] = chosen[k];
            kept += 1;
        }
    }
    (chosen, kept)
}

/// The first of those with the largest value.
fn best(count: usize, value: impl Fn(usize) -> f64) -> usize {
    let mut best = (0, value(0));
    for k in 1..count {
        let x = value(k);
        if x > best.1 {
            best = (k, x);
        }
    }
    best.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_an_octagon_a_square() {
        let at = |k: usize| {
            DVec3::new(
                (k as f64 * 0.25 * std::f64::consts::PI).cos(),
                (k as f64 * 0.25 * std::f64::consts::PI).sin(),
                0.0,
            )
        };
        let (chosen, count) = choose_four(8, at, |k| if k == 3 { 1.0 } else { 0.0 }, DVec3::Z);
        assert_eq!((chosen, count), ([1, 3, 5, 7], 4));
    }

    #[test]
    fn equal_points_are_one() {
        let (chosen, count) = choose_four(9, |_| DVec3::ONE, |_| 0.5, DVec3::Z);
        assert_eq!((chosen[0], count), (0, 1));
    }
}
