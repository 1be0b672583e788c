//! Trials of the engines for meshes.

mod hull_tree_counts;
mod look_ahead_trials;
mod mesh_sweep_trials;
