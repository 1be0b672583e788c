//! Questions about bodies that move.

mod animation;
mod motion;
mod run;
