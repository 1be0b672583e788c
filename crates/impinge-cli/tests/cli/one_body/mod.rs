//! Questions about one body: a mesh against itself, points and rays.

mod points;
mod rays;
mod self_contacts;
