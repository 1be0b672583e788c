//! `impinge run`: many bodies that move, looked at step by step.

pub(crate) mod command;
pub(crate) mod continuous;
pub(crate) mod report;
pub(crate) mod stage;
