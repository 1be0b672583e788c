//! Advances a world in time: when its bodies meet, in order.

pub(super) mod advance;
pub(super) mod by_queue;
pub(super) mod by_steps;
pub(super) mod encounter;
pub(super) mod encounter_lists;
pub(super) mod look;
pub(super) mod time_queue;
pub(super) mod undo;
pub(super) mod window;
