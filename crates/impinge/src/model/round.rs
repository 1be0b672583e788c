//! Shapes by name: sphere, capsule, box, cylinder, cone, ellipsoid, half-space, and a margin around any of them.
//!
//! A shape is a *core* and a margin: all points within the margin of the core. A sphere is a point with a margin, a
//! capsule a segment with one; so the engines see cores without curvature wherever possible, and the margins come off
//! the distance afterwards, exactly. Cores are polyhedra ([`Convex`]), smooth bodies known by their support mapping, or
//! a half-space.

use std::fmt;
use std::sync::Arc;

use glam::DVec3;

use super::convex::polyhedron::{CONVEX_LIMIT, Convex};
use super::shape::Shape;
use crate::error::BuildError;
use crate::prim::{Cone, Cylinder, Ellipsoid, Support};

/// A shape in closed form, or any convex body with a margin around it.
///
/// All are centred at the origin with their axis along z, unless they are given by points.
///
/// ```
/// use impinge::{glam::DVec3, Round};
/// let ball = Round::sphere(0.5)?;
/// let pill = Round::capsule(0.25, 1.0)?;
/// let brick = Round::cuboid(DVec3::new(1.0, 2.0, 3.0))?.with_margin(0.1)?;
/// assert_eq!((ball.kind(), pill.kind(), brick.kind()), ("sphere", "capsule", "box"));
/// assert!(Round::sphere(-1.0).is_err());
/// # Ok::<(), impinge::BuildError>(())
/// ```
#[derive(Clone)]
pub struct Round {
    shape: Shape,
    body: Body,
    margin: f64,
}

#[derive(Debug, Clone)]
enum Body {
    Polyhedron(Arc<Convex>),
    Smooth(Arc<dyn Support>),
    HalfSpace { normal: DVec3, offset: f64 },
}

/// A shape without its margin.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Core<'r> {
    Polyhedron(&'r Convex),
    Smooth(&'r dyn Support),
    /// `normal·x ≤ offset`, the normal of unit length.
    HalfSpace {
        normal: DVec3,
        offset: f64,
    },
}

impl Round {
    /// A ball.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Pair, Pose, Round};
    /// let mut pair = Pair::new(Round::sphere(1.0)?, Round::point(DVec3::X * 3.0)?);
    /// assert!(pair.distance(&Pose::IDENTITY, &Pose::IDENTITY).interval.contains(2.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sphere(radius: f64) -> Result<Round, BuildError> {
        let radius = length("radius", radius)?;
        Round::polyhedral(Shape::Sphere { radius }, &[DVec3::ZERO], radius)
    }

    /// A cylinder with a half-ball on each end; `height` is between the centres of the balls.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Pair, Pose, Round};
    /// let mut pair = Pair::new(Round::capsule(1.0, 4.0)?, Round::point(DVec3::Z * 5.0)?);
    /// assert!(pair.distance(&Pose::IDENTITY, &Pose::IDENTITY).interval.contains(2.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn capsule(radius: f64, height: f64) -> Result<Round, BuildError> {
        let (radius, half) = (length("radius", radius)?, 0.5 * length("height", height)?);
        Round::polyhedral(Shape::Capsule { radius, height }, &[DVec3::Z * -half, DVec3::Z * half], radius)
    }

    /// A box with these full sides.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Pair, Pose, Round};
    /// let mut pair = Pair::new(Round::cuboid(DVec3::new(2.0, 4.0, 6.0))?, Round::point(DVec3::Z * 5.0)?);
    /// assert!(pair.distance(&Pose::IDENTITY, &Pose::IDENTITY).interval.contains(2.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cuboid(sides: DVec3) -> Result<Round, BuildError> {
        let mut half = DVec3::ZERO;
        for axis in 0..3 {
            half[axis] = 0.5 * length("side", sides[axis])?;
        }
        let sign = |bit: u32| if bit == 0 { -1.0 } else { 1.0 };
        let corner = |i: u32| half * DVec3::new(sign(i & 1), sign(i & 2), sign(i & 4));
        Round::polyhedral(Shape::Cuboid { sides }, &[0, 1, 2, 3, 4, 5, 6, 7].map(corner), 0.0)
    }

    /// A cylinder.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Pair, Pose, Round};
    /// let mut pair = Pair::new(Round::cylinder(1.0, 4.0)?, Round::point(DVec3::Z * 5.0)?);
    /// assert!(pair.distance(&Pose::IDENTITY, &Pose::IDENTITY).interval.contains(3.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cylinder(radius: f64, height: f64) -> Result<Round, BuildError> {
        let (radius, half) = (length("radius", radius)?, 0.5 * length("height", height)?);
        Ok(Round::smooth(Shape::Cylinder { radius, height }, Arc::new(Cylinder { radius, half })))
    }

    /// A cone with its base at `z = −height/2` and its apex at `z = height/2`.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Pair, Pose, Round};
    /// let mut pair = Pair::new(Round::cone(1.0, 4.0)?, Round::point(DVec3::Z * 5.0)?);
    /// assert!(pair.distance(&Pose::IDENTITY, &Pose::IDENTITY).interval.contains(3.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cone(radius: f64, height: f64) -> Result<Round, BuildError> {
        let (radius, half) = (length("radius", radius)?, 0.5 * length("height", height)?);
        Ok(Round::smooth(Shape::Cone { radius, height }, Arc::new(Cone { radius, half })))
    }

    /// An ellipsoid.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Pair, Pose, Round};
    /// let mut pair = Pair::new(Round::ellipsoid(DVec3::new(1.0, 2.0, 3.0))?, Round::point(DVec3::Z * 5.0)?);
    /// assert!(pair.distance(&Pose::IDENTITY, &Pose::IDENTITY).interval.contains(2.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn ellipsoid(radii: DVec3) -> Result<Round, BuildError> {
        for axis in 0..3 {
            length("radius", radii[axis])?;
        }
        Ok(Round::smooth(Shape::Ellipsoid { radii }, Arc::new(Ellipsoid { radii })))
    }

    /// The points `x` with `normal·x ≤ offset`.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Pair, Pose, Round};
    /// let mut pair = Pair::new(Round::half_space(DVec3::Z, 0.0)?, Round::sphere(0.5)?);
    /// assert!(pair.distance(&Pose::IDENTITY, &Pose::at(DVec3::Z * 2.0)?).interval.contains(1.5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn half_space(normal: DVec3, offset: f64) -> Result<Round, BuildError> {
        let largest = normal.abs().max_element();
        let bad = |value| BuildError::NotPositive { what: "length of the normal", value };
        // `max` drops a NaN.
        if !normal.is_finite() || largest == 0.0 {
            return Err(bad(normal.length()));
        }
        // What is of unit length already stays as it is, so that a half-space made again is the same.
        let is_unit = (normal.length_squared() - 1.0).abs() <= 4.0 * f64::EPSILON;
        let shrunk = if is_unit { normal } else { normal / largest };
        let offset = if is_unit { offset } else { offset / largest / shrunk.length() };
        if offset.is_nan() || offset.abs() > CONVEX_LIMIT {
            return Err(BuildError::OutOfScale { what: "offset", value: offset, limit: CONVEX_LIMIT });
        }
        let normal = if is_unit { normal } else { shrunk.normalize() };
        Ok(Round { shape: Shape::HalfSpace { normal, offset }, body: Body::HalfSpace { normal, offset }, margin: 0.0 })
    }

    /// A point.
    pub fn point(p: DVec3) -> Result<Round, BuildError> {
        Round::polyhedral(Shape::Point(p), &[p], 0.0)
    }

    /// A segment.
    pub fn segment(p: DVec3, q: DVec3) -> Result<Round, BuildError> {
        Round::polyhedral(Shape::Segment([p, q]), &[p, q], 0.0)
    }

    /// A triangle.
    pub fn triangle(p: DVec3, q: DVec3, r: DVec3) -> Result<Round, BuildError> {
        Round::polyhedral(Shape::Triangle([p, q, r]), &[p, q, r], 0.0)
    }

    /// The hull of points of a plane. (Points off the plane are in it, too.)
    pub fn polygon(points: &[DVec3]) -> Result<Round, BuildError> {
        Round::polyhedral(Shape::Polygon(points.into()), points, 0.0)
    }

    /// All points within `margin` of a polyhedron.
    pub fn around(convex: Convex, margin: f64) -> Result<Round, BuildError> {
        Round::around_shared(Arc::new(convex)).with_margin(margin)
    }

    /// A polyhedron that may be shared, without a margin as yet.
    fn around_shared(convex: Arc<Convex>) -> Round {
        Round { shape: Shape::Hull(Arc::clone(&convex)), body: Body::Polyhedron(convex), margin: 0.0 }
    }

    /// A body of your own. Where a support that it returns is not finite, its centre is used instead.
    pub fn custom(body: Arc<dyn Support>) -> Result<Round, BuildError> {
        let (centre, radius) = (body.centre(), body.radius());
        if !(centre.abs().max_element() <= CONVEX_LIMIT && centre.is_finite()) {
            return Err(BuildError::NotFinite { vertex: 0, position: centre.to_array() });
        }
        if radius != 0.0 {
            length("radius", radius)?;
        }
        Ok(Round::smooth(Shape::Custom(Arc::clone(&body)), Arc::new(Guarded { body, centre, radius })))
    }

    /// The shape with all points within `margin` of it; margins add up.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Pair, Pose, Round};
    /// let cushion = Round::cuboid(DVec3::splat(2.0))?.with_margin(0.25)?;
    /// let mut pair = Pair::new(cushion, Round::point(DVec3::X * 3.0)?);
    /// assert!(pair.distance(&Pose::IDENTITY, &Pose::IDENTITY).interval.contains(1.75));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_margin(self, margin: f64) -> Result<Round, BuildError> {
        if margin != 0.0 {
            length("margin", margin)?;
        }
        let margin = self.margin + margin;
        if margin > CONVEX_LIMIT {
            return Err(BuildError::OutOfScale { what: "margin", value: margin, limit: CONVEX_LIMIT });
        }
        let shape = match self.shape {
            Shape::Sphere { .. } => Shape::Sphere { radius: margin },
            Shape::Capsule { height, .. } => Shape::Capsule { radius: margin, height },
            other => other,
        };
        Ok(Round { shape, margin, ..self })
    }

    /// The name of the shape: `"sphere"`, `"capsule"`, `"box"`, `"cylinder"`, `"cone"`, `"ellipsoid"`, `"half-space"`,
    /// `"point"`, `"segment"`, `"triangle"`, `"polygon"`, `"hull"` or `"custom"`.
    pub fn kind(&self) -> &'static str {
        self.shape.name()
    }

    /// Which shape it is, and its parameters.
    ///
    /// ```
    /// use impinge::{Round, Shape};
    /// let pill = Round::capsule(0.25, 2.0)?;
    /// assert!(matches!(pill.shape(), Shape::Capsule { radius: 0.25, height: 2.0 }));
    /// # Ok::<(), impinge::BuildError>(())
    /// ```
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The margin that is none of the shape's own parameters: 0 of spheres and capsules, whose radius it is.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Round};
    /// assert_eq!(Round::cuboid(DVec3::ONE)?.with_margin(0.5)?.extra_margin(), 0.5);
    /// assert_eq!(Round::sphere(1.0)?.with_margin(0.5)?.extra_margin(), 0.0, "it is a sphere of radius 1.5");
    /// # Ok::<(), impinge::BuildError>(())
    /// ```
    pub fn extra_margin(&self) -> f64 {
        if self.shape.is_margin_only() { 0.0 } else { self.margin }
    }

    /// How far the shape reaches beyond its core; the radius of a sphere or capsule.
    pub fn margin(&self) -> f64 {
        self.margin
    }

    /// The core, where it is a polyhedron: the centre of a sphere, the axis of a capsule, all of a box without a
    /// margin. The shape is all points within its margin of the core. `None` for a core that is curved, and for
    /// half-spaces.
    ///
    /// ```
    /// use impinge::Round;
    /// let pill = Round::capsule(0.5, 2.0)?;
    /// assert_eq!((pill.polyhedron().map(|axis| axis.vertex_count()), pill.margin()), (Some(2), 0.5));
    /// assert!(Round::cone(0.5, 2.0)?.polyhedron().is_none());
    /// # Ok::<(), impinge::BuildError>(())
    /// ```
    pub fn polyhedron(&self) -> Option<&Convex> {
        match &self.body {
            Body::Polyhedron(convex) => Some(convex),
            Body::Smooth(_) | Body::HalfSpace { .. } => None,
        }
    }

    #[inline]
    pub(crate) fn core(&self) -> Core<'_> {
        match &self.body {
            Body::Polyhedron(convex) => Core::Polyhedron(convex),
            Body::Smooth(body) => Core::Smooth(body.as_ref()),
            Body::HalfSpace { normal, offset } => Core::HalfSpace { normal: *normal, offset: *offset },
        }
    }

    fn polyhedral(shape: Shape, points: &[DVec3], margin: f64) -> Result<Round, BuildError> {
        Ok(Round { shape, body: Body::Polyhedron(Arc::new(Convex::hull(points)?)), margin })
    }

    fn smooth(shape: Shape, body: Arc<dyn Support>) -> Round {
        Round { shape, body: Body::Smooth(body), margin: 0.0 }
    }
}

impl TryFrom<Shape> for Round {
    type Error = BuildError;

    fn try_from(shape: Shape) -> Result<Round, BuildError> {
        match shape {
            Shape::Sphere { radius } => Round::sphere(radius),
            Shape::Capsule { radius, height } => Round::capsule(radius, height),
            Shape::Cuboid { sides } => Round::cuboid(sides),
            Shape::Cylinder { radius, height } => Round::cylinder(radius, height),
            Shape::Cone { radius, height } => Round::cone(radius, height),
            Shape::Ellipsoid { radii } => Round::ellipsoid(radii),
            Shape::HalfSpace { normal, offset } => Round::half_space(normal, offset),
            Shape::Point(p) => Round::point(p),
            Shape::Segment([p, q]) => Round::segment(p, q),
            Shape::Triangle([p, q, r]) => Round::triangle(p, q, r),
            Shape::Polygon(points) => Round::polygon(&points),
            Shape::Hull(convex) => Ok(Round::around_shared(convex)),
            Shape::Custom(body) => Round::custom(body),
        }
    }
}

/// Its shape and its margin.
impl fmt::Debug for Round {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Round").field("shape", &self.shape).field("margin", &self.margin).finish()
    }
}

/// A length that is positive, finite and within the scale of convex bodies.
fn length(what: &'static str, value: f64) -> Result<f64, BuildError> {
    if !(value > 0.0 && value.is_finite()) {
        return Err(BuildError::NotPositive { what, value });
    }
    if !(CONVEX_LIMIT.recip()..=CONVEX_LIMIT).contains(&value) {
        return Err(BuildError::OutOfScale { what, value, limit: CONVEX_LIMIT });
    }
    Ok(value)
}

/// A user's body; supports that are not finite are replaced by its centre.
#[derive(Debug)]
struct Guarded {
    body: Arc<dyn Support>,
    centre: DVec3,
    radius: f64,
}

impl Support for Guarded {
    fn support(&self, direction: DVec3) -> DVec3 {
        let p = self.body.support(direction);
        if (p - self.centre).abs().max_element() <= CONVEX_LIMIT && p.is_finite() { p } else { self.centre }
    }

    fn centre(&self) -> DVec3 {
        self.centre
    }

    fn radius(&self) -> f64 {
        self.radius
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_bad_lengths() {
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let refused = |r: Result<Round, BuildError>| matches!(r, Err(BuildError::NotPositive { .. }));
            assert!(refused(Round::sphere(bad)), "{bad}");
            assert!(refused(Round::capsule(1.0, bad)) && refused(Round::capsule(bad, 1.0)));
            assert!(refused(Round::cylinder(1.0, bad)) && refused(Round::cone(bad, 1.0)));
            assert!(refused(Round::cuboid(DVec3::new(1.0, bad, 1.0))));
            assert!(refused(Round::ellipsoid(DVec3::new(1.0, 1.0, bad))));
        }
        for bad in [-1.0, f64::NAN, f64::INFINITY] {
            assert!(Round::sphere(1.0).unwrap().with_margin(bad).is_err(), "{bad}");
        }
        assert!(matches!(Round::sphere(1e60), Err(BuildError::OutOfScale { what: "radius", .. })));
        assert!(matches!(Round::cone(1.0, 1e-60), Err(BuildError::OutOfScale { what: "height", .. })));
        assert!(matches!(Round::point(DVec3::splat(f64::NAN)), Err(BuildError::NotFinite { vertex: 0, .. })));
        assert!(Round::polygon(&[]).is_err());
    }

    #[test]
    fn half_spaces_are_normalised() {
        for scale in [1e-300, 1.0, 1e300] {
            let half = Round::half_space(DVec3::new(0.0, 3.0, 4.0) * scale, 10.0 * scale).unwrap();
            let Core::HalfSpace { normal, offset } = half.core() else { panic!("{half:?}") };
            assert!(normal.distance(DVec3::new(0.0, 0.6, 0.8)) < 1e-15 && (offset - 2.0).abs() < 1e-15);
        }
        assert!(Round::half_space(DVec3::ZERO, 1.0).is_err());
        assert!(Round::half_space(DVec3::new(f64::NAN, 1.0, 0.0), 1.0).is_err());
        assert!(Round::half_space(DVec3::X, f64::NAN).is_err());
        assert!(Round::half_space(DVec3::X, f64::INFINITY).is_err());
    }

    #[test]
    fn cores_and_margins() {
        let ball = Round::sphere(2.0).unwrap().with_margin(0.5).unwrap();
        assert_eq!(ball.margin(), 2.5);
        assert!(matches!(ball.core(), Core::Polyhedron(c) if c.vertices() == [DVec3::ZERO]));
        let pill = Round::capsule(1.0, 4.0).unwrap();
        assert!(matches!(pill.core(), Core::Polyhedron(c) if c.edge_count() == 1 && c.radius() == 2.0));
        let brick = Round::cuboid(DVec3::new(2.0, 4.0, 6.0)).unwrap();
        assert!(matches!(brick.core(), Core::Polyhedron(c) if c.face_count() == 6 && c.reach() == 3.0));
    }

    #[test]
    fn custom_bodies_cannot_answer_nan() {
        #[derive(Debug)]
        struct Bad;
        impl Support for Bad {
            fn support(&self, _: DVec3) -> DVec3 {
                DVec3::NAN
            }
            fn centre(&self) -> DVec3 {
                DVec3::X
            }
            fn radius(&self) -> f64 {
                1.0
            }
        }
        let round = Round::custom(Arc::new(Bad)).unwrap();
        let Core::Smooth(body) = round.core() else { panic!("{round:?}") };
        assert_eq!(body.support(DVec3::Y), DVec3::X);
    }
}
