//! One question at many poses, on all cores.
//!
//! What a pair remembers may change witnesses, counts and the ends of an interval, though never a yes or no (the
//! contract has the whole list under *Coherence*). So that none of these depends on the number of threads, what is
//! asked about is cut into runs of a fixed length; a run is answered by one thread in order, and the memory is dropped
//! where a run begins. Runs are handed out in order.
//!
//! The threads are the call's own, as many as rayon's pool has. One of rayon's that waits, for boxes that the first
//! distance has fitted in parallel, say, would take up another run meanwhile, and leave its own for last.
//!
//! Memory: the answers, and those of a batch of 2¹⁴ once more. Cost: one cold query in [`Pair::RUN`].

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::Pair;
use crate::manifolds::memory::ManifoldMemory;
use crate::narrow::grid::memory::Memory;
use crate::narrow::mesh::memory::MANY;
use crate::threads::{pool, share};

/// How many are asked about before the answers are put in order.
const BATCH: usize = 1 << 14;

impl Pair {
    /// [`Pair::many`] takes so many in a row with one memory: coherence within a run speeds it up, and none reaches
    /// from one run into the next.
    pub const RUN: usize = 32;

    /// Forgets, as [`Pair::many_from`] does where a run begins with item `first` of its list. Items asked about one by
    /// one from here on have the answers and the counts that they have there.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Pair, Pose, Round};
    /// let mut pair = Pair::new(Round::sphere(1.0)?, Round::cuboid(DVec3::ONE)?);
    /// let poses: Vec<Pose> = (0..64).map(|i| Pose::at(DVec3::X * f64::from(i))).collect::<Result<_, _>>()?;
    /// let many = pair.many(&poses, |pair, pose| pair.distance(&Pose::IDENTITY, pose));
    /// for (i, pose) in poses.iter().enumerate() {
    ///     if i % Pair::RUN == 0 {
    ///         pair.begin_run(i);
    ///     }
    ///     assert_eq!(pair.distance(&Pose::IDENTITY, pose), many[i]);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn begin_run(&mut self, first: usize) {
        self.memory.forget_at(first);
        self.contacts = ManifoldMemory::default();
    }

    /// Asks one question about each of `items`, poses as a rule, on all cores. The answers come in the order given and
    /// are the same for any number of threads, to the last bit.
    ///
    /// As many threads are used as [rayon](https://docs.rs/rayon)'s current pool has. What this pair remembers is
    /// neither used nor changed. Ask for what you need: of a million poses, a million of what `ask` returns is kept.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Pair, Pose, Round};
    /// let pair = Pair::new(Round::sphere(1.0)?, Round::cuboid(DVec3::splat(2.0))?);
    /// let line = (0..1000).map(|i| Pose::at(DVec3::X * (2.0 + 0.01 * f64::from(i))));
    /// let poses: Vec<Pose> = line.collect::<Result<_, _>>()?;
    ///
    /// let gaps = pair.many(&poses, |pair, pose| pair.distance(&Pose::IDENTITY, pose).interval);
    /// assert!(gaps.iter().enumerate().all(|(i, gap)| gap.contains(0.01 * i as f64)));
    ///
    /// // Both bodies may move, and anything may come along.
    /// let both: Vec<[Pose; 2]> = poses.windows(2).map(|w| [w[0], w[1]]).collect();
    /// let touch = pair.many(&both, |pair, [pose_a, pose_b]| pair.overlap(pose_a, pose_b).overlap);
    /// assert_eq!(touch, vec![true; 999]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn many<P: Sync, T: Send>(&self, items: &[P], ask: impl Fn(&mut Pair, &P) -> T + Sync) -> Vec<T> {
        // Of a long list all are told that many come before them.
        self.many_from(if items.len() < MANY { 0 } else { MANY }, items, ask)
    }

    /// As [`Pair::many`], of a list of unknown length that comes in pieces: these go on with item `first` of it, a
    /// multiple of [`Pair::RUN`].
    ///
    /// ```
    /// use impinge::{glam::DVec3, Pair, Pose, Round};
    /// let pair = Pair::new(Round::sphere(1.0)?, Round::sphere(1.0)?);
    /// let rows: Vec<Pose> = (2..102).map(|i| Pose::at(DVec3::X * f64::from(i))).collect::<Result<_, _>>()?;
    /// let mut gaps = Vec::new();
    /// for (k, some) in rows.chunks(2 * Pair::RUN).enumerate() {
    ///     let first = k * 2 * Pair::RUN;
    ///     gaps.extend(pair.many_from(first, some, |pair, pose| pair.distance(&Pose::IDENTITY, pose).interval));
    /// }
    /// assert!(gaps.len() == 100 && gaps[99].contains(99.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn many_from<P: Sync, T: Send>(
        &self,
        first: usize,
        items: &[P],
        ask: impl Fn(&mut Pair, &P) -> T + Sync,
    ) -> Vec<T> {
        let threads = share::count();
        let mut answers = Vec::with_capacity(items.len());
        for (k, batch) in items.chunks(BATCH).enumerate() {
            let mut runs = self.runs(batch, first.saturating_add(k * BATCH), threads, &ask);
            runs.sort_unstable_by_key(|(run, _)| *run);
            answers.extend(runs.into_iter().flat_map(|(_, answers)| answers));
        }
        answers
    }

    /// The answers of all runs of a batch that begins with item `first`, by the number of the run, in any order.
    fn runs<P: Sync, T: Send>(
        &self,
        batch: &[P],
        first: usize,
        threads: usize,
        ask: &(impl Fn(&mut Pair, &P) -> T + Sync),
    ) -> Vec<(usize, Vec<T>)> {
        let count = batch.len().div_ceil(Pair::RUN);
        let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(count)));
        let work = || {
            let mut pair = Pair {
                a: self.a.clone(),
                b: self.b.clone(),
                memory: Memory::one_of_many(),
                contacts: ManifoldMemory::default(),
                moving: None,
                ..*self
            };
            loop {
                let run = next.fetch_add(1, Ordering::Relaxed);
                let Some(items) = batch.chunks(Pair::RUN).nth(run) else { return };
                pair.begin_run(first.saturating_add(run * Pair::RUN));
                let answers: Vec<T> = items.iter().map(|item| ask(&mut pair, item)).collect();
                done.lock().unwrap_or_else(PoisonError::into_inner).push((run, answers));
            }
        };
        pool::on_own_threads(threads.min(count), &work);
        done.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}
