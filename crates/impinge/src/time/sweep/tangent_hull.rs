//! Xavier's conservative hulls: the tangents at start and end of every corner's path.
//!
//! Xavier 1997, §2.3, bounds (3) and (5). A corner that turns about an axis while it moves across it stays in the
//! triangle of its start, its end and the point where the tangents there meet; one that moves along the axis stays in
//! the hull of start, end and the points where the tangents meet the plane half way between.
//!
//! The triangle does not always hold (`docs/papers.md`, C4): the path leaves it where the path has an inflection, where
//! the tangents meet behind their starts, and where the path turns by more than a half turn, as it does near a cusp.
//! With `r` the distance from the axis, `θ` the angle, `x` the translation and `φ` its angle from the first radius, the
//! curvature has the sign of `rθ − |x|·sin(uθ − φ)`. Here all three are checked for every corner. Where a check fails
//! the answer is `None`, and the chord with its bulge is used instead; so it is for translations that are neither
//! across nor along the axis, for bodies without corners, and for angles beyond a quarter turn.
//!
//! When both bodies turn, each is swept by itself, with the relative translation on `a`. When neither turns there is
//! nothing to bound: two hulls do not compare the bodies at equal times, and the chord of the difference is exact.
//!
//! Cost: up to four points a corner, listed anew for every stretch. This bound serves for comparison with the paper,
//! it is not made for speed.

use std::f64::consts::FRAC_PI_2;

use glam::{DQuat, DVec3};

use super::chord::Chord;
use super::node_shape::ConvexShape;

/// The hulls of two pieces, as points with the time (0 start, 1 end, 2 between) they belong to.
#[derive(Debug)]
pub(crate) struct TangentHulls {
    pub(crate) points: [Vec<(u32, DVec3)>; 2],
    /// The piece whose points give the time of a near approach: the one that the translation belongs to.
    pub(crate) clock: usize,
    /// From the centre that `b` turns about to that of `a`, at the start.
    pub(crate) shift: DVec3,
    /// How far paths may be outside their hulls, because a small part of the translation was taken for 0.
    pub(crate) slack: f64,
}

/// The hulls of both pieces; `None` where the hulls do not hold.
pub(crate) fn of(chords: &[Chord; 2], pieces: [&ConvexShape<'_>; 2]) -> Option<TangentHulls> {
    if chords.iter().all(Chord::is_straight) {
        return None;
    }
    let centres = [0, 1].map(|k: usize| chords[k].ends[0].apply(chords[k].centre));
    let way = chords[0].rates.velocity - chords[1].rates.velocity;
    let mut slack = 0.0;
    let mut hull = |k: usize, way: DVec3| {
        let chord = &chords[k];
        if chord.angle > FRAC_PI_2 {
            return None;
        }
        let mut points = Vec::new();
        for corner in pieces[k].corners()? {
            let arm = chord.turn[0] * (corner - chord.centre);
            slack += path(arm, chord.rates.spin, way, &mut points)?;
        }
        Some(points)
    };
    // Where only `b` turns, the translation belongs to `b`.
    let clock = usize::from(chords[0].is_straight());
    let [of_a, of_b] = if clock == 1 { [DVec3::ZERO, -way] } else { [way, DVec3::ZERO] };
    let points = [hull(0, of_a)?, hull(1, of_b)?];
    Some(TangentHulls { points, clock, shift: centres[0] - centres[1], slack })
}

/// Adds the hull of the path of a point at `arm` from the centre; returns the length of the part of the translation
/// that was taken as 0.
pub(crate) fn path(arm: DVec3, spin: DVec3, way: DVec3, points: &mut Vec<(u32, DVec3)>) -> Option<f64> {
    let angle = spin.length();
    let axis = spin.normalize_or_zero();
    let turned = DQuat::from_scaled_axis(spin);
    let (start, end) = (arm, turned * arm + way);
    points.extend([(0, start), (1, end)]);
    let radius = arm - axis * axis.dot(arm);
    if angle == 0.0 || radius == DVec3::ZERO {
        return Some(0.0);
    }
    let along = axis.dot(way);
    let across = way - axis * along;
    let tangents = [spin.cross(arm) + way, turned * spin.cross(arm) + way];
    if along.abs() <= 1e-12 * way.length() {
        points.push((2, triangle(radius, axis, angle, across, [start, end], tangents)?));
        return Some(along.abs());
    }
    if across.length() > 1e-12 * way.length() {
        return None;
    }
    let (middle, normal) = ((start + end) * 0.5, end - start);
    for (at, tangent) in [start, end].into_iter().zip(tangents) {
        let speed = normal.dot(tangent);
        points.push((2, at + tangent * (normal.dot(middle - at) / speed)));
    }
    points.iter().rev().take(2).all(|p| p.1.is_finite()).then(|| across.length())
}

/// The corner at which both tangents meet, if their triangle contains the path.
fn triangle(
    radius: DVec3,
    axis: DVec3,
    angle: f64,
    across: DVec3,
    [start, end]: [DVec3; 2],
    tangents: [DVec3; 2],
) -> Option<DVec3> {
    let (r, x) = (radius.length(), across.length());
    let phi = axis.dot(radius.cross(across)).atan2(radius.dot(across));
    let [least, most] = sines(-phi, angle - phi);
    // start + a·t₀ = end − b·t₁, in the plane across the axis. The determinant is positive where the path turns to the
    // left by less than a half turn.
    let determinant = axis.dot(tangents[0].cross(tangents[1]));
    let (left, right) = (r * angle - x * most > 0.0, r * angle - x * least < 0.0);
    let is_bent = left && determinant > 0.0 || right && determinant < 0.0;
    let chord = end - start;
    let a = axis.dot(chord.cross(tangents[1])) / determinant;
    let b = axis.dot(tangents[0].cross(chord)) / determinant;
    let meet = start + tangents[0] * a;
    (is_bent && a >= 0.0 && b >= 0.0 && meet.is_finite()).then_some(meet)
}

/// The least and the greatest sine of the angles between two given ones, no farther apart than a turn.
fn sines(from: f64, to: f64) -> [f64; 2] {
    use std::f64::consts::{PI, TAU};
    let (s, t) = (from.sin(), to.sin());
    let passes = |at: f64| ((from - at) / TAU).ceil() * TAU + at <= to;
    [if passes(-0.5 * PI) { -1.0 } else { s.min(t) }, if passes(0.5 * PI) { 1.0 } else { s.max(t) }]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prim::nearest;

    fn at(arm: DVec3, spin: DVec3, way: DVec3, u: f64) -> DVec3 {
        DQuat::from_scaled_axis(spin * u) * arm + way * u
    }

    /// The largest distance outside the triangle among 1001 positions of the path.
    fn outside(arm: DVec3, spin: DVec3, way: DVec3, triangle: &[DVec3; 3]) -> f64 {
        let far = |s: u32| nearest(&[at(arm, spin, way, f64::from(s) / 1000.0); 3], triangle).squared.sqrt();
        (0..=1000).map(far).fold(0.0, f64::max)
    }

    /// Correction C4: a turn of 0.525 with a translation of (0.651, −0.437) leaves the triangle of its tangents.
    #[test]
    fn a_path_with_an_inflection_leaves_its_triangle() {
        let (arm, spin, way) = (DVec3::X, DVec3::Z * 0.525, DVec3::new(0.651, -0.437, 0.0));
        assert!(path(arm, spin, way, &mut Vec::new()).is_none());
        let (start, end) = (arm, at(arm, spin, way, 1.0));
        let turned = DQuat::from_scaled_axis(spin);
        let [s, t] = [spin.cross(arm) + way, turned * spin.cross(arm) + way];
        let a = (end - start).cross(t).z / s.cross(t).z;
        assert!(outside(arm, spin, way, &[start, end, start + s * a]) > 1e-4);
    }

    /// Wherever the triangle is used, the path stays in it.
    #[test]
    fn accepted_triangles_contain_their_paths() {
        let mut accepted = 0;
        for k in 0..2000 {
            let t = f64::from(k);
            let angle = 0.01 + 1.55 * (0.5 + 0.5 * (t * 12.9898).sin());
            let way = DVec3::new((t * 78.233).cos(), (t * 37.719).sin(), 0.0) * 3.0 * (t * 0.37).sin().abs();
            let arm = DVec3::new(1.0, 0.0, 0.7);
            let mut points = Vec::new();
            if path(arm, DVec3::Z * angle, way, &mut points).is_some() {
                accepted += 1;
                let triangle = [points[0].1, points[1].1, points[2].1];
                assert!(outside(arm, DVec3::Z * angle, way, &triangle) < 1e-9, "{k} {angle} {way}");
            }
        }
        assert!((1000..2000).contains(&accepted), "{accepted}");
    }

    /// Case H05: a screw stays in the hull of start, end and two tangent points, which is little larger than its path.
    #[test]
    fn h05_the_hull_of_a_screw() {
        let (arm, spin, way) = (DVec3::X, DVec3::Z, DVec3::Z * 2.0);
        let mut points = Vec::new();
        assert!(path(arm, spin, way, &mut points).is_some());
        let p: Vec<DVec3> = points.iter().map(|x| x.1).collect();
        let faces = [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]];
        let volume = (p[1] - p[0]).cross(p[2] - p[0]).dot(p[3] - p[0]);
        let inside = |x: DVec3| {
            let part = |k: usize| {
                let q: [DVec3; 4] = std::array::from_fn(|i| if i == k { x } else { p[i] });
                (q[1] - q[0]).cross(q[2] - q[0]).dot(q[3] - q[0]) / volume
            };
            (0..4).all(|k| part(k) > -1e-12)
        };
        let path: Vec<DVec3> = (0..1000).map(|s| at(arm, spin, way, f64::from(s) / 999.0)).collect();
        assert!(path.iter().all(|&x| inside(x)));
        let error = 2.0 * 0.5f64.tan() * 0.5f64.sin();
        for k in 0..500 {
            let t = f64::from(k);
            let x = 3.0 * DVec3::new((t * 12.9898).sin(), (t * 78.233).cos(), (t * 37.719).sin());
            let near = |f: &[usize; 3]| nearest(&[x; 3], &[p[f[0]], p[f[1]], p[f[2]]]).squared.sqrt();
            let hull = if inside(x) { 0.0 } else { faces.iter().map(near).fold(f64::INFINITY, f64::min) };
            let truth = path.iter().map(|y| y.distance(x)).fold(f64::INFINITY, f64::min);
            assert!(hull <= truth + 1e-12 && truth <= hull + error + 2e-3, "{x}: {hull} {truth}");
        }
    }
}
