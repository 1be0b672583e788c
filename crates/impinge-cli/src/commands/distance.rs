//! `impinge distance A B`: how far apart?

use clap::Args;
use impinge::{Distance, Pair, Pose, Precision, Semantics, Stats};
use serde::Serialize;

use crate::input::engine::Verb;
use crate::input::options::{EXIT_STATUS, PairArgs, parse_length};
use crate::output::json;
use crate::output::text;
use crate::question::asker::Question;
use crate::question::context::Context;

const EXAMPLES: &str = "\
Examples:
  impinge distance a.stl b.ply --pose-b 0.1,0,0
  impinge distance part.glb box:100,100,20 --units mm
  impinge distance capsule:0.1,0.5 sphere:0.2 --pose-b 1,0,0
  impinge distance a.stl b.stl --hull --method v-clip
  impinge distance a.stl b.stl --relative-error 0.01
  impinge distance a.stl b.stl --poses poses.csv --format jsonl";

/// How far apart? An interval that contains the truth, and two closest points; 0 when they touch
#[derive(Debug, Args)]
#[command(before_help = EXAMPLES, after_help = EXIT_STATUS)]
pub(crate) struct DistanceArgs {
    #[command(flatten)]
    pub(crate) pair: PairArgs,

    /// Of two meshes, be content when no distance is less by more than this length
    #[arg(long, value_name = "D", value_parser = parse_length, allow_hyphen_values = true, default_value_t = 0.0)]
    absolute_error: f64,

    /// The same as a part of the distance: 0.01 is a hundredth
    #[arg(long, value_name = "R", value_parser = parse_length, allow_hyphen_values = true, default_value_t = 0.0)]
    relative_error: f64,
}

#[derive(Debug, Serialize)]
struct Json {
    #[serde(flatten)]
    interval: json::IntervalJson,
    points: Option<[[f64; 3]; 2]>,
    features: Option<[json::FeatureJson; 2]>,
    penetrating: bool,
    contained: Option<&'static str>,
}

impl Question for DistanceArgs {
    const VERB: Verb = Verb::Distance;
    type Answer = Distance;

    fn ask(&self, pair: &mut Pair, pose_a: &Pose, pose_b: &Pose) -> Distance {
        let precision = Precision { relative: self.relative_error, absolute: self.absolute_error };
        pair.distance_to(pose_a, pose_b, precision)
    }

    fn touching(&self, answer: &Distance) -> bool {
        answer.penetrating
    }

    fn semantics(&self, answer: &Distance) -> Semantics {
        answer.semantics
    }

    fn stats(&self, answer: &Distance) -> Stats {
        answer.stats
    }

    fn json(&self, answer: &Distance, _: &Context) -> impl Serialize {
        Json {
            interval: answer.interval.into(),
            points: json::points(&answer.witness),
            features: json::features(&answer.witness),
            penetrating: answer.penetrating,
            contained: json::contained(answer.contained),
        }
    }

    fn line(&self, answer: &Distance, context: &Context) -> String {
        match answer.contained {
            Some(which) => format!("distance {}: {}", context.length(0.0), context.contained(which)),
            None if answer.penetrating => format!("distance {}: touching", context.length(0.0)),
            None => format!("distance {}", context.length(text::shortest(&answer.interval))),
        }
    }

    fn details(&self, answer: &Distance, _: &Context) -> Vec<String> {
        let mut lines = Vec::new();
        if answer.interval.width() > 0.0 {
            let (lower, upper) = (text::number(answer.interval.lower), text::number(answer.interval.upper));
            lines.push(format!("  surely between {lower} and {upper}"));
        }
        lines.extend(answer.witness.iter().flat_map(text::witness));
        lines
    }
}
