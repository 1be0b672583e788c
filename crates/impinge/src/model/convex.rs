//! Convex polyhedra with their full boundary: vertices, edges, faces, and what each bounds.
//!
//! Lin §3.1 and Mirtich §3: every feature knows its boundary and its co-boundary, and two neighbouring features share
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

use glam::DVec3;

use super::convex_support::Spread;
use super::hull::{self, Hull};
use crate::error::BuildError;

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

/// An edge and the Voronoi planes through it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Edge {
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

/// The plane of a face: `normal·x = offset`, the normal of unit length and outward.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Face {
    pub(crate) normal: DVec3,
    pub(crate) offset: f64,
    first: u32,
    count: u32,
}

/// A convex polyhedron: the hull of some points.
///
/// ```
/// use impinge::{glam::DVec3, Convex};
/// let corners: Vec<DVec3> = (0..8).map(|i| DVec3::new((i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64)).collect();
/// let cube = Convex::hull(&corners)?;
/// assert_eq!((cube.vertex_count(), cube.edge_count(), cube.face_count()), (8, 12, 6));
/// # Ok::<(), impinge::BuildError>(())
/// ```
#[derive(Debug, Clone)]
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
    /// Largest distance of a vertex from the centre.
    radius: f64,
    /// Largest absolute coordinate.
    reach: f64,
    /// What the support mapping reads.
    spread: Spread,
}

impl Convex {
    /// The convex hull of the points. Flat, collinear and single points give a polygon, a segment and a point.
    pub fn hull(points: &[DVec3]) -> Result<Convex, BuildError> {
        validate(points)?;
        Ok(Convex::from_hull(points, &hull::hull(points)))
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
            radius: vertices.iter().fold(0.0, |r: f64, v| r.max(v.distance(centre))),
            reach: vertices.iter().fold(0.0, |r: f64, v| r.max(v.abs().max_element())),
            spread: Spread::default(),
            centre,
            vertices,
        };
        convex.add_faces(hull, &place);
        convex.finish_edges();
        convex.add_vertex_edges();
        convex.spread = Spread::of(&convex);
        convex
    }

    fn add_faces(&mut self, hull: &Hull, place: &[u32]) {
        if let [p, q] = hull.corners[..] {
            self.edges.push(Edge::between([place[p as usize], place[q as usize]]));
        }
        // Each undirected edge is met twice, once in each direction.
        let mut open = std::collections::BTreeMap::new();
        for facet in hull.facets() {
            let corners: Vec<u32> = facet.iter().map(|&v| place[v as usize]).collect();
            let face = self.faces.len() as u32;
            let first = self.face_edges.len() as u32;
            for (k, &tail) in corners.iter().enumerate() {
                let head = corners[(k + 1) % corners.len()];
                let half = match open.remove(&(head, tail)) {
                    Some(edge) => HalfEdge(2 * edge + 1),
                    None => {
                        let edge = self.edges.len() as u32;
                        self.edges.push(Edge::between([tail, head]));
                        open.insert((tail, head), edge);
                        HalfEdge(2 * edge)
                    }
                };
                self.edges[half.edge() as usize].faces[half.side()] = face;
                self.face_edges.push(half);
            }
            let (normal, offset) = plane(&self.vertices, &corners);
            self.faces.push(Face { normal, offset, first, count: corners.len() as u32 });
        }
    }

    fn finish_edges(&mut self) {
        let flat = self.faces.len() == 2;
        if flat {
            // Back to back, exactly.
            self.faces[1].normal = -self.faces[0].normal;
            self.faces[1].offset = -self.faces[0].offset;
        }
        for edge in &mut self.edges {
            let [tail, head] = edge.ends.map(|v| self.vertices[v as usize]);
            edge.length = (head - tail).length();
            edge.direction = (head - tail) / edge.length;
            if edge.faces[0] != NONE {
                let [left, right] = edge.faces.map(|f| self.faces[f as usize].normal);
                edge.inward = [left.cross(edge.direction).normalize(), edge.direction.cross(right).normalize()];
            }
        }
    }

    /// Turns around each vertex: the half-edge after `h` counterclockwise is the twin of the one before `h` in its face.
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

    #[inline(always)]
    pub(crate) fn faces(&self) -> &[Face] {
        &self.faces
    }

    #[inline(always)]
    pub(crate) fn edges(&self) -> &[Edge] {
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
    pub(super) fn spread(&self) -> &Spread {
        &self.spread
    }

    /// A point inside.
    #[inline(always)]
    pub(crate) fn centre(&self) -> DVec3 {
        self.centre
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

impl Edge {
    fn between(ends: [u32; 2]) -> Edge {
        Edge { ends, faces: [NONE; 2], direction: DVec3::ZERO, length: 0.0, inward: [DVec3::ZERO; 2] }
    }
}

/// Newell's normal, from differences to the first corner, and the mean offset.
fn plane(vertices: &[DVec3], corners: &[u32]) -> (DVec3, f64) {
    let at = |k: usize| vertices[corners[k % corners.len()] as usize];
    let origin = at(0);
    let sum = (0..corners.len()).fold(DVec3::ZERO, |sum, k| sum + (at(k) - origin).cross(at(k + 1) - origin));
    let normal = sum.normalize();
    let offset = (0..corners.len()).map(|k| normal.dot(at(k)) / corners.len() as f64).sum();
    (normal, offset)
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
