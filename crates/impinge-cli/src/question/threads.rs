//! How many threads work.

/// Lets the library use so many threads.
pub(crate) fn limit_threads(threads: Option<u16>) {
    if let Some(threads) = threads {
        // Fails when the pool is there already, which it is not before the first question.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(threads as usize).build_global();
    }
}
