//! The part of `cargo xtask` that tests of other crates call too: the house, as drawn from the code.

pub mod house;
