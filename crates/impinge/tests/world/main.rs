//! Many bodies: worlds at one moment, worlds that advance in time, and the broad phases that they use.
#![allow(clippy::unwrap_used, reason = "a test may stop where its own premises fail")]

mod advance;
mod against_pairs;
mod broad {
    mod box_scenes;
    mod corpus;
    mod phases;
}
mod copies;
mod debug;
mod events;
mod near_pairs;
mod parting;
mod threads;
mod view;
mod view_tree;
