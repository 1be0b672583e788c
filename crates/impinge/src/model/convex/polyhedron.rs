//! Convex polyhedra with their full boundary: vertices, edges, faces, and what each bounds.
//!
//! Lin §5.1 and Mirtich §3: every feature knows its boundary and its co-boundary, and two neighbouring features share
//! one Voronoi plane. An edge is two *half-edges*: `2e` runs from tail to head with the left face beside it, `2e + 1`
//! runs back with the right face. The planes are kept with the edges, each once:
//!
//! ```text
//!     VP(V, E)   (p − V)·u = 0       through an end V, u along the edge: one for each end
//!     VP(E, F)   (p − V)·t = 0       through the edge, t in the plane of F, pointing into F: one for each side
//! ```
//!
//! Flat bodies are the same thing: a polygon has two faces, back to back; a segment has one edge and no face; a point
//! has neither. Every algorithm that walks the boundary answers for them too.

use std::collections::HashSet;

use glam::{DMat3, DVec3};

use super::face_planes::FacePlanes;
use super::support_table::SupportTable;
use crate::error::BuildError;
use crate::model::hull::boundary::Hull;
use crate::model::hull::newell;
use crate::model::hull::of_points;

/// Largest coordinate of a convex body, and reciprocal of the smallest extent: the product of four lengths, of which
/// the trackers' determinants are made, neither overflows nor vanishes.
pub(crate) const CONVEX_LIMIT: f64 = 1e50;

/// No face, beside an edge of a segment.
pub(crate) const NONE: u32 = u32::MAX;

/// Half of an edge, seen from one of its faces: `2·edge + side`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct HalfEdge(pub(crate) u32);

impl HalfEdge {
    #[inline(always)]
    pub(crate) fn edge(self) -> u32 {
        self.0 >> 1
    }

    #[inline(always)]
    pub(crate) fn side(self) -> usize {
        (self.0 & 1) as usize
    }

    /// The same edge the other way.
    #[inline(always)]
    pub(crate) fn twin(self) -> HalfEdge {
        HalfEdge(self.0 ^ 1)
    }
}

/// An edge of a [`Convex`], between two of its vertices and two of its faces.
///
/// ```
/// use impinge::{glam::DVec3, Convex};
/// let body = Convex::hull(&[DVec3::ZERO, DVec3::X * 2.0, DVec3::Y, DVec3::Z])?;
/// let edge = body.edges().iter().find(|edge| edge.direction() == DVec3::X).expect("one runs along x");
/// assert_eq!((edge.ends().map(|v| body.vertices()[v as usize]), edge.length()), ([DVec3::ZERO, DVec3::X * 2.0], 2.0));
/// let [left, right] = edge.faces().expect("no segment").map(|f| body.faces()[f as usize].normal());
/// assert_eq!((left, right), (-DVec3::Y, -DVec3::Z));
/// # Ok::<(), impinge::BuildError>(())
/// ```
// With the Voronoi planes through it.
#[derive(Debug, Clone, Copy)]
pub struct Edge {
    /// Tail and head.
    pub(crate) ends: [u32; 2],
    /// Left and right face; [`NONE`] for a segment.
    pub(crate) faces: [u32; 2],
    /// Unit vector from tail to head.
    pub(crate) direction: DVec3,
    pub(crate) length: f64,
    /// Unit vectors in the planes of the two faces, perpendicular to the edge, pointing into the face.
    pub(crate) inward: [DVec3; 2],
}

/// A face of a [`Convex`], by its plane: `normal·x = offset`, the normal of unit length and outward.
///
/// Its corners are told by [`Convex::face_corners`].
///
/// ```
/// use impinge::{glam::DVec3, Convex};
/// let body = Convex::hull(&[DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z])?;
/// assert!(body.faces().iter().any(|face| face.normal() == -DVec3::Z && face.offset() == 0.0));
/// # Ok::<(), impinge::BuildError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Face {
    pub(crate) normal: DVec3,
    pub(crate) offset: f64,
    first: u32,
    count: u32,
}

/// A convex polyhedron: the hull of some points.
///
/// ```
/// use impinge::{glam::DVec3, Convex};
/// let corner = |i: i32| DVec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64);
/// let corners: Vec<DVec3> = (0..8).map(corner).collect();
/// let cube = Convex::hull(&corners)?;
/// assert_eq!((cube.vertex_count(), cube.edge_count(), cube.face_count()), (8, 12, 6));
/// # Ok::<(), impinge::BuildError>(())
/// ```
#[derive(Clone)]
pub struct Convex {
    vertices: Vec<DVec3>,
    /// Index, as given, of each vertex.
    ids: Vec<u32>,
    edges: Vec<Edge>,
    faces: Vec<Face>,
    /// Half-edges around each face, counterclockwise from outside.
    face_edges: Vec<HalfEdge>,
    /// Where the half-edges that leave each vertex begin in `vertex_edges`; one more than there are vertices.
    first_edge: Vec<u32>,
    /// Half-edges that leave each vertex, counterclockwise from outside.
    vertex_edges: Vec<HalfEdge>,
    /// A point inside: the mean of the vertices.
    centre: DVec3,
    /// Covariance of the vertices.
    scatter: DMat3,
    /// Largest distance of a vertex from the centre.
    radius: f64,
    /// Largest absolute coordinate.
    reach: f64,
    /// What the support mapping reads.
    support_table: SupportTable,
    face_planes: FacePlanes,
    dropped: Dropped,
}

/// Points given to [`Convex::hull`] that are no vertices of it.
///
/// ```
/// use impinge::{glam::DVec3, Convex};
/// let dropped = Convex::hull(&[DVec3::ZERO, DVec3::X * 2.0, DVec3::X, DVec3::ZERO])?.dropped();
/// assert_eq!((dropped.copies, dropped.inside), (1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Dropped {
    /// Equal to a vertex.
    pub copies: usize,
    /// In the hull otherwise: inside, on a face or on an edge, or outside by no more than rounding.
    pub inside: usize,
}

impl Convex {
    /// The convex hull of the points. Flat, collinear and single points give a polygon, a segment and a point.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Convex};
    /// let tetrahedron = Convex::hull(&[DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z])?;
    /// assert_eq!(tetrahedron.face_count(), 4);
    /// assert_eq!(Convex::hull(&[DVec3::ZERO, DVec3::X])?.edge_count(), 1, "a segment");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn hull(points: &[DVec3]) -> Result<Convex, BuildError> {
        validate(points)?;
        Ok(Convex::from_hull(points, &of_points::hull(points)))
    }

    /// The same body as the hull of other points: `ids` are the indices among those of the points of this one.
    #[cfg(feature = "serde")]
    pub(crate) fn named(mut self, ids: &[u32], dropped: Dropped) -> Convex {
        self.ids.iter_mut().for_each(|id| *id = ids.get(*id as usize).copied().unwrap_or(*id));
        let Dropped { copies, inside } = dropped;
        let now = self.dropped;
        let sum = |x: usize, y: usize| x.saturating_add(y);
        self.dropped = Dropped { copies: sum(now.copies, copies), inside: sum(now.inside, inside) };
        self
    }

    /// From facets given as loops, counterclockwise from outside.
    fn from_hull(points: &[DVec3], hull: &Hull) -> Convex {
        let mut place = vec![NONE; points.len()];
        for (new, &old) in hull.corners.iter().enumerate() {
            place[old as usize] = new as u32;
        }
        let vertices: Vec<DVec3> = hull.corners.iter().map(|&v| points[v as usize]).collect();
        let centre = vertices.iter().fold(DVec3::ZERO, |sum, v| sum + *v / vertices.len() as f64);
        let mut convex = Convex {
            ids: hull.corners.clone(),
            edges: Vec::new(),
            faces: Vec::with_capacity(hull.facet_count()),
            face_edges: Vec::with_capacity(hull.loops.len()),
            first_edge: vec![0; vertices.len() + 1],
            vertex_edges: Vec::new(),
            scatter: vertices.iter().fold(DMat3::ZERO, |sum, v| {
                let off = *v - centre;
                sum + DMat3::from_cols(off * off.x, off * off.y, off * off.z) * (vertices.len() as f64).recip()
            }),
            radius: vertices.iter().fold(0.0, |r: f64, v| r.max(v.distance(centre))),
            reach: vertices.iter().fold(0.0, |r: f64, v| r.max(v.abs().max_element())),
            support_table: SupportTable::default(),
            face_planes: FacePlanes::default(),
            dropped: Dropped::of(points, &vertices),
            centre,
            vertices,
        };
        convex.add_faces(hull, &place);
        convex.finish_edges();
        convex.add_vertex_edges();
        let neighbours = convex.vertex_edges.iter().map(|&h| convex.head(h)).collect();
        let first = convex.first_edge.clone();
        convex.support_table = SupportTable::new(&convex.vertices, convex.centre, convex.radius, first, neighbours);
        let below = |f: usize| -convex.height(f as u32, convex.centre);
        let planes = convex.faces.iter().enumerate().map(|(f, face)| (face.normal, below(f)));
        convex.face_planes = FacePlanes::new(planes);
        convex
    }

    fn add_faces(&mut self, hull: &Hull, place: &[u32]) {
        if let [p, q] = hull.corners[..] {
            self.edges.push(Edge::between([place[p as usize], place[q as usize]]));
        }
        let twins = twins(hull, place);
        let mut corners: Vec<DVec3> = Vec::new();
        for facet in hull.facets() {
            let face = self.faces.len() as u32;
            let first = self.face_edges.len();
            corners.clear();
            corners.extend(facet.iter().map(|&v| self.vertices[place[v as usize] as usize]));
            for (k, &tail) in facet.iter().enumerate() {
                // The side met first of the two is the left one.
                let twin = twins[first + k];
                let half = if twin < (first + k) as u32 {
                    self.face_edges[twin as usize].twin()
                } else {
                    let ends = [tail, facet[(k + 1) % facet.len()]].map(|v| place[v as usize]);
                    self.edges.push(Edge::between(ends));
                    HalfEdge(2 * self.edges.len() as u32 - 2)
                };
                self.edges[half.edge() as usize].faces[half.side()] = face;
                self.face_edges.push(half);
            }
            let normal = newell::normal(&corners);
            let offset = corners.iter().map(|p| normal.dot(*p) / corners.len() as f64).sum();
            self.faces.push(Face { normal, offset, first: first as u32, count: facet.len() as u32 });
        }
    }

    fn finish_edges(&mut self) {
        if self.faces.len() == 2 {
            // Back to back, exactly.
            self.faces[1].normal = -self.faces[0].normal;
            self.faces[1].offset = -self.faces[0].offset;
        }
        for edge in &mut self.edges {
            let [tail, head] = edge.ends.map(|v| self.vertices[v as usize]);
            edge.direction = newell::unit(head - tail);
            edge.length = (head - tail).dot(edge.direction);
            if edge.faces[0] != NONE {
                let [left, right] = edge.faces.map(|f| self.faces[f as usize].normal);
                edge.inward = [left.cross(edge.direction), edge.direction.cross(right)].map(newell::unit);
            }
        }
    }

    /// Turns around each vertex: the half-edge after `h` counterclockwise is the twin of the one before `h` in its
    /// face.
    fn add_vertex_edges(&mut self) {
        if self.faces.is_empty() {
            if !self.edges.is_empty() {
                self.vertex_edges = vec![HalfEdge(0), HalfEdge(1)];
                self.first_edge = vec![0, 1, 2];
            }
            return;
        }
        let mut turn = vec![HalfEdge(NONE); 2 * self.edges.len()];
        let mut leaving = vec![HalfEdge(NONE); self.vertices.len()];
        for face in &self.faces {
            let around = &self.face_edges[face.first as usize..(face.first + face.count) as usize];
            for (k, &h) in around.iter().enumerate() {
                let before = around[(k + around.len() - 1) % around.len()];
                turn[h.0 as usize] = before.twin();
                leaving[self.edges[h.edge() as usize].ends[h.side()] as usize] = h;
            }
        }
        for (v, &start) in leaving.iter().enumerate() {
            let mut h = start;
            loop {
                self.vertex_edges.push(h);
                h = turn[h.0 as usize];
                if h == start || self.vertex_edges.len() > turn.len() {
                    break;
                }
            }
            self.first_edge[v + 1] = self.vertex_edges.len() as u32;
        }
    }

    /// Number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.vertices.len()
    }

    /// Number of edges.
    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// Number of faces; two, back to back, for a flat body.
    pub fn face_count(&self) -> usize {
        self.faces.len()
    }

    /// The vertices.
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// How many of the points given are no vertices, and why.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Convex};
    /// let hull = Convex::hull(&[DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z, DVec3::X * 0.5, DVec3::Z, DVec3::Z])?;
    /// assert_eq!((hull.vertex_count(), hull.dropped().copies, hull.dropped().inside), (4, 2, 1));
    /// # Ok::<(), impinge::BuildError>(())
    /// ```
    pub fn dropped(&self) -> Dropped {
        self.dropped
    }

    /// For each vertex its index among the points given.
    #[inline(always)]
    pub(crate) fn ids(&self) -> &[u32] {
        &self.ids
    }

    /// Index of vertex `v` among the points given.
    pub fn vertex_id(&self, v: u32) -> Option<u32> {
        self.ids.get(v as usize).copied()
    }

    /// The corners of face `f`, counterclockwise from outside, as places in [`Convex::vertices`].
    pub fn face_corners(&self, f: u32) -> Option<impl ExactSizeIterator<Item = u32> + '_> {
        ((f as usize) < self.faces.len()).then(|| self.face_edges(f).iter().map(|&h| self.tail(h)))
    }

    #[inline(always)]
    pub(crate) fn vertex(&self, v: u32) -> DVec3 {
        self.vertices[v as usize]
    }

    #[inline(always)]
    pub(crate) fn edge(&self, e: u32) -> &Edge {
        &self.edges[e as usize]
    }

    #[inline(always)]
    pub(crate) fn face(&self, f: u32) -> &Face {
        &self.faces[f as usize]
    }

    /// The faces: two, back to back, of a flat body, and none of a segment or a point.
    #[inline(always)]
    pub fn faces(&self) -> &[Face] {
        &self.faces
    }

    /// The edges.
    #[inline(always)]
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// The vertex that the half-edge leaves.
    #[inline(always)]
    pub(crate) fn tail(&self, h: HalfEdge) -> u32 {
        self.edge(h.edge()).ends[h.side()]
    }

    /// The vertex that the half-edge leads to.
    #[inline(always)]
    pub(crate) fn head(&self, h: HalfEdge) -> u32 {
        self.edge(h.edge()).ends[1 - h.side()]
    }

    /// Unit vector along the half-edge.
    #[inline(always)]
    pub(crate) fn leading(&self, h: HalfEdge) -> DVec3 {
        self.edge(h.edge()).direction * (1.0 - 2.0 * h.side() as f64)
    }

    /// Signed distance of `p` over the plane of face `f`, from a corner of it: nothing is lost far from the origin.
    #[inline(always)]
    pub(crate) fn height(&self, f: u32, p: DVec3) -> f64 {
        self.face(f).normal.dot(p - self.vertex(self.tail(self.face_edges(f)[0])))
    }

    /// Half-edges that leave the vertex, counterclockwise from outside.
    #[inline(always)]
    pub(crate) fn vertex_edges(&self, v: u32) -> &[HalfEdge] {
        &self.vertex_edges[self.first_edge[v as usize] as usize..self.first_edge[v as usize + 1] as usize]
    }

    /// Half-edges around the face, counterclockwise from outside.
    #[inline(always)]
    pub(crate) fn face_edges(&self, f: u32) -> &[HalfEdge] {
        let face = self.face(f);
        &self.face_edges[face.first as usize..(face.first + face.count) as usize]
    }

    #[inline(always)]
    pub(crate) fn face_planes(&self) -> &FacePlanes {
        &self.face_planes
    }

    #[inline(always)]
    pub(crate) fn support_table(&self) -> &SupportTable {
        &self.support_table
    }

    /// A point inside.
    #[inline(always)]
    pub(crate) fn centre(&self) -> DVec3 {
        self.centre
    }

    /// Covariance of the vertices.
    pub(crate) fn scatter(&self) -> DMat3 {
        self.scatter
    }

    /// Largest distance of a point from the centre.
    #[inline(always)]
    pub(crate) fn radius(&self) -> f64 {
        self.radius
    }

    /// Largest absolute coordinate.
    #[inline(always)]
    pub(crate) fn reach(&self) -> f64 {
        self.reach
    }
}

impl Dropped {
    fn of(points: &[DVec3], vertices: &[DVec3]) -> Dropped {
        let all = points.len() - vertices.len();
        if all == 0 {
            return Dropped::default();
        }
        // Adding zero makes −0 the same as 0.
        let bits = |p: &DVec3| p.to_array().map(|x| (x + 0.0).to_bits());
        let kept: HashSet<[u64; 3]> = vertices.iter().map(bits).collect();
        let copies = points.iter().filter(|p| kept.contains(&bits(p))).count() - vertices.len();
        Dropped { copies, inside: all - copies }
    }
}

impl Edge {
    fn between(ends: [u32; 2]) -> Edge {
        Edge { ends, faces: [NONE; 2], direction: DVec3::ZERO, length: 0.0, inward: [DVec3::ZERO; 2] }
    }
}

/// For each side of the loops the place in them of the same side the other way.
fn twins(hull: &Hull, place: &[u32]) -> Vec<u32> {
    let mut sides: Vec<(u64, u32)> = Vec::with_capacity(hull.loops.len());
    for facet in hull.facets() {
        for (k, &tail) in facet.iter().enumerate() {
            let [tail, head] = [tail, facet[(k + 1) % facet.len()]].map(|v| u64::from(place[v as usize]));
            sides.push((tail.min(head) << 32 | tail.max(head), sides.len() as u32));
        }
    }
    sides.sort_unstable();
    let mut twins = vec![NONE; sides.len()];
    for pair in sides.chunks_exact(2) {
        twins[pair[0].1 as usize] = pair[1].1;
        twins[pair[1].1 as usize] = pair[0].1;
    }
    twins
}

fn validate(points: &[DVec3]) -> Result<(), BuildError> {
    if points.is_empty() {
        return Err(BuildError::NoPoints);
    }
    let limit = u32::MAX as usize / 8;
    if points.len() > limit {
        return Err(BuildError::TooMany { what: "points", count: points.len(), limit });
    }
    for (vertex, p) in points.iter().enumerate() {
        let position = p.to_array();
        if !p.is_finite() {
            return Err(BuildError::NotFinite { vertex, position });
        }
        if p.abs().max_element() > CONVEX_LIMIT {
            return Err(BuildError::TooLarge { vertex, position, limit: CONVEX_LIMIT });
        }
    }
    let extent = points.iter().fold(0.0, |m: f64, p| m.max((*p - points[0]).abs().max_element()));
    if extent > 0.0 && extent < CONVEX_LIMIT.recip() {
        return Err(BuildError::TooSmall { extent, limit: CONVEX_LIMIT.recip() });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Splitmix64, in `[−1, 1)`.
    fn number(state: &mut u64) -> f64 {
        *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let x = (*state ^ (*state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((x ^ (x >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn is_unit(v: DVec3) -> bool {
        (v.length() - 1.0).abs() < 1e-14
    }

    #[test]
    fn directions_are_unit_and_turn_the_right_way() {
        let mut state = 1;
        for round in 0..3000 {
            let mut number = || number(&mut state);
            let noise = [0.0, 1e-17, 1e-16, 1e-15, 1e-14, 1e-9][round % 6];
            let squeeze =
                DVec3::new(1.0, 10f64.powi(-(round as i32 / 6 % 5) * 3), 10f64.powi(-(round as i32 / 30 % 5) * 3));
            let turn = glam::DQuat::from_xyzw(number(), number(), number(), number()).normalize();
            let corner = |x: f64| (2.0 * x).round();
            let points: Vec<DVec3> = (0..3 + round % 40)
                .map(|_| {
                    let p = DVec3::new(corner(number()), corner(number()), corner(number()));
                    turn * (p * squeeze) + noise * DVec3::new(number(), number(), number())
                })
                .collect();
            let body = Convex::hull(&points).unwrap();
            assert!(body.faces.iter().all(|f| is_unit(f.normal)), "{points:?}");
            for e in &body.edges {
                assert!(is_unit(e.direction) && e.length > 0.0, "{points:?}");
                if e.faces[0] == NONE {
                    continue;
                }
                for (side, f) in e.faces.iter().enumerate() {
                    let normal = body.faces[*f as usize].normal;
                    assert!(is_unit(e.inward[side]), "{points:?}");
                    let slope = normal.dot(e.direction).abs();
                    assert!(slope < 0.1, "slope {slope} of an edge of length {}: {points:?}", e.length);
                    assert!(e.inward[side].dot(e.direction).abs() < 1e-12, "{points:?}");
                    assert!(e.inward[side].cross(e.direction).dot(normal) * (2.0 * side as f64 - 1.0) > 0.98);
                }
            }
            for v in 0..body.vertex_count() as u32 {
                assert!(body.vertex_edges(v).iter().all(|&h| body.tail(h) == v));
            }
            let around: usize = (0..body.vertex_count() as u32).map(|v| body.vertex_edges(v).len()).sum();
            assert_eq!(around, 2 * body.edge_count());
        }
    }
}
