//! One query to a pair of bodies, asked once or for each row of poses; answers are written as they are found.

use std::io::{self, Write as _};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use impinge::Pair;

use crate::input::options::PairArgs;
use crate::input::poses::Poses;
use crate::input::{body, engine};
use crate::output::error::Failure;
use crate::output::interrupt;
use crate::output::progress::RowProgress;
use crate::output::sheet::{Sheet, Title};
use crate::output::status::Status;
use crate::output::timing::Timing;
use crate::question::asker::{Answered, Asker, Question};
use crate::question::batch::Batch;
use crate::question::context::Context;
use crate::question::threads::limit_threads;

/// Answers the question for every pose asked about.
pub(crate) fn answer<Q: Question + Sync>(question: &Q, args: &PairArgs) -> Result<Status, Failure> {
    let poses = args.poses.as_deref().map(Poses::open).transpose()?;
    let poses = poses.map(|poses| poses.reached_from(question.begins()));
    limit_threads(args.threads);
    let (a, b) = body::pair(args)?;
    engine::check(args.method, Q::VERB, [a.kind, b.kind])?;
    let title = Title { verb: Q::VERB.name(), a: a.name.clone(), b: Some(b.name.clone()) };
    let pair = Pair::new(&a.model, &b.model).with_method(args.method).with_envelope(question.envelope().unwrap_or(0.0));
    let session = Session {
        pair,
        sheet: Arc::new(Mutex::new(Sheet::on_stdout(args.format, poses.is_some(), title))),
        timing: Timing::default(),
        touching: false,
        cut_short: false,
        asker: Asker { question, args, context: Context::new(args.units, [&a, &b]), a, b },
    };
    match poses {
        None => session.once(),
        Some(poses) => session.every(poses),
    }
}

struct Session<'q, Q: Question> {
    asker: Asker<'q, Q>,
    pair: Pair,
    sheet: Arc<Mutex<Sheet>>,
    timing: Timing,
    touching: bool,
    /// Whether rows that were read were not written.
    cut_short: bool,
}

impl<Q: Question + Sync> Session<'_, Q> {
    fn once(mut self) -> Result<Status, Failure> {
        let pose_b = self.asker.args.pose_b.unwrap_or_default();
        let row = self.asker.ask(&mut self.pair, 0, &pose_b);
        self.note(&row);
        let written = row.text.and_then(|text| self.sheet().put(&text)).and_then(|()| self.sheet().close(false));
        self.report_timing();
        match written {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
            _ => Ok(Status::of(self.touching)),
        }
    }

    fn every(mut self, mut poses: Poses) -> Result<Status, Failure> {
        interrupt::close_on_ctrl_c(&self.sheet);
        let mut progress = RowProgress::new(poses.size());
        let outcome = match self.threads(&poses) {
            1 => self.rows(&mut poses, &mut progress),
            threads => self.shared_rows(&mut poses, threads, &mut progress),
        };
        drop(progress);
        let answered = self.sheet().rows() > 0;
        let closed = match &outcome {
            Ok(()) => self.sheet().close(false),
            Err(failure) if failure.is_broken_pipe() || !answered => Ok(()),
            Err(_) => self.sheet().close(true),
        };
        self.report_timing();
        match outcome.and(closed.map_err(Failure::from)) {
            Err(failure) if !failure.is_broken_pipe() => Err(failure),
            Err(_) if !self.touching && (self.cut_short || poses.next().is_some()) => Ok(Status::CutShort),
            _ => Ok(Status::of(self.touching)),
        }
    }

    /// All cores, but one where someone may wait for the answer to a row before the next is sent.
    fn threads(&self, poses: &Poses) -> usize {
        match (self.asker.args.threads, poses.size()) {
            (Some(threads), _) => threads as usize,
            (None, Some(_)) => rayon::current_num_threads(),
            (None, None) => 1,
        }
    }

    /// One row after another, each answered before the next is read; the same bits as shared out.
    fn rows(&mut self, poses: &mut Poses, progress: &mut RowProgress) -> Result<(), Failure> {
        for index in 0.. {
            let Some(pose_b) = poses.next().transpose()? else { break };
            if index % Pair::RUN as u64 == 0 {
                self.pair.begin_run(usize::try_from(index).unwrap_or(usize::MAX));
            }
            let row = self.asker.ask(&mut self.pair, index, &pose_b);
            self.note(&row);
            self.sheet().put(&row.text?)?;
            progress.update(index + 1, poses.read());
        }
        Ok(())
    }

    fn shared_rows(&mut self, poses: &mut Poses, threads: usize, progress: &mut RowProgress) -> Result<(), Failure> {
        let mut batch = Batch::default();
        loop {
            let read = batch.read(poses, threads);
            let (rows, written) = batch.answer(&self.pair, &self.asker, &self.sheet, progress);
            rows.iter().for_each(|row| self.note(row));
            self.cut_short = batch.is_cut_short();
            written?;
            read?;
            if batch.is_last() {
                return Ok(());
            }
        }
    }

    fn note(&mut self, row: &Answered) {
        if self.asker.args.timing {
            self.timing.add(row.taken);
        }
        self.touching |= row.touching;
    }

    fn sheet(&self) -> MutexGuard<'_, Sheet> {
        self.sheet.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn report_timing(&mut self) {
        if self.asker.args.timing {
            let _ = writeln!(io::stderr(), "{}", std::mem::take(&mut self.timing).summary());
        }
    }
}
