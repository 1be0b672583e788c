//! The least translation that separates two convex polyhedra, exactly: separating axes pruned on the Gauss map.
//!
//! S. Cameron and R. Culley, *Determining the minimum translational distance between two convex polyhedra*, ICRA 1986:
//! the depth is the distance of the origin from the boundary of the Minkowski difference `a ⊖ b`, hence the least
//! distance to the plane of one of its facets. On the sphere of directions every face of a polyhedron is a point (its
//! normal), every edge the arc between the normals of its two faces, every vertex the region between such arcs. Laid
//! over each other, the sphere of `a` and the reflected sphere of `b` have for nodes exactly the normals of the facets:
//!
//! - a face of `a`, together with the vertex of `b` in whose region its normal lies: found by the support mapping;
//! - a face of `b` and a vertex of `a` likewise;
//! - an edge of each whose arcs cross: found by following the arcs of `a` through the regions of `b`
//!   ([`super::gauss_arc`]), where the usual separating-axis test looks at all pairs of edges.
//!
//! A candidate that would win is measured again by the support mappings before it does: arcs that seem to cross through
//! rounding alone (of edges almost parallel) can then do no harm, and what is returned always separates.
//!
//! **Bodies without volume.** The edge of a polygon has two opposite normals and between them the half circle through
//! the outside; that of a segment has a full circle. Long arcs are followed in pieces. If neither body has volume the
//! difference may be flat. Its plane then is that of a polygon, or is spanned by the segments: these normals are
//! candidates already, and the ways out of a flat thing; to see that it misses the origin *within* its plane, the
//! normals of its outline are tried too.
//!
//! Of axes tied within rounding, faces come first, so that flush contacts have flush normals. Cost: a support for each
//! face, and a look around a vertex for each crossing, of which there are about as many as edges between rounded
//! bodies, `e_a·e_b` at worst; no heap.

use glam::DVec3;

use super::gauss_arc::Arc;
use crate::answer::Stats;
use crate::math::EPS;
use crate::model::convex::polyhedron::{Edge, NONE};
use crate::narrow::convex::polyhedra::facing;
use crate::narrow::convex::polyhedra::placed_polyhedron::PlacedPolyhedron;
use crate::narrow::convex::polyhedra::{Polyhedra, WayOut};

/// How much deeper than the least, in units of rounding, an axis may be and still be the answer.
const TIE: f64 = 4.0;

/// How many such axes are kept.
const MOST_TIES: usize = 8;

/// The way out, or a unit vector from `a` to `b` along which they are apart.
pub(crate) fn depth(pair: &Polyhedra<'_>, stats: &mut Stats) -> Result<WayOut, DVec3> {
    let mut search = Search::new(pair);
    let found = search.faces(0).and_then(|()| search.faces(1)).and_then(|()| search.flat_axes());
    let found = found.and_then(|()| search.edge_pairs());
    stats.iterations += search.axes;
    stats.primitive_tests += search.tests;
    found.map(|()| search.way())
}

/// An axis and the vertices extreme along it: of `a` forward, of `b` backward.
#[derive(Debug, Clone, Copy)]
struct Axis {
    normal: DVec3,
    depth: f64,
    vertices: [u32; 2],
}

struct Search<'m> {
    bodies: [PlacedPolyhedron<'m>; 2],
    slack: f64,
    /// Axes as deep as the least up to rounding when they were found, in this order.
    ties: [Axis; MOST_TIES],
    count: usize,
    /// The least depth of all.
    least: f64,
    axes: u64,
    tests: u64,
}

impl<'m> Search<'m> {
    fn new(pair: &'m Polyhedra<'_>) -> Search<'m> {
        let ties = [Axis { normal: DVec3::X, depth: f64::INFINITY, vertices: [0; 2] }; MOST_TIES];
        let bodies = pair.placed();
        Search { bodies, slack: pair.slack(), ties, count: 0, least: f64::INFINITY, axes: 0, tests: 0 }
    }

    /// Measures the unit vector `n`; returns the vertices extreme along it. An error if it separates.
    fn offer(&mut self, n: DVec3, hints: [u32; 2]) -> Result<[u32; 2], DVec3> {
        let [a, b] = &self.bodies;
        let v = a.convex.support(n, hints[0]);
        let w = b.convex.support(b.turn_back(-n), hints[1]);
        let depth = n.dot(a.vertex(v) - b.vertex(w));
        self.axes += 1;
        self.tests += 2;
        if depth < -self.slack {
            return Err(n);
        }
        let tie = TIE * self.slack;
        if depth < self.least - tie {
            self.count = 0;
        }
        if depth <= self.least + tie && self.count < MOST_TIES {
            self.ties[self.count] = Axis { normal: n, depth, vertices: [v, w] };
            self.count += 1;
        }
        self.least = self.least.min(depth);
        Ok([v, w])
    }

    /// The faces of `a`, or those of `b`, whose normals point the other way.
    fn faces(&mut self, side: usize) -> Result<(), DVec3> {
        let convex = self.bodies[side].convex;
        let mut hints = [0; 2];
        for f in 0..convex.face_count() as u32 {
            let normal = self.bodies[side].normal(f);
            hints[side] = convex.tail(convex.face_edges(f)[0]);
            hints = self.offer(if side == 0 { normal } else { -normal }, hints)?;
        }
        Ok(())
    }

    /// What a flat difference needs, see above; nothing if one of the bodies has volume.
    fn flat_axes(&mut self) -> Result<(), DVec3> {
        let [a, b] = self.bodies;
        if a.convex.face_count() > 2 || b.convex.face_count() > 2 {
            return Ok(());
        }
        let between = b.centre() - a.centre();
        self.offer_both(DVec3::X)?;
        self.offer_both(between)?;
        for (body, other) in [(a, b), (b, a)] {
            if body.convex.face_count() == 2 {
                let normal = body.normal(0);
                for edge in body.convex.edges() {
                    self.offer_both(body.turn(edge.inward[0]))?;
                }
                for edge in other.convex.edges() {
                    self.offer_both(normal.cross(other.turn(edge.direction)))?;
                }
            }
            if let [edge] = body.convex.edges() {
                let along = body.turn(edge.direction);
                self.offer_both(along.any_orthonormal_vector())?;
                self.offer_both(along)?;
                self.offer_both(between.reject_from_normalized(along))?;
                for edge in other.convex.edges() {
                    self.offer_both(along.cross(other.turn(edge.direction)).cross(along))?;
                }
            }
        }
        Ok(())
    }

    fn offer_both(&mut self, d: DVec3) -> Result<(), DVec3> {
        if let Some(n) = d.try_normalize() {
            self.offer(n, [0; 2])?;
            self.offer(-n, [0; 2])?;
        }
        Ok(())
    }

    /// Edges whose arcs cross.
    fn edge_pairs(&mut self) -> Result<(), DVec3> {
        let [a, b] = self.bodies;
        let mut hint = 0;
        for edge in a.convex.edges() {
            let stations = stations(&a, edge).map(|d| b.turn_back(d));
            hint = b.convex.support(-stations[0], hint);
            let mut arc = Arc { from: stations[0], to: stations[0], vertex: hint };
            for station in stations {
                arc.to = station;
                // Each vertex is passed once at most.
                for _ in 0..b.convex.vertex_count() {
                    let Some(h) = arc.cross(b.convex) else { break };
                    self.tests += 1;
                    self.edge_pair(edge, b.convex.edge(h.edge()), b.turn(arc.from))?;
                }
                arc.from = station;
            }
        }
        Ok(())
    }

    /// An edge of each, `towards` being near their common normal.
    fn edge_pair(&mut self, edge: &Edge, other: &Edge, towards: DVec3) -> Result<(), DVec3> {
        let [a, b] = &self.bodies;
        let across = edge.direction.cross(b.turn(other.direction));
        let sine = across.length();
        // Edges parallel up to rounding have no common normal of their own.
        if sine <= 8.0 * EPS {
            return Ok(());
        }
        let normal = across * (across.dot(towards).signum() / sine);
        let vertices = [edge.ends[0], other.ends[0]];
        if normal.dot(a.vertex(vertices[0]) - b.vertex(vertices[1])) <= self.least + TIE * self.slack {
            self.offer(normal, vertices)?;
        }
        Ok(())
    }

    /// The first of the axes tied with the least along which the extreme features meet: of facets almost in one plane
    /// the foot of the origin lies on one only.
    fn way(&self) -> WayOut {
        let [a, b] = &self.bodies;
        let mut tied = self.ties[..self.count].iter().filter(|axis| axis.depth <= self.least + TIE * self.slack);
        let level = facing::LEVEL * self.slack;
        let met = tied.clone().find_map(|axis| {
            facing::touch_within([a, b], axis.vertices, axis.normal, level).map(|found| (axis, found))
        });
        let (axis, (points, features)) = met.unwrap_or_else(|| {
            let axis = tied.next().unwrap_or(&self.ties[0]);
            (axis, facing::touch([a, b], axis.vertices, axis.normal, self.slack))
        });
        let lower = (self.least - self.slack).max(0.0);
        WayOut { normal: axis.normal, lower, depth: axis.depth.max(0.0), points, features }
    }
}

/// Directions along the arc of an edge, less than half a turn from one to the next; the last one repeated.
fn stations(body: &PlacedPolyhedron<'_>, edge: &Edge) -> [DVec3; 5] {
    if edge.faces[0] == NONE {
        let side = edge.direction.any_orthonormal_vector();
        let up = edge.direction.cross(side);
        return [side, up, -side, -up, side];
    }
    let [left, right] = edge.faces.map(|f| body.convex.face(f).normal);
    let outward = -(edge.inward[0] + edge.inward[1]);
    [left, if left.dot(right) > 0.0 { right } else { outward }, right, right, right]
}

#[cfg(test)]
mod tests {
    use glam::DMat3;

    use super::*;
    use crate::narrow::convex::polyhedra::brute;
    use crate::narrow::convex::polyhedra::cases::{
        at, check_way, cone, cuboid, families, flush, gap, placed, prism, scale,
    };
    use crate::narrow::convex::polyhedra::known_cases::{KnownAnswer, known};
    use crate::narrow::convex::polyhedra::{Claim, HullFeature};

    fn agree(name: &str, pair: &Polyhedra<'_>) -> bool {
        let mut stats = Stats::default();
        match (depth(pair, &mut stats), brute::closest(pair, &mut Stats::default())) {
            (Err(n), verdict) => {
                assert!((n.length() - 1.0).abs() < 1e-14 && gap(pair, n) > 0.0, "{name}: {n} does not separate");
                if let Claim::Apart(near) = verdict {
                    return near.distance() > 0.0;
                }
                // Touching up to rounding: both are right.
                assert!(gap(pair, n) <= 4.0 * pair.slack(), "{name}");
            }
            (Ok(way), Claim::Apart(near)) => {
                let both = way.depth <= 4.0 * pair.slack() && near.distance() <= 4.0 * pair.slack();
                assert!(both, "{name}: {way:?} but {near:?}");
            }
            (Ok(way), _) => {
                let Some(truth) = brute::depth(pair, &mut Stats::default()) else { panic!("{name}") };
                check_way(pair, &way, 1e-10);
                let error = (way.depth - truth.depth).abs();
                assert!(error <= 2e-13 * scale(pair), "{name}: {way:?} {truth:?}");
                assert!(way.lower <= truth.depth + pair.slack(), "{name}: {way:?} {truth:?}");
                assert!(way.lower >= truth.depth - 1e-13 * scale(pair), "{name}: {way:?} {truth:?}");
            }
        }
        false
    }

    #[test]
    fn agrees_with_all_axes() {
        let (mut apart, mut all) = (0, 0);
        families(5, 60, |name, pair| {
            apart += usize::from(agree(name, pair));
            all += 1;
        });
        assert!(apart * 5 > all && apart * 5 < all * 4, "{apart} of {all}");
    }

    #[test]
    fn faces_almost_on_each_other() {
        flush(17, 400, |name, pair| {
            agree(name, pair);
        });
    }

    #[test]
    fn flush_contacts_have_the_normal_of_a_face() {
        let u = cuboid(DVec3::ONE);
        for turn in [0.0, 0.3, 0.785] {
            let b_in_a = placed(DMat3::from_rotation_z(turn), DVec3::new(0.1, 0.2, 1.9));
            let way = depth(&Polyhedra { a: &u, b: &u, b_in_a }, &mut Stats::default()).unwrap();
            assert!((way.depth - 0.1).abs() < 1e-15 && way.normal == DVec3::Z, "{way:?}");
            assert!(matches!(way.features, [HullFeature::Face(_), HullFeature::Face(_)]), "{way:?}");
        }
        let way = depth(&Polyhedra { a: &u, b: &u, b_in_a: at(DVec3::ZERO) }, &mut Stats::default()).unwrap();
        assert_eq!(way.depth, 2.0);
    }

    #[test]
    fn prisms_and_cones_agree_with_all_axes() {
        let (p, c) = (prism(24), cone(17));
        let turn = DMat3::from_rotation_x(0.4) * DMat3::from_rotation_y(1.1);
        for k in 0..40 {
            let b_in_a = placed(turn, DVec3::new(0.05, 0.03, 0.02) * f64::from(k));
            agree("prism and cone", &Polyhedra { a: &p, b: &c, b_in_a });
            agree("prisms", &Polyhedra { a: &p, b: &p, b_in_a: at(b_in_a.translation) });
        }
    }

    #[test]
    fn known_answers() {
        for case in known() {
            let pair = case.pair();
            let way = depth(&pair, &mut Stats::default()).ok();
            let truth = if let KnownAnswer::Depth(depth) = case.answer { Some(depth) } else { None };
            assert_eq!(way.is_some(), truth.is_some(), "{}: {way:?}", case.id);
            if let (Some(way), Some(depth)) = (way, truth) {
                assert!((way.depth - depth).abs() <= case.tolerance, "{}: {way:?}, not {depth}", case.id);
                check_way(&pair, &way, 1e-12);
            }
        }
    }
}
