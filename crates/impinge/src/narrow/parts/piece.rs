//! Convex pieces that bodies are made of, and the gap between two of them along a direction.
//!
//! The direction may come from anywhere: the gap along it is measured with the support mappings, so that nothing
//! depends on how good the direction is.

use glam::DVec3;
use smallvec::SmallVec;

use crate::math::{EPS, Relative, normalising_scale};
use crate::model::round::Core;
use crate::narrow::body::BodyKind;
use crate::narrow::solid::Solid;
use crate::prim::{Triangle, careful_cross};

/// How far the coordinates of a direction may be from those of a half-space's normal to be that normal, turned to
/// another frame and back.
const SAME_NORMAL: f64 = 64.0 * EPS;

/// A convex piece of a body, in the body's frame.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ConvexPiece<'m> {
    Triangle(Triangle),
    Solid(Solid<'m>),
}

impl ConvexPiece<'_> {
    /// The point farthest along `d`, margin left out; `None` for a half-space.
    #[inline(always)]
    pub(crate) fn farthest(&self, d: DVec3) -> Option<DVec3> {
        match self {
            ConvexPiece::Triangle([p, q, r]) => {
                let (q_up, r_up) = (d.dot(*q - *p), d.dot(*r - *p));
                Some(if q_up > 0.0 && q_up >= r_up {
                    *q
                } else if r_up > 0.0 {
                    *r
                } else {
                    *p
                })
            }
            ConvexPiece::Solid(solid) => match solid.core {
                Core::Polyhedron(body) => Some(body.vertex(body.support(d, 0))),
                Core::Smooth(body) => Some(body.support(d)),
                Core::HalfSpace { .. } => None,
            },
        }
    }

    pub(crate) fn margin(&self) -> f64 {
        if let ConvexPiece::Solid(solid) = self { solid.margin } else { 0.0 }
    }

    /// A ball around it; `None` for a half-space.
    pub(crate) fn ball(&self) -> Option<(DVec3, f64)> {
        match self {
            ConvexPiece::Triangle([p, q, r]) => {
                let centre = *p + ((*q - *p) + (*r - *p)) / 3.0;
                Some((centre, centre.distance(*p).max(centre.distance(*q)).max(centre.distance(*r))))
            }
            ConvexPiece::Solid(solid) => match solid.core {
                Core::Polyhedron(body) => Some((body.centre(), body.radius() + solid.margin)),
                Core::Smooth(body) => Some((body.centre(), body.radius() + solid.margin)),
                Core::HalfSpace { .. } => None,
            },
        }
    }

    fn half_space(&self) -> Option<(DVec3, f64)> {
        match self {
            ConvexPiece::Solid(Solid { core: Core::HalfSpace { normal, offset }, margin }) => {
                Some((*normal, offset + margin))
            }
            _ => None,
        }
    }
}

/// The gap along the unit direction `n` of `a`'s frame, from `a` to `b`, less what rounding may add to it; negative
/// where no plane across `n` is between the pieces.
///
/// A half-space has a gap along its own normal only; along any other direction it reaches to infinity.
#[inline]
pub(crate) fn gap(pieces: [&ConvexPiece<'_>; 2], b_in_a: &Relative, n: DVec3) -> f64 {
    let [a, b] = pieces;
    let (p, q) = (a.farthest(n), b.farthest(-(b_in_a.rotation.transpose() * n)));
    let margins = a.margin() + b.margin();
    let shift = b_in_a.translation.abs().max_element();
    match (p, q) {
        (Some(p), Some(q)) => {
            let at = b_in_a.apply(q);
            let size = p.abs().max_element() + q.abs().max_element() + shift + margins;
            n.dot(at - p) - margins - 32.0 * EPS * size
        }
        _ if !normal_of_half_space(pieces, b_in_a).is_some_and(|own| own.abs_diff_eq(n, SAME_NORMAL)) => {
            f64::NEG_INFINITY
        }
        (None, Some(q)) => {
            let Some((normal, offset)) = a.half_space() else { return f64::NEG_INFINITY };
            let size = offset.abs() + q.abs().max_element() + shift + b.margin();
            normal.dot(b_in_a.apply(q)) - offset - b.margin() - 32.0 * EPS * size
        }
        (Some(p), None) => {
            let Some((normal, offset)) = b.half_space() else { return f64::NEG_INFINITY };
            let size = offset.abs() + p.abs().max_element() + shift + a.margin();
            normal.dot(b_in_a.inverse().apply(p)) - offset - a.margin() - 32.0 * EPS * size
        }
        (None, None) => f64::NEG_INFINITY,
    }
}

/// The only direction from `a` to `b`, in the frame of `a`, along which there can be a gap: the normal of the one that
/// is a half-space; `None` where neither is.
pub(crate) fn normal_of_half_space([a, b]: [&ConvexPiece<'_>; 2], b_in_a: &Relative) -> Option<DVec3> {
    let normal = |piece: &ConvexPiece<'_>| piece.half_space().map(|(normal, _)| normal);
    normal(a).or_else(|| normal(b).map(|n| -(b_in_a.rotation * n)))
}

/// Further directions, from `a` to `b` or back, that may have a wider gap than that of the closest points: the normal
/// of a half-space, else those of triangles.
pub(crate) fn more_directions(pieces: [&ConvexPiece<'_>; 2], b_in_a: &Relative) -> SmallVec<[DVec3; 2]> {
    if let Some(normal) = normal_of_half_space(pieces, b_in_a) {
        return SmallVec::from_slice(&[normal]);
    }
    let normal = |k: usize| match pieces[k] {
        ConvexPiece::Triangle([p, q, r]) => {
            let n = careful_cross(*q - *p, *r - *p);
            (n * normalising_scale(n.abs().max_element())).try_normalize()
        }
        ConvexPiece::Solid(_) => None,
    };
    normal(0).into_iter().chain(normal(1).map(|n| b_in_a.rotation * n)).collect()
}

impl<'m> BodyKind<'m> {
    /// The piece of a number.
    pub(crate) fn piece(&self, piece: u32) -> ConvexPiece<'m> {
        match self {
            BodyKind::Solid(solid) => ConvexPiece::Solid(*solid),
            BodyKind::Parts(parts) => ConvexPiece::Solid(Solid::polyhedron(parts.body(piece))),
            BodyKind::Mesh(mesh) => ConvexPiece::Triangle(mesh.corners(piece)),
        }
    }

    /// The only piece of a body that is no mesh, if it has exactly one.
    pub(crate) fn single_piece(&self) -> Option<ConvexPiece<'m>> {
        match self {
            BodyKind::Solid(solid) => Some(ConvexPiece::Solid(*solid)),
            BodyKind::Parts(parts) if parts.piece_count() == 1 => {
                Some(ConvexPiece::Solid(Solid::polyhedron(parts.body(0))))
            }
            _ => None,
        }
    }
}
