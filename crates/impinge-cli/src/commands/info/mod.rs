//! `impinge info`: what is in a file.

pub(crate) mod command;
pub(crate) mod facts;
pub(crate) mod tune;
pub(crate) mod words;
