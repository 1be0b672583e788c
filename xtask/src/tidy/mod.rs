//! The rules of this source tree that no compiler checks.

mod complaint;
mod every_rule;
mod examples;
mod files;
mod house_map;
mod layout;
mod lines;
mod walks;

pub(crate) use every_rule::run;
