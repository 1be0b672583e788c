//! The outline of a body as lines in its own frame: edges where it has some, else curves upon it.
//!
//! A curve is made of supports: the points of the body farthest in directions that go round in one of the three
//! coordinate planes. For a ball these are three circles; they lie on the surface of any convex body.

use std::f64::consts::TAU;

use glam::DVec3;

use crate::model::Convex;
use crate::model::Mesh;
use crate::model::round::Core;
use crate::narrow::body::BodyKind;
use crate::narrow::solid::Solid;

/// The number of directions of a curve.
const AROUND: u32 = 32;

/// Shows the lines of a body. A half-space, which has no end, is a square of the given half side around the point of
/// its plane nearest to `middle`, and its diagonals.
pub(super) fn wire(body: BodyKind<'_>, middle: DVec3, half: f64, line: &mut dyn FnMut(DVec3, DVec3)) {
    match body {
        BodyKind::Mesh(mesh) => edges_of_mesh(mesh, line),
        BodyKind::Parts(parts) => parts.pieces().iter().for_each(|piece| edges(piece, line)),
        BodyKind::Solid(Solid { core: Core::Polyhedron(convex), margin: 0.0 }) => edges(convex, line),
        BodyKind::Solid(Solid { core: Core::HalfSpace { normal, offset }, margin }) => {
            square(normal, offset + margin, middle, half, line);
        }
        BodyKind::Solid(Solid { core: Core::Polyhedron(convex), margin }) => {
            let farthest = |d: DVec3| {
                let height = |v: &&DVec3| d.dot(**v);
                convex.vertices().iter().max_by(|x, y| height(x).total_cmp(&height(y))).copied().unwrap_or(DVec3::ZERO)
            };
            curves(&|d| farthest(d) + d * margin, line);
        }
        BodyKind::Solid(Solid { core: Core::Smooth(core), margin }) => {
            curves(&|d| core.support(d) + d * margin, line);
        }
    }
}

fn edges(convex: &Convex, line: &mut dyn FnMut(DVec3, DVec3)) {
    for k in 0..convex.edge_count() as u32 {
        let [tail, head] = convex.edge(k).ends;
        line(convex.vertex(tail), convex.vertex(head));
    }
}

/// Each edge once, however many triangles share it.
fn edges_of_mesh(mesh: &Mesh, line: &mut dyn FnMut(DVec3, DVec3)) {
    let sides = |place: u32| {
        let [i, j, k] = mesh.corner_places(place);
        [[i, j], [j, k], [k, i]]
    };
    let mut pairs: Vec<[u32; 2]> = (0..mesh.place_count()).flat_map(sides).collect();
    pairs.iter_mut().for_each(|pair| pair.sort_unstable());
    pairs.sort_unstable();
    pairs.dedup();
    let points = mesh.points();
    for [i, j] in pairs {
        line(points[i as usize], points[j as usize]);
    }
}

fn curves(farthest: &dyn Fn(DVec3) -> DVec3, line: &mut dyn FnMut(DVec3, DVec3)) {
    for [u, v] in [[DVec3::X, DVec3::Y], [DVec3::Y, DVec3::Z], [DVec3::Z, DVec3::X]] {
        let at = |k: u32| {
            let (sin, cos) = (TAU * f64::from(k % AROUND) / f64::from(AROUND)).sin_cos();
            farthest(u * cos + v * sin)
        };
        for k in 0..AROUND {
            let ends = [at(k), at(k + 1)];
            if ends[0] != ends[1] {
                line(ends[0], ends[1]);
            }
        }
    }
}

fn square(normal: DVec3, offset: f64, middle: DVec3, half: f64, line: &mut dyn FnMut(DVec3, DVec3)) {
    let foot = middle + normal * (offset - normal.dot(middle));
    let (u, v) = normal.any_orthonormal_pair();
    let corners = [u + v, u - v, -u - v, v - u].map(|way| foot + way * half);
    for (i, j) in [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (1, 3)] {
        line(corners[i], corners[j]);
    }
}
