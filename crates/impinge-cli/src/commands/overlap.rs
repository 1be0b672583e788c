//! `impinge overlap A B`: do they touch?

use clap::Args;
use impinge::{Contact, Overlap, Pair, Pose, Semantics, Stats, Touch};
use serde::Serialize;

use crate::input::body_kind::BodyKind;
use crate::input::engine::Verb;
use crate::input::options::{EXIT_STATUS, PairArgs, parse_length};
use crate::output::json;
use crate::output::text;
use crate::question::asker::Question;
use crate::question::context::Context;

const EXAMPLES: &str = "\
Examples:
  impinge overlap a.stl b.obj && echo clear
  impinge overlap part.stl half-space:0,0,1,0 --envelope 0.01
  impinge overlap robot.glb cell.glb --part-a gripper --pose-a 0.4,0,1.2
  impinge overlap a.glb b.obj --poses poses.csv --format jsonl --timing";

/// Do they touch? Touching in one point counts, and so does lying inside a solid
#[derive(Debug, Args)]
#[command(before_help = EXAMPLES, after_help = EXIT_STATUS)]
pub(crate) struct OverlapArgs {
    #[command(flatten)]
    pub(crate) pair: PairArgs,

    /// Count bodies that come this near as touching
    #[arg(long, value_name = "E", value_parser = parse_length, allow_hyphen_values = true)]
    envelope: Option<f64>,
}

#[derive(Debug, Serialize)]
struct Json {
    overlap: bool,
    contained: Option<&'static str>,
    witness: Option<WitnessJson>,
}

/// What they have in common. Two meshes: two of their triangles; `"triangles"` is what `"pair"` was called first.
#[derive(Debug, Default, Serialize)]
struct WitnessJson {
    pair: Option<[u32; 2]>,
    triangles: Option<[u32; 2]>,
    points: [[f64; 3]; 2],
    normal: Option<[f64; 3]>,
}

impl WitnessJson {
    fn of(contact: &Contact, context: &Context) -> WitnessJson {
        let ends = [contact.points.first(), contact.points.last()];
        WitnessJson {
            pair: Some(contact.pair),
            triangles: (context.kinds == [BodyKind::Mesh; 2]).then_some(contact.pair),
            points: ends.map(|end| end.map_or([0.0; 3], |[on_a, _]| on_a.to_array())),
            normal: Some(contact.normal.to_array()),
        }
    }
}

impl Question for OverlapArgs {
    const VERB: Verb = Verb::Overlap;
    type Answer = Overlap;

    fn ask(&self, pair: &mut Pair, pose_a: &Pose, pose_b: &Pose) -> Overlap {
        pair.overlap(pose_a, pose_b)
    }

    fn touching(&self, answer: &Overlap) -> bool {
        answer.overlap
    }

    fn semantics(&self, answer: &Overlap) -> Semantics {
        answer.semantics
    }

    fn stats(&self, answer: &Overlap) -> Stats {
        answer.stats
    }

    fn json(&self, answer: &Overlap, context: &Context) -> impl Serialize {
        let (contained, witness) = match &answer.witness {
            Some(Touch::Contained(which)) => (Some(*which), None),
            Some(Touch::Surfaces(contact)) => (None, Some(WitnessJson::of(contact, context))),
            Some(Touch::Common(point)) => {
                (None, Some(WitnessJson { points: [point.to_array(); 2], ..WitnessJson::default() }))
            }
            None => (None, None),
        };
        Json { overlap: answer.overlap, contained: json::contained(contained), witness }
    }

    fn line(&self, answer: &Overlap, context: &Context) -> String {
        match &answer.witness {
            _ if !answer.overlap => "clear".to_owned(),
            None => "touching".to_owned(),
            Some(Touch::Contained(which)) => format!("touching: {}", context.contained(*which)),
            Some(Touch::Surfaces(contact)) => {
                let [p, q] = context.pair(contact.pair);
                let at = contact.points.first().map_or(String::new(), |[at, _]| format!(" at {}", text::point(*at)));
                format!("touching: {p} meets {q}{at}")
            }
            Some(Touch::Common(point)) if self.envelope.is_some_and(|e| e > 0.0) => {
                format!("touching, or within the envelope: near {}", text::point(*point))
            }
            Some(Touch::Common(point)) => format!("touching: both contain {}", text::point(*point)),
        }
    }

    fn details(&self, _: &Overlap, _: &Context) -> Vec<String> {
        Vec::new()
    }

    fn envelope(&self) -> Option<f64> {
        self.envelope
    }
}
