//! `impinge penetration A B`: how deep are they in each other?

use clap::Args;
use impinge::{DepthKind, Pair, Penetration, Pose, Semantics, Stats};
use serde::Serialize;

use crate::input::engine::Verb;
use crate::input::options::{EXIT_STATUS, PairArgs};
use crate::output::json::{self, IntervalJson};
use crate::output::text;
use crate::question::asker::Question;
use crate::question::context::Context;

const EXAMPLES: &str = "\
Examples:
  impinge penetration box:2,2,2 sphere:1 --pose-b 0,0,1.5
  impinge penetration a.stl b.stl --hull --format json
  impinge penetration robot.glb cell.glb --hull-parts --poses poses.csv --format jsonl";

/// How deep are they in each other? The length and direction of the least translation that separates them
#[derive(Debug, Args)]
#[command(before_help = EXAMPLES, after_help = EXIT_STATUS)]
pub(crate) struct PenetrationArgs {
    #[command(flatten)]
    pub(crate) pair: PairArgs,
}

#[derive(Debug)]
pub(crate) struct Penetrations;

#[derive(Debug, Serialize)]
struct Json {
    #[serde(flatten)]
    interval: IntervalJson,
    direction: Option<[f64; 3]>,
    points: Option<[[f64; 3]; 2]>,
    features: Option<[json::FeatureJson; 2]>,
    kind: &'static str,
    penetrating: bool,
}

pub(crate) fn name(kind: DepthKind) -> &'static str {
    match kind {
        DepthKind::Exact => "exact",
        DepthKind::PerPiece => "per-piece",
        DepthKind::UpperBound => "upper-bound",
        DepthKind::Estimate => "estimate",
        DepthKind::Local => "local",
    }
}

/// What a depth of this kind is worth, in words.
fn meaning(kind: DepthKind) -> &'static str {
    match kind {
        DepthKind::Exact => "",
        DepthKind::PerPiece => ", by the pairs of parts",
        DepthKind::UpperBound => " at most: a shorter way out may exist",
        DepthKind::Estimate => ", estimated without a guarantee",
        DepthKind::Local => ", of the contact alone",
    }
}

impl Question for Penetrations {
    const VERB: Verb = Verb::Penetration;
    type Answer = Penetration;

    fn ask(&self, pair: &mut Pair, pose_a: &Pose, pose_b: &Pose) -> Penetration {
        pair.penetration(pose_a, pose_b)
    }

    fn touching(&self, answer: &Penetration) -> bool {
        answer.direction.is_some()
    }

    fn semantics(&self, answer: &Penetration) -> Semantics {
        answer.semantics
    }

    fn stats(&self, answer: &Penetration) -> Stats {
        answer.stats
    }

    fn json(&self, answer: &Penetration, _: &Context) -> impl Serialize {
        Json {
            interval: answer.interval.into(),
            direction: answer.direction.map(|d| d.to_array()),
            points: json::points(&answer.witness),
            features: json::features(&answer.witness),
            kind: name(answer.kind),
            penetrating: self.touching(answer),
        }
    }

    fn line(&self, answer: &Penetration, context: &Context) -> String {
        match self.touching(answer) {
            false => "clear".to_owned(),
            true if answer.interval.lower.is_infinite() => "depth infinite: no translation separates them".to_owned(),
            true if answer.interval.upper.is_infinite() => "touching: at this scale no depth can be told".to_owned(),
            true => {
                let depth = match answer.kind {
                    DepthKind::Exact | DepthKind::PerPiece => text::shortest(&answer.interval),
                    DepthKind::UpperBound | DepthKind::Estimate | DepthKind::Local => answer.interval.upper,
                };
                format!("depth {}{}", context.length(depth), meaning(answer.kind))
            }
        }
    }

    fn details(&self, answer: &Penetration, _: &Context) -> Vec<String> {
        let Some(direction) = answer.direction.filter(|_| answer.interval.upper.is_finite()) else {
            return Vec::new();
        };
        let mut lines = Vec::new();
        if answer.interval.width() > 0.0 && answer.kind != DepthKind::Estimate {
            let (lower, upper) = (text::number(answer.interval.lower), text::number(answer.interval.upper));
            lines.push(format!("  surely between {lower} and {upper}"));
        }
        lines.push(format!("  b leaves along {}", text::point(direction)));
        lines.extend(answer.witness.iter().flat_map(text::witness));
        lines
    }
}
