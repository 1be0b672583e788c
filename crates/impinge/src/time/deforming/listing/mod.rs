//! All encounters of the features of meshes over a step, as a solver of cloth needs them.

pub(crate) mod encounter_list;
pub(crate) mod mesh_encounter;
