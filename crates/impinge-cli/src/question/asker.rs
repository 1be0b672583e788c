//! How a verb is asked about a pair and how its answer is written.

use std::io;
use std::time::{Duration, Instant};

use impinge::{Pair, Pose, Semantics, Span, Stats};
use serde::Serialize;

use crate::input::body::Body;
use crate::input::engine::Verb;
use crate::input::options::PairArgs;
use crate::input::units::Units;
use crate::output::format::AnswerFormat;
use crate::output::json;
use crate::question::context::Context;

/// A verb: how it is asked and how its answer reads.
pub(crate) trait Question {
    const VERB: Verb;
    type Answer;

    fn ask(&self, pair: &mut Pair, pose_a: &Pose, pose_b: &Pose) -> Self::Answer;
    /// Whether the process should end with status 1.
    fn touching(&self, answer: &Self::Answer) -> bool;
    fn semantics(&self, answer: &Self::Answer) -> Semantics;
    fn stats(&self, answer: &Self::Answer) -> Stats;
    /// What this verb adds to [`json::AnswerRow`].
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

/// What every answer is asked and written with.
pub(crate) struct Asker<'q, Q: Question> {
    pub(super) question: &'q Q,
    pub(super) args: &'q PairArgs,
    pub(super) a: Body,
    pub(super) b: Body,
    pub(super) context: Context,
}

/// One answer: written, and what else is to be known of it.
pub(crate) struct Answered {
    pub(crate) text: io::Result<Vec<u8>>,
    pub(crate) touching: bool,
    /// The time of the query alone.
    pub(crate) taken: Duration,
}

impl<Q: Question> Asker<'_, Q> {
    pub(crate) fn ask(&self, pair: &mut Pair, index: u64, pose_b: &Pose) -> Answered {
        if self.args.cold {
            pair.forget();
        }
        let pose_a = self.args.pose_a.unwrap_or_default();
        let start = Instant::now();
        let answer = self.question.ask(pair, &pose_a, pose_b);
        let taken = start.elapsed();
        let text = match self.args.format {
            AnswerFormat::Text => Ok(self.text(index, &answer).into_bytes()),
            AnswerFormat::Json | AnswerFormat::Jsonl => self.json(index, &answer).map_err(io::Error::from),
        };
        Answered { text, touching: self.question.touching(&answer), taken }
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
        serde_json::to_vec(&json::AnswerRow {
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
