//! Divides work into tasks for the threads of rayon's pool.
//!
//! All functions here hand their tasks to one function, [`each`], which calls them through `dyn`. So the library has
//! one copy of rayon's code for loops and not one for each loop: those were a seventh of all that was compiled. A task
//! takes so long that the call costs nothing beside it.
//!
//! No result depends on who did which task: results come in the order of the tasks.

use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

/// The number of threads of the pool.
pub(crate) fn count() -> usize {
    rayon::current_num_threads()
}

/// The number of the thread that asks, below [`count`].
pub(crate) fn this_thread() -> usize {
    rayon::current_thread_index().unwrap_or(0)
}

/// Does every task, known by its number.
pub(crate) fn each(tasks: usize, task: &(dyn Fn(usize) + Sync)) {
    if tasks <= 1 || count() == 1 {
        return (0..tasks).for_each(task);
    }
    (0..tasks).into_par_iter().with_max_len(1).for_each(task);
}

/// The results of every task, known by its number.
pub(crate) fn results<R: Send>(tasks: usize, task: impl Fn(usize) -> R + Sync) -> Vec<R> {
    each_piece(0..tasks, |_, k| task(k))
}

/// The results of `work` for each piece and its number.
pub(crate) fn each_piece<P: Send, R: Send>(
    pieces: impl Iterator<Item = P>,
    work: impl Fn(usize, P) -> R + Sync,
) -> Vec<R> {
    let jobs = Jobs::new(pieces);
    each(jobs.0.len(), &|k| jobs.run(k, &work));
    jobs.results()
}

/// `item(0)`, `item(1)` and so on, `grain` of them in a task.
pub(crate) fn map<R: Send>(count: usize, grain: usize, item: impl Fn(usize) -> R + Sync) -> Vec<R> {
    if count <= grain || self::count() == 1 {
        return (0..count).map(item).collect();
    }
    let some = |task: usize| (task * grain..count.min((task + 1) * grain)).map(&item).collect::<Vec<R>>();
    let mut all = Vec::with_capacity(count);
    results(count.div_ceil(grain), some).into_iter().for_each(|some| all.extend(some));
    all
}

/// As [`map`], for small results: they are written into one array of `blank`s, and not copied again.
pub(crate) fn fill<R: Copy + Send>(blank: R, count: usize, grain: usize, item: impl Fn(usize) -> R + Sync) -> Vec<R> {
    if count <= grain || self::count() == 1 {
        return (0..count).map(item).collect();
    }
    let mut all = vec![blank; count];
    each_piece(all.chunks_mut(grain), |task, some| {
        (task * grain..).zip(some).for_each(|(k, result)| *result = item(k));
    });
    all
}

/// Does both, at the same time where a thread is free.
pub(crate) fn join<A: Send, B: Send>(a: impl FnOnce() -> A + Send, b: impl FnOnce() -> B + Send) -> (A, B) {
    let (mut a, mut b, mut of_a, mut of_b) = (Some(a), Some(b), None, None);
    both(&mut || of_a = a.take().map(|a| a()), &mut || of_b = b.take().map(|b| b()));
    (of_a.expect("both were done"), of_b.expect("both were done"))
}

fn both(a: &mut (dyn FnMut() + Send), b: &mut (dyn FnMut() + Send)) {
    rayon::join(a, b);
}

/// Sorts pairs of numbers.
pub(crate) fn sort(pairs: &mut [[u32; 2]]) {
    pairs.par_sort_unstable();
}

/// Pieces of work and their results.
pub(crate) struct Jobs<P, R>(Vec<Mutex<Job<P, R>>>);

struct Job<P, R> {
    /// The piece, until a thread takes it.
    piece: Option<P>,
    done: Option<R>,
}

impl<P, R> Jobs<P, R> {
    pub(crate) fn new(pieces: impl Iterator<Item = P>) -> Jobs<P, R> {
        Jobs(pieces.map(|piece| Mutex::new(Job { piece: Some(piece), done: None })).collect())
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Does job `k`, if no thread has taken it.
    pub(crate) fn run(&self, k: usize, work: &impl Fn(usize, P) -> R) {
        let job = || self.0[k].lock().unwrap_or_else(PoisonError::into_inner);
        let waiting = job().piece.take();
        if let Some(piece) = waiting {
            let done = work(k, piece);
            job().done = Some(done);
        }
    }

    /// The results, in the order of the pieces.
    pub(crate) fn results(self) -> Vec<R> {
        let done = |job: Mutex<Job<P, R>>| job.into_inner().unwrap_or_else(PoisonError::into_inner).done;
        self.0.into_iter().filter_map(done).collect()
    }
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
