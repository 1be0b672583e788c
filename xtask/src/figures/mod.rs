//! The figures of the documents: each is drawn by a file of this folder and kept in `docs/figures`.

mod chord;
mod descent;
mod draw;
mod levels;
mod picture;
mod plane;
mod prism;
mod voronoi;

pub(crate) use draw::run;
