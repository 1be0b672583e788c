//! The oracle: exact answers for small bodies, by methods the library does not use.
//!
//! Every `f64` is an integer times a power of two, so all coordinates of a question become integers in one unit and
//! every sign and every comparison below is exact. Nothing here looks at the library except for
//! [`soup::into_frame_of_a`], which reads a pose.
#![allow(dead_code, unreachable_pub, reason = "each test program uses its own part of the oracle")]
#![allow(clippy::unwrap_used, reason = "a test may stop where its own premises fail")]

pub mod distance;
pub mod inside;
pub mod number;
pub mod overlap;
pub mod soup;
