//! What cannot be answered: status 2, and a way out on standard error.

mod clash;
mod files;
mod motions;
mod usage;
