//! Convex polyhedra, and bodies made of several of them.

pub(crate) mod bounded_hull;
pub(crate) mod direction_cells;
mod face_planes;
pub(crate) mod incidences;
pub(crate) mod measure;
pub(crate) mod parts;
pub(crate) mod parts_tree;
pub(crate) mod polyhedron;
pub(crate) mod support;
pub(crate) mod support_table;
