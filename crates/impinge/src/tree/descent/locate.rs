//! The leaves of a tree whose boxes hold a point.

use std::ops::ControlFlow;

use glam::DVec3;

use crate::tree::nodes::{Leaf, Tree, WIDTH};

/// How far outside of a box a point still counts, in units of the tree: some roundings of `f32`.
const SLACK: f32 = 1.0 / 1_048_576.0;

/// Most nodes kept to be opened; further nodes that hold the point are passed over.
const MOST_OPEN: usize = 128;

impl Tree {
    /// Visits leaves whose boxes hold a point of the mesh's frame until `visit` breaks; returns the boxes tested.
    pub(crate) fn leaves_at(&self, p: DVec3, mut visit: impl FnMut(Leaf) -> ControlFlow<()>) -> u64 {
        let x = ((p - self.centre) / self.unit).as_vec3().to_array();
        let mut open = arrayvec::ArrayVec::<u32, MOST_OPEN>::new();
        let mut tests = 0;
        if !self.nodes.is_empty() {
            open.push(0);
        }
        while let Some(at) = open.pop() {
            let node = &self.nodes[at as usize];
            tests += WIDTH as u64;
            let mut holds = [true; WIDTH];
            for (x, (centre, half)) in x.iter().zip(node.centre.iter().zip(&node.half)) {
                for (k, holds) in holds.iter_mut().enumerate() {
                    *holds &= (x - centre[k]).abs() <= half[k] + SLACK;
                }
            }
            for k in (0..WIDTH).filter(|&k| holds[k]) {
                match node.child[k].as_leaf() {
                    Some(leaf) => {
                        if visit(leaf).is_break() {
                            return tests;
                        }
                    }
                    None => {
                        let _ = open.try_push(node.child[k].index() as u32);
                    }
                }
            }
        }
        tests
    }
}
