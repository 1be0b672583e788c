//! Trees whose nodes are convex hulls (Xavier 1997), and what they remember.

pub(crate) mod cut_table;
pub(crate) mod cut_worth;
pub(crate) mod hull_tree;
#[cfg(test)]
pub(crate) mod hull_tree_counts;
pub(crate) mod simplex_cache;
