//! Sets how many threads work.

/// Lets the library use so many threads.
pub(crate) fn limit_threads(threads: Option<u16>) {
    if let Some(threads) = threads {
        // Fails when there is a pool already, which is not so before the first query.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(threads as usize).build_global();
    }
}
