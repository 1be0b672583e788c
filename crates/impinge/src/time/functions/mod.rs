//! Finds all contacts over a span in which at most one body turns: by functions of time that are zero when features
//! touch.

pub(crate) mod certified_roots;
pub(crate) mod contact_functions;
pub(crate) mod contact_intervals;
pub(crate) mod surface;
pub(crate) mod timeline;
pub(crate) mod triangle_intervals;
