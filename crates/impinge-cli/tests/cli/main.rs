//! The real binary on small files: what it prints, where, and how it ends.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bad_files;
mod bad_usage;
mod endings;
mod files;
mod harness;
mod info;
mod poses;
mod show;
mod verbs;
