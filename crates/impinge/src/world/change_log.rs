//! Which bodies were changed while a world moves on, and what they were before, so that it can be undone.

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

/// What bodies and rules were before each change, the first change first. A body costs a few words, as its model and
/// motion are shared.
#[derive(Debug, Default)]
pub(super) struct Journal {
    /// Slots, and who was in each; `None` where nobody was.
    pub(super) bodies: Vec<(u32, Option<KeptBody>)>,
    pub(super) rules: Vec<PairRules>,
}

/// How far a journal had come.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct JournalMark {
    pub(super) bodies: usize,
    pub(super) rules: usize,
}

/// What has changed since a world was asked last.
#[derive(Debug, Default)]
pub(super) struct ChangeLog {
    pub(super) slots: Vec<u32>,
    /// Everything counts as changed.
    pub(super) all: bool,
    /// Where changes may have to be undone.
    pub(super) journal: Option<Journal>,
    /// The world moves on within a reaction of one that moves on.
    pub(super) nested: bool,
    /// Boxes may not reach less while it moves on.
    pub(super) least_reach: f64,
}

impl ChangeLog {
    /// Of a world that moves on, within another that does (`outer`) or alone.
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

    /// Goes on after another within it has ended: all that is known of the window is void.
    pub(super) fn resume(mut self, inner: Option<ChangeLog>) -> ChangeLog {
        self.all = true;
        if let (Some(own), Some(inner)) = (&mut self.journal, inner.and_then(|inner| inner.journal)) {
            own.bodies.extend(inner.bodies);
            own.rules.extend(inner.rules);
        }
        self
    }
}
