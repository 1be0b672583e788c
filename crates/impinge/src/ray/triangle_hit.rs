//! Whether a ray meets a triangle, exactly, and where.
//!
//! The ray is the segment from its origin `o` to a point `f` beyond the mesh; `f` is rounded, once. By the signs of
//! the volumes of `o f` with the edges (`prim/block_ray.rs`) the line passes through the triangle, an edge, a vertex or
//! beside it; by the side of its plane on which `o` lies the triangle is ahead or behind. Signs that rounding leaves
//! open are computed with twice the precision (`prim/edge_side.rs`), and exactly if that does not decide. Two triangles
//! with a common edge ask the same question about it, with the same answer, so no ray passes between them. What was
//! answered is kept, since a ray at an edge asks about it twice; and how the ray passes a vertex, since a ray at a
//! vertex asks about each of its edges.
//!
//! A ray that begins far from the mesh is followed to the box around it, by numbers of twice the precision, so that
//! what is computed there is as fine as near the mesh, however far the ray comes.
//!
//! A ray in the plane of the triangle gives three zeros. It meets the triangle if the segment does (by the exact test
//! of two triangles, of which one is degenerate), and enters it where it first crosses an edge.

use glam::DVec3;

use super::line::Line;
use crate::math::{EPS, Sign, normalising_scale, orient3d};
use crate::model::Mesh;
use crate::prim::{Part, PastVertex, RayWeights, Triangle, edge_side, point_of_way, triangles_overlap};
use crate::tree::descent::line::inverse;

/// A mesh and a ray in its frame.
pub(super) struct MeshLine<'m> {
    pub(super) mesh: &'m Mesh,
    pub(super) line: Line,
    /// The inverses of the components of the unit direction.
    pub(super) inverse: DVec3,
    /// The point from which corners are seen: the origin, or a point of the ray nearer to the mesh; its distance from
    /// the origin; and how far it may be beside the ray.
    pub(super) start: DVec3,
    shift: f64,
    pub(super) off: f64,
    /// No point of the mesh that the ray meets is farther from the origin, nor is the origin farther from zero.
    beyond: f64,
}

/// Where a ray meets a triangle: how far from the origin, the triangle, the part of it, and the weights of its corners.
#[derive(Debug, Clone, Copy)]
pub(super) struct TriangleHit {
    pub(super) distance: f64,
    pub(super) place: u32,
    pub(super) part: Part,
    pub(super) weights: [f64; 3],
}

/// The sides of the ray on which edges pass that were computed last, each with its two vertices, the lesser first; and
/// the vertex that the ray was last found to pass closely, with the scale of what was computed there.
#[derive(Debug, Default)]
pub(super) struct EdgeSides {
    known: [Option<([u32; 2], Sign)>; 8],
    next: usize,
    vertex: Option<(u32, f64, PastVertex)>,
}

impl EdgeSides {
    fn find(&self, edge: [u32; 2]) -> Option<Sign> {
        self.known.iter().flatten().find(|known| known.0 == edge).map(|known| known.1)
    }

    fn keep(&mut self, edge: [u32; 2], sign: Sign) {
        self.known[self.next % 8] = Some((edge, sign));
        self.next += 1;
    }
}

impl<'m> MeshLine<'m> {
    /// `None` where the ray passes the box around the mesh, and where the mesh has no triangles.
    #[inline(always)]
    pub(super) fn new(mesh: &'m Mesh, line: &Line) -> Option<MeshLine<'m>> {
        if mesh.is_empty() {
            return None;
        }
        let (bounds, inverse) = (&mesh.bounds, inverse(line.unit));
        let size = (bounds.max - bounds.min).max_element();
        let most = line.origin.abs().max_element();
        // The direction is off by some roundings, which it takes as far as the mesh.
        let slack = DVec3::splat(64.0 * EPS * (bounds.reach() + most));
        let low = (bounds.min - slack - line.origin) * inverse;
        let high = (bounds.max + slack - line.origin) * inverse;
        let (enter, leave) = (low.min(high).max_element(), low.max(high).min_element());
        if !(enter <= leave && leave >= 0.0 && enter <= line.length) {
            return None;
        }
        let beyond = 4.0 * (leave.min(2.0 * enter.max(0.0) + 4.0 * size)).max(most).max(size);
        let mut seen = MeshLine { mesh, line: *line, inverse, start: line.origin, shift: 0.0, off: 0.0, beyond };
        if enter > 2.0 * size {
            seen.begin_near(enter);
        }
        Some(seen)
    }

    /// Starts at this distance from the origin.
    #[inline(never)]
    fn begin_near(&mut self, distance: f64) {
        let ends = self.ends();
        let share = distance / (ends[1] - ends[0]).length();
        self.start = point_of_way(ends, share);
        self.shift = distance;
        self.off = 4.0 * EPS * self.start.abs().max_element();
    }

    /// The origin, and a point of the ray beyond the mesh.
    fn ends(&self) -> [DVec3; 2] {
        // A power of two, so that the direction keeps its bits.
        [self.line.origin, self.line.origin + self.line.direction / normalising_scale(self.beyond)]
    }

    /// The same, and a power of two that takes all coordinates to about 1 for the predicates.
    fn scaled_ends(&self) -> ([DVec3; 2], f64) {
        let [o, f] = self.ends();
        let scale = normalising_scale(f.abs().max(o.abs()).max_element().max(self.mesh.bounds.reach()));
        ([o * scale, f * scale], scale)
    }

    /// A distance from the origin, as the tree counts it: from the start, in its units.
    #[inline]
    pub(super) fn in_tree(&self, distance: f64) -> f64 {
        (distance - self.shift) / self.mesh.tree().unit
    }

    /// The hit of the triangle at `place`, from the weights of a lane.
    #[inline(never)]
    pub(super) fn hit(
        &self,
        place: u32,
        found: &RayWeights,
        lane: usize,
        sides: &mut EdgeSides,
    ) -> Option<TriangleHit> {
        let noise = found.noise[lane];
        let weights = found.weights.map(|weight| weight[lane]);
        let mut signs = weights.map(|weight| if weight.abs() > noise { Sign::of(weight) } else { Sign::Zero });
        let open = signs.map(|sign| sign == Sign::Zero);
        // A ray at a vertex leaves the weights of the two others open.
        if let [true, true, false] | [true, false, true] | [false, true, true] = open {
            let vertex = open.iter().position(|open| !open).unwrap_or(0);
            self.signs_at_vertex(place, vertex, &mut signs, sides);
        } else if open.contains(&true) {
            for k in (0..3).filter(|&k| open[k]) {
                signs[k] = self.side_of_edge(place, k, sides);
            }
        }
        let has = |sign| signs.contains(&sign);
        if has(Sign::Positive) && has(Sign::Negative) {
            return None;
        }
        let facing = if has(Sign::Positive) { Sign::Positive } else { Sign::Negative };
        let corners = self.mesh.corners(place).map(|p| p - self.start);
        if !has(facing) {
            return self.in_plane(place, &corners);
        }
        // Rounding may leave a weight on the wrong side of zero.
        let size = |k: usize| if signs[k] == Sign::Zero { 0.0 } else { weights[k].abs() };
        let sizes = [size(0), size(1), size(2)];
        let sum = sizes[0] + sizes[1] + sizes[2];
        let weights = if sum > 0.0 { sizes.map(|size| size / sum) } else { [1.0 / 3.0; 3] };
        let distance = self.shift + weighted(&corners, weights).dot(self.line.unit);
        let reach = corners.iter().fold(0.0, |most: f64, x| most.max(x.abs().max_element()));
        if distance < 1e-6 * reach + self.off {
            // The origin is behind the plane that the ray crosses towards it.
            let (ends, scale) = self.scaled_ends();
            let [a, b, c] = self.mesh.corners(place).map(|x| x * scale);
            if orient3d(a, b, c, ends[0]) == facing {
                return None;
            }
        }
        let distance = distance.max(0.0);
        (distance <= self.line.length).then_some(TriangleHit { distance, place, part: part_of(signs), weights })
    }

    /// The exact signs of the weights of the two other corners, where the ray passes one closely.
    fn signs_at_vertex(&self, place: u32, near: usize, signs: &mut [Sign; 3], sides: &mut EdgeSides) {
        let triangle = self.mesh.triangles[place as usize];
        let corner = |v: u32| self.mesh.vertices[v as usize];
        if sides.vertex.as_ref().is_none_or(|known| known.0 != triangle[near]) {
            let (ends, scale) = self.scaled_ends();
            sides.vertex = Some((triangle[near], scale, PastVertex::new(ends, corner(triangle[near]) * scale)));
        }
        let [next, last] = [(near + 1) % 3, (near + 2) % 3];
        // The weight of a corner is the volume with the edge across from it, from the next corner to the one after.
        let side = |other: usize| {
            let (_, scale, past) = sides.vertex.as_ref()?;
            past.side(corner(triangle[other]) * *scale)
        };
        let [with_next, with_last] = [side(next), side(last)];
        signs[last] = with_next.unwrap_or_else(|| self.side_of_edge(place, last, sides));
        signs[next] = with_last.map_or_else(|| self.side_of_edge(place, next, sides), Sign::flipped);
    }

    /// The exact sign of the weight of a corner: of the volume of the ray with the edge across from it.
    #[cold]
    fn side_of_edge(&self, place: u32, across: usize, sides: &mut EdgeSides) -> Sign {
        let triangle = self.mesh.triangles[place as usize];
        let [i, j] = [(across + 1) % 3, (across + 2) % 3];
        let (tail, head) = (triangle[i].min(triangle[j]), triangle[i].max(triangle[j]));
        let sign = sides.find([tail, head]).unwrap_or_else(|| {
            let ((ends, scale), corner) = (self.scaled_ends(), |v: u32| self.mesh.vertices[v as usize]);
            let [q, r] = [corner(tail) * scale, corner(head) * scale];
            let sign = edge_side(ends, q, r).unwrap_or_else(|| orient3d(ends[0], q, r, ends[1]));
            sides.keep([tail, head], sign);
            sign
        });
        if tail == triangle[i] { sign } else { sign.flipped() }
    }

    #[cold]
    fn in_plane(&self, place: u32, corners: &Triangle) -> Option<TriangleHit> {
        let ([o, f], scale) = self.scaled_ends();
        if !triangles_overlap(&self.mesh.corners(place).map(|x| x * scale), &[o, f, f]) {
            return None;
        }
        let unit = self.line.unit;
        let beside = corners.map(|x| x - unit * x.dot(unit));
        let lengths = beside.map(|x| x.abs().max_element());
        let widest = (0..3).max_by(|&i, &j| lengths[i].total_cmp(&lengths[j])).unwrap_or(0);
        let across = beside[widest].normalize_or_zero();
        let height = beside.map(|x| x.dot(across));
        let mut best: Option<(f64, Part, [f64; 3])> = None;
        let mut offer = |weights: [f64; 3], part: Part| {
            let t = self.shift + weighted(corners, weights).dot(unit);
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
            best = Some((self.shift + corners[nearest].dot(unit), Part::Vertex(nearest as u8), weights));
        }
        let (t, part, weights) = best?;
        if t < 0.0 {
            // The ray begins within the triangle, or rounding moved the point where it enters.
            return Some(TriangleHit { distance: 0.0, place, part: Part::Face, weights: [1.0 / 3.0; 3] });
        }
        (t <= self.line.length).then_some(TriangleHit { distance: t, place, part, weights })
    }

    /// The point of a hit, in the body's frame.
    pub(super) fn point(&self, hit: &TriangleHit) -> DVec3 {
        if hit.distance == 0.0 {
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
