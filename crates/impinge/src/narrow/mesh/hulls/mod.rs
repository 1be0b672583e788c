//! Trees whose nodes are convex hulls (Xavier 1997), and what they remember.

pub(crate) mod cut_table;
pub(crate) mod cut_worth;
pub(crate) mod hull_tree;
pub(crate) mod simplex_cache;
