//! What was asked for, apart from the bodies.

use clap::ValueEnum;

use super::super::judge::Judge;
use super::kind::Kind;
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
    pub(crate) judge: Judge,
    /// Kinds that are reported.
    pub(crate) kinds: Vec<Kind>,
    pub(crate) units: Option<Units>,
    pub(crate) limit: usize,
    pub(crate) format: ClashFormat,
}
