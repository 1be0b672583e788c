//! What searches share: the queue of the best first, and the back-off of those that give up.

pub(crate) mod backoff;
pub(crate) mod best_first;
