//! Divides work into tasks for the threads of the pool.
//!
//! All functions here hand their tasks to one function, [`each`], which calls them through `dyn`. So the library has
//! one copy of the code for loops and not one for each loop: those were a seventh of all that was compiled. A task
//! takes so long that the call costs nothing beside it.
//!
//! Every thread takes the next task that none has taken. The thread that asks begins at once; others follow as they
//! wake up.
//!
//! No result depends on who did which task: results come in the order of the tasks.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::pool;
pub(crate) use super::pool::{count, sort};

/// Work that takes one thread less than this, in nanoseconds, is over before another thread is awake.
const WORTH_WAKING: f64 = 25e3;

/// Tasks for each thread where there is little work.
const TASKS: usize = 8;

/// Does every task, known by its number.
pub(crate) fn each(tasks: usize, task: &(dyn Fn(usize) + Sync)) {
    if tasks <= 1 || count() == 1 {
        return (0..tasks).for_each(task);
    }
    let next = AtomicUsize::new(0);
    pool::on_threads(count().min(tasks), &|_| {
        loop {
            let k = next.fetch_add(1, Ordering::Relaxed);
            if k >= tasks {
                return;
            }
            task(k);
        }
    });
}

/// How long an item of some work took the last time, in nanoseconds: whether it is worth waking threads for.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Pace(Option<f64>);

impl Pace {
    /// Nothing is known: threads are woken.
    pub(crate) const UNKNOWN: Pace = Pace(None);

    /// Work that is over at once.
    pub(crate) const SHORT: Pace = Pace(Some(0.0));
}

/// The results of `work` for each of the items, of which one thread takes `most` at a time, or fewer where there are
/// few. Threads are woken where the work took
/// long the last time.
pub(crate) fn each_few<P: Send, R: Send>(
    pace: &mut Pace,
    items: &mut [P],
    most: usize,
    work: impl Fn(&mut [P]) -> Vec<R> + Sync,
) -> Vec<R> {
    let threads = count();
    let is_short = pace.0.is_some_and(|ns| ns * (items.len() as f64) < WORTH_WAKING);
    let is_measured = threads > 1 && items.len() > 1;
    if is_short || !is_measured {
        let (own, count) = (is_measured.then(pool::Watch::start), items.len() as f64);
        let results = work(items);
        pace.0 = own.map_or(pace.0, |own| Some(own.nanoseconds() / count));
        return results;
    }
    let grain = items.len().div_ceil(TASKS * threads).clamp(1, most);
    let jobs = Jobs::new(items.chunks_mut(grain));
    let (next, slowest) = (AtomicUsize::new(0), Mutex::new(0.0f64));
    pool::on_threads(threads.min(jobs.len()), &|_| {
        let (watch, mut done) = (pool::Watch::start(), 0);
        loop {
            let k = next.fetch_add(1, Ordering::Relaxed);
            if k >= jobs.len() {
                break;
            }
            jobs.run(k, &|_, piece: &mut [P]| work(piece));
            done += grain;
        }
        if done > 0 {
            let mut slowest = lock(&slowest);
            *slowest = slowest.max(watch.nanoseconds() / done as f64);
        }
    });
    pace.0 = Some(slowest.into_inner().unwrap_or_else(PoisonError::into_inner));
    let mut all = Vec::new();
    for mut some in jobs.results() {
        all.append(&mut some);
    }
    all
}

/// The results of every task, known by its number.
pub(crate) fn results<R: Send>(tasks: usize, task: impl Fn(usize) -> R + Sync) -> Vec<R> {
    let mut done = Vec::new();
    done.resize_with(tasks, || None);
    let done = Mutex::new(done);
    each(tasks, &|k| {
        let result = task(k);
        lock(&done)[k] = Some(result);
    });
    in_order(done.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// The results of `work` for each piece and its number.
pub(crate) fn each_piece<P: Send, R: Send>(
    pieces: impl Iterator<Item = P>,
    work: impl Fn(usize, P) -> R + Sync,
) -> Vec<R> {
    let jobs = Jobs::new(pieces);
    each(jobs.len(), &|k| jobs.run(k, &work));
    jobs.results()
}

/// `item(0)`, `item(1)` and so on, `grain` of them in a task.
pub(crate) fn map<R: Send>(count: usize, grain: usize, item: impl Fn(usize) -> R + Sync) -> Vec<R> {
    let tasks = if self::count() == 1 { 1 } else { count.div_ceil(grain).max(1) };
    let some = |task: usize| {
        let (from, to) = if tasks == 1 { (0, count) } else { (task * grain, count.min((task + 1) * grain)) };
        let mut some = Vec::with_capacity(to - from);
        for k in from..to {
            some.push(item(k));
        }
        some
    };
    if tasks == 1 {
        return some(0);
    }
    let mut all = Vec::with_capacity(count);
    for mut some in results(tasks, some) {
        all.append(&mut some);
    }
    all
}

/// As [`map`], for small results: they are written into one array of `blank`s, and not copied again.
pub(crate) fn fill<R: Copy + Send>(blank: R, count: usize, grain: usize, item: impl Fn(usize) -> R + Sync) -> Vec<R> {
    let mut all = vec![blank; count];
    let grain = if self::count() == 1 { count } else { grain }.max(1);
    each_piece(all.chunks_mut(grain), |task, some| {
        for (k, result) in (task * grain..).zip(some) {
            *result = item(k);
        }
    });
    all
}

/// Does both, at the same time where a thread is free.
pub(crate) fn join<A: Send, B: Send>(a: impl FnOnce() -> A + Send, b: impl FnOnce() -> B + Send) -> (A, B) {
    let (mut a, mut b, mut of_a, mut of_b) = (Some(a), Some(b), None, None);
    pool::both(&mut || of_a = a.take().map(|a| a()), &mut || of_b = b.take().map(|b| b()));
    (of_a.expect("both were done"), of_b.expect("both were done"))
}

/// Pieces of work and their results. Loops over them are written out, and one lock holds both arrays: the adapters of
/// iterators, and arrays of locks, are compiled anew for each use, and were a tenth of all that was compiled.
pub(crate) struct Jobs<P, R> {
    all: Mutex<JobList<P, R>>,
    count: usize,
}

struct JobList<P, R> {
    /// The pieces that no thread has taken.
    pieces: Vec<Option<P>>,
    done: Vec<Option<R>>,
}

impl<P, R> Jobs<P, R> {
    pub(crate) fn new(pieces: impl Iterator<Item = P>) -> Jobs<P, R> {
        let (mut waiting, mut done) = (Vec::new(), Vec::new());
        for piece in pieces {
            waiting.push(Some(piece));
            done.push(None);
        }
        Jobs { count: waiting.len(), all: Mutex::new(JobList { pieces: waiting, done }) }
    }

    pub(crate) fn len(&self) -> usize {
        self.count
    }

    /// Does job `k`, if no thread has taken it.
    pub(crate) fn run(&self, k: usize, work: &impl Fn(usize, P) -> R) {
        let waiting = lock(&self.all).pieces[k].take();
        if let Some(piece) = waiting {
            let done = work(k, piece);
            lock(&self.all).done[k] = Some(done);
        }
    }

    /// The results, in the order of the pieces.
    pub(crate) fn results(self) -> Vec<R> {
        in_order(self.all.into_inner().unwrap_or_else(PoisonError::into_inner).done)
    }
}

fn lock<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

fn in_order<R>(done: Vec<Option<R>>) -> Vec<R> {
    let mut all = Vec::with_capacity(done.len());
    for result in done {
        all.extend(result);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_is_done_once_and_results_come_in_order() {
        for threads in [1, 2, 5] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            for count in [0, 1, 2, 7, 1000] {
                let squares: Vec<usize> = (0..count).map(|k| k * k).collect();
                let mut numbers = vec![1; count];
                pool.install(|| {
                    assert_eq!(results(count, |k| k * k), squares);
                    assert_eq!(map(count, 16, |k| k * k), squares);
                    assert_eq!(fill(0, count, 16, |k| k * k), squares);
                    let sums = each_piece(numbers.chunks_mut(3), |k, piece| {
                        piece.iter_mut().for_each(|number| *number += k);
                        piece.iter().sum::<usize>()
                    });
                    assert_eq!(sums.iter().sum::<usize>(), count + (0..count).map(|k| k / 3).sum::<usize>());
                });
                assert_eq!(numbers, (0..count).map(|k| 1 + k / 3).collect::<Vec<_>>(), "{count} on {threads}");
            }
            let (mut a, b) = (vec![3, 1, 2], "b");
            assert_eq!(pool.install(|| join(|| a.sort_unstable(), || b.len())), ((), 1));
            assert_eq!(a, [1, 2, 3]);
        }
    }
}
