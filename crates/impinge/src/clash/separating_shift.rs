//! Finds a short translation that separates two bodies, by trying some.
//!
//! Where the engines give no depth, or only bounds of it, `b` is moved by each trial length along the directions in
//! which it may come free: the one that the depth query found, the mean of the normals of the triangles that touch on
//! either side, and these normals themselves, each both ways. An overlap query tests whether it is free there. So a
//! length that is found certainly separates the bodies; where none is found, nothing is known.
//!
//! Cost: the contacts, and at most an overlap query for each length, direction and sign.

use glam::DVec3;

use super::body_at::BodyAt;
use super::crossing;
use crate::math::Pose;
use crate::narrow::Limit;
use crate::pair::Pair;

/// The most contacts whose normals are tried.
const CONTACTS: usize = 64;
/// The most directions tried, each both ways.
const DIRECTIONS: usize = 16;

/// The first of the lengths by which `b`, moved along some direction, is free of `a`.
pub(super) fn separating_shift(
    pair: &mut Pair,
    [a, b]: [BodyAt<'_>; 2],
    hint: Option<DVec3>,
    lengths: impl Iterator<Item = f64>,
) -> Option<f64> {
    let mut lengths = lengths.peekable();
    lengths.peek()?;
    let directions = directions(pair, [a, b], hint);
    let mut free = |shift: DVec3| {
        let moved = Pose::new(b.pose.translation() + shift, b.pose.rotation());
        moved.is_ok_and(|moved| !pair.overlap(&a.pose, &moved).overlap)
    };
    lengths.find(|length| directions.iter().any(|&way| free(way * *length) || free(way * -length)))
}

/// Unit vectors along which the bodies may come free.
fn directions(pair: &mut Pair, [a, b]: [BodyAt<'_>; 2], hint: Option<DVec3>) -> Vec<DVec3> {
    let contacts = pair.contacts(&a.pose, &b.pose, Limit::UpTo(CONTACTS));
    let mut normals: [Vec<DVec3>; 2] = Default::default();
    for contact in contacts.plain() {
        normals[0].push(contact.normal);
        if let Some(triangle) = b.triangle(contact.pair[1]) {
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
