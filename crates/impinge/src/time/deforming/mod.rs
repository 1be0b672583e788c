//! Contacts of meshes whose vertices move straight, each by itself.

pub(crate) mod between;
pub(crate) mod crossing;
pub(crate) mod deforming_contacts;
pub(crate) mod deforming_impact;
pub(crate) mod deforming_parting;
pub(crate) mod deforming_sweep;
pub(crate) mod encounter;
pub(crate) mod feature_pair;
pub(crate) mod features;
pub(crate) mod inclusion;
pub(crate) mod nearing;
pub(crate) mod snapshot;
pub(crate) mod still_crossing;
pub(crate) mod straight_step;
