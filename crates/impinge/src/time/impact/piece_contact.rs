//! When and where two convex pieces first touch.

use glam::DVec3;

use crate::math::Interval;
use crate::narrow::parts::piece_outcome::WitnessedPoints;

/// The first contact of two pieces.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PieceContact {
    pub(crate) time: Interval,
    /// Whether they touch at `time.upper`; else they are as near as can be told.
    pub(crate) certain: bool,
    /// From `a` to `b`, in the frame of `a` at `time.lower`; zero when they touched from the beginning.
    pub(crate) normal: DVec3,
    /// In the frame of `a` at `time.lower`.
    pub(crate) witness: Option<WitnessedPoints>,
}

impl PieceContact {
    /// They touch at this time, and were apart before.
    pub(crate) fn at(t: f64, normal: DVec3, witness: WitnessedPoints) -> PieceContact {
        PieceContact { time: Interval { lower: t, upper: t }, certain: true, normal, witness: Some(witness) }
    }
}
