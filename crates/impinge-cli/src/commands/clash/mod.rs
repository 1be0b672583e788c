//! `impinge clash`: every part of an assembly against every other.

pub(crate) mod bodies;
pub(crate) mod command;
pub(crate) mod crossing;
pub(crate) mod duplicate;
pub(crate) mod found;
pub(crate) mod inside;
pub(crate) mod judge;
pub(crate) mod ladder;
pub(crate) mod near;
pub(crate) mod report;
pub(crate) mod skin;
