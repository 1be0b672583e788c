//! Outlines that are not polygons, polygons that fit to the last bit, and limits.

use impinge::glam::DVec2;
use impinge::planar::{Polygon, PolygonError, Sum};
use impinge_testing::planes;
use impinge_testing::random::Random;

fn corners<const N: usize>(c: [[f64; 2]; N]) -> Vec<DVec2> {
    c.map(DVec2::from_array).to_vec()
}

fn square(side: f64) -> Polygon {
    Polygon::new(&corners([[0., 0.], [side, 0.], [side, side], [0., side]])).unwrap()
}

#[test]
fn what_is_no_polygon_is_refused() {
    let error = |c: &[DVec2]| Polygon::new(c).unwrap_err();
    assert_eq!(error(&[]), PolygonError::TooFew { count: 0 });
    assert_eq!(error(&corners([[0., 0.], [1., 0.]])), PolygonError::TooFew { count: 2 });
    assert_eq!(error(&corners([[0., 0.], [1., 1.], [2., 2.]])), PolygonError::Flat);
    assert_eq!(error(&corners([[0., 0.], [3., 3.], [1., 1.], [2., 2.]])), PolygonError::Flat);
    assert_eq!(error(&corners([[0., 0.], [1., 0.], [1., 0.], [0., 1.]])), PolygonError::Repeated { corner: 2 });
    assert_eq!(error(&corners([[0., 0.], [1., 0.], [0., 1.], [0., 0.]])), PolygonError::Repeated { corner: 0 });
    // A spike, a corner on an edge, a corner on a corner, a pentagram.
    let spike = corners([[0., 0.], [2., 0.], [2., 2.], [1., 2.], [3., 2.], [0., 3.]]);
    assert!(matches!(error(&spike), PolygonError::Crossing { .. }));
    let touching = corners([[0., 0.], [4., 0.], [4., 4.], [2., 0.], [0., 4.]]);
    assert_eq!(error(&touching), PolygonError::Crossing { edges: [0, 2] });
    let pinched = corners([[0., 0.], [2., 0.], [1., 1.], [2., 2.], [0., 2.], [1., 1.]]);
    assert!(matches!(error(&pinched), PolygonError::Crossing { .. }));
    let star = corners([[0., 3.], [2., -3.], [-3., 1.], [3., 1.], [-2., -3.]]);
    assert!(matches!(error(&star), PolygonError::Crossing { .. }));
    for bad in [f64::NAN, f64::INFINITY, 1e101, 1e-101, f64::MIN_POSITIVE] {
        let refused = error(&corners([[0., 0.], [1., 0.], [1., bad]]));
        assert!(matches!(refused, PolygonError::OutOfRange { index: 2, .. }), "{bad}");
        let sum = Sum::new(&square(1.0), &square(1.0)).unwrap();
        assert!(sum.contains(DVec2::new(bad, 0.0)).is_err() && sum.distance(DVec2::new(0.0, bad)).is_err());
        assert!(sum.depth(DVec2::new(bad, 0.0)).is_err() && sum.cast(DVec2::ZERO, DVec2::new(bad, 0.0)).is_err());
    }
}

/// Random corners on a small grid are mostly tangled: what is accepted is simple, and what is simple accepted.
#[test]
fn exactly_the_simple_outlines_are_accepted() {
    let mut random = Random::new(11);
    let mut accepted = 0;
    for _ in 0..20_000 {
        let count = 3 + random.below(5);
        let outline: planes::Corners = (0..count).map(|_| planes::point(&mut random, 3)).collect();
        let polygon = Polygon::new(&planes::points(&outline));
        assert_eq!(polygon.is_ok(), planes::is_simple(&outline), "{outline:?} {polygon:?}");
        accepted += usize::from(polygon.is_ok());
    }
    assert!(accepted > 3_000, "{accepted}");
}

#[test]
fn either_way_round_and_with_straight_corners_it_is_the_same() {
    let bent = corners([[0., 0.], [1., 0.], [4., 0.], [4., 3.], [2., 1.], [0., 3.], [0., 2.]]);
    let backwards: Vec<DVec2> = bent.iter().rev().copied().collect();
    let (p, q) = (Polygon::new(&bent).unwrap(), Polygon::new(&backwards).unwrap());
    assert_eq!((p.corners().len(), q.corners().len()), (5, 5));
    assert_eq!((p.area(), q.area()), (8.0, 8.0));
}

#[test]
fn one_ulp_decides_between_touching_and_apart() {
    let obstacle = Sum::obstacle(&square(1.0), &square(0.1)).unwrap();
    assert!(obstacle.contains(DVec2::new(1.0, 0.5)).unwrap());
    assert!(!obstacle.contains(DVec2::new(1f64.next_up(), 0.5)).unwrap());
    assert!(obstacle.contains(DVec2::new(-0.1, 1.0)).unwrap());
    assert!(!obstacle.contains(DVec2::new((-0.1f64).next_down(), 1.0)).unwrap());
    assert_eq!(obstacle.distance(DVec2::new(1f64.next_up(), 0.5)).unwrap().length, f64::EPSILON);
    // A body that arrives exactly at the end of the motion, and one for which the motion is too short by the last bit.
    let from = DVec2::new(3.0, 0.5);
    assert_eq!(obstacle.cast(from, DVec2::new(-2.0, 0.0)).unwrap().unwrap().time, 1.0);
    assert!(obstacle.cast(from, DVec2::new((-2f64).next_up(), 0.0)).unwrap().is_none());
    // Sliding past the corner: grazing counts.
    assert_eq!(obstacle.cast(DVec2::new(3.0, 1.0), DVec2::new(-4.0, 0.0)).unwrap().unwrap().time, 0.5);
    assert!(obstacle.cast(DVec2::new(3.0, 1f64.next_up()), DVec2::new(-4.0, 0.0)).unwrap().is_none());
    assert_eq!(obstacle.cast(DVec2::new(0.5, 0.5), DVec2::ZERO).unwrap().unwrap().time, 0.0);
    assert!(obstacle.cast(DVec2::new(3.0, 0.5), DVec2::ZERO).unwrap().is_none());
}

/// A block in a slot of exactly its width, and a block too wide by one bit. The first only touches, so its depth is 0;
/// the other one has to leave along the slot.
#[test]
fn a_block_fits_a_slot_to_the_last_bit() {
    let slot = corners([[0., 0.], [5., 0.], [5., 4.], [3., 4.], [3., 1.], [2., 1.], [2., 4.], [0., 4.]]);
    let slot = Polygon::new(&slot).unwrap();
    let fits = Sum::obstacle(&slot, &square(1.0)).unwrap();
    let in_slot = DVec2::new(2.0, 2.5);
    assert!(fits.contains(in_slot).unwrap());
    assert_eq!(fits.depth(in_slot).unwrap().unwrap().length, 0.0);
    let wide = Sum::obstacle(&slot, &square(1f64.next_up())).unwrap();
    assert!(wide.depth(in_slot).unwrap().unwrap().length > 1.0);
    let narrow = Sum::obstacle(&slot, &square(0.5)).unwrap();
    assert!(!narrow.contains(DVec2::new(2.25, 2.5)).unwrap());
    assert_eq!(narrow.distance(DVec2::new(2.25, 2.5)).unwrap().length, 0.25);
}

#[test]
fn needles_and_far_away() {
    let needle = Polygon::new(&corners([[0., 0.], [1e12, 1.], [1e12, 1.0000001]])).unwrap();
    let sum = Sum::obstacle(&needle, &needle).unwrap();
    assert!(sum.contains(DVec2::ZERO).unwrap() && !sum.contains(DVec2::new(0.0, 1.0)).unwrap());
    let far: Vec<DVec2> = square(1.0).corners().iter().map(|c| *c + DVec2::splat(1e15)).collect();
    let far = Polygon::new(&far).unwrap();
    let obstacle = Sum::obstacle(&far, &square(1.0)).unwrap();
    assert_eq!(obstacle.depth(DVec2::splat(1e15)).unwrap().unwrap().length, 1.0);
    assert_eq!(obstacle.distance(DVec2::new(1e15, 1e15 - 1.5)).unwrap().length, 0.5);
}

#[test]
fn limits_are_counted_and_large_polygons_are_quick() {
    let circle = |n: u32| {
        (0..n).map(move |k| DVec2::from_angle(f64::from(k) * std::f64::consts::TAU / f64::from(n))).collect::<Vec<_>>()
    };
    let round = Polygon::new(&circle(20_000)).unwrap();
    assert!(round.is_convex());
    let sum = Sum::new(&round, &round).unwrap();
    assert!((sum.area().unwrap() - 4.0 * round.area()).abs() < 1e-9);
    assert!(sum.contains(DVec2::new(1.9999, 0.0)).unwrap() && !sum.contains(DVec2::new(2.0001, 0.0)).unwrap());
    let star = |n: u32| {
        let c: Vec<DVec2> = circle(n).iter().enumerate().map(|(k, c)| *c * (1.0 + (k % 2) as f64)).collect();
        Polygon::new(&c)
    };
    assert_eq!(star(5000).unwrap_err(), PolygonError::TooMany { what: "corners", count: 5000, limit: 4096 });
    let large = star(4096).unwrap();
    assert!((large.pieces().map(|p| Polygon::new(p).unwrap().area()).sum::<f64>() - large.area()).abs() < 1e-9);
    assert!(matches!(Sum::new(&large, &large), Err(PolygonError::TooMany { what: "corners of the sum", .. })));
}
