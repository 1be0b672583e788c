//! Directions that turn with the bodies, for certificate 3 of [`super::closing`].
//!
//! The normal of a face turns with the body of the face. The direction across two edges turns with both bodies: it is
//! used as the cross product of the edges, whose length is the sine of the angle between them, since the certificate
//! needs the second derivative of that product.

use glam::DVec3;
use smallvec::{SmallVec, smallvec};

use crate::math::Relative;
use crate::narrow::convex::polyhedra::HullFeature;
use crate::narrow::parts::closest_features::{PieceFeatures, closest_edges};
use crate::narrow::parts::piece::ConvexPiece;
use crate::prim::Part;

/// Where the sine between two edges is less than this, the direction across them is not used.
const LEAST_SINE: f64 = 1e-3;

/// A direction from `a` to `b`.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Turned {
    /// A unit vector fixed in `a` (0) or in `b` (1).
    With(usize, DVec3),
    /// Perpendicular to two edges, each given in the frame of its body.
    Across([DVec3; 2]),
}

impl Turned {
    /// The directions to try where there is a gap along `n` and these features of the pieces are closest.
    pub(crate) fn all(
        pieces: [&ConvexPiece<'_>; 2],
        features: PieceFeatures,
        b_in_a: &Relative,
        n: DVec3,
    ) -> SmallVec<[Turned; 2]> {
        let (with_a, with_b) = (Turned::With(0, n), Turned::With(1, b_in_a.rotation.transpose() * n));
        if let Some([e, f]) = closest_edges(pieces, features) {
            let across = e.cross(b_in_a.rotation * f);
            if across.length_squared() > LEAST_SINE * LEAST_SINE {
                return smallvec![Turned::Across([e, if across.dot(n) < 0.0 { -f } else { f }])];
            }
        }
        match features {
            PieceFeatures::Cells([HullFeature::Face(_), _]) | PieceFeatures::Parts([Part::Face, _]) => {
                smallvec![with_a]
            }
            PieceFeatures::Cells([_, HullFeature::Face(_)]) | PieceFeatures::Parts([_, Part::Face]) => {
                smallvec![with_b]
            }
            _ => smallvec![with_a, with_b],
        }
    }

    /// The direction in the frame of `a`, and its length.
    pub(crate) fn at(&self, b_in_a: &Relative) -> (DVec3, f64) {
        match *self {
            Turned::With(0, n) => (n, 1.0),
            Turned::With(_, n) => (b_in_a.rotation * n, 1.0),
            Turned::Across([e, f]) => {
                let across = e.cross(b_in_a.rotation * f);
                let length = across.length();
                (across / length, length)
            }
        }
    }

    /// For each body, whether the direction turns with it.
    pub(crate) fn with(&self) -> [bool; 2] {
        match *self {
            Turned::With(k, _) => [k == 0, k == 1],
            Turned::Across(_) => [true; 2],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Pose;
    use crate::narrow::convex::polyhedra::cases::Random;
    use crate::path::Steady;
    use crate::time::impact::closing::Closing;
    use crate::time::movers::padded_box::PaddedBox;

    /// Compares second differences of the height of one point over another with the bound, along each direction.
    #[test]
    fn second_derivatives_of_heights_stay_below_the_bound() {
        let mut r = Random(5);
        let mut greatest: f64 = 0.0;
        for _ in 0..2000 {
            let [a, b] = [0; 2].map(|_| {
                let pose = Pose::at(r.vector() * 2.0).unwrap();
                Steady::new(pose, r.vector(), r.vector() * 4.0, r.vector() * 9.0, 0.0).unwrap()
            });
            let closing = Closing::new([&a, &b], [9.0; 2], 0.0, 1.0);
            let now = closing.at(0.5);
            let [p, q, u, v] = [0; 4].map(|_| r.vector());
            let around = |centre: DVec3| PaddedBox::ball(centre, 0.5);
            let boxes = [around(p + 0.25 * u), around(now.b_in_a.apply(q + 0.25 * v))];
            let edges = [u.normalize(), v.normalize()];
            for direction in [Turned::With(0, edges[0]), Turned::With(1, edges[1]), Turned::Across(edges)] {
                let height = |t: f64| {
                    let (_, b_in_a) = closing.relative(t);
                    let (n, length) = direction.at(&b_in_a);
                    length * n.dot(b_in_a.apply(q) - p)
                };
                let tau = 0.02;
                let bound = closing.turned_acceleration(&now, [&boxes[0], &boxes[1]], direction.with(), 0.0, tau);
                for i in 1..10 {
                    let (t, step) = (0.5 + tau * f64::from(i) / 10.0, 1e-4);
                    let bend = (height(t + step) - 2.0 * height(t) + height(t - step)) / (step * step);
                    greatest = greatest.max(bend.abs() / bound);
                }
            }
        }
        assert!(greatest <= 1.0 && greatest > 0.3, "{greatest}");
    }
}
