//! What is the matter with two bodies where they stand.
//!
//! | | |
//! |---|---|
//! | `duplicate` | the same triangles, or the same convex solid, at the same place ([`super::duplicate`]) |
//! | apart | `touch` when not farther than the tolerance, `clearance` when not farther than that; else nothing |
//! | `contained` | surfaces are apart and one lies inside the other ([`super::inside`] where that is a shape) |
//! | overlap | `touch` when a translation as short as the tolerance separates them, else `hard` |
//! | surfaces meet | there is no depth: as above, and `touch` when they do not cross ([`super::crossing`]) |
//!
//! That a translation separates them is told by the depth where its bounds lie on one side of the tolerance. Where they
//! do not, and where a body has no inside, translations of several lengths up to the tolerance ([`super::ladder`]) are
//! tried along the normals of the triangles that touch, along their means and along the way out of the hulls; one that
//! an overlap query finds free makes it a `touch`. What none of them frees is `hard`, unless the two have but a skin in
//! common ([`super::skin`]).
//!
//! A larger tolerance makes no `touch` a `hard`: depth, directions and contacts do not depend on it, and the lengths
//! tried for a smaller one are tried again.

use impinge::glam::DVec3;
use impinge::{Containment, DepthKind, Interval, Limit, Model, Pair, Pose};

use super::bodies::assembly::Member;
use super::found::kind::Kind;
use super::{crossing, duplicate, inside, ladder, near, skin};

/// Contacts whose normals are tried.
const CONTACTS: usize = 64;
/// Directions tried, each both ways.
const DIRECTIONS: usize = 16;
/// Of the coordinates: what counts as overlapping by nothing when the tolerance is 0.
const ROUNDING: f64 = 1e-12;
/// Of the coordinates: how far is far enough. Moved by this much every body is free of every other.
const FAR: f64 = 16.0;

/// What was found about a pair.
#[derive(Debug, Clone)]
pub(crate) struct Verdict {
    pub(crate) kind: Kind,
    /// How deep they are in each other, and what that is worth.
    pub(crate) depth: Option<(Interval, DepthKind)>,
    /// How far apart they are.
    pub(crate) distance: Option<Interval>,
    pub(crate) points: Option<[DVec3; 2]>,
    pub(crate) contained: Option<Containment>,
}

/// The limits between the kinds.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Judge {
    pub(crate) tolerance: f64,
    pub(crate) clearance: Option<f64>,
}

impl Judge {
    /// The distance up to which there is something to report.
    pub(crate) fn reach(&self) -> f64 {
        self.clearance.unwrap_or(0.0).max(self.tolerance)
    }

    /// What is the matter with the pair, if anything.
    pub(crate) fn judge(&self, a: &Member, b: &Member) -> Option<Verdict> {
        if self.duplicates(&a.model, &b.model) {
            let (kind, points) = (Kind::Duplicate, corners([&a.model, &b.model]));
            return Some(Verdict { kind, depth: None, distance: None, points, contained: None });
        }
        let mut pair = Pair::new(&a.model, &b.model);
        let here = Pose::IDENTITY;
        if !pair.within(&here, &here, self.reach()).within {
            return None;
        }
        let gap = pair.distance(&here, &here);
        let nearest = gap.witness.map(|witness| witness.points);
        if !gap.penetrating {
            let kind = if gap.interval.lower <= self.tolerance { Kind::Touch } else { Kind::Clearance };
            let distance = Some(gap.interval);
            return Some(Verdict { kind, depth: None, distance, points: nearest, contained: None });
        }
        // What is remembered of the questions so far depends on the tolerance; what follows is not to.
        pair.forget();
        let deep = pair.penetration(&here, &here);
        let depth = (!a.is_surface() && !b.is_surface()).then_some((deep.interval, deep.kind));
        let points = deep.witness.filter(|_| depth.is_some()).map(|w| w.points).or(nearest);
        let models = [&a.model, &b.model];
        let contained = gap.contained.or_else(|| inside::contained(&mut pair, models));
        if contained.is_some_and(|which| which != Containment::Mutual) {
            return Some(Verdict { kind: Kind::Contained, depth, distance: None, points, contained });
        }
        let (tolerance, size) = (self.tolerance, size(models));
        let lengths: Vec<f64> = ladder::lengths(tolerance.min(FAR * size), ROUNDING * size).collect();
        let least = depth.map_or(0.0, |(interval, _)| interval.lower);
        let shallow = depth.is_some_and(|(interval, _)| interval.upper <= tolerance);
        let longer = || lengths.iter().copied().filter(|length| *length >= least);
        let shift = if shallow { None } else { freed(&mut pair, models, deep.direction, longer()) };
        let (kind, depth, points) = match (depth, shift) {
            _ if shallow => (Kind::Touch, depth, points),
            (_, Some(shift)) => (Kind::Touch, depth.map(|d| at_most(d, shift)), points),
            (None, _) if !crossing::cross(&mut pair, models, tolerance, &lengths) => (Kind::Touch, None, points),
            (Some(_), _) if skin::is_all(models, &lengths) => (Kind::Touch, None, nearest),
            _ => (Kind::Hard, depth, points),
        };
        Some(Verdict { kind, depth, distance: None, points, contained: None })
    }

    /// Whether they are duplicates.
    fn duplicates(&self, a: &Model, b: &Model) -> bool {
        if let (Model::Mesh(a), Model::Mesh(b)) = (a, b)
            && (std::sync::Arc::ptr_eq(a, b) || duplicate::same(a, b, self.tolerance))
        {
            return true;
        }
        duplicate::same_convex(a, b, self.tolerance)
    }
}

/// A corner of the first triangle of each, where both have triangles.
fn corners([a, b]: [&Model; 2]) -> Option<[DVec3; 2]> {
    let (Model::Mesh(a), Model::Mesh(b)) = (a, b) else { return None };
    let corner = |mesh: &impinge::Mesh| mesh.triangle(0).map(|t| t[0]);
    corner(a).zip(corner(b)).map(|(p, q)| [p, q])
}

/// The first of the lengths by which `b`, moved some way, is free of `a`.
fn freed(pair: &mut Pair, models: [&Model; 2], hint: Option<DVec3>, lengths: impl Iterator<Item = f64>) -> Option<f64> {
    let mut lengths = lengths.peekable();
    lengths.peek()?;
    let directions = directions(pair, models[1], hint);
    let mut free = |shift: DVec3| Pose::at(shift).is_ok_and(|moved| !pair.overlap(&Pose::IDENTITY, &moved).overlap);
    lengths.find(|length| directions.iter().any(|&way| free(way * *length) || free(way * -length)))
}

/// A depth of which more is known: a translation of this length separates the bodies.
fn at_most((interval, kind): (Interval, DepthKind), shift: f64) -> (Interval, DepthKind) {
    if shift >= interval.upper {
        return (interval, kind);
    }
    (Interval { lower: interval.lower.min(shift), upper: shift }, DepthKind::UpperBound)
}

/// The largest coordinate of the two.
fn size(models: [&Model; 2]) -> f64 {
    let reach = |model: &Model| near::bounds(model).map(|b| b.min.abs().max(b.max.abs()).max_element());
    models.into_iter().filter_map(reach).fold(0.0, f64::max)
}

/// Unit vectors along which the two may come free.
fn directions(pair: &mut Pair, b: &Model, hint: Option<DVec3>) -> Vec<DVec3> {
    let contacts = pair.contacts(&Pose::IDENTITY, &Pose::IDENTITY, Limit::UpTo(CONTACTS));
    let mut normals: [Vec<DVec3>; 2] = Default::default();
    for contact in contacts.iter() {
        normals[0].push(contact.normal);
        if let Model::Mesh(mesh) = b
            && let Some(triangle) = mesh.triangle(contact.pair[1])
        {
            normals[1].push(crossing::normal(&triangle));
        }
    }
    let means = normals.each_ref().map(|side| side.iter().sum::<DVec3>().normalize_or_zero());
    let mut ways: Vec<DVec3> = Vec::new();
    for way in hint.into_iter().chain(means).chain(normals.into_iter().flatten()) {
        let known = ways.iter().any(|other| other.dot(way).abs() > 0.999);
        if way.length_squared() > 0.5 && !known && ways.len() < DIRECTIONS {
            ways.push(way);
        }
    }
    ways
}
