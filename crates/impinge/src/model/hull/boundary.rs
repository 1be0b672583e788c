//! The boundary of a hull: corners and facets, by indices.

/// The boundary of a hull, by indices in the points given.
///
/// A point has one corner, a segment two, both without facets; a polygon has two facets, the same loop in both
/// directions; a solid has its facets, coplanar ones merged.
#[derive(Debug, Clone, Default)]
pub(crate) struct Hull {
    /// The extreme points; of equal points the first.
    pub(crate) corners: Vec<u32>,
    /// Corners of the facets, one after another, each counterclockwise from outside.
    pub(crate) loops: Vec<u32>,
    /// Where each facet ends in `loops`.
    pub(crate) ends: Vec<u32>,
}

impl Hull {
    pub(crate) fn facet_count(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn facets(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.ends.len()).map(|f| {
            let start = if f == 0 { 0 } else { self.ends[f - 1] };
            &self.loops[start as usize..self.ends[f] as usize]
        })
    }

    pub(super) fn push_facet(&mut self, corners: impl IntoIterator<Item = u32>) {
        self.loops.extend(corners);
        self.ends.push(self.loops.len() as u32);
    }
}
