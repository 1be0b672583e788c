//! Hands pairs on in slices, in order, from one thread or many, so that no list of all of them is kept.
//!
//! Work is cut into tasks whose pairs come in the order of the tasks. On one thread each pair goes straight to the
//! visitor. On several, a few tasks at a time fill buffers, which are shown in order. A buffer has room for [`ROOM`]
//! pairs; a task that has more is run again, after the buffer was shown, straight to the visitor, and leaves out what
//! was in the buffer. So memory is bounded, and the order is that of one thread.

use rayon::prelude::*;

/// Pairs in one slice.
const SLICE: usize = 1 << 12;
/// Pairs that a task may have before it is run once more.
const ROOM: usize = 1 << 18;
/// Tasks for each thread between two visits.
const AHEAD: usize = 4;

/// Who is shown pairs.
type Visit<'a> = dyn FnMut(&[[u32; 2]]) + 'a;

/// Collects pairs and shows them a slice at a time, in the order given.
pub(crate) struct Stream<'a> {
    slice: Vec<[u32; 2]>,
    visit: Option<&'a mut Visit<'a>>,
    /// Pairs still to be left out: they were shown before.
    skip: usize,
    limit: usize,
    full: bool,
}

impl<'a> Stream<'a> {
    pub(crate) fn to(visit: &'a mut dyn FnMut(&[[u32; 2]])) -> Stream<'a> {
        Stream { slice: Vec::with_capacity(SLICE), visit: Some(visit), skip: 0, limit: SLICE, full: false }
    }

    fn buffer() -> Stream<'static> {
        Stream { slice: Vec::new(), visit: None, skip: 0, limit: ROOM, full: false }
    }

    /// The pair of two different slots, the lesser first.
    #[inline(always)]
    pub(crate) fn push(&mut self, i: u32, j: u32) {
        if self.slice.len() >= self.limit {
            self.flush();
        }
        if !self.full {
            self.slice.push([i.min(j), i.max(j)]);
        }
    }

    /// Many pairs.
    #[inline(always)]
    pub(crate) fn extend(&mut self, pairs: &[[u32; 2]]) {
        if self.slice.len() >= self.limit {
            self.flush();
        }
        if !self.full {
            self.slice.extend_from_slice(pairs);
        }
    }

    /// Whether further pairs are dropped: the task may end here.
    #[inline(always)]
    pub(crate) fn is_full(&self) -> bool {
        self.full
    }

    #[inline(never)]
    fn flush(&mut self) {
        let Some(visit) = &mut self.visit else {
            self.full = true;
            return;
        };
        let left_out = self.skip.min(self.slice.len());
        self.skip -= left_out;
        if left_out < self.slice.len() {
            visit(&self.slice[left_out..]);
        }
        self.slice.clear();
    }

    /// Shows what is left. A stream that is not finished has pairs to show.
    pub(crate) fn finish(mut self) {
        self.flush();
    }
}

/// Runs `work(task, stream)` for each task and shows all pairs in the order of the tasks.
pub(crate) fn in_order(tasks: usize, visit: &mut dyn FnMut(&[[u32; 2]]), work: impl Fn(usize, &mut Stream<'_>) + Sync) {
    let threads = rayon::current_num_threads();
    if threads == 1 || tasks <= 1 {
        let mut stream = Stream::to(visit);
        (0..tasks).for_each(|task| work(task, &mut stream));
        return stream.finish();
    }
    for first in (0..tasks).step_by(threads * AHEAD) {
        let wave = first..tasks.min(first + threads * AHEAD);
        let buffers: Vec<(Vec<[u32; 2]>, bool)> = wave
            .clone()
            .into_par_iter()
            .with_max_len(1)
            .map(|task| {
                let mut buffer = Stream::buffer();
                work(task, &mut buffer);
                (buffer.slice, buffer.full)
            })
            .collect();
        for (task, (pairs, full)) in wave.zip(buffers) {
            if !pairs.is_empty() {
                visit(&pairs);
            }
            if full {
                let mut stream = Stream { skip: pairs.len(), ..Stream::to(visit) };
                drop(pairs);
                work(task, &mut stream);
                stream.finish();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_is_that_of_one_thread_whatever_the_tasks_have() {
        let list = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
            let mut list = Vec::new();
            pool.install(|| {
                in_order(9, &mut |pairs| list.extend_from_slice(pairs), |task, stream| {
                    let pairs = [0, 1, ROOM - 1, ROOM, ROOM + 1, 3 * ROOM, SLICE, 5, 0][task];
                    for k in 0..pairs as u32 {
                        stream.push(task as u32, 100 + k);
                    }
                });
            });
            list
        };
        let alone = list(1);
        assert_eq!(alone.len(), 6 * ROOM + SLICE + 6);
        assert!(alone == list(3));
    }
}
