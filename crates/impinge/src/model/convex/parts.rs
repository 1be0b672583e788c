//! Bodies made of convex pieces, with a tree of hulls over them.

use std::fmt;

use glam::DVec3;

use super::parts_tree::{PartsNode, grow};
use super::polyhedron::Convex;
use crate::error::BuildError;

/// Most pieces of one body.
const MOST_PIECES: usize = 1 << 16;

/// A union of convex pieces. The pieces may overlap; what lies in any of them is inside.
///
/// ```
/// use impinge::{glam::DVec3, Convex, Parts};
/// let block = |x: f64, z: f64| -> Vec<DVec3> {
///     (0..8).map(|i| DVec3::new((i & 1) as f64 + x, (i >> 1 & 1) as f64, (i >> 2) as f64 + z)).collect()
/// };
/// let stairs = Parts::from_hulls([block(0.0, 0.0), block(1.0, 0.0), block(1.0, 1.0)].iter().map(Vec::as_slice))?;
/// assert_eq!((stairs.piece_count(), stairs.is_exact()), (3, true));
/// # Ok::<(), impinge::BuildError>(())
/// ```
#[derive(Clone)]
pub struct Parts {
    pieces: Vec<Convex>,
    inner: Vec<PartsNode>,
    exact: bool,
}

impl Parts {
    /// The union of the pieces, which keep their order. At most 65536.
    pub fn new(pieces: Vec<Convex>) -> Result<Parts, BuildError> {
        if pieces.is_empty() {
            return Err(BuildError::NoPieces);
        }
        if pieces.len() > MOST_PIECES {
            return Err(BuildError::TooMany { what: "pieces", count: pieces.len(), limit: MOST_PIECES });
        }
        Ok(Parts { inner: grow(&pieces)?, pieces, exact: true })
    }

    /// One piece for each set of points: its hull.
    pub fn from_hulls<'p>(groups: impl IntoIterator<Item = &'p [DVec3]>) -> Result<Parts, BuildError> {
        Parts::new(groups.into_iter().map(Convex::hull).collect::<Result<_, _>>()?)
    }

    /// The same pieces, marked as an approximation of another body.
    #[cfg_attr(not(any(feature = "vhacd", feature = "serde")), allow(dead_code, reason = "only V-HACD approximates"))]
    pub(crate) fn into_approximation(self) -> Parts {
        Parts { exact: false, ..self }
    }

    /// Number of pieces.
    pub fn piece_count(&self) -> usize {
        self.pieces.len()
    }

    /// The pieces, in the order given.
    pub fn pieces(&self) -> &[Convex] {
        &self.pieces
    }

    /// Whether the pieces are the body itself, up to rounding, and not an approximation of another.
    pub fn is_exact(&self) -> bool {
        self.exact
    }

    /// The node above all: nodes below [`Parts::piece_count`] are the pieces, the others inner ones.
    pub(crate) fn root(&self) -> u32 {
        (self.pieces.len() + self.inner.len() - 1) as u32
    }

    /// The piece or hull at a node.
    pub(crate) fn body(&self, node: u32) -> &Convex {
        let node = node as usize;
        if node < self.pieces.len() { &self.pieces[node] } else { &self.inner[node - self.pieces.len()].body }
    }

    /// The children of an inner node.
    pub(crate) fn children(&self, node: u32) -> Option<[u32; 2]> {
        Some(self.inner.get((node as usize).checked_sub(self.pieces.len())?)?.children)
    }

    /// How far the pieces below a node may stand out of its hull: rounding.
    pub(crate) fn slack(&self, node: u32) -> f64 {
        let inner = (node as usize).checked_sub(self.pieces.len()).and_then(|k| self.inner.get(k));
        inner.map_or(0.0, |n| n.slack)
    }
}

/// Its number of pieces, and whether they are the body itself.
impl fmt::Debug for Parts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parts").field("pieces", &self.pieces.len()).field("exact", &self.exact).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spread(count: u32, corners: u32, size: f64) -> Parts {
        let mut state = 3u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as f64 / f64::from(1u32 << 30) - 1.0
        };
        let mut vector = || DVec3::new(next(), next(), next());
        let pieces = (0..count).map(|_| {
            let centre = 10.0 * vector();
            let points: Vec<DVec3> = (0..corners).map(|_| centre + size * vector()).collect();
            Convex::hull(&points).unwrap()
        });
        Parts::new(pieces.collect()).unwrap()
    }

    /// The pieces below a node.
    fn leaves(parts: &Parts, node: u32) -> Vec<u32> {
        match parts.children(node) {
            Some(children) => children.into_iter().flat_map(|c| leaves(parts, c)).collect(),
            None => vec![node],
        }
    }

    #[test]
    fn every_node_contains_what_is_below() {
        for parts in
            [spread(1, 5, 1.0), spread(7, 4, 1.0), spread(100, 12, 2.0), spread(30, 300, 1.0), spread(40, 3, 0.01)]
        {
            let mut all = leaves(&parts, parts.root());
            all.sort_unstable();
            assert_eq!(all, (0..parts.piece_count() as u32).collect::<Vec<_>>());
            for node in parts.piece_count() as u32..=parts.root() {
                let hull = parts.body(node);
                assert!(hull.vertex_count() <= 128, "{}", hull.vertex_count());
                assert!(parts.slack(node) < 1e-9, "{}", parts.slack(node));
                for piece in leaves(&parts, node) {
                    for v in parts.body(piece).vertices() {
                        let height = |f: &crate::model::convex::polyhedron::Face| f.normal.dot(*v) - f.offset;
                        let within = || hull.faces().iter().all(|f| height(f) <= parts.slack(node) + 1e-12);
                        assert!(hull.vertices().contains(v) || within());
                    }
                }
            }
        }
    }

    #[test]
    fn near_pieces_are_joined_first() {
        let at = |x: f64| Convex::hull(&[DVec3::X * x, DVec3::X * x + DVec3::Y, DVec3::X * x + DVec3::Z]).unwrap();
        let parts = Parts::new([0.0, 10.0, 0.5, 10.5].map(at).to_vec()).unwrap();
        let mut pairs: Vec<Vec<u32>> = (4..6).map(|n| leaves(&parts, n)).collect();
        pairs.sort_unstable();
        assert_eq!(pairs, [[0, 2], [1, 3]]);
    }

    #[test]
    fn no_pieces_and_too_many_are_refused() {
        assert_eq!(Parts::new(Vec::new()).unwrap_err(), BuildError::NoPieces);
        let one = Convex::hull(&[DVec3::ZERO]).unwrap();
        assert!(matches!(Parts::new(vec![one; 65537]), Err(BuildError::TooMany { what: "pieces", .. })));
        assert!(matches!(Parts::from_hulls([&[DVec3::NAN][..]]), Err(BuildError::NotFinite { .. })));
        assert!(matches!(Parts::from_hulls([&[][..]]), Err(BuildError::NoPoints)));
    }

    /// Pieces that are points or segments, or copies of one piece, make a tree, too.
    #[test]
    fn degenerate_pieces_make_a_tree() {
        let points = [DVec3::ZERO, DVec3::ZERO, DVec3::X, DVec3::X * 2.0, DVec3::Y];
        let parts = Parts::from_hulls(points.iter().map(std::slice::from_ref)).unwrap();
        assert_eq!((parts.piece_count(), leaves(&parts, parts.root()).len()), (5, 5));
        let cube: Vec<DVec3> =
            (0..8).map(|i| DVec3::new(f64::from(i & 1), f64::from(i >> 1 & 1), f64::from(i >> 2))).collect();
        let copies = Parts::from_hulls(std::iter::repeat_n(cube.as_slice(), 60)).unwrap();
        assert_eq!(copies.body(copies.root()).vertex_count(), 8);
    }
}
