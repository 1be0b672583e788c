//! What is the matter with two bodies where they stand.
//!
//! | | |
//! |---|---|
//! | duplicate | the same triangles, or the same convex solid, at the same place ([`super::duplicate`]) |
//! | apart | touch when not farther than the tolerance, clearance when not farther than that; else nothing |
//! | contained | surfaces are apart and one lies inside the other ([`super::contained_in_shape`] where that is a shape) |
//! | overlap | touch when a translation as short as the tolerance separates them, else hard |
//! | surfaces meet | there is no depth: as above, and touch when they do not cross ([`super::crossing`]) |
//!
//! That a translation separates them is told by the depth where its bounds lie on one side of the tolerance. Where they
//! do not, and where a body has no inside, translations of several lengths up to the tolerance are tried
//! ([`super::trial_lengths`], [`super::separating_shift`]); one that is found makes it a touch. What none of them frees
//! is hard, unless what the two have in common is but a thin layer along their surfaces ([`super::thin_overlap`]).
//!
//! A larger tolerance makes no touch a hard clash: depth, directions and contacts do not depend on it, and the lengths
//! tried for a smaller one are tried again.

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

/// Of the coordinates: what counts as overlapping by nothing when the tolerance is 0.
const ROUNDING: f64 = 1e-12;
/// Of the coordinates: how far is far enough. Moved by this much every body is free of every other.
const FAR: f64 = 16.0;

/// What is the matter with two bodies, if anything.
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
    // What is remembered of the questions so far depends on the tolerance; what follows is not to.
    pair.forget();
    Some(of_overlap(&mut pair, bodies, tolerance, gap.contained, nearest))
}

/// What two bodies are that have a point in common, and are no duplicates.
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

/// A depth of which more is known: a translation of this length separates the bodies.
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
