//! The oracles themselves: against answers known otherwise.
#![allow(clippy::unwrap_used, reason = "a test may stop where its own premises fail")]

mod hulls;
mod soups;
