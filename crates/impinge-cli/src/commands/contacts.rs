//! `impinge contacts A B`: which triangles, parts or shapes touch, and where?

use clap::Args;
use impinge::{Contact, Contacts, Limit, Pair, Pose, Semantics, Stats};
use serde::Serialize;

use crate::input::body_kind::BodyKind;
use crate::input::engine::Verb;
use crate::input::options::{EXIT_STATUS, PairArgs, parse_length};
use crate::output::json::{self, IntervalJson};
use crate::output::text;
use crate::question::asker::Question;
use crate::question::context::Context;

const EXAMPLES: &str = "\
Examples:
  impinge contacts a.stl b.stl
  impinge contacts a.stl b.stl --all --format json > pairs.json
  impinge contacts a.stl b.stl --limit 100
  impinge contacts a.stl b.stl --points --format json    segments in which triangles cross
  impinge contacts box:1,1,1 box:2,2,2 --pose-b 0,0,1.5 --format json";

/// Pairs listed as text unless all are asked for.
const LISTED: usize = 20;

/// Which triangles or parts touch, and where? Every pair, by the indices of the files, sorted
#[derive(Debug, Args)]
#[command(before_help = EXAMPLES, after_help = EXIT_STATUS)]
pub(crate) struct ContactsArgs {
    #[command(flatten)]
    pub(crate) pair: PairArgs,

    /// Find every pair (default) and, as text, list every one
    #[arg(long, conflicts_with = "limit")]
    all: bool,

    /// Stop after N pairs
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,

    /// In JSON, give the points, normal and depth of contacts of triangles too
    #[arg(long)]
    points: bool,

    /// Count what comes this near as touching
    #[arg(long, value_name = "E", value_parser = parse_length, allow_hyphen_values = true)]
    envelope: Option<f64>,
}

#[derive(Debug, Serialize)]
struct Json<'a> {
    count: usize,
    pairs: &'a [[u32; 2]],
    complete: bool,
    contained: Option<&'static str>,
    contacts: Option<Vec<ContactJson>>,
}

#[derive(Debug, Serialize)]
pub(crate) struct ContactJson {
    pair: [u32; 2],
    points: Vec<[[f64; 3]; 2]>,
    normal: [f64; 3],
    depth: Option<IntervalJson>,
}

impl From<Contact> for ContactJson {
    fn from(contact: Contact) -> ContactJson {
        ContactJson {
            pair: contact.pair,
            points: contact.points.iter().map(|pair| pair.map(|p| p.to_array())).collect(),
            normal: contact.normal.to_array(),
            depth: contact.depth.map(IntervalJson::from),
        }
    }
}

impl Question for ContactsArgs {
    const VERB: Verb = Verb::Contacts;
    type Answer = Contacts;

    fn ask(&self, pair: &mut Pair, pose_a: &Pose, pose_b: &Pose) -> Contacts {
        let limit = self.limit.map_or(Limit::All, |n| Limit::UpTo(n as usize));
        pair.contacts(pose_a, pose_b, limit)
    }

    fn touching(&self, answer: &Contacts) -> bool {
        answer.touching()
    }

    fn semantics(&self, answer: &Contacts) -> Semantics {
        answer.semantics
    }

    fn stats(&self, answer: &Contacts) -> Stats {
        answer.stats
    }

    fn json(&self, answer: &Contacts, context: &Context) -> impl Serialize {
        // Two meshes may touch in millions of triangles.
        let places = self.points || context.kinds != [BodyKind::Mesh; 2];
        Json {
            count: answer.pairs.len(),
            pairs: &answer.pairs,
            complete: answer.complete,
            contained: json::contained(answer.contained),
            contacts: places.then(|| answer.iter().map(ContactJson::from).collect()),
        }
    }

    fn line(&self, answer: &Contacts, context: &Context) -> String {
        let what = match context.primitives() {
            [Some("triangle"), Some("triangle")] => " of triangles",
            [Some("part"), Some("part")] => " of parts",
            _ => "",
        };
        let count = text::plural(answer.pairs.len() as u64, &format!("pair{what}"), &format!("pairs{what}"));
        match (answer.contained, answer.touching()) {
            (Some(which), _) if answer.pairs.is_empty() => format!("touching: {}", context.contained(which)),
            (_, false) => "clear".to_owned(),
            _ if context.primitives() == [None, None] => "touching".to_owned(),
            _ if answer.complete => format!("touching: {count}"),
            _ => format!("touching: at least {count}, {}", text::stopped(self.limit)),
        }
    }

    fn details(&self, answer: &Contacts, context: &Context) -> Vec<String> {
        let listed = if self.all { usize::MAX } else { LISTED };
        let shown = answer.iter().take(listed);
        let mut lines: Vec<String> = match context.kinds == [BodyKind::Mesh; 2] {
            true => shown.map(|contact| segment(&contact)).collect(),
            false => shown.flat_map(|contact| manifold(&contact, context)).collect(),
        };
        if answer.pairs.len() > listed {
            lines.push(format!("  ... and {} more; --all lists them", answer.pairs.len() - listed));
        }
        lines
    }

    fn envelope(&self) -> Option<f64> {
        self.envelope
    }
}

/// Two triangles and the ends of what they share.
fn segment(contact: &Contact) -> String {
    let [i, j] = contact.pair;
    let ends = [contact.points.first(), contact.points.last()];
    match ends.map(|end| end.map(|[on_a, _]| *on_a)) {
        [Some(p), Some(q)] if p != q => format!("  a {i}, b {j}: from {} to {}", text::point(p), text::point(q)),
        [Some(p), _] => format!("  a {i}, b {j}: at {}", text::point(p)),
        _ => format!("  a {i}, b {j}"),
    }
}

/// Who touches, how deep and which way, then a line for each pair of points.
fn manifold(contact: &Contact, context: &Context) -> Vec<String> {
    let [p, q] = context.pair(contact.pair);
    let depth =
        contact.depth.map_or(String::new(), |depth| format!("depth {}, ", context.length(text::shortest(&depth))));
    let mut lines = vec![format!("  {p}, {q}: {depth}normal {}", text::point(contact.normal))];
    lines.extend(contact.points.iter().map(|[on_a, on_b]| match on_a == on_b {
        true => format!("    at {}", text::point(*on_a)),
        false => format!("    on a: {}, on b: {}", text::point(*on_a), text::point(*on_b)),
    }));
    lines
}
