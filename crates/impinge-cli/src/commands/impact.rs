//! `impinge impact A B`: when do they first touch?

use std::path::PathBuf;

use clap::Args;
use impinge::{Deforming, Impact, Inclusion, Interval, Pair, Pose, Semantics, Stats, impact_deforming};
use serde::Serialize;

use crate::args::{EXIT_STATUS, PairArgs, parse_length};
use crate::deforming::Ends;
use crate::engine::Verb;
use crate::error::Failure;
use crate::json::{self, IntervalJson};
use crate::motion::{MotionArgs, Motions};
use crate::question::{self, Question};
use crate::status::Status;
use crate::text::{self, Context};

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

    /// A deforms: the same triangles in this file, to whose vertices those of A move straight from time 0 to time 1
    #[arg(long, value_name = "FILE", help_heading = "Motion")]
    #[arg(conflicts_with_all = ["motion_a", "motion_b", "poses", "hull", "hull_parts", "decompose"])]
    end_a: Option<PathBuf>,

    /// B deforms to the vertices of this file
    #[arg(long, value_name = "FILE", help_heading = "Motion")]
    #[arg(conflicts_with_all = ["motion_a", "motion_b", "poses", "hull", "hull_parts", "decompose"])]
    end_b: Option<PathBuf>,

    /// With --end-a or --end-b: features that come this near may be said to touch [default: 2⁻³⁶ of what a body sweeps]
    #[arg(long, value_name = "D", value_parser = parse_length, allow_hyphen_values = true)]
    tolerance: Option<f64>,
}

#[derive(Debug)]
struct Impacts {
    motions: Motions,
    deforming: Option<[Deforming; 2]>,
    tolerance: Option<f64>,
}

/// Answers it.
pub(crate) fn run(args: &ImpactArgs) -> Result<Status, Failure> {
    let ends = [args.end_a.as_deref(), args.end_b.as_deref()];
    let is_deforming = ends.iter().any(Option::is_some);
    if args.tolerance.is_some() && !is_deforming {
        return Err(Failure::Motion {
            place: "--tolerance".to_owned(),
            problem: "rigid bodies are told apart as far as rounding lets them".to_owned(),
            help: "leave it out, or give --end-a or --end-b".to_owned(),
        });
    }
    question::limit_threads(args.pair.threads);
    let poses = args.motion.ends(&args.pair);
    let deforming = if is_deforming {
        let (typed, parts) = ([&args.pair.a, &args.pair.b], [&args.pair.part_a, &args.pair.part_b]);
        let body = |k: usize| {
            let (part, name) = (parts[k].as_deref(), ["a", "b"][k]);
            Ends { typed: typed[k], part, end: ends[k], poses: poses[k], name }.body(&args.pair)
        };
        Some([body(0)?, body(1)?])
    } else {
        None
    };
    let impacts = Impacts { motions: args.motion.motions(&args.pair)?, deforming, tolerance: args.tolerance };
    question::answer(&impacts, &args.pair)
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
}

impl Question for Impacts {
    const VERB: Verb = Verb::Impact;
    type Answer = Impact;

    fn ask(&self, pair: &mut Pair, _: &Pose, pose_b: &Pose) -> Impact {
        match (&self.deforming, self.tolerance) {
            (Some([a, b]), None) => return impact_deforming(a, b),
            (Some([a, b]), Some(tolerance)) => return a.impact(b, &Inclusion { tolerance, separation: 0.0 }),
            (None, _) => {}
        }
        let motions = &self.motions;
        motions.with_b(pose_b, |b| pair.impact(motions.a(), b, motions.span)).unwrap_or(Impact {
            // At such a speed nothing can be told.
            time: Some(Interval { lower: motions.span.from(), upper: motions.span.to() }),
            certain: false,
            separating: false,
            witness: None,
            normal: None,
            leaves: None,
            semantics: Semantics::Solid,
            stats: Stats::default(),
        })
    }

    fn touching(&self, answer: &Impact) -> bool {
        answer.time.is_some()
    }

    fn semantics(&self, answer: &Impact) -> Semantics {
        answer.semantics
    }

    fn stats(&self, answer: &Impact) -> Stats {
        answer.stats
    }

    fn json(&self, answer: &Impact, _: &Context) -> impl Serialize {
        Json {
            hit: answer.time.is_some(),
            time: answer.time.map(IntervalJson::from),
            certain: answer.certain,
            separating: answer.separating,
            points: json::points(&answer.witness),
            features: json::features(&answer.witness),
            normal: answer.normal.map(|n| n.to_array()),
            leaves: answer.leaves.map(IntervalJson::from),
        }
    }

    fn line(&self, answer: &Impact, _: &Context) -> String {
        let Some(time) = answer.time else { return "clear: they do not touch".to_owned() };
        let at = text::number(text::shortest(&time));
        match (answer.separating, answer.certain) {
            (true, _) => format!("touching at {at}, and moving apart"),
            (false, true) => format!("impact at {at}"),
            (false, false) => format!("impact at {at}, unless they just miss"),
        }
    }

    fn details(&self, answer: &Impact, _: &Context) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some(time) = answer.time.filter(|time| time.width() > 0.0) {
            let (lower, upper) = (text::number(time.lower), text::number(time.upper));
            lines.push(format!("  surely between {lower} and {upper}"));
        }
        lines.extend(answer.witness.iter().flat_map(text::witness));
        lines.extend(answer.normal.map(|normal| format!("  normal {}", text::point(normal))));
        lines.extend(answer.leaves.map(|time| format!("  they part at {}", text::number(text::shortest(&time)))));
        lines
    }
}
