//! The segment in which two triangles cross, and which features its ends come from: all of it by exact signs.
//!
//! Seen along the line in which the planes meet, each triangle covers an interval, from where its border comes up
//! through the other's plane to where it goes down (O. Devillers and P. Guigue, INRIA RR-4488, 2002, compare these ends
//! for a yes or no). An end is a corner on the other's plane, or a point of an edge that goes through it. For an edge
//! `p₀p₁` of `a` that goes up through the plane of `b`, and an edge `q₀q₁` of `b` that goes up through that of `a`, the
//! point of the second lies behind that of the first, seen along the product of the normals, by the sign of
//! `orient3d(p₀, p₁, q₀, q₁)`. An end of the segment is the later of the first ends, or the earlier of the last; where
//! these are one, both features carry it.
//!
//! An end is named by a feature of `a` and one of `b`. Any two triangles that meet in the point name it in the same
//! way, so segments are joined by names and not by distances.
//!
//! Cost: six orientations for the sides, and two more for the ends.

use std::cmp::Ordering;

use glam::{DVec2, DVec3};

use crate::math::{Sign, orient2d, orient3d};
use crate::prim::{Part, Triangle};

/// A segment in which two triangles cross.
#[derive(Debug, Clone, Copy)]
pub(super) struct CommonSegment {
    /// The parts of `a` and `b` that carry each end: the first one and the last along the product of the normals.
    pub(super) parts: [[Part; 2]; 2],
    pub(super) points: [DVec3; 2],
}

/// What two triangles that touch have in common.
#[derive(Debug, Clone, Copy)]
pub(super) enum Common {
    Segment(CommonSegment),
    /// They lie in one plane.
    Plane,
    /// A point, or one of them has no area.
    Less,
}

/// Where a triangle meets the plane of another.
#[derive(Debug, Clone, Copy)]
struct PlaneCut {
    /// The first end and the last along the product of this normal and the other's.
    ends: [Part; 2],
    /// What carries the points between: the face, or an edge that lies in the plane.
    carrier: Part,
}

/// What two triangles have in common. Coordinates are scaled to about 1.
pub(super) fn common(a: &Triangle, b: &Triangle) -> Common {
    let sides_of = |t: &Triangle, plane: &Triangle| t.map(|x| orient3d(plane[0], plane[1], plane[2], x));
    let sides = [sides_of(a, b), sides_of(b, a)];
    if sides.contains(&[Sign::Zero; 3]) {
        // A triangle without an area has no plane, and all points lie in that.
        let flat = sides.iter().all(|signs| *signs == [Sign::Zero; 3]) && has_area(a) && has_area(b);
        return if flat { Common::Plane } else { Common::Less };
    }
    let [Some(of_a), Some(of_b)] = sides.map(plane_cut) else { return Common::Less };
    // Along the product of the normals of `b` and `a` the ends of `b` come the other way.
    let of_b = PlaneCut { ends: [of_b.ends[1], of_b.ends[0]], ..of_b };
    let cuts = [of_a, of_b];
    // How the end of `b` lies to that of `a`.
    let compare = |k: usize, l: usize| {
        let ([p, q], [r, s]) = (rising(a, &sides[0], of_a.ends[k]), rising(b, &sides[1], of_b.ends[l]));
        match orient3d(p, q, r, s) {
            Sign::Positive => Ordering::Greater,
            Sign::Zero => Ordering::Equal,
            Sign::Negative => Ordering::Less,
        }
    };
    if compare(0, 1) != Ordering::Greater || compare(1, 0) != Ordering::Less {
        return Common::Less;
    }
    let end = |k: usize, order: Ordering| {
        // The first end is the later of two, the last the earlier.
        match if k == 0 { order } else { order.reverse() } {
            Ordering::Equal => [of_a.ends[k], of_b.ends[k]],
            Ordering::Greater => [cuts[0].carrier, of_b.ends[k]],
            Ordering::Less => [of_a.ends[k], cuts[1].carrier],
        }
    };
    let orders = [compare(0, 0), compare(1, 1)];
    let parts = [end(0, orders[0]), end(1, orders[1])];
    if parts[0] == parts[1] {
        return Common::Less;
    }
    let points = [0, 1].map(|k| {
        let of_b_only = if k == 0 { orders[0] == Ordering::Greater } else { orders[1] == Ordering::Less };
        if of_b_only { point(b, a, of_b.ends[k]) } else { point(a, b, of_a.ends[k]) }
    });
    // A corner of `b` that is also on an edge of `a` is where it is.
    let points = [0, 1].map(|k| match parts[k][1] {
        Part::Vertex(v) => b[usize::from(v)],
        _ => points[k],
    });
    Common::Segment(CommonSegment { parts, points })
}

fn has_area([p, q, r]: &Triangle) -> bool {
    let flat = |i: usize, j: usize| {
        let drop = |x: &DVec3| DVec2::new(x[i], x[j]);
        orient2d(drop(p), drop(q), drop(r)) == Sign::Zero
    };
    !(flat(0, 1) && flat(1, 2) && flat(2, 0))
}

/// Where the border of a triangle comes up through a plane and where it goes down, by the sides of its corners, which
/// are not all on the plane. `None` where it stays on one side.
///
/// With the normal towards the eye and the plane's upper side upward, the border comes up on the right and goes down on
/// the left, and the product of the normals leads to the left.
fn plane_cut(signs: [Sign; 3]) -> Option<PlaneCut> {
    use Sign::{Negative, Positive, Zero};
    let (mut up, mut down) = (None, None);
    for k in 0..3 {
        let (next, before) = (signs[(k + 1) % 3], signs[(k + 2) % 3]);
        let corner = |k: usize| Part::Vertex(k as u8);
        match (signs[k], next) {
            (Negative, Positive) => up = Some(Part::Edge(k as u8)),
            (Positive, Negative) => down = Some(Part::Edge(k as u8)),
            (Zero, Zero) => {
                // An edge in the plane: below the triangle it runs to the right, above it to the left.
                let ends = [corner(k), corner((k + 1) % 3)];
                let ends = if before == Positive { [ends[1], ends[0]] } else { ends };
                return Some(PlaneCut { ends, carrier: Part::Edge(k as u8) });
            }
            (Zero, _) => match (before, next) {
                (Negative, Positive) => up = Some(corner(k)),
                (Positive, Negative) => down = Some(corner(k)),
                (Zero, _) => {}
                _ => (up, down) = (Some(corner(k)), Some(corner(k))),
            },
            _ => {}
        }
    }
    Some(PlaneCut { ends: [up?, down?], carrier: Part::Face })
}

/// Two points of a triangle, the second farther up, whose line meets the plane in an end.
fn rising(t: &Triangle, signs: &[Sign; 3], end: Part) -> [DVec3; 2] {
    let [i, j] = match end {
        Part::Edge(k) => [usize::from(k), (usize::from(k) + 1) % 3],
        Part::Vertex(k) => {
            let k = usize::from(k);
            let off = (0..3).find(|&i| signs[i] != Sign::Zero).unwrap_or(k);
            if signs[off] == Sign::Positive { [k, off] } else { [off, k] }
        }
        Part::Face => [0, 1],
    };
    if signs[i] > signs[j] { [t[j], t[i]] } else { [t[i], t[j]] }
}

/// Where an end lies.
fn point(t: &Triangle, plane: &Triangle, end: Part) -> DVec3 {
    match end {
        Part::Vertex(k) => t[usize::from(k)],
        Part::Edge(k) => {
            let [p, q] = [t[usize::from(k)], t[(usize::from(k) + 1) % 3]];
            let n = (plane[1] - plane[0]).cross(plane[2] - plane[0]);
            let [g, h] = [p, q].map(|x| n.dot(x - plane[0]));
            let along = g / (g - h);
            p + (q - p) * if along.is_nan() { 0.5 } else { along.clamp(0.0, 1.0) }
        }
        Part::Face => t[0],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn t(corners: [[f64; 3]; 3]) -> Triangle {
        corners.map(DVec3::from_array)
    }

    const FLOOR: [[f64; 3]; 3] = [[-1., -1., 0.], [1., -1., 0.], [0., 1., 0.]];

    fn segment(a: &Triangle, b: &Triangle) -> CommonSegment {
        match common(a, b) {
            Common::Segment(segment) => segment,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_blade_in_a_floor_ends_on_its_edges() {
        let blade = t([[-0.2, 0.0, -0.25], [0.2, 0.0, -0.25], [0.0, 0.0, 0.25]]);
        let found = segment(&t(FLOOR), &blade);
        // The normals are z and −y, and their product is x.
        assert_eq!(found.parts, [[Part::Face, Part::Edge(2)], [Part::Face, Part::Edge(1)]]);
        assert!(found.points[0].distance(DVec3::new(-0.1, 0.0, 0.0)) < 1e-15, "{found:?}");
        assert!(found.points[1].distance(DVec3::new(0.1, 0.0, 0.0)) < 1e-15, "{found:?}");
        let swapped = segment(&blade, &t(FLOOR));
        assert_eq!(swapped.parts, [[Part::Edge(1), Part::Face], [Part::Edge(2), Part::Face]]);
    }

    #[test]
    fn corners_and_edges_in_the_plane_are_named() {
        let standing = t([[-0.5, 0.0, 0.0], [0.5, 0.0, 0.0], [0.0, 0.0, 1.0]]);
        let found = segment(&t(FLOOR), &standing);
        // It is as wide as the floor is there.
        assert_eq!(found.parts, [[Part::Edge(2), Part::Vertex(0)], [Part::Edge(1), Part::Vertex(1)]]);
        // An edge of the one through an edge of the other.
        let sticking_out = t([[-2.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 0.0, 1.0]]);
        let found = segment(&t(FLOOR), &sticking_out);
        assert_eq!(found.parts, [[Part::Edge(2), Part::Edge(0)], [Part::Edge(1), Part::Edge(0)]]);
        assert!(found.points[0].distance(DVec3::new(-0.5, 0.0, 0.0)) < 1e-15, "{found:?}");
    }

    #[test]
    fn planes_and_points_are_no_segments() {
        assert!(matches!(common(&t(FLOOR), &t([[0., 0., 0.], [1., 0., 0.], [0., 2., 0.]])), Common::Plane));
        assert!(matches!(common(&t(FLOOR), &t([[0., 0., 0.], [1., 0., 1.], [0., 2., 1.]])), Common::Less));
        assert!(matches!(common(&t(FLOOR), &t([[0., 0., 0.], [1., 0., 0.], [2., 0., 0.]])), Common::Less));
        assert!(matches!(common(&t(FLOOR), &t([[1., -1., 0.], [2., -1., 1.], [2., -1., -1.]])), Common::Less));
    }
}
