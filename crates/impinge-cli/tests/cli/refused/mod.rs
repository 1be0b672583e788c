//! Questions that cannot be answered: the status is 2, and standard error says what to do.

mod clash;
mod files;
mod motions;
mod usage;
