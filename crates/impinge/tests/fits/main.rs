//! What other people's code needs: poses in every form, what a body is made of, and types that go everywhere.
#![allow(clippy::unwrap_used, reason = "a test may stop where its own premises fail")]

mod anything;
mod models;
mod poses;
mod shapes;
mod slices;
mod types;
#[cfg(feature = "serde")]
mod written;
