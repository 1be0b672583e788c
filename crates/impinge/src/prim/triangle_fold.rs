//! Whether two triangles with common corners overlap in more than these: exact, degenerate triangles included.
//!
//! Which corners are common is known by their names: equal names are equal points. What they share anyway is the
//! hull of the common corners, a point or an edge; triangles *fold* onto each other when they have a further point in
//! common.
//!
//! - **One corner** `p`: both triangles are fans of rays from it. A ray along which they share more than `p` leaves one
//!   of them first, through the edge opposite to `p`, inside the other. So they fold when the opposite edge of one
//!   meets the other. A triangle without area is two segments from `p`, whose opposite ends are points.
//! - **Two corners** `p`, `q`: planes that differ share the line `pq` alone, on which each triangle has the edge. So
//!   they fold when they lie in one plane on the same side of it. A triangle without area lies on that line, where one
//!   with an area has nothing but the edge; two without area fold when they stick out at the same end.
//! - **Three corners**: they are the same triangle.

use glam::DVec3;

use super::Triangle;
use super::triangle_overlap::{AXES, area_sign, is_degenerate, triangles_overlap};
use crate::math::{Sign, orient3d};

/// A triangle with the names of its corners.
pub(crate) type Named = ([u32; 3], Triangle);

/// Whether two triangles that share corners have a point in common beyond the hull of these.
pub(crate) fn triangles_fold(a: &Named, b: &Named) -> bool {
    let mut shared = a.0.iter().enumerate().filter(|&(i, name)| b.0.contains(name) && !a.0[..i].contains(name));
    match (shared.next(), shared.next(), shared.next()) {
        (None, ..) => false,
        (Some((i, _)), None, _) => fold_at_corner(a, b, a.0[i], a.1[i]),
        (Some((i, _)), Some((j, _)), None) => fold_at_edge(a, b, [a.0[i], a.0[j]], [a.1[i], a.1[j]]),
        _ => true,
    }
}

/// Pieces of a triangle seen from its corner: the end of each, opposite to the corner, and the piece itself.
fn fan(t: &Named, name: u32, p: DVec3) -> impl Iterator<Item = (Triangle, Triangle)> + Clone {
    let [mut x, mut y] = [p; 2];
    for (_, &corner) in t.0.iter().zip(&t.1).filter(|&(&n, _)| n != name) {
        (x, y) = (y, corner);
    }
    let whole = !is_degenerate(&t.1);
    let ends = if whole { [[x, y, y], [p; 3]] } else { [[x; 3], [y; 3]] };
    // A piece without any end but the corner is left out.
    ends.into_iter().filter(move |end| *end != [p; 3]).map(move |end| (end, [p, end[0], end[1]]))
}

fn fold_at_corner(a: &Named, b: &Named, name: u32, p: DVec3) -> bool {
    let theirs = fan(b, name, p);
    fan(a, name, p).any(|(end, piece)| {
        theirs.clone().any(|(end_b, piece_b)| triangles_overlap(&end, &piece_b) || triangles_overlap(&end_b, &piece))
    })
}

fn fold_at_edge(a: &Named, b: &Named, names: [u32; 2], [p, q]: [DVec3; 2]) -> bool {
    let third = |t: &Named| t.0.iter().position(|n| !names.contains(n)).map(|k| t.1[k]);
    let (Some(x), Some(y)) = (third(a), third(b)) else { return false };
    match (is_degenerate(&[p, q, x]), is_degenerate(&[p, q, y])) {
        (false, false) => {
            let side = |c: DVec3, axis: fn(DVec3) -> _| area_sign(&[p, q, c], axis);
            let same = |&&axis: &&fn(DVec3) -> _| side(x, axis) != Sign::Zero;
            orient3d(p, q, x, y) == Sign::Zero
                && AXES.iter().find(same).is_some_and(|&axis| side(x, axis) == side(y, axis))
        }
        (true, true) => (0..3).find(|&k| p[k] != q[k]).is_some_and(|k| {
            let (low, high) = (p[k].min(q[k]), p[k].max(q[k]));
            (x[k] > high && y[k] > high) || (x[k] < low && y[k] < low)
        }),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const P: [f64; 3] = [0., 0., 0.];
    const Q: [f64; 3] = [2., 0., 0.];

    fn fold(a: [(u32, [f64; 3]); 3], b: [(u32, [f64; 3]); 3]) -> bool {
        let named = |t: [(u32, [f64; 3]); 3]| (t.map(|c| c.0), t.map(|c| DVec3::from_array(c.1)));
        let (a, b) = (named(a), named(b));
        let turned = |(n, t): &Named| ([n[2], n[0], n[1]], [t[2], t[0], t[1]]);
        let answer = triangles_fold(&a, &b);
        for (a, b) in [(&b, &a), (&turned(&a), &b), (&a, &turned(&b))] {
            assert_eq!(triangles_fold(a, b), answer);
        }
        answer
    }

    #[test]
    fn triangles_with_an_edge_in_common() {
        let with = |x, y| fold([(0, P), (1, Q), (2, x)], [(1, Q), (0, P), (3, y)]);
        assert!(!with([1., 1., 0.], [1., -1., 0.]));
        assert!(!with([1., 1., 0.], [1., 1., 1e-300]));
        assert!(with([1., 1., 0.], [5., 1e-300, 0.]));
        // Triangles without area: inside the common edge, beyond one end of it, and beyond both.
        assert!(!with([1., 0., 0.], [1., 1., 0.]));
        assert!(!with([3., 0., 0.], [1., 1., 0.]));
        assert!(with([3., 0., 0.], [4., 0., 0.]));
        assert!(!with([3., 0., 0.], [-1., 0., 0.]));
        assert!(!with([1., 0., 0.], [3., 0., 0.]));
    }

    #[test]
    fn triangles_with_a_corner_in_common() {
        let with =
            |a: [[f64; 3]; 2], b: [[f64; 3]; 2]| fold([(0, P), (1, a[0]), (2, a[1])], [(0, P), (3, b[0]), (4, b[1])]);
        let face = [[2., 0., 0.], [0., 2., 0.]];
        assert!(!with(face, [[-1., 0., 0.], [0., -1., 0.]]));
        assert!(!with(face, [[1., 1., 1.], [2., 1., 1.]]));
        assert!(with(face, [[1., 1., 1.], [1., 1., -1.]]));
        assert!(with(face, [[0.1, 0.1, 0.], [1., 1., 1.]]));
        assert!(with(face, [[9., 9., 1.], [9., 9., -1.]]));
        assert!(with(face, [[5., 5., 0.], [6., -9., 0.]]));
        // Segments that pass through the corner, segments that begin at it, and a single point.
        assert!(!with(face, [[0., 0., 1.], [0., 0., -1.]]));
        assert!(with(face, [[1., 1., 0.], [-1., -1., 0.]]));
        assert!(with([[1., 1., 1.], [2., 2., 2.]], [[3., 3., 3.], [-1., -1., -1.]]));
        assert!(!with([[1., 1., 1.], [2., 2., 2.]], [[-3., -3., -3.], [-1., -1., -1.]]));
        assert!(!fold([(0, P), (0, P), (0, P)], [(0, P), (3, face[0]), (4, face[1])]));
        assert!(fold([(0, P), (0, P), (1, [1., 1., 0.])], [(0, P), (3, face[0]), (4, face[1])]));
    }

    #[test]
    fn the_same_triangle_folds_and_strangers_do_not() {
        assert!(fold([(0, P), (1, Q), (2, [0., 1., 0.])], [(2, [0., 1., 0.]), (1, Q), (0, P)]));
        assert!(!fold([(0, P), (1, Q), (2, [0., 1., 0.])], [(3, P), (4, Q), (5, [0., 1., 0.])]));
    }
}
