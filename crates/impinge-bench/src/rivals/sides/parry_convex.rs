//! Queries parry3d-f64 about convex bodies: by its dispatch, and on a tracked pair by the call that takes a direction.

use impinge::glam::DVec3;
use parry3d_f64::math::Vector;
use parry3d_f64::query::details::contact_support_map_support_map_with_params;
use parry3d_f64::query::gjk::{GJKResult, VoronoiSimplex};
use parry3d_f64::query::{contact, distance, intersection_test};
use parry3d_f64::shape::{ConvexPolyhedron, Cuboid};

use super::parry::{ParryPoses, vector};
use crate::error::BenchError;
use crate::shapes::Soup;

/// Farther apart than this, parry's `contact` finds nothing; no workload is so wide.
const REACH: f64 = 10.0;

/// A hull as parry holds it.
pub(in crate::rivals) struct Hull(ConvexPolyhedron);

/// A question, answered as one number; NaN where parry has no answer.
pub(in crate::rivals) type ParryAsk = fn(&Hull, &Hull, &ParryPoses) -> f64;

impl Hull {
    /// By parry's own convex hull.
    pub(in crate::rivals) fn new(name: &str, points: &[DVec3]) -> Result<Hull, BenchError> {
        let points: Vec<Vector> = points.iter().map(|p| vector(*p)).collect();
        ConvexPolyhedron::from_convex_hull(&points).map(Hull).ok_or_else(|| refused(name))
    }

    pub(in crate::rivals) fn touching(&self, b: &Hull, at: &ParryPoses) -> f64 {
        intersection_test(&at.0, &self.0, &at.1, &b.0).map_or(f64::NAN, |x| f64::from(u8::from(x.intersecting)))
    }

    pub(in crate::rivals) fn distance(&self, b: &Hull, at: &ParryPoses) -> f64 {
        distance(&at.0, &self.0, &at.1, &b.0).map_or(f64::NAN, |x| x.distance)
    }

    /// The distance, or minus the depth.
    pub(in crate::rivals) fn signed(&self, b: &Hull, at: &ParryPoses) -> f64 {
        contact(&at.0, &self.0, &at.1, &b.0, REACH).ok().flatten().map_or(f64::NAN, |x| x.dist)
    }
}

/// A cube of side 2 and a polyhedron near it. parry's box is cheaper for it than eight points would be.
pub(in crate::rivals) struct Tracked {
    cube: Cuboid,
    body: ConvexPolyhedron,
    simplex: VoronoiSimplex,
    direction: Option<Vector>,
}

impl Tracked {
    pub(in crate::rivals) fn new(name: &str, soup: &Soup) -> Result<Tracked, BenchError> {
        let points = soup.vertices.iter().map(|p| vector(*p)).collect();
        let body = ConvexPolyhedron::from_convex_mesh(points, &soup.triangles).ok_or_else(|| refused(name))?;
        let cube = Cuboid::new(Vector::new(1.0, 1.0, 1.0));
        Ok(Tracked { cube, body, simplex: VoronoiSimplex::new(), direction: None })
    }

    pub(in crate::rivals) fn cold(&self, at: &ParryPoses) -> f64 {
        distance(&at.0, &self.cube, &at.1, &self.body).map_or(f64::NAN, |x| x.distance)
    }

    /// From the direction of the last call, in a simplex that is kept: all the memory parry has to offer.
    pub(in crate::rivals) fn warm(&mut self, at: &ParryPoses) -> f64 {
        let Tracked { cube, body, simplex, direction } = self;
        let b_in_a = at.b_in_a();
        match contact_support_map_support_map_with_params(&b_in_a, cube, body, f64::MAX, simplex, *direction) {
            GJKResult::ClosestPoints(p, q, normal) => {
                *direction = Some(normal);
                (q - p).dot(normal)
            }
            _ => f64::NAN,
        }
    }
}

fn refused(name: &str) -> BenchError {
    BenchError::Rival { name: name.to_owned(), reason: "no convex polyhedron".to_owned() }
}
