//! `impinge contacts A B`: which triangles, parts or shapes touch, and where?

use clap::Args;
use impinge::{
    Contact, ContactPoint, Contacts, Limit, Manifold, ManifoldOptions, Manifolds, Pair, Pose, Semantics, Stats,
};
use serde::Serialize;

use crate::input::body_kind::BodyKind;
use crate::input::engine::Verb;
use crate::input::options::{EXIT_STATUS, PairArgs, parse_length};
use crate::output::json::{self, FeatureJson, IntervalJson};
use crate::output::text;
use crate::question::asker::Question;
use crate::question::context::Context;

const EXAMPLES: &str = "\
Examples:
  impinge contacts a.stl b.stl
  impinge contacts a.stl b.stl --all --format json > pairs.json
  impinge contacts a.stl b.stl --limit 100
  impinge contacts a.stl b.stl --points --format json    segments in which triangles cross
  impinge contacts box:1,1,1 box:2,2,2 --pose-b 0,0,1.5 --format json
  impinge contacts ground.stl box:1,1,1 --pose-b 0,0,0.51 --prediction 0.02 --format json    what a solver needs";

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

    /// Give the points that a solver needs: up to four a contact, also of bodies that are apart by up to D
    #[arg(long, value_name = "D", value_parser = parse_length, allow_hyphen_values = true)]
    prediction: Option<f64>,

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
    features: [FeatureJson; 2],
    id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    segment: Option<[[f64; 3]; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    each: Option<Vec<PointJson>>,
}

/// A point of a manifold.
#[derive(Debug, Serialize)]
pub(crate) struct PointJson {
    on_a: [f64; 3],
    on_b: [f64; 3],
    depth: f64,
    features: [FeatureJson; 2],
    id: String,
}

/// A number of 64 bits, which JSON numbers cannot carry everywhere.
fn id_text(id: u64) -> String {
    format!("{id:016x}")
}

impl From<&ContactPoint> for PointJson {
    fn from(point: &ContactPoint) -> PointJson {
        let [on_a, on_b] = point.points.map(|p| p.to_array());
        let features = point.features.map(FeatureJson::from);
        PointJson { on_a, on_b, depth: point.depth, features, id: id_text(point.id) }
    }
}

impl ContactJson {
    /// `None` for a manifold without points, of which there is none.
    fn of(manifold: &Manifold<'_>) -> Option<ContactJson> {
        let deepest = manifold.points.iter().reduce(|x, y| if y.depth > x.depth { y } else { x })?;
        Some(ContactJson {
            pair: manifold.pair,
            points: manifold.points.iter().map(|point| point.points.map(|p| p.to_array())).collect(),
            normal: manifold.normal.to_array(),
            depth: Some(IntervalJson::from(manifold.depth)),
            features: deepest.features.map(FeatureJson::from),
            id: id_text(deepest.id),
            segment: None,
            kind: Some(manifold.kind.to_string()),
            each: Some(manifold.points.iter().map(PointJson::from).collect()),
        })
    }
}

impl From<Contact> for ContactJson {
    fn from(contact: Contact) -> ContactJson {
        ContactJson {
            pair: contact.pair,
            points: contact.points.iter().map(|pair| pair.map(|p| p.to_array())).collect(),
            normal: contact.normal.to_array(),
            depth: contact.depth.map(IntervalJson::from),
            features: contact.features.map(FeatureJson::from),
            id: id_text(contact.id),
            segment: contact.segment.map(|ends| ends.map(|p| p.to_array())),
            kind: None,
            each: None,
        }
    }
}

/// What touches, and the points of contact, where they are asked for.
pub(crate) struct Found {
    contacts: Contacts,
    manifolds: Option<Manifolds>,
}

impl Question for ContactsArgs {
    const VERB: Verb = Verb::Contacts;
    type Answer = Found;

    fn ask(&self, pair: &mut Pair, pose_a: &Pose, pose_b: &Pose) -> Found {
        let limit = self.limit.map_or(Limit::All, |n| Limit::UpTo(n as usize));
        let contacts = pair.contacts(pose_a, pose_b, limit);
        let manifolds = self.prediction.map(|prediction| {
            let mut found = Manifolds::new();
            pair.manifolds(pose_a, pose_b, &ManifoldOptions { prediction, ..Default::default() }, &mut found);
            found
        });
        Found { contacts, manifolds }
    }

    fn touching(&self, Found { contacts, .. }: &Found) -> bool {
        contacts.touching()
    }

    fn semantics(&self, Found { contacts, .. }: &Found) -> Semantics {
        contacts.semantics
    }

    fn stats(&self, Found { contacts, .. }: &Found) -> Stats {
        contacts.stats
    }

    fn json(&self, Found { contacts: answer, manifolds }: &Found, context: &Context) -> impl Serialize {
        // Two meshes may touch in millions of triangles.
        let places = self.points || context.kinds != [BodyKind::Mesh; 2];
        Json {
            count: answer.pairs.len(),
            pairs: &answer.pairs,
            complete: answer.complete,
            contained: json::contained(answer.contained),
            contacts: match manifolds {
                Some(found) => Some(found.iter().filter_map(|manifold| ContactJson::of(&manifold)).collect()),
                None => places.then(|| answer.iter().map(ContactJson::from).collect()),
            },
        }
    }

    fn line(&self, Found { contacts: answer, .. }: &Found, context: &Context) -> String {
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

    fn details(&self, Found { contacts: answer, manifolds }: &Found, context: &Context) -> Vec<String> {
        if let Some(found) = manifolds {
            return found.iter().flat_map(|manifold| solver_points(&manifold, context)).collect();
        }
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
    match contact.segment {
        Some([p, q]) if p != q => format!("  a {i}, b {j}: from {} to {}", text::point(p), text::point(q)),
        Some([p, _]) => format!("  a {i}, b {j}: at {}", text::point(p)),
        None => format!("  a {i}, b {j}"),
    }
}

/// A manifold: its normal and depth, then a line for each point.
fn solver_points(manifold: &Manifold<'_>, context: &Context) -> Vec<String> {
    let [p, q] = context.pair(manifold.pair);
    let depth = context.length(text::shortest(&manifold.depth));
    let mut lines = vec![format!("  {p}, {q}: depth {depth}, normal {}", text::point(manifold.normal))];
    lines.extend(manifold.points.iter().map(|point| {
        let [on_a, on_b] = point.points.map(text::point);
        format!("    {}  on a: {on_a}, on b: {on_b}, depth {}", id_text(point.id), context.length(point.depth))
    }));
    lines
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
