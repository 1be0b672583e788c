//! When and where two convex pieces first touch.

use glam::DVec3;

use crate::math::Interval;
use crate::narrow::parts::piece_outcome::WitnessedPoints;

/// The first contact of two pieces.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PieceContact {
    pub(crate) time: Interval,
    /// Whether the pieces certainly touch at `time.upper`; if not, they are so near that rounding leaves it open.
    pub(crate) certain: bool,
    /// From `a` to `b`, in the frame of `a` at `time.lower`; zero when the pieces touch from the beginning.
    pub(crate) normal: DVec3,
    /// The points of the contact, in the frame of `a` at `time.lower`.
    pub(crate) witness: Option<WitnessedPoints>,
}

impl PieceContact {
    /// A certain contact at this time; the pieces are apart before.
    pub(crate) fn at(t: f64, normal: DVec3, witness: WitnessedPoints) -> PieceContact {
        PieceContact { time: Interval { lower: t, upper: t }, certain: true, normal, witness: Some(witness) }
    }

    /// No contact is found yet, and none is before the first of two times; until the second there may be one.
    pub(crate) fn open([lower, upper]: [f64; 2]) -> PieceContact {
        PieceContact { time: Interval { lower, upper }, certain: false, normal: DVec3::ZERO, witness: None }
    }

    pub(crate) fn is_open(&self) -> bool {
        !self.certain && self.witness.is_none()
    }
}
