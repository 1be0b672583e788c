//! The corners of a body around a line of its own, by their angles.
//!
//! Seen along the line, a body that turns about it is nearest to a flat side when a corner passes the middle of that.
//! Let the direction of the side turn from one angle to another, as the body sees it, and the height of the side over
//! the line change from one to another, both at a constant rate. Then the side is beyond a corner at the distance `r`
//! from the line by
//!
//! ```text
//!     h₀ + (h₁ − h₀)·τ − r·cos(φ₀ + (φ₁ − φ₀)·τ),
//! ```
//!
//! which is convex as long as the angle is sharp, and least where `sin φ = −(h₁ − h₀)/(r·(φ₁ − φ₀))`, or at an end.
//! Corners that stay more than an angle `δ` away reach no farther than the farthest corner times `cos δ`.
//!
//! Cost: the corners are sorted once; a question is about those that pass.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use glam::DVec3;

use super::axis_line::AxisLine;
use crate::math::EPS;
use crate::narrow::body::BodyKind;

/// The widest that the angle of a corner may be unknown.
const WIDEST_CORNER: f64 = 1e-3;
/// Corners whose angles differ by no more count as one.
const SAME_ANGLE: f64 = 1e-10;
/// Corners are looked at one by one as far away from a direction as so many of them are from each other, on average.
const CORNERS_BESIDE: f64 = 4.0;
/// The most corners looked at in one question.
const MOST_CORNERS: usize = 64;

/// A corner, seen along the line.
#[derive(Debug, Clone, Copy)]
struct Corner {
    angle: f64,
    /// How far the angle may be off.
    off: f64,
    radius: f64,
    /// A triangle that has it.
    triangle: u32,
}

/// How near corners come to a side.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NearestCorner {
    /// All corners stay at least that far below it.
    pub(crate) gap: f64,
    /// The share of the stretch at which one is nearest, and a triangle that has it.
    pub(crate) share: f64,
    pub(crate) triangle: Option<u32>,
}

/// How the direction of a side turns over a stretch, as the body sees it: its angles at both ends, and how far it may
/// be from turning at a constant rate.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SideTurn {
    pub(crate) ends: [f64; 2],
    pub(crate) off: f64,
}

/// The corners of a mesh by their angles around a line.
#[derive(Debug, Clone)]
pub(crate) struct CornersByAngle {
    /// Two directions across the line, from which angles are measured.
    across: [DVec3; 2],
    by_angle: Vec<Corner>,
    farthest: f64,
    /// The farthest of the corners that are so near to the line that their angle is not known.
    farthest_at_line: f64,
}

impl CornersByAngle {
    /// `None` for a body with other pieces than triangles.
    pub(crate) fn new(body: &BodyKind<'_>, line: &AxisLine) -> Option<CornersByAngle> {
        let BodyKind::Mesh(mesh) = body else { return None };
        let first = line.direction.any_orthonormal_vector();
        let across = [first, line.direction.cross(first)];
        let mut corners = CornersByAngle { across, by_angle: Vec::new(), farthest: 0.0, farthest_at_line: 0.0 };
        for triangle in 0..mesh.place_count() {
            for p in mesh.corners(triangle) {
                let (out, _) = line.seen(p);
                let rounding = 32.0 * EPS * (p.length() + line.point.length());
                let radius = out.length() + rounding;
                let off = if out.length() > 0.0 { rounding / out.length() } else { PI };
                if off > 0.5 * WIDEST_CORNER {
                    corners.farthest_at_line = corners.farthest_at_line.max(radius);
                    continue;
                }
                corners.by_angle.push(Corner { angle: corners.angle(out), off, radius, triangle });
                corners.farthest = corners.farthest.max(radius);
            }
        }
        corners.by_angle.sort_by(|x, y| x.angle.total_cmp(&y.angle).then(y.radius.total_cmp(&x.radius)));
        // Of corners at one angle the farthest is the nearest to any side.
        corners.by_angle.dedup_by(|x, kept| {
            let apart = x.angle - kept.angle + x.off;
            let same = apart <= SAME_ANGLE;
            if same {
                (kept.radius, kept.off) = (kept.radius.max(x.radius), kept.off.max(apart));
            }
            same
        });
        Some(corners)
    }

    /// The angle of a direction of the body's frame.
    pub(crate) fn angle(&self, d: DVec3) -> f64 {
        d.dot(self.across[1]).atan2(d.dot(self.across[0]))
    }

    /// A turn in which a few corners pass, on average.
    pub(crate) fn wide(&self) -> f64 {
        (CORNERS_BESIDE * TAU / self.by_angle.len().max(1) as f64).min(0.5)
    }

    /// How far the corners stay below a side whose height changes from one to another over a stretch; `None` where too
    /// little is known, or too many corners pass.
    pub(crate) fn nearest(&self, heights: [f64; 2], side: &SideTurn) -> Option<NearestCorner> {
        let beside = self.wide();
        let [from, to] = [side.ends[0].min(side.ends[1]) - side.off, side.ends[0].max(side.ends[1]) + side.off];
        let around = beside + WIDEST_CORNER;
        if !(to - from + 2.0 * around < FRAC_PI_2 && side.off < 0.25 * WIDEST_CORNER) {
            return None;
        }
        let farthest = (self.farthest * beside.cos() * (1.0 + 4.0 * EPS)).max(self.farthest_at_line);
        let others = heights[0].min(heights[1]) - farthest;
        let mut nearest = NearestCorner { gap: others, share: 0.5, triangle: None };
        let turns = ((from - around) / TAU - 0.5).floor() * TAU;
        let mut looked_at = 0;
        // All corners within the angles, whatever whole turns the side has made.
        for turns in [turns, turns + TAU, turns + 2.0 * TAU] {
            let begin = self.by_angle.partition_point(|corner| corner.angle + turns < from - around);
            for corner in &self.by_angle[begin..] {
                if corner.angle + turns > to + around {
                    break;
                }
                looked_at += 1;
                if looked_at > MOST_CORNERS {
                    return None;
                }
                let (gap, share) = corner.least_beyond(heights, side, turns)?;
                if gap < nearest.gap {
                    nearest = NearestCorner { gap, share, triangle: Some(corner.triangle) };
                }
            }
        }
        Some(nearest)
    }
}

impl Corner {
    /// How far the side is beyond the corner at least, and at which share of the stretch.
    fn least_beyond(&self, heights: [f64; 2], side: &SideTurn, turns: f64) -> Option<(f64, f64)> {
        let [first, last] = side.ends.map(|end| end - self.angle - turns);
        let widest = first.abs().max(last.abs());
        let unknown = side.off + self.off + 8.0 * EPS * (turns.abs() + PI);
        if widest >= FRAC_PI_2 {
            return None;
        }
        let (rise, turn) = (heights[1] - heights[0], last - first);
        let at = |share: f64| heights[0] + rise * share - self.radius * (first + turn * share).cos();
        let slope = -rise / (self.radius * turn);
        let share = if slope.abs() <= 1.0 { ((slope.asin() - first) / turn).clamp(0.0, 1.0) } else { 0.0 };
        let shares = [share, 0.0, 1.0].into_iter().filter(|share| !share.is_nan());
        let best = shares.map(|share| (at(share), share)).min_by(|x, y| x.0.total_cmp(&y.0))?;
        let rounding = 16.0 * EPS * (heights[0].abs().max(heights[1].abs()) + self.radius);
        Some((best.0 - self.radius * unknown * (widest.sin() + unknown) - rounding, best.1))
    }
}
