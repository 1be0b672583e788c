//! Divides an array into pieces, each worked on by the thread that worked on it in the last frame, if that one is free.
//!
//! What a core wrote is in its own cache. Where cores share no cache, or a distant one, fetching a box that another
//! core moved takes longer than all the phase's work on it: with pieces given to whichever thread came first, two
//! threads took up to twice as long as one. So every thread has an equal share of the pieces, the same one in every
//! frame; it begins with that share, and when it is done it takes pieces from the ends of the others' shares. Boxes
//! that are fetched in spatial order still come from other caches.
//!
//! No answer depends on who works where: results come in the order of the pieces.

use super::pool;
use super::share::{self, Jobs};

/// The number of pieces for each of several threads: with fewer, all would wait for the last piece.
pub(crate) const SHARES: usize = 8;
/// The least and the greatest number of places in a piece.
const PIECE: [usize; 2] = [1 << 10, 1 << 13];
/// With no more places than this, threads are not worth their cost.
pub(crate) const SERIAL: usize = 1 << 13;

/// The length of the pieces into which so many places, or slots, are cut for threads to share: whole words of sets. One
/// thread takes all at once. No answer depends on it.
pub(crate) fn piece(count: usize) -> usize {
    let threads = share::count();
    if threads == 1 || count <= SERIAL {
        return count.max(1).next_multiple_of(64);
    }
    (count / (SHARES * threads)).clamp(PIECE[0], PIECE[1]).next_multiple_of(64)
}

/// The results of `work` for each piece and its number, computed on all threads of the pool.
pub(crate) fn on_same_threads<P: Send, R: Send>(
    pieces: impl ExactSizeIterator<Item = P>,
    work: impl Fn(usize, P) -> R + Sync,
) -> Vec<R> {
    let threads = share::count();
    if threads == 1 || pieces.len() <= 1 {
        return pieces.enumerate().map(|(k, piece)| work(k, piece)).collect();
    }
    let jobs = Jobs::new(pieces);
    let take = |k: usize| jobs.run(k, &work);
    let share = |thread: usize| thread * jobs.len() / threads..(thread + 1) * jobs.len() / threads;
    pool::on_threads(threads.min(jobs.len()), &|own| {
        share(own).for_each(take);
        (1..threads).for_each(|k| share((own + k) % threads).rev().for_each(take));
    });
    jobs.results()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_is_worked_on_once_and_results_come_in_order() {
        for threads in [1, 2, 3, 7] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            for count in [0, 1, 2, 5, 64] {
                let mut numbers = vec![1; count];
                let results = pool.install(|| {
                    on_same_threads(numbers.iter_mut(), |k, number| {
                        *number += k;
                        10 * k
                    })
                });
                assert_eq!(results, (0..count).map(|k| 10 * k).collect::<Vec<_>>(), "{count} on {threads}");
                assert_eq!(numbers, (1..=count).collect::<Vec<_>>(), "{count} on {threads}");
            }
        }
    }

    /// Two threads that are both free from the beginning take half of the pieces each.
    #[cfg(feature = "rayon")]
    #[test]
    fn threads_begin_with_their_own_share() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let both = std::sync::Barrier::new(2);
        let workers = pool.install(|| {
            on_same_threads(0..8, |k, _| {
                if k % 4 == 0 {
                    both.wait();
                }
                rayon::current_thread_index()
            })
        });
        assert!(workers[0] == Some(0) && workers[4] == Some(1), "{workers:?}");
    }
}
