//! Two meshes while one of them moves straight.

pub(crate) mod look_ahead;
pub(crate) mod mesh_sweep;
#[cfg(test)]
pub(crate) mod mesh_sweep_trials;
pub(crate) mod prism;
pub(crate) mod swept_trees;
