//! The report, and the formats it is written in.

pub(crate) mod csv;
pub(crate) mod groups;
pub(crate) mod json;
pub(crate) mod rows;
pub(crate) mod words;
pub(crate) mod write;
