//! Collisions in the plane.
#![allow(clippy::unwrap_used, reason = "a test may stop where its own premises fail")]

mod degenerate;
mod polygons;
