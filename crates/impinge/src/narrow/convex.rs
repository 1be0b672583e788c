//! Two convex polyhedra in `a`'s frame, and what the engines say about them.

use glam::DVec3;

use crate::math::Relative;
use crate::model::Convex;

/// Polyhedron `a` as it is and polyhedron `b` placed relative to it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Polyhedra<'m> {
    pub(crate) a: &'m Convex,
    pub(crate) b: &'m Convex,
    pub(crate) b_in_a: Relative,
}

/// A feature of a polyhedron, by its index there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Cell {
    Vertex(u32),
    Edge(u32),
    Face(u32),
}

/// Two closest points of polyhedra that are apart, in `a`'s frame.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Near {
    pub(crate) points: [DVec3; 2],
    /// The features that carry them.
    pub(crate) cells: [Cell; 2],
}

impl Near {
    pub(crate) fn distance(&self) -> f64 {
        self.points[0].distance(self.points[1])
    }
}

/// A way out: the least translation found that separates polyhedra that overlap, in `a`'s frame.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Way {
    /// Unit vector; moving `b` by `depth` along it separates them, up to touching.
    pub(crate) normal: DVec3,
    /// No shorter translation along any direction separates them.
    pub(crate) lower: f64,
    /// This one does, along `normal`.
    pub(crate) depth: f64,
    /// The deepest points, of `a` in `b` and of `b` in `a`: they come to touch.
    pub(crate) points: [DVec3; 2],
    pub(crate) cells: [Cell; 2],
}

/// What an engine found.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Verdict {
    Apart(Near),
    /// The bodies overlap, up to rounding.
    Overlap,
    /// The engine gave up within its cap; another has to answer.
    Unknown,
}
