//! `impinge ray FILE --rays rays.csv`: where does each ray meet the body?

use std::io;
use std::path::PathBuf;

use clap::Args;
use impinge::glam::DVec3;
use impinge::{Pose, Ray, RayError, RayHit};
use serde::Serialize;

use crate::input::body::Body;
use crate::input::one_body;
use crate::input::one_body::OneBodyArgs;
use crate::input::rows::{Row, Rows, coordinate};
use crate::input::units::Units;
use crate::output::error::Failure;
use crate::output::format::AnswerFormat;
use crate::output::json::FeatureJson;
use crate::output::sheet::Title;
use crate::output::status::Status;
use crate::output::text;
use crate::question::rows::{self, RowQuestion};
use crate::question::threads::limit_threads;

const EXAMPLES: &str = "\
Examples:
  impinge ray part.stl --rays rays.csv
  impinge ray part.glb --rays rays.csv --all --units mm --format text
  echo 0,0,9,0,0,-1 | impinge ray sphere:1 --rays -";

const EXIT: &str = "\
Exit status:
  0    every ray misses
  1    a ray meets the body
  2    error
  130  interrupted by Ctrl-C: the rows printed are whole, and marked partial
  141  the reader of the output left before the last row, and no ray so far met the body";

/// Where does each ray first meet the surface of a body?
///
/// A ray that begins inside meets the surface where it leaves. Meshes are met exactly: no ray passes between two
/// triangles that share an edge. One answer a row, in the order of the rows.
#[derive(Debug, Args)]
#[command(before_help = EXAMPLES, after_help = EXIT)]
pub(crate) struct RayArgs {
    #[command(flatten)]
    body: OneBodyArgs,

    /// One ray a row: x,y,z,dx,dy,dz and, if it ends, its length; header allowed. `-` reads standard input
    #[arg(long, value_name = "FILE.csv")]
    rays: PathBuf,

    /// Say only whether the ray meets the body: stops at the first triangle found, wherever that is
    #[arg(long)]
    any: bool,

    /// Say all points where the ray meets the surface, in its order
    #[arg(long, conflicts_with = "any")]
    all: bool,

    /// Threads that build the tree and answer rows (same answers) [default: all cores; for rows, one with -]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// jsonl (one object a line), json (an array) or text
    #[arg(long, value_name = "FORMAT", default_value = "jsonl", hide_possible_values = true)]
    format: AnswerFormat,
}

impl Row for Ray {
    const WHAT: &'static str = "a ray";
    const MANY: &'static str = "rays";
    const NAMES: &'static [&'static str] = &["x", "y", "z", "dx", "dy", "dz", "length"];
    const NEEDED: usize = 6;
    const HELP: &'static str = "write one ray a row: x,y,z,dx,dy,dz, and its length if it ends";

    fn of(numbers: &[f64]) -> Result<Ray, (usize, String)> {
        let at = |k: usize| numbers.get(k).copied().unwrap_or(f64::NAN);
        let origin = DVec3::new(coordinate(0, at(0))?, coordinate(1, at(1))?, coordinate(2, at(2))?);
        let told = |error: RayError| {
            let k = match error {
                RayError::Origin(_) => 0,
                RayError::Direction(_) => (3..6).find(|&k| !at(k).is_finite()).unwrap_or(3),
                RayError::Length(_) => 6,
            };
            (k, error.to_string())
        };
        let ray = Ray::new(origin, DVec3::new(at(3), at(4), at(5))).map_err(told)?;
        numbers.get(6).map_or(Ok(ray), |length| ray.with_length(*length).map_err(told))
    }
}

#[derive(Debug, Serialize)]
struct RowJson<'a> {
    verb: &'static str,
    a: &'a str,
    index: u64,
    hit: bool,
    #[serde(flatten)]
    first: Option<HitJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hits: Option<Vec<HitJson>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    approximate: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    units: Option<&'static str>,
}

/// A hit; all `null` where there is none.
#[derive(Debug, Serialize)]
struct HitJson {
    distance: Option<f64>,
    point: Option<[f64; 3]>,
    normal: Option<[f64; 3]>,
    feature: Option<FeatureJson>,
    uv: Option<[f64; 2]>,
}

impl HitJson {
    fn of(hit: Option<&RayHit>) -> HitJson {
        HitJson {
            distance: hit.map(|hit| hit.distance),
            point: hit.map(|hit| hit.point.to_array()),
            normal: hit.map(|hit| hit.normal.to_array()),
            feature: hit.map(|hit| hit.feature.into()),
            uv: hit.map(|hit| hit.uv),
        }
    }
}

/// Answers every row; returns how the process ends.
pub(crate) fn run(args: &RayArgs) -> Result<Status, Failure> {
    let mut rays = Rows::<Ray>::open(&args.rays)?;
    limit_threads(args.threads);
    let body = one_body::load(&args.body)?;
    let title = Title { verb: "ray", a: body.name.clone(), b: None };
    let pose = args.body.pose.unwrap_or_default();
    rows::answer_all(&Rays { args, body, pose }, &mut rays, args.format, args.threads, title)
}

/// The question about each ray.
struct Rays<'a> {
    args: &'a RayArgs,
    body: Body,
    pose: Pose,
}

/// What one ray meets.
enum Met {
    Any(bool),
    First(Option<RayHit>),
    All(Vec<RayHit>),
}

impl Met {
    fn is_hit(&self) -> bool {
        match self {
            Met::Any(is_hit) => *is_hit,
            Met::First(hit) => hit.is_some(),
            Met::All(hits) => !hits.is_empty(),
        }
    }
}

impl RowQuestion for Rays<'_> {
    type Row = Ray;

    /// Whether the ray meets the body, and the row.
    fn answer(&self, index: u64, ray: &Ray) -> Result<(bool, Vec<u8>), Failure> {
        let model = &self.body.model;
        let met = if self.args.any {
            Met::Any(model.meets_ray(&self.pose, ray))
        } else if self.args.all {
            Met::All(model.ray_all(&self.pose, ray))
        } else {
            Met::First(model.ray(&self.pose, ray))
        };
        let text = match self.args.format {
            AnswerFormat::Text => self.text(index, &met).into_bytes(),
            AnswerFormat::Json | AnswerFormat::Jsonl => self.json(index, &met).map_err(io::Error::from)?,
        };
        Ok((met.is_hit(), text))
    }
}

impl Rays<'_> {
    fn json(&self, index: u64, met: &Met) -> serde_json::Result<Vec<u8>> {
        let (first, hits) = match met {
            Met::Any(_) => (None, None),
            Met::First(hit) => (Some(HitJson::of(hit.as_ref())), None),
            Met::All(hits) => {
                let each = hits.iter().map(|hit| HitJson::of(Some(hit))).collect();
                (Some(HitJson::of(hits.first())), Some(each))
            }
        };
        serde_json::to_vec(&RowJson {
            verb: "ray",
            a: &self.body.name,
            index,
            hit: met.is_hit(),
            first,
            hits,
            approximate: Some(self.body.is_approximate()).filter(|is| *is),
            units: self.args.body.units.map(Units::name),
        })
    }

    fn text(&self, index: u64, met: &Met) -> String {
        let length = |x: f64| match self.args.body.units {
            Some(units) => format!("{} {}", text::number(x), units.name()),
            None => text::number(x),
        };
        let line = |hit: &RayHit| {
            let (point, normal) = (text::point(hit.point), text::point(hit.normal));
            format!("after {} at {point}, normal {normal}, {}", length(hit.distance), text::feature(&hit.feature))
        };
        let told = match met {
            Met::Any(true) => "hit".to_owned(),
            Met::Any(false) | Met::First(None) => "miss".to_owned(),
            Met::First(Some(hit)) => format!("hit {}", line(hit)),
            Met::All(hits) if hits.is_empty() => "miss".to_owned(),
            Met::All(hits) => {
                let lines: Vec<String> = hits.iter().map(|hit| format!("\n  {}", line(hit))).collect();
                format!("{}{}", text::plural(hits.len() as u64, "hit", "hits"), lines.concat())
            }
        };
        let row = format!("row {index}: {told}");
        if index == 0 { format!("a: {}\n{row}", self.body.describe()) } else { row }
    }
}
