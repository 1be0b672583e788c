//! How far a point is from a triangle, by the regions of its Voronoi diagram: the inside, then the edges.

use glam::DVec3;

use super::Triangle;

/// The squared distance of a point from a triangle, degenerate or not; that of a point of the triangle, so that it is
/// too small by no more than the rounding of coordinates.
///
/// The foot is found along one side and square to it, and once more for what is left over, which is measured. A normal,
/// and the first foot, are off by as much as the triangle is thin.
pub(crate) fn squared_from(t: &Triangle, p: DVec3) -> f64 {
    let [u, v, w] = [t[1] - t[0], t[2] - t[0], p - t[0]];
    let length = u.length_squared();
    let across = v - u * (v.dot(u) / length);
    let width = across.length_squared();
    let foot = |w: DVec3| {
        let gamma = w.dot(across) / width;
        [(w - v * gamma).dot(u) / length, gamma]
    };
    let [beta, gamma] = foot(w);
    // False for NaN: degenerate triangles are their edges.
    if beta >= 0.0 && gamma >= 0.0 && beta + gamma <= 1.0 {
        let left = w - v * gamma - u * beta;
        let [beta, gamma] = foot(left);
        return (left - v * gamma - u * beta).length_squared();
    }
    let edge = |a: DVec3, b: DVec3| {
        let (along, from) = (b - a, p - a);
        let length = along.length_squared();
        let at = if length > 0.0 { (from.dot(along) / length).clamp(0.0, 1.0) } else { 0.0 };
        (from - along * at).length_squared()
    };
    edge(t[0], t[1]).min(edge(t[1], t[2])).min(edge(t[2], t[0]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prim::nearest;

    #[test]
    fn as_two_triangles_of_which_one_is_a_point() {
        let mut state = 1u64;
        let mut coordinate = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 40) as f64 / (1u64 << 23) as f64 - 1.0
        };
        let mut point = || DVec3::new(coordinate(), coordinate(), coordinate());
        for k in 0..2000 {
            let (a, b, p) = (point(), point(), point());
            let t = match k % 4 {
                0 => [a, a, b],
                1 => [a, b, a.lerp(b, 0.3)],
                _ => [a, b, point()],
            };
            let truth = nearest(&t, &[p; 3]).squared;
            assert!((squared_from(&t, p) - truth).abs() <= 1e-12, "{t:?} {p}: {truth}");
        }
        assert_eq!(squared_from(&[DVec3::X; 3], DVec3::ZERO), 1.0);
    }
}
