//! The kinds of clashes, as options and reports name them.

use clap::ValueEnum;
use impinge::clash::ClashKind;
use serde::{Deserialize, Serialize};

/// A pair is of one kind, the first that holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ReportedKind {
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

impl ReportedKind {
    pub(crate) const EACH: [ReportedKind; 5] = [
        ReportedKind::Duplicate,
        ReportedKind::Contained,
        ReportedKind::Hard,
        ReportedKind::Touch,
        ReportedKind::Clearance,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            ReportedKind::Duplicate => "duplicate",
            ReportedKind::Contained => "contained",
            ReportedKind::Hard => "hard",
            ReportedKind::Touch => "touch",
            ReportedKind::Clearance => "clearance",
        }
    }
}

impl From<ClashKind> for ReportedKind {
    fn from(kind: ClashKind) -> ReportedKind {
        match kind {
            ClashKind::Duplicate => ReportedKind::Duplicate,
            ClashKind::Contained => ReportedKind::Contained,
            ClashKind::Hard => ReportedKind::Hard,
            ClashKind::Touch => ReportedKind::Touch,
            ClashKind::Clearance => ReportedKind::Clearance,
        }
    }
}
