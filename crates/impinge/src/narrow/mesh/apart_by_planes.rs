//! Whether one of three planes shows at once that two meshes are farther apart than a tolerance.
//!
//! Across the thinnest side of either body's box, and across the way between their middles, the boxes two levels below
//! the roots are measured, eight at once. For bodies far apart these planes already decide. A descent would have to
//! open the roots first, whose own boxes reach farther than the boxes below them.
//!
//! Invariant: true only if a plane has more than the tolerance between the bodies.

use glam::{DMat3, DVec3};

use crate::bound::Aabb;
use crate::math::simd::{Kernel, Simd, dispatch};
use crate::math::{EPS, Relative};
use crate::model::Mesh;

/// Whether a plane has more than `enough` between two meshes with triangles.
pub(crate) fn are_apart(a: &Mesh, b: &Mesh, b_in_a: &Relative, enough: f64) -> bool {
    dispatch(AcrossPlanes { meshes: [a, b], b_in_a, enough })
}

struct AcrossPlanes<'q> {
    meshes: [&'q Mesh; 2],
    b_in_a: &'q Relative,
    enough: f64,
}

impl Kernel for AcrossPlanes<'_> {
    type Output = bool;

    #[inline(always)]
    fn run<S: Simd>(self) -> bool {
        are_apart_by_planes::<S>(self.meshes, self.b_in_a, self.enough)
    }
}

#[inline(always)]
fn are_apart_by_planes<S: Simd>([mesh_a, mesh_b]: [&Mesh; 2], b_in_a: &Relative, enough: f64) -> bool {
    let (a, b) = (mesh_a.tree(), mesh_b.tree());
    // More than what is lost where `b` is placed, see `Placed::noise`.
    let size = a.unit + b.unit + b.centre.abs().element_sum() + b_in_a.translation.abs().element_sum() + enough;
    let enough = enough + 256.0 * EPS * size;
    let way = b_in_a.apply(b.centre) - a.centre;
    let length2 = way.length_squared();
    // Squares of lengths beyond these are not to be trusted.
    if !(1e-200..1e200).contains(&length2) {
        return false;
    }
    let turn = &b_in_a.rotation;
    let (i, half) = thinnest(mesh_a.aabb());
    let along = way[i].abs();
    if along > half + enough {
        let n = DVec3::AXES[i] * 1f64.copysign(way[i]);
        let past = b.reach_along::<S>(turned_back(turn, n)) * b.unit;
        if is_wide(along, half + past, enough) {
            return true;
        }
    }
    let (j, half) = thinnest(mesh_b.aabb());
    let along = turn.col(j).dot(way);
    if along.abs() > half + enough {
        let past = a.reach_along::<S>(turn.col(j) * 1f64.copysign(along)) * a.unit;
        if is_wide(along.abs(), half + past, enough) {
            return true;
        }
    }
    let length = length2.sqrt();
    let n = way / length;
    let past = a.reach_along::<S>(n) * a.unit;
    if length - past <= enough {
        return false;
    }
    is_wide(length, past + b.reach_along::<S>(turned_back(turn, n)) * b.unit, enough)
}

/// The direction from `b` to `a` in `b`'s frame.
#[inline(always)]
fn turned_back(turn: &DMat3, n: DVec3) -> DVec3 {
    -DVec3::new(turn.x_axis.dot(n), turn.y_axis.dot(n), turn.z_axis.dot(n))
}

/// Whether bodies that reach `within` of a way are farther apart along it, whatever is lost to rounding.
#[inline(always)]
fn is_wide(along: f64, within: f64, enough: f64) -> bool {
    (along - within) * (1.0 - 1e-9) - 1e-9 * along > enough
}

/// The axis along which a box is thinnest, and half of how thick it is there.
#[inline(always)]
fn thinnest(b: &Aabb) -> (usize, f64) {
    let half = (b.max - b.min) * 0.5;
    let i = if half.x <= half.y && half.x <= half.z {
        0
    } else if half.y <= half.z {
        1
    } else {
        2
    };
    (i, half[i])
}
