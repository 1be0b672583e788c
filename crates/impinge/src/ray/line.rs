//! A ray, and what it hits.

use glam::DVec3;

use crate::answer::Feature;
use crate::error::RayError;
use crate::math::{LIMIT, Pose, normalising_scale};

/// A half-line, or a segment of one.
///
/// ```
/// use impinge::{glam::DVec3, Model, Pose, Ray, Round};
/// let ball = Model::from(Round::sphere(1.0)?);
/// let ray = Ray::new(DVec3::new(-5.0, 0.0, 0.0), DVec3::X)?;
/// let hit = ball.ray(&Pose::IDENTITY, &ray).expect("the ball is ahead");
/// assert!((hit.distance - 4.0).abs() < 1e-12 && hit.normal.distance(-DVec3::X) < 1e-12);
/// assert!(ball.ray(&Pose::IDENTITY, &ray.with_length(3.0)?).is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ray {
    origin: DVec3,
    /// The direction as given, but for a power of two: its greatest component is between a half and 1.
    given: DVec3,
    /// The length of that, and the unit direction.
    norm: f64,
    unit: DVec3,
    length: f64,
}

impl Ray {
    /// The ray that begins at `origin` and goes on without end. The direction has any length.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Ray};
    /// assert!(Ray::new(DVec3::ZERO, DVec3::new(0.0, 3.0, 4.0)).is_ok());
    /// assert!(Ray::new(DVec3::ZERO, DVec3::ZERO).is_err(), "it leads nowhere");
    /// ```
    ///
    /// # Errors
    /// The origin is not finite or beyond ±1e150, or the direction is zero or not finite.
    pub fn new(origin: DVec3, direction: DVec3) -> Result<Ray, RayError> {
        if !origin.is_finite() || origin.abs().max_element() > LIMIT {
            return Err(RayError::Origin(origin));
        }
        if !direction.is_finite() || direction == DVec3::ZERO {
            return Err(RayError::Direction(direction));
        }
        // Twice, because the scale of the least numbers is not representable.
        let scaled = direction * normalising_scale(direction.abs().max_element());
        let given = scaled * normalising_scale(scaled.abs().max_element());
        Ok(Ray { origin, given, norm: given.length(), unit: given.normalize(), length: f64::INFINITY })
    }

    /// The same ray, which now ends at this distance from its origin.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Ray};
    /// let ray = Ray::new(DVec3::ZERO, DVec3::new(0.0, 3.0, 4.0))?.with_length(10.0)?;
    /// assert_eq!(ray.at(10.0), DVec3::new(0.0, 6.0, 8.0));
    /// assert!(ray.with_length(-1.0).is_err());
    /// # Ok::<(), impinge::RayError>(())
    /// ```
    ///
    /// # Errors
    /// The length is negative or NaN; it may be infinite.
    pub fn with_length(self, length: f64) -> Result<Ray, RayError> {
        if length >= 0.0 { Ok(Ray { length, ..self }) } else { Err(RayError::Length(length)) }
    }

    /// Where it begins.
    #[inline]
    pub fn origin(&self) -> DVec3 {
        self.origin
    }

    /// Its unit direction.
    #[inline]
    pub fn direction(&self) -> DVec3 {
        self.unit
    }

    /// The direction as it is kept, for a ray that is to be made again.
    #[cfg(feature = "serde")]
    pub(crate) fn kept_direction(&self) -> DVec3 {
        self.given
    }

    /// How long it is; infinite unless it was told to end.
    #[inline]
    pub fn length(&self) -> f64 {
        self.length
    }

    /// The point at a distance from the origin.
    pub fn at(&self, distance: f64) -> DVec3 {
        self.origin + self.given * (distance / self.norm)
    }

    /// The ray in the frame of a body.
    // With what rejects most rays in one function, what only the others need is not computed before.
    #[inline(always)]
    pub(super) fn seen_from(&self, pose: &Pose) -> Line {
        let back = pose.rotation_matrix().transpose();
        let origin = back * (self.origin - pose.translation());
        Line { origin, direction: back * self.given, unit: back * self.unit, length: self.length }
    }
}

/// A point where a ray meets the surface of a body, in the world frame.
///
/// ```
/// use impinge::{glam::DVec3, Feature, Mesh, Model, Pose, Ray};
/// let corners = [DVec3::ZERO, DVec3::X, DVec3::Y].to_vec();
/// let floor = Model::from(Mesh::new(corners, vec![[0, 1, 2]])?);
/// let hit = floor.ray(&Pose::IDENTITY, &Ray::new(DVec3::new(0.5, 0.5, 2.0), -DVec3::Z)?).expect("it meets an edge");
/// assert_eq!((hit.distance, hit.point, hit.normal), (2.0, DVec3::new(0.5, 0.5, 0.0), DVec3::Z));
/// assert_eq!(hit.feature, Feature::Edge { triangle: 0, vertices: [1, 2] });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RayHit {
    /// How far the point is from the origin of the ray.
    pub distance: f64,
    /// The point.
    pub point: DVec3,
    /// The unit normal of the surface there: of a triangle by the order of its corners, else outward. Zero where the
    /// triangle has none.
    pub normal: DVec3,
    /// The vertex, edge or face of a mesh, by the exact signs of its corners about the ray; or the part of a convex
    /// body.
    pub feature: Feature,
    /// The weights of the second and the third corner of the triangle that was hit; zero for bodies without triangles.
    pub uv: [f64; 2],
}

/// A ray in the frame of a body. Points are `origin + distance·unit`; `direction` is as given, but for a power of two.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line {
    pub(super) origin: DVec3,
    pub(super) direction: DVec3,
    pub(super) unit: DVec3,
    pub(super) length: f64,
}

impl Line {
    /// Whether the ray is long enough for a hit.
    pub(super) fn reaches(&self, hit: &LineHit) -> bool {
        hit.distance <= self.length
    }

    /// A point of the body's frame at which the ray meets the body, in the world frame.
    pub(super) fn hit(&self, pose: &Pose, found: &LineHit) -> RayHit {
        RayHit {
            distance: found.distance.clamp(0.0, self.length),
            point: pose.apply(found.point),
            normal: pose.rotate(found.normal),
            feature: found.feature,
            uv: found.uv,
        }
    }
}

/// A hit in the frame of the body.
#[derive(Debug, Clone, Copy)]
pub(super) struct LineHit {
    pub(super) distance: f64,
    pub(super) point: DVec3,
    pub(super) normal: DVec3,
    pub(super) feature: Feature,
    pub(super) uv: [f64; 2],
}

/// The part of a ray that lies in a convex body. Without `enter` the ray begins inside, without `leave` it never
/// leaves.
#[derive(Debug, Clone, Copy)]
pub(super) struct RaySpan {
    pub(super) enter: Option<LineHit>,
    pub(super) leave: Option<LineHit>,
}
