//! Voronoi regions of constant size: the slides' preprocessing of Lin-Canny.
//!
//! "Preprocessing steps ensure that objects have boundaries and co-boundaries of constant size (eg. limiting the number
//! of edges going through each vertex and bounding each face to 4 or 5)", so that one test of a feature takes constant
//! time. Here the *regions* are cut, not the geometry: the faces and vertices, and all answers, stay as they are.
//!
//! The region of a face with `k` edges is a prism over a polygon; that of a vertex with `k` edges is a cone over a
//! spherical polygon, whose corners are the normals of the faces around. A polygon with `k` sides falls into a tree of
//! pieces with at most five sides each: the root takes five runs of consecutive sides, the piece behind a run of two or
//! more takes the chord of the run and four shorter runs, and so on. A chord is a plane: perpendicular to the face
//! through two of its corners, or through the vertex and two normals. Both pieces beside it see the same number with
//! opposite sign, so a walk from piece to piece never turns back, and ends after at most twice the depth of the tree,
//! `log₄ k`. Each piece is the part of the region between its planes, so a point within the planes of a piece is in the
//! region, and one that is not leaves through a side of the piece where the walk ends. From the piece remembered of the
//! last call the walk is empty: at most five planes, whatever `k`.

use std::cell::Cell as Slot;

use glam::DVec3;

use crate::model::Convex;
use crate::model::convex::polyhedron::{HalfEdge, NONE};
use crate::narrow::convex::polyhedra::HullFeature;

/// Features with more planes than this are cut.
const MOST: usize = 5;

/// A plane of a piece, through the piece's anchor or a corner of the face.
#[derive(Debug, Clone, Copy)]
struct Chord {
    /// Points into the piece.
    normal: DVec3,
    through: DVec3,
    /// The piece beyond.
    to: u32,
}

#[derive(Debug, Clone)]
struct Piece {
    owner: HullFeature,
    chords: [Option<Chord>; MOST],
    sides: [HalfEdge; MOST],
    count: u8,
}

/// The pieces of all features of a body that have more than five planes.
#[derive(Debug, Clone, Default)]
pub(crate) struct ConstantSizeCells {
    pieces: Vec<Piece>,
    /// First piece of each face and each vertex, or [`NONE`].
    faces: Vec<u32>,
    vertices: Vec<u32>,
}

/// A big feature: its sides in order, and the corner where each begins.
struct Outline<'s> {
    owner: HullFeature,
    sides: &'s [HalfEdge],
    corners: Vec<DVec3>,
    /// Chord from one corner to another: a point of its plane, and the normal to its left.
    plane: &'s dyn Fn(DVec3, DVec3) -> (DVec3, DVec3),
}

impl ConstantSizeCells {
    pub(crate) fn new(body: &Convex) -> ConstantSizeCells {
        let mut cells = ConstantSizeCells::default();
        for f in 0..body.face_count() as u32 {
            let normal = body.face(f).normal;
            let sides = body.face_edges(f);
            let corners = sides.iter().map(|&h| body.vertex(body.tail(h))).collect();
            let plane = |from: DVec3, to: DVec3| (from, normal.cross(to - from).normalize_or_zero());
            let root = cells.cut(&Outline { owner: HullFeature::Face(f), sides, corners, plane: &plane });
            cells.faces.push(root);
        }
        for v in 0..body.vertex_count() as u32 {
            let at = body.vertex(v);
            let sides = body.vertex_edges(v);
            // The face right of a half-edge lies between it and the one before.
            let before = |h: HalfEdge| body.edge(h.edge()).faces[1 - h.side()];
            let normal = |f: u32| if f == NONE { DVec3::ZERO } else { body.face(f).normal };
            let corners = sides.iter().map(|&h| normal(before(h))).collect();
            let plane = |from: DVec3, to: DVec3| {
                let across = from.cross(to);
                // Normals that close give no plane to rely on.
                (at, if across.length() > 1e-7 { across.normalize() } else { DVec3::ZERO })
            };
            let root = cells.cut(&Outline { owner: HullFeature::Vertex(v), sides, corners, plane: &plane });
            cells.vertices.push(root);
        }
        cells
    }

    /// Cuts a feature with many sides; returns its first piece, [`NONE`] when it stays whole.
    fn cut(&mut self, outline: &Outline<'_>) -> u32 {
        if outline.sides.len() <= MOST {
            return NONE;
        }
        let before = self.pieces.len();
        if self.piece(outline, 0, outline.sides.len(), None).is_none() {
            self.pieces.truncate(before);
            return NONE;
        }
        before as u32
    }

    /// The piece that carries the sides from `from` to `to`, and those behind it; `None` where a chord is too short.
    fn piece(&mut self, outline: &Outline<'_>, from: usize, to: usize, base: Option<Chord>) -> Option<u32> {
        let index = self.pieces.len();
        let mut piece = Piece { owner: outline.owner, chords: [base; MOST], sides: [HalfEdge(NONE); MOST], count: 0 };
        piece.chords[1..].fill(None);
        self.pieces.push(piece.clone());
        let first = usize::from(base.is_some());
        let runs = (MOST - first).min(to - from);
        for run in 0..runs {
            let (start, end) = (from + (to - from) * run / runs, from + (to - from) * (run + 1) / runs);
            if end - start == 1 {
                piece.sides[usize::from(piece.count)] = outline.sides[start];
                piece.count += 1;
                continue;
            }
            let corner = |k: usize| outline.corners[k % outline.corners.len()];
            let (through, normal) = (outline.plane)(corner(start), corner(end));
            if normal == DVec3::ZERO {
                return None;
            }
            let back = Chord { normal: -normal, through, to: index as u32 };
            let child = self.piece(outline, start, end, Some(back))?;
            piece.chords[first + run] = Some(Chord { normal, through, to: child });
        }
        self.pieces[index] = piece;
        Some(index as u32)
    }

    /// The sides of face `f` in the piece over which `p` lies; `None` when the face is small.
    pub(crate) fn face_sides(&self, f: u32, p: DVec3, place: &Slot<u32>) -> Option<&[HalfEdge]> {
        let root = *self.faces.get(f as usize)?;
        self.sides_at(root, |chord| chord.normal.dot(p - chord.through), place)
    }

    /// The edges of vertex `v` in the piece of its cone along `d`; `None` when the vertex has few edges.
    pub(crate) fn vertex_sides(&self, v: u32, d: DVec3, place: &Slot<u32>) -> Option<&[HalfEdge]> {
        let root = *self.vertices.get(v as usize)?;
        self.sides_at(root, |chord| chord.normal.dot(d), place)
    }

    /// Walks from the remembered piece, if it is of the same feature, else from the root.
    fn sides_at(&self, root: u32, inside: impl Fn(&Chord) -> f64, place: &Slot<u32>) -> Option<&[HalfEdge]> {
        let owner = self.pieces.get(root as usize)?.owner;
        let known = self.pieces.get(place.get() as usize).is_some_and(|piece| piece.owner == owner);
        let mut at = if known { place.get() } else { root };
        for _ in 0..self.pieces.len() {
            match self.pieces[at as usize].chords.iter().flatten().find(|chord| inside(chord) < 0.0) {
                Some(chord) => at = chord.to,
                None => break,
            }
        }
        place.set(at);
        let piece = &self.pieces[at as usize];
        Some(&piece.sides[..usize::from(piece.count)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::narrow::convex::polyhedra::cases::{Random, cone, prism};

    #[test]
    fn five_planes_at_most_and_every_side_once() {
        for body in [prism(100), prism(6), cone(57), prism(1000)] {
            let cells = ConstantSizeCells::new(&body);
            assert!(!cells.pieces.is_empty());
            for piece in &cells.pieces {
                assert!(piece.chords.iter().flatten().count() + usize::from(piece.count) <= MOST);
            }
            let mut seen: Vec<(HullFeature, HalfEdge)> = Vec::new();
            for piece in &cells.pieces {
                seen.extend(piece.sides[..usize::from(piece.count)].iter().map(|&h| (piece.owner, h)));
            }
            let count = seen.len();
            seen.sort();
            seen.dedup();
            let big = |k: usize| if k > MOST { k } else { 0 };
            let faces: usize = (0..body.face_count() as u32).map(|f| big(body.face_edges(f).len())).sum();
            let vertices: usize = (0..body.vertex_count() as u32).map(|v| big(body.vertex_edges(v).len())).sum();
            assert_eq!((seen.len(), count), (faces + vertices, faces + vertices));
        }
    }

    /// A point is in a region by all planes of the region if and only if it is by the planes of its piece.
    #[test]
    fn a_piece_decides_for_the_region() {
        let mut r = Random(4);
        for body in [prism(100), cone(57)] {
            let cells = ConstantSizeCells::new(&body);
            let place = Slot::new(NONE);
            let mut inside = 0;
            for _ in 0..20_000 {
                for (f, _) in cells.faces.iter().enumerate().filter(|(_, root)| **root != NONE) {
                    let p = r.vector() * 1.1;
                    let out = |h: HalfEdge| {
                        let edge = body.edge(h.edge());
                        edge.inward[h.side()].dot(p - body.vertex(edge.ends[0])) < 0.0
                    };
                    let whole = body.face_edges(f as u32).iter().any(|&h| out(h));
                    let piece = cells.face_sides(f as u32, p, &place).unwrap().iter().any(|&h| out(h));
                    assert_eq!(whole, piece);
                    inside += usize::from(!whole);
                }
                for (v, _) in cells.vertices.iter().enumerate().filter(|(_, root)| **root != NONE) {
                    let d = r.direction();
                    let out = |h: HalfEdge| body.leading(h).dot(d) > 0.0;
                    let whole = body.vertex_edges(v as u32).iter().any(|&h| out(h));
                    let piece = cells.vertex_sides(v as u32, d, &place).unwrap().iter().any(|&h| out(h));
                    assert_eq!(whole, piece);
                    inside += usize::from(!whole);
                }
            }
            assert!(inside > 1000);
        }
    }

    /// When the point stays in the remembered piece, only that piece is tested.
    #[test]
    fn the_remembered_piece_is_where_the_walk_begins() {
        let body = prism(1000);
        let cells = ConstantSizeCells::new(&body);
        let face = (0..body.face_count() as u32).find(|&f| body.face_edges(f).len() == 1000).unwrap();
        let place = Slot::new(NONE);
        let p = DVec3::new(0.9, 0.1, 2.0);
        let _ = cells.face_sides(face, p, &place).unwrap();
        let known = place.get();
        let chords = cells.pieces[known as usize].chords;
        assert!(chords.iter().flatten().all(|chord| chord.normal.dot(p - chord.through) >= 0.0));
        let _ = cells.face_sides(face, p + DVec3::splat(1e-9), &place).unwrap();
        assert_eq!(place.get(), known);
    }
}
