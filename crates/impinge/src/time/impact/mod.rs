//! Finds when two bodies first touch, by conservative advancement and ray casts, and proves how long they are apart or
//! touch.

pub(crate) mod advance;
pub(crate) mod clearance;
pub(crate) mod closing;
pub(crate) mod contact_details;
mod difference_ray;
pub(crate) mod facet;
pub(crate) mod piece_contact;
mod portal;
pub(crate) mod ray_cast;
mod round_pieces;
pub(crate) mod still_touching;
mod surely_inside;
pub(crate) mod trees;
pub(crate) mod turning_directions;
