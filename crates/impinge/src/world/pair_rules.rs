//! Which pairs of bodies are left out of all answers, besides those that the filters leave out.

use std::fmt;
use std::sync::Arc;

use super::body::BodyId;

/// Pairs that are left out, besides those that the filters leave out.
#[derive(Clone, Default)]
pub(crate) struct PairRules {
    /// Pairs of ids, sorted.
    pub(super) ignored: Vec<[BodyId; 2]>,
    pub(super) admits: Option<Arc<dyn Fn(BodyId, BodyId) -> bool + Send + Sync>>,
}

impl fmt::Debug for PairRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PairRules").field("ignored", &self.ignored).field("admits", &self.admits.is_some()).finish()
    }
}

impl PairRules {
    pub(super) fn admit(&self, a: BodyId, b: BodyId) -> bool {
        (self.ignored.is_empty() || self.ignored.binary_search(&ordered(a, b)).is_err())
            && self.admits.as_ref().is_none_or(|admits| admits(a, b))
    }
}

pub(super) fn ordered(a: BodyId, b: BodyId) -> [BodyId; 2] {
    if a <= b { [a, b] } else { [b, a] }
}
