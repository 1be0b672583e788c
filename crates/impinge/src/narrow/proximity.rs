//! How near two bodies of any kind are, with the witness that shows it, in the form from which queries are answered.

use super::outcome::Outcome;
use crate::answer::{Contact, Feature, Witness};
use crate::math::{Interval, Relative};

/// How near two bodies are; points and directions are in `a`'s frame. Where one body contains the other without
/// touching its surface, they touch but there is no witness.
pub(crate) type Proximity = Outcome<WitnessedGap, CommonPoint>;

/// How far two bodies are apart, and closest points that show it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct WitnessedGap {
    pub(crate) interval: Interval,
    pub(crate) witness: Witness,
}

/// Where two bodies touch.
#[derive(Debug, Clone)]
#[allow(clippy::large_enum_variant, reason = "a box would be an allocation in every query")]
pub(crate) enum CommonPoint {
    /// In two triangles of meshes, with a face of each.
    OfTriangles(Contact, [Feature; 2]),
    /// A common point of two bodies of which one is convex.
    OfBodies(Witness),
}

impl Proximity {
    /// Apart, by as much as the interval says.
    pub(crate) fn apart(interval: Interval, witness: Witness) -> Proximity {
        Outcome::Apart(WitnessedGap { interval, witness })
    }

    /// Whether they touch, or come as near as `envelope`.
    pub(crate) fn is_within(&self, envelope: f64) -> bool {
        match self {
            Outcome::Beyond => false,
            // Touching is decided exactly.
            Outcome::Apart(gap) => envelope > 0.0 && gap.interval.lower <= envelope,
            Outcome::Touching(_) | Outcome::Contained(_) => true,
        }
    }

    /// From a result for `b` and `a`, in `b`'s frame, to the result for `a` and `b`, in `a`'s frame.
    pub(crate) fn seen_from_b(self, b_in_a: &Relative) -> Proximity {
        let turned = |w: Witness| {
            let [q, p] = w.points.map(|x| b_in_a.apply(x));
            Witness { points: [p, q], features: [w.features[1], w.features[0]] }
        };
        self.swapped(|gap| WitnessedGap { witness: turned(gap.witness), ..gap }, |common| common.map(turned))
    }

    /// With the pieces named in the features.
    pub(crate) fn with_pieces(self, pieces: [u32; 2]) -> Proximity {
        let named = |witness: Witness| witness.with_pieces(pieces);
        self.map(|gap| WitnessedGap { witness: named(gap.witness), ..gap }, |common| common.map(named))
    }
}

impl CommonPoint {
    fn map(self, of_bodies: impl FnOnce(Witness) -> Witness) -> CommonPoint {
        match self {
            CommonPoint::OfBodies(witness) => CommonPoint::OfBodies(of_bodies(witness)),
            of_triangles => of_triangles,
        }
    }
}

impl Witness {
    /// With the pieces named in the features.
    pub(crate) fn with_pieces(mut self, pieces: [u32; 2]) -> Witness {
        for (feature, at) in self.features.iter_mut().zip(pieces) {
            if let Feature::Convex { piece, .. } = feature {
                *piece = at;
            }
        }
        self
    }
}
