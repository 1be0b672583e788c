//! The options of trees of convex hulls: P. Xavier's five optimisations, each of which can be left out.

/// Trees with a convex hull around every node: how large the hulls may be, and what a [`Pair`](crate::Pair) remembers
/// of them. The speed of queries differs; the answers do not.
///
/// The names are those of P. Xavier, *Fast Swept-Volume Distance for Robust Collision Detection*, 1997, appendix A. An
/// optimisation is used in a query about two meshes only if both have it switched on.
///
/// ```
/// use impinge::{bound::HullTree, glam::DVec3, Mesh, Pair, Pose};
/// let v = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.]].map(DVec3::from_array).to_vec();
/// let mesh = Mesh::new(v, vec![[0, 1, 2]])?.with_hulls(HullTree { vertex_cap: 16, ..HullTree::default() });
/// let mut pair = Pair::new(mesh.clone(), mesh);
/// assert!(pair.distance(&Pose::IDENTITY, &Pose::at(DVec3::Z)?).interval.contains(1.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct HullTree {
    /// Most vertices of a hull over several leaves; at least 8. A hull with more is replaced by a polytope around it.
    pub vertex_cap: usize,
    /// The triangles that were closest start the next search.
    pub leaf_cache: bool,
    /// GJK stops as soon as the hulls are known to be farther apart than the best distance.
    pub maxdist: bool,
    /// Only pairs of nodes that are likely to be cut off have their hulls compared; the others only their boxes.
    pub cut_table: bool,
    /// GJK starts from the simplex that it last ended with on the same two hulls.
    pub simplex_cache: bool,
}

impl HullTree {
    /// All optimisations left out: hulls of any size, compared by the whole of GJK before a pair of nodes is opened.
    pub const PLAIN: HullTree =
        HullTree { vertex_cap: usize::MAX, leaf_cache: false, maxdist: false, cut_table: false, simplex_cache: false };

    /// The options that both have switched on.
    pub(crate) fn and(self, other: HullTree) -> HullTree {
        HullTree {
            vertex_cap: self.vertex_cap.min(other.vertex_cap),
            leaf_cache: self.leaf_cache && other.leaf_cache,
            maxdist: self.maxdist && other.maxdist,
            cut_table: self.cut_table && other.cut_table,
            simplex_cache: self.simplex_cache && other.simplex_cache,
        }
    }
}

impl Default for HullTree {
    /// All of them, and hulls of up to 32 vertices.
    fn default() -> HullTree {
        HullTree { vertex_cap: 32, leaf_cache: true, maxdist: true, cut_table: true, simplex_cache: true }
    }
}
