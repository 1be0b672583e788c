//! Any bytes, taken as polygons that translate: an outline that is simple is accepted and no other, and overlap,
//! distance, depth and time of impact are what looking at every pair of edges says.
#![no_main]

use impinge::glam::DVec2;
use impinge::planar::{Polygon, Sum};
use impinge_fuzz::Bytes;
use impinge_testing::planes;
use impinge_testing::planes::{Corners, moved};
use libfuzzer_sys::fuzz_target;

fn vector(bytes: &mut Bytes<'_>, kind: u8) -> DVec2 {
    DVec2::new(coordinate(bytes, kind), coordinate(bytes, kind))
}

/// A small integer, one of up to 53 bits, a number of modest size, or any bits at all.
fn coordinate(bytes: &mut Bytes<'_>, kind: u8) -> f64 {
    match kind {
        0 => f64::from(bytes.byte() as i8 % 8),
        1 => (bytes.word() as i64 >> 5) as f64,
        _ => bytes.number(kind - 1),
    }
}

fn outline(bytes: &mut Bytes<'_>, kind: u8) -> Vec<DVec2> {
    (0..3 + bytes.byte() % 9).map(|_| vector(bytes, kind)).collect()
}

fn integers(points: &[DVec2]) -> Corners {
    points.iter().map(|p| [p.x as i128, p.y as i128]).collect()
}

fn near(x: f64, y: f64) -> bool {
    (x - y).abs() <= 1e-13 * x.abs().max(y.abs())
}

/// What holds of any outline that is accepted.
fn check_pieces(polygon: &Polygon) {
    assert!(polygon.area() >= 0.0);
    assert_eq!(polygon.is_convex(), polygon.pieces().count() == 1);
    assert!(polygon.pieces().all(|piece| Polygon::new(piece).is_ok_and(|p| p.is_convex())));
}

/// What holds of any obstacle and any motion.
fn check_sum([a, b]: [&Polygon; 2], x: DVec2, motion: DVec2) {
    let (Ok(there), Ok(back)) = (Sum::obstacle(a, b), Sum::obstacle(b, a)) else { panic!("too many corners") };
    let Ok(inside) = there.contains(x) else { return };
    assert_eq!(back.contains(-x), Ok(inside), "the other way round");
    let (distance, depth) = (there.distance(x).expect("it is in range"), there.depth(x).expect("it is in range"));
    assert_eq!(distance.length == 0.0, inside);
    assert!(distance.length.is_finite() && distance.direction.is_finite());
    assert_eq!(depth.is_some(), inside);
    assert!(depth.is_none_or(|d| d.length >= 0.0 && d.length.is_finite() && d.direction.is_finite()), "{depth:?}");
    let Ok(hit) = there.cast(x, motion) else { return };
    assert!(hit.is_none_or(|h| (0.0..=1.0).contains(&h.time) && h.normal.is_finite()), "{hit:?}");
    assert!(!inside || hit.is_some_and(|h| h.time == 0.0));
}

/// What is true of integers, by every pair of edges.
fn check_exactly([a, b]: [&Polygon; 2], x: DVec2, motion: DVec2) {
    let (p, q, by) = (integers(a.corners()), integers(b.corners()), integers(&[x, motion]));
    let (q, obstacle) = (moved(&q, by[0]), Sum::obstacle(a, b).expect("few corners"));
    let overlap = planes::overlap(&p, &q);
    assert_eq!(obstacle.contains(x), Ok(overlap));
    if overlap {
        return;
    }
    let length = obstacle.distance(x).expect("in range").length;
    assert!(near(length, planes::distance(&p, &q)), "{length:e}");
    let (hit, truly) = (obstacle.cast(x, motion).expect("in range"), planes::time_of_impact(&p, &q, by[1]));
    assert_eq!(hit.is_some(), truly.is_some(), "{hit:?} {truly:?}");
    assert!(hit.is_none_or(|h| truly.is_some_and(|t| near(h.time, t))), "{hit:?} {truly:?}");
}

fuzz_target!(|bytes: &[u8]| {
    let mut bytes = Bytes(bytes);
    let kind = bytes.byte() % 4;
    let (a, b) = (outline(&mut bytes, kind), outline(&mut bytes, kind));
    let polygons = [&a, &b].map(|corners| Polygon::new(corners));
    if kind < 2 {
        for (corners, polygon) in [&a, &b].into_iter().zip(&polygons) {
            assert_eq!(polygon.is_ok(), planes::is_simple(&integers(corners)), "{polygon:?}");
        }
    }
    let [Ok(a), Ok(b)] = &polygons else { return };
    check_pieces(a);
    check_pieces(b);
    for _ in 0..3 {
        let (x, motion) = (vector(&mut bytes, kind), vector(&mut bytes, kind));
        check_sum([a, b], x, motion);
        if kind < 2 {
            check_exactly([a, b], x, motion);
        }
    }
});
