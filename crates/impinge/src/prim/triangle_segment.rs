//! Where two overlapping triangles meet: the ends of their common segment, in plain `f64`.
//!
//! After T. Möller, *A fast triangle-triangle intersection test*, JGT 2(2), 1997: each triangle cuts the common line of
//! the planes in an interval; the overlap of the intervals is the segment. Whether the triangles overlap is decided
//! elsewhere, exactly; here only positions are computed. Where the planes are nearly parallel the ends are badly
//! determined along the line; they are put back onto both triangles, which costs little across it.

use glam::DVec3;

use super::{Triangle, nearest};

/// Ends of the segment that the overlapping triangles `a` and `b` have in common. Where they lie in one plane, or one
/// has none, a common point twice.
pub(crate) fn common_segment(a: &Triangle, b: &Triangle) -> [DVec3; 2] {
    let (na, nb) = (normal(a), normal(b));
    let line = na.cross(nb);
    let steepness = line.length_squared() / (na.length_squared() * nb.length_squared()).max(f64::MIN_POSITIVE);
    let cuts = if steepness <= 1e-24 { None } else { cut(a, b[0], nb, line, a[0]).zip(cut(b, a[0], na, line, a[0])) };
    let Some(([a_low, a_high], [b_low, b_high])) = cuts else { return [common_point(a, b); 2] };
    let low = if a_low.0 > b_low.0 { a_low } else { b_low };
    let high = if a_high.0 < b_high.0 { a_high } else { b_high };
    let ends = if low.0 <= high.0 { [low.1, high.1] } else { [low.1.midpoint(high.1); 2] };
    // Where the planes meet at half a degree or more, the ends are off by some hundred roundings only.
    if steepness > 1e-4 { ends } else { ends.map(|x| onto(b, onto(a, onto(b, onto(a, x))))) }
}

/// A common point of triangles without a common line: where edges meet, or where an edge pierces a face, whichever lies
/// nearest to both.
fn common_point(a: &Triangle, b: &Triangle) -> DVec3 {
    let near = nearest(a, b);
    let [p, q] = near.points();
    let mut best = (near.squared, p.midpoint(q));
    for (t, face) in [(a, b), (b, a)] {
        let n = normal(face);
        let height = t.map(|x| n.dot(x - face[0]));
        for (i, j) in [(0, 1), (1, 2), (2, 0)] {
            if height[i] * height[j] < 0.0 {
                let x = t[i] + (t[j] - t[i]) * (height[i] / (height[i] - height[j]));
                let off = x.distance_squared(onto(a, x)) + x.distance_squared(onto(b, x));
                if off < best.0 {
                    best = (off, x);
                }
            }
        }
    }
    best.1
}

/// The point of `t` nearest to `x`.
fn onto(t: &Triangle, x: DVec3) -> DVec3 {
    nearest(t, &[x; 3]).points()[0]
}

fn normal(t: &Triangle) -> DVec3 {
    (t[1] - t[0]).cross(t[2] - t[0])
}

/// The points where `t` crosses the plane through `origin` with normal `n`, in order along `line`, with their positions
/// on it counted from `zero`.
fn cut(t: &Triangle, origin: DVec3, n: DVec3, line: DVec3, zero: DVec3) -> Option<[(f64, DVec3); 2]> {
    let height = t.map(|x| n.dot(x - origin));
    let mut ends: Option<[(f64, DVec3); 2]> = None;
    let mut put = |x: DVec3| {
        let at = (line.dot(x - zero), x);
        let [low, high] = ends.unwrap_or([at, at]);
        ends = Some([if at.0 < low.0 { at } else { low }, if at.0 > high.0 { at } else { high }]);
    };
    for i in 0..3 {
        let j = (i + 1) % 3;
        if height[i] == 0.0 {
            put(t[i]);
        } else if height[i] * height[j] < 0.0 {
            put(t[i] + (t[j] - t[i]) * (height[i] / (height[i] - height[j])));
        }
    }
    ends
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crossing_triangles_share_a_segment() {
        let a = [DVec3::ZERO, DVec3::new(4.0, 0.0, 0.0), DVec3::new(0.0, 4.0, 0.0)];
        let b = [DVec3::new(1.0, -1.0, -1.0), DVec3::new(1.0, 5.0, -1.0), DVec3::new(1.0, 1.0, 1.0)];
        let [p, q] = common_segment(&a, &b);
        assert_eq!((p.x, p.z, q.x, q.z), (1.0, 0.0, 1.0, 0.0));
        assert_eq!((p.y.min(q.y), p.y.max(q.y)), (0.0, 3.0));
    }

    #[test]
    fn a_corner_on_the_line_is_the_segment() {
        let a = [[-1., -1., -1.], [-1., -1., 1.], [-1., 1., 1.]].map(DVec3::from_array);
        let b = [[-1., -1., 0.9], [1., -1., 0.9], [1., -1., 2.9]].map(DVec3::from_array);
        assert_eq!(common_segment(&a, &b), [b[0], b[0]]);
    }

    #[test]
    fn a_needle_meets_a_face_where_it_pierces_it() {
        let needle = [[-1., -1., 0.5], [-1., -1., 0.5], [-1., -2., -1.5]].map(DVec3::from_array);
        let face = [[-0.5, -2., 1.], [-0.5, -1., 0.], [-2.5, -1., 0.]].map(DVec3::from_array);
        let [p, q] = common_segment(&needle, &face);
        assert!(p == q && p.distance(onto(&needle, p)) < 1e-15 && p.distance(onto(&face, p)) < 1e-15);
    }

    #[test]
    fn coplanar_triangles_share_a_point() {
        let a = [DVec3::ZERO, DVec3::new(4.0, 0.0, 0.0), DVec3::new(0.0, 4.0, 0.0)];
        let [p, q] = common_segment(&a, &a.map(|x| x + DVec3::new(4.0, 0.0, 0.0)));
        assert_eq!((p, q), (DVec3::new(4.0, 0.0, 0.0), DVec3::new(4.0, 0.0, 0.0)));
    }
}
