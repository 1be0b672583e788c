//! Cuts the hull of a mesh by planes of its triangles until no triangle passes through a cell, and keeps the cells
//! inside.
//!
//! A cell is a convex polyhedron with the fragments of triangles in it. A plane of one of them cuts the cell and the
//! others in two, the one that cuts the fewest; fragments in the boundary of a cell are dropped. A cell without
//! fragments lies inside or outside as a whole, which the winding number of the mesh at its centre decides: the sum of
//! the solid angles of the triangles (van Oosterom and Strackee 1983) over 4π.
//!
//! Corners are rounded to `f64`; what is within [`NEAR`] of a plane is taken to lie on it, and a corner that near to a
//! vertex of the mesh is that vertex.
//!
//! Cost: each cut looks at all fragments of the cell for [`CANDIDATES`] planes; at most [`MOST_CELLS`] cells.

use glam::DVec3;

use super::solid::has_inside;
use crate::error::BuildError;
use crate::model::convex::polyhedron::Convex;
use crate::model::mesh::triangle_mesh::Mesh;

/// A distance that is no distance, relative to the extent of the mesh.
const NEAR: f64 = 1e-12;

/// Planes tried for each cut.
const CANDIDATES: usize = 32;

/// Most cells made.
const MOST_CELLS: usize = 1 << 14;

/// The part of a triangle that lies in a cell: a convex polygon.
struct Fragment {
    corners: Vec<DVec3>,
    normal: DVec3,
}

impl Fragment {
    /// Height of a point above the plane.
    fn height(&self, p: DVec3) -> f64 {
        self.normal.dot(p - self.corners[0])
    }
}

struct Cell {
    body: Convex,
    fragments: Vec<Fragment>,
}

/// Convex bodies that fill the inside of a mesh.
pub(crate) fn inside(mesh: &Mesh) -> Result<Vec<Convex>, BuildError> {
    let triangles: Vec<[DVec3; 3]> = (0..mesh.triangle_count() as u32).filter_map(|i| mesh.triangle(i)).collect();
    let vertices: Vec<DVec3> = triangles.iter().flatten().copied().collect();
    let hull = Convex::hull(&vertices)?;
    let knife = Knife { near: NEAR * 2.0 * hull.radius(), vertices };
    let fragments = triangles.iter().filter_map(|t| {
        let normal = (t[1] - t[0]).cross(t[2] - t[0]).try_normalize()?;
        Some(Fragment { corners: t.to_vec(), normal })
    });
    let mut open = vec![Cell { fragments: fragments.collect(), body: hull }];
    let (mut found, mut made) = (Vec::new(), 1);
    while let Some(mut cell) = open.pop() {
        knife.drop_boundary(&mut cell);
        let Some(plane) = knife.best_plane(&cell.fragments) else {
            if has_inside(&cell.body) && is_inside(&triangles, cell.body.centre()) {
                found.push(cell.body);
            }
            continue;
        };
        made += 2;
        if made > MOST_CELLS {
            return Err(BuildError::NotDecomposed { why: "it has too many notches" });
        }
        let plane = cell.fragments.swap_remove(plane);
        match knife.cut_body(&cell.body, &plane)? {
            [Some(back), Some(front)] => {
                let [mut behind, mut before] = [back, front].map(|body| Cell { body, fragments: Vec::new() });
                for fragment in cell.fragments {
                    let [back, front] = knife.cut_fragment(fragment, &plane);
                    behind.fragments.extend(back);
                    before.fragments.extend(front);
                }
                open.extend([behind, before]);
            }
            // The plane only grazes the cell: nothing but the fragment goes.
            _ => open.push(cell),
        }
    }
    Ok(found)
}

struct Knife {
    near: f64,
    vertices: Vec<DVec3>,
}

impl Knife {
    fn drop_boundary(&self, cell: &mut Cell) {
        let planes: Vec<(DVec3, DVec3)> = (0..cell.body.face_count() as u32)
            .map(|f| (cell.body.vertex(cell.body.tail(cell.body.face_edges(f)[0])), cell.body.face(f).normal))
            .collect();
        let on = |fragment: &Fragment, (corner, normal): &(DVec3, DVec3)| {
            fragment.corners.iter().all(|p| normal.dot(*p - *corner).abs() <= 4.0 * self.near)
        };
        cell.fragments.retain(|fragment| !planes.iter().any(|plane| on(fragment, plane)));
    }

    /// Of some planes, the one that cuts the fewest fragments; of these, that with the most in it, then the most even.
    fn best_plane(&self, fragments: &[Fragment]) -> Option<usize> {
        let step = fragments.len().div_ceil(CANDIDATES).max(1);
        (0..fragments.len()).step_by(step).min_by_key(|&k| {
            let (mut cuts, mut before, mut behind) = (0usize, 0usize, 0usize);
            for fragment in fragments {
                let (low, high) = self.extent(fragment, &fragments[k]);
                cuts += usize::from(low && high);
                before += usize::from(high && !low);
                behind += usize::from(low && !high);
            }
            let inside_it = fragments.len() - cuts - before - behind;
            (cuts, usize::MAX - inside_it, before.max(behind))
        })
    }

    /// Whether a fragment reaches behind the plane, and before it.
    fn extent(&self, fragment: &Fragment, plane: &Fragment) -> (bool, bool) {
        let heights = || fragment.corners.iter().map(|&p| plane.height(p));
        (heights().any(|h| h < -self.near), heights().any(|h| h > self.near))
    }

    /// The parts of a fragment behind the plane and before it; what lies in the plane is gone.
    fn cut_fragment(&self, fragment: Fragment, plane: &Fragment) -> [Option<Fragment>; 2] {
        match self.extent(&fragment, plane) {
            (false, false) => [None, None],
            (true, false) => [Some(fragment), None],
            (false, true) => [None, Some(fragment)],
            (true, true) => [-1.0, 1.0].map(|side| {
                let mut corners = Vec::with_capacity(fragment.corners.len() + 1);
                for (k, &p) in fragment.corners.iter().enumerate() {
                    let q = fragment.corners[(k + 1) % fragment.corners.len()];
                    let (from, to) = (side * plane.height(p), side * plane.height(q));
                    if from >= -self.near {
                        corners.push(p);
                    }
                    if from.min(to) < -self.near && from.max(to) > self.near {
                        corners.push(self.crossing(p, q, from, to));
                    }
                }
                (corners.len() >= 3).then_some(Fragment { corners, normal: fragment.normal })
            }),
        }
    }

    /// The parts of a cell behind the plane and before it, where they have a volume.
    fn cut_body(&self, body: &Convex, plane: &Fragment) -> Result<[Option<Convex>; 2], BuildError> {
        let heights: Vec<f64> = body.vertices().iter().map(|&v| plane.height(v)).collect();
        let mut sides = [Vec::new(), Vec::new()];
        for (&v, &h) in body.vertices().iter().zip(&heights) {
            if h <= self.near {
                sides[0].push(v);
            }
            if h >= -self.near {
                sides[1].push(v);
            }
        }
        if sides.iter().any(|s| s.len() == heights.len()) {
            return Ok([None, None]);
        }
        for edge in body.edges() {
            let [from, to] = edge.ends.map(|v| heights[v as usize]);
            if from.min(to) < -self.near && from.max(to) > self.near {
                let [p, q] = edge.ends.map(|v| body.vertex(v));
                let x = self.crossing(p, q, from, to);
                sides.iter_mut().for_each(|s| s.push(x));
            }
        }
        let [back, front] = sides;
        Ok([Convex::hull(&back)?, Convex::hull(&front)?].map(|c| has_inside(&c).then_some(c)))
    }

    /// Where the segment from `p` to `q`, of heights of different sign, meets the plane.
    fn crossing(&self, p: DVec3, q: DVec3, from: f64, to: f64) -> DVec3 {
        let x = p + (q - p) * (from / (from - to));
        let vertex = self.vertices.iter().find(|v| v.distance_squared(x) <= 16.0 * self.near * self.near);
        vertex.copied().unwrap_or(x)
    }
}

/// Whether the winding number of the triangles around a point is odd.
fn is_inside(triangles: &[[DVec3; 3]], p: DVec3) -> bool {
    let angle = |t: &[DVec3; 3]| {
        let [a, b, c] = t.map(|v| v - p);
        let (x, y, z) = (a.length(), b.length(), c.length());
        let below = x * y * z + a.dot(b) * z + b.dot(c) * x + c.dot(a) * y;
        2.0 * a.dot(b.cross(c)).atan2(below)
    };
    let winding = triangles.iter().map(angle).sum::<f64>() / (4.0 * std::f64::consts::PI);
    winding.round().rem_euclid(2.0) == 1.0
}
