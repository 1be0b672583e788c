//! The curves in which the surfaces of two meshes cross, and the polygons that they share.
//!
//! The triangles that touch are found exactly; of each two the segment in which they cross, with the features that its
//! ends come from ([`cut`](super::cut)); and segments are joined by these ([`join`](super::join)). A point of a curve
//! is computed once, from the first two triangles that name it.
//!
//! Cost: that of `contacts`, and the ends sorted.

use std::collections::BTreeMap;

use glam::DVec3;

use super::cut::{Common, common};
use super::join::{NamedSegment, joined};
use crate::manifolds::meshes::triangle_pair::shared_polygon;
use crate::math::Pose;
use crate::model::Mesh;
use crate::model::mesh::surroundings::unit_normal;
use crate::narrow::body::BodyKind;
use crate::narrow::context::Context;
use crate::narrow::grid::dispatch::Query;
use crate::narrow::grid::memory::Memory;
use crate::narrow::mesh::placed::placed_meshes::PlacedMeshes;
use crate::prim::Part;

/// Most pairs of triangles that are looked at.
const MOST_PAIRS: usize = 1 << 22;

/// Where two surfaces of triangles cross or lie in one plane.
///
/// ```
/// use impinge::{glam::DVec3, Mesh, Pair, Pose};
/// let square = |z: f64| {
///     let v = [[-1., -1., z], [1., -1., z], [1., 1., z], [-1., 1., z]].map(DVec3::from_array);
///     Mesh::new(v.to_vec(), vec![[0, 1, 2], [0, 2, 3]])
/// };
/// let v = [[0., 0., -0.5], [0.5, 0., 0.5], [-0.5, 0.25, 0.5], [-0.5, -0.25, 0.5]].map(DVec3::from_array);
/// let spike = Mesh::new(v.to_vec(), vec![[0, 2, 1], [0, 3, 2], [0, 1, 3], [1, 2, 3]])?;
/// let found = Pair::new(square(0.0)?, spike).crossings(&Pose::IDENTITY, &Pose::IDENTITY);
/// assert!(found.complete && found.curves.len() == 1 && found.faces.is_empty());
/// let curve = &found.curves[0];
/// // The three sides of the spike, and where it crosses the diagonal of the square.
/// assert!(curve.closed && curve.points.len() == curve.pairs.len() && curve.points.len() >= 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Crossings {
    /// The curves in which triangles of `a` cross triangles of `b`.
    pub curves: Vec<CrossingCurve>,
    /// What triangles that lie in one plane have in common, in ascending order of their pairs.
    pub faces: Vec<SharedFace>,
    /// Whether these are certainly all: false when a cap was reached.
    pub complete: bool,
}

/// A curve in which two surfaces cross, in the frame of the world: straight between its points.
///
/// ```
/// use impinge::{glam::DVec3, Mesh, Pair, Pose};
/// let square = |x: DVec3, y: DVec3| Mesh::new(vec![-x - y, x - y, x + y, y - x], vec![[0, 1, 2], [0, 2, 3]]);
/// let (floor, wall) = (square(DVec3::X, DVec3::Y)?, square(DVec3::X * 0.5, DVec3::Z)?);
/// let found = Pair::new(floor, wall).crossings(&Pose::IDENTITY, &Pose::IDENTITY);
/// let curve = &found.curves[0];
/// assert!(!curve.closed && curve.points.len() == curve.pairs.len() + 1);
/// let length: f64 = curve.points.windows(2).map(|ends| ends[0].distance(ends[1])).sum();
/// assert!((length - 1.0).abs() < 1e-15, "as wide as the wall");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CrossingCurve {
    /// The points, in order. It leads along the product of the normals of `a` and `b` where both surfaces are wound one
    /// way. Of a closed curve the first point follows the last.
    pub points: Vec<DVec3>,
    /// The triangles, by their indices as given, that cross between each point and the next: as many as points where
    /// the curve is closed, else one less.
    pub pairs: Vec<[u32; 2]>,
    /// Whether it closes. An open curve ends on the border of one of the surfaces, or where more than two of its kind
    /// meet.
    pub closed: bool,
}

/// What two triangles have in common that lie exactly in one plane.
///
/// ```
/// use impinge::{glam::DVec3, Mesh, Pair, Pose};
/// let tile = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?;
/// let beside = Pose::at(DVec3::X * 0.5)?;
/// let found = Pair::new(tile.clone(), tile).crossings(&Pose::IDENTITY, &beside);
/// assert!(found.curves.is_empty() && found.faces.len() == 1);
/// assert!(found.faces[0].pair == [0, 0] && found.faces[0].corners.len() == 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SharedFace {
    /// The triangles, by their indices as given.
    pub pair: [u32; 2],
    /// The corners of the polygon, in the frame of the world.
    pub corners: Vec<DVec3>,
}

/// A part of a mesh, the same for all triangles that have it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum MeshPart {
    Vertex(u32),
    Edge([u32; 2]),
    Face(u32),
}

/// The part of `a` and that of `b` that meet in a point.
type Name = [MeshPart; 2];

/// The curves and polygons; bodies other than meshes have none.
pub(crate) fn crossings(query: &Query<'_>, pose: &Pose, cx: Context<'_, Memory>) -> Crossings {
    let [BodyKind::Mesh(a), BodyKind::Mesh(b)] = query.bodies() else {
        return Crossings { complete: true, ..Crossings::default() };
    };
    let touching = query.touching(MOST_PAIRS, 0.0, cx);
    let mut found = Crossings { complete: touching.pairs.len() < MOST_PAIRS, ..Crossings::default() };
    if touching.pairs.is_empty() {
        return found;
    }
    let placed = PlacedMeshes::new(a, b, query.b_in_a);
    let mut places: Vec<[u32; 2]> =
        touching.pairs.iter().filter_map(|&[i, j]| Some([a.place(i)?, b.place(j)?])).collect();
    let ids = |places: &[u32; 2]| [a.id(places[0]), b.id(places[1])];
    // Copies are one; in the order of the indices given.
    places.sort_unstable_by_key(ids);
    places.dedup();
    let (mut segments, mut points): (Vec<NamedSegment<Name>>, BTreeMap<Name, DVec3>) = (Vec::new(), BTreeMap::new());
    for places in &places {
        let (s, t) = (placed.a_triangle(places[0]), placed.b_triangle(places[1]));
        match common(&s, &t) {
            Common::Segment(segment) => {
                let name =
                    |k: usize| [named(a, places[0], segment.parts[k][0]), named(b, places[1], segment.parts[k][1])];
                let ends = [name(0), name(1)];
                for (end, point) in ends.iter().zip(segment.points) {
                    points.entry(*end).or_insert(pose.apply(point / placed.scale));
                }
                segments.push(NamedSegment { ends, pair: ids(places) });
            }
            Common::Plane => {
                let corners = shared_polygon(&s, &t, unit_normal(&s));
                if corners.len() >= 3 {
                    let corners = corners.iter().map(|corner| pose.apply(corner.points[1] / placed.scale)).collect();
                    found.faces.push(SharedFace { pair: ids(places), corners });
                }
            }
            Common::Less => {}
        }
    }
    for curve in joined(&segments) {
        let points = curve.ends.iter().filter_map(|end| points.get(end).copied()).collect();
        found.curves.push(CrossingCurve { points, pairs: curve.pairs, closed: curve.closed });
    }
    found
}

fn named(mesh: &Mesh, place: u32, part: Part) -> MeshPart {
    let corners = mesh.corner_places(place);
    let corner = |k: u8| corners[usize::from(k) % 3];
    match part {
        Part::Vertex(k) => MeshPart::Vertex(corner(k)),
        Part::Edge(k) => {
            let [v, w] = [corner(k), corner(k + 1)];
            MeshPart::Edge([v.min(w), v.max(w)])
        }
        Part::Face => MeshPart::Face(place),
    }
}
