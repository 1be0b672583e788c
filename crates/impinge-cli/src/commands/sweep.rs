//! `impinge sweep A B`: how near do they come during a motion?

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use impinge::{Limit, Model, Pair, Pose, Semantics, Span, Stats, Steady, Sweep, SweepMethod, SweepOptions, SweptPair};
use serde::Serialize;

use crate::input::deforming::EndArgs;
use crate::input::engine::Verb;
use crate::input::motion::{MotionArgs, Motions};
use crate::input::options::{EXIT_STATUS, PairArgs, parse_length};
use crate::output::error::Failure;
use crate::output::json::{self, IntervalJson};
use crate::output::status::Status;
use crate::output::text::{self, plural};
use crate::question::asker::Question;
use crate::question::context::Context;
use crate::question::{answer, threads};

const EXAMPLES: &str = "\
Examples:
  impinge sweep sphere:1 box:2,2,2 --from-a=-5,3,0 --to-a 5,3,0
  impinge sweep arm.stl cell.stl --motion-a path.csv --within 0.02 || echo too close
  impinge sweep truck.stl field.stl --to-a 20,0,0 --all --format json
  impinge sweep cloth.obj body.obj --end-a cloth_next.obj";

const METHODS: [&str; 5] = ["auto", "simple", "tangent-hull", "chord-bulge", "by-speed"];

/// How near do they come during a motion? An interval that contains the truth, and when and where
#[derive(Debug, Args)]
#[command(before_help = EXAMPLES, after_help = EXIT_STATUS)]
pub(crate) struct SweepArgs {
    #[command(flatten)]
    pair: PairArgs,

    #[command(flatten)]
    motion: MotionArgs,

    #[command(flatten)]
    ends: EndArgs,

    /// Only ask whether they come this near; cheaper
    #[arg(long, value_name = "D", value_parser = parse_length, allow_hyphen_values = true)]
    within: Option<f64>,

    /// List every pair of triangles or parts that comes as near as --within, or touches
    #[arg(long)]
    all: bool,

    /// How wide the interval may be where bodies turn or deform, relative to their size and the way they go
    #[arg(long, value_name = "R", value_parser = parse_length, allow_hyphen_values = true, default_value = "1e-7")]
    tolerance: f64,

    /// How turning is bounded: auto, simple, tangent-hull (Xavier), chord-bulge, by-speed; all give intervals that hold
    #[arg(long, value_name = "NAME", default_value = "auto", hide_possible_values = true, help_heading = "Engine")]
    #[arg(conflicts_with_all = ["end_a", "end_b"])]
    #[arg(value_parser = PossibleValuesParser::new(METHODS).try_map(|name| name.parse::<SweepMethod>()))]
    sweep_method: SweepMethod,
}

#[derive(Debug)]
struct Sweeps<'a> {
    args: &'a SweepArgs,
    motions: Motions,
    /// Bodies of which one deforms, in the world.
    deforming: Option<[Model; 2]>,
}

/// Answers it.
pub(crate) fn run(args: &SweepArgs) -> Result<Status, Failure> {
    threads::limit_threads(args.pair.threads);
    let deforming = args.ends.bodies(&args.pair, &args.motion)?;
    answer::answer(&Sweeps { args, motions: args.motion.motions(&args.pair)?, deforming }, &args.pair)
}

/// The least distance, and the pairs that come near, where these were asked for.
struct Answer {
    sweep: Sweep,
    pairs: Option<(Vec<SweptPair>, bool)>,
}

#[derive(Debug, Serialize)]
struct Json {
    #[serde(flatten)]
    interval: IntervalJson,
    time: f64,
    points: Option<[[f64; 3]; 2]>,
    features: Option<[json::FeatureJson; 2]>,
    penetrating: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    within: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tolerance: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pairs: Option<Vec<PairJson>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    complete: Option<bool>,
}

#[derive(Debug, Serialize)]
struct PairJson {
    pair: [u32; 2],
    time: f64,
    distance: f64,
}

impl Sweeps<'_> {
    /// Whether they come as near as was asked: also where that is left open.
    fn is_within(&self, sweep: &Sweep) -> Option<bool> {
        self.args.within.map(|within| sweep.interval.lower <= within)
    }
}

impl Question for Sweeps<'_> {
    const VERB: Verb = Verb::Sweep;
    type Answer = Answer;

    fn ask(&self, pair: &mut Pair, _: &Pose, pose_b: &Pose) -> Answer {
        let SweepArgs { within, all, tolerance, sweep_method: method, .. } = *self.args;
        let (a, span) = (self.motions.a(), self.motions.span);
        let options = SweepOptions { method, tolerance, enough: within };
        if let Some([a, b]) = &self.deforming {
            let placed = Steady::still(Pose::IDENTITY);
            let mut pair = Pair::new(a, b);
            let sweep = pair.sweep_with(&placed, &placed, Span::UNIT, &options);
            let near = within.unwrap_or(0.0);
            let pairs = all.then(|| pair.sweep_pairs(&placed, &placed, Span::UNIT, near, Limit::All));
            return Answer { sweep, pairs };
        }
        self.motions.with_b(pose_b, |b| Answer {
            sweep: pair.sweep_with(a, b, span, &options),
            pairs: all.then(|| pair.sweep_pairs(a, b, span, within.unwrap_or(0.0), Limit::All)),
        })
    }

    fn begins(&self) -> Option<(Pose, Span)> {
        self.motions.begins()
    }

    /// What is not told apart counts as touching.
    fn touching(&self, answer: &Answer) -> bool {
        self.is_within(&answer.sweep).unwrap_or(answer.sweep.interval.lower == 0.0) || answer.sweep.penetrating
    }

    fn semantics(&self, answer: &Answer) -> Semantics {
        answer.sweep.semantics
    }

    fn stats(&self, answer: &Answer) -> Stats {
        answer.sweep.stats
    }

    fn json(&self, answer: &Answer, _: &Context) -> impl Serialize {
        let Answer { sweep, pairs } = answer;
        let near = |p: &SweptPair| PairJson { pair: p.pair, time: p.time, distance: p.distance };
        Json {
            interval: sweep.interval.into(),
            time: sweep.time,
            points: json::points(&sweep.witness),
            features: json::features(&sweep.witness),
            penetrating: sweep.penetrating,
            within: self.is_within(sweep),
            tolerance: self.args.within,
            pairs: pairs.as_ref().map(|(pairs, _)| pairs.iter().map(near).collect()),
            complete: pairs.as_ref().map(|(_, complete)| *complete),
        }
    }

    fn line(&self, answer: &Answer, context: &Context) -> String {
        let sweep = &answer.sweep;
        let at = text::number(sweep.time);
        match (sweep.penetrating, self.args.within, self.is_within(sweep)) {
            (true, ..) => format!("distance {}: touching at {at}", context.length(0.0)),
            (false, Some(within), Some(true)) => format!("within {} at {at}", context.length(within)),
            (false, Some(within), _) => format!("clear: never as near as {}", context.length(within)),
            _ if sweep.interval.lower == 0.0 => {
                let most = context.length(sweep.interval.upper);
                format!("distance at most {most} at {at}: they may touch")
            }
            _ => format!("distance {} at {at}", context.length(text::shortest(&sweep.interval))),
        }
    }

    fn details(&self, answer: &Answer, context: &Context) -> Vec<String> {
        const SHOWN: usize = 10;
        let Answer { sweep, pairs } = answer;
        let mut lines = Vec::new();
        if sweep.interval.width() > 0.0 && self.args.within.is_none() {
            let (lower, upper) = (text::number(sweep.interval.lower), text::number(sweep.interval.upper));
            lines.push(format!("  surely between {lower} and {upper}"));
        }
        lines.extend(sweep.witness.iter().flat_map(text::witness));
        if let Some((pairs, complete)) = pairs {
            let more = if *complete { "" } else { " at least" };
            lines.push(format!("  {}{more} come near", plural(pairs.len() as u64, "pair", "pairs")));
            for near in pairs.iter().take(SHOWN) {
                let [p, q] = context.pair(near.pair);
                let (distance, at) = (context.length(near.distance), text::number(near.time));
                lines.push(format!("    {p} and {q}: {distance} at {at}"));
            }
        }
        lines
    }
}
