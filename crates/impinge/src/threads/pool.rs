//! The threads that there are: those of rayon's current pool, or, where the library is built without the feature
//! `rayon`, the one that asks.
//!
//! With the feature off nothing here starts a thread, and no answer is another: every sharing of work gives the same
//! bits on one thread as on many. So the library runs where there are no threads.

use std::sync::mpsc::Receiver;

#[cfg(feature = "rayon")]
pub(crate) use of_rayon::*;

#[cfg(not(feature = "rayon"))]
pub(crate) use one::*;

/// What a thread of its own finds, and the thread: [`finder`].
pub(crate) type FoundAhead<T> = (Receiver<T>, Finder);

/// A thread that finds something while others wait for it. Without threads everything was found before anybody waits.
#[derive(Debug)]
pub(crate) struct Finder {
    #[cfg(feature = "rayon")]
    thread: std::thread::JoinHandle<()>,
}

impl Finder {
    /// Waits until it has ended; if it failed, fails in the same way.
    pub(crate) fn end(self) {
        #[cfg(feature = "rayon")]
        self.thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    }
}

/// Measures how long work takes, to choose how many threads take part in the next: no answer depends on it. Without
/// threads there is nothing to choose, and no clock.
pub(crate) struct Watch {
    #[cfg(feature = "rayon")]
    start: std::time::Instant,
}

impl Watch {
    /// Begins. To be called only where there are several threads: not every machine without has a clock.
    pub(crate) fn start() -> Watch {
        Watch {
            #[cfg(feature = "rayon")]
            start: std::time::Instant::now(),
        }
    }

    #[cfg(feature = "rayon")]
    pub(crate) fn nanoseconds(&self) -> f64 {
        self.start.elapsed().as_nanos() as f64
    }

    #[cfg(not(feature = "rayon"))]
    pub(crate) fn nanoseconds(&self) -> f64 {
        0.0
    }
}

#[cfg(feature = "rayon")]
mod of_rayon {
    use std::sync::mpsc;
    use std::thread;

    use rayon::prelude::*;

    use super::{Finder, FoundAhead};

    /// The number of threads of the pool.
    pub(crate) fn count() -> usize {
        rayon::current_num_threads()
    }

    /// Has up to so many threads do the work, the one that asks among them, each once. It is given a number below
    /// `threads`, by which it knows what it did the last time: no other thread has the same one, as a rule.
    pub(crate) fn on_threads(threads: usize, work: &(dyn Fn(usize) + Sync)) {
        let inside = rayon::current_thread_index();
        // The thread that asks works, too, wherever it comes from: to hand all over and to wait took longer than the
        // work on small worlds.
        rayon::in_place_scope(|scope| {
            for _ in 1..threads {
                scope.spawn(move |_| {
                    let own = rayon::current_thread_index().unwrap_or(0);
                    work(if inside.is_some() || threads < 2 { own } else { 1 + own % (threads - 1) });
                });
            }
            work(inside.unwrap_or(0));
        });
    }

    /// As [`on_threads`] with threads of its own, for work that waits for what the threads of the pool do.
    pub(crate) fn on_own_threads(threads: usize, work: &(dyn Fn() + Sync)) {
        thread::scope(|scope| {
            for _ in 1..threads {
                // Where the system has no thread to give, those there are do the work.
                if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                    break;
                }
            }
            work();
        });
    }

    pub(crate) fn both(a: &mut (dyn FnMut() + Send), b: &mut (dyn FnMut() + Send)) {
        rayon::join(a, b);
    }

    /// Sorts pairs of numbers.
    pub(crate) fn sort(pairs: &mut [[u32; 2]]) {
        pairs.par_sort_unstable();
    }

    /// Starts to find: `find` hands on what it has found, and waits while `ahead` of it are not taken. It is told
    /// whether anybody takes more.
    pub(crate) fn finder<T: Send + 'static>(
        ahead: usize,
        find: impl FnOnce(&dyn Fn(T) -> bool) + Send + 'static,
    ) -> FoundAhead<T> {
        let (send, found) = mpsc::sync_channel(ahead);
        (found, Finder { thread: thread::spawn(move || find(&|item| send.send(item).is_ok())) })
    }
}

#[cfg(not(feature = "rayon"))]
mod one {
    use std::sync::mpsc;

    use super::{Finder, FoundAhead};

    /// One thread.
    pub(crate) fn count() -> usize {
        1
    }

    /// Does the work.
    pub(crate) fn on_threads(_: usize, work: &(dyn Fn(usize) + Sync)) {
        work(0);
    }

    /// Does the work.
    pub(crate) fn on_own_threads(_: usize, work: &(dyn Fn() + Sync)) {
        work();
    }

    pub(crate) fn both(a: &mut (dyn FnMut() + Send), b: &mut (dyn FnMut() + Send)) {
        a();
        b();
    }

    /// Sorts pairs of numbers.
    pub(crate) fn sort(pairs: &mut [[u32; 2]]) {
        pairs.sort_unstable();
    }

    /// Finds everything at once, and keeps it until it is taken.
    pub(crate) fn finder<T: Send + 'static>(
        _ahead: usize,
        find: impl FnOnce(&dyn Fn(T) -> bool) + Send + 'static,
    ) -> FoundAhead<T> {
        let (send, found) = mpsc::channel();
        find(&|item| send.send(item).is_ok());
        (found, Finder {})
    }
}
