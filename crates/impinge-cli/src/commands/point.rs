//! `impinge point FILE --points points.csv`: how far is each point from the body, inside or out?

use std::io;
use std::path::PathBuf;

use clap::Args;
use impinge::glam::DVec3;
use impinge::{PointDistance, PointError, Pose};
use serde::Serialize;

use crate::input::body::Body;
use crate::input::one_body;
use crate::input::one_body::OneBodyArgs;
use crate::input::rows::{Row, Rows, coordinate};
use crate::input::units::Units;
use crate::output::error::Failure;
use crate::output::format::AnswerFormat;
use crate::output::json;
use crate::output::sheet::Title;
use crate::output::status::Status;
use crate::output::text;
use crate::question::rows::{self, RowQuestion};
use crate::question::threads::limit_threads;

const EXAMPLES: &str = "\
Examples:
  impinge point part.stl --points probe.csv
  impinge point part.glb --points probe.csv --units mm --format text
  echo 0,0,3 | impinge point sphere:1 --points -";

const EXIT: &str = "\
Exit status:
  0    every point is outside
  1    a point is inside, or on the surface
  2    error
  130  interrupted by Ctrl-C: the rows printed are whole, and marked partial
  141  the reader of the output left before the last row, and no point so far was inside";

/// How far is each point from a body, on which side of its surface, and where is the surface nearest?
///
/// Distances are negative inside a solid: a closed mesh, a hull, a shape in words. One answer a row, in the order of
/// the rows.
#[derive(Debug, Args)]
#[command(before_help = EXAMPLES, after_help = EXIT)]
pub(crate) struct PointArgs {
    #[command(flatten)]
    body: OneBodyArgs,

    /// One point a row: x,y,z, header allowed; one answer a row. `-` reads standard input
    #[arg(long, value_name = "FILE.csv")]
    points: PathBuf,

    /// Threads that build the tree and answer rows (same answers) [default: all cores; for rows, one with -]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// jsonl (one object a line), json (an array) or text
    #[arg(long, value_name = "FORMAT", default_value = "jsonl", hide_possible_values = true)]
    format: AnswerFormat,
}

#[derive(Debug, Serialize)]
struct RowJson<'a> {
    verb: &'static str,
    a: &'a str,
    semantics: &'static str,
    index: u64,
    inside: bool,
    lower: f64,
    upper: f64,
    closest: [f64; 3],
    feature: json::FeatureJson,
    #[serde(skip_serializing_if = "Option::is_none")]
    approximate: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    units: Option<&'static str>,
    stats: json::StatsJson,
}

/// Answers every row; returns how the process ends.
pub(crate) fn run(args: &PointArgs) -> Result<Status, Failure> {
    let mut points = Rows::<DVec3>::open(&args.points)?;
    limit_threads(args.threads);
    let body = one_body::load(&args.body)?;
    let title = Title { verb: "point", a: body.name.clone(), b: None };
    let pose = args.body.pose.unwrap_or_default();
    rows::answer_all(&Points { args, body, pose }, &mut points, args.format, args.threads, title)
}

impl Row for DVec3 {
    const WHAT: &'static str = "a point";
    const MANY: &'static str = "points";
    const NAMES: &'static [&'static str] = &["x", "y", "z"];
    const NEEDED: usize = 3;
    const HELP: &'static str = "write one point a row: x,y,z";

    fn of(numbers: &[f64]) -> Result<DVec3, (usize, String)> {
        let at = |k: usize| coordinate(k, numbers.get(k).copied().unwrap_or(f64::NAN));
        Ok(DVec3::new(at(0)?, at(1)?, at(2)?))
    }
}

/// The question about each point.
struct Points<'a> {
    args: &'a PointArgs,
    body: Body,
    pose: Pose,
}

impl RowQuestion for Points<'_> {
    type Row = DVec3;

    /// Whether the point is in the body or on it, and the row.
    fn answer(&self, index: u64, point: &DVec3) -> Result<(bool, Vec<u8>), Failure> {
        let answer = self.body.model.point_distance(&self.pose, *point).map_err(|problem| self.refused(&problem))?;
        let text = match self.args.format {
            AnswerFormat::Text => self.text(index, &answer).into_bytes(),
            AnswerFormat::Json | AnswerFormat::Jsonl => self.json(index, &answer).map_err(io::Error::from)?,
        };
        Ok((answer.inside || answer.interval.upper == 0.0, text))
    }
}

impl Points<'_> {
    fn refused(&self, problem: &PointError) -> Failure {
        let help = "give a body with a surface, and points within the supported scale";
        Failure::Build { body: self.body.name.clone(), problem: problem.to_string(), help }
    }

    fn json(&self, index: u64, answer: &PointDistance) -> serde_json::Result<Vec<u8>> {
        serde_json::to_vec(&RowJson {
            verb: "point",
            a: &self.body.name,
            semantics: json::semantics(answer.semantics),
            index,
            inside: answer.inside,
            lower: answer.interval.lower,
            upper: answer.interval.upper,
            closest: answer.closest.to_array(),
            feature: answer.feature.into(),
            approximate: Some(self.body.is_approximate()).filter(|is| *is),
            units: self.args.body.units.map(Units::name),
            stats: answer.stats.into(),
        })
    }

    fn text(&self, index: u64, answer: &PointDistance) -> String {
        let length = |x: f64| match self.args.body.units {
            Some(units) => format!("{} {}", text::number(x), units.name()),
            None => text::number(x),
        };
        let apart = text::shortest(&answer.interval).abs();
        let place = match (answer.interval.lower == 0.0 && answer.interval.upper == 0.0, answer.inside) {
            (true, _) => "on the surface".to_owned(),
            (false, true) => format!("inside, {} deep", length(apart)),
            (false, false) => format!("outside, {} away", length(apart)),
        };
        let nearest = format!("nearest {}, {}", text::point(answer.closest), text::feature(&answer.feature));
        let line = format!("row {index}: {place}; {nearest}");
        if index == 0 { format!("a: {}\n{line}", self.body.describe()) } else { line }
    }
}
