//! One file per command.

pub(crate) mod clash;
pub(crate) mod completions;
pub(crate) mod contacts;
pub(crate) mod demo;
pub(crate) mod distance;
pub(crate) mod help;
pub(crate) mod impact;
pub(crate) mod info;
pub(crate) mod man;
pub(crate) mod overlap;
pub(crate) mod penetration;
pub(crate) mod point;
pub(crate) mod ray;
pub(crate) mod run;
pub(crate) mod self_contacts;
pub(crate) mod sweep;
pub(crate) mod within;
