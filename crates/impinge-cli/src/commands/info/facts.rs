//! The facts about a file or a shape, by their names in JSON.

use impinge::glam::DVec3;
use impinge::{Convex, Dropped, Mesh};
use serde::Serialize;

use super::tune::TuneJson;
use crate::input::shape::Shape;
use crate::output::text::plural;

#[derive(Debug, Serialize)]
pub(super) struct FileJson<'a> {
    pub(super) verb: &'static str,
    pub(super) file: &'a str,
    pub(super) format: &'a str,
    #[serde(flatten)]
    pub(super) whole: &'a BodyJson,
    pub(super) parts: &'a [PartJson],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tune: Option<TuneJson>,
}

#[derive(Debug, Serialize)]
pub(super) struct PartJson {
    pub(super) name: String,
    #[serde(flatten)]
    pub(super) body: BodyJson,
}

#[derive(Debug, Clone, Serialize)]
pub(super) struct BodyJson {
    pub(super) vertices: usize,
    pub(super) triangles: usize,
    pub(super) merged_vertices: usize,
    pub(super) unused_vertices: usize,
    pub(super) duplicate_triangles: usize,
    pub(super) degenerate_triangles: usize,
    pub(super) open_edges: usize,
    pub(super) nonmanifold_edges: usize,
    pub(super) misoriented_edges: usize,
    pub(super) closed: bool,
    pub(super) manifold: bool,
    pub(super) oriented: bool,
    pub(super) components: usize,
    pub(super) area: f64,
    pub(super) volume: Option<f64>,
    pub(super) bounds: Option<[[f64; 3]; 2]>,
    pub(super) convex: Option<bool>,
    pub(super) hull: Option<HullJson>,
    pub(super) tree_nodes: usize,
    pub(super) tree_bytes: usize,
}

#[derive(Debug, Clone, Serialize)]
pub(super) struct HullJson {
    pub(super) vertices: usize,
    pub(super) edges: usize,
    pub(super) faces: usize,
    /// Points that are no vertices of it: equal to one, or in it otherwise.
    pub(super) copies: usize,
    pub(super) inside: usize,
}

impl HullJson {
    /// `None` beyond the scale of convex bodies.
    pub(super) fn of(points: &[DVec3]) -> Option<HullJson> {
        let hull = Convex::hull(points).ok()?;
        let Dropped { copies, inside } = hull.dropped();
        let (vertices, edges, faces) = (hull.vertex_count(), hull.edge_count(), hull.face_count());
        Some(HullJson { vertices, edges, faces, copies, inside })
    }

    pub(super) fn in_words(&self) -> String {
        let count = |n: usize, one, many| plural(n as u64, one, many);
        let (vertices, edges) = (count(self.vertices, "vertex", "vertices"), count(self.edges, "edge", "edges"));
        let dropped = match (self.copies, self.inside) {
            (0, 0) => String::new(),
            (copies, 0) => format!(" ({} left out)", count(copies, "copy", "copies")),
            (0, inside) => format!(" ({} inside)", count(inside, "point", "points")),
            (copies, inside) => {
                format!(" ({} inside, {} left out)", count(inside, "point", "points"), count(copies, "copy", "copies"))
            }
        };
        format!("{vertices}, {edges}, {}{dropped}", count(self.faces, "face", "faces"))
    }
}

impl BodyJson {
    pub(super) fn of(mesh: &Mesh, hull: Option<HullJson>) -> BodyJson {
        let report = mesh.report();
        BodyJson {
            vertices: report.vertices,
            triangles: report.triangles,
            merged_vertices: report.merged_vertices,
            unused_vertices: report.unused_vertices,
            duplicate_triangles: report.duplicate_triangles,
            degenerate_triangles: report.degenerate_triangles,
            open_edges: report.open_edges,
            nonmanifold_edges: report.nonmanifold_edges,
            misoriented_edges: report.misoriented_edges,
            closed: report.closed,
            manifold: report.manifold,
            oriented: report.oriented,
            components: report.components,
            area: report.area,
            volume: report.volume,
            bounds: mesh.bounds().map(|ends| ends.map(|p| p.to_array())),
            convex: hull.as_ref().map(|_| mesh.is_convex()),
            hull,
            tree_nodes: mesh.tree_nodes(),
            tree_bytes: mesh.tree_bytes(),
        }
    }
}

/// A shape in words has no triangles, and so no flaws to count.
#[derive(Debug, Serialize)]
pub(super) struct ShapeJson<'a> {
    pub(super) verb: &'static str,
    pub(super) file: &'a str,
    pub(super) format: &'static str,
    pub(super) shape: &'static str,
    pub(super) margin: f64,
    pub(super) closed: bool,
    pub(super) components: usize,
    pub(super) area: Option<f64>,
    pub(super) volume: Option<f64>,
    pub(super) bounds: Option<[[f64; 3]; 2]>,
    pub(super) convex: bool,
    pub(super) hull: Option<HullJson>,
    pub(super) parts: [(); 0],
}

impl<'a> ShapeJson<'a> {
    pub(super) fn of(shape: &Shape, file: &'a str) -> ShapeJson<'a> {
        let [area, volume] = shape.measures();
        ShapeJson {
            verb: "info",
            file,
            format: "shape",
            shape: shape.word,
            margin: shape.margin(),
            closed: true,
            components: 1,
            area,
            volume,
            bounds: shape.bounds().map(|ends| ends.map(|p| p.to_array())),
            convex: true,
            hull: shape.corners().and_then(|corners| HullJson::of(&corners)),
            parts: [],
        }
    }
}
