//! The distance of two rectangles in space, bounded from below by a direction.
//!
//! E. Larsen, S. Gottschalk, M. Lin, D. Manocha, *Fast proximity queries with swept sphere volumes*, UNC TR99-018,
//! finds it among the sixteen pairs of edges by Voronoi tests. Here it is derived anew, so that nothing depends on a
//! tolerance.
//!
//! **Points.** Let two rectangles be apart. Their closest points are either a corner of one and a point of the other,
//! or inner points of two edges: if one of them is inside a face, the other can be slid along its own face or edge
//! without leaving the parallel plane until one of the two comes to a corner or both to edges. So the least over
//!
//! - the eight corners, each against the point of the other rectangle to which it is clamped, and
//! - the sixteen pairs of edges, each where the feet of the common perpendicular are inner points of both,
//!
//! is the distance. With edges along the unit vectors `e` and `f`, `c = e·f`, and `w` from the middle of the one to
//! that of the other, `|w + uf − se|` is least at `s = (w·e − c·w·f)/(1 − c²)`, `u = cs − w·f`.
//!
//! **Bound.** Which of these is least is decided in rounded arithmetic, and nearly parallel edges have no sure feet. So
//! only the *direction* `n` of the best pair is taken: no point of `a` is nearer to `b` than the gap of their
//! projections on `n`, whatever `n` is. With the right `n` the gap is the distance; where rectangles cross, it is
//! negative for every `n`, and no test for crossing is needed.
//!
//! Error of the gap: five products and sums of the middles' distance and the half sides, after the change of frames: 30
//! roundings. Rectangles may be segments or points: a side of length 0 has no inner points.

use glam::DVec3;

/// A rectangle by its middle, the unit vectors along its sides, and half their lengths.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rectangle {
    pub(super) centre: DVec3,
    pub(super) sides: [DVec3; 2],
    pub(super) half: [f64; 2],
}

impl Rectangle {
    pub(super) fn is_point(&self) -> bool {
        self.half == [0.0; 2]
    }

    /// The distance of a point, to a few roundings.
    pub(super) fn distance_to(&self, p: DVec3) -> f64 {
        let from = p - self.centre;
        let [s, t] = [0, 1].map(|k| from.dot(self.sides[k]).clamp(-self.half[k], self.half[k]));
        (from - self.sides[0] * s - self.sides[1] * t).length()
    }
}

/// A lower bound on the distance, equal to it up to rounding; 0 where they meet.
pub(super) fn distance(a: &Rectangle, b: &Rectangle) -> f64 {
    let between = b.centre - a.centre;
    if a.is_point() && b.is_point() {
        return between.length();
    }
    // In the frame of `a`: its sides are x and y.
    let normal = a.sides[0].cross(a.sides[1]);
    let seen = |v: DVec3| DVec3::new(a.sides[0].dot(v), a.sides[1].dot(v), normal.dot(v));
    let (t, f) = (seen(between), b.sides.map(seen));
    let mut best = Best { way: DVec3::ZERO, squared: f64::INFINITY };
    corners_of_b(a.half, b.half, t, f, &mut best);
    corners_of_a(a.half, b.half, t, f, &mut best);
    edges(a.half, b.half, t, f, &mut best);
    let Some(n) = best.way.try_normalize() else { return 0.0 };
    let mine = a.half[0] * n.x.abs() + a.half[1] * n.y.abs();
    let theirs = b.half[0] * n.dot(f[0]).abs() + b.half[1] * n.dot(f[1]).abs();
    (n.dot(t) - mine - theirs).max(0.0)
}

/// The shortest way from `a` to `b` so far.
struct Best {
    way: DVec3,
    squared: f64,
}

impl Best {
    #[inline]
    fn offer(&mut self, way: DVec3) {
        let squared = way.length_squared();
        if squared < self.squared {
            *self = Best { way, squared };
        }
    }
}

const SIGNS: [[f64; 2]; 4] = [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]];

#[inline]
fn corners_of_b(a: [f64; 2], b: [f64; 2], t: DVec3, f: [DVec3; 2], best: &mut Best) {
    for [s, u] in SIGNS {
        let q = t + f[0] * (s * b[0]) + f[1] * (u * b[1]);
        best.offer(q - DVec3::new(q.x.clamp(-a[0], a[0]), q.y.clamp(-a[1], a[1]), 0.0));
    }
}

#[inline]
fn corners_of_a(a: [f64; 2], b: [f64; 2], t: DVec3, f: [DVec3; 2], best: &mut Best) {
    for [s, u] in SIGNS {
        let from_b = DVec3::new(s * a[0], u * a[1], 0.0) - t;
        let [x, y] = [0, 1].map(|k| from_b.dot(f[k]).clamp(-b[k], b[k]));
        best.offer(f[0] * x + f[1] * y - from_b);
    }
}

#[inline]
fn edges(a: [f64; 2], b: [f64; 2], t: DVec3, f: [DVec3; 2], best: &mut Best) {
    for i in 0..2 {
        for j in 0..2 {
            let c = f[j][i];
            let sine2 = 1.0 - c * c;
            if a[i] == 0.0 || b[j] == 0.0 || sine2 < 1e-12 {
                continue;
            }
            for [s, u] in SIGNS {
                let mut w = t + f[1 - j] * (u * b[1 - j]);
                w[1 - i] -= s * a[1 - i];
                let along = w.dot(f[j]);
                let at_a = (w[i] - c * along) / sine2;
                let at_b = c * at_a - along;
                if at_a.abs() <= a[i] && at_b.abs() <= b[j] {
                    let mut way = w + f[j] * at_b;
                    way[i] -= at_a;
                    best.offer(way);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::DQuat;

    use super::*;

    /// In closed form: parallel plates, corner over face, edge over edge, crossing, in one plane.
    #[test]
    fn known_distances() {
        let turned = |turn: DQuat, centre: DVec3, half: [f64; 2]| Rectangle {
            centre,
            sides: [turn * DVec3::X, turn * DVec3::Y],
            half,
        };
        let a = turned(DQuat::IDENTITY, DVec3::ZERO, [2.0, 1.0]);
        let v = DVec3::new;
        let quarter = std::f64::consts::FRAC_PI_2;
        let eighth = 0.5 * quarter;
        let root = 2f64.sqrt();
        let cases = [
            (turned(DQuat::IDENTITY, v(1.0, 0.5, 0.75), [1.0, 1.0]), 0.75),
            (turned(DQuat::IDENTITY, v(6.0, 5.0, 0.0), [1.0, 1.0]), (3f64 * 3.0 + 3.0 * 3.0).sqrt()),
            (turned(DQuat::from_rotation_y(quarter), v(0.0, 0.0, 2.0), [1.0, 1.0]), 1.0),
            (turned(DQuat::from_rotation_y(quarter), v(0.0, 0.0, 0.5), [1.0, 1.0]), 0.0),
            (
                turned(DQuat::from_rotation_x(eighth) * DQuat::from_rotation_z(eighth), v(0.3, 0.0, 3.0), [1.0, 1.0]),
                2.0,
            ),
            (turned(DQuat::from_rotation_z(eighth), v(2.0 + root + 1.0, 0.0, 0.0), [1.0, 1.0]), 1.0),
            (turned(DQuat::IDENTITY, v(0.0, 0.0, 0.0), [1.0, 1.0]), 0.0),
            (turned(DQuat::IDENTITY, v(0.0, 0.0, 3.0), [0.0, 0.0]), 3.0),
            (turned(DQuat::from_rotation_z(eighth), v(5.0, 0.0, 4.0), [0.0, 0.0]), 5.0),
        ];
        for (b, exact) in cases {
            assert!((distance(&a, &b) - exact).abs() < 1e-14, "{} not {exact}: {b:?}", distance(&a, &b));
            assert!((distance(&b, &a) - exact).abs() < 1e-14, "{} not {exact}, swapped: {b:?}", distance(&b, &a));
        }
    }
}
