//! Contacts of meshes whose vertices move straight.

pub(crate) mod deforming_contacts;
pub(crate) mod deforming_impact;
pub(crate) mod deforming_parting;
pub(crate) mod deforming_sweep;
pub(crate) mod encounter_list;
pub(crate) mod feature_walk;
pub(crate) mod features;
pub(crate) mod mesh_encounter;
pub(crate) mod nearing;
pub(crate) mod snapshot;
pub(crate) mod still_crossing;
pub(crate) mod straight_step;
pub(crate) mod turning;
