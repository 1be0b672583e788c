//! What a body covers while it turns about a line of its own by any angle, as a few convex rings.
//!
//! A piece that turns about a line covers a ring; the hull of that ring is known by the distances from the line and the
//! heights along it of the corners of the piece. Pieces all round the line have the same, up to rounding: such pieces
//! share one ring, with the farthest that a corner is from that of the first one as its `spread`. Rings within others
//! are left out. A rod is one ring, a stepped shaft a few.
//!
//! Invariant: every point of the body, turned about the line by any angle, is within a ring's hull, or its spread.
//! Cost: the corners; where more than [`MOST_RINGS`] are left, coarser rings.

use std::collections::BTreeMap;

use glam::DVec2;

use super::axis_line::{AxisLine, PieceCorners, for_each_piece};
use crate::math::EPS;
use crate::narrow::body::BodyKind;

/// The most rings of a body.
const MOST_RINGS: usize = 64;
/// How different, as a share of the body's size, corners of the same ring may be; it is doubled while there are too
/// many rings.
const STEP: f64 = 1.0 / 4096.0;
const MOST_DOUBLINGS: usize = 4;

/// The hull of what a few corners cover while they turn about a line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ring {
    /// Distances from the line, and heights along it.
    pub(crate) corners: [DVec2; 3],
    /// How far beyond its corners it may reach.
    pub(crate) spread: f64,
}

impl Ring {
    fn of_piece(piece: &PieceCorners<'_>, line: &AxisLine) -> Ring {
        let mut size: f64 = 0.0;
        let mut seen = |p| {
            let (across, height) = line.seen(p);
            let at = DVec2::new(across.length(), height);
            size = size.max(at.max_element()).max(-at.y);
            at
        };
        let (corners, margin) = match piece {
            PieceCorners::Triangle(corners) => {
                let mut corners = corners.map(&mut seen);
                corners.sort_by(|p, q| p.y.total_cmp(&q.y).then(p.x.total_cmp(&q.x)));
                (corners, 0.0)
            }
            PieceCorners::Polyhedron(_, margin) => {
                let (mut low, mut high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
                piece.each(&mut |p| {
                    let at = seen(p);
                    (low, high) = (low.min(at), high.max(at));
                });
                let [bottom, top] = [DVec2::new(high.x, low.y), high];
                ([bottom, bottom, top], *margin)
            }
        };
        Ring { corners, spread: margin + 32.0 * EPS * (size + line.point.length()) }
    }

    /// Takes in what another one covers.
    fn add(&mut self, other: &Ring) {
        let apart = (0..3).map(|i| (self.corners[i] - other.corners[i]).abs().element_sum()).fold(0.0, f64::max);
        self.spread = self.spread.max(apart + other.spread);
    }

    /// Whether it covers another one.
    fn covers(&self, other: &Ring) -> bool {
        let [p, _, q] = self.corners;
        let (radius, [low, high]) = (p.x.min(q.x), [p.y, q.y]);
        let inside = |at: DVec2| at.x <= radius && at.y >= low && at.y <= high;
        other.spread <= self.spread && other.corners.iter().all(|&at| inside(at))
    }
}

/// The rings of a body about a line; `None` where there would be too many, or a piece has no corners.
pub(crate) fn rings(body: &BodyKind<'_>, line: &AxisLine) -> Option<Vec<Ring>> {
    let mut all = Vec::new();
    if !for_each_piece(body, |piece| all.push(Ring::of_piece(&piece, line))) {
        return None;
    }
    let size = all.iter().flat_map(|ring| ring.corners).fold(0.0, |m: f64, at| m.max(at.abs().max_element()));
    if !(size > 0.0 && size.is_finite()) {
        return None;
    }
    let mut step = STEP * size;
    for _ in 0..MOST_DOUBLINGS {
        let mut kinds: BTreeMap<[i32; 6], Ring> = BTreeMap::new();
        for ring in &all {
            let kind = [0, 1, 2, 3, 4, 5].map(|i| ((ring.corners[i / 2][i % 2] / step) + 0.37).floor() as i32);
            kinds.entry(kind).and_modify(|kept| kept.add(ring)).or_insert(*ring);
            if kinds.len() > 4 * MOST_RINGS {
                break;
            }
        }
        let kinds: Vec<Ring> = kinds.into_values().collect();
        let outer = |&i: &usize| {
            let hides = |j: usize| kinds[j].covers(&kinds[i]) && (j < i || !kinds[i].covers(&kinds[j]));
            !(0..kinds.len()).any(|j| j != i && hides(j))
        };
        if kinds.len() <= 4 * MOST_RINGS {
            let left: Vec<Ring> = (0..kinds.len()).filter(outer).map(|i| kinds[i]).collect();
            if left.len() <= MOST_RINGS {
                return Some(left);
            }
        }
        step *= 2.0;
    }
    None
}
