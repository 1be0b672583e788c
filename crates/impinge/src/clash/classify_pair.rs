//! Finds whether and how two bodies at their poses clash.
//!
//! | | |
//! |---|---|
//! | duplicate | the same triangles, or the same convex solid, at the same place ([`super::duplicate`]) |
//! | apart | touch when not farther than the tolerance, clearance when not farther than that; else nothing |
//! | contained | surfaces are apart, one lies inside the other ([`super::contained_in_shape`] where that is a shape) |
//! | overlap | touch when a translation as short as the tolerance separates them, else hard |
//! | surfaces meet | there is no depth: as above, and touch when they do not cross ([`super::crossing`]) |
//!
//! Where the bounds of the depth lie on one side of the tolerance, they decide whether a translation as short as the
//! tolerance separates the bodies. Where they do not, and where a body has no inside, translations of several lengths
//! up to the tolerance are tried ([`super::trial_lengths`], [`super::separating_shift`]); one that separates them makes
//! the pair a touch. A pair that none of them separates is hard, unless the common part is only a thin layer along the
//! surfaces ([`super::thin_overlap`]).
//!
//! A larger tolerance never makes a touch a hard clash: depth, directions and contacts do not depend on it, and the
//! lengths tried for a smaller one are tried again.

use glam::DVec3;

use super::answer::{Clash, ClashKind, ClashLimits};
use super::body_at::BodyAt;
use super::contained_in_shape::contained_in_shape;
use super::crossing;
use super::duplicate::is_duplicate;
use super::separating_shift::separating_shift;
use super::thin_overlap;
use super::trial_lengths::trial_lengths;
use crate::answer::{Containment, DepthKind};
use crate::math::{Interval, Pose};
use crate::model::Model;
use crate::pair::Pair;

/// The share of the coordinates up to which an overlap counts as none when the tolerance is 0.
const ROUNDING: f64 = 1e-12;
/// Moved by this many times the coordinates, every body is free of every other.
const FAR: f64 = 16.0;

/// How two bodies clash, if they do.
///
/// ```
/// use impinge::clash::{self, ClashKind, ClashLimits};
/// use impinge::{glam::DVec3, Containment, Model, Pose, Round};
/// let tank = Model::from(Round::cylinder(2.0, 5.0)?);
/// let valve = Model::from(Round::sphere(0.5)?);
/// let limits = ClashLimits { tolerance: 0.01, clearance: None };
/// let at = Pose::at(DVec3::new(2.25, 0.0, 0.0))?;
/// let clash = clash::between(&tank, &Pose::IDENTITY, &valve, &at, &limits).expect("it reaches into the wall");
/// assert_eq!(clash.kind, ClashKind::Hard);
/// assert!(clash.depth.is_some_and(|(depth, _)| (depth.mid() - 0.25).abs() < 1e-6));
/// let clash = clash::between(&tank, &Pose::IDENTITY, &valve, &Pose::IDENTITY, &limits).expect("it lies inside");
/// assert_eq!((clash.kind, clash.contained), (ClashKind::Contained, Some(Containment::BInA)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn between(a: &Model, pose_a: &Pose, b: &Model, pose_b: &Pose, limits: &ClashLimits) -> Option<Clash> {
    let bodies = [BodyAt::new(a, pose_a), BodyAt::new(b, pose_b)];
    let tolerance = limits.tolerance.max(0.0);
    if is_duplicate(bodies[0], bodies[1], tolerance) {
        let (kind, points) = (ClashKind::Duplicate, corners(bodies));
        return Some(Clash { kind, depth: None, distance: None, points, contained: None });
    }
    let mut pair = Pair::new(a, b);
    if !pair.within(pose_a, pose_b, limits.reach()).within {
        return None;
    }
    let gap = pair.distance(pose_a, pose_b);
    let nearest = gap.witness.map(|witness| witness.points);
    if !gap.penetrating {
        let kind = if gap.interval.lower <= tolerance { ClashKind::Touch } else { ClashKind::Clearance };
        let distance = Some(gap.interval);
        return Some(Clash { kind, depth: None, distance, points: nearest, contained: None });
    }
    // What the pair remembers of the queries so far depends on the tolerance; the answers that follow must not.
    pair.forget();
    Some(of_overlap(&mut pair, bodies, tolerance, gap.contained, nearest))
}

/// The kind of a pair of bodies that have a point in common and are no duplicates.
fn of_overlap(
    pair: &mut Pair,
    bodies: [BodyAt<'_>; 2],
    tolerance: f64,
    contained: Option<Containment>,
    nearest: Option<[DVec3; 2]>,
) -> Clash {
    let [a, b] = bodies;
    let deep = pair.penetration(&a.pose, &b.pose);
    let depth = (!a.is_surface() && !b.is_surface()).then_some((deep.interval, deep.kind));
    let points = deep.witness.filter(|_| depth.is_some()).map(|w| w.points).or(nearest);
    let contained = contained.or_else(|| contained_in_shape(pair, bodies));
    if contained.is_some_and(|which| which != Containment::Mutual) {
        return Clash { kind: ClashKind::Contained, depth, distance: None, points, contained };
    }
    let size = size(bodies);
    let lengths: Vec<f64> = trial_lengths(tolerance.min(FAR * size), ROUNDING * size).collect();
    let least = depth.map_or(0.0, |(interval, _)| interval.lower);
    let shallow = depth.is_some_and(|(interval, _)| interval.upper <= tolerance);
    let longer = || lengths.iter().copied().filter(|length| *length >= least);
    let shift = if shallow { None } else { separating_shift(pair, bodies, deep.direction, longer()) };
    let (kind, depth, points) = match (depth, shift) {
        _ if shallow => (ClashKind::Touch, depth, points),
        (_, Some(shift)) => (ClashKind::Touch, depth.map(|d| at_most(d, shift)), points),
        (None, _) if !crossing::cross(pair, bodies, tolerance, &lengths) => (ClashKind::Touch, None, points),
        (Some(_), _) if thin_overlap::is_thin(bodies, &lengths) => (ClashKind::Touch, None, nearest),
        _ => (ClashKind::Hard, depth, points),
    };
    Clash { kind, depth, distance: None, points, contained: None }
}

/// A corner of the first triangle of each, where both have triangles.
fn corners([a, b]: [BodyAt<'_>; 2]) -> Option<[DVec3; 2]> {
    Some([a.triangle(0)?[0], b.triangle(0)?[0]])
}

/// A depth with its upper bound lowered to `shift`: a translation of this length separates the bodies.
fn at_most((interval, kind): (Interval, DepthKind), shift: f64) -> (Interval, DepthKind) {
    if shift >= interval.upper {
        return (interval, kind);
    }
    (Interval { lower: interval.lower.min(shift), upper: shift }, DepthKind::UpperBound)
}

/// The largest coordinate of the two.
fn size(bodies: [BodyAt<'_>; 2]) -> f64 {
    let reach = |body: BodyAt<'_>| body.bounds().map(|b| b.min.abs().max(b.max.abs()).max_element());
    bodies.into_iter().filter_map(reach).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use glam::DQuat;

    use super::*;
    use crate::model::{Convex, Mesh, Round};

    /// A cube of these full sides: as a mesh, as a convex polyhedron and as a shape.
    fn cubes(sides: f64) -> [Model; 3] {
        let end = |set: u32| if set == 0 { -0.5 * sides } else { 0.5 * sides };
        let corners: Vec<DVec3> = (0..8u32).map(|i| DVec3::new(end(i & 1), end(i & 2), end(i & 4))).collect();
        let quads: [[u32; 4]; 6] = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        [
            Convex::hull(&corners).unwrap().into(),
            Mesh::new(corners, triangles).unwrap().into(),
            Round::cuboid(DVec3::splat(sides)).unwrap().into(),
        ]
    }

    /// Small bodies that reach from x = −0.3 to x = 0.3.
    fn small_bodies() -> Vec<Model> {
        let round = [
            Round::sphere(0.3),
            Round::cylinder(0.3, 0.6),
            Round::ellipsoid(DVec3::splat(0.3)),
            Round::capsule(0.3, 0.2),
            Round::cuboid(DVec3::splat(0.4)).and_then(|core| core.with_margin(0.1)),
        ];
        round.into_iter().map(|shape| shape.unwrap().into()).chain(cubes(0.6)).collect()
    }

    fn told(a: &Model, pose_a: &Pose, b: &Model, pose_b: &Pose) -> Option<(ClashKind, Option<Containment>)> {
        let limits = ClashLimits { tolerance: 0.001, clearance: Some(0.1) };
        let clash = between(a, pose_a, b, pose_b, &limits)?;
        assert!(clash.distance.is_some() || clash.kind != ClashKind::Clearance, "{clash:?}");
        Some((clash.kind, clash.contained))
    }

    /// The kind of clash follows from where the small body is in the large one. What the two are made of, where they
    /// are in the world, and which of them is `a` make no difference.
    #[test]
    fn a_small_body_on_its_way_out_of_a_large_one() {
        let turned = Pose::new(DVec3::new(3.0, -2.0, 1.0), DQuat::from_euler(glam::EulerRot::XYZ, 0.3, 0.7, -1.1));
        let frames = [Pose::IDENTITY, turned.unwrap()];
        let expected = [
            (0.2, Some(ClashKind::Contained)),
            (0.85, Some(ClashKind::Hard)),
            (1.2995, Some(ClashKind::Touch)),
            (1.3005, Some(ClashKind::Touch)),
            (1.35, Some(ClashKind::Clearance)),
            (1.45, None),
        ];
        for large in &cubes(2.0) {
            for small in &small_bodies() {
                for frame in &frames {
                    for (x, kind) in expected {
                        let at = Pose::new(frame.apply(DVec3::X * x), frame.rotation()).unwrap();
                        let inside = |which| kind.map(|k| (k, Some(which).filter(|_| k == ClashKind::Contained)));
                        let place = format!("{large:?} {small:?} {x} {frame:?}");
                        assert_eq!(told(large, frame, small, &at), inside(Containment::BInA), "{place}");
                        assert_eq!(told(small, &at, large, frame), inside(Containment::AInB), "{place}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_same_body_twice_is_a_duplicate() {
        let frame = Pose::new(DVec3::new(3.0, -2.0, 1.0), DQuat::from_rotation_y(0.7)).unwrap();
        let near = Pose::new(frame.translation() + DVec3::splat(0.0005), frame.rotation()).unwrap();
        for a in &cubes(1.0) {
            for b in &cubes(1.0) {
                assert_eq!(told(a, &frame, b, &near), Some((ClashKind::Duplicate, None)));
            }
        }
        for body in &small_bodies() {
            assert_eq!(told(body, &frame, body, &near), Some((ClashKind::Duplicate, None)), "{body:?}");
        }
    }

    /// A sheet that passes through another, or only meets it: bodies without an inside have no depth.
    #[test]
    fn sheets_that_cross_and_sheets_that_meet() {
        let sheet = |p: DVec3, u: DVec3, v: DVec3| {
            Model::from(Mesh::new(vec![p, p + u, p + u + v, p + v], vec![[0, 1, 2], [0, 2, 3]]).unwrap())
        };
        let floor = sheet(DVec3::new(-2.0, -2.0, 0.0), DVec3::X * 4.0, DVec3::Y * 4.0);
        let frame = Pose::new(DVec3::new(3.0, -2.0, 1.0), DQuat::from_rotation_y(0.7)).unwrap();
        for (low, kind) in [(-0.5, ClashKind::Hard), (-0.0005, ClashKind::Touch), (0.0005, ClashKind::Touch)] {
            let wall = sheet(DVec3::new(-1.0, 0.1, low), DVec3::X * 2.0, DVec3::Z);
            for pose in [Pose::IDENTITY, frame] {
                assert_eq!(told(&floor, &pose, &wall, &pose).map(|told| told.0), Some(kind), "{low} {pose:?}");
            }
        }
    }
}
