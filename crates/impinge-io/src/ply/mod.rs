//! PLY: a text header that describes elements and their properties, then the elements as text or binary.
//!
//! The vertices are the `x`, `y`, `z` of the element `vertex`, the polygons the list `vertex_indices` (or
//! `vertex_index`) of the element `face`; the two may come in any order, with any scalar types, among any other
//! elements and properties, which are skipped. Triangle strips are refused.
//!
//! Written by hand: `ply-rs-bw` reads from a stream, so that a length claimed by the file cannot be compared with the
//! number of bytes left, and it returns every property one by one.

mod ascii;
mod binary;
mod body;
mod faces;
mod header;
mod reader;

pub(crate) use reader::read;
