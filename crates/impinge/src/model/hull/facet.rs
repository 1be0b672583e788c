//! A triangle of a hull that grows, with its neighbours and the points above it.

use super::sites::SitePlane;

/// No facet, no point, no step.
pub(super) const NONE: u32 = u32::MAX;

/// A triangle; side `k` runs from corner `k` to the next.
#[derive(Debug, Clone, Copy)]
pub(super) struct HullTriangle {
    /// Counterclockwise from outside.
    pub(super) corners: [u32; 3],
    /// The triangles across the sides.
    pub(super) across: [u32; 3],
}

/// A facet of the hull so far, and the points that are still above it.
pub(super) struct HullFacet {
    pub(super) triangle: HullTriangle,
    pub(super) plane: SitePlane,
    /// Its points, above it or nearly so: a range of the pool.
    pub(super) start: u32,
    pub(super) count: u32,
    /// The highest of those above it, if any.
    pub(super) farthest: u32,
    /// The step that last looked at it, and what it found; `NONE` in a free slot.
    pub(super) step: u32,
    pub(super) seen: bool,
}
