//! Exact answers about two bodies. Everything works in `a`'s frame with one relative pose.

pub(crate) mod body;
pub(crate) mod context;
pub(crate) mod convex;
pub(crate) mod depth;
pub(crate) mod displacement;
pub(crate) mod grid;
pub(crate) mod limit;
pub(crate) mod mesh;
pub(crate) mod method;
pub(crate) mod outcome;
pub(crate) mod parts;
pub(crate) mod piece_tree;
pub(crate) mod precision;
pub(crate) mod proximity;
pub(crate) mod solid;

pub use grid::grid_contacts::Pairs;
pub use limit::Limit;
pub use mesh::self_contacts::{Neighbours, SelfContacts};
pub use method::Method;
pub use precision::Precision;
