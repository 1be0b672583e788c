//! impinge
