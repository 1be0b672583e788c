//! What can go wrong at the door. After a model is built, no query fails.

use glam::DVec3;

use crate::math::LIMIT;

/// Gives an enum the words that the command line and the corpus use for its variants.
macro_rules! named {
    // The same, and a list of all of them.
    ($(#[$doc:meta])* const EACH: $type:ident { $($variant:ident = $name:literal),* $(,)? }) => {
        crate::error::named! { $type { $($variant = $name),* } }

        impl $type {
            $(#[$doc])*
            pub const EACH: &'static [$type] = &[$($type::$variant),*];

            /// The name, as it is written and read.
            pub const fn name(self) -> &'static str {
                match self { $($type::$variant => $name),* }
            }
        }
    };
    ($type:ident { $($variant:ident = $name:literal),* $(,)? }) => {
        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(match self { $($type::$variant => $name),* })
            }
        }

        #[cfg(feature = "serde")]
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        #[cfg(feature = "serde")]
        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let name = <String as serde::Deserialize>::deserialize(deserializer)?;
                name.parse().map_err(<D::Error as serde::de::Error>::custom)
            }
        }

        impl std::str::FromStr for $type {
            type Err = crate::error::UnknownName;

            fn from_str(name: &str) -> Result<Self, Self::Err> {
                match name {
                    $($name => Ok($type::$variant),)*
                    _ => Err(crate::error::UnknownName { name: name.into(), known: &[$($name),*] }),
                }
            }
        }
    };
}
pub(crate) use named;

/// A word that names nothing.
///
/// ```
/// let error = "gjkk".parse::<impinge::Method>().expect_err("there is no such engine");
/// assert!(error.name == "gjkk" && error.known.contains(&"gjk"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{name}' is none of {}", known.join(", "))]
pub struct UnknownName {
    /// The word.
    pub name: String,
    /// The words there are.
    pub known: &'static [&'static str],
}

/// Why a model could not be built. Every variant names the first offender.
///
/// ```
/// use impinge::{glam::DVec3, BuildError, Mesh, Round};
/// let error = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 7]]).unwrap_err();
/// assert_eq!(error, BuildError::IndexOutOfRange { triangle: 0, index: 7, vertices: 3 });
/// assert_eq!(error.to_string(), "triangle 0 names vertex 7, but there are only 3 vertices");
/// assert_eq!(Round::sphere(-1.0).err(), Some(BuildError::NotPositive { what: "radius", value: -1.0 }));
/// ```
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// No triangles were given. The empty set is asked for by name: [`Mesh::empty`](crate::Mesh::empty).
    #[error("the mesh has no triangles")]
    Empty,
    /// No points were given to take the hull of.
    #[error("there are no points to take the hull of")]
    NoPoints,
    /// A coordinate is NaN or infinite.
    #[error("vertex {vertex} is not finite: {position:?}")]
    NotFinite {
        /// Index of the vertex as given.
        vertex: usize,
        /// Its coordinates as given.
        position: [f64; 3],
    },
    /// A coordinate is beyond the supported scale, see `docs/contract.md`.
    #[error("vertex {vertex} at {position:?} lies beyond the supported ±{limit:e}; choose a larger unit")]
    TooLarge {
        /// Index of the vertex as given.
        vertex: usize,
        /// Its coordinates as given.
        position: [f64; 3],
        /// The largest supported coordinate of such a body.
        limit: f64,
    },
    /// A convex body is smaller than the supported scale, and not a point.
    #[error("the points lie within {extent:e} of each other, below the supported {limit:e}; choose a smaller unit")]
    TooSmall {
        /// Largest difference of coordinates.
        extent: f64,
        /// The smallest supported.
        limit: f64,
    },
    /// A length that has to be positive is not (or not finite).
    #[error("the {what} is {value}, but has to be positive and finite")]
    NotPositive {
        /// `"radius"`, `"height"`, `"side"` or another.
        what: &'static str,
        /// As given.
        value: f64,
    },
    /// A length of a shape is beyond the supported scale, see `docs/contract.md`.
    #[error("the {what} is {value:e}, beyond the supported {:e} to {limit:e}; choose another unit", limit.recip())]
    OutOfScale {
        /// `"radius"`, `"height"`, `"side"` or another.
        what: &'static str,
        /// As given.
        value: f64,
        /// The largest supported; the smallest is its reciprocal.
        limit: f64,
    },
    /// A triangle names a vertex that is not there.
    #[error("triangle {triangle} names vertex {index}, but there are only {vertices} vertices")]
    IndexOutOfRange {
        /// Index of the triangle as given.
        triangle: usize,
        /// The index it names.
        index: u32,
        /// How many vertices were given.
        vertices: usize,
    },
    /// More triangles or vertices than the `u32` handles of the trees can name.
    #[error("{count} {what} are more than the supported {limit}; split the mesh")]
    TooMany {
        /// `"triangles"` or `"vertices"`.
        what: &'static str,
        /// How many were given.
        count: usize,
        /// How many are supported.
        limit: usize,
    },
    /// A mesh was to be deformed, and there is not one position for each of its vertices.
    #[error(
        "{count} positions were given for a mesh of {vertices} vertices; give one for each vertex that the mesh was \
         made with, in that order"
    )]
    WrongCount {
        /// How many positions were given.
        count: usize,
        /// How many vertices the mesh was made with.
        vertices: usize,
    },
    /// A body of parts was asked for, and there are none.
    #[error("there are no pieces to make a body of")]
    NoPieces,
    /// A solid could not be cut into convex pieces.
    #[error("the mesh cannot be cut into convex pieces: {why}")]
    NotDecomposed {
        /// In words.
        why: &'static str,
    },
    /// A solid was asked for, and the surface has no inside.
    #[error(transparent)]
    NotClosed(#[from] NotClosed),
}

/// Why a mesh is not a solid: an edge that does not bound exactly as much surface on one side as on the other.
///
/// ```
/// use impinge::{glam::DVec3, Mesh};
/// let sheet = Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]])?;
/// let error = sheet.into_solid().unwrap_err();
/// assert_eq!((error.open_edges, error.triangle), (3, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error(
    "the mesh is not closed: {open_edges} of its edges are open, the first between vertices {} and {} \
     (triangle {triangle}); close it, or use it as a surface",
    edge[0], edge[1]
)]
pub struct NotClosed {
    /// Number of edges with an odd number of triangles.
    pub open_edges: usize,
    /// The first such edge, by the vertex indices as given.
    pub edge: [u32; 2],
    /// A triangle on it, by its index as given.
    pub triangle: u32,
}

/// Why a motion was refused.
///
/// ```
/// use impinge::{glam::DVec3, Joint, MotionError, Span, TimedPoses};
/// assert_eq!(Joint::turning(DVec3::ZERO, DVec3::ZERO, 0.0, 1.0), Err(MotionError::NoAxis));
/// assert_eq!(TimedPoses::new(&[], DVec3::ZERO), Err(MotionError::NoPoses));
/// assert!(Span::new(1.0, 0.0).is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MotionError {
    /// A number is NaN or infinite.
    #[error("the motion's {what} is not finite")]
    NotFinite {
        /// `"velocity"`, `"spin"`, `"start"` or another.
        what: &'static str,
    },
    /// A number is beyond the supported scale.
    #[error("the motion's {what} lies beyond the supported ±{LIMIT:e}; choose another unit")]
    TooLarge {
        /// `"velocity"`, `"spin"`, `"start"` or another.
        what: &'static str,
    },
    /// A span of time that ends before or when it begins.
    #[error("the motion lasts from {from} to {to}; it has to end later than it begins")]
    NoTime {
        /// When it begins.
        from: f64,
        /// When it ends.
        to: f64,
    },
    /// A path without a pose.
    #[error("the motion has no poses; give one at least")]
    NoPoses,
    /// The time of a pose is not finite, or beyond the supported scale.
    #[error("the time of pose {row} is {time}; it has to be finite and within ±{LIMIT:e}")]
    BadTime {
        /// Which pose, counted from 0.
        row: usize,
        /// As given.
        time: f64,
    },
    /// A pose that is not later than the one before.
    #[error(
        "pose {row} is at {time}, not later than the one before, at {before}; sort the poses and give each time once"
    )]
    NotLater {
        /// Which pose, counted from 0.
        row: usize,
        /// Its time.
        time: f64,
        /// That of the pose before.
        before: f64,
    },
    /// A row of joint values that is longer or shorter than it has to be.
    #[error("row {row} has {given} numbers for the joints; it needs {expected}")]
    WrongCount {
        /// Which row, counted from 0.
        row: usize,
        /// As given.
        given: usize,
        /// As many as there are joints.
        expected: usize,
    },
    /// To be in time for a pose takes a speed beyond the supported scale.
    #[error("to be at pose {row} in time takes a speed beyond the supported ±{LIMIT:e}; choose another unit")]
    TooFast {
        /// Which pose, counted from 0.
        row: usize,
    },
    /// A bound on a motion that is none.
    #[error("the bound on the {what} is {value}; it has to be 0 or more, and some bound has to hold the body")]
    BadBound {
        /// `"speed"`, `"spin"`, `"acceleration"` or another.
        what: &'static str,
        /// As given.
        value: f64,
    },
    /// Samples that no motion within the bounds has.
    #[error("to be at pose {row} in time takes the {what} {takes}, more than the bound given, {bound}")]
    Contradicts {
        /// `"speed"`, `"spin"` or `"acceleration"`.
        what: &'static str,
        /// Which pose, counted from 0.
        row: usize,
        /// What it takes.
        takes: f64,
        /// What was given.
        bound: f64,
    },
    /// Moments of inertia that no body has.
    #[error("the motion's {what} have to be positive, and the least above a billionth of the greatest")]
    NotPositive {
        /// `"moments"`.
        what: &'static str,
    },
    /// A quaternion that is not of unit length.
    #[error("the motion's {what} are given by a quaternion that is not of unit length; divide it by its length")]
    NotUnit {
        /// `"principal axes"`.
        what: &'static str,
    },
    /// A spline of rotations that comes so near to zero that it tells none.
    #[error("on the way to pose {row} the spline of the rotations vanishes, or nearly; give more keys there")]
    NoRotation {
        /// Which pose, counted from 0.
        row: usize,
    },
    /// A joint without a direction.
    #[error("the axis of a joint is zero; give it a direction")]
    NoAxis,
}

/// Why a ray could not be made.
///
/// ```
/// use impinge::{glam::DVec3, Ray, RayError};
/// assert!(matches!(Ray::new(DVec3::ZERO, DVec3::ZERO), Err(RayError::Direction(_))));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum RayError {
    /// The origin is not finite, or too large.
    #[error("the origin of the ray, {0}, is not finite or has a coordinate beyond {LIMIT:e}")]
    Origin(glam::DVec3),
    /// The direction is zero or not finite.
    #[error("the direction of the ray, {0}, is zero or not finite")]
    Direction(glam::DVec3),
    /// The length is negative or not a number.
    #[error("the length of the ray is {0}, but must be 0 or more")]
    Length(f64),
}

/// Why a question about a point has no answer.
///
/// ```
/// use impinge::{glam::DVec3, Model, PointError, Pose, Round};
/// let ball = Model::from(Round::sphere(1.0)?);
/// let error = ball.point_distances(&Pose::IDENTITY, &[DVec3::ZERO, DVec3::X * 1e200]).unwrap_err();
/// assert!(matches!(error, PointError::TooLarge { index: 1, .. }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PointError {
    /// A coordinate is NaN or infinite.
    #[error("point {index} is not finite: {position:?}")]
    NotFinite {
        /// Which of the points, counted from 0.
        index: usize,
        /// Its coordinates.
        position: [f64; 3],
    },
    /// A coordinate is beyond the supported scale.
    #[error("point {index} at {position:?} lies beyond the supported ±{LIMIT:e}; choose a larger unit")]
    TooLarge {
        /// Which of the points, counted from 0.
        index: usize,
        /// Its coordinates.
        position: [f64; 3],
    },
    /// The body is a mesh without triangles.
    #[error("the body has no points, so none is nearest")]
    Empty,
}

impl PointError {
    /// Refuses a point beyond the supported scale.
    pub(crate) fn check(index: usize, point: DVec3) -> Result<(), PointError> {
        let position = point.to_array();
        if !point.is_finite() {
            return Err(PointError::NotFinite { index, position });
        }
        if point.abs().max_element() > LIMIT {
            return Err(PointError::TooLarge { index, position });
        }
        Ok(())
    }
}
