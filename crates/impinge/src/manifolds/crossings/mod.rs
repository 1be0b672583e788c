//! Curves that surfaces share.

pub(crate) mod cut;
pub(crate) mod find_crossings;
pub(crate) mod join;

pub use find_crossings::{CrossingCurve, Crossings, SharedFace};
