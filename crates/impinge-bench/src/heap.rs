//! Counts the bytes in use on the heap, at the allocator: the memory of the rivals is counted in the same way.
// `GlobalAlloc` is an unsafe trait. Every call goes to `System` unchanged; only a counter is kept.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicIsize, Ordering::Relaxed};

static LIVE: AtomicIsize = AtomicIsize::new(0);

/// The system allocator, with a count of the bytes in use.
pub(crate) struct Counting;

// SAFETY: each method hands its arguments to `System` as they came and returns what `System` returns, so the contract
// of `GlobalAlloc` holds because it holds for `System`. The counter is never read by the allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        LIVE.fetch_add(layout.size() as isize, Relaxed);
        // SAFETY: the caller's promise about `layout` is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size() as isize, Relaxed);
        // SAFETY: `block` came from `System` through `alloc` or `realloc` with this `layout`.
        unsafe { System.dealloc(block, layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        LIVE.fetch_add(size as isize - layout.size() as isize, Relaxed);
        // SAFETY: as for `dealloc`; the caller's promise about `size` is passed on.
        unsafe { System.realloc(block, layout, size) }
    }
}

/// Bytes allocated and not yet freed.
pub(crate) fn live_bytes() -> isize {
    LIVE.load(Relaxed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_counted_while_it_lives() {
        let size = 64 << 20;
        let before = live_bytes();
        let block = std::hint::black_box(vec![0u8; size]);
        // Other tests allocate at the same time; none as much as this.
        assert!(live_bytes() - before > size as isize / 2);
        let full = live_bytes();
        drop(block);
        assert!(full - live_bytes() > size as isize / 2);
    }
}
