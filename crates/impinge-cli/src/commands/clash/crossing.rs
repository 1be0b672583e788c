//! Whether two surfaces cross, rather than meet.
//!
//! Two triangles meet in a segment. Of each it is asked on which sides of its plane the other body is there: the other
//! triangle, and those that meet it in the same segment, as far as they reach from it by more than the tolerance.
//! Surfaces cross where both triangles have the other body on both sides. Along the rim of a pocket that a beam fills
//! they do not: all of the wall is beside the beam. Nor do a wall and the floor under it. Sheets that cross exactly
//! along edges of their meshes do. Segments no longer than the tolerance are passed over.
//!
//! Triangles no larger than twice the tolerance cannot tell by where they reach; they count as crossing. So do
//! triangles without area, bodies without triangles, and more contacts than are looked at.
//!
//! Cost: the contacts, and for each those of the same triangles.

use std::collections::BTreeMap;

use impinge::glam::DVec3;
use impinge::{Limit, Model, Pair, Pose};

/// Pairs of triangles that are looked at.
const CONTACTS: usize = 1 << 12;
/// Triangles of fewer tolerances say nothing.
const SMALL: f64 = 2.0;

type Triangle = [DVec3; 3];

/// Two triangles that meet.
struct Meeting {
    triangles: [u32; 2],
    ends: [DVec3; 2],
    /// For each of the two, on which sides of its plane the other reaches.
    sides: [[bool; 2]; 2],
}

/// Whether they cross by more than the tolerance, or cannot be told not to.
pub(crate) fn cross(pair: &mut Pair, models: [&Model; 2], tolerance: f64) -> bool {
    let [Model::Mesh(a), Model::Mesh(b)] = models else { return true };
    let contacts = pair.contacts(&Pose::IDENTITY, &Pose::IDENTITY, Limit::UpTo(CONTACTS));
    if !contacts.complete {
        return true;
    }
    let mut meetings = Vec::new();
    for contact in contacts.iter() {
        let (Some(s), Some(t)) = (a.triangle(contact.pair[0]), b.triangle(contact.pair[1])) else { return true };
        let ends = [contact.points.first(), contact.points.last()].map(|end| end.map_or(DVec3::ZERO, |p| p[0]));
        if size(&s).min(size(&t)) <= SMALL * tolerance || [&s, &t].map(normal).contains(&DVec3::ZERO) {
            return true;
        }
        if ends[0].distance(ends[1]) > tolerance {
            let sides = [sides(&s, &t, tolerance), sides(&t, &s, tolerance)];
            meetings.push(Meeting { triangles: contact.pair, ends, sides });
        }
    }
    let mut of_triangle: [BTreeMap<u32, Vec<&Meeting>>; 2] = Default::default();
    for meeting in &meetings {
        for (body, triangles) in of_triangle.iter_mut().enumerate() {
            triangles.entry(meeting.triangles[body]).or_default().push(meeting);
        }
    }
    meetings.iter().any(|meeting| {
        (0..2).all(|body| {
            let others = of_triangle[body].get(&meeting.triangles[body]).into_iter().flatten();
            let here = others.filter(|other| share(&meeting.ends, &other.ends, tolerance));
            let [up, down] = here.fold([false; 2], |[up, down], other| {
                let [above, below] = other.sides[body];
                [up | above, down | below]
            });
            up && down
        })
    })
}

/// On which sides of the plane of `s` the other triangle reaches farther than the tolerance.
fn sides(s: &Triangle, t: &Triangle, tolerance: f64) -> [bool; 2] {
    let heights = t.map(|p| normal(s).dot(p - s[0]));
    [heights.iter().any(|h| *h > tolerance), heights.iter().any(|h| *h < -tolerance)]
}

/// Of unit length; zero when the triangle has no area. Sides are scaled to one: squares of squares leave the range.
pub(crate) fn normal(t: &Triangle) -> DVec3 {
    let (u, v) = (t[1] - t[0], t[2] - t[0]);
    let scale = u.abs().max(v.abs()).max_element();
    if scale > 0.0 { (u / scale).cross(v / scale).normalize_or_zero() } else { DVec3::ZERO }
}

/// Whether the segments run the same way and the middle of one is on the other.
fn share(s: &[DVec3; 2], t: &[DVec3; 2], tolerance: f64) -> bool {
    let on = |p: DVec3, [q, r]: &[DVec3; 2]| {
        let along = *r - *q;
        let at = ((p - *q).dot(along) / along.length_squared()).clamp(0.0, 1.0);
        p.distance(*q + along * at) <= tolerance
    };
    let way = |s: &[DVec3; 2]| (s[1] - s[0]).normalize_or_zero();
    way(s).dot(way(t)).abs() > 0.9 && (on(s[0].midpoint(s[1]), t) || on(t[0].midpoint(t[1]), s))
}

/// The longest side.
fn size(t: &Triangle) -> f64 {
    t[0].distance(t[1]).max(t[1].distance(t[2])).max(t[2].distance(t[0]))
}
