//! The house as drawn from its code, for `cargo xtask` and for tests.

pub mod house;
