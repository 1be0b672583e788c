//! Rank 2: one tree type over flat arrays, its builders, and the one tandem descent that all queries share.

mod binary;
#[cfg(test)]
mod bound_trials;
mod buckets;
mod builder;
mod curve;
mod descend;
mod dressed;
mod fold;
mod gap;
mod grazing;
mod itself;
mod locate;
mod mean;
mod meeting;
mod nearing;
mod nodes;
mod oriented;
mod ploc;
mod probe;
mod ray;
mod refit;
mod sah;
mod separation;
mod wide;

pub use builder::Builder;
pub(crate) use descend::{Bounds, Frame, Metric, Order, Scratch, Visitor, Volumes, descend, descend_from};
pub(crate) use dressed::{Dress, Dressed, Dressing, Wardrobe};
pub(crate) use gap::Gap;
pub(crate) use grazing::{Grazing, SOON};
pub(crate) use itself::descend_itself;
pub(crate) use meeting::Meeting;
pub(crate) use nearing::Nearing;
pub(crate) use nodes::{
    Below, Child, GRAIN, LEAF, Leaf, MAX_TRIANGLES, NOWHERE, Node, SERIAL, Slot, Tree, WIDTH, own_units,
};
pub(crate) use oriented::{Oriented, fit};
pub(crate) use probe::{Probe, probe};
pub(crate) use ray::along_x;
pub(crate) use separation::Separation;
