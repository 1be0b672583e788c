//! Which shape a [`Round`](super::round::Round) is, and its parameters: what it was made with, and what makes it again.

use std::sync::Arc;

use glam::DVec3;

use super::convex::polyhedron::Convex;
use crate::prim::Support;

/// A shape and its parameters, as the constructors of [`Round`](crate::Round) take them.
///
/// [`Round::shape`](crate::Round::shape) tells it, and `Round::try_from` makes a body of it again, which gives the same
/// answers:
///
/// ```
/// use impinge::{glam::DVec3, Round, Shape};
/// let brick = Round::cuboid(DVec3::new(1.0, 2.0, 3.0))?.with_margin(0.25)?;
/// let Shape::Cuboid { sides } = brick.shape() else { panic!("it is a box") };
/// assert_eq!((*sides, brick.extra_margin()), (DVec3::new(1.0, 2.0, 3.0), 0.25));
/// let again = Round::try_from(brick.shape().clone())?.with_margin(brick.extra_margin())?;
/// assert_eq!(again.margin(), brick.margin());
/// # Ok::<(), impinge::BuildError>(())
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Shape {
    /// [`Round::sphere`](crate::Round::sphere).
    Sphere {
        /// Its radius, with all margins that were added.
        radius: f64,
    },
    /// [`Round::capsule`](crate::Round::capsule).
    Capsule {
        /// Its radius, with all margins that were added.
        radius: f64,
        /// Between the centres of the half-balls at its ends.
        height: f64,
    },
    /// [`Round::cuboid`](crate::Round::cuboid), a box.
    Cuboid {
        /// Its full sides; half of them are the half extents.
        sides: DVec3,
    },
    /// [`Round::cylinder`](crate::Round::cylinder).
    Cylinder {
        /// Its radius.
        radius: f64,
        /// Its full height.
        height: f64,
    },
    /// [`Round::cone`](crate::Round::cone).
    Cone {
        /// Of its base, at `z = −height/2`.
        radius: f64,
        /// Its full height; the apex is at `z = height/2`.
        height: f64,
    },
    /// [`Round::ellipsoid`](crate::Round::ellipsoid).
    Ellipsoid {
        /// Its three radii.
        radii: DVec3,
    },
    /// [`Round::half_space`](crate::Round::half_space), the points `x` with `normal·x ≤ offset`.
    HalfSpace {
        /// The outward normal, of unit length.
        normal: DVec3,
        /// The distance of the plane from the origin along the normal.
        offset: f64,
    },
    /// [`Round::point`](crate::Round::point).
    Point(DVec3),
    /// [`Round::segment`](crate::Round::segment), by its ends.
    Segment([DVec3; 2]),
    /// [`Round::triangle`](crate::Round::triangle), by its corners.
    Triangle([DVec3; 3]),
    /// [`Round::polygon`](crate::Round::polygon), by the points that it was made of.
    Polygon(Arc<[DVec3]>),
    /// [`Round::around`](crate::Round::around), a polyhedron with a margin.
    Hull(Arc<Convex>),
    /// [`Round::custom`](crate::Round::custom), a body of your own.
    Custom(Arc<dyn Support>),
}

impl Shape {
    /// The name of the shape; see [`Round::kind`](crate::Round::kind).
    ///
    /// ```
    /// assert_eq!(impinge::Shape::Sphere { radius: 1.0 }.name(), "sphere");
    /// ```
    pub fn name(&self) -> &'static str {
        match self {
            Shape::Sphere { .. } => "sphere",
            Shape::Capsule { .. } => "capsule",
            Shape::Cuboid { .. } => "box",
            Shape::Cylinder { .. } => "cylinder",
            Shape::Cone { .. } => "cone",
            Shape::Ellipsoid { .. } => "ellipsoid",
            Shape::HalfSpace { .. } => "half-space",
            Shape::Point(_) => "point",
            Shape::Segment(_) => "segment",
            Shape::Triangle(_) => "triangle",
            Shape::Polygon(_) => "polygon",
            Shape::Hull(_) => "hull",
            Shape::Custom(_) => "custom",
        }
    }

    /// Whether the radius of the shape is the margin of its core.
    pub(crate) fn is_margin_only(&self) -> bool {
        matches!(self, Shape::Sphere { .. } | Shape::Capsule { .. })
    }
}
