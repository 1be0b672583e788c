//! How far a point is from a triangle, by the regions of its Voronoi diagram: the inside, then the edges.

use glam::DVec3;

use super::{Part, Triangle};

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

/// The point of a triangle that is nearest to `p`, and the part that carries it. Lengths are multiplied by `scale`, a
/// power of two that keeps their squares within range.
pub(crate) fn closest_on(t: &Triangle, p: DVec3, scale: f64) -> (DVec3, Part) {
    // The parts of `v` and `w` square to `u` do not lose digits where the triangle is thin.
    let [u, v, w] = [t[1] - t[0], t[2] - t[0], p - t[0]].map(|x| x * scale);
    let per_u = u.length_squared().recip();
    let (v_along, w_along) = (v.dot(u) * per_u, w.dot(u) * per_u);
    let (across, beside) = (v - u * v_along, w - u * w_along);
    let width = across.length_squared();
    let gamma = beside.dot(across) / width;
    let beta = w_along - gamma * v_along;
    let on_face = || (t[0] + (t[1] - t[0]) * beta + (t[2] - t[0]) * gamma, Part::Face);
    // False for NaN: degenerate triangles are their edges.
    let is_within = |margin: f64| beta > margin && gamma > margin && beta + gamma < 1.0 - margin;
    // Well inside a face that is not thin, no rounding takes the foot to an edge.
    if is_within(1e-6) && width > 1e-6 * v.length_squared() {
        return on_face();
    }
    let mut best = (f64::INFINITY, t[0], Part::Vertex(0));
    for i in 0..3u8 {
        let (a, b) = (t[usize::from(i)], t[(usize::from(i) + 1) % 3]);
        let (along, from) = ((b - a) * scale, (p - a) * scale);
        let length = along.length_squared();
        let s = if length > 0.0 { (from.dot(along) / length).clamp(0.0, 1.0) } else { 0.0 };
        let squared = (from - along * s).length_squared();
        if squared < best.0 {
            best = match s {
                0.0 => (squared, a, Part::Vertex(i)),
                1.0 => (squared, b, Part::Vertex((i + 1) % 3)),
                _ => (squared, a + (b - a) * s, Part::Edge(i)),
            };
        }
    }
    if is_within(0.0) && (beside - across * gamma).length_squared() < best.0 {
        return on_face();
    }
    (best.1, best.2)
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
            let (closest, _) = closest_on(&t, p, 0.5);
            assert!((closest.distance_squared(p) - truth).abs() <= 1e-12, "{t:?} {p}: {truth}");
        }
        assert_eq!(squared_from(&[DVec3::X; 3], DVec3::ZERO), 1.0);
    }
}
