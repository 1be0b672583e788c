//! The house: the source tree as drawn from its code, and the rules that keep it in order.

mod answers;
mod building;
mod code;
mod command;
mod folders;
mod graph;
mod map;
mod modules;
mod overview;
mod purpose;
mod ranks;
mod resolve;
mod rules;
mod sources;
#[cfg(test)]
mod trials;

pub use building::House;
pub use command::{DOCUMENT, run};
pub use rules::Rule;
