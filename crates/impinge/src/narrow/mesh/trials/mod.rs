//! Trials of the engines for meshes.

mod hull_tree_counts;
mod mesh_sweep_trials;
