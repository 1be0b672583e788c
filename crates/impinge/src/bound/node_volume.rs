//! What a tree requires of a volume around the triangles of a node, and of its placement in the frame of another tree.

use std::fmt::Debug;

use glam::{DMat3, DVec3};

/// A volume around some triangles.
///
/// Coordinates are in the tree's own unit, in which its body lies within ±1. Of the two trees of a query one stands
/// still, and the volumes of the other are placed in its frame, each when the descent first needs it.
///
/// **Rounding.** A volume may fall short of its triangles, and a distance be off, by `2⁻⁴⁶` times the largest
/// coordinate in play (of the volume that stands still, of the placed one, and of the placement): the descent takes
/// [`SLACK`] times that off every bound. So plain `f64` arithmetic with fewer than a hundred roundings needs no care.
///
/// ```
/// use impinge::bound::{Bound, Placement};
/// use impinge::glam::DVec3;
///
/// /// The slab between two heights.
/// #[derive(Debug, Clone)]
/// struct Slab([f64; 2]);
///
/// impl Bound for Slab {
///     /// Heights in the frame of the other body.
///     type Placed = [f64; 2];
///
///     fn around(triangles: &[[DVec3; 3]]) -> Slab {
///         let z = || triangles.iter().flatten().map(|p| p.z);
///         Slab([z().fold(f64::INFINITY, f64::min), z().fold(f64::NEG_INFINITY, f64::max)])
///     }
///
///     fn place(&self, to: &Placement) -> [f64; 2] {
///         // The body lies within ±1 in x and y.
///         let across = to.rotation.x_axis.z.abs() + to.rotation.y_axis.z.abs();
///         let ends = self.0.map(|z| to.rotation.z_axis.z * z * to.scale + to.translation.z);
///         [ends[0].min(ends[1]) - across * to.scale, ends[0].max(ends[1]) + across * to.scale]
///     }
///
///     fn apart(&self, other: &[f64; 2]) -> f64 {
///         (other[0] - self.0[1]).max(self.0[0] - other[1]).max(0.0)
///     }
///
///     fn at_most(&self, _: &[f64; 2]) -> f64 {
///         f64::INFINITY
///     }
/// }
///
/// use impinge::{Mesh, Pair, Pose};
/// let flat = |z: f64| {
///     let v = [[0., 0., z], [1., 0., z], [0., 1., z]].map(DVec3::from_array).to_vec();
///     Mesh::new(v, vec![[0, 1, 2]]).map(|mesh| mesh.with_bound::<Slab>())
/// };
/// let mut pair = Pair::new(flat(0.0)?, flat(2.0)?);
/// assert!(pair.distance(&Pose::IDENTITY, &Pose::IDENTITY).interval.contains(2.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Bound: Debug + Send + Sync + Sized + 'static {
    /// A volume of the other tree, in the frame and unit of this one.
    type Placed: Debug + Send + Sync + 'static;

    /// A volume that contains the triangles, of which there is at least one.
    fn around(triangles: &[[DVec3; 3]]) -> Self;

    /// May take a smaller volume instead, around those of the children, which contain the same triangles.
    fn tighten(&mut self, children: &[Self]) {
        let _ = children;
    }

    /// Where the volume stands in the other tree's frame, or a volume around that.
    fn place(&self, to: &Placement) -> Self::Placed;

    /// How far the two are apart at least; 0 where nothing better is known.
    fn apart(&self, other: &Self::Placed) -> f64;

    /// The distance of any point of the one to any point of the other is at most this; ∞ where nothing is known.
    fn at_most(&self, other: &Self::Placed) -> f64;

    /// Bytes that the volume takes.
    fn bytes(&self) -> usize {
        size_of::<Self>()
    }
}

/// Taken off every bound, times the largest coordinate in play.
///
/// ```
/// assert_eq!(impinge::bound::SLACK, 2.0_f64.powi(-45));
/// ```
pub const SLACK: f64 = 1.0 / (1u64 << 45) as f64;

/// The map from one tree's coordinates to another's: `x ↦ scale·rotation·x + translation`.
///
/// ```
/// use impinge::{bound::Placement, glam::DVec3};
/// let moved = Placement { translation: DVec3::X, scale: 0.5, ..Placement::IDENTITY };
/// assert_eq!(moved.apply(DVec3::Y * 4.0), DVec3::new(1.0, 2.0, 0.0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Placement {
    /// A rotation, up to rounding.
    pub rotation: DMat3,
    /// Where the origin of the moved tree stands.
    pub translation: DVec3,
    /// The unit of the moved tree in units of the other: a power of two, at most 1.
    pub scale: f64,
}

impl Placement {
    /// The map that moves nothing.
    pub const IDENTITY: Placement = Placement { rotation: DMat3::IDENTITY, translation: DVec3::ZERO, scale: 1.0 };

    /// Where a point stands.
    #[inline]
    pub fn apply(&self, p: DVec3) -> DVec3 {
        self.rotation * (p * self.scale) + self.translation
    }
}
