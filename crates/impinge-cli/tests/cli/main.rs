//! The real binary on small files: what it prints, where, and how it ends.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod clash;
mod decompose;
mod docs;
mod endings;
mod engines;
mod files;
mod harness;
mod hulls;
mod info;
mod moving;
mod one_body;
mod penetration;
mod poses;
mod refused;
mod shapes;
mod show;
mod verbs;
