//! One question to a pair of bodies, asked once or once a row, and written as it is answered.

use std::io::{self, Write as _};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use impinge::{Pair, Pose, Semantics, Stats};
use serde::Serialize;

use crate::args::{Format, PairArgs};
use crate::body::{self, Body};
use crate::engine::{self, Verb};
use crate::error::Failure;
use crate::interrupt;
use crate::json;
use crate::poses::Poses;
use crate::progress::Progress;
use crate::sheet::{Sheet, Title};
use crate::status::Status;
use crate::text::Context;
use crate::timing::Timing;
use crate::units::Units;

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
    /// How near counts as touching.
    fn envelope(&self) -> Option<f64> {
        None
    }
}

/// Answers the question for every pose asked about.
pub(crate) fn answer<Q: Question>(question: &Q, args: &PairArgs) -> Result<Status, Failure> {
    let poses = args.poses.as_deref().map(Poses::open).transpose()?;
    let (a, b) = body::pair(args)?;
    engine::check(args.method, Q::VERB, [&a, &b])?;
    let title = Title { verb: Q::VERB.name(), a: a.name.clone(), b: b.name.clone() };
    let session = Session {
        question,
        args,
        pair: Pair::new(&a.model, &b.model).with_method(args.method).with_envelope(question.envelope().unwrap_or(0.0)),
        sheet: Arc::new(Mutex::new(Sheet::on_stdout(args.format, poses.is_some(), title))),
        timing: Timing::default(),
        touching: false,
        context: Context::new(args.units, [&a, &b]),
        a,
        b,
    };
    match poses {
        None => session.once(),
        Some(poses) => session.every(poses),
    }
}

struct Session<'q, Q: Question> {
    question: &'q Q,
    args: &'q PairArgs,
    a: Body,
    b: Body,
    context: Context,
    pair: Pair,
    sheet: Arc<Mutex<Sheet>>,
    timing: Timing,
    touching: bool,
}

impl<Q: Question> Session<'_, Q> {
    fn once(mut self) -> Result<Status, Failure> {
        let answer = self.ask(&self.args.pose_b.unwrap_or_default());
        let written = self.write(0, &answer).and_then(|()| self.sheet().close(false));
        self.report_timing();
        match written {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error.into()),
            _ => Ok(Status::of(self.touching)),
        }
    }

    fn every(mut self, mut poses: Poses) -> Result<Status, Failure> {
        interrupt::close_on_ctrl_c(&self.sheet);
        let mut progress = Progress::new(poses.size());
        let outcome = self.rows(&mut poses, &mut progress);
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
            Err(_) if !self.touching && poses.next().is_some() => Ok(Status::CutShort),
            _ => Ok(Status::of(self.touching)),
        }
    }

    fn rows(&mut self, poses: &mut Poses, progress: &mut Progress) -> Result<(), Failure> {
        for index in 0.. {
            let Some(pose_b) = poses.next().transpose()? else { break };
            if self.args.cold {
                self.pair.forget();
            }
            let answer = self.ask(&pose_b);
            self.write(index, &answer)?;
            progress.update(index + 1, poses.read());
        }
        Ok(())
    }

    fn ask(&mut self, pose_b: &Pose) -> Q::Answer {
        let pose_a = self.args.pose_a.unwrap_or_default();
        let start = Instant::now();
        let answer = self.question.ask(&mut self.pair, &pose_a, pose_b);
        let taken = start.elapsed();
        if self.args.timing {
            self.timing.add(taken);
        }
        self.touching |= self.question.touching(&answer);
        answer
    }

    fn write(&mut self, index: u64, answer: &Q::Answer) -> io::Result<()> {
        let row = match self.args.format {
            Format::Text => self.text(index, answer).into_bytes(),
            Format::Json | Format::Jsonl => self.json(index, answer)?,
        };
        self.sheet().put(&row)
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

    fn sheet(&self) -> MutexGuard<'_, Sheet> {
        self.sheet.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn report_timing(&mut self) {
        if self.args.timing {
            let _ = writeln!(io::stderr(), "{}", std::mem::take(&mut self.timing).summary());
        }
    }
}
