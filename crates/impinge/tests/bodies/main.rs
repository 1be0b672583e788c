//! Two bodies at their poses: meshes, hulls, round shapes and bodies of parts, asked by every verb and every engine.
#![allow(clippy::unwrap_used, reason = "a test may stop where its own premises fail")]

mod casts;
mod counting;
mod memory;
mod manifolds {
    mod convex;
    mod crossings;
    mod of_meshes;
    mod on_meshes;
    mod seams;
    mod sheets;
}
mod rays;
/// What the oracle says about two bodies, and the comparison of each verb's answer with it.
mod verdict {
    pub(crate) mod engines;
    pub(crate) mod families;
    pub(crate) mod frames;
    pub(crate) mod hull_answers;
    pub(crate) mod hulls;
    pub(crate) mod levels;
    pub(crate) mod mesh_answers;
    pub(crate) mod meshes;
    pub(crate) mod near;
    pub(crate) mod scenes;
}

mod meshes {
    mod adversarial;
    mod bad_input;
    mod coherence;
    mod convex;
    mod depth;
    mod determinism;
    mod many;
    mod properties;
    mod report;
    mod self_contacts;
    mod shift_oracle;
    mod tolerance;
    mod triangles;
    mod winding;
}

mod trees {
    mod adversarial;
    mod bad_input;
    mod bounds;
    mod deform;
    mod hull_tree;
}

mod convex {
    mod adversarial;
    mod allocations;
    mod bad_input;
    mod coherence;
    mod contacts;
    mod properties;
    mod random;
    mod time;
}

mod hulls {
    mod against_brute_force;
    mod against_oracle;
    mod oracle;
}

mod round {
    mod flat_caps;
    mod formulas;
    pub(crate) mod oracle;
    mod shapes;
}

/// How far one point is from a body, and on which side of its surface.
mod points {
    mod against_oracle;
    mod bad_input;
    mod known_sides;
    mod of_every_kind;
}

mod parts {
    mod decompose;
    mod mixed_pairs;
    mod pieces;
    mod tracking;
}

/// Cases with known answers, through every engine; and the meshes beside the project.
mod corpus {
    pub(crate) mod cases;
    mod depth;
    mod every_engine;
    mod hull_trees;
    mod meshes;
    pub(crate) mod questions;
    pub(crate) mod round_words;
    mod sound;
    mod told;
}
