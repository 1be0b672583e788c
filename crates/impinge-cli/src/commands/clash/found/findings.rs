//! The clashes found so far, gathered from all threads in an order that does not depend on them.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use impinge::clash::Clash;

use super::super::bodies::assembly::Assembly;
use super::super::bodies::rules::Rules;
use super::baseline::Baseline;
use super::kind::ReportedKind;
use super::progress::PairProgress;
use super::settings::Settings;

/// A pair and what is the matter with it.
#[derive(Debug, Clone)]
pub(crate) struct FoundClash {
    /// Places among the bodies.
    pub(crate) pair: [u32; 2],
    pub(crate) kind: ReportedKind,
    pub(crate) clash: Clash,
}

/// Why not every pair was asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stopped {
    Interrupted,
    Limit,
}

impl Stopped {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Stopped::Interrupted => "interrupted",
            Stopped::Limit => "limit",
        }
    }
}

/// What came of a chunk of pairs.
#[derive(Debug, Default)]
pub(crate) struct ChunkFindings {
    pub(crate) clashes: Vec<FoundClash>,
    /// Pairs asked about.
    pub(crate) tested: u64,
    /// Pairs left out by rules.
    pub(crate) ignored: u64,
}

/// What was found so far.
///
/// Chunks are counted in their order, each once those before it are there, and up to the one that fills the list: so
/// neither the list nor the counts depend on which thread was faster.
pub(crate) struct Findings {
    pub(crate) settings: Settings,
    pub(crate) assembly: Arc<Assembly>,
    pub(crate) rules: Arc<Rules>,
    pub(crate) baseline: Option<Baseline>,
    /// Of all chunks before `next`.
    sum: ChunkFindings,
    next: u64,
    /// Of later ones.
    early: BTreeMap<u64, ChunkFindings>,
    /// Clashes in both.
    found: usize,
    /// Pairs in both.
    done: u64,
    /// Whether something was found that is not reported, or not asked about, because the list is full.
    cut: bool,
    progress: PairProgress,
    closed: bool,
}

impl Findings {
    pub(crate) fn new(settings: Settings, baseline: Option<Baseline>) -> Findings {
        Findings {
            settings,
            assembly: Arc::default(),
            rules: Arc::default(),
            baseline,
            sum: ChunkFindings::default(),
            next: 0,
            early: BTreeMap::new(),
            found: 0,
            done: 0,
            cut: false,
            progress: PairProgress::new(Instant::now()),
            closed: false,
        }
    }

    /// The bodies are read: the work begins.
    pub(crate) fn begin(&mut self, assembly: &Arc<Assembly>, rules: &Arc<Rules>) {
        (self.assembly, self.rules) = (Arc::clone(assembly), Arc::clone(rules));
        self.progress = PairProgress::new(Instant::now());
    }

    /// Whether as many were found as are reported: the chunks taken until now have all of them.
    pub(crate) fn is_full(&self) -> bool {
        self.found >= self.settings.limit
    }

    /// Takes what was found in a chunk; `near` is how many pairs there are so far, and whether these are all.
    pub(crate) fn add(&mut self, number: u64, batch: ChunkFindings, near: (u64, bool)) {
        self.found += batch.clashes.len();
        self.done += batch.tested + batch.ignored;
        self.early.insert(number, batch);
        while let Some(batch) = self.early.remove(&self.next) {
            self.next += 1;
            if self.sum.clashes.len() >= self.settings.limit {
                self.cut = true;
            } else {
                self.count(batch);
            }
        }
        self.progress.update(self.done, self.found as u64, near);
    }

    fn count(&mut self, batch: ChunkFindings) {
        self.sum.clashes.extend(batch.clashes);
        self.sum.tested += batch.tested;
        self.sum.ignored += batch.ignored;
        self.cut |= self.sum.clashes.len() > self.settings.limit;
        self.sum.clashes.truncate(self.settings.limit);
    }

    /// Whether the list is full and `more` pairs, or some of those asked about, are not in the report.
    pub(crate) fn is_cut(&self, more: bool) -> bool {
        self.cut || (self.is_full() && more)
    }

    /// Everything found, in the order of the bodies; `None` when it was taken already. `near` is how many pairs were
    /// near, where that is known.
    pub(crate) fn close(&mut self, stopped: Option<Stopped>, near: Option<u64>) -> Option<(Vec<FoundClash>, Totals)> {
        if std::mem::replace(&mut self.closed, true) {
            return None;
        }
        self.progress.clear();
        // After an interrupt the clashes that were found ahead of the order count as well.
        std::mem::take(&mut self.early).into_values().for_each(|batch| self.count(batch));
        let ChunkFindings { mut clashes, tested, ignored } = std::mem::take(&mut self.sum);
        clashes.sort_unstable_by_key(|clash| clash.pair);
        Some((clashes, Totals { near, tested, ignored, stopped }))
    }
}

/// What the report says of the whole.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Totals {
    pub(crate) near: Option<u64>,
    pub(crate) tested: u64,
    pub(crate) ignored: u64,
    pub(crate) stopped: Option<Stopped>,
}
