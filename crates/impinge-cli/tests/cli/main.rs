//! The real binary on small files: what it prints, where, and how it ends.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod animation;
mod bad_files;
mod bad_usage;
mod clash;
mod clash_bad;
mod clash_baseline;
mod clash_corpus;
mod clash_robots;
mod clash_rules;
mod clash_runs;
mod clash_tolerance;
mod decompose;
mod docs;
mod endings;
mod engines;
mod files;
mod harness;
mod hulls;
mod info;
mod motion;
mod motion_bad;
mod penetration;
mod poses;
mod run;
mod self_contacts;
mod shapes;
mod show;
mod urdf;
mod verbs;
