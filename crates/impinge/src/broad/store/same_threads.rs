//! Pieces of an array, each worked on by the thread that worked on it in the last frame, as long as that one is free.
//!
//! What a core wrote lies in its own cache. Where cores share none, or a far one, to fetch a box that another core
//! moved takes longer than all that a phase does with it: with pieces given to whoever came first, two threads took up
//! to twice as long as one. So every thread has a home, an equal share of the pieces that is always the same one; it
//! begins there, and helps the others, from the end of their shares, when it is done. What is fetched in spatial order
//! still crosses over.
//!
//! No answer depends on who works where: results come in the order of the pieces.

use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

/// A piece that nobody has taken, and what became of it.
struct Seat<P, R> {
    piece: Option<P>,
    done: Option<R>,
}

/// What `work` makes of each piece and its number, on all threads of the pool.
pub(crate) fn at_home<P: Send, R: Send>(
    pieces: impl ExactSizeIterator<Item = P>,
    work: impl Fn(usize, P) -> R + Sync,
) -> Vec<R> {
    let threads = rayon::current_num_threads();
    if threads == 1 || pieces.len() <= 1 {
        return pieces.enumerate().map(|(k, piece)| work(k, piece)).collect();
    }
    let seats = pieces.map(|piece| Mutex::new(Seat { piece: Some(piece), done: None }));
    let seats: Vec<Mutex<Seat<P, R>>> = seats.collect();
    let seat = |k: usize| seats[k].lock().unwrap_or_else(PoisonError::into_inner);
    let take = |k: usize| {
        let waiting = seat(k).piece.take();
        if let Some(piece) = waiting {
            let done = work(k, piece);
            seat(k).done = Some(done);
        }
    };
    let share = |home: usize| home * seats.len() / threads..(home + 1) * seats.len() / threads;
    (0..threads.min(seats.len())).into_par_iter().with_max_len(1).for_each(|_| {
        let home = rayon::current_thread_index().unwrap_or(0);
        share(home).for_each(take);
        (1..threads).for_each(|k| share((home + k) % threads).rev().for_each(take));
    });
    seats.into_iter().filter_map(|seat| seat.into_inner().unwrap_or_else(PoisonError::into_inner).done).collect()
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
                    at_home(numbers.iter_mut(), |k, number| {
                        *number += k;
                        10 * k
                    })
                });
                assert_eq!(results, (0..count).map(|k| 10 * k).collect::<Vec<_>>(), "{count} on {threads}");
                assert_eq!(numbers, (1..=count).collect::<Vec<_>>(), "{count} on {threads}");
            }
        }
    }

    /// Of two threads that are both free from the beginning each has its half.
    #[test]
    fn threads_begin_at_home() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let both = std::sync::Barrier::new(2);
        let homes = pool.install(|| {
            at_home(0..8, |k, _| {
                if k % 4 == 0 {
                    both.wait();
                }
                rayon::current_thread_index()
            })
        });
        assert!(homes[0] == Some(0) && homes[4] == Some(1), "{homes:?}");
    }
}
