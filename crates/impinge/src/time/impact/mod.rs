//! When two bodies first touch: conservative advancement, ray casts, and proofs.

pub(crate) mod advance;
pub(crate) mod clearance;
pub(crate) mod closing;
pub(crate) mod contact_details;
pub(crate) mod earliest;
pub(crate) mod facet;
pub(crate) mod padded_box;
pub(crate) mod piece_contact;
pub(crate) mod ray_cast;
pub(crate) mod still_touching;
pub(crate) mod turning_directions;
