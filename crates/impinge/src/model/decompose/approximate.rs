//! A closed mesh approximated by convex pieces: V-HACD, by `parry3d-f64`.
//!
//! V-HACD (Mamou and Ghorbel 2009) fills the solid with small cubes and cuts them apart along the axes as long as the
//! hull of a part has too much volume that the part has not. A piece is then the hull of the triangles in its outer
//! cubes and of its inner cubes, so that what is convex keeps its shape. Pieces may overlap, and they fill hollows
//! smaller than the concavity allowed, and all cavities. What was cut without need is put together again
//! ([`super::merge`]). Answers about the pieces are answers about the approximation.

use std::collections::BTreeSet;

use glam::DVec3;
use parry3d_f64::math::Vector;
use parry3d_f64::transformation::vhacd::{VHACD, VHACDParameters};
use parry3d_f64::transformation::voxelization::{FillMode, VoxelSet};

use super::merge;
use crate::error::BuildError;
use crate::model::convex::measure::volume;
use crate::model::convex::parts::Parts;
use crate::model::convex::polyhedron::Convex;
use crate::model::mesh::triangle_mesh::Mesh;

/// Part of the concavity that merging two pieces may add: V-HACD cuts by rough estimates, and cuts too much.
const MERGED: f64 = 0.1;

/// How closely a solid is approximated by [`Parts::approximate`].
///
/// ```
/// use impinge::Approximation;
/// let coarse = Approximation { most_pieces: 16, ..Approximation::default() };
/// assert_eq!(coarse.resolution, 64);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Approximation {
    /// Cubes along the longest side: 8 to 256.
    pub resolution: u32,
    /// Volume that the hull of a piece may add, as part of the volume of the hull of all: above 0.
    pub concavity: f64,
    /// Most pieces, in powers of 2 from 4 on (others are rounded down, and less than 4 give the hull), up to 1024.
    pub most_pieces: u32,
}

impl Default for Approximation {
    fn default() -> Approximation {
        Approximation { resolution: 64, concavity: 0.01, most_pieces: 64 }
    }
}

impl Parts {
    /// A closed mesh, approximated by convex pieces (feature `vhacd`); [`Parts::is_exact`] is false.
    ///
    /// ```
    /// use impinge::{Approximation, BuildError, Mesh, Parts};
    /// # use impinge::glam::DVec3;
    /// # let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]].map(DVec3::from_array);
    /// # let mesh = Mesh::new(corners.to_vec(), vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
    /// let parts = Parts::approximate(&mesh, &Approximation { resolution: 32, ..Default::default() })?;
    /// assert!(!parts.is_exact());
    /// # Ok::<(), BuildError>(())
    /// ```
    pub fn approximate(mesh: &Mesh, how: &Approximation) -> Result<Parts, BuildError> {
        if !mesh.report().closed {
            mesh.clone().into_solid()?;
            return Err(BuildError::Empty);
        }
        if !(how.concavity > 0.0 && how.concavity.is_finite()) {
            return Err(BuildError::NotPositive { what: "concavity", value: how.concavity });
        }
        if !(8..=256).contains(&how.resolution) {
            return Err(BuildError::NotDecomposed { why: "the resolution is not between 8 and 256" });
        }
        let triangles: Vec<[DVec3; 3]> = (0..mesh.triangle_count() as u32).filter_map(|i| mesh.triangle(i)).collect();
        let points: Vec<DVec3> = triangles.iter().flatten().copied().collect();
        let hull = Convex::hull(&points)?;
        if hull.face_count() < 4 {
            return Err(BuildError::NotDecomposed { why: "it has no volume" });
        }
        if how.most_pieces < 4 {
            return Ok(Parts::new(vec![hull])?.into_approximation());
        }
        // About 1 in size, whatever the units.
        let (centre, size) = (hull.centre(), hull.radius());
        let groups = cut(&points.iter().map(|p| (*p - centre) / size).collect::<Vec<_>>(), how);
        let pieces = groups.iter().map(|g| Convex::hull(&g.iter().map(|p| centre + size * *p).collect::<Vec<_>>()));
        let mut pieces = pieces.collect::<Result<Vec<Convex>, BuildError>>()?;
        let whole = volume(&hull);
        merge::merge(&mut pieces, whole, |added| added <= MERGED * how.concavity * whole)?;
        Ok(Parts::new(if pieces.is_empty() { vec![hull] } else { pieces })?.into_approximation())
    }
}

/// Point sets whose hulls are the pieces; three points each make a triangle.
fn cut(points: &[DVec3], how: &Approximation) -> Vec<Vec<DVec3>> {
    let vectors: Vec<Vector> = points.iter().map(|p| Vector::new(p.x, p.y, p.z)).collect();
    let indices: Vec<[u32; 3]> = (0..points.len() as u32 / 3).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    let fill_mode = FillMode::FloodFill { detect_cavities: false };
    let voxels = VoxelSet::voxelize(&vectors, &indices, how.resolution, fill_mode, true);
    if voxels.is_empty() {
        return Vec::new();
    }
    let outer: BTreeSet<_> = voxels.voxels().iter().filter(|v| v.is_on_surface).map(|v| v.coords.to_array()).collect();
    let parameters = VHACDParameters {
        resolution: how.resolution,
        concavity: how.concavity,
        // The cuts go one level deeper than this asks for.
        max_convex_hulls: 1 << (how.most_pieces.clamp(4, 1024).ilog2() - 1),
        fill_mode,
        ..VHACDParameters::default()
    };
    let parts = VHACD::from_voxels(&parameters, voxels);
    let pieces = parts.voxel_parts().iter().map(|part| {
        let mut group: Vec<DVec3> = part
            .compute_primitive_intersections(&vectors, &indices)
            .iter()
            .map(|p| DVec3::new(p.x, p.y, p.z))
            .collect();
        for voxel in part.voxels().iter().filter(|v| !outer.contains(&v.coords.to_array())) {
            let p = part.get_voxel_point(voxel);
            let half = 0.5 * part.scale;
            group.extend((0..8).map(|i| {
                let sign = |bit: u32| if i >> bit & 1 == 1 { half } else { -half };
                DVec3::new(p.x + sign(0), p.y + sign(1), p.z + sign(2))
            }));
        }
        group
    });
    pieces.filter(|group| !group.is_empty()).collect()
}
