//! The kind of a body, which decides the engine that answers, and what an index counts.

/// What a body is to the engines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BodyKind {
    Mesh,
    /// A convex polyhedron, with or without a margin: a sphere is a point with one.
    Polyhedron,
    /// Known by its support mapping.
    Smooth,
    HalfSpace,
    Parts,
}
