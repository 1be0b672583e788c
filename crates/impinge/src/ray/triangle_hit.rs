//! Whether a ray meets a triangle, exactly, and where.
//!
//! The ray is the segment from its origin `o` to a point `f` beyond the mesh; `f` is rounded, once. By the signs of
//! the volumes of `o f` with the edges (`prim/block_ray.rs`) the line passes through the triangle, an edge, a vertex or
//! beside it; by the side of its plane on which `o` lies the triangle is ahead or behind. Signs that rounding leaves
//! open are computed exactly. Two triangles with a common edge ask the same question about it, with the same answer, so
//! no ray passes between them.
//!
//! A ray in the plane of the triangle gives three zeros. It meets the triangle if the segment does (by the exact test
//! of two triangles, of which one is degenerate), and enters it where it first crosses an edge.

use glam::DVec3;

use super::line::Line;
use crate::math::{EPS, Sign, normalising_scale, orient3d};
use crate::model::Mesh;
use crate::prim::{Part, RayWeights, Triangle, triangles_overlap};
use crate::tree::descent::line::TreeLine;

/// A mesh and a ray in its frame.
pub(super) struct MeshLine<'m> {
    pub(super) mesh: &'m Mesh,
    pub(super) line: Line,
    /// The point from which corners are seen: the origin, or a point of the ray nearer to the mesh; its parameter; and
    /// how far it may be beside the ray.
    pub(super) start: DVec3,
    shift: f64,
    pub(super) off: f64,
    /// A point of the ray beyond the mesh.
    far: DVec3,
    /// Takes coordinates to about 1 for the predicates.
    scale: f64,
}

/// Where a ray meets a triangle: the parameter of the point, the triangle, the part of it, and the weights of its
/// corners.
#[derive(Debug, Clone, Copy)]
pub(super) struct TriangleHit {
    pub(super) t: f64,
    pub(super) place: u32,
    pub(super) part: Part,
    pub(super) weights: [f64; 3],
}

impl<'m> MeshLine<'m> {
    /// `None` where the ray passes the ball around the mesh, and where the mesh has no triangles.
    pub(super) fn new(mesh: &'m Mesh, line: &Line) -> Option<MeshLine<'m>> {
        if mesh.is_empty() {
            return None;
        }
        let bounds = &mesh.bounds;
        let (centre, half) = (bounds.centre(), (bounds.max - bounds.min) * 0.5);
        // Not the sum of squares, which may overflow.
        let radius = 2.0 * half.max_element() + EPS * (bounds.reach() + line.origin.abs().max_element());
        let unit = line.direction / line.norm;
        let (middle, reach) = ((centre - line.origin).dot(unit), radius);
        if middle + reach < 0.0 || middle - reach > line.length {
            return None;
        }
        let shift = if middle > 3.0 * reach { middle - 2.0 * reach } else { 0.0 };
        let start = line.origin + unit * shift;
        let most = line.origin.abs().max(start.abs()).max_element();
        let off = if shift > 0.0 { 8.0 * EPS * most } else { 0.0 };
        // A power of two, so that the direction keeps its bits.
        let beyond = 4.0 * ((middle + 2.0 * reach).max(reach) / line.norm).max(most);
        let far = line.origin + line.direction / normalising_scale(beyond);
        let scale = normalising_scale(far.abs().max_element().max(most).max(bounds.reach()));
        Some(MeshLine { mesh, line: *line, start, shift: shift / line.norm, off, far, scale })
    }

    /// The ray in the units of the tree, and the parameter there of its end.
    pub(super) fn in_tree(&self) -> (TreeLine, f64) {
        let tree = self.mesh.tree();
        let line = TreeLine::new(tree, self.start, self.line.direction / self.line.norm, self.off);
        (line, self.parameter_in_tree(self.line.parameter(self.line.length)))
    }

    pub(super) fn parameter_in_tree(&self, t: f64) -> f64 {
        (t - self.shift) * self.line.norm / self.mesh.tree().unit
    }

    /// The hit of the triangle at `place`, which has these corners from the start, and the weights of a lane.
    #[inline]
    pub(super) fn hit(&self, place: u32, corners: &Triangle, found: &RayWeights, lane: usize) -> Option<TriangleHit> {
        let noise = found.noise[lane];
        let weights = found.weights.map(|weight| weight[lane]);
        let mut signs = [Sign::Zero; 3];
        for k in 0..3 {
            signs[k] = if weights[k].abs() > noise {
                Sign::of(weights[k])
            } else {
                self.side_of_edge(place, [(k + 1) % 3, (k + 2) % 3])
            };
        }
        let has = |sign| signs.contains(&sign);
        if has(Sign::Positive) && has(Sign::Negative) {
            return None;
        }
        let facing = if has(Sign::Positive) { Sign::Positive } else { Sign::Negative };
        if !has(facing) {
            return self.in_plane(place, corners);
        }
        // Rounding may leave a weight on the wrong side of zero.
        let size = |k: usize| if signs[k] == Sign::Zero { 0.0 } else { weights[k].abs() };
        let sizes = [size(0), size(1), size(2)];
        let sum = sizes[0] + sizes[1] + sizes[2];
        let weights = if sum > 0.0 { sizes.map(|size| size / sum) } else { [1.0 / 3.0; 3] };
        let along = self.along(weighted(corners, weights));
        let reach = corners.iter().fold(0.0, |most: f64, x| most.max(x.abs().max_element()));
        let t = self.shift + along;
        if t * self.line.norm < 1e-6 * reach + self.off {
            // The origin is behind the plane that the ray crosses towards it.
            let [a, b, c] = self.mesh.corners(place).map(|x| x * self.scale);
            if orient3d(a, b, c, self.line.origin * self.scale) == facing {
                return None;
            }
        }
        let t = t.max(0.0);
        (t <= self.line.parameter(self.line.length)).then_some(TriangleHit { t, place, part: part_of(signs), weights })
    }

    /// The exact sign of the volume of the ray with the edge between two corners.
    #[cold]
    fn side_of_edge(&self, place: u32, [i, j]: [usize; 2]) -> Sign {
        let corners = self.mesh.corners(place);
        let [o, f] = [self.line.origin, self.far].map(|x| x * self.scale);
        orient3d(o, corners[i] * self.scale, corners[j] * self.scale, f)
    }

    /// The parameter, from the start, of the point of the ray nearest to one.
    fn along(&self, from_start: DVec3) -> f64 {
        (from_start / self.line.norm).dot(self.line.direction / self.line.norm)
    }

    #[cold]
    fn in_plane(&self, place: u32, corners: &Triangle) -> Option<TriangleHit> {
        let [o, f] = [self.line.origin, self.far].map(|x| x * self.scale);
        if !triangles_overlap(&self.mesh.corners(place).map(|x| x * self.scale), &[o, f, f]) {
            return None;
        }
        let unit = self.line.direction / self.line.norm;
        let beside = corners.map(|x| x - unit * x.dot(unit));
        let lengths = beside.map(|x| x.abs().max_element());
        let widest = (0..3).max_by(|&i, &j| lengths[i].total_cmp(&lengths[j])).unwrap_or(0);
        let across = beside[widest].normalize_or_zero();
        let height = beside.map(|x| x.dot(across));
        let mut best: Option<(f64, Part, [f64; 3])> = None;
        let mut offer = |weights: [f64; 3], part: Part| {
            let t = self.shift + self.along(weighted(corners, weights));
            if best.is_none_or(|(least, ..)| t < least) {
                best = Some((t, part, weights));
            }
        };
        let reach = corners.iter().fold(0.0, |most: f64, x| most.max(x.abs().max_element()));
        let flat = 16.0 * EPS * reach + self.off;
        for i in 0..3 {
            let (j, mut weights) = ((i + 1) % 3, [0.0; 3]);
            if height[i].abs() <= flat {
                weights[i] = 1.0;
                offer(weights, Part::Vertex(i as u8));
            } else if height[i] * height[j] < 0.0 && height[j].abs() > flat {
                let share = height[i] / (height[i] - height[j]);
                (weights[i], weights[j]) = (1.0 - share, share);
                offer(weights, Part::Edge(i as u8));
            }
        }
        let nearest = (0..3).min_by(|&i, &j| height[i].abs().total_cmp(&height[j].abs())).unwrap_or(0);
        if best.is_none() {
            // The ray does meet the triangle: rounding hides where.
            let mut weights = [0.0; 3];
            weights[nearest] = 1.0;
            best = Some((self.shift + self.along(corners[nearest]), Part::Vertex(nearest as u8), weights));
        }
        let (t, part, weights) = best?;
        let limit = self.line.parameter(self.line.length);
        if t < 0.0 {
            // The ray begins within the triangle, or rounding moved the point where it enters.
            return Some(TriangleHit { t: 0.0, place, part: Part::Face, weights: [1.0 / 3.0; 3] });
        }
        (t <= limit).then_some(TriangleHit { t, place, part, weights })
    }

    /// The point of a hit, in the body's frame.
    pub(super) fn point(&self, hit: &TriangleHit) -> DVec3 {
        if hit.t == 0.0 {
            return self.line.origin;
        }
        let corners = self.mesh.corners(hit.place);
        corners[0] + (corners[1] - corners[0]) * hit.weights[1] + (corners[2] - corners[0]) * hit.weights[2]
    }
}

fn weighted(t: &Triangle, weights: [f64; 3]) -> DVec3 {
    t[0] * weights[0] + t[1] * weights[1] + t[2] * weights[2]
}

/// The part of a triangle that the line passes through: a corner without weight is across from it.
fn part_of(signs: [Sign; 3]) -> Part {
    let zero = signs.map(|sign| sign == Sign::Zero);
    match zero {
        [true, false, false] => Part::Edge(1),
        [false, true, false] => Part::Edge(2),
        [false, false, true] => Part::Edge(0),
        [false, true, true] => Part::Vertex(0),
        [true, false, true] => Part::Vertex(1),
        [true, true, false] => Part::Vertex(2),
        _ => Part::Face,
    }
}
