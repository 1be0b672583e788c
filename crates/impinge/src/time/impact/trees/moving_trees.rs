//! Two moving bodies as trees of pieces, and how long their nodes and pieces stay apart.

use glam::{DMat3, DVec3};
use smallvec::SmallVec;

use super::first_found::{FirstFound, TreeContact};
use crate::answer::Stats;
use crate::math::{EPS, Relative};
use crate::narrow::body::BodyKind;
use crate::narrow::context::Context;
use crate::narrow::convex::convex_memory::ConvexMemory;
use crate::narrow::convex::simplex::gjk;
use crate::narrow::convex::simplex::gjk::{GjkQuestion, GjkStart};
use crate::narrow::convex::simplex::minkowski::{Difference, Mapped};
use crate::narrow::parts::piece::{ConvexPiece, gap, more_directions};
use crate::prim::RegionWalk;
use crate::time::coaxial::meeting_pieces::MarkedPieces;
use crate::time::impact::advance::PiecePair;
use crate::time::impact::closing::{Closing, Moment};
use crate::time::movers::padded_box::PaddedBox;
use crate::tree::nodes::LEAF;

/// How far the axes of a box may be from unit length, and from right angles to each other.
const SLANT: f64 = 2e-6;

/// How near to the distance of two hulls a direction between them has to come.
const HULL_DISTANCE: f64 = 1e-2;

/// Two moving bodies as trees of pieces.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MovingTrees<'q> {
    pub(crate) bodies: [BodyKind<'q>; 2],
    pub(crate) tolerance: f64,
    /// The nodes and pieces that may meet, where that is known: only these are looked at.
    pub(crate) marked: Option<&'q [MarkedPieces; 2]>,
}

/// Both bodies at the ends of a stretch of time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StretchEnds {
    /// From the world into the frame of `a`.
    into_a: [DMat3; 2],
    b_in_a: [Relative; 2],
    duration: f64,
}

impl StretchEnds {
    pub(crate) fn new(closing: &Closing<'_>, [from, to]: [f64; 2]) -> StretchEnds {
        let ends = [from, to].map(|t| closing.relative(t));
        let into_a = ends.map(|(pose, _)| pose.rotation_matrix().transpose());
        StretchEnds { into_a, b_in_a: ends.map(|(_, b_in_a)| b_in_a), duration: to - from }
    }
}

/// The pieces of a leaf, each with its name.
pub(crate) type LeafPieces<'q> = SmallVec<[(u32, ConvexPiece<'q>); LEAF]>;

/// The hull of the triangles of a leaf.
struct LeafHull {
    corners: SmallVec<[DVec3; 3 * LEAF]>,
    centre: DVec3,
    radius: f64,
}

impl LeafHull {
    /// `None` where there are other pieces than triangles, or none.
    fn new(pieces: &LeafPieces<'_>) -> Option<LeafHull> {
        let mut corners = SmallVec::new();
        for (_, piece) in pieces {
            let ConvexPiece::Triangle(triangle) = piece else { return None };
            corners.extend(*triangle);
        }
        let centre = corners.iter().sum::<DVec3>() / corners.len() as f64;
        let radius = corners.iter().fold(0.0, |m: f64, p| m.max(p.distance(centre)));
        (!corners.is_empty()).then_some(LeafHull { corners, centre, radius })
    }
}

impl Mapped for LeafHull {
    type Start = ();

    fn start(&self, _: DVec3, _: u32) {}

    #[inline(always)]
    fn farthest(&self, d: DVec3, (): ()) -> (u32, DVec3) {
        let mut best = (0, f64::NEG_INFINITY);
        for (k, p) in self.corners.iter().enumerate() {
            let height = d.dot(*p - self.centre);
            if height > best.1 {
                best = (k, height);
            }
        }
        (best.0 as u32, self.corners[best.0])
    }

    fn named(&self, name: u32) -> Option<DVec3> {
        self.corners.get(name as usize).copied()
    }

    fn centre(&self) -> DVec3 {
        self.centre
    }

    fn radius(&self) -> f64 {
        self.radius
    }
}

impl<'q> MovingTrees<'q> {
    /// The two roots.
    pub(crate) fn roots(&self) -> [u32; 2] {
        [self.bodies[0].root(), self.bodies[1].root()]
    }

    /// The nodes below one that may meet the other body.
    pub(crate) fn children(&self, k: usize, node: u32) -> SmallVec<[u32; 8]> {
        let mut children = self.bodies[k].children(node);
        if let Some(marked) = self.marked {
            children.retain(|child| marked[k].has_node(*child));
        }
        children
    }

    /// The pieces of a leaf that may meet the other body.
    pub(crate) fn pieces(&self, k: usize, leaf: u32) -> LeafPieces<'q> {
        let names = self.bodies[k].pieces(leaf);
        let names = names.filter(|name| self.marked.is_none_or(|marked| marked[k].has_piece(*name)));
        names.map(|name| (name, self.bodies[k].piece(name))).collect()
    }

    pub(crate) fn padded_box(&self, k: usize, node: u32, moment: &Moment) -> Option<PaddedBox> {
        let own = self.bodies[k].padded_box(node)?;
        Some(if k == 0 { own } else { own.placed(&moment.b_in_a) })
    }

    /// Both boxes. A half-space has no box: it gets the point of its border that is nearest to the other box.
    pub(crate) fn bounded_boxes(&self, moment: &Moment, boxes: [Option<PaddedBox>; 2]) -> Option<[PaddedBox; 2]> {
        let border = |k: usize| {
            let (normal, height) = self.bodies[k].half_space()?;
            if k == 0 {
                return Some((normal, height));
            }
            let turned = moment.b_in_a.rotation * normal;
            Some((turned, height + turned.dot(moment.b_in_a.translation)))
        };
        match boxes {
            [Some(a), Some(b)] => Some([a, b]),
            [None, Some(b)] => Some([PaddedBox::foot(border(0)?, &b), b]),
            [Some(a), None] => Some([a, PaddedBox::foot(border(1)?, &a)]),
            [None, None] => None,
        }
    }

    /// The gaps between two boxes along seven directions, where there are any: the direction from centre to centre, and
    /// the three axes of each box. The directions point from `a` to `b`.
    #[inline(always)]
    fn gaps(&self, closing: &Closing<'_>, [a, b]: [&PaddedBox; 2], mut take: impl FnMut(DVec3, f64)) {
        let way = b.centre - a.centre;
        let size = a.centre.abs().max_element() + b.centre.abs().max_element() + a.radius + b.radius;
        let around = a.padding + b.padding + self.tolerance + closing.margin + 64.0 * EPS * size;
        let around = around * (1.0 + SLANT);
        let mut offer = |n: DVec3, extent: f64| {
            let along = n.dot(way);
            let gap = along.abs() - extent - around;
            if gap > 0.0 {
                take(n * 1f64.copysign(along), gap);
            }
        };
        let length = way.length();
        if length > 0.0 {
            let n = way / length;
            offer(n, a.extent(n) + b.extent(n));
        }
        if !(a.endless || b.endless) {
            for i in 0..3 {
                offer(a.axes[i], a.half[i] + SLANT * a.radius + b.extent(a.axes[i]));
                offer(b.axes[i], b.half[i] + SLANT * b.radius + a.extent(b.axes[i]));
            }
        }
    }

    /// Whether one of the seven directions proves that two boxes are apart for as long as `reach` before and after the
    /// moment.
    #[inline(always)]
    pub(crate) fn are_apart_around(
        &self,
        closing: &Closing<'_>,
        moment: &Moment,
        boxes: [&PaddedBox; 2],
        reach: [f64; 2],
    ) -> bool {
        let approach = closing.approach(moment, boxes);
        let mut apart = false;
        self.gaps(closing, boxes, |n, gap| {
            apart |= gap * (1.0 - SLANT) > approach.closed_within(n, reach) * (1.0 + SLANT);
        });
        apart
    }

    /// The longest time without contact that one of the seven directions proves.
    #[inline(always)]
    pub(crate) fn free_for(&self, closing: &Closing<'_>, moment: &Moment, boxes: [&PaddedBox; 2]) -> f64 {
        let approach = closing.approach(moment, boxes);
        let (mut free, mut best) = (0.0, (DVec3::ZERO, 0.0));
        self.gaps(closing, boxes, |n, gap| {
            let quick = approach.free_at_least(n, gap);
            if quick > free {
                (free, best) = (quick, (n, gap));
            }
        });
        // If a direction is a little longer than 1, the gap and the speed along it are too large by the same factor.
        // Only the part of the speed that does not depend on the direction is too small in comparison.
        if best.1 > 0.0 { approach.free_for(best.0, best.1).max(free) * (1.0 - SLANT) } else { 0.0 }
    }

    /// Whether the direction between the centres of two pieces, or a normal of a triangle, proves them apart for as
    /// long as `reach` before and after the moment.
    pub(crate) fn pieces_apart_around(
        &self,
        closing: &Closing<'_>,
        moment: &Moment,
        pieces: [&ConvexPiece<'_>; 2],
        reach: [f64; 2],
    ) -> bool {
        let balls = [self.ball_of(0, pieces[0], moment), self.ball_of(1, pieces[1], moment)];
        let [Some(a), Some(b)] = balls else { return false };
        let way = b.centre - a.centre;
        let approach = closing.approach(moment, [&a, &b]);
        let near = self.tolerance + closing.margin;
        let proves = |direction: DVec3| {
            let Some(n) = direction.try_normalize() else { return false };
            let n = if n.dot(way) < 0.0 { -n } else { n };
            let gap = gap(pieces, &moment.b_in_a, n) - near;
            gap > 0.0 && gap > approach.closed_within(n, reach)
        };
        proves(way) || more_directions(pieces, &moment.b_in_a).into_iter().any(proves)
    }

    /// Whether the direction between the centres of two pieces, or a normal of a triangle, proves them apart from one
    /// end of a stretch to the other: the gap along it is wide enough at both ends for no acceleration to close it in
    /// between. Nothing is lost by how the pieces turn beside the points that are nearest.
    pub(crate) fn pieces_apart_between(
        &self,
        closing: &Closing<'_>,
        moment: &Moment,
        pieces: [&ConvexPiece<'_>; 2],
        ends: &StretchEnds,
    ) -> bool {
        let balls = [self.ball_of(0, pieces[0], moment), self.ball_of(1, pieces[1], moment)];
        let [Some(a), Some(b)] = balls else { return false };
        let way = b.centre - a.centre;
        let size = a.centre.abs().max_element() + b.centre.abs().max_element() + a.radius + b.radius;
        let near = self.tolerance + closing.margin + 64.0 * EPS * size;
        let enough = closing.approach(moment, [&a, &b]).bend(ends.duration) + near;
        let proves = |direction: DVec3| {
            let Some(n) = direction.try_normalize() else { return false };
            let n = moment.poses[0].rotate(if n.dot(way) < 0.0 { -n } else { n });
            ends.into_a.iter().zip(&ends.b_in_a).all(|(into_a, b_in_a)| gap(pieces, b_in_a, *into_a * n) > enough)
        };
        enough.is_finite() && (more_directions(pieces, &moment.b_in_a).into_iter().any(proves) || proves(way))
    }

    /// For how long before and after the moment the direction between the closest points of the hulls of two leaves
    /// proves them apart.
    pub(crate) fn leaves_free_around(
        &self,
        closing: &Closing<'_>,
        moment: &Moment,
        boxes: [Option<PaddedBox>; 2],
        leaves: [&LeafPieces<'_>; 2],
        stats: &mut Stats,
    ) -> [f64; 2] {
        let ([Some(a), Some(b)], [Some(hull_a), Some(hull_b)]) = (boxes, leaves.map(LeafHull::new)) else {
            return [0.0; 2];
        };
        stats.primitive_tests += 1;
        let difference = Difference::new(&hull_a, &hull_b, moment.b_in_a);
        let ask = GjkQuestion { relative: HULL_DISTANCE, ..GjkQuestion::DISTANCE };
        let found = gjk::distance::<RegionWalk, _, _>(&difference, &ask, &GjkStart::default(), &mut Stats::default());
        let Some(n) = (-found.v).try_normalize() else { return [0.0; 2] };
        let along = |pieces: &LeafPieces<'_>, other: usize| {
            let gaps = pieces.iter().map(|(_, piece)| {
                let others = leaves[other].iter();
                others.map(|(_, o)| gap(if other == 1 { [piece, o] } else { [o, piece] }, &moment.b_in_a, n))
            });
            gaps.flatten().fold(f64::INFINITY, f64::min)
        };
        let gap = along(leaves[0], 1) - self.tolerance - closing.margin;
        closing.approach(moment, [&a, &b]).free_around(n, gap)
    }

    /// The ball around a piece, in the frame of `a`; `None` where it has no bounds.
    pub(crate) fn ball_of(&self, k: usize, piece: &ConvexPiece<'_>, moment: &Moment) -> Option<PaddedBox> {
        let (centre, radius) = piece.ball()?;
        let centre = if k == 0 { centre } else { moment.b_in_a.apply(centre) };
        Some(PaddedBox::ball(centre, radius))
    }

    /// The longest time without contact that the directions between the centres and along the normals of triangles
    /// prove.
    pub(crate) fn pieces_free_for(
        &self,
        closing: &Closing<'_>,
        moment: &Moment,
        pieces: [&ConvexPiece<'_>; 2],
        boxes: [&PaddedBox; 2],
    ) -> f64 {
        let way = boxes[1].centre - boxes[0].centre;
        let approach = closing.approach(moment, boxes);
        let near = self.tolerance + closing.margin;
        let mut free: f64 = 0.0;
        let mut offer = |direction: DVec3| {
            let Some(n) = direction.try_normalize() else { return };
            let n = if n.dot(way) < 0.0 { -n } else { n };
            let gap = gap(pieces, &moment.b_in_a, n) - near;
            if gap > 0.0 {
                free = free.max(approach.free_for(n, gap));
            }
        };
        offer(way);
        more_directions(pieces, &moment.b_in_a).into_iter().for_each(offer);
        free
    }

    /// Finds when two pieces touch, which do not touch before `t`.
    pub(crate) fn advance(
        &self,
        closing: &Closing<'_>,
        [from, to]: [f64; 2],
        names: [u32; 2],
        found: &mut FirstFound,
        stats: &mut Stats,
    ) {
        let pieces = [self.bodies[0].piece(names[0]), self.bodies[1].piece(names[1])];
        let pair = PiecePair { pieces: [&pieces[0], &pieces[1]], tolerance: self.tolerance };
        if let Some(touch) = pair.advance(closing, from, to, Context::new(&mut ConvexMemory::default(), stats)) {
            found.offer(TreeContact { touch, pieces: names });
        }
    }
}
