//! Which bodies were changed while a world advances, and what they were before, so that the changes can be undone.

use super::body::Body;
use super::pair_rules::PairRules;

/// A body as it was, under the generation and the stamps that it had.
#[derive(Debug)]
pub(super) struct KeptBody {
    pub(super) generation: u32,
    pub(super) body: Body,
    pub(super) model_stamp: u64,
    pub(super) motion_stamp: u64,
}

/// What bodies and rules were before each change, the first change first. An entry is small, as its model and motion
/// are shared.
#[derive(Debug, Default)]
pub(super) struct Journal {
    /// Slots, and the body that was in each; `None` where there was none.
    pub(super) bodies: Vec<(u32, Option<KeptBody>)>,
    pub(super) rules: Vec<PairRules>,
}

/// A point in a journal: how many entries there were.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct JournalMark {
    pub(super) bodies: usize,
    pub(super) rules: usize,
}

/// What has changed in a world since the last call that took the changes.
#[derive(Debug, Default)]
pub(super) struct ChangeLog {
    pub(super) slots: Vec<u32>,
    /// Whether everything counts as changed.
    pub(super) all: bool,
    /// The earlier states, where changes may have to be undone.
    pub(super) journal: Option<Journal>,
    /// Whether this advance runs within a reaction to an encounter of another one.
    pub(super) nested: bool,
    /// While the world advances, boxes reach at least as far as this.
    pub(super) least_reach: f64,
}

impl ChangeLog {
    /// The log of a world that advances, within another advance (`outer`) or alone.
    pub(super) fn start(outer: Option<&ChangeLog>, may_undo: bool, reach: f64) -> ChangeLog {
        let may_undo = may_undo || outer.is_some_and(|outer| outer.journal.is_some());
        ChangeLog {
            slots: Vec::new(),
            all: false,
            journal: may_undo.then(Journal::default),
            nested: outer.is_some(),
            least_reach: outer.map_or(reach, |outer| outer.least_reach.max(reach)),
        }
    }

    /// Continues an outer log after an inner one has ended: all that was known of the outer window counts as changed.
    pub(super) fn resume(mut self, inner: Option<ChangeLog>) -> ChangeLog {
        self.all = true;
        if let (Some(own), Some(inner)) = (&mut self.journal, inner.and_then(|inner| inner.journal)) {
            own.bodies.extend(inner.bodies);
            own.rules.extend(inner.rules);
        }
        self
    }
}
