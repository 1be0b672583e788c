//! Hands pairs on in slices, so that no list of all of them is kept.

/// Pairs in one slice.
const SLICE: usize = 1 << 12;

/// Collects pairs and shows them a slice at a time, in the order given.
pub(crate) struct Stream<'a> {
    slice: Vec<[u32; 2]>,
    visit: &'a mut dyn FnMut(&[[u32; 2]]),
}

impl<'a> Stream<'a> {
    pub(crate) fn to(visit: &'a mut dyn FnMut(&[[u32; 2]])) -> Stream<'a> {
        Stream { slice: Vec::with_capacity(SLICE), visit }
    }

    /// The pair of two different slots, the lesser first.
    #[inline(always)]
    pub(crate) fn push(&mut self, i: u32, j: u32) {
        self.slice.push([i.min(j), i.max(j)]);
        if self.slice.len() == SLICE {
            self.flush();
        }
    }

    #[inline(never)]
    fn flush(&mut self) {
        (self.visit)(&self.slice);
        self.slice.clear();
    }
}

impl Drop for Stream<'_> {
    fn drop(&mut self) {
        if !self.slice.is_empty() && !std::thread::panicking() {
            self.flush();
        }
    }
}
