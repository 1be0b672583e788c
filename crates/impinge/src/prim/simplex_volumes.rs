//! The point of a simplex nearest to the origin, by signed volumes.
//!
//! M. Montanari, N. Petrinic and E. Barbieri, *Improving the GJK algorithm for faster and more reliable distance
//! queries between convex objects*, ACM Trans. Graph. 36(3), 2017, §4: the barycentric weights of the foot of the
//! perpendicular are ratios of signed volumes, areas and lengths, taken in the coordinate plane or axis in which the
//! simplex is largest. A weight of the wrong sign discards its point; of several discarded the best remainder is kept.
//!
//! Invariant: a part is only ever replaced by its facets, so at most 4 triangles and 12 segments are solved.

use glam::DVec3;

use super::simplex::{Foot, Solver, normal};
use crate::math::EPS;

/// Montanari's solver.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SignedVolumes;

impl Solver for SignedVolumes {
    fn foot(points: &[DVec3]) -> Foot {
        match *points {
            [a, b] => line([a, b], [0, 1]),
            [a, b, c] => plane([a, b, c], [0, 1, 2]),
            [a, b, c, d] => space([a, b, c, d]),
            [a, ..] => Foot::vertex(0, a),
            [] => Foot::vertex(0, DVec3::ZERO),
        }
    }
}

/// S3D: the cofactors of the matrix of the corners are the volumes with one corner replaced by the origin.
fn space(p: [DVec3; 4]) -> Foot {
    let [a, b, c, d] = p;
    let (u, v, w) = (b - a, c - a, d - a);
    let parts = [-a.dot(v.cross(w)), -a.dot(w.cross(u)), -a.dot(u.cross(v))];
    let whole = u.dot(v.cross(w));
    let volumes = [whole - parts[0] - parts[1] - parts[2], parts[0], parts[1], parts[2]];
    let spread = u.abs().max(v.abs()).max(w.abs()).max_element();
    let flat = whole.abs() <= 16.0 * EPS * spread * spread * spread;
    let weights = volumes.map(|x| x / whole);
    if !flat && weights.iter().all(|x| *x >= 0.0) {
        return Foot::inside(weights);
    }
    let faces = [[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]];
    let tried = (0..4).filter(|&i| flat || weights[i] < 0.0);
    tried
        .map(|i| plane(faces[i].map(|j: u8| p[usize::from(j)]), faces[i]))
        .reduce(Foot::nearer)
        .unwrap_or(Foot::vertex(0, a))
}

/// S2D: areas of the foot with each edge, in the coordinate plane most parallel to the triangle.
fn plane(p: [DVec3; 3], kept: [u8; 3]) -> Foot {
    let edges = [p[1] - p[0], p[2] - p[1], p[0] - p[2]];
    let n = normal(edges);
    let square = n.length_squared();
    let longest = edges.iter().fold(0.0, |m: f64, e| m.max(e.length_squared()));
    let flat = square <= (16.0 * EPS * longest) * (16.0 * EPS * longest);
    let near = p.into_iter().reduce(|x, y| if y.length_squared() < x.length_squared() { y } else { x });
    let foot = n * (n.dot(near.unwrap_or(p[0])) / square);
    let drop = largest(n);
    let (x, y) = ((drop + 1) % 3, (drop + 2) % 3);
    let area = |q: DVec3, e: DVec3| (q[x] - foot[x]) * e[y] - (q[y] - foot[y]) * e[x];
    let weights = [area(p[1], edges[1]), area(p[2], edges[2]), area(p[0], edges[0])];
    let sum: f64 = weights.iter().sum();
    let weights = weights.map(|x| x / sum);
    if !flat && weights.iter().all(|x| *x >= 0.0) {
        return Foot::face(kept, weights, foot);
    }
    let tried = (0..3).filter(|&i| flat || weights[i] < 0.0 || weights[i].is_nan());
    tried
        .map(|i| {
            let [j, k] = [[1, 2], [0, 2], [0, 1]][i];
            line([p[j], p[k]], [kept[j], kept[k]])
        })
        .reduce(Foot::nearer)
        .unwrap_or(Foot::vertex(kept[0], p[0]))
}

/// S1D: lengths from the foot to each end, along the axis in which the segment is longest.
fn line([a, b]: [DVec3; 2], [i, j]: [u8; 2]) -> Foot {
    let u = b - a;
    let near = if a.length_squared() < b.length_squared() { a } else { b };
    let foot = near - u * (near.dot(u) / u.length_squared());
    let axis = largest(u);
    let (x, y) = ((b[axis] - foot[axis]) / u[axis], (foot[axis] - a[axis]) / u[axis]);
    if x > 0.0 && y > 0.0 {
        Foot::edge([i, j], [x, y], foot)
    } else if y > 0.0 {
        Foot::vertex(j, b)
    } else {
        Foot::vertex(i, a)
    }
}

fn largest(v: DVec3) -> usize {
    let v = v.abs();
    if v.x >= v.y && v.x >= v.z {
        0
    } else if v.y >= v.z {
        1
    } else {
        2
    }
}
