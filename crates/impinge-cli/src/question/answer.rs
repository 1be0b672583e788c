//! One question to a pair of bodies, asked once or once a row, and written as it is answered.

use std::io::{self, Write as _};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use impinge::{Pair, Pose, Semantics, Span, Stats};
use serde::Serialize;

use crate::input::body::{self, Body};
use crate::input::engine::{self, Verb};
use crate::input::options::{Format, PairArgs};
use crate::input::poses::Poses;
use crate::input::units::Units;
use crate::output::error::Failure;
use crate::output::interrupt;
use crate::output::json;
use crate::output::progress::Progress;
use crate::output::sheet::{Sheet, Title};
use crate::output::status::Status;
use crate::output::text::Context;
use crate::output::timing::Timing;
use crate::question::batch::Batch;

/// A verb: how it is asked and how its answer reads.
pub(crate) trait Question {
    const VERB: Verb;
    type Answer;

    fn ask(&self, pair: &mut Pair, pose_a: &Pose, pose_b: &Pose) -> Self::Answer;
    /// Whether the process should end with status 1.
    fn touching(&self, answer: &Self::Answer) -> bool;
    fn semantics(&self, answer: &Self::Answer) -> Semantics;
    fn stats(&self, answer: &Self::Answer) -> Stats;
    /// What this verb adds to [`json::Row`].
    fn json(&self, answer: &Self::Answer, context: &Context) -> impl Serialize;
    /// The answer in one line.
    fn line(&self, answer: &Self::Answer, context: &Context) -> String;
    /// Further lines, when it is the only answer.
    fn details(&self, answer: &Self::Answer, context: &Context) -> Vec<String>;
    /// Where `b` begins that moves to the pose of each row, and how long that takes.
    fn begins(&self) -> Option<(Pose, Span)> {
        None
    }
    /// How near counts as touching.
    fn envelope(&self) -> Option<f64> {
        None
    }
}

/// Lets the library use so many threads.
pub(crate) fn limit_threads(threads: Option<u16>) {
    if let Some(threads) = threads {
        // Fails when the pool is there already, which it is not before the first question.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(threads as usize).build_global();
    }
}

/// Answers the question for every pose asked about.
pub(crate) fn answer<Q: Question + Sync>(question: &Q, args: &PairArgs) -> Result<Status, Failure> {
    let poses = args.poses.as_deref().map(Poses::open).transpose()?;
    let poses = poses.map(|poses| poses.reached_from(question.begins()));
    limit_threads(args.threads);
    let (a, b) = body::pair(args)?;
    engine::check(args.method, Q::VERB, [&a, &b])?;
    let title = Title { verb: Q::VERB.name(), a: a.name.clone(), b: b.name.clone() };
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

/// What every answer is asked and written with.
pub(crate) struct Asker<'q, Q: Question> {
    question: &'q Q,
    args: &'q PairArgs,
    a: Body,
    b: Body,
    context: Context,
}

/// One answer: written, and what else is to be known of it.
pub(crate) struct Row {
    pub(crate) text: io::Result<Vec<u8>>,
    pub(crate) touching: bool,
    /// The time of the query alone.
    pub(crate) taken: Duration,
}

impl<Q: Question> Asker<'_, Q> {
    pub(crate) fn ask(&self, pair: &mut Pair, index: u64, pose_b: &Pose) -> Row {
        if self.args.cold {
            pair.forget();
        }
        let pose_a = self.args.pose_a.unwrap_or_default();
        let start = Instant::now();
        let answer = self.question.ask(pair, &pose_a, pose_b);
        let taken = start.elapsed();
        let text = match self.args.format {
            Format::Text => Ok(self.text(index, &answer).into_bytes()),
            Format::Json | Format::Jsonl => self.json(index, &answer).map_err(io::Error::from),
        };
        Row { text, touching: self.question.touching(&answer), taken }
    }

    fn text(&self, index: u64, answer: &Q::Answer) -> String {
        let line = self.question.line(answer, &self.context);
        let mut lines = Vec::new();
        if index == 0 {
            lines.push(format!("a: {}", self.a.describe()));
            lines.push(format!("b: {}", self.b.describe()));
        }
        if self.args.poses.is_some() {
            lines.push(format!("row {index}: {line}"));
        } else {
            lines.push(line);
            lines.extend(self.question.details(answer, &self.context));
        }
        lines.join("\n")
    }

    fn json(&self, index: u64, answer: &Q::Answer) -> serde_json::Result<Vec<u8>> {
        serde_json::to_vec(&json::Row {
            verb: Q::VERB.name(),
            a: &self.a.name,
            b: &self.b.name,
            semantics: json::semantics(self.question.semantics(answer)),
            index,
            answer: self.question.json(answer, &self.context),
            approximate: Some([&self.a, &self.b].map(Body::is_approximate)).filter(|bodies| bodies.contains(&true)),
            envelope: self.question.envelope(),
            units: self.args.units.map(Units::name),
            stats: self.question.stats(answer).into(),
        })
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
        let mut progress = Progress::new(poses.size());
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
    fn rows(&mut self, poses: &mut Poses, progress: &mut Progress) -> Result<(), Failure> {
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

    fn shared_rows(&mut self, poses: &mut Poses, threads: usize, progress: &mut Progress) -> Result<(), Failure> {
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

    fn note(&mut self, row: &Row) {
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
