//! Models, poses and motions in the forms of `serde`.
//!
//! Each is written as a plain form: what it was made of, not what was made of it. What is read goes through the same
//! door as what is built, so a document that nobody should trust can be refused, and can do nothing else: trees, hulls
//! and the like are never read, but built anew. Every model begins with the number of its format, and a format that is
//! not known is refused.

mod convex_form;
mod form;
mod mesh_form;
mod model_form;
mod motion_forms;
mod place_forms;
mod robot_form;
mod round_form;
