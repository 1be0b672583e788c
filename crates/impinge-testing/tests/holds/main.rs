//! The oracles themselves: against answers known otherwise.

mod hulls;
mod soups;
