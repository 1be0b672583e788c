//! What every query passes down to its engines: the memory of earlier queries, and the count of the work.

use crate::answer::Stats;

/// What is remembered (`M` is the part of it that the engine called uses) and the work done so far.
#[derive(Debug)]
pub(crate) struct Context<'c, M> {
    pub(crate) memory: &'c mut M,
    pub(crate) stats: &'c mut Stats,
}

impl<'c, M> Context<'c, M> {
    #[inline(always)]
    pub(crate) fn new(memory: &'c mut M, stats: &'c mut Stats) -> Context<'c, M> {
        Context { memory, stats }
    }

    /// The same context for one call of an engine; the caller goes on with it afterwards.
    #[inline(always)]
    pub(crate) fn lend(&mut self) -> Context<'_, M> {
        Context { memory: self.memory, stats: self.stats }
    }

    /// The context of an engine that uses only a part of what is remembered.
    #[inline(always)]
    pub(crate) fn part<P>(&mut self, part: impl FnOnce(&mut M) -> &mut P) -> Context<'_, P> {
        Context { memory: part(self.memory), stats: self.stats }
    }
}
