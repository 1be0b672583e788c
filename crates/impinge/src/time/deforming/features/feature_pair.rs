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

    /// All pairs of features that belong to two triangles, by their places. Each vertex and each edge belongs to one
    /// triangle, so that no pair belongs to two.
    pub(crate) fn of_triangles(a: &Deforming, b: &Deforming, places: [u32; 2]) -> impl Iterator<Item = Features> {
        let [own, other] = [a.owned[places[0] as usize], b.owned[places[1] as usize]];
        let bits = |owned: u8, first: u8| (0..3).filter(move |k| owned >> (first + *k as u8) & 1 == 1);
        let vertices = bits(own, 0).map(move |k| Features::VertexFace(places, k));
        let faces = bits(other, 0).map(move |k| Features::FaceVertex(places, k));
        let edges = bits(own, 3).flat_map(move |k| bits(other, 3).map(move |l| Features::Edges(places, [k, l])));
        vertices.chain(faces).chain(edges)
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

    /// The vertices of both features, as given; the last one of an edge or a vertex is repeated.
    pub(crate) fn vertices(self, a: &Deforming, b: &Deforming) -> [[u32; 3]; 2] {
        let corner =
            |mesh: &Deforming, place: u32, k: usize| mesh.vertex_ids[mesh.triangles[place as usize][k % 3] as usize];
        let vertex = |mesh: &Deforming, place: u32, k| [corner(mesh, place, k); 3];
        let edge = |mesh: &Deforming, place: u32, k| [k, k + 1, k + 1].map(|k| corner(mesh, place, k));
        let face = |mesh: &Deforming, place: u32| [0, 1, 2].map(|k| corner(mesh, place, k));
        match self {
            Features::VertexFace([i, j], k) => [vertex(a, i, k), face(b, j)],
            Features::FaceVertex([i, j], k) => [face(a, i), vertex(b, j, k)],
            Features::Edges([i, j], [k, l]) => [edge(a, i, k), edge(b, j, l)],
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
