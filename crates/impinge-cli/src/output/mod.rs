//! What is written: answers, errors, progress, and the status of the process.

pub(crate) mod error;
pub(crate) mod format;
pub(crate) mod interrupt;
pub(crate) mod json;
pub(crate) mod progress;
pub(crate) mod sheet;
pub(crate) mod status;
pub(crate) mod suggest;
pub(crate) mod text;
pub(crate) mod timing;
