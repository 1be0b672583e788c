//! The spatial order of places: by row, then by sections along the row.
//!
//! A counting sort by cells that have about as many places as [`super::grid_sweep`] asks for. It is stable, so places
//! within a cell keep their order.

use super::row_grid::RowGrid;
use super::spatial_order::GRAIN;
use crate::broad::store::local::LocalBox;
use crate::threads::same_threads::SERIAL;
use crate::threads::share;

/// The cell of each place.
#[derive(Debug, Clone)]
pub(crate) struct RowCells {
    of: Vec<u32>,
    count: usize,
}

impl RowGrid {
    /// The cells of these boxes, by the rows as they are now.
    pub(crate) fn cells(&self, boxes: &[LocalBox], each: usize) -> RowCells {
        let rows = self.count();
        let along = self.along.into_pieces((boxes.len() / each / rows).max(1));
        let pieces = along.pieces();
        let cell = |b: &LocalBox| self.home(b) * pieces + along.low(b);
        let of = if boxes.len() > SERIAL {
            share::fill(0, boxes.len(), GRAIN, |k| cell(&boxes[k]))
        } else {
            boxes.iter().map(cell).collect()
        };
        RowCells { of, count: rows * pieces as usize }
    }
}

impl RowCells {
    /// The order in which places have to be put; `None` when no more than one in `stale` lies before its neighbour.
    pub(crate) fn order_unless(&self, stale: usize) -> Option<Vec<u32>> {
        let descents = self.of.windows(2).filter(|w| w[1] < w[0]).count();
        if descents * stale <= self.of.len() {
            return None;
        }
        let mut next = vec![0u32; self.count + 1];
        for &cell in &self.of {
            next[cell as usize + 1] += 1;
        }
        for cell in 0..self.count {
            next[cell + 1] += next[cell];
        }
        let mut order = vec![0; self.of.len()];
        for (p, &cell) in self.of.iter().enumerate() {
            order[next[cell as usize] as usize] = p as u32;
            next[cell as usize] += 1;
        }
        Some(order)
    }
}
