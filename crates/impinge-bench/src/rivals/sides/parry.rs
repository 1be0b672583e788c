//! Queries parry3d-f64 in both ways it offers: by its own dispatch, and by a walk down both trees.

use impinge::Pose;
use impinge::glam::DVec3;
use parry3d_f64::bounding_volume::BoundingVolume;
use parry3d_f64::math::{Pose as ParryPose, Rotation, Vector};
use parry3d_f64::query::{self, details::intersection_test_support_map_support_map};
use parry3d_f64::shape::TriMesh;

use crate::error::BenchError;
use crate::shapes::Soup;

/// A mesh as parry holds it.
pub(in crate::rivals) struct Parry(TriMesh);

impl Parry {
    /// Copies the arrays, as ours does.
    pub(in crate::rivals) fn new(name: &str, soup: &Soup) -> Result<Parry, BenchError> {
        let vertices = soup.vertices.iter().map(|v| Vector::new(v.x, v.y, v.z)).collect();
        let refused = |reason: String| BenchError::Rival { name: name.to_owned(), reason };
        TriMesh::new(vertices, soup.triangles.clone()).map(Parry).map_err(|e| refused(e.to_string()))
    }

    /// Every pair of intersecting triangles: parry's [`leaf_pairs`](parry3d_f64::partitioning::Bvh::leaf_pairs) walks
    /// both trees at once, its GJK decides on triangles.
    fn dual<'a>(&'a self, b: &'a Parry, b_in_a: &'a ParryPose) -> impl Iterator<Item = [u32; 2]> + 'a {
        let boxes = self.0.bvh().leaf_pairs(b.0.bvh(), |x, y| x.aabb().intersects(&y.aabb().transform_by(b_in_a)));
        boxes
            .map(|(i, j)| [i, j])
            .filter(|&[i, j]| intersection_test_support_map_support_map(b_in_a, &self.0.triangle(i), &b.0.triangle(j)))
    }

    /// First contact, both trees at once.
    pub(in crate::rivals) fn overlap(&self, b: &Parry, poses: &ParryPoses) -> bool {
        self.dual(b, &poses.b_in_a()).next().is_some()
    }

    /// How many pairs of triangles intersect, both trees at once.
    pub(in crate::rivals) fn count(&self, b: &Parry, poses: &ParryPoses) -> usize {
        self.dual(b, &poses.b_in_a()).count()
    }

    /// Which pairs of triangles intersect, sorted.
    pub(in crate::rivals) fn contacts(&self, b: &Parry, poses: &ParryPoses) -> Vec<[u32; 2]> {
        let mut pairs: Vec<_> = self.dual(b, &poses.b_in_a()).collect();
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    /// parry's own answer: a walk down one tree for each triangle of the other mesh. `None` where it has none.
    pub(in crate::rivals) fn nested_overlap(&self, b: &Parry, poses: &ParryPoses) -> Option<bool> {
        query::intersection_test(&poses.0, &self.0, &poses.1, &b.0).ok().map(|answer| answer.intersecting)
    }

    /// parry's own answer, as [`Parry::nested_overlap`].
    pub(in crate::rivals) fn nested_distance(&self, b: &Parry, poses: &ParryPoses) -> Option<f64> {
        query::distance(&poses.0, &self.0, &poses.1, &b.0).ok().map(|answer| answer.distance)
    }
}

/// A point or direction as parry holds it.
pub(in crate::rivals) fn vector(v: DVec3) -> Vector {
    Vector::new(v.x, v.y, v.z)
}

/// The poses of `a` and of `b`.
pub(in crate::rivals) struct ParryPoses(pub(in crate::rivals) ParryPose, pub(in crate::rivals) ParryPose);

impl ParryPoses {
    pub(in crate::rivals) fn new([a, b]: &[Pose; 2]) -> ParryPoses {
        let convert = |p: &Pose| {
            let (t, q) = (p.translation(), p.rotation());
            ParryPose::from_parts(Vector::new(t.x, t.y, t.z), Rotation::from_xyzw(q.x, q.y, q.z, q.w))
        };
        ParryPoses(convert(a), convert(b))
    }

    pub(in crate::rivals) fn b_in_a(&self) -> ParryPose {
        self.0.inv_mul(&self.1)
    }
}
