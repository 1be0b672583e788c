//! A triangle of a mesh and a convex body: along which normal the surface pushes, and how deep along it.
//!
//! The direction between the closest points, or of the least way out of the triangle, is clamped to what the faces
//! around the part of the triangle that is touched allow (`model/mesh/surroundings.rs`). The other candidate is the
//! normal of the triangle. Of the two that with the shorter way is taken.
//!
//! The *local depth* along a normal `n` is the greatest `t` for which a point `p` of the triangle has `p − t·n` in the
//! body: moved by `t` along `n` the body just touches the triangle. Where the body's deepest point is below the
//! triangle, that is its depth. Else the body is moved back from where it is clear by the gap over the cosine of the
//! angle to the direction of the gap (conservative advancement): no step goes too far, since the plane between the
//! bodies meets the line no nearer.
//!
//! Cost: some runs of GJK, and one of the expanding polytope where the body crosses the triangle.

use glam::DVec3;

use crate::answer::{Element, Stats};
use crate::math::{EPS, Relative};
use crate::model::Mesh;
use crate::model::mesh::sheets::FaceSide;
use crate::model::round::Core;
use crate::narrow::Method;
use crate::narrow::context::Context;
use crate::narrow::convex::convex_memory::ConvexMemory;
use crate::narrow::convex::half_space;
use crate::narrow::depth::convex_depth;
use crate::narrow::mesh::mesh_solid::{extent, triangle_and_core};
use crate::narrow::solid::Solid;
use crate::prim::{Part, Support, Triangle};

/// Steps of the advancement; each ends nearer to the contact, and most contacts take less than five.
const STEPS: usize = 48;

/// Directions that differ by less than this, in radians, are one.
const SAME: f64 = 1e-6;

/// Barycentric coordinates below this are on the border of a triangle.
const ON_BORDER: f64 = 1e-9;

/// A mesh and a convex body in the mesh's frame.
pub(crate) struct MeshAndSolid<'q> {
    pub(crate) mesh: &'q Mesh,
    pub(crate) solid: &'q Solid<'q>,
    pub(crate) place: &'q Relative,
    /// How far apart points may be.
    pub(crate) reach: f64,
}

/// Where a triangle and the body touch, or nearly.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TriangleContact {
    /// From the mesh to the body.
    pub(crate) normal: DVec3,
    /// Along the normal, negative where they are apart.
    pub(crate) depth: f64,
    /// What rounding and the last step may have done to it.
    pub(crate) noise: f64,
    /// On the triangle and on the body.
    pub(crate) points: [DVec3; 2],
    /// The part of the triangle that carries the point.
    pub(crate) part: Part,
    pub(crate) element: Element,
}

/// A triangle as a body for the engines.
#[derive(Debug)]
struct Flat(Triangle);

impl Support for Flat {
    fn support(&self, d: DVec3) -> DVec3 {
        let [a, b, c] = self.0;
        let (up_b, up_c) = (d.dot(b - a), d.dot(c - a));
        if up_b > 0.0 && up_b >= up_c {
            b
        } else if up_c > 0.0 {
            c
        } else {
            a
        }
    }

    fn centre(&self) -> DVec3 {
        let [a, b, c] = self.0;
        a + ((b - a) + (c - a)) / 3.0
    }

    fn radius(&self) -> f64 {
        let centre = self.centre();
        self.0.iter().fold(0.0, |r: f64, x| r.max(x.distance(centre)))
    }
}

impl MeshAndSolid<'_> {
    /// The contact of the triangle at a place, seen from a side; `None` where they are farther apart than the reach, or
    /// the body is apart behind the triangle or beside it: then no direction that the surface may push in leads to it.
    pub(crate) fn at(&self, at: u32, side: FaceSide, stats: &mut Stats) -> Option<TriangleContact> {
        stats.primitive_tests += 1;
        let t = self.mesh.corners(at);
        if let Core::HalfSpace { normal, offset } = self.solid.core {
            return self.on_half_space(&t, normal, offset);
        }
        let around = self.mesh.surroundings_from(side);
        let (n, noise) = (around.normal(at), self.noise(&t));
        let near = triangle_and_core(&t, self.solid, self.place, stats)?;
        let [p, q] = near.points;
        let between = p.distance(q);
        let is_apart = !near.inside && between > 64.0 * noise;
        let gap = between - self.solid.margin;
        if is_apart && gap > self.reach + noise {
            return None;
        }
        let (m, p) = if is_apart { ((q - p) / between, p) } else { self.way_out(&t, stats).unwrap_or((n, p)) };
        let part = part_at(&t, p);
        if is_apart && gap > noise && part == Part::Face && m.dot(n) < 0.0 {
            return None;
        }
        let clamped = around.clamp(self.mesh, at, part, m);
        // A flat corner allows the direction as it was computed: off the plane's normal by rounding.
        let clamped = if clamped.distance_squared(n) <= SAME * SAME { n } else { clamped };
        let mut best = self.along(&t, clamped, noise, stats);
        if n != DVec3::ZERO && clamped.distance_squared(n) > 1e-20 {
            let other = self.along(&t, n, noise, stats);
            let shorter = |x: &TriangleContact, y: &TriangleContact| x.depth.abs() < y.depth.abs() - noise;
            if other.as_ref().is_some_and(|x| best.as_ref().is_none_or(|y| shorter(x, y))) {
                best = other;
            }
        }
        // Apart, and yet a way to go along the normal: the body is behind the surface, beyond its border.
        if is_apart && gap > noise && best.as_ref().is_none_or(|contact| contact.depth > noise) {
            return None;
        }
        let mut contact = best.unwrap_or(TriangleContact {
            normal: m,
            depth: -gap,
            noise,
            points: [p, q - m * self.solid.margin],
            part,
            element: Element::Surface,
        });
        contact.part = part_at(&t, contact.points[0]);
        (contact.depth >= -self.reach - noise).then_some(contact)
    }

    /// What rounding does to a depth.
    fn noise(&self, t: &Triangle) -> f64 {
        let reach = t.iter().fold(0.0, |r: f64, x| r.max(x.abs().max_element()));
        128.0
            * EPS
            * (reach + 2.0 * extent(self.solid) + self.solid.margin + self.place.translation.abs().max_element())
    }

    /// The least way out of the triangle, and the point of the triangle that is deepest.
    fn way_out(&self, t: &Triangle, stats: &mut Stats) -> Option<(DVec3, DVec3)> {
        let flat = Flat(*t);
        let body = Solid { core: Core::Smooth(&flat), margin: 0.0 };
        let mut memory = ConvexMemory::default();
        let deep =
            convex_depth::depth([&body, self.solid], self.place, Method::Auto, Context::new(&mut memory, stats))?;
        Some((deep.normal, deep.witness.points[0]))
    }

    /// A triangle on a half-space: its lowest corner.
    fn on_half_space(&self, t: &Triangle, normal: DVec3, offset: f64) -> Option<TriangleContact> {
        let up = self.place.rotation * normal;
        let offset = offset + up.dot(self.place.translation) + self.solid.margin;
        let lowest = t.iter().copied().min_by(|x, y| up.dot(*x).total_cmp(&up.dot(*y)))?;
        let (depth, noise) = (offset - up.dot(lowest), self.noise(t));
        let points = [lowest, lowest + up * depth];
        let element = Element::Surface;
        let contact = TriangleContact { normal: -up, depth, noise, points, part: part_at(t, lowest), element };
        (depth >= -self.reach - noise).then_some(contact)
    }

    /// The local depth along a unit normal; `None` where no point of the body is over the triangle, seen along it.
    fn along(&self, t: &Triangle, n: DVec3, noise: f64, stats: &mut Stats) -> Option<TriangleContact> {
        let margin = self.solid.margin;
        let (low, element) = half_space::lowest(n, self.solid, self.place)?;
        let top = Flat(*t).support(n);
        let clear = n.dot(top - low) + margin;
        let contact = |depth: f64, points: [DVec3; 2], noise: f64, element: Element| TriangleContact {
            normal: n,
            depth,
            noise,
            points,
            part: Part::Face,
            element,
        };
        let foot = low + n * (clear - margin);
        if (t[1] - t[0]).cross(t[2] - t[0]).normalize_or_zero().cross(n).length_squared() < 1e-24 && is_over(t, foot) {
            return Some(contact(clear, [foot, low - n * margin], noise, element));
        }
        let (mut shift, mut last) = (clear, None);
        for _ in 0..STEPS {
            let place = Relative { translation: self.place.translation + n * shift, ..*self.place };
            let Some(near) = triangle_and_core(t, self.solid, &place, stats) else { break };
            let [p, q] = near.points;
            let between = p.distance(q);
            last = Some(p);
            if near.inside || between - margin <= noise {
                break;
            }
            let cosine = (q - p).dot(n) / between;
            if cosine <= 1e-6 {
                return None;
            }
            shift -= (between - margin) / cosine;
        }
        let p = last?;
        let element =
            if margin > 0.0 || matches!(self.solid.core, Core::Smooth(_)) { Element::Surface } else { element };
        Some(contact(shift, [p, p - n * shift], 4.0 * noise, element))
    }
}

/// Whether a point of the triangle's plane is in it, its border not counted.
fn is_over(t: &Triangle, p: DVec3) -> bool {
    weights(t, p).is_some_and(|w| w.iter().all(|&x| x > ON_BORDER))
}

/// Barycentric coordinates; `None` without an area.
fn weights([a, b, c]: &Triangle, p: DVec3) -> Option<[f64; 3]> {
    let (u, v, w) = (*b - *a, *c - *a, p - *a);
    let n = u.cross(v);
    let area = n.length_squared();
    if area <= 0.0 || !area.is_finite() {
        return None;
    }
    let (y, z) = (w.cross(v).dot(n) / area, u.cross(w).dot(n) / area);
    Some([1.0 - y - z, y, z])
}

/// The part of a triangle that carries a point of it.
pub(crate) fn part_at(t: &Triangle, p: DVec3) -> Part {
    let Some(weights) = weights(t, p) else { return nearest_corner(t, p) };
    let small = weights.map(|w| w.abs() <= ON_BORDER || w < 0.0);
    match small {
        [false, false, false] => Part::Face,
        // The edge `k` leads from corner `k` to the next.
        [false, false, true] => Part::Edge(0),
        [true, false, false] => Part::Edge(1),
        [false, true, false] => Part::Edge(2),
        _ => nearest_corner(t, p),
    }
}

fn nearest_corner(t: &Triangle, p: DVec3) -> Part {
    let distance = |k: &u8| t[usize::from(*k)].distance_squared(p);
    Part::Vertex([0u8, 1, 2].into_iter().min_by(|x, y| distance(x).total_cmp(&distance(y))).unwrap_or(0))
}
