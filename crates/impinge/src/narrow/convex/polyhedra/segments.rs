//! The closest points of two segments, and of a segment and a point.

use glam::DVec3;

/// `(s, t)` in `[0, 1]²` that minimise `|w + t·v − s·u|`, the segments being `s·u` and `w + t·v`.
///
/// On the lines, with `n = u × v`, the minimum is at `s = (w × v)·n / n²`: cross products keep their accuracy down to
/// angles near rounding, where `|u|²|v|² − (u·v)²` is noise at `√ε` already. `s` is clamped, `t` is the best for it,
/// and `s` again the best for that `t`.
pub(crate) fn closest_parameters(u: DVec3, v: DVec3, w: DVec3) -> [f64; 2] {
    let n = u.cross(v);
    let s = unit(w.cross(v).dot(n), n.length_squared());
    let t = unit((u * s - w).dot(v), v.length_squared());
    [unit((w + v * t).dot(u), u.length_squared()), t]
}

/// The closest points of two segments.
pub(crate) fn closest_on_segments(p: [DVec3; 2], q: [DVec3; 2]) -> [DVec3; 2] {
    let (u, v) = (p[1] - p[0], q[1] - q[0]);
    let [s, t] = closest_parameters(u, v, q[0] - p[0]);
    [along(p, s), along(q, t)]
}

/// The point of the segment nearest to `x`.
pub(crate) fn closest_on_segment(p: [DVec3; 2], x: DVec3) -> DVec3 {
    along(p, unit((x - p[0]).dot(p[1] - p[0]), p[0].distance_squared(p[1])))
}

/// The point at parameter `s`; exactly an end at 0 and at 1.
#[inline(always)]
pub(crate) fn along(p: [DVec3; 2], s: f64) -> DVec3 {
    if s == 1.0 { p[1] } else { p[0] + (p[1] - p[0]) * s }
}

/// `x / y` clamped to `[0, 1]`; 0 when `y` is 0.
#[inline(always)]
fn unit(x: f64, y: f64) -> f64 {
    if y > 0.0 { (x / y).clamp(0.0, 1.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_crossing_parallel_and_points() {
        let x = [-DVec3::X, DVec3::X];
        let y = [DVec3::new(0.0, -1.0, 2.0), DVec3::new(0.0, 1.0, 2.0)];
        assert_eq!(closest_on_segments(x, y), [DVec3::ZERO, DVec3::new(0.0, 0.0, 2.0)]);
        let beside = [DVec3::new(0.5, 3.0, 0.0), DVec3::new(5.0, 3.0, 0.0)];
        let [p, q] = closest_on_segments(x, beside);
        assert_eq!((p.distance(q), p.x), (3.0, q.x));
        let point = [DVec3::new(4.0, 4.0, 0.0); 2];
        assert_eq!(closest_on_segments(point, x), [point[0], DVec3::X]);
        assert_eq!(closest_on_segment(x, point[0]), DVec3::X);
    }

    #[test]
    fn almost_parallel_segments_keep_their_distance() {
        for tilt in [1e-3, 1e-6, 1e-9, 1e-12, 1e-15] {
            let p = [DVec3::new(-1.0, 0.0, 0.0), DVec3::new(1.0, 0.0, 0.0)];
            let q = [DVec3::new(-1.0, -tilt, 1.0), DVec3::new(1.0, tilt, 1.0)];
            let [x, y] = closest_on_segments(p, q);
            assert!((x.distance(y) - 1.0).abs() < 1e-15, "tilt {tilt}: {x} {y}");
        }
    }
}
