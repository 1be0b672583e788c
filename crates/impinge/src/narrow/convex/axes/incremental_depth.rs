//! Penetration depth that is followed from call to call: downhill from the last way out, facet by facet.
//!
//! The depth is the distance of the origin from the nearest facet of the Minkowski difference (see
//! [`super::gauss_map`]). From a facet, the neighbours are those across its sides: on the sphere of directions, where a
//! facet is a node, those at the next nodes along the arcs that leave it ([`super::gauss_arc`]). The walk goes to the
//! neighbour nearest to the origin while there is a nearer one (Y. Kim, M. Lin and D. Manocha, *DEEP: dual-space
//! expansion for estimating penetration depth between convex polytopes*, ICRA 2002).
//!
//! **What it is worth.** The walk ends in a *local* minimum. The way returned always separates the bodies; that no
//! shorter one does is certain only for bodies that just touch, or have no volume (these go to the Gauss map).
//! Otherwise it is not certified, and the lower bound is 0. Bodies that move a little between calls mostly keep their
//! nearest facet, or it goes over to a neighbour. Cost: the edges around the facets passed; no heap.

use glam::DVec3;

use super::gauss_arc::Arc;
use super::gauss_map;
use crate::answer::Stats;
use crate::math::EPS;
use crate::model::convex::polyhedron::HalfEdge;
use crate::narrow::convex::polyhedra::facing;
use crate::narrow::convex::polyhedra::placed_polyhedron::PlacedPolyhedron;
use crate::narrow::convex::polyhedra::{Polyhedra, WayOut};

/// A facet of the difference: a face of one body and a vertex of the other, or an edge of each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Facet {
    OfA { face: u32, vertex: u32 },
    OfB { face: u32, vertex: u32 },
    Edges(u32, u32),
}

/// A facet, its unit normal from `a` to `b`, its distance from the origin, and a vertex of each body on it.
#[derive(Debug, Clone, Copy)]
struct Node {
    facet: Facet,
    normal: DVec3,
    depth: f64,
    vertices: [u32; 2],
}

/// The least way out near the direction `start` (of any length), and whether no shorter one can exist; an error if they
/// are apart along a unit vector, from `a` to `b`.
pub(crate) fn depth(pair: &Polyhedra<'_>, start: DVec3, stats: &mut Stats) -> Result<(WayOut, bool), DVec3> {
    if pair.a.face_count() <= 2 || pair.b.face_count() <= 2 {
        return gauss_map::depth(pair, stats).map(|way| (way, true));
    }
    let walk = Walk { bodies: pair.placed() };
    let slack = pair.slack();
    let mut at = walk.start(start);
    let cap = 64 + pair.a.edge_count() + pair.b.edge_count();
    for _ in 0..cap {
        stats.iterations += 1;
        if at.depth < -slack {
            return Err(at.normal);
        }
        let mut best = at;
        walk.neighbours(&at, |node| {
            stats.primitive_tests += 1;
            if node.depth < best.depth {
                best = node;
            }
        });
        if best.facet == at.facet {
            break;
        }
        at = best;
    }
    if at.depth < -slack {
        return Err(at.normal);
    }
    let [a, b] = &walk.bodies;
    let (points, features) = facing::touch([a, b], at.vertices, at.normal, slack);
    let depth = at.depth.max(0.0);
    Ok((WayOut { normal: at.normal, lower: 0.0, depth, points, features }, depth <= slack))
}

struct Walk<'m> {
    bodies: [PlacedPolyhedron<'m>; 2],
}

impl Walk<'_> {
    /// The least of the facets around a direction: with the vertices farthest along it, faces and crossing edges of
    /// theirs.
    fn start(&self, d: DVec3) -> Node {
        let [a, b] = &self.bodies;
        let d = d.try_normalize().unwrap_or(DVec3::X);
        let (v, w) = (a.convex.support(d, 0), b.convex.support(b.turn_back(-d), 0));
        let (mine, theirs) = (a.convex.vertex_edges(v), b.convex.vertex_edges(w));
        let mut best = self.face_of_a(face_left_of(a, mine[0]), w);
        let mut offer = |node: Node| {
            if node.depth < best.depth {
                best = node;
            }
        };
        mine[1..].iter().for_each(|&h| offer(self.face_of_a(face_left_of(a, h), w)));
        theirs.iter().for_each(|&k| offer(self.face_of_b(face_left_of(b, k), v)));
        for (&h, &k) in mine.iter().flat_map(|h| theirs.iter().map(move |k| (h, k))) {
            if let Some(towards) = self.crossing(h.edge(), k.edge()) {
                self.edges(h.edge(), k.edge(), towards).into_iter().for_each(&mut offer);
            }
        }
        best
    }

    /// A direction between the normals of `a`'s edge, if its arc crosses that of `b`'s edge.
    ///
    /// With `l`, `r` the normals left and right of an edge along `u`, `r × l` is a negative multiple of `u`. So for an
    /// edge of `a` and one of `b` with `l'`, `r'`, `u'`, the arcs `l r` and `−l' −r'` cross when `l·u'` and `r·u'` have
    /// different signs, `l'·u` and `r'·u` too, and `l'·u` and `r·u'` too.
    fn crossing(&self, e: u32, g: u32) -> Option<DVec3> {
        let [a, b] = &self.bodies;
        let (mine, theirs) = (a.convex.edge(e), b.convex.edge(g));
        let (u, w) = (mine.direction, b.turn(theirs.direction));
        let [l, r] = mine.faces.map(|f| a.normal(f).dot(w));
        let [m, s] = theirs.faces.map(|f| b.normal(f).dot(u));
        let crosses = l * r < 0.0 && m * s < 0.0 && m * r < 0.0;
        crosses.then(|| -(mine.inward[0] + mine.inward[1]))
    }

    /// A face of `a` with the vertex of `b` farthest against it, sought from `hint`.
    fn face_of_a(&self, face: u32, hint: u32) -> Node {
        let [a, b] = &self.bodies;
        let normal = a.normal(face);
        let vertex = b.convex.support(b.turn_back(-normal), hint);
        let corner = a.convex.tail(a.convex.face_edges(face)[0]);
        let depth = normal.dot(a.vertex(corner) - b.vertex(vertex));
        Node { facet: Facet::OfA { face, vertex }, normal, depth, vertices: [corner, vertex] }
    }

    fn face_of_b(&self, face: u32, hint: u32) -> Node {
        let [a, b] = &self.bodies;
        let normal = -b.normal(face);
        let vertex = a.convex.support(normal, hint);
        let corner = b.convex.tail(b.convex.face_edges(face)[0]);
        let depth = normal.dot(a.vertex(vertex) - b.vertex(corner));
        Node { facet: Facet::OfB { face, vertex }, normal, depth, vertices: [vertex, corner] }
    }

    /// An edge of each, `towards` being near their common normal; `None` where they are parallel.
    fn edges(&self, e: u32, g: u32, towards: DVec3) -> Option<Node> {
        let [a, b] = &self.bodies;
        let (mine, theirs) = (a.convex.edge(e), b.convex.edge(g));
        let across = mine.direction.cross(b.turn(theirs.direction));
        let sine = across.length();
        if sine <= 8.0 * EPS {
            return None;
        }
        let normal = across * (across.dot(towards).signum() / sine);
        let vertices = [mine.ends[0], theirs.ends[0]];
        let depth = normal.dot(a.vertex(vertices[0]) - b.vertex(vertices[1]));
        Some(Node { facet: Facet::Edges(e, g), normal, depth, vertices })
    }

    /// All facets next to one.
    fn neighbours(&self, at: &Node, mut offer: impl FnMut(Node)) {
        let [a, b] = &self.bodies;
        match at.facet {
            Facet::OfA { face, vertex } => {
                for &h in a.convex.face_edges(face) {
                    self.along_a(h.twin(), at.normal, vertex, &mut offer);
                }
            }
            Facet::OfB { face, vertex } => {
                for &h in b.convex.face_edges(face) {
                    self.along_b(h.twin(), at.normal, vertex, &mut offer);
                }
            }
            Facet::Edges(e, g) => {
                for side in 0..2 {
                    let (h, k) = (HalfEdge(2 * e + side), HalfEdge(2 * g + side));
                    // Beyond the crossing, the end of the other's edge that is farther out there.
                    let to = b.turn_back(a.normal(face_left_of(a, h)));
                    let edge = b.convex.edge(g);
                    self.along_a(h, at.normal, edge.ends[usize::from(edge.direction.dot(to) < 0.0)], &mut offer);
                    let to = b.normal(face_left_of(b, k));
                    let edge = a.convex.edge(e);
                    self.along_b(k, at.normal, edge.ends[usize::from(edge.direction.dot(to) < 0.0)], &mut offer);
                }
            }
        }
    }

    /// The facet next to the direction `from` on the arc of `a`'s edge towards the face left of `h`.
    fn along_a(&self, h: HalfEdge, from: DVec3, vertex: u32, offer: &mut impl FnMut(Node)) {
        let [a, b] = &self.bodies;
        let face = face_left_of(a, h);
        let mut arc = Arc { from: b.turn_back(from), to: b.turn_back(a.normal(face)), vertex };
        match arc.cross(b.convex) {
            None => offer(self.face_of_a(face, arc.vertex)),
            Some(k) => self.edges(h.edge(), k.edge(), b.turn(arc.from)).into_iter().for_each(offer),
        }
    }

    /// The same on the arc of `b`'s edge, through the regions of `a`.
    fn along_b(&self, k: HalfEdge, from: DVec3, vertex: u32, offer: &mut impl FnMut(Node)) {
        let [a, b] = &self.bodies;
        let face = face_left_of(b, k);
        let mut arc = Arc { from: -from, to: b.normal(face), vertex };
        match arc.cross(a.convex) {
            None => offer(self.face_of_b(face, arc.vertex)),
            Some(h) => self.edges(h.edge(), k.edge(), -arc.from).into_iter().for_each(offer),
        }
    }
}

fn face_left_of(body: &PlacedPolyhedron<'_>, h: HalfEdge) -> u32 {
    body.convex.edge(h.edge()).faces[h.side()]
}

#[cfg(test)]
mod tests {
    use glam::DMat3;

    use super::*;
    use crate::narrow::convex::polyhedra::Claim;
    use crate::narrow::convex::polyhedra::brute;
    use crate::narrow::convex::polyhedra::cases::{Random, at, check_way, cuboid, families, gap, placed, scale};
    use crate::narrow::convex::polyhedra::known_cases::{KnownAnswer, known};

    /// Started near the right direction, the search finds the depth; started anywhere, it finds a translation that
    /// separates.
    #[test]
    fn follows_the_depth_and_always_separates() {
        let mut r = Random(2);
        let (mut overlapping, mut right) = (0, 0);
        families(31, 150, |name, pair| {
            let truth = gauss_map::depth(pair, &mut Stats::default());
            let anywhere = r.direction();
            let mut stats = Stats::default();
            let found = depth(pair, anywhere, &mut stats);
            assert!(pair.a.face_count().min(pair.b.face_count()) <= 2 || stats.iterations < 64, "{name}: {stats:?}");
            match found {
                Err(n) => assert!(gap(pair, n) > 0.0, "{name}"),
                Ok((way, certified)) => {
                    assert!(gap(pair, way.normal) >= -way.depth - 1e-13 * scale(pair), "{name}: {way:?}");
                    let apart = matches!(brute::closest(pair, &mut Stats::default()), Claim::Apart(_));
                    assert!(!(certified && apart) || way.depth <= 8.0 * pair.slack(), "{name}: {way:?}");
                    if let Ok(truth) = truth {
                        assert!(way.depth >= truth.lower - pair.slack(), "{name}: {way:?} {truth:?}");
                        overlapping += 1;
                        right += usize::from(way.depth <= truth.depth + 1e-12 * scale(pair));
                    }
                }
            }
            if let Ok(truth) = truth {
                let nearby = truth.normal + r.direction() * if name.contains("needle") { 1e-8 } else { 1e-4 };
                let Ok((way, _)) = depth(pair, nearby, &mut Stats::default()) else { panic!("{name}") };
                assert!(way.depth <= truth.depth + 1e-12 * scale(pair), "{name}: {way:?} {truth:?}");
                check_way(pair, &way, 1e-10);
            }
        });
        assert!(overlapping > 500 && right * 2 > overlapping, "{right} of {overlapping}");
    }

    #[test]
    fn a_turning_body_is_followed_in_few_steps() {
        let mut r = Random(12);
        let (a, b) = (r.solid(), cuboid(DVec3::new(0.5, 0.7, 0.9)));
        let mut way = DVec3::X;
        let (mut steps, mut exact) = (0, 0);
        for k in 0..720 {
            let turn = DMat3::from_axis_angle(DVec3::new(1.0, 2.0, 3.0).normalize(), f64::from(k).to_radians() * 0.5);
            let pair = Polyhedra { a: &a, b: &b, b_in_a: placed(turn, DVec3::new(0.3, 0.2, 0.1)) };
            let mut stats = Stats::default();
            let (found, _) = depth(&pair, way, &mut stats).unwrap();
            way = found.normal;
            steps += if k > 0 { stats.iterations } else { 0 };
            let truth = gauss_map::depth(&pair, &mut Stats::default()).unwrap();
            exact += u32::from(found.depth <= truth.depth + 1e-12);
        }
        assert!(steps < 3 * 720, "{steps} steps");
        assert!(exact > 360, "{exact} of 720 exact");
    }

    #[test]
    fn a_facet_at_the_origin_is_certain() {
        let u = cuboid(DVec3::ONE);
        let pair = Polyhedra { a: &u, b: &u, b_in_a: at(DVec3::X * 2.0) };
        let (way, certified) = depth(&pair, DVec3::new(1.0, 0.1, 0.2), &mut Stats::default()).unwrap();
        assert!(certified && way.depth == 0.0 && way.normal == DVec3::X, "{way:?}");
        let pair = Polyhedra { a: &u, b: &u, b_in_a: at(DVec3::X * 1.5) };
        let (way, certified) = depth(&pair, DVec3::X, &mut Stats::default()).unwrap();
        assert!(!certified && way.depth == 0.5 && way.lower == 0.0, "{way:?}");
        let pair = Polyhedra { a: &u, b: &u, b_in_a: at(DVec3::X * 2.5) };
        assert_eq!(depth(&pair, DVec3::X, &mut Stats::default()).unwrap_err(), DVec3::X);
    }

    #[test]
    fn known_answers() {
        for case in known() {
            let pair = case.pair();
            let way = depth(
                &pair,
                gauss_map::depth(&pair, &mut Stats::default()).map_or(DVec3::X, |w| w.normal),
                &mut Stats::default(),
            )
            .ok()
            .map(|found| found.0);
            let truth = if let KnownAnswer::Depth(depth) = case.answer { Some(depth) } else { None };
            assert_eq!(way.is_some(), truth.is_some(), "{}: {way:?}", case.id);
            if let (Some(way), Some(depth)) = (way, truth) {
                assert!((way.depth - depth).abs() <= case.tolerance, "{}: {way:?}, not {depth}", case.id);
                check_way(&pair, &way, 1e-12);
            }
        }
    }
}
