//! The first front face of a mesh along a line: how deep a point is below the surface.
//!
//! Cost: the boxes that the line meets before the surface.

use glam::DVec3;

use super::triangle_pair::along;
use crate::math::simd::{Kernel, Simd, dispatch};
use crate::model::Mesh;
use crate::tree::descent::line::{LineQuery, TreeLine, along_line};
use crate::tree::nodes::Leaf;

/// How far from the tree's middle a line may begin, in its units.
const NEAR: f64 = 12.0;

/// The distance from `x`, along a unit direction, to the first triangle, and its place, if one of its sides is seen
/// from behind: then `x` is below the surface by as much. At most `most` away.
pub(super) fn below_surface(mesh: &Mesh, x: DVec3, direction: DVec3, most: f64) -> Option<(f64, u32)> {
    let tree = mesh.tree();
    let near = (x - tree.centre).length() <= NEAR * tree.unit;
    if mesh.is_empty() || !near {
        return None;
    }
    let best = dispatch(FirstAlong { mesh, x, direction, best: (most, None) });
    let (distance, place) = (best.0, best.1?);
    let normal = mesh.surroundings().normal(place);
    let rise = normal.dot(direction);
    (rise > 0.01 || rise < -0.01 && mesh.is_two_sided(place)).then_some((distance, place))
}

struct FirstAlong<'m> {
    mesh: &'m Mesh,
    x: DVec3,
    direction: DVec3,
    best: (f64, Option<u32>),
}

impl Kernel for FirstAlong<'_> {
    type Output = (f64, Option<u32>);

    #[inline(always)]
    fn run<S: Simd>(mut self) -> (f64, Option<u32>) {
        let tree = self.mesh.tree();
        let line = TreeLine::new(tree, self.x, self.direction, 0.0);
        let most = self.best.0 / tree.unit;
        along_line::<S>(tree, &line, most, &mut self);
        self.best
    }
}

impl LineQuery for FirstAlong<'_> {
    fn leaf<S: Simd>(&mut self, leaf: Leaf) -> Option<f64> {
        for place in leaf.places() {
            if let Some(distance) = along(&self.mesh.corners(place), self.x, self.direction)
                && distance >= 0.0
                && distance < self.best.0
            {
                self.best = (distance, Some(place));
            }
        }
        Some(self.best.0 / self.mesh.tree().unit)
    }
}
