//! `impinge overlap A B`: do they touch?

use clap::Args;
use impinge::{Contact, Overlap, Pair, Pose, Semantics, Stats, Touch};
use serde::Serialize;

use crate::args::{EXIT_STATUS, PairArgs};
use crate::json;
use crate::question::Question;
use crate::text::{self, Wording};

const EXAMPLES: &str = "\
Examples:
  impinge overlap a.stl b.obj && echo clear
  impinge overlap robot.glb cell.glb --part-a gripper --pose-a 0.4,0,1.2
  impinge overlap a.glb b.obj --poses poses.csv --format jsonl --timing";

/// Do they touch? Touching in one point counts, and so does lying inside a solid
#[derive(Debug, Args)]
#[command(before_help = EXAMPLES, after_help = EXIT_STATUS)]
pub(crate) struct OverlapArgs {
    #[command(flatten)]
    pub(crate) pair: PairArgs,
}

#[derive(Debug)]
pub(crate) struct Overlaps;

#[derive(Debug, Serialize)]
struct Json {
    overlap: bool,
    contained: Option<&'static str>,
    witness: Option<WitnessJson>,
}

#[derive(Debug, Serialize)]
struct WitnessJson {
    triangles: Option<[u32; 2]>,
    points: [[f64; 3]; 2],
    normal: Option<[f64; 3]>,
}

impl WitnessJson {
    fn of(contact: &Contact) -> WitnessJson {
        let ends = [contact.points.first(), contact.points.last()];
        WitnessJson {
            triangles: contact.depth.is_none().then_some(contact.pair),
            points: ends.map(|end| end.map_or([0.0; 3], |[on_a, _]| on_a.to_array())),
            normal: Some(contact.normal.to_array()),
        }
    }
}

impl Question for Overlaps {
    const VERB: &'static str = "overlap";
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

    fn json(&self, answer: &Overlap) -> impl Serialize {
        let (contained, witness) = match &answer.witness {
            Some(Touch::Contained(which)) => (Some(*which), None),
            Some(Touch::Surfaces(contact)) => (None, Some(WitnessJson::of(contact))),
            Some(Touch::Common(point)) => {
                (None, Some(WitnessJson { triangles: None, points: [point.to_array(); 2], normal: None }))
            }
            None => (None, None),
        };
        Json { overlap: answer.overlap, contained: json::contained(contained), witness }
    }

    fn line(&self, answer: &Overlap, wording: &Wording) -> String {
        match &answer.witness {
            _ if !answer.overlap => "clear".to_owned(),
            None => "touching".to_owned(),
            Some(Touch::Contained(which)) => format!("touching: {}", wording.contained(*which)),
            Some(Touch::Surfaces(contact)) => {
                let [i, j] = contact.pair;
                let at = text::point(contact.points[0][0]);
                format!("touching: triangle {i} of a meets triangle {j} of b at {at}")
            }
            Some(Touch::Common(point)) => format!("touching: a common point is {}", text::point(*point)),
        }
    }

    fn details(&self, _: &Overlap, _: &Wording) -> Vec<String> {
        Vec::new()
    }
}
