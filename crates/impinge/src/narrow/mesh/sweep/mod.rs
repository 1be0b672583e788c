//! Two meshes while one of them moves straight; of other bodies, `time/sweep`.

pub(crate) mod look_ahead;
pub(crate) mod prism;
pub(crate) mod swept_leaves;
pub(crate) mod swept_meshes;
pub(crate) mod swept_trees;
