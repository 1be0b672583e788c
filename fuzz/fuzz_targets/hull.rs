//! Any bytes, taken as points: a hull that is closed, convex and around them all, or an error that names why not. Of
//! points with small coordinates, exactly the hull that brute force finds.
#![no_main]

#[allow(dead_code, reason = "the tests use more of it")]
#[path = "../../crates/impinge/tests/bodies/hulls/oracle.rs"]
mod oracle;

use impinge::glam::DVec3;
use impinge::{BuildError, Convex};
use impinge_fuzz::Bytes;
use libfuzzer_sys::fuzz_target;
use oracle::{check, check_against_brute, extent};

/// The largest coordinate of a convex body, and one over the smallest extent.
const LIMIT: f64 = 1e50;

/// Whether the builder may refuse the points, and for this reason.
fn may_refuse(points: &[DVec3], error: &BuildError) -> bool {
    let size = extent(points);
    match *error {
        BuildError::NotFinite { vertex, .. } => !points[vertex].is_finite(),
        BuildError::TooLarge { vertex, .. } => points[vertex].abs().max_element() > LIMIT,
        BuildError::TooSmall { extent, .. } => extent > 0.0 && extent < LIMIT.recip() && extent <= size,
        _ => false,
    }
}

fuzz_target!(|bytes: &[u8]| {
    let mut bytes = Bytes(bytes);
    let kind = bytes.byte() % 3;
    let points = bytes.points(kind, 40);
    if let Err(error) = Convex::hull(&points) {
        assert!(may_refuse(&points, &error), "{error:?} of {points:?}");
        return;
    }
    let hull = check(&points);
    let dropped = hull.dropped();
    assert_eq!(hull.vertex_count() + dropped.copies + dropped.inside, points.len());
    // Twice all coordinates are integers below 8: nothing is within rounding of anything without being on it.
    let small = |x: f64| x.abs() < 4.0 && (2.0 * x).fract() == 0.0;
    if points.len() <= 14 && hull.face_count() > 2 && points.iter().all(|p| p.to_array().iter().all(|x| small(*x))) {
        check_against_brute(&points);
    }
});
