//! When vertices meet faces, edges edges.

pub(crate) mod between;
pub(crate) mod crossing;
pub(crate) mod encounter;
pub(crate) mod exact_meeting;
pub(crate) mod feature_pair;
pub(crate) mod inclusion;
pub(crate) mod inclusion_query;
pub(crate) mod meeting_place;
pub(crate) mod near_meeting;
