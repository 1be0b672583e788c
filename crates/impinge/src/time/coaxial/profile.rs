//! The profile of a piece about an axis: where it may be while it turns or screws, whatever the angle.
//!
//! In cylindrical coordinates `(r, θ, z)` about the axis, a turn changes `θ` alone, so `(r, z)` of every point stays as
//! it is; a screw that advances by `h` for each radian keeps `(r, u)` with `u = z − h·θ`, up to whole turns: up to
//! multiples of `2πh`. Two pieces whose images in the plane of `(r, u)`, their *profiles*, are apart never meet.
//!
//! The profile of a triangle is bent; it is bounded by the triangle of the images of its corners, and how far the
//! coordinates are from being linear. At a point with the weights `λᵢ` of the corners, `dᵢ` away, a function with
//! the second derivatives `H` differs from its linear interpolation by at most `½·Σλᵢ·|dᵢᵀHdᵢ|`, and
//! `Σλᵢ(n·dᵢ)²` is at most a quarter of the square of the triangle's width along `n`. Here only what is seen along
//! the axis counts. Let `x` and `y` be the widths towards the axis and across, `s` the sine of the largest angle
//! between the direction of a point and that of the middle, and `X = x + s·y`, `Y = y + s·x`:
//!
//! - `r` is convex, bent across only: `dᵀHd ≤ (across·d)²/r`. So `0 ≥ r − linear ≥ −⅛Y²/r_min`. Also `r ≥ r_min`.
//! - `θ` has `|dᵀHd| = 2·|out·d|·|across·d|/r²`, so `|hθ − linear| ≤ ¼|h|·X·Y/r_min²`.
//!
//! Distances in the plane are no greater than in space for `h = 0`; a point that moves by `δ` changes `r` by at most
//! `δ`, and `u` by at most `δ·√(1 + h²/r²)`.

use std::f64::consts::{PI, TAU};

use glam::{DMat3, DVec2, DVec3};

use super::common_axis::CommonAxis;
use crate::math::{EPS, Relative};
use crate::model::round::Core;
use crate::narrow::body::BodyKind;
use crate::narrow::parts::piece::ConvexPiece;
use crate::narrow::solid::Solid;
use crate::prim::Support;

/// The directions around the axis in which the reach of a smooth body is measured.
const DIRECTIONS_AROUND: u32 = 1024;

/// The greatest height of a profile about the axis of a screw, as a share of the height after which the screw repeats
/// itself. Of two profiles that are not higher, whose middles are in the same turn, only the copies one turn higher and
/// lower can meet.
const MOST_HEIGHT: f64 = 0.99;

/// A height beyond all that bodies may have, without the products of infinity.
const UNBOUNDED: f64 = 1e300;

/// A triangle in the plane of a profile with a margin along each coordinate, and the least box around it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProfileTriangle {
    /// The corners `(r, u)`.
    pub(crate) corners: [DVec2; 3],
    pub(crate) margin: DVec2,
    /// The box; unbounded along `u` for a piece around the axis of a screw.
    pub(crate) low: DVec2,
    pub(crate) high: DVec2,
    /// The piece that it belongs to, by its name in its body.
    pub(crate) piece: u32,
}

impl ProfileTriangle {
    /// The same a number of whole turns further along a screw.
    pub(crate) fn raised(&self, by: f64) -> ProfileTriangle {
        let by = DVec2::new(0.0, by);
        ProfileTriangle { corners: self.corners.map(|p| p + by), low: self.low + by, high: self.high + by, ..*self }
    }

    /// How far it reaches along a unit direction of the plane, from and to.
    #[inline(always)]
    pub(crate) fn along(&self, d: DVec2) -> [f64; 2] {
        let [p, q, r] = self.corners.map(|corner| corner.dot(d));
        let margin = self.margin.dot(d.abs());
        [p.min(q).min(r) - margin, p.max(q).max(r) + margin]
    }
}

/// The part of the plane that a profile lies in: from the least to the greatest coordinates.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProfileBox {
    low: DVec2,
    high: DVec2,
}

impl ProfileTriangle {
    /// The box around a whole profile; `None` where it is empty.
    pub(crate) fn whole(profile: &[ProfileTriangle]) -> Option<ProfileBox> {
        let boxes = profile.iter().map(|t| ProfileBox { low: t.low, high: t.high });
        boxes.reduce(|x, y| ProfileBox { low: x.low.min(y.low), high: x.high.max(y.high) })
    }
}

impl ProfileBox {
    /// How far two are apart; for a screw, only how far their distances from the axis are.
    pub(crate) fn distance(&self, other: &ProfileBox, period: f64) -> f64 {
        let sides = (self.low - other.high).max(other.low - self.high).max(DVec2::ZERO);
        if period > 0.0 { sides.x } else { sides.length() }
    }
}

/// Cylindrical coordinates about an axis, for a body that is placed in the frame of `a`.
pub(crate) struct AxisFrame {
    place: Relative,
    /// Rows: two directions across the axis, and the axis.
    rows: DMat3,
    point: DVec3,
    advance: f64,
    /// How far points of the body may be from where the motion about the axis puts them.
    off: f64,
}

impl AxisFrame {
    pub(crate) fn new(axis: &CommonAxis, place: Relative, off: f64) -> AxisFrame {
        let (x, y) = axis.direction.any_orthonormal_pair();
        let rows = DMat3::from_cols(x, y, axis.direction).transpose();
        AxisFrame { place, rows, point: axis.point, advance: axis.advance, off }
    }

    fn coordinates(&self, p: DVec3) -> DVec3 {
        self.rows * (self.place.apply(p) - self.point)
    }

    /// How much `u` changes for a motion of 1, at a distance of `r` from the axis.
    fn stretch(&self, r: f64) -> f64 {
        if self.advance == 0.0 { 1.0 } else { (1.0 + (self.advance / r).powi(2)).sqrt() }
    }

    /// The height after which a screw repeats itself; 0 for a turn.
    pub(crate) fn period(&self) -> f64 {
        TAU * self.advance.abs()
    }

    /// The profiles of all pieces of a body; `None` for a half-space, whose profile is everything.
    pub(crate) fn profile(&self, body: &BodyKind<'_>) -> Option<Vec<ProfileTriangle>> {
        let mut triangles = Vec::new();
        let mut nodes = vec![body.root()];
        while let Some(node) = nodes.pop() {
            let below = body.children(node);
            nodes.extend(&below);
            if below.is_empty() {
                for name in body.pieces(node) {
                    self.add_piece(&body.piece(name), name, &mut triangles)?;
                }
            }
        }
        Some(triangles)
    }

    fn add_piece(&self, piece: &ConvexPiece<'_>, name: u32, triangles: &mut Vec<ProfileTriangle>) -> Option<()> {
        match piece {
            ConvexPiece::Triangle(corners) => triangles.push(self.triangle(*corners, 0.0, name)),
            ConvexPiece::Solid(Solid { core: Core::Polyhedron(body), margin }) => {
                if body.face_count() == 0 {
                    triangles.push(self.ball(body.centre(), body.radius() + margin, name));
                }
                for face in 0..body.face_count() as u32 {
                    let corners: Vec<DVec3> = body.face_corners(face)?.map(|v| body.vertex(v)).collect();
                    for k in 1..corners.len().saturating_sub(1) {
                        triangles.push(self.triangle([corners[0], corners[k], corners[k + 1]], *margin, name));
                    }
                }
            }
            ConvexPiece::Solid(Solid { core: Core::Smooth(body), margin }) => {
                triangles.push(self.smooth(*body, *margin, name));
            }
            ConvexPiece::Solid(Solid { core: Core::HalfSpace { .. }, .. }) => return None,
        }
        Some(())
    }

    fn triangle(&self, corners: [DVec3; 3], margin: f64, piece: u32) -> ProfileTriangle {
        let points = corners.map(|p| self.coordinates(p));
        let seen = points.map(|p| DVec2::new(p.x, p.y));
        let size = points.iter().fold(0.0, |m: f64, p| m.max(p.abs().max_element()))
            + self.point.abs().max_element()
            + self.place.translation.abs().max_element();
        let rounding = 64.0 * EPS * size;
        let off = self.off + margin + rounding;
        let radii = seen.map(DVec2::length);
        let (nearest, farthest) = (least_distance_from_origin(&seen), radii[0].max(radii[1]).max(radii[2]));
        let heights = points.map(|p| p.z);
        let (lowest, highest) =
            (heights[0].min(heights[1]).min(heights[2]), heights[0].max(heights[1]).max(heights[2]));
        let inner = (nearest - off).max(0.0);
        let around = smallest_circle(&seen);
        let [bend, bend_of_angle] = bends(&seen, nearest);
        if self.advance == 0.0 {
            let low = DVec2::new(inner, lowest - off);
            let high = DVec2::new(farthest + off, highest + off);
            let bend = bend.min(farthest - nearest + rounding);
            let corners = [0, 1, 2].map(|k| DVec2::new(radii[k] - 0.5 * bend, heights[k]));
            return ProfileTriangle { corners, margin: DVec2::new(0.5 * bend + off, off), low, high, piece };
        }
        // Where the piece is that near to the axis, its angle says nothing.
        if 2.0 * around >= inner {
            return self.ring([inner, farthest + off], piece);
        }
        let middle = (seen[0] + seen[1] + seen[2]) / 3.0;
        let angle = middle.to_angle();
        let angles = seen.map(|p| middle.perp_dot(p).atan2(middle.dot(p)));
        let heights = [0, 1, 2].map(|k| points[k].z - self.advance * (angle + angles[k]));
        let [least, most] = [heights[0].min(heights[1]).min(heights[2]), heights[0].max(heights[1]).max(heights[2])];
        let whole = (0.5 * (least + most) / self.period()).floor() * self.period();
        let heights = heights.map(|u| u - whole);
        let off_u = off * self.stretch(inner)
            + self.advance.abs() * (bend_of_angle + 64.0 * EPS * (size / inner + PI))
            + 8.0 * EPS * whole.abs();
        let corners = [0, 1, 2].map(|k| DVec2::new(radii[k] - 0.5 * bend, heights[k]));
        let low = DVec2::new(inner, heights[0].min(heights[1]).min(heights[2]) - off_u);
        let high = DVec2::new(farthest + off, heights[0].max(heights[1]).max(heights[2]) + off_u);
        if high.y - low.y > MOST_HEIGHT * self.period() {
            return self.ring([inner, farthest + off], piece);
        }
        ProfileTriangle { corners, margin: DVec2::new(0.5 * bend + off, off_u), low, high, piece }
    }

    /// What is between two distances from the axis, at any height.
    fn ring(&self, [inner, outer]: [f64; 2], piece: u32) -> ProfileTriangle {
        let (low, high) = (DVec2::new(inner, -UNBOUNDED), DVec2::new(outer, UNBOUNDED));
        let corner = DVec2::new(0.5 * (inner + outer), 0.0);
        let margin = DVec2::new(0.5 * (outer - inner), UNBOUNDED);
        ProfileTriangle { corners: [corner; 3], margin, low, high, piece }
    }

    /// What is between two distances from the axis and between two heights, about an axis without advance.
    fn band(&self, [inner, outer]: [f64; 2], [lowest, highest]: [f64; 2], piece: u32) -> ProfileTriangle {
        if self.advance != 0.0 {
            return self.ring([inner, outer], piece);
        }
        let (low, high) = (DVec2::new(inner, lowest), DVec2::new(outer, highest));
        ProfileTriangle { corners: [0.5 * (low + high); 3], margin: 0.5 * (high - low), low, high, piece }
    }

    fn ball(&self, centre: DVec3, radius: f64, piece: u32) -> ProfileTriangle {
        let at = self.coordinates(centre);
        let radius = radius + self.off + 64.0 * EPS * (at.abs().max_element() + self.point.abs().max_element());
        let r = at.x.hypot(at.y);
        self.band([(r - radius).max(0.0), r + radius], [at.z - radius, at.z + radius], piece)
    }

    /// A smooth body lies within the planes across its farthest points in many directions around the axis: no point is
    /// farther from the axis than the farthest corner of the prism that these planes form.
    fn smooth(&self, body: &dyn Support, margin: f64, piece: u32) -> ProfileTriangle {
        let farthest = |d: DVec3| {
            let local = self.place.rotation.transpose() * (self.rows.transpose() * d);
            self.coordinates(body.support(local)).dot(d)
        };
        let step = TAU / f64::from(DIRECTIONS_AROUND);
        let reach = (0..DIRECTIONS_AROUND)
            .map(|k| {
                let (sine, cosine) = (f64::from(k) * step).sin_cos();
                farthest(DVec3::new(cosine, sine, 0.0))
            })
            .fold(0.0, f64::max);
        let [highest, lowest] = [farthest(DVec3::Z), -farthest(DVec3::NEG_Z)];
        let off = self.off + margin + 64.0 * EPS * (reach + highest.abs().max(lowest.abs()) + self.point.length());
        self.band([0.0, reach / (0.5 * step).cos() + off], [lowest - off, highest + off], piece)
    }
}

/// How far the distance from the origin and the angle are from being linear on a triangle of the plane, whose nearest
/// point is `nearest` away.
fn bends(corners: &[DVec2; 3], nearest: f64) -> [f64; 2] {
    let around = smallest_circle(corners);
    let by_circle = 0.5 * around * around / nearest;
    let Some(out) = (corners[0] + corners[1] + corners[2]).try_normalize() else {
        return [by_circle, by_circle / nearest];
    };
    let along = corners.map(|p| out.dot(p));
    let across = corners.map(|p| out.perp_dot(p));
    let width = |[p, q, r]: [f64; 3]| p.max(q).max(r) - p.min(q).min(r);
    let sine_of = |k: usize| if along[k] > 0.0 { across[k].abs() / corners[k].length() } else { 1.0 };
    let sine = sine_of(0).max(sine_of(1)).max(sine_of(2));
    let (x, y) = (width(along), width(across));
    let [x, y] = [x + sine * y, y + sine * x].map(|width| width * (1.0 + 64.0 * EPS));
    [by_circle.min(0.125 * y * y / nearest), (by_circle / nearest).min(0.25 * x * y / (nearest * nearest))]
}

/// How near a triangle of the plane comes to the origin.
fn least_distance_from_origin(corners: &[DVec2; 3]) -> f64 {
    let [p, q, r] = *corners;
    let turns = [p.perp_dot(q), q.perp_dot(r), r.perp_dot(p)];
    if turns.iter().all(|&turn| turn >= 0.0) || turns.iter().all(|&turn| turn <= 0.0) {
        let flat = (q - p).perp_dot(r - p) == 0.0;
        if !flat {
            return 0.0;
        }
    }
    let from_edge = |p: DVec2, q: DVec2| {
        let way = q - p;
        let share = (-p.dot(way) / way.length_squared()).clamp(0.0, 1.0);
        if share.is_nan() { p.length() } else { (p + way * share).length() }
    };
    from_edge(p, q).min(from_edge(q, r)).min(from_edge(r, p))
}

/// The radius of the smallest circle around a triangle: half the longest side, or the circle through its corners where
/// all angles are sharp.
fn smallest_circle([p, q, r]: &[DVec2; 3]) -> f64 {
    let mut sides = [p.distance(*q), q.distance(*r), r.distance(*p)];
    sides.sort_by(f64::total_cmp);
    let [a, b, c] = sides;
    let twice_area = (*q - *p).perp_dot(*r - *p).abs();
    if c * c >= a * a + b * b || twice_area == 0.0 {
        return 0.5 * c;
    }
    (0.5 * a * b * c / twice_area).min(c / 3.0_f64.sqrt()).max(0.5 * c)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::narrow::convex::polyhedra::cases::Random;

    /// Points of a triangle lie in its profile, for turns and screws.
    #[test]
    fn points_are_in_the_profile_of_their_triangle() {
        let mut r = Random(11);
        let mut bounded = 0;
        for k in 0..4000 {
            let advance = [0.0, 0.2, -3.0][k % 3];
            let axis = CommonAxis { point: r.vector(), direction: r.vector().normalize(), advance, deviation: 0.0 };
            let off = if k % 2 == 0 { 0.0 } else { 0.01 };
            let frame = AxisFrame::new(&axis, Relative::IDENTITY, off);
            let size = [1.0, 0.1, 0.01][k / 3 % 3];
            let base = r.vector() * 2.0;
            let corners = [0; 3].map(|_| base + r.vector() * size);
            let profile = frame.triangle(corners, 0.0, 0);
            bounded += usize::from(profile.high.y < UNBOUNDED);
            for _ in 0..20 {
                let [x, y] = [0.5 + 0.5 * r.vector().x, 0.5 + 0.5 * r.vector().y];
                let (x, y) = if x + y > 1.0 { (1.0 - x, 1.0 - y) } else { (x, y) };
                let shift = r.vector().normalize() * off;
                let p = corners[0] + (corners[1] - corners[0]) * x + (corners[2] - corners[0]) * y + shift;
                let c = frame.coordinates(p);
                let mut image = DVec2::new(c.x.hypot(c.y), c.z - advance * c.y.atan2(c.x));
                if advance != 0.0 && profile.high.y < UNBOUNDED {
                    let middle = 0.5 * (profile.low.y + profile.high.y);
                    image.y -= ((image.y - middle) / frame.period()).round() * frame.period();
                }
                let tiny = DVec2::splat(1e-13);
                assert!(image.cmpge(profile.low - tiny).all() && image.cmple(profile.high + tiny).all(), "{k}");
                for i in 0..16 {
                    let d = DVec2::from_angle(PI * f64::from(i) / 16.0);
                    let [from, to] = profile.along(d);
                    let height = image.dot(d);
                    assert!(!(height < from - 1e-13 || height > to + 1e-13), "{k} {i}: {height} {from} {to}");
                }
            }
        }
        assert!(bounded > 2500, "{bounded}");
    }

    #[test]
    fn the_flat_side_of_a_prism_has_its_sagitta() {
        let axis = CommonAxis { point: DVec3::ZERO, direction: DVec3::Z, advance: 0.0, deviation: 0.0 };
        let frame = AxisFrame::new(&axis, Relative::IDENTITY, 0.0);
        let angle = TAU / 256.0;
        let corner = DVec3::new(angle.cos(), angle.sin(), 0.0);
        let profile = frame.triangle([DVec3::X, corner, corner + DVec3::Z], 0.0, 0);
        assert!((profile.low.x - (0.5 * angle).cos()).abs() < 1e-13);
        let [from, _] = profile.along(DVec2::X);
        assert!((from - (0.5 * angle).cos()).abs() < 1e-8);
    }
}
