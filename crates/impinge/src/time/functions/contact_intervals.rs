//! All times at which two bodies touch, over a span in which at most one of them turns at a time.
//!
//! Xavier 1997 §3.3 asks (iii) when polygons touch; functions of time give the answer. The search is that of
//! [`crate::time::impact::trees::earliest`], through both trees, earliest first: every pair of nodes has a time before
//! which it is known to be apart, and pairs of triangles are the last level. Here the search goes on after the first
//! contact: for two triangles it computes all contacts from their time on ([`super::triangle_intervals`]). While two
//! triangles touch, no other pair can change the answer, so every pair whose time lies in a contact gets the end of
//! that contact as its new time. A body that turns is followed for a quarter turn at a time, from the roots of the
//! trees: most pairs are far apart during most of a turn.
//!
//! Between contacts of the surfaces the bodies stay inside or outside each other: one static question in each gap
//! decides which.
//!
//! Invariant: before the least time in the queue, the surfaces are apart except during the contacts found. Cost: the
//! pairs of nodes that come near outside of contacts, in each quarter turn; at most [`MOST_WORK`]. The search then
//! returns the rest of the span as one contact that is not certain.

use std::cmp::Reverse;

use glam::DVec3;
use smallvec::SmallVec;

use super::contact_functions::RelativeMotion;
use super::surface::Surface;
use super::timeline::Timeline;
use super::triangle_intervals::TrianglePair;
use crate::answer::Stats;
use crate::math::EPS;
use crate::model::Mesh;
use crate::narrow::body::BodyKind;
use crate::narrow::context::Context;
use crate::narrow::grid::memory::Memory;
use crate::path::{Span, Steady};
use crate::prim::Triangle;
use crate::search::best_first::{BestFirst, LowerBound};
pub(crate) use crate::time::functions::timeline::ContactSpan;
use crate::time::impact::closing::{Closing, Moment};
use crate::time::impact::trees::moving_trees::MovingTrees;
use crate::time::movers::padded_box::PaddedBox;
use crate::time::movers::two_bodies::Movers;

/// The most work before the search gives up, a second or two: 1 for a pair of nodes opened, 16 for a pair of triangles,
/// 8 for each test of a pair of triangles.
const MOST_WORK: u64 = 1 << 23;
/// The most steady pieces of the motions, and quarter turns, that are gone through.
const MOST_PIECES: usize = 1 << 17;
/// The most quarter turns that a span is cut into: where a body turns faster, the parts are longer.
const MOST_PARTS: f64 = 65536.0;
/// The bit that marks a number as that of a triangle, not of a node.
const TRIANGLE: u32 = 1 << 31;

/// All times of the span at which the bodies touch, as disjoint intervals in ascending order.
///
/// `None` where a body has a margin, no corners, or an inside that its triangles do not bound; where a motion is not
/// steady or has a margin; and where both bodies turn at the same time.
pub(crate) fn contact_intervals(
    movers: &Movers<'_>,
    span: Span,
    mut context: Context<'_, Memory>,
) -> Option<Vec<ContactSpan>> {
    let surfaces = [Surface::of(movers.models[0])?, Surface::of(movers.models[1])?];
    let meshes = [surfaces[0].mesh(), surfaces[1].mesh()];
    let mut found = Timeline::default();
    if meshes.iter().any(|mesh| mesh.is_empty()) {
        return Some(Vec::new());
    }
    let radii = movers.models.map(|model| model.reach());
    let (mut from, mut work) = (span.from(), 0);
    for piece in 0.. {
        let [(a, a_until), (b, b_until)] = [movers.motions[0].steady(from)?, movers.motions[1].steady(from)?];
        let motions = [a, b];
        let relative = RelativeMotion::new(&motions, from, from)?;
        let part = relative.quarter_turn().max((span.to() - span.from()) / MOST_PARTS);
        let until = span.to().min(a_until).min(b_until).min(from + part);
        let closing = Closing::new(movers.motions, radii, from, until);
        if closing.margin > 0.0 {
            return None;
        }
        if until > from {
            let search = ContactSearch { meshes, motions: &motions, from, until };
            search.run(&closing, &mut found, &mut work, context.stats);
        }
        if until >= span.to() {
            break;
        }
        if until <= from || piece >= MOST_PIECES || work >= MOST_WORK {
            found.insert(ContactSpan::possible(until.max(from), span.to()), 0.0);
            break;
        }
        from = until;
    }
    for [from, to] in found.gaps(span.from(), span.to()) {
        if movers.touch_at(0.5 * from + 0.5 * to, 0.0, context.lend()) {
            found.insert(ContactSpan::throughout(from, to), 0.0);
        }
    }
    if span.from() == span.to() && movers.touch_at(span.from(), 0.0, context.lend()) {
        found.insert(ContactSpan::throughout(span.from(), span.to()), 0.0);
    }
    Some(found.into_contacts())
}

/// Pairs of nodes or of triangles, earliest time first. Until its time, a pair is apart except during contacts already
/// found. At equal times triangles come first, since their contact may make other pairs irrelevant.
type Queue = BestFirst<(LowerBound, Reverse<[u32; 2]>), ()>;

/// The search in one part of the span, in which both motions are steady.
struct ContactSearch<'q> {
    meshes: [&'q Mesh; 2],
    motions: &'q [Steady; 2],
    from: f64,
    until: f64,
}

impl ContactSearch<'_> {
    fn run(&self, closing: &Closing<'_>, found: &mut Timeline, work: &mut u64, stats: &mut Stats) {
        let search = MovingTrees { bodies: self.meshes.map(BodyKind::Mesh), tolerance: 0.0, marked: None };
        let mut open = Queue::default();
        let mut moment = closing.at(self.from);
        let later = |t: f64, nodes: [u32; 2], open: &mut Queue| {
            if t < self.until {
                open.push((LowerBound(t), Reverse(nodes)), ());
            }
        };
        let roots = [self.padded_box(&search, 0, 0, &moment), self.padded_box(&search, 1, 0, &moment)];
        later(self.from + search.free_for(closing, &moment, [&roots[0], &roots[1]]), [0; 2], &mut open);
        while let Some(((LowerBound(t), Reverse(nodes)), ())) = open.pop() {
            *work += 1;
            if *work >= MOST_WORK {
                found.insert(ContactSpan::possible(t, self.until), 0.0);
                return;
            }
            if let Some(end) = found.touching_until(t) {
                later(end, nodes, &mut open);
                continue;
            }
            stats.iterations += 1;
            if t > moment.t {
                moment = closing.at(t);
            }
            let boxes =
                [self.padded_box(&search, 0, nodes[0], &moment), self.padded_box(&search, 1, nodes[1], &moment)];
            if nodes.iter().all(|node| node & TRIANGLE != 0) {
                let free = search.free_for(closing, &moment, [&boxes[0], &boxes[1]]);
                if t + free < self.until {
                    self.triangles(t, nodes, found, work, stats);
                }
                continue;
            }
            let side = match nodes.map(|node| node & TRIANGLE != 0) {
                [false, false] => usize::from(boxes[1].radius > boxes[0].radius),
                [first, _] => usize::from(first),
            };
            for child in self.children(&search, side, nodes[side]) {
                stats.volume_tests += 1;
                *work += 1;
                let (mut pair, mut near) = (nodes, boxes);
                (pair[side], near[side]) = (child, self.padded_box(&search, side, child, &moment));
                later(t + search.free_for(closing, &moment, [&near[0], &near[1]]), pair, &mut open);
            }
        }
    }

    /// The contacts of two triangles from `t` on.
    fn triangles(&self, t: f64, nodes: [u32; 2], found: &mut Timeline, work: &mut u64, stats: &mut Stats) {
        let Some(relative) = RelativeMotion::new(self.motions, t, self.until) else { return };
        let triangles = [0, 1].map(|k| self.corners(k, nodes[k]));
        let pair = TrianglePair { triangles: [&triangles[0], &triangles[1]], motions: self.motions };
        let tests = stats.primitive_tests;
        let (contacts, moment) = pair.contacts(&relative, t, self.until, stats);
        contacts.into_iter().for_each(|contact| found.insert(contact, moment));
        *work += 16 + 8 * (stats.primitive_tests - tests);
    }

    fn corners(&self, k: usize, node: u32) -> Triangle {
        self.meshes[k].corners(node & !TRIANGLE)
    }

    fn children(&self, search: &MovingTrees<'_>, k: usize, node: u32) -> SmallVec<[u32; 8]> {
        match self.meshes[k].tree().child(node as usize).as_leaf() {
            Some(leaf) => leaf.places().map(|place| place | TRIANGLE).collect(),
            None => search.bodies[k].children(node),
        }
    }

    /// A box around a node or a triangle, in the frame of `a`.
    fn padded_box(&self, search: &MovingTrees<'_>, k: usize, node: u32, moment: &Moment) -> PaddedBox {
        let own = if node & TRIANGLE == 0 { search.bodies[k].padded_box(node) } else { None };
        let own = own.unwrap_or_else(|| around(&self.corners(k, node)));
        if k == 0 { own } else { own.placed(&moment.b_in_a) }
    }
}

/// A triangle whose height is below this share of its longest edge gets a box around that edge, padded by the height.
/// The direction of so small a height is mostly rounding: it may not be perpendicular to the edge within the slant that
/// [`MovingTrees::free_for`] allows for.
const THIN: f64 = 1e-8;

/// The rectangle on the longest edge of a triangle, as a flat box.
fn around(t: &Triangle) -> PaddedBox {
    let edge = |i: usize| t[(i + 1) % 3] - t[i];
    let squared = |i: usize| edge(i).length_squared();
    let longest = (0..3).fold(0, |best, i| if squared(i) > squared(best) { i } else { best });
    let (p, side) = (t[longest], edge(longest));
    let along = side.normalize_or_zero();
    let rest = t[(longest + 2) % 3] - p;
    let up = rest - along * along.dot(rest);
    let reach = t.iter().fold(0.0, |m: f64, x| m.max(x.abs().max_element()));
    let (length, height) = (side.length(), up.length());
    let mut padding = 16.0 * EPS * (reach + length);
    let mut half = DVec3::new(0.5 * length, 0.5 * height, 0.0);
    let mut across = up.normalize_or_zero();
    if height <= THIN * length {
        (across, half.y) = (along.any_orthonormal_vector(), 0.0);
        padding += height;
    }
    let centre = p + 0.5 * side + 0.5 * up;
    PaddedBox {
        centre,
        axes: [along, across, along.cross(across)],
        half,
        padding,
        radius: half.length() + padding,
        endless: false,
    }
}
