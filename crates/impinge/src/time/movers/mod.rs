//! Two moving bodies: where they are, how fast they approach, and searches that use only that and static tests.

pub(crate) mod by_samples;
pub(crate) mod by_speed;
pub(crate) mod carried_body;
pub(crate) mod contact_interval;
pub mod next_contact;
pub(crate) mod next_parting;
pub(crate) mod padded_box;
pub(crate) mod pairs_by_tests;
pub(crate) mod parting_by_tests;
pub(crate) mod two_bodies;
