//! What the support mapping of a convex polyhedron reads: the vertices relative to the centre, the neighbours of each
//! vertex, and the cells of directions.

use glam::DVec3;

use super::direction_cells::{DirectionCells, Surroundings};

/// Where a search starts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SupportStart {
    pub(super) cell: u32,
    pub(super) hint: u32,
}

/// What the support mapping reads: offsets of the vertices from the centre, and the neighbours of each vertex.
#[derive(Debug, Clone, Default)]
pub(crate) struct SupportTable {
    offsets: Vec<DVec3>,
    /// Where the neighbours of each vertex begin; one more than there are vertices.
    first: Vec<u32>,
    /// Neighbours of the vertices, in the order of their half-edges.
    neighbours: Vec<u32>,
    cells: DirectionCells,
}

impl SupportTable {
    /// Of a body with these vertices, of which vertex `v` has `neighbours[first[v]..first[v + 1]]`.
    pub(super) fn new(vertices: &[DVec3], centre: DVec3, radius: f64, first: Vec<u32>, neighbours: Vec<u32>) -> Self {
        let offsets = vertices.iter().map(|v| *v - centre).collect();
        let mut table = SupportTable { offsets, first, neighbours, cells: DirectionCells::default() };
        table.cells = DirectionCells::of(&Surroundings {
            vertices,
            offsets: &table.offsets,
            radius,
            neighbours: |v| table.neighbours(v),
        });
        table
    }

    /// The cells that directions are looked up in.
    #[inline(always)]
    pub(super) fn cells(&self) -> &DirectionCells {
        &self.cells
    }

    /// The farthest vertex, from a given one. Each step is strictly upward, so none is passed twice.
    #[inline(always)]
    pub(super) fn climb(&self, d: DVec3, start: u32) -> u32 {
        let mut at = start;
        for _ in 0..self.offsets.len() {
            match self.neighbours(at).get(self.steepest(at, d)) {
                Some(&next) => at = next,
                None => break,
            }
        }
        at
    }

    #[inline(always)]
    pub(super) fn neighbours(&self, v: u32) -> &[u32] {
        &self.neighbours[self.first[v as usize] as usize..self.first[v as usize + 1] as usize]
    }

    /// The place of the neighbour farthest along `d`; beyond the last if none is farther than the vertex.
    #[inline(always)]
    pub(super) fn steepest(&self, v: u32, d: DVec3) -> usize {
        let here = self.offset(v);
        let (mut most, mut found) = (0.0, usize::MAX);
        for (k, &next) in self.neighbours(v).iter().enumerate() {
            let rise = d.dot(self.offset(next) - here);
            let more = rise > most;
            found = if more { k } else { found };
            most = if more { rise } else { most };
        }
        found
    }

    /// From the centre to the vertex.
    #[inline(always)]
    pub(crate) fn offset(&self, v: u32) -> DVec3 {
        self.offsets[v as usize]
    }
}
