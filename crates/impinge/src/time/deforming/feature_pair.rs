//! Two features of two deforming meshes: by place, as an encounter, and by name.

use super::encounter::FeatureEncounter;
use crate::answer::Feature;
use crate::model::Deforming;

/// Two features: triangles by place, and which corner or edge of each.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Features {
    /// A vertex of `a`, a face of `b`.
    VertexFace([u32; 2], usize),
    /// A face of `a`, a vertex of `b`.
    FaceVertex([u32; 2], usize),
    Edges([u32; 2], [usize; 2]),
}

impl Features {
    pub(crate) fn is_swapped(self) -> bool {
        matches!(self, Features::FaceVertex(..))
    }

    pub(crate) fn encounter(self, a: &Deforming, b: &Deforming) -> FeatureEncounter {
        let corners = |[i, j]: [u32; 2]| (a.corners(i), b.corners(j));
        match self {
            Features::VertexFace(places, k) => {
                let (a, [p, q, r]) = corners(places);
                FeatureEncounter::vertex_face([a[k], p, q, r])
            }
            Features::FaceVertex(places, k) => {
                let ([p, q, r], b) = corners(places);
                FeatureEncounter::vertex_face([b[k], p, q, r])
            }
            Features::Edges(places, [k, l]) => {
                let (a, b) = corners(places);
                FeatureEncounter::edge_edge([a[k], a[(k + 1) % 3], b[l], b[(l + 1) % 3]])
            }
        }
    }

    /// Whether the features of one mesh have a vertex in common.
    pub(crate) fn is_joined(self, mesh: &Deforming) -> bool {
        let corners = |[i, j]: [u32; 2]| (mesh.triangles[i as usize], mesh.triangles[j as usize]);
        match self {
            Features::VertexFace(places, k) => {
                let (a, b) = corners(places);
                b.contains(&a[k])
            }
            Features::FaceVertex(places, k) => {
                let (a, b) = corners(places);
                a.contains(&b[k])
            }
            Features::Edges(places, [k, l]) => {
                let (a, b) = corners(places);
                let other = [b[l], b[(l + 1) % 3]];
                other.contains(&a[k]) || other.contains(&a[(k + 1) % 3])
            }
        }
    }

    pub(crate) fn names(self, a: &Deforming, b: &Deforming) -> [Feature; 2] {
        let id =
            |mesh: &Deforming, place: u32, k: usize| mesh.vertex_ids[mesh.triangles[place as usize][k % 3] as usize];
        let vertex = |mesh: &Deforming, place: u32, k| Feature::Vertex {
            triangle: mesh.ids[place as usize],
            vertex: id(mesh, place, k),
        };
        let edge = |mesh: &Deforming, place: u32, k| Feature::Edge {
            triangle: mesh.ids[place as usize],
            vertices: [id(mesh, place, k), id(mesh, place, k + 1)],
        };
        let face = |mesh: &Deforming, place: u32| Feature::Face { triangle: mesh.ids[place as usize] };
        match self {
            Features::VertexFace([i, j], k) => [vertex(a, i, k), face(b, j)],
            Features::FaceVertex([i, j], k) => [face(a, i), vertex(b, j, k)],
            Features::Edges([i, j], [k, l]) => [edge(a, i, k), edge(b, j, l)],
        }
    }
}
