//! `impinge contacts A B`: which triangles touch?

use clap::Args;
use impinge::glam::DVec3;
use impinge::{Contacts, Limit, Pair, Pose, Semantics, Stats};
use serde::Serialize;

use crate::args::{EXIT_STATUS, PairArgs};
use crate::json;
use crate::question::Question;
use crate::text::{self, Wording};

const EXAMPLES: &str = "\
Examples:
  impinge contacts a.stl b.stl
  impinge contacts a.stl b.stl --all --format json > pairs.json
  impinge contacts a.stl b.stl --limit 100";

/// Pairs listed as text unless all are asked for.
const LISTED: usize = 20;

/// Which triangles touch? Every pair, by the indices of the files, sorted
#[derive(Debug, Args)]
#[command(before_help = EXAMPLES, after_help = EXIT_STATUS)]
pub(crate) struct ContactsArgs {
    #[command(flatten)]
    pub(crate) pair: PairArgs,

    /// Find every pair (default) and, as text, list every one
    #[arg(long, conflicts_with = "limit")]
    all: bool,

    /// Stop after N pairs
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
}

#[derive(Debug, Serialize)]
struct Json<'a> {
    count: usize,
    pairs: &'a [[u32; 2]],
    complete: bool,
    contained: Option<&'static str>,
}

impl Question for ContactsArgs {
    const VERB: &'static str = "contacts";
    type Answer = Contacts;

    fn ask(&self, pair: &mut Pair, pose_a: &Pose, pose_b: &Pose) -> Contacts {
        let limit = self.limit.map_or(Limit::All, |n| Limit::UpTo(n as usize));
        pair.contacts(pose_a, pose_b, limit)
    }

    fn touching(&self, answer: &Contacts) -> bool {
        answer.touching()
    }

    fn semantics(&self, answer: &Contacts) -> Semantics {
        answer.semantics
    }

    fn stats(&self, answer: &Contacts) -> Stats {
        answer.stats
    }

    fn json(&self, answer: &Contacts) -> impl Serialize {
        Json {
            count: answer.pairs.len(),
            pairs: &answer.pairs,
            complete: answer.complete,
            contained: json::contained(answer.contained),
        }
    }

    fn line(&self, answer: &Contacts, wording: &Wording) -> String {
        let count = text::plural(answer.pairs.len() as u64, "pair of triangles", "pairs of triangles");
        match (answer.contained, answer.touching()) {
            (Some(which), _) if answer.pairs.is_empty() => format!("touching: {}", wording.contained(which)),
            (_, false) => "clear".to_owned(),
            _ if answer.complete => format!("touching: {count}"),
            _ => format!("touching: at least {count}, stopped by --limit"),
        }
    }

    fn details(&self, answer: &Contacts, _: &Wording) -> Vec<String> {
        let listed = if self.all { usize::MAX } else { LISTED };
        let mut lines: Vec<String> = answer
            .iter()
            .take(listed)
            .map(|contact| {
                let [i, j] = contact.pair;
                let ends = [contact.points.first(), contact.points.last()];
                let [p, q] = ends.map(|ends| ends.map_or(DVec3::ZERO, |[p, _]| *p));
                let place = if p == q { "at" } else { "from" };
                let end = if p == q { String::new() } else { format!(" to {}", text::point(q)) };
                format!("  a {i}, b {j}: {place} {}{end}", text::point(p))
            })
            .collect();
        if answer.pairs.len() > lines.len() {
            lines.push(format!("  ... and {} more; --all lists them", answer.pairs.len() - lines.len()));
        }
        lines
    }
}
