//! The manifolds of two meshes of which some triangles occur wound both ways: a sheet pushes a body to the side that it
//! is nearer to.
//!
//! Pairs of triangles that share one are taken together, directly or through others. Each such region is tried with its
//! sheets seen from the front and from the back, and the side from which the deepest point is least deep is kept.
//!
//! Cost: that of the manifolds of two meshes, up to five times where there are sheets on both.

use super::mesh_and_mesh::{TwoMeshes, regions};
use crate::manifolds::gather::Gathering;
use crate::math::Pose;
use crate::model::Mesh;
use crate::model::mesh::sheets::FaceSide;
use crate::narrow::mesh::placed::placed_meshes::PlacedMeshes;

use FaceSide::{Back, Front};

/// Adds the manifolds of these pairs of triangles, by their places.
pub(crate) fn add_manifolds(
    placed: &PlacedMeshes<'_>,
    poses: [&Pose; 2],
    reach: f64,
    pairs: Vec<[u32; 2]>,
    gathering: &mut Gathering,
) {
    let meshes = |sides| TwoMeshes { placed, sides, poses, reach };
    let (a, b): (&Mesh, &Mesh) = (placed.a, placed.b);
    if !a.has_sheets() && !b.has_sheets() {
        return meshes([Front; 2]).add(&pairs, gathering);
    }
    for region in regions(pairs, |&places| places) {
        let is_sheet = |k: usize, mesh: &Mesh| region.iter().any(|places| mesh.is_two_sided(places[k]));
        let deepest = |sides: [FaceSide; 2]| {
            let mut trial = Gathering::default();
            meshes(sides).add(&region, &mut trial);
            Some((sides, trial.deepest()?))
        };
        if let Some((sides, _)) =
            views_of([is_sheet(0, a), is_sheet(1, b)]).filter_map(deepest).min_by(|x, y| x.1.total_cmp(&y.1))
        {
            meshes(sides).add(&region, gathering);
        }
    }
}

/// From where two meshes are seen: from the front, and sheets from the back, too.
pub(crate) fn views(a: &Mesh, b: &Mesh) -> impl Iterator<Item = [FaceSide; 2]> {
    views_of([a.has_sheets(), b.has_sheets()])
}

fn views_of(sheets: [bool; 2]) -> impl Iterator<Item = [FaceSide; 2]> {
    let all = [[Front, Front], [Back, Front], [Front, Back], [Back, Back]];
    all.into_iter().filter(move |sides| (0..2).all(|k| sheets[k] || sides[k] == Front))
}
