//! `impinge impact A B`: when do they first touch?

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};
use impinge::{
    ContactInterval, Impact, ImpactMethod, ImpactOptions, Interval, Model, Pair, Pose, Semantics, Span, Stats, Steady,
};
use serde::Serialize;

use crate::input::deforming::EndArgs;
use crate::input::engine::Verb;
use crate::input::motion::{MotionArgs, Motions};
use crate::input::options::{EXIT_STATUS, PairArgs, parse_length};
use crate::output::error::Failure;
use crate::output::json::{self, IntervalJson};
use crate::output::status::Status;
use crate::output::text;
use crate::question::asker::Question;
use crate::question::context::Context;
use crate::question::{answer, threads};

const EXAMPLES: &str = "\
Examples:
  impinge impact sphere:1 box:2,2,2 --from-a=-5,0,0 --to-a 5,0,0
  impinge impact arm.stl cell.stl --motion-a path.csv --format json
  impinge impact cloth.obj body.obj --end-a cloth_next.obj";

/// When do they first touch during a motion, where, and when do they part?
#[derive(Debug, Args)]
#[command(before_help = EXAMPLES, after_help = EXIT_STATUS)]
pub(crate) struct ImpactArgs {
    #[command(flatten)]
    pair: PairArgs,

    #[command(flatten)]
    motion: MotionArgs,

    #[command(flatten)]
    ends: EndArgs,

    /// How near counts as touching [default: 0]
    #[arg(long, value_name = "D", value_parser = parse_length, allow_hyphen_values = true)]
    tolerance: Option<f64>,

    /// List every span of time in which they touch
    #[arg(long)]
    all: bool,

    /// How the time is found: auto, advancement, contact-functions, by-speed, or bisection, which may miss contacts
    #[arg(long, value_name = "NAME", default_value = "auto", hide_possible_values = true, help_heading = "Engine")]
    #[arg(conflicts_with_all = ["end_a", "end_b"])]
    #[arg(value_parser = PossibleValuesParser::new(METHODS).try_map(|name| name.parse::<ImpactMethod>()))]
    impact_method: ImpactMethod,
}

/// From this share of the span on, an interval of time is told by its ends.
const WIDE: f64 = 1e-6;

const METHODS: [&str; 5] = ["auto", "advancement", "contact-functions", "by-speed", "bisection"];

#[derive(Debug)]
struct Impacts<'a> {
    args: &'a ImpactArgs,
    motions: Motions,
    /// Bodies of which one deforms, in the world.
    deforming: Option<[Model; 2]>,
}

/// The first contact, and all of them, where these were asked for.
struct Answer {
    impact: Impact,
    contacts: Option<Vec<ContactInterval>>,
}

/// Answers it.
pub(crate) fn run(args: &ImpactArgs) -> Result<Status, Failure> {
    threads::limit_threads(args.pair.threads);
    let deforming = args.ends.bodies(&args.pair, &args.motion)?;
    let impacts = Impacts { args, motions: args.motion.motions(&args.pair)?, deforming };
    answer::answer(&impacts, &args.pair)
}

#[derive(Debug, Serialize)]
struct Json {
    hit: bool,
    time: Option<IntervalJson>,
    certain: bool,
    separating: bool,
    points: Option<[[f64; 3]; 2]>,
    features: Option<[json::FeatureJson; 2]>,
    normal: Option<[f64; 3]>,
    leaves: Option<IntervalJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    contacts: Option<Vec<ContactJson>>,
}

#[derive(Debug, Serialize)]
struct ContactJson {
    begins: IntervalJson,
    ends: Option<IntervalJson>,
    certain: bool,
}

impl Impacts<'_> {
    /// A time after a word for it, or the two between which it is.
    fn told(&self, time: &Interval, at: &str) -> String {
        if time.width() > WIDE * (self.motions.span.to() - self.motions.span.from()) {
            return text::between(time);
        }
        format!("{at}{}", text::number(text::shortest(time)))
    }
}

impl Question for Impacts<'_> {
    const VERB: Verb = Verb::Impact;
    type Answer = Answer;

    fn ask(&self, pair: &mut Pair, _: &Pose, pose_b: &Pose) -> Answer {
        let tolerance = self.args.tolerance.unwrap_or(0.0);
        let options = ImpactOptions { method: self.args.impact_method, tolerance, parting: true };
        if let Some([a, b]) = &self.deforming {
            let (mut pair, placed) = (Pair::new(a, b), Steady::still(Pose::IDENTITY));
            return Answer {
                impact: pair.impact_with(&placed, &placed, Span::UNIT, &options),
                contacts: self.args.all.then(|| pair.near_over_time(&placed, &placed, Span::UNIT, tolerance)),
            };
        }
        let (a, span) = (self.motions.a(), self.motions.span);
        self.motions.with_b(pose_b, |b| Answer {
            impact: pair.impact_with(a, b, span, &options),
            contacts: self.args.all.then(|| pair.near_over_time(a, b, span, options.tolerance)),
        })
    }

    fn begins(&self) -> Option<(Pose, Span)> {
        self.motions.begins()
    }

    fn touching(&self, answer: &Answer) -> bool {
        answer.impact.time.is_some()
    }

    fn semantics(&self, answer: &Answer) -> Semantics {
        answer.impact.semantics
    }

    fn stats(&self, answer: &Answer) -> Stats {
        answer.impact.stats
    }

    fn json(&self, answer: &Answer, _: &Context) -> impl Serialize {
        let Answer { impact, contacts } = answer;
        let contact = |c: &ContactInterval| ContactJson {
            begins: c.begins.into(),
            ends: c.ends.map(IntervalJson::from),
            certain: c.certain,
        };
        Json {
            hit: impact.time.is_some(),
            time: impact.time.map(IntervalJson::from),
            certain: impact.certain,
            separating: impact.separating,
            points: json::points(&impact.witness),
            features: json::features(&impact.witness),
            normal: impact.normal.map(|n| n.to_array()),
            leaves: impact.leaves.map(IntervalJson::from),
            contacts: contacts.as_ref().map(|contacts| contacts.iter().map(contact).collect()),
        }
    }

    fn line(&self, answer: &Answer, _: &Context) -> String {
        let Some(time) = answer.impact.time else { return "clear: they do not touch".to_owned() };
        let at = self.told(&time, "at ");
        match (answer.impact.separating, answer.impact.certain) {
            (true, _) => format!("touching {at}, and moving apart"),
            (false, true) => format!("impact {at}"),
            (false, false) => format!("impact {at}, unless they just miss"),
        }
    }

    fn details(&self, answer: &Answer, _: &Context) -> Vec<String> {
        let Answer { impact, contacts } = answer;
        let mut lines = Vec::new();
        if let Some(time) = impact.time.filter(|time| time.width() > 0.0) {
            let (lower, upper) = (text::number(time.lower), text::number(time.upper));
            lines.push(format!("  surely between {lower} and {upper}"));
        }
        lines.extend(impact.witness.iter().flat_map(text::witness));
        lines.extend(impact.normal.map(|normal| format!("  normal {}", text::point(normal))));
        lines.extend(impact.leaves.map(|time| format!("  they part {}", self.told(&time, "at "))));
        for contact in contacts.iter().flatten() {
            let ends = contact.ends.map_or("the end".to_owned(), |ends| self.told(&ends, ""));
            let perhaps = if contact.certain { "" } else { "perhaps " };
            lines.push(format!("  {perhaps}in contact from {} to {ends}", self.told(&contact.begins, "")));
        }
        lines
    }
}
