//! What kind of surface a set of triangles is: closed, manifold, oriented, in how many pieces. Nothing is repaired.
//!
//! Triangles are taken on welded vertices. An edge is *open* when an odd number of triangles meet there; a surface
//! without open edges is *closed*: it divides space into points that a ray leaves by an odd number of crossings and the
//! rest.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use glam::DVec3;

use crate::error::NotClosed;
use crate::math::EPS;
use crate::prim::is_degenerate;

/// What was found about a mesh. Counts are of the mesh as given.
///
/// ```
/// use impinge::{glam::DVec3, Mesh};
/// let v = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]].map(DVec3::from_array).to_vec();
/// let open = Mesh::new(v, vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [1, 2, 3]])?;
/// let report = open.report();
/// assert_eq!((report.duplicate_triangles, report.components), (1, 1));
/// assert!(!report.closed && report.volume.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MeshReport {
    /// Vertices given.
    pub vertices: usize,
    /// Triangles given.
    pub triangles: usize,
    /// Vertices with the same coordinates as an earlier one.
    pub merged_vertices: usize,
    /// Vertices that no triangle names.
    pub unused_vertices: usize,
    /// Triangles with the same three corners as an earlier one. They are kept.
    pub duplicate_triangles: usize,
    /// Triangles without an area, exactly. They are kept.
    pub degenerate_triangles: usize,
    /// Edges with an odd number of triangles.
    pub open_edges: usize,
    /// Edges with more than two triangles.
    pub nonmanifold_edges: usize,
    /// Edges whose triangles do not run through them in alternating directions.
    pub misoriented_edges: usize,
    /// There are triangles, and no edge is open.
    pub closed: bool,
    /// No edge has more than two triangles.
    pub manifold: bool,
    /// No edge is misoriented: front and back are consistent.
    pub oriented: bool,
    /// Pieces connected by common vertices.
    pub components: usize,
    /// Sum of the triangles' areas.
    #[cfg_attr(feature = "serde", serde(with = "crate::math::number"))]
    pub area: f64,
    /// Signed volume, when closed and oriented; negative when the surface is inside out, infinite beyond `f64`.
    pub volume: Option<f64>,
}

/// Edges, pieces and measures of triangles on welded vertices.
pub(crate) struct Topology {
    pub(crate) report: MeshReport,
    pub(crate) first_open: Option<NotClosed>,
    /// A vertex of each component.
    pub(crate) component_vertices: Vec<u32>,
}

/// `first` maps each vertex to the first with equal coordinates, and `triangles` name only such; `scale` is a power of
/// two that brings the coordinates within ±1.
pub(crate) fn examine(vertices: &[DVec3], first: &[u32], triangles: &[[u32; 3]], scale: f64) -> Topology {
    let merged = first.iter().enumerate().filter(|&(i, &f)| i != f as usize).count();
    let mut used = vec![false; vertices.len()];
    triangles.iter().flatten().for_each(|&v| used[v as usize] = true);
    let unused = first.iter().filter(|&&f| !used[f as usize]).count();
    let (edges, first_open) = count_edges(vertices.len(), triangles);
    let component_vertices = components(vertices.len(), triangles);
    let closed = !triangles.is_empty() && edges.open == 0;
    let oriented = edges.misoriented == 0;
    let measures = measure(vertices, triangles, scale);
    let report = MeshReport {
        vertices: vertices.len(),
        triangles: triangles.len(),
        merged_vertices: merged,
        unused_vertices: unused,
        duplicate_triangles: 0,
        degenerate_triangles: measures.degenerate,
        open_edges: edges.open,
        nonmanifold_edges: edges.nonmanifold,
        misoriented_edges: edges.misoriented,
        closed,
        manifold: edges.nonmanifold == 0,
        oriented,
        components: component_vertices.len(),
        area: measures.area,
        volume: (closed && oriented).then_some(measures.volume),
    };
    Topology { report, first_open, component_vertices }
}

/// Groups `(vertex, key)` by vertex, keys ascending: a counting sort, then a sort of each small group.
fn by_vertex(vertices: usize, items: impl Iterator<Item = (u32, u64)> + Clone) -> (Vec<u32>, Vec<u64>) {
    let mut start = vec![0u32; vertices + 1];
    items.clone().for_each(|(v, _)| start[v as usize + 1] += 1);
    for v in 0..vertices {
        start[v + 1] += start[v];
    }
    let mut next = start.clone();
    let mut keys = vec![0u64; start[vertices] as usize];
    for (v, key) in items {
        keys[next[v as usize] as usize] = key;
        next[v as usize] += 1;
    }
    for v in 0..vertices {
        keys[start[v] as usize..start[v + 1] as usize].sort_unstable();
    }
    (start, keys)
}

#[derive(Default)]
struct Edges {
    open: usize,
    nonmanifold: usize,
    misoriented: usize,
}

/// Looks at every edge once. Half-edges are grouped by their smaller vertex; the key is the larger one, then the
/// triangle, then the direction.
fn count_edges(vertices: usize, triangles: &[[u32; 3]]) -> (Edges, Option<NotClosed>) {
    let half_edges = triangles.iter().enumerate().flat_map(|(t, &[a, b, c])| {
        [(a, b), (b, c), (c, a)].into_iter().filter(|(a, b)| a != b).map(move |(a, b)| {
            let backward = u64::from(a > b);
            (a.min(b), u64::from(a.max(b)) << 32 | (t as u64) << 1 | backward)
        })
    });
    let (start, keys) = by_vertex(vertices, half_edges);
    let (mut edges, mut first_open) = (Edges::default(), None);
    for v in 0..vertices {
        let group = &keys[start[v] as usize..start[v + 1] as usize];
        for edge in group.chunk_by(|x, y| x >> 32 == y >> 32) {
            let backward = edge.iter().filter(|&&key| key & 1 == 1).count();
            let forward = edge.len() - backward;
            let odd = edge.len() % 2;
            edges.open += odd;
            edges.nonmanifold += usize::from(edge.len() > 2);
            edges.misoriented += usize::from(forward.abs_diff(backward) > odd);
            if odd == 1 && first_open.is_none() {
                first_open = Some(NotClosed {
                    open_edges: 0,
                    edge: [v as u32, (edge[0] >> 32) as u32],
                    triangle: (edge[0] as u32) >> 1,
                });
            }
        }
    }
    let first_open = first_open.map(|open| NotClosed { open_edges: edges.open, ..open });
    (edges, first_open)
}

/// One vertex of each connected piece, by union-find with path halving.
fn components(vertices: usize, triangles: &[[u32; 3]]) -> Vec<u32> {
    let mut parent: Vec<u32> = (0..vertices as u32).collect();
    fn root(parent: &mut [u32], mut v: u32) -> u32 {
        while parent[v as usize] != v {
            parent[v as usize] = parent[parent[v as usize] as usize];
            v = parent[v as usize];
        }
        v
    }
    for &[a, b, c] in triangles {
        let mut lead = root(&mut parent, a);
        for other in [b, c] {
            let other = root(&mut parent, other);
            // The smaller number leads, so that the result does not depend on the order of the triangles.
            parent[lead.max(other) as usize] = lead.min(other);
            lead = lead.min(other);
        }
    }
    let mut roots: Vec<u32> = triangles.iter().map(|t| root(&mut parent, t[0])).collect();
    roots.sort_unstable();
    roots.dedup();
    roots
}

pub(crate) struct Measures {
    pub(crate) area: f64,
    pub(crate) volume: f64,
    pub(crate) degenerate: usize,
}

/// Area, signed volume by tetrahedra from the first corner, and the triangles that are exactly without area. The sums
/// are taken in coordinates scaled to about 1.
pub(crate) fn measure(vertices: &[DVec3], triangles: &[[u32; 3]], scale: f64) -> Measures {
    let origin = triangles.first().map_or(DVec3::ZERO, |t| vertices[t[0] as usize] * scale);
    let mut m = Measures { area: 0.0, volume: 0.0, degenerate: 0 };
    for t in triangles {
        let [a, b, c] = t.map(|v| vertices[v as usize] * scale - origin);
        let (u, v) = (b - a, c - a);
        let normal = u.cross(v);
        m.area += normal.length();
        m.volume += a.dot(normal);
        // The corners were moved to the origin with an error of 2ε each; a normal longer than this cannot be that error
        // alone.
        let certain = 64.0 * EPS * (u.abs().max_element() + v.abs().max_element()) + 1e-300;
        if normal.abs().max_element() <= certain {
            m.degenerate += usize::from(is_degenerate(&t.map(|v| vertices[v as usize] * scale)));
        }
    }
    let unit = scale.recip();
    m.area = 0.5 * m.area * unit * unit;
    m.volume = m.volume / 6.0 * unit * unit * unit;
    m
}

/// Which side of the triangles of a closed mesh is outside, where that is the same for all and was found out.
#[derive(Debug, Default)]
pub(crate) struct KnownSides {
    /// How often the answer would have saved work.
    wanted: AtomicU32,
    /// Whether the front is outside; `None` where that is not the same for all triangles, as far as was found.
    front_is_outside: OnceLock<Option<bool>>,
}

impl Clone for KnownSides {
    fn clone(&self) -> KnownSides {
        KnownSides { wanted: AtomicU32::new(0), front_is_outside: self.front_is_outside.clone() }
    }
}

impl KnownSides {
    /// What was found, if anything was looked for.
    #[inline]
    pub(crate) fn found(&self) -> Option<Option<bool>> {
        self.front_is_outside.get().copied()
    }

    /// Whether it is time to look: for one question of those about a mesh of so many triangles, the one after as many.
    pub(crate) fn is_due(&self, triangles: u32) -> bool {
        self.wanted.fetch_add(1, Ordering::Relaxed) == triangles
    }

    /// Keeps what was found.
    pub(crate) fn keep(&self, front_is_outside: Option<bool>) {
        // Another thread may have found the same.
        let _ = self.front_is_outside.set(front_is_outside);
    }
}
