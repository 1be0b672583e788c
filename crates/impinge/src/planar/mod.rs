//! Collisions in the plane by Minkowski sums.
//!
//! The slides' method for things that only translate: `b` moved by `x` meets `a` exactly when `x` lies in
//! `a ⊕ (−b) = { p − q }`. Overlap is then a point in a polygon, depth and distance are the way to its outline, and the
//! time of impact is a ray cast. Convex polygons are summed by merging their edges; others are cut into convex pieces,
//! and the sum is the union of the pieces' sums.
//!
//! All sets are closed: touching counts. Every yes or no is exact on the coordinates given; lengths and times are right
//! to about 1e-15, relatively.
//!
//! ```
//! use impinge::glam::DVec2;
//! use impinge::planar::{Polygon, Sum};
//!
//! let square = Polygon::new(&[[0., 0.], [2., 0.], [2., 2.], [0., 2.]].map(DVec2::from_array))?;
//! let corner = Polygon::new(&[[0., 0.], [9., 0.], [9., 1.], [1., 1.], [1., 9.], [0., 9.]].map(DVec2::from_array))?;
//! let obstacle = Sum::obstacle(&corner, &square)?;
//!
//! assert!(!obstacle.contains(DVec2::new(4.0, 3.0))?);
//! assert_eq!(obstacle.distance(DVec2::new(4.0, 3.0))?.length, 2.0);
//! assert!(obstacle.contains(DVec2::new(1.0, 1.0))?); // fits into the corner, and touches it
//! let hit = obstacle.cast(DVec2::new(4.0, 3.0), DVec2::new(-4.0, -4.0))?.expect("it runs into the corner");
//! assert_eq!((hit.time, hit.normal), (0.5, DVec2::Y));
//! # Ok::<(), impinge::planar::PolygonError>(())
//! ```

mod depth;
mod exact;
mod pieces;
mod polygon;
mod query;
mod sum;

pub use polygon::{Polygon, PolygonError};
pub use query::{Hit, Shift};
pub use sum::Sum;
