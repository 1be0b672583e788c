//! What can be the matter with two bodies, the most serious first.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// A pair is of one kind, the first that holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    /// The same triangles at the same place, up to the tolerance
    Duplicate,
    /// One lies inside the other, and their surfaces are apart
    Contained,
    /// They overlap by more than the tolerance
    Hard,
    /// They are apart, or overlap, by no more than the tolerance
    Touch,
    /// They are closer than --clearance
    Clearance,
}

impl Kind {
    pub(crate) const EACH: [Kind; 5] = [Kind::Duplicate, Kind::Contained, Kind::Hard, Kind::Touch, Kind::Clearance];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Kind::Duplicate => "duplicate",
            Kind::Contained => "contained",
            Kind::Hard => "hard",
            Kind::Touch => "touch",
            Kind::Clearance => "clearance",
        }
    }
}
