//! Readers for triangle meshes.
