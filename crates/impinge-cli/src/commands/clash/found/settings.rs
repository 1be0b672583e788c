//! The settings of a run, apart from the bodies.

use clap::ValueEnum;
use impinge::clash::ClashLimits;

use super::kind::ReportedKind;
use crate::input::units::Units;

/// How the report is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ClashFormat {
    Text,
    Json,
    Jsonl,
    Csv,
}

/// What the report is about, apart from the bodies.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    pub(crate) limits: ClashLimits,
    /// Kinds that are reported.
    pub(crate) kinds: Vec<ReportedKind>,
    pub(crate) units: Option<Units>,
    pub(crate) limit: usize,
    pub(crate) format: ClashFormat,
}
