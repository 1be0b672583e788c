//! Hands pairs on in slices, in order, from one thread or many, so that no list of all of them is kept.
//!
//! Work is cut into tasks whose pairs come in the order of the tasks. On one thread each pair goes straight to the
//! visitor. On several, a few tasks at a time fill buffers, which are shown in order. A buffer has room for [`ROOM`]
//! pairs; a task that has more is run again, after the buffer was shown, straight to the visitor, and leaves out what
//! was in the buffer. So memory is bounded, and order and counts are those of one thread: of a task that was run twice
//! only the second run counts.

use crate::threads::share;

/// The number of pairs in one slice.
const SLICE: usize = 1 << 12;
/// The number of pairs up to which a task need not be run again.
const ROOM: usize = 1 << 18;
/// The number of tasks for each thread between two visits.
const AHEAD: usize = 8;

/// The visitor, to which pairs are shown.
type Visit<'a> = dyn FnMut(&[[u32; 2]]) + 'a;

/// Collects pairs and shows them a slice at a time, in the order given.
pub(crate) struct Stream<'a> {
    slice: Vec<[u32; 2]>,
    visit: Option<&'a mut Visit<'a>>,
    /// The number of pairs still to be left out: they were shown before.
    skip: usize,
    limit: usize,
    full: bool,
}

impl<'a> Stream<'a> {
    pub(crate) fn to(visit: &'a mut dyn FnMut(&[[u32; 2]])) -> Stream<'a> {
        Stream { slice: Vec::with_capacity(SLICE), visit: Some(visit), skip: 0, limit: SLICE, full: false }
    }

    /// Collects pairs in `slice`, whatever is in it.
    fn buffer(mut slice: Vec<[u32; 2]>) -> Stream<'static> {
        slice.clear();
        Stream { slice, visit: None, skip: 0, limit: ROOM, full: false }
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

    /// Whether further pairs are dropped, so that the task may end here.
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

    /// Shows the pairs that are left. A stream that is not finished may have pairs that were not shown.
    pub(crate) fn finish(mut self) {
        self.flush();
    }
}

/// The result of one task.
#[derive(Debug, Clone, Default)]
struct Done {
    pairs: Vec<[u32; 2]>,
    full: bool,
    count: u64,
}

/// Runs `work(task, stream)` for each task and shows all pairs in the order of the tasks. Returns the sum of what
/// `work` counted.
pub(crate) fn in_order(
    tasks: usize,
    visit: &mut dyn FnMut(&[[u32; 2]]),
    work: impl Fn(usize, &mut Stream<'_>) -> u64 + Sync,
) -> u64 {
    let threads = share::count();
    if threads == 1 || tasks <= 1 {
        let mut stream = Stream::to(visit);
        let count = (0..tasks).map(|task| work(task, &mut stream)).sum();
        stream.finish();
        return count;
    }
    let mut count = 0;
    let mut wave = vec![Done::default(); tasks.min(threads * AHEAD)];
    for first in (0..tasks).step_by(wave.len()) {
        wave.truncate(tasks - first);
        share::each_piece(wave.iter_mut(), |k, done| {
            let mut buffer = Stream::buffer(std::mem::take(&mut done.pairs));
            let count = work(first + k, &mut buffer);
            *done = Done { pairs: buffer.slice, full: buffer.full, count };
        });
        for (k, done) in wave.iter_mut().enumerate() {
            if !done.pairs.is_empty() {
                visit(&done.pairs);
            }
            if done.full {
                let mut stream = Stream { skip: done.pairs.len(), ..Stream::to(visit) };
                done.pairs = Vec::new();
                done.count = work(first + k, &mut stream);
                stream.finish();
            }
            count += done.count;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_and_counts_are_those_of_one_thread_whatever_the_tasks_have() {
        const PAIRS: [usize; 9] = [0, 1, ROOM - 1, ROOM, ROOM + 1, 3 * ROOM, SLICE, 5, 0];
        // More tasks than one wave of three threads has.
        let tasks = 4 * AHEAD;
        let list = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
            let mut list = Vec::new();
            let count = pool.install(|| {
                in_order(tasks, &mut |pairs| list.extend_from_slice(pairs), |task, stream| {
                    let pairs = PAIRS.get(task).map_or(task, |pairs| *pairs) as u32;
                    let mut tried = 0;
                    while tried < pairs && !stream.is_full() {
                        stream.push(task as u32, 100 + tried);
                        tried += 1;
                    }
                    u64::from(tried)
                })
            });
            (list, count)
        };
        let one_thread = list(1);
        assert_eq!(one_thread.0.len(), 6 * ROOM + SLICE + 6 + (9..tasks).sum::<usize>());
        assert_eq!(one_thread.0.len() as u64, one_thread.1);
        assert!(one_thread == list(3));
    }
}
