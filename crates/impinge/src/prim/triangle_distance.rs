//! Closest points of two triangles that do not overlap.
//!
//! After E. Larsen, S. Gottschalk, M. Lin and D. Manocha, *Fast proximity queries with swept sphere volumes*, UNC
//! TR99-018, §4: the distance of disjoint triangles is realised by two edges, or by a corner and a face. Fifteen
//! candidates, the least wins. Degenerate triangles have no face; their edges are candidates all the same.
//!
//! **Error.** The points returned are convex combinations of the corners, so their distance bounds the true one from
//! above, up to the rounding of the points. From below, [`lower_bound`] certifies: for any direction `n`, no point of
//! `a` is nearer to any point of `b` than `(min n·b − max n·a)/|n|`, taken over the corners. With `n` between closest
//! points the two bounds meet. Nothing is assumed of the accuracy of the points. All is computed relative to a corner
//! of `a`, so that being far from the origin costs nothing.

use glam::DVec3;

use super::Triangle;

/// The part of a triangle that carries a point: corner `i`, the edge from corner `i` to the next, or the inside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Vertex(u8),
    Edge(u8),
    Face,
}

/// Two closest points, the first on `a`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Nearest {
    pub(crate) squared: f64,
    /// The first corner of `a`.
    origin: DVec3,
    /// The points, relative to it.
    offsets: [DVec3; 2],
    pub(crate) parts: [Part; 2],
}

impl Nearest {
    /// No points yet.
    pub(crate) const NONE: Nearest =
        Nearest { squared: f64::INFINITY, origin: DVec3::ZERO, offsets: [DVec3::ZERO; 2], parts: [Part::Face; 2] };

    pub(crate) fn points(&self) -> [DVec3; 2] {
        self.offsets.map(|x| self.origin + x)
    }

    #[inline(always)]
    fn offer(&mut self, offsets: [DVec3; 2], parts: impl FnOnce() -> [Part; 2]) {
        let squared = offsets[0].distance_squared(offsets[1]);
        if squared < self.squared {
            *self = Nearest { squared, origin: self.origin, offsets, parts: parts() };
        }
    }
}

/// Closest points of two disjoint triangles. (For overlapping ones it returns two near points; the caller has to know
/// that they overlap.)
pub(crate) fn nearest(a: &Triangle, b: &Triangle) -> Nearest {
    let origin = a[0];
    let mut best = Nearest { origin, ..Nearest::NONE };
    let (a, b) = (&a.map(|x| x - origin), &b.map(|x| x - origin));
    let (u, v) = (edges(a), edges(b));
    for i in 0..3 {
        for j in 0..3 {
            let [s, t] = closest_parameters(u[i], v[j], b[j] - a[i]);
            best.offer([a[i] + u[i] * s, b[j] + v[j] * t], || [edge_part(i, s), edge_part(j, t)]);
        }
    }
    if let Some(face) = Face::of(a, &u) {
        for (j, &x) in b.iter().enumerate() {
            if let Some(foot) = face.foot(x) {
                best.offer([foot, x], || [Part::Face, Part::Vertex(j as u8)]);
            }
        }
    }
    if let Some(face) = Face::of(b, &v) {
        for (i, &x) in a.iter().enumerate() {
            if let Some(foot) = face.foot(x) {
                best.offer([x, foot], || [Part::Vertex(i as u8), Part::Face]);
            }
        }
    }
    best
}

fn edges(t: &Triangle) -> [DVec3; 3] {
    [t[1] - t[0], t[2] - t[1], t[0] - t[2]]
}

fn edge_part(i: usize, s: f64) -> Part {
    if s == 0.0 {
        Part::Vertex(i as u8)
    } else if s == 1.0 {
        Part::Vertex((i as u8 + 1) % 3)
    } else {
        Part::Edge(i as u8)
    }
}

/// `(s, t)` in `[0, 1]²` that minimise `|w + t·v − s·u|`, the segments being `s·u` and `w + t·v`.
///
/// On the lines, with `n = u × v`, the minimum is at `s = (w × v)·n / n²`: the cross products keep their accuracy down
/// to angles near rounding, where `|u|²|v|² − (u·v)²` is noise at `√ε` already. `s` is clamped, `t` is the best for it,
/// and `s` again the best for that `t`; parallel segments (`n = 0`) come out right from any `s`.
#[inline(always)]
pub(crate) fn closest_parameters(u: DVec3, v: DVec3, w: DVec3) -> [f64; 2] {
    let n = u.cross(v);
    let (a, b, e) = (u.length_squared(), u.dot(v), v.length_squared());
    let (c, f) = (u.dot(w), v.dot(w));
    let s = unit(w.cross(v).dot(n), n.length_squared());
    let t = unit(b * s - f, e);
    [unit(b * t + c, a), t]
}

/// `x / y` clamped to `[0, 1]`; 0 when `y` is 0.
#[inline(always)]
fn unit(x: f64, y: f64) -> f64 {
    if y > 0.0 { (x / y).clamp(0.0, 1.0) } else { 0.0 }
}

/// A triangle with an area, ready to take feet of perpendiculars.
struct Face {
    corner: DVec3,
    u: DVec3,
    v: DVec3,
    normal: DVec3,
    inverse: f64,
}

impl Face {
    fn of(t: &Triangle, edges: &[DVec3; 3]) -> Option<Face> {
        let (u, v) = (edges[0], -edges[2]);
        let normal = u.cross(v);
        let squared = normal.length_squared();
        (squared > 0.0).then(|| Face { corner: t[0], u, v, normal, inverse: 1.0 / squared })
    }

    /// The point of the triangle under `x`, when there is one: `corner + β·u + γ·v` with barycentric `β`, `γ`.
    #[inline(always)]
    fn foot(&self, x: DVec3) -> Option<DVec3> {
        let w = x - self.corner;
        let beta = w.cross(self.v).dot(self.normal) * self.inverse;
        let gamma = self.u.cross(w).dot(self.normal) * self.inverse;
        (beta >= 0.0 && gamma >= 0.0 && beta + gamma <= 1.0).then(|| self.corner + self.u * beta + self.v * gamma)
    }
}

/// The gap between two triangles along the closest points of two others, their neighbours perhaps.
pub(crate) fn gap_across(a: &Triangle, b: &Triangle, near: &Nearest) -> f64 {
    let [p, q] = near.offsets;
    gap_along(&a.map(|x| x - near.origin), &b.map(|x| x - near.origin), p, q - p)
}

/// A lower bound on the distance of `a` and `b`, up to rounding: the widest gap between the triangles along the
/// direction of their closest points, the normals of their faces, and the common normal of the two nearest edges.
pub(crate) fn lower_bound(a: &Triangle, b: &Triangle, near: &Nearest) -> f64 {
    widest_gap(a, b, near).0
}

/// The same, and the direction across it, from `a` to `b`, of any length.
pub(crate) fn widest_gap(a: &Triangle, b: &Triangle, near: &Nearest) -> (f64, DVec3) {
    let (a, b) = (&a.map(|x| x - near.origin), &b.map(|x| x - near.origin));
    let [p, q] = near.offsets;
    let distance = near.squared.sqrt();
    let first = gap_along(a, b, p, q - p);
    if first >= distance * (1.0 - 1e-15) {
        return (first, q - p);
    }
    let (u, v) = (edges(a), edges(b));
    let mut best = (first.max(0.0), q - p);
    let mut offer = |n: DVec3| {
        for n in [n, -n] {
            let gap = gap_along(a, b, p, n);
            best = if gap > best.0 { (gap, n) } else { best };
        }
    };
    offer(u[0].cross(u[1]));
    offer(v[0].cross(v[1]));
    if let [Part::Edge(i), Part::Edge(j)] = near.parts {
        offer(u[usize::from(i)].cross(v[usize::from(j)]));
    }
    best
}

/// Width of the slab `max n·a ≤ n·x ≤ min n·b`; negative when `n` does not separate. Measured from `origin`, a point
/// near both, to keep rounding small.
fn gap_along(a: &Triangle, b: &Triangle, origin: DVec3, n: DVec3) -> f64 {
    let length = n.length();
    if length == 0.0 {
        return 0.0;
    }
    let low = b.iter().map(|&x| n.dot(x - origin)).fold(f64::INFINITY, f64::min);
    let high = a.iter().map(|&x| n.dot(x - origin)).fold(f64::NEG_INFINITY, f64::max);
    (low - high) / length
}

#[cfg(test)]
mod tests {
    use super::*;

    fn t(c: [[f64; 3]; 3]) -> Triangle {
        c.map(DVec3::from_array)
    }

    #[test]
    fn corner_over_face_edge_to_edge_corner_to_corner() {
        let face = t([[0., 0., 0.], [4., 0., 0.], [0., 4., 0.]]);
        let above = nearest(&face, &t([[1., 1., 0.5], [1., 1., 3.], [2., 1., 3.]]));
        assert_eq!((above.squared, above.parts), (0.25, [Part::Face, Part::Vertex(0)]));
        let across = nearest(&face, &t([[2., -1., -2.], [2., -1., 2.], [2., -5., 0.]]));
        assert_eq!((across.squared, across.parts), (1.0, [Part::Edge(0), Part::Edge(0)]));
        let beyond = nearest(&face, &t([[5., 0., 0.], [6., 0., 0.], [6., 1., 0.]]));
        assert_eq!((beyond.squared, beyond.parts), (1.0, [Part::Vertex(1), Part::Vertex(0)]));
    }

    /// Case D19 (parry #76): a point against a triangle that is a segment.
    #[test]
    fn d19_degenerate_triangle() {
        let p = [1.10000002, -7.9000001, 16.5879993];
        let e = [-0.569999993, -8.10000038, 16.6070004];
        let near = nearest(&t([p; 3]), &t([[2.27699995, -7.9000001, 16.3180008], e, e]));
        assert!((near.squared.sqrt() - 0.17147826590144151).abs() < 1e-14);
    }

    #[test]
    fn bounds_meet() {
        let a = t([[0., 0., 0.], [4., 0.3, 0.1], [0.2, 4., 0.4]]);
        let b = t([[1., 1., 0.5], [1.5, 1., 3.], [2., 1.7, 3.]]);
        let near = nearest(&a, &b);
        let lower = lower_bound(&a, &b, &near);
        assert!(near.squared.sqrt() - lower < 1e-14 && lower > 0.2);
    }
}
