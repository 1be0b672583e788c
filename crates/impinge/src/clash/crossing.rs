//! Whether two surfaces cross, rather than meet.
//!
//! Two triangles meet in a segment. The other body is on a side of a triangle's plane there if one of its triangles
//! that meet this one in the same segment reaches beyond the plane on that side by more than the tolerance. Surfaces
//! cross where both triangles have the other body on both sides. Along the rim of a pocket that a beam fills they do
//! not cross: all of the wall is on one side of the beam. Nor do a wall and the floor under it. Sheets that cross
//! exactly along edges of their meshes do. Segments no longer than the tolerance are passed over.
//!
//! Triangles no larger than twice a length do not reach far enough to show whether surfaces cross by more than that
//! length. So the test is made for the longest length up to the tolerance that is less than half of the least triangle,
//! and for each trial length that is less than that: surfaces that do not cross by more than one of them do not cross
//! by more than the tolerance. Where there is no such length the surfaces count as crossing. So do triangles without
//! area, bodies without triangles, and bodies with more contacts than are looked at.
//!
//! Cost: the contacts, and for each length and each contact the other contacts of the same triangles.

use std::collections::BTreeMap;

use glam::DVec3;

use super::body_at::{BodyAt, Triangle};
use crate::narrow::Limit;
use crate::pair::Pair;

/// The most pairs of triangles that are looked at.
const CONTACTS: usize = 1 << 12;
/// A triangle no larger than this many times a length is too small for a test of that length.
const SMALL: f64 = 2.0;

/// Two triangles that meet.
struct CrossedTriangles {
    triangles: [u32; 2],
    ends: [DVec3; 2],
    /// For each of the two, how high the corners of the other are above its plane: the least and the greatest.
    heights: [[f64; 2]; 2],
}

/// Whether the surfaces cross by more than the tolerance, or it cannot be shown that they do not; `lengths` are those
/// to test.
pub(super) fn cross(pair: &mut Pair, bodies: [BodyAt<'_>; 2], tolerance: f64, lengths: &[f64]) -> bool {
    let Some((met, least)) = triangles_that_meet(pair, bodies) else { return true };
    let longest = tolerance.min((least / SMALL).next_down());
    let lengths = std::iter::once(longest).chain(lengths.iter().copied());
    lengths.filter(|length| SMALL * length < least).all(|length| cross_by(&met, length))
}

/// The triangles that meet, and the size of the least of them; `None` where a body has no triangles, a triangle no
/// area, or the contacts are too many.
fn triangles_that_meet(pair: &mut Pair, [a, b]: [BodyAt<'_>; 2]) -> Option<(Vec<CrossedTriangles>, f64)> {
    a.mesh().and(b.mesh())?;
    let contacts = pair.contacts(&a.pose, &b.pose, Limit::UpTo(CONTACTS));
    let (mut met, mut least) = (Vec::new(), f64::INFINITY);
    for contact in contacts.plain() {
        let (s, t) = (a.triangle(contact.pair[0])?, b.triangle(contact.pair[1])?);
        if [&s, &t].map(normal).contains(&DVec3::ZERO) {
            return None;
        }
        least = least.min(size(&s)).min(size(&t));
        let ends = [contact.points.first(), contact.points.last()].map(|end| end.map_or(DVec3::ZERO, |p| p[0]));
        met.push(CrossedTriangles { triangles: contact.pair, ends, heights: [heights(&s, &t), heights(&t, &s)] });
    }
    contacts.complete.then_some((met, least))
}

fn cross_by(met: &[CrossedTriangles], length: f64) -> bool {
    let long = |two: &&CrossedTriangles| two.ends[0].distance(two.ends[1]) > length;
    let met: Vec<&CrossedTriangles> = met.iter().filter(long).collect();
    let mut of_triangle: [BTreeMap<u32, Vec<&CrossedTriangles>>; 2] = Default::default();
    for two in &met {
        for (body, triangles) in of_triangle.iter_mut().enumerate() {
            triangles.entry(two.triangles[body]).or_default().push(two);
        }
    }
    met.iter().any(|two| {
        (0..2).all(|body| {
            let others = of_triangle[body].get(&two.triangles[body]).into_iter().flatten();
            let here = others.filter(|other| share(&two.ends, &other.ends, length));
            let [up, down] = here.fold([false; 2], |[up, down], other| {
                let [low, high] = other.heights[body];
                [up | (high > length), down | (low < -length)]
            });
            up && down
        })
    })
}

/// How low and how high the corners of `t` are above the plane of `s`.
fn heights(s: &Triangle, t: &Triangle) -> [f64; 2] {
    let heights = t.map(|p| normal(s).dot(p - s[0]));
    [heights.into_iter().fold(f64::INFINITY, f64::min), heights.into_iter().fold(f64::NEG_INFINITY, f64::max)]
}

/// The unit normal; zero when the triangle has no area. Sides are scaled to one, since the squares of squares may
/// overflow.
pub(super) fn normal(t: &Triangle) -> DVec3 {
    let (u, v) = (t[1] - t[0], t[2] - t[0]);
    let scale = u.abs().max(v.abs()).max_element();
    if scale > 0.0 { (u / scale).cross(v / scale).normalize_or_zero() } else { DVec3::ZERO }
}

/// Whether two segments have the same direction and the middle of one is on the other.
fn share(s: &[DVec3; 2], t: &[DVec3; 2], tolerance: f64) -> bool {
    let on = |p: DVec3, [q, r]: &[DVec3; 2]| {
        let along = *r - *q;
        let at = ((p - *q).dot(along) / along.length_squared()).clamp(0.0, 1.0);
        p.distance(*q + along * at) <= tolerance
    };
    let way = |s: &[DVec3; 2]| (s[1] - s[0]).normalize_or_zero();
    way(s).dot(way(t)).abs() > 0.9 && (on(s[0].midpoint(s[1]), t) || on(t[0].midpoint(t[1]), s))
}

/// The length of the longest side.
fn size(t: &Triangle) -> f64 {
    t[0].distance(t[1]).max(t[1].distance(t[2])).max(t[2].distance(t[0]))
}
