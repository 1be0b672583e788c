//! The line about which a body is round, or turns: from its surface, and from the motion.
//!
//! The covariance of the surface of a body that is round about a line, even of a prism with three sides, has that line
//! through its middle as a principal axis, and equal eigenvalues across it. That line does not depend on the motion, so
//! it is right for rods that wobble. A rod with a keyway has another one; for it the axis of the motion is right. Of
//! both, the line from which the body reaches less far is taken: a wrong line only makes bounds weaker.

use glam::{DMat3, DVec3};

use super::common_axis::common_axis;
use crate::bound::Moments;
use crate::math::principal_axes;
use crate::model::Convex;
use crate::model::round::Core;
use crate::narrow::body::BodyKind;
use crate::narrow::parts::piece::ConvexPiece;
use crate::narrow::solid::Solid;
use crate::time::movers::two_bodies::Movers;

/// A line in the frame of a body.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AxisLine {
    pub(crate) point: DVec3,
    /// Of unit length.
    pub(crate) direction: DVec3,
}

/// What a piece of a body reaches: its corners, and how far it reaches beyond them.
pub(crate) enum PieceCorners<'m> {
    Triangle([DVec3; 3]),
    Polyhedron(&'m Convex, f64),
}

impl PieceCorners<'_> {
    pub(crate) fn each(&self, take: &mut impl FnMut(DVec3)) {
        match self {
            PieceCorners::Triangle(corners) => corners.iter().copied().for_each(take),
            PieceCorners::Polyhedron(body, _) => body.vertices().iter().copied().for_each(take),
        }
    }
}

/// Calls `take` with every piece of a body; `false` where a piece has no corners.
pub(crate) fn for_each_piece<'m>(body: &BodyKind<'m>, mut take: impl FnMut(PieceCorners<'m>)) -> bool {
    let mut nodes = vec![body.root()];
    while let Some(node) = nodes.pop() {
        let below = body.children(node);
        if below.is_empty() {
            for name in body.pieces(node) {
                take(match body.piece(name) {
                    ConvexPiece::Triangle(corners) => PieceCorners::Triangle(corners),
                    ConvexPiece::Solid(Solid { core: Core::Polyhedron(body), margin }) => {
                        PieceCorners::Polyhedron(body, margin)
                    }
                    ConvexPiece::Solid(_) => return false,
                });
            }
        }
        nodes.extend(below);
    }
    true
}

impl AxisLine {
    /// From the axis to a point, across; and how far along the axis it is.
    pub(crate) fn seen(&self, p: DVec3) -> (DVec3, f64) {
        let way = p - self.point;
        let height = way.dot(self.direction);
        (way - self.direction * height, height)
    }

    /// The line from which body `k` reaches less far: that of its surface, or the axis of its motion between two times.
    /// `None` for a body with smooth pieces.
    pub(crate) fn of(movers: &Movers<'_>, body: &BodyKind<'_>, k: usize, from: f64, to: f64) -> Option<AxisLine> {
        let mut moments = Moments::NONE;
        let has_corners = for_each_piece(body, |piece| match piece {
            PieceCorners::Triangle(corners) => moments = moments.and(&Moments::of(&corners)),
            PieceCorners::Polyhedron(body, _) => {
                for face in 0..body.face_count() as u32 {
                    let Some(corners) = body.face_corners(face) else { continue };
                    let corners: Vec<DVec3> = corners.map(|v| body.vertex(v)).collect();
                    for i in 1..corners.len().saturating_sub(1) {
                        moments = moments.and(&Moments::of(&[corners[0], corners[i], corners[i + 1]]));
                    }
                }
            }
        });
        if !has_corners {
            return None;
        }
        let lines = [AxisLine::of_surface(&moments), AxisLine::of_motion(movers, k, from, to)];
        let reach = |line: &AxisLine| {
            let mut most: f64 = 0.0;
            for_each_piece(body, |piece| piece.each(&mut |p| most = most.max(line.seen(p).0.length_squared())));
            most
        };
        let lines = lines.into_iter().flatten().filter(|line| line.point.is_finite() && line.direction.is_finite());
        lines.map(|line| (reach(&line), line)).min_by(|x, y| x.0.total_cmp(&y.0)).map(|(_, line)| line)
    }

    fn of_surface(moments: &Moments) -> Option<AxisLine> {
        let covariance = moments.covariance();
        let axes = principal_axes(covariance);
        let mut spreads = [0, 1, 2].map(|i| (axes.col(i).dot(covariance * axes.col(i)), i));
        spreads.sort_by(|x, y| x.0.total_cmp(&y.0));
        let [low, middle, high] = spreads;
        let own = if middle.0 - low.0 < high.0 - middle.0 { high.1 } else { low.1 };
        let direction = axes.col(own).try_normalize()?;
        Some(AxisLine { point: moments.middle(), direction })
    }

    fn of_motion(movers: &Movers<'_>, k: usize, from: f64, to: f64) -> Option<AxisLine> {
        let axis = common_axis(movers.motions, from, to, movers.models[1].reach())?;
        if k == 0 {
            return Some(AxisLine { point: axis.point, direction: axis.direction });
        }
        let into_b = movers.b_in_a(from).inverse();
        let turn: DMat3 = into_b.rotation;
        Some(AxisLine { point: into_b.apply(axis.point), direction: turn * axis.direction })
    }
}
