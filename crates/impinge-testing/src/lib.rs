//! What the tests of the library share: exact answers for small bodies, by methods the library does not use, and the
//! bodies to ask about.
//!
//! Every `f64` is an integer times a power of two, so all coordinates of a question become integers in one unit and
//! every sign and every comparison is exact. Nothing here uses the library that is judged by it.
#![allow(clippy::unwrap_used, reason = "a test may stop where its own premises fail")]

pub mod distance;
pub mod encounter;
pub mod environment;
pub mod hulls;
pub mod inside;
pub mod machines;
pub mod number;
pub mod overlap;
pub mod planes;
pub mod random;
pub mod shapes;
pub mod soup;
pub mod urdf;
