//! One number for the answers of a large fixed set of queries, so that a change of the code that must not change any
//! answer can be shown to change none: every verb, kind of pair, engine, tree and motion, asked cold and warm.
//!
//! A row of the report is a kind of question: how often it was asked, a hash of the answers to the last bit, and a hash
//! of the work (`Stats`). The work is apart because an optimisation may change it and still give the same answers.

mod bodies;
mod deforming;
mod motions;
mod parts;
mod planes;
mod refused;
mod tally;
mod two_bodies;
mod worlds;

pub(crate) use bodies::{Named, all as all_bodies};
pub(crate) use parts::{PARTS, run};
pub(crate) use refused::Refused;
