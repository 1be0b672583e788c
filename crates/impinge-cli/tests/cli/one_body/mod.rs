//! Questions about one body: a mesh against itself, points and a body.

mod points;
mod self_contacts;
