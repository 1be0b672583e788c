//! The clashes found, and how they compare with an earlier report.

pub(crate) mod asked;
pub(crate) mod baseline;
pub(crate) mod findings;
pub(crate) mod kind;
pub(crate) mod progress;
pub(crate) mod settings;
