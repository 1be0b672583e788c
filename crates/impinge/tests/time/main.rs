//! Bodies that move and deform: when they first touch, when they part, how near they come.
#![allow(clippy::unwrap_used, reason = "a test may stop where its own premises fail")]

mod chain_bounds;
mod deforming {
    mod asked;
    mod bodies;
    mod degenerate;
    mod encounters;
    mod impact;
    mod parting;
    mod sweep;
}
mod fast_turning;
mod half_spaces;
mod impact;
mod impact_cases;
mod inclusion;
mod machines;
mod motions;
mod once_slow;
mod parting;
mod robots;
mod splines;
mod sweep;
