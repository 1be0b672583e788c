//! The bound on memory: 8 × the file + 4 MiB, the file's own bytes included.

use crate::error::Fault;

const FACTOR: usize = 8;
const SLACK: usize = 4 << 20;
/// A reserve for small things that are not counted: names, scratch space of fixed size, the reader's own records.
const RESERVE: usize = 1 << 20;

/// The bytes that may still be allocated while one file is read.
#[derive(Debug)]
pub(crate) struct Budget {
    left: usize,
}

impl Budget {
    /// The budget for a file of `len` bytes that is held in memory while it is read.
    pub(crate) fn for_file(len: usize) -> Budget {
        Budget { left: (len.saturating_mul(FACTOR - 1)).saturating_add(SLACK - RESERVE) }
    }

    /// A further file of `len` bytes (a glTF buffer) is read and held as well.
    pub(crate) fn extend(&mut self, len: usize) {
        self.left = self.left.saturating_add(len.saturating_mul(FACTOR - 1));
    }

    /// Takes `bytes` out of the budget.
    pub(crate) fn take(&mut self, bytes: usize) -> Result<(), Fault> {
        self.left = self.left.checked_sub(bytes).ok_or_else(too_much)?;
        Ok(())
    }

    /// Returns `bytes` to the budget, for something that has been freed.
    pub(crate) fn give(&mut self, bytes: usize) {
        self.left = self.left.saturating_add(bytes);
    }

    /// Frees a vector that was counted in this budget.
    pub(crate) fn give_vec<T>(&mut self, items: Vec<T>) {
        self.give(items.capacity() * size_of::<T>());
    }

    /// An empty vector with room for exactly `count` items.
    pub(crate) fn vec<T>(&mut self, count: usize) -> Result<Vec<T>, Fault> {
        let mut items = Vec::new();
        self.reserve(&mut items, count)?;
        Ok(items)
    }

    /// Makes room for `count` further items. Growing may move the items, so that for a moment both copies count.
    pub(crate) fn reserve<T>(&mut self, items: &mut Vec<T>, count: usize) -> Result<(), Fault> {
        let old = items.capacity();
        let new = items.len().checked_add(count).ok_or_else(too_much)?;
        if new > old {
            let size = size_of::<T>();
            self.take(new.checked_mul(size).ok_or_else(too_much)?)?;
            items.try_reserve_exact(count).map_err(|_| too_much())?;
            self.give(old * size);
        }
        Ok(())
    }

    /// Pushes an item, growing by doubling.
    pub(crate) fn push<T>(&mut self, items: &mut Vec<T>, item: T) -> Result<(), Fault> {
        if items.len() == items.capacity() {
            self.reserve(items, items.len().max(4))?;
        }
        items.push(item);
        Ok(())
    }
}

#[cold]
fn too_much() -> Fault {
    Fault::new(
        "the content would need more memory than 8 times the file + 4 MiB",
        "split the file, use fewer and larger parts, or write repeated geometry out",
    )
}
