//! The bodies of an assembly: their names, and which pairs of them are left out.

pub(crate) mod assembly;
pub(crate) mod id;
pub(crate) mod names;
pub(crate) mod pieces;
pub(crate) mod rules;
