//! The report of a step.

use impinge::broad::Counts;
use impinge::{Contacts, Distance, Met};
use serde::Serialize;

use super::stage::Stage;
use crate::commands::contacts::ContactJson;
use crate::output::json;
use crate::output::text::plural;

/// One line of a report.
#[derive(Debug, Serialize)]
pub(super) struct Step {
    step: u64,
    time: f64,
    bodies: usize,
    pairs: usize,
    touching: Vec<Touching>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    near: Vec<Near>,
    counts: CountsJson,
    #[serde(skip_serializing_if = "Option::is_none")]
    ns: Option<Nanoseconds>,
}

#[derive(Debug, Serialize)]
struct Touching {
    a: String,
    b: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    contained: Option<&'static str>,
    contacts: Vec<ContactJson>,
}

#[derive(Debug, Serialize)]
struct Near {
    a: String,
    b: String,
    lower: f64,
    upper: f64,
    points: Option<[[f64; 3]; 2]>,
}

/// What the broad phase has done since the first step.
#[derive(Debug, Serialize)]
pub(super) struct CountsJson {
    tests: u64,
    cells: u64,
    counters: u64,
    swaps: u64,
    nodes: u64,
    builds: u64,
    moves: u64,
}

impl CountsJson {
    pub(super) fn of(counts: Counts) -> CountsJson {
        let Counts { tests, cells, counters, swaps, nodes, builds, moves, .. } = counts;
        CountsJson { tests, cells, counters, swaps, nodes, builds, moves }
    }
}

#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Nanoseconds {
    #[serde(rename = "move")]
    pub(super) moving: u64,
    pub(super) broad: u64,
    pub(super) narrow: u64,
}

impl Step {
    #[allow(clippy::too_many_arguments, reason = "a line has so many parts")]
    pub(super) fn new(
        stage: &Stage,
        step: u64,
        time: f64,
        pairs: usize,
        contacts: &[Met<Contacts>],
        near: &[Met<Distance>],
        limit: usize,
        ns: Option<Nanoseconds>,
    ) -> Step {
        let name = |id| stage.name(id).to_owned();
        let touching = contacts.iter().map(|met| Touching {
            a: name(met.a),
            b: name(met.b),
            contained: json::contained(met.answer.contained),
            contacts: met.answer.iter().take(limit).map(ContactJson::from).collect(),
        });
        let near = near.iter().filter(|met| !met.answer.penetrating).map(|met| Near {
            a: name(met.a),
            b: name(met.b),
            lower: met.answer.interval.lower,
            upper: met.answer.interval.upper,
            points: json::points(&met.answer.witness),
        });
        Step {
            step,
            time,
            bodies: stage.world.len(),
            pairs,
            touching: touching.collect(),
            near: near.collect(),
            counts: CountsJson::of(stage.world.counts()),
            ns,
        }
    }

    /// Whether something touches, or is closer than the scene asks for.
    pub(super) fn is_touching(&self) -> bool {
        !self.touching.is_empty() || !self.near.is_empty()
    }

    pub(super) fn text(&self) -> String {
        let pairs = plural(self.pairs as u64, "pair of boxes", "pairs of boxes");
        let mut text = format!("step {}, time {:.6}: {pairs}, {} touching", self.step, self.time, self.touching.len());
        for Touching { a, b, contained, .. } in &self.touching {
            text += &match contained {
                Some("a_in_b") => format!("\n  {a} lies in {b}"),
                Some(_) => format!("\n  {b} lies in {a}"),
                None => format!("\n  {a} touches {b}"),
            };
        }
        for Near { a, b, lower, .. } in &self.near {
            text += &format!("\n  {a} is {lower:.6} from {b}");
        }
        text
    }
}
