//! A body that turns about a line of its own, bounded by what it covers at any angle: then only the line moves.
//!
//! A shaft comes near its bore at hundreds of places at once, and at thousands of times. But what it covers at any
//! angle is one cylinder, and that moves only as much as the shaft wobbles: not at all, where it turns about its own
//! axis. So a plane between that cylinder and a flat side of the bore proves the two apart for long stretches of time,
//! often for all. The bound is sharp: at some time a corner of the shaft is where the cylinder is nearest.
//!
//! Two kinds of planes are tried. Let `c(t)` be a point of the line and `w(t)` its direction, in the frame of the other
//! body, and `x` a point of that.
//!
//! **Beside the line.** The plane has the direction `n(t)`, the part of a fixed unit vector `n` across `w(t)`. The
//! cylinder of radius `r` about the line reaches as far as `r` along it, however long it is, and `x` is beyond by
//!
//! ```text
//!     n(t)·(x − c(t))/|n(t)| − r ≥ n·(x − c) − s·h − r,    s = n·w,    h = w·(x − c)
//! ```
//!
//! where that is positive, since `|n(t)| ≤ 1`. At each end of the stretch this is a support of what `x` is from.
//! Between them all of `c`, `w`, `s` and `h` are linear up to what `line_path.rs` says, and a product of two linear
//! functions is at most a quarter of the product of their changes from linear. So the bound errs with the square of the
//! stretch. Only those rings count that come near `x` along the line.
//!
//! **Across the line**, for collars and cones: a fixed direction `n`. A corner of a ring (`rings.rs`) at the distance
//! `r` from the line and the height `z` along it reaches as far as `n·c(z) + r·|n⊥|`, with `c(z)` the point of the line
//! at that height, and `n⊥` the part of `n` across the line.
//!
//! Invariant: no gap is wider than the distance of the bodies at any time of the stretch.
//! Cost: a few products for each ring; a body has few.

use std::f64::consts::TAU;

use glam::DVec3;
use smallvec::SmallVec;

use super::axis_line::AxisLine;
use super::corners::{CornersByAngle, NearestCorner, SideTurn};
use super::line_path::{LinePath, LineTurn};
use super::rings::{Ring, rings};
use crate::answer::Stats;
use crate::math::EPS;
use crate::narrow::body::BodyKind;
use crate::narrow::parts::piece::ConvexPiece;
use crate::time::movers::padded_box::PaddedBox;
use crate::time::movers::two_bodies::Movers;

/// The most stretches, one within the other, that a span is divided into.
const MOST_HALVINGS: usize = 12;
/// The slope along the line from which a side of a piece counts as that of a cone or a collar.
const LEAST_SLOPE: f64 = 1e-3;
/// The most gaps asked for, for each piece of the other body.
const MOST_GAPS_PER_PIECE: usize = 64;

/// A body, and what it covers while it turns about a line.
#[derive(Debug, Clone)]
pub(crate) struct Revolved {
    /// Which of the two bodies it is.
    pub(crate) k: usize,
    line: AxisLine,
    /// Half the length of the part of the line whose ends are followed.
    half: f64,
    rings: Vec<Ring>,
    corners: Option<CornersByAngle>,
    /// Paths over stretches asked for before.
    paths: Paths,
}

/// How far a part of the other body is beside the line.
#[derive(Debug, Clone, Copy)]
struct Beside {
    /// Its heights over the line at both ends of the stretch; between them it is no lower than linear.
    heights: [f64; 2],
    /// From where to where along the line it is.
    along: [f64; 2],
    /// The most that the plane is along the line.
    steepest: f64,
}

/// Paths by the stretch that they belong to; one that has not been used for long gives way to another.
#[derive(Debug, Clone)]
struct Paths(Vec<Option<([f64; 2], LinePath)>>);

impl Paths {
    const COUNT: usize = 1 << 8;

    fn place([from, to]: [f64; 2]) -> usize {
        let mixed = from.to_bits().rotate_left(17).wrapping_add(to.to_bits()).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> 56) as usize % Paths::COUNT
    }
}

impl Revolved {
    /// `None` where the body has no corners, or is not round.
    pub(crate) fn new(movers: &Movers<'_>, body: &BodyKind<'_>, k: usize, from: f64, to: f64) -> Option<Revolved> {
        let line = AxisLine::of(movers, body, k, from, to)?;
        let rings = rings(body, &line)?;
        let (mut high, mut wide): (f64, f64) = (0.0, 0.0);
        for corner in rings.iter().flat_map(|ring| ring.corners) {
            (high, wide) = (high.max(corner.y.abs()), wide.max(corner.x));
        }
        let half = high.max(0.125 * wide);
        let paths = Paths(Vec::new());
        (half > 0.0).then_some(Revolved { k, line, half, rings, corners: None, paths })
    }

    /// Sorts the corners of the body by their angles, for [`Revolved::nearest_corner`].
    pub(crate) fn add_corners(&mut self, body: &BodyKind<'_>) {
        self.corners = CornersByAngle::new(body, &self.line);
    }

    /// Where the line is over a stretch of time.
    fn path(&self, movers: &Movers<'_>, stretch: [f64; 2]) -> LinePath {
        LinePath::new(movers, self.k, &self.line, self.half, stretch)
    }

    /// The same, kept for the next question about the stretch.
    pub(crate) fn kept_path(&mut self, movers: &Movers<'_>, stretch: [f64; 2]) -> LinePath {
        let place = Paths::place(stretch);
        self.paths.0.resize(Paths::COUNT, None);
        match self.paths.0[place] {
            Some((kept, path)) if kept == stretch => path,
            _ => {
                let path = self.path(movers, stretch);
                self.paths.0[place] = Some((stretch, path));
                path
            }
        }
    }

    /// How far all rings stay below a height along `n`; the height is known up to `noise`.
    fn gap_along(&self, path: &LinePath, n: DVec3, height: f64, noise: f64) -> f64 {
        let along = path.ends.map(|ends| ends.map(|p| n.dot(p)));
        let off = path.off[0].max(path.off[1]);
        let slopes = along.map(|[first, last]| (last - first) / (2.0 * self.half));
        let turned = (path.off[0] + path.off[1]) / (2.0 * self.half);
        let [low, high] = [slopes[0].min(slopes[1]) - turned, slopes[0].max(slopes[1]) + turned];
        let least = if low > 0.0 { low } else { (-high).max(0.0) };
        let across = (1.0 - least * least).max(0.0).sqrt() * (1.0 + 4.0 * EPS);
        let mut most = f64::NEG_INFINITY;
        for ring in &self.rings {
            for corner in ring.corners {
                let share = 0.5 + 0.5 * corner.y / self.half;
                for [first, last] in along {
                    most = most.max(first + (last - first) * share + corner.x * across + 1.5 * ring.spread);
                }
            }
        }
        height - most - off - path.margin - noise
    }

    /// How a direction `n` of the other body turns about the line over a stretch, as this body sees it; `None` where
    /// that is not known. `steepest` is the most that `n` is along the line.
    fn side_turn(corners: &CornersByAngle, path: &LinePath, n: DVec3, steepest: f64) -> Option<SideTurn> {
        let LineTurn { rotations, angle, off, across } = path.turn;
        let [first, last] = rotations.map(|rotation| corners.angle(rotation.transpose() * n));
        let off = off + steepest * across / (1.0 - steepest * steepest) + 64.0 * EPS * (1.0 + angle.abs());
        let expected = first - angle;
        let last = last + ((expected - last) / TAU).round() * TAU;
        (steepest < 0.5 && off < 1.0).then_some(SideTurn { ends: [first, last], off })
    }

    /// How far a part of the other body is beside the line, for a plane along `n`. `low` is the least height of the
    /// part along a direction; it is within the ball.
    fn beside(&self, path: &LinePath, n: DVec3, (centre, radius): (DVec3, f64), low: impl Fn(DVec3) -> f64) -> Beside {
        let length = 2.0 * self.half;
        let directions = path.ends.map(|[first, last]| (last - first) / length);
        let ways = path.ends.map(|[first, _]| centre - first);
        let slopes = directions.map(|w| n.dot(w));
        let heights = [0, 1].map(|end| directions[end].dot(ways[end]));
        let farthest = ways[0].length().max(ways[1].length()) + radius + path.off[0];
        let turned = (path.off[0] + path.off[1]) / length;
        let [way, turn] = [path.ends[1][0].distance(path.ends[0][0]), directions[0].distance(directions[1])];
        let off_height = 0.25 * turn * way + turned * farthest + path.off[0] * (1.0 + turned);
        let steepest = slopes[0].abs().max(slopes[1].abs());
        let product = 0.25 * (slopes[1] - slopes[0]).abs() * (turn * farthest + way);
        let off = path.off[0] + product + steepest * off_height + turned * (farthest + off_height);

        let reach = radius + off_height + path.margin;
        let along = [heights[0].min(heights[1]) - reach - self.half, heights[0].max(heights[1]) + reach - self.half];
        let height = |end: usize| {
            let across = n - directions[end] * slopes[end];
            low(across) - across.dot(path.ends[end][0])
        };
        let noise = 64.0 * EPS * (centre.abs().max_element() + farthest);
        let heights = [0, 1].map(|end| height(end) - off - path.margin - noise);
        Beside { heights, along, steepest: steepest + turned }
    }

    /// How far a part of the other body stays beyond the rings that come near it, up to `enough`.
    fn gap_beside(&self, beside: &Beside, enough: f64) -> f64 {
        let near = self.rings.iter().filter(|ring| {
            let [bottom, _, top] = ring.corners;
            bottom.y - ring.spread <= beside.along[1] + enough && top.y + ring.spread >= beside.along[0] - enough
        });
        let radius = |ring: &Ring| ring.corners.iter().fold(0.0, |m: f64, p| m.max(p.x)) + ring.spread;
        let most = near.map(radius).fold(f64::NEG_INFINITY, f64::max);
        (beside.heights[0].min(beside.heights[1]) - most).min(enough)
    }

    /// How far a part of the other body certainly stays from what the body covers, up to `enough`; negative where that
    /// is not known. `sides` are directions of its sides.
    fn gap(
        &self,
        path: &LinePath,
        ball: (DVec3, f64),
        low: impl Fn(DVec3) -> f64,
        sides: impl FnOnce(DVec3, DVec3) -> SmallVec<[DVec3; 2]>,
        enough: f64,
    ) -> f64 {
        let [first, last] = [0, 1].map(|i| 0.5 * (path.ends[0][i] + path.ends[1][i]));
        let Some(w) = (last - first).try_normalize() else { return f64::NEG_INFINITY };
        let foot = first + w * w.dot(ball.0 - first);
        let out = ball.0 - foot;
        let noise = 64.0 * EPS * (ball.0.abs().max_element() + ball.1);
        let mut best = f64::NEG_INFINITY;
        for side in sides(foot, w) {
            let side = if side.dot(out) < 0.0 { -side } else { side };
            if let Some(n) = (side - w * w.dot(side)).try_normalize() {
                best = best.max(self.gap_beside(&self.beside(path, n, ball, &low), enough));
            }
            if side.dot(w).abs() > LEAST_SLOPE && best < enough {
                best = best.max(self.gap_along(path, side, low(side), noise));
            }
        }
        // Beyond the ends of the body, or nearly.
        let height = w.dot(foot - 0.5 * (first + last));
        if best < enough && height.abs() + ball.1 > self.half {
            let end = if height < 0.0 { -w } else { w };
            best = best.max(self.gap_along(path, end, low(end), noise));
        }
        best
    }

    /// As [`Revolved::gap`], for the box around a node of the other body.
    pub(crate) fn gap_to_box(&self, path: &LinePath, of: &PaddedBox, enough: f64) -> f64 {
        let low = |n: DVec3| n.dot(of.centre) - of.extent(n) - of.padding;
        let sides = |foot: DVec3, _: DVec3| {
            let out = of.centre - foot;
            let steepness = |axis: &DVec3| axis.dot(out).abs();
            let side = of.axes.iter().copied().max_by(|x, y| steepness(x).total_cmp(&steepness(y)));
            let radial = out.try_normalize();
            radial.into_iter().chain(side.and_then(DVec3::try_normalize)).collect()
        };
        self.gap(path, (of.centre, of.radius), low, sides, enough)
    }

    /// As [`Revolved::gap`], for a piece of the other body.
    pub(crate) fn gap_to_piece(&self, path: &LinePath, piece: &ConvexPiece<'_>, enough: f64) -> f64 {
        let Some((centre, radius)) = piece.ball() else { return f64::NEG_INFINITY };
        let low = |n: DVec3| piece.farthest(-n).map_or(f64::NEG_INFINITY, |p| n.dot(p)) - piece.margin();
        let sides = |foot: DVec3, w: DVec3| {
            let mut sides = SmallVec::new();
            if let ConvexPiece::Triangle([p, q, r]) = piece {
                let seen = [*p, *q, *r].map(|p| (p - foot) - w * w.dot(p - foot));
                sides.extend(nearest_to_origin(&seen).try_normalize());
                let normal = (*q - *p).cross(*r - *p).try_normalize();
                sides.extend(normal.filter(|n| n.dot(w).abs() > LEAST_SLOPE));
            } else {
                sides.extend((centre - foot).try_normalize());
            }
            sides
        };
        self.gap(path, (centre, radius), low, sides, enough)
    }

    /// Whether the body turns so far over a stretch that fewer corners pass in a part of it.
    pub(crate) fn turns_far(&self, path: &LinePath) -> bool {
        self.corners.as_ref().is_some_and(|corners| path.turn.angle.abs() > corners.wide())
    }

    /// How near the corners of the body come to a piece of the other beside the line, by the angles that they pass;
    /// `None` where that is not known.
    pub(crate) fn nearest_corner(&self, path: &LinePath, piece: &ConvexPiece<'_>) -> Option<NearestCorner> {
        let corners = self.corners.as_ref()?;
        let [first, last] = [0, 1].map(|i| 0.5 * (path.ends[0][i] + path.ends[1][i]));
        let (w, (centre, radius)) = ((last - first).try_normalize()?, piece.ball()?);
        let foot = first + w * w.dot(centre - first);
        let n = match piece {
            ConvexPiece::Triangle(corners) => nearest_to_origin(&corners.map(|p| (p - foot) - w * w.dot(p - foot))),
            ConvexPiece::Solid(_) => centre - foot,
        };
        let n = n.try_normalize()?;
        let low = |n: DVec3| piece.farthest(-n).map_or(f64::NEG_INFINITY, |p| n.dot(p)) - piece.margin();
        let beside = self.beside(path, n, (centre, radius), low);
        corners.nearest(beside.heights, &Revolved::side_turn(corners, path, n, beside.steepest)?)
    }

    /// Whether, at one time, all pieces of the other body are farther away than `near`.
    pub(crate) fn is_clear_at(&self, movers: &Movers<'_>, other: &BodyKind<'_>, t: f64, near: f64) -> bool {
        let path = self.path(movers, [t, t]);
        let (mut left, mut gaps) = (usize::MAX, 0);
        self.unproven(&path, other, vec![Unproven::Node(other.root())], near, (&mut left, true), &mut gaps).is_empty()
    }

    /// The time before which the bodies are certainly farther apart than `near`, from one time to another.
    pub(crate) fn clear_until(
        &self,
        movers: &Movers<'_>,
        other: &BodyKind<'_>,
        [from, to]: [f64; 2],
        near: f64,
        stats: &mut Stats,
    ) -> f64 {
        let mut left = MOST_GAPS_PER_PIECE * other.piece_count();
        let mut gaps = 0;
        // Stretches, the earliest last, with what of the other body is not proven apart in them.
        let mut open = vec![([from, to], vec![Unproven::Node(other.root())], 0)];
        let mut clear = to;
        while let Some(([from, to], unproven, depth)) = open.pop() {
            let path = self.path(movers, [from, to]);
            let unproven = self.unproven(&path, other, unproven, near, (&mut left, false), &mut gaps);
            let middle = movers.divide_at(from, to);
            if unproven.is_empty() {
                continue;
            }
            if left == 0 || depth >= MOST_HALVINGS || !(from < middle && middle < to) {
                clear = from;
                break;
            }
            open.push(([middle, to], unproven.clone(), depth + 1));
            open.push(([from, middle], unproven, depth + 1));
        }
        stats.volume_tests += gaps;
        clear
    }

    /// What of the other body is not farther away than `near`: pieces, once its nodes are divided.
    fn unproven(
        &self,
        path: &LinePath,
        other: &BodyKind<'_>,
        mut open: Vec<Unproven>,
        near: f64,
        (left, only_any): (&mut usize, bool),
        gaps: &mut u64,
    ) -> Vec<Unproven> {
        let mut pieces = Vec::new();
        let enough = (near + path.margin).next_up();
        while let Some(one) = open.pop() {
            if *left == 0 {
                pieces.push(one);
                continue;
            }
            *left -= 1;
            *gaps += 1;
            match one {
                Unproven::Piece(name) => {
                    if self.gap_to_piece(path, &other.piece(name), enough) <= near {
                        pieces.push(one);
                        if only_any {
                            return pieces;
                        }
                    }
                }
                Unproven::Node(node) => {
                    if other.padded_box(node).is_some_and(|of| self.gap_to_box(path, &of, enough) > near) {
                        continue;
                    }
                    let below = other.children(node);
                    if below.is_empty() {
                        open.extend(other.pieces(node).map(Unproven::Piece));
                    } else {
                        open.extend(below.into_iter().map(Unproven::Node));
                    }
                }
            }
        }
        pieces
    }
}

/// A node or a piece of the other body.
#[derive(Debug, Clone, Copy)]
enum Unproven {
    Node(u32),
    Piece(u32),
}

/// The point of a triangle's border that is nearest to the origin.
fn nearest_to_origin([p, q, r]: &[DVec3; 3]) -> DVec3 {
    let on_edge = |p: DVec3, q: DVec3| {
        let way = q - p;
        let share = (-p.dot(way) / way.length_squared()).clamp(0.0, 1.0);
        if share.is_nan() { p } else { p + way * share }
    };
    let points = [on_edge(*p, *q), on_edge(*q, *r), on_edge(*r, *p)];
    points.into_iter().fold(points[0], |best, x| if x.length_squared() < best.length_squared() { x } else { best })
}

#[cfg(test)]
mod tests {
    use glam::DQuat;

    use super::*;
    use crate::answer::Stats;
    use crate::math::Pose;
    use crate::model::{Mesh, Model};
    use crate::narrow::context::Context;
    use crate::narrow::convex::polyhedra::cases::Random;
    use crate::narrow::grid::memory::Memory;
    use crate::narrow::outcome::Outcome;
    use crate::path::{Motion, Steady, TimedPoses};

    /// A prism about the z axis whose corners are a little off, as a soup of triangles.
    fn rough_prism(r: &mut Random, sides: u32, off: f64) -> Vec<[DVec3; 3]> {
        let mut corner = |i: u32, z: f64| {
            let angle = TAU * f64::from(i % sides) / f64::from(sides);
            DVec3::new(angle.cos(), angle.sin(), z) + r.vector() * off
        };
        (0..sides)
            .flat_map(|i| {
                let [p, q] = [corner(i, -1.5), corner(i + 1, -1.5)];
                let [s, t] = [corner(i, 1.5), corner(i + 1, 1.5)];
                [[p, q, t], [p, t, s]]
            })
            .collect()
    }

    fn model(triangles: &[[DVec3; 3]]) -> Model {
        let indices = (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        Mesh::new(triangles.concat(), indices).unwrap().into()
    }

    /// A motion that turns about an axis near z, or goes from pose to pose and wobbles.
    fn motion(r: &mut Random, kind: usize, near: f64) -> Box<dyn Motion> {
        let pose = Pose::new(r.vector() * near, DQuat::from_scaled_axis(r.vector() * near)).unwrap();
        let axis = DVec3::Z + r.vector() * near;
        match kind {
            0 => Box::new(Steady::still(pose)),
            1 => Box::new(Steady::turning(pose, r.vector() * near, axis * (4.0 * r.vector().x), 0.0).unwrap()),
            2 => Box::new(Steady::new(pose, r.vector() * near, r.vector() * near, axis * -2.0, 0.0).unwrap()),
            _ => {
                let rows: Vec<(f64, Pose)> = (0..=5)
                    .map(|k| {
                        let t = 0.2 * f64::from(k);
                        let turn = DQuat::from_scaled_axis(r.vector() * near) * DQuat::from_rotation_z(3.0 * t);
                        (t, Pose::new(r.vector() * near, turn).unwrap())
                    })
                    .collect();
                Box::new(TimedPoses::new(&rows, DVec3::ZERO).unwrap())
            }
        }
    }

    fn distance(models: [&Model; 2], motions: [&dyn Motion; 2], t: f64) -> f64 {
        let (mut memory, mut stats) = (Memory::default(), Stats::default());
        let context = Context::new(&mut memory, &mut stats);
        match (Movers { models, motions }).nearest(t, f64::INFINITY, context) {
            Outcome::Apart(gap) => gap.interval.upper,
            _ => 0.0,
        }
    }

    /// What is proven about a body that turns holds at every time sampled.
    #[test]
    fn no_gap_is_wider_than_the_distance() {
        let mut r = Random(5);
        let (mut proven, mut by_angle) = (0, 0);
        for case in 0..600 {
            let near = [0.0, 1e-3, 0.1][case % 3];
            let triangles = rough_prism(&mut r, 3 + (case % 7) as u32 * 3, [0.0, 1e-7, 0.05][case / 3 % 3]);
            let angle = 3.0 * r.vector().x;
            let at = DVec3::new(angle.cos(), angle.sin(), 0.0) * 1.2 + DVec3::Z * (1.5 * r.vector().x);
            let piece = [0; 3].map(|_| at + r.vector() * 0.3);
            let [round, other] = [model(&triangles), model(&[piece])];
            let motions = [motion(&mut r, case / 9 % 4, near), motion(&mut r, case / 36 % 4, near)];
            let k = case % 2;
            let pair = |x| if k == 0 { [x, &other] } else { [&other, x] };
            let motions = [motions[0].as_ref(), motions[1].as_ref()];
            let movers = Movers { models: pair(&round), motions };
            let bodies = [BodyKind::of(&round), BodyKind::of(&other)];
            let mut revolved = Revolved::new(&movers, &bodies[0], k, 0.0, 1.0).unwrap();
            revolved.add_corners(&bodies[0]);
            for [from, to] in [[0.0, 1.0], [0.25, 0.5], [0.33, 0.34], [0.7, 0.7]] {
                let path = revolved.kept_path(&movers, [from, to]);
                let whole = revolved.gap_to_piece(&path, &ConvexPiece::Triangle(piece), 10.0);
                let by_corner = revolved.nearest_corner(&path, &ConvexPiece::Triangle(piece));
                let by_corner = by_corner.map_or(0.0, |nearest| nearest.gap);
                let boxed = bodies[1].padded_box(0).map(|of| revolved.gap_to_box(&path, &of, 10.0));
                proven += usize::from(whole > 0.0);
                by_angle += usize::from(by_corner > whole.max(0.0));
                for i in 0..=24 {
                    let t = from + (to - from) * f64::from(i) / 24.0;
                    let far = distance(pair(&round), motions, t);
                    let most = whole.max(by_corner).max(boxed.unwrap_or(0.0));
                    assert!(most <= far + 1e-12, "{case} {from} {to} {t}: {whole} {by_corner} {far}");
                }
            }
        }
        assert!(proven > 300 && by_angle > 300, "{proven} {by_angle}");
    }
}
