//! Rank 6: two models, what is remembered of their last query, and the verbs.

use glam::DVec3;

use crate::answer::{Contact, Containment, Distance, Feature, Overlap, Semantics, Stats, Touch, Within, Witness};
use crate::math::{Interval, Pose};
use crate::model::{Mesh, Model};
use crate::narrow::{Closest, Found, Memory, Method, Placed, Query};
use crate::prim::{Part, common_segment};

/// How many contacts are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Limit {
    /// One, whichever is found first.
    First,
    /// At most so many.
    UpTo(usize),
    /// Every one, up to 2²⁶ of them.
    All,
}

/// Most contacts a list may have: half a gigabyte of them.
const MOST_CONTACTS: usize = 1 << 26;

/// Two models and what is remembered of their last query.
///
/// Memory makes a query that resembles the last one faster; answers are the same with and without.
///
/// ```
/// use impinge::{glam::DVec3, Mesh, Pair, Pose};
/// let square = |z: f64| {
///     let v = [[0., 0., z], [1., 0., z], [1., 1., z], [0., 1., z]].map(DVec3::from_array);
///     Mesh::new(v.to_vec(), vec![[0, 1, 2], [0, 2, 3]])
/// };
/// let mut pair = Pair::new(square(0.0)?, square(1.0)?);
/// for step in 0..10 {
///     let lowered = Pose::at(DVec3::new(0.0, 0.0, -0.1 * f64::from(step)))?;
///     let distance = pair.distance(&Pose::IDENTITY, &lowered);
///     assert!(distance.interval.contains(1.0 - 0.1 * f64::from(step)));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Pair {
    a: Model,
    b: Model,
    method: Method,
    memory: Memory,
}

impl Pair {
    /// A pair that remembers nothing yet.
    pub fn new(a: impl Into<Model>, b: impl Into<Model>) -> Pair {
        Pair { a: a.into(), b: b.into(), method: Method::Auto, memory: Memory::default() }
    }

    /// The same pair, answered by another engine.
    pub fn with_method(self, method: Method) -> Pair {
        Pair { method, ..self }
    }

    /// Forgets the last query.
    pub fn forget(&mut self) {
        self.memory.forget();
    }

    /// Do they touch?
    pub fn overlap(&mut self, pose_a: &Pose, pose_b: &Pose) -> Overlap {
        let query = Query::new(&self.a, &self.b, pose_a, pose_b, self.method);
        let mut stats = Stats::default();
        let pairs = query.touching(1, &mut self.memory, &mut stats);
        let witness = match (pairs.first(), query.placed()) {
            (Some(&places), Some(placed)) => Some(Touch::Surfaces(contact(placed, pose_a, places))),
            _ => query.containment(&mut stats).map(Touch::Contained),
        };
        Overlap { overlap: witness.is_some(), witness, semantics: query.semantics(), stats }
    }

    /// Which triangles touch?
    pub fn contacts(&mut self, pose_a: &Pose, pose_b: &Pose, limit: Limit) -> Contacts {
        let query = Query::new(&self.a, &self.b, pose_a, pose_b, self.method);
        let mut stats = Stats::default();
        let limit = match limit {
            Limit::First => 1,
            Limit::UpTo(n) => n.min(MOST_CONTACTS),
            Limit::All => MOST_CONTACTS,
        };
        let places = query.touching(limit, &mut self.memory, &mut stats);
        let mut pairs = Vec::with_capacity(places.len());
        for [i, j] in places {
            let rest = limit - pairs.len();
            pairs.extend(copies(query.a, i).flat_map(|a| copies(query.b, j).map(move |b| [a, b])).take(rest));
        }
        let complete = pairs.len() < limit;
        let contained = if pairs.is_empty() && complete { query.containment(&mut stats) } else { None };
        pairs.sort_unstable();
        let semantics = query.semantics();
        let (a, b) = (self.a.clone(), self.b.clone());
        Contacts { pairs, contained, complete, semantics, stats, a, b, poses: [*pose_a, *pose_b] }
    }

    /// How far apart?
    pub fn distance(&mut self, pose_a: &Pose, pose_b: &Pose) -> Distance {
        let query = Query::new(&self.a, &self.b, pose_a, pose_b, self.method);
        let mut stats = Stats::default();
        let closest = query.closest(None, &mut self.memory, &mut stats);
        let (interval, witness, contained) = match (closest, query.placed()) {
            (Closest::Overlap(places), Some(placed)) => {
                (Interval::ZERO, Some(touch_witness(placed, pose_a, places)), None)
            }
            (Closest::Contained(containment), _) => (Interval::ZERO, None, Some(containment)),
            (Closest::Apart(found), Some(placed)) => {
                let interval = placed.interval(found.lower.min(found.upper()), found.upper());
                (interval, Some(witness(placed, pose_a, &found)), None)
            }
            _ => (Interval::INFINITE, None, None),
        };
        let penetrating = interval.upper == 0.0;
        Distance { interval, witness, contained, penetrating, semantics: query.semantics(), stats }
    }

    /// Closer than `tolerance`? A tolerance that is negative or NaN counts as 0.
    pub fn within(&mut self, pose_a: &Pose, pose_b: &Pose, tolerance: f64) -> Within {
        let query = Query::new(&self.a, &self.b, pose_a, pose_b, self.method);
        let mut stats = Stats::default();
        let tolerance = tolerance.max(0.0);
        let closest = if tolerance > 0.0 {
            query.closest(Some(tolerance), &mut self.memory, &mut stats)
        } else {
            query.touch(&mut self.memory, &mut stats)
        };
        let (within, witness, contained) = match (closest, query.placed()) {
            (Closest::Overlap(places), Some(placed)) => (true, Some(touch_witness(placed, pose_a, places)), None),
            (Closest::Contained(containment), _) => (true, None, Some(containment)),
            (Closest::Apart(found), Some(placed)) => {
                let interval = placed.interval(found.lower.min(found.upper()), found.upper());
                let within = interval.lower <= tolerance;
                (within, within.then(|| self::witness(placed, pose_a, &found)), None)
            }
            _ => (false, None, None),
        };
        Within { within, tolerance, witness, contained, semantics: query.semantics(), stats }
    }
}

/// Answer to `contacts`.
#[derive(Debug, Clone)]
pub struct Contacts {
    /// Pairs of touching triangles, of `a` and of `b`, by their indices as given, in ascending order.
    pub pairs: Vec<[u32; 2]>,
    /// Set when no triangles touch and one body lies inside the other.
    pub contained: Option<Containment>,
    /// Whether these are certainly all: false when the limit was reached.
    pub complete: bool,
    /// Whether an inside counted.
    pub semantics: Semantics,
    /// The work done.
    pub stats: Stats,
    a: Model,
    b: Model,
    poses: [Pose; 2],
}

impl Contacts {
    /// Whether the bodies overlap.
    pub fn touching(&self) -> bool {
        !self.pairs.is_empty() || self.contained.is_some()
    }

    /// The contacts with their points and normals, computed as they are asked for.
    pub fn iter(&self) -> impl Iterator<Item = Contact> + '_ {
        let query = Query::new(&self.a, &self.b, &self.poses[0], &self.poses[1], Method::Auto);
        self.pairs.iter().filter_map(move |&[i, j]| {
            let places = [query.a.place(i)?, query.b.place(j)?];
            let mut contact = contact(query.placed()?, &self.poses[0], places);
            if query.a.copies(places[0]).iter().any(|c| c.id == i && c.is_flipped()) {
                contact.normal = -contact.normal;
            }
            contact.pair = [i, j];
            Some(contact)
        })
    }
}

/// Indices, as given, of all triangles at a place in leaf order.
fn copies(mesh: &Mesh, place: u32) -> impl Iterator<Item = u32> + Clone + '_ {
    std::iter::once(mesh.id(place)).chain(mesh.copies(place).iter().map(|c| c.id))
}

/// A point of `a`'s frame, scaled, in the world.
fn world(placed: &Placed<'_>, pose_a: &Pose, x: DVec3) -> DVec3 {
    pose_a.apply(x * placed.scale.recip())
}

fn contact(placed: &Placed<'_>, pose_a: &Pose, places: [u32; 2]) -> Contact {
    let (a, b) = (placed.a_triangle(places[0]), placed.b_triangle(places[1]));
    let normal = |t: &[DVec3; 3]| (t[1] - t[0]).cross(t[2] - t[0]).normalize_or_zero();
    let from_a = normal(&a);
    let normal = if from_a == DVec3::ZERO { -normal(&b) } else { from_a };
    Contact {
        pair: [placed.a.id(places[0]), placed.b.id(places[1])],
        points: common_segment(&a, &b).map(|x| [world(placed, pose_a, x); 2]).into_iter().collect(),
        normal: pose_a.rotate(normal),
        depth: None,
    }
}

fn witness(placed: &Placed<'_>, pose_a: &Pose, found: &Found) -> Witness {
    Witness {
        points: found.near.points().map(|x| world(placed, pose_a, x)),
        features: [
            feature(placed.a, found.places[0], found.near.parts[0]),
            feature(placed.b, found.places[1], found.near.parts[1]),
        ],
    }
}

/// A common point of two overlapping triangles.
fn touch_witness(placed: &Placed<'_>, pose_a: &Pose, places: [u32; 2]) -> Witness {
    let contact = contact(placed, pose_a, places);
    let features = contact.pair.map(|triangle| Feature::Face { triangle });
    Witness { points: contact.points[0], features }
}

fn feature(mesh: &Mesh, place: u32, part: Part) -> Feature {
    let (triangle, corners) = (mesh.id(place), mesh.corner_ids(place));
    let corner = |i: u8| corners[usize::from(i) % 3];
    match part {
        Part::Vertex(i) => Feature::Vertex { triangle, vertex: corner(i) },
        Part::Edge(i) => Feature::Edge { triangle, vertices: [corner(i), corner(i + 1)] },
        Part::Face => Feature::Face { triangle },
    }
}

/// Do `a` and `b` touch? Without memory; see [`Pair::overlap`].
pub fn overlap(a: &Model, pose_a: &Pose, b: &Model, pose_b: &Pose) -> Overlap {
    Pair::new(a, b).overlap(pose_a, pose_b)
}

/// Which triangles of `a` and `b` touch? Without memory; see [`Pair::contacts`].
pub fn contacts(a: &Model, pose_a: &Pose, b: &Model, pose_b: &Pose, limit: Limit) -> Contacts {
    Pair::new(a, b).contacts(pose_a, pose_b, limit)
}

/// How far are `a` and `b` apart? Without memory; see [`Pair::distance`].
pub fn distance(a: &Model, pose_a: &Pose, b: &Model, pose_b: &Pose) -> Distance {
    Pair::new(a, b).distance(pose_a, pose_b)
}

/// Are `a` and `b` closer than `tolerance`? Without memory; see [`Pair::within`].
pub fn within(a: &Model, pose_a: &Pose, b: &Model, pose_b: &Pose, tolerance: f64) -> Within {
    Pair::new(a, b).within(pose_a, pose_b, tolerance)
}
