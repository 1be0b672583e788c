//! `impinge within A B --tolerance D`: closer than that?

use clap::Args;
use impinge::{Pair, Pose, Semantics, Stats, Within};
use serde::Serialize;

use crate::input::engine::Verb;
use crate::input::options::{EXIT_STATUS, PairArgs, parse_length};
use crate::output::json;
use crate::output::text;
use crate::question::asker::Question;
use crate::question::context::Context;

const EXAMPLES: &str = "\
Examples:
  impinge within a.stl b.stl --tolerance 0.5
  impinge within pipe.glb duct.glb --units mm --tolerance 25 || echo too close";

/// Closer than a tolerance? Cheaper than the distance, and never no when it is yes
#[derive(Debug, Args)]
#[command(before_help = EXAMPLES, after_help = EXIT_STATUS)]
pub(crate) struct WithinArgs {
    #[command(flatten)]
    pub(crate) pair: PairArgs,

    /// The distance that is still too near
    #[arg(long, value_name = "D", value_parser = parse_length, allow_hyphen_values = true)]
    tolerance: f64,
}

#[derive(Debug, Serialize)]
struct Json {
    within: bool,
    tolerance: f64,
    points: Option<[[f64; 3]; 2]>,
    features: Option<[json::FeatureJson; 2]>,
    contained: Option<&'static str>,
}

impl Question for WithinArgs {
    const VERB: Verb = Verb::Within;
    type Answer = Within;

    fn ask(&self, pair: &mut Pair, pose_a: &Pose, pose_b: &Pose) -> Within {
        pair.within(pose_a, pose_b, self.tolerance)
    }

    fn touching(&self, answer: &Within) -> bool {
        answer.within
    }

    fn semantics(&self, answer: &Within) -> Semantics {
        answer.semantics
    }

    fn stats(&self, answer: &Within) -> Stats {
        answer.stats
    }

    fn json(&self, answer: &Within, _: &Context) -> impl Serialize {
        Json {
            within: answer.within,
            tolerance: answer.tolerance,
            points: json::points(&answer.witness),
            features: json::features(&answer.witness),
            contained: json::contained(answer.contained),
        }
    }

    fn line(&self, answer: &Within, context: &Context) -> String {
        let tolerance = context.length(answer.tolerance);
        match answer.contained {
            Some(which) => format!("within {tolerance}: {}", context.contained(which)),
            None if answer.within => format!("within {tolerance}"),
            None => format!("clear: farther apart than {tolerance}"),
        }
    }

    fn details(&self, answer: &Within, _: &Context) -> Vec<String> {
        answer.witness.iter().flat_map(text::witness).collect()
    }
}
