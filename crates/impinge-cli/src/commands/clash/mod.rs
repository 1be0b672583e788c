//! `impinge clash`: every part of an assembly against every other.

pub(crate) mod bodies;
pub(crate) mod command;
pub(crate) mod found;
pub(crate) mod report;
