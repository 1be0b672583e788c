//! Leaves out the manifolds of a union of convex pieces that only its seams make: a body that slides from piece to
//! piece feels no edge between them.
//!
//! Each piece by itself pushes along its own least way out, which at a seam may lead into the next piece. Where a body
//! touches the union in `p` along `n`, it lies outside of every piece, so no piece that holds `p` reaches beyond the
//! plane through `p` with that normal. A manifold is one of a seam if each of its points lies in another piece that
//! does reach beyond. In a hollow corner some points of each face lie on the other, but not all, and both are kept.
//!
//! Where a piece of the other body would be left without any manifold, all of its own are kept: it is so deep that
//! every way out leads through another piece.
//!
//! Cost: for each manifold a support and the planes of each other piece that is near the same piece of the other body.

use std::collections::BTreeMap;

use glam::DVec3;

use crate::manifolds::list::{Manifold, Manifolds};
use crate::math::Pose;
use crate::model::{Convex, Parts};

/// How far outside of a piece, by the size of the union, a point still lies on it.
const ON_PIECE: f64 = 1e-7;

/// How far beyond the plane of a contact, by its own size, a piece may reach.
const LEVEL: f64 = 1e-6;

/// A union as one of two bodies: `side` says which.
pub(super) struct Seams<'q> {
    pub(super) parts: &'q Parts,
    pub(super) pose: &'q Pose,
    pub(super) side: usize,
}

impl Seams<'_> {
    /// Takes manifolds of seams out of the list; `pairs` are the pieces that are near each other.
    pub(super) fn leave_out(&self, pairs: &[[u32; 2]], list: &mut Manifolds) {
        let (own, other) = (self.side, 1 - self.side);
        let mut near: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for pair in pairs {
            near.entry(pair[other]).or_default().push(pair[own]);
        }
        let is_of_seam = |manifold: &Manifold<'_>| {
            let pieces = near.get(&manifold.pair[other]).map_or(&[][..], |pieces| &pieces[..]);
            pieces.len() > 1 && self.is_of_seam(manifold, pieces)
        };
        let of_seams: Vec<bool> = list.iter().map(|manifold| is_of_seam(&manifold)).collect();
        let mut supported: Vec<u32> =
            list.iter().zip(&of_seams).filter(|(_, of_seam)| !**of_seam).map(|(m, _)| m.pair[other]).collect();
        supported.sort_unstable();
        let mut of_seams = of_seams.into_iter();
        list.retain(|pair| of_seams.next() != Some(true) || supported.binary_search(&pair[other]).is_err());
    }

    fn is_of_seam(&self, manifold: &Manifold<'_>, pieces: &[u32]) -> bool {
        let own = manifold.pair[self.side];
        // Out of the union, in its frame.
        let out = if self.side == 0 { manifold.normal } else { -manifold.normal };
        let out = self.pose.rotate_inverse(out);
        let others = || pieces.iter().filter(|piece| **piece != own).map(|&piece| self.parts.body(piece));
        manifold.points.iter().all(|point| {
            let p = self.pose.apply_inverse(point.points[self.side]);
            others().any(|piece| self.reaches_beyond(piece, p, out))
        })
    }

    /// Whether a piece holds the point and reaches beyond the plane through it.
    fn reaches_beyond(&self, piece: &Convex, p: DVec3, out: DVec3) -> bool {
        let slack = ON_PIECE * self.parts.body(self.parts.root()).radius();
        let farthest = piece.vertex(piece.support(out, 0));
        out.dot(farthest - p) > LEVEL * piece.radius() + slack
            && (0..piece.face_count() as u32).all(|face| piece.height(face, p) <= slack)
    }
}
