//! What every comparison needs: its options, the rival's bodies, the poses, and the judge of answers that differ.

pub(super) mod judge;
mod options;
pub(super) mod parry;
pub(super) mod parry_convex;
pub(super) mod placement;

pub(crate) use options::Options;
