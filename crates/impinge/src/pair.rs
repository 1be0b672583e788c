//! Two models, what is remembered of their last query, and the verbs.

mod at_time;
mod cast;
mod manifolds;
mod many;
mod moving;
mod next_contact;

use crate::answer::{
    Contact, Containment, DepthKind, Distance, Feature, Overlap, Penetration, Semantics, Stats, Touch, Within, Witness,
};
use crate::manifolds::any_bodies::refine::Refinement;
use crate::manifolds::memory::ManifoldMemory;
use crate::math::{Interval, Pose, Relative};
use crate::model::Model;
use crate::narrow::context::Context;
use crate::narrow::grid::dispatch::Query;
use crate::narrow::grid::grid_contacts::Touching;
use crate::narrow::grid::memory::Memory;
use crate::narrow::outcome::Outcome;
use crate::narrow::proximity::{CommonPoint, WitnessedGap};
use crate::narrow::{Limit, Method, Pairs, Precision};
use crate::time::impact_query::ImpactMemory;

/// Two models and what is remembered of their last query.
///
/// What is remembered makes a query that resembles the last one faster. It never changes whether bodies touch or are as
/// near as a tolerance; which of several closest points are shown, and the last bits of an interval, it may.
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
#[derive(Clone)]
pub struct Pair {
    a: Model,
    b: Model,
    method: Method,
    envelope: f64,
    memory: Memory,
    contacts: ManifoldMemory,
    /// Made by the first question about bodies that move.
    moving: Option<Box<ImpactMemory>>,
}

impl Pair {
    /// A pair that remembers nothing yet.
    ///
    /// ```
    /// use impinge::{Mesh, Pair, Pose, Round};
    /// // Bodies of any two kinds.
    /// let mut pair = Pair::new(Mesh::empty(), Round::sphere(1.0)?);
    /// assert!(!pair.overlap(&Pose::IDENTITY, &Pose::IDENTITY).overlap, "nothing touches a body without points");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(a: impl Into<Model>, b: impl Into<Model>) -> Pair {
        Pair {
            a: a.into(),
            b: b.into(),
            method: Method::Auto,
            envelope: 0.0,
            memory: Memory::default(),
            contacts: ManifoldMemory::default(),
            moving: None,
        }
    }

    /// The same pair, answered by another engine.
    ///
    /// ```
    /// use impinge::{Method, Pair, Pose, Round, glam::DVec3};
    /// let cube = Round::cuboid(DVec3::splat(2.0))?;
    /// for method in ["gjk", "v-clip", "lin-canny", "brute"] {
    ///     let mut pair = Pair::new(cube.clone(), cube.clone()).with_method(method.parse::<Method>()?);
    ///     assert!(pair.distance(&Pose::IDENTITY, &Pose::at(DVec3::X * 5.0)?).interval.contains(3.0));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_method(self, method: Method) -> Pair {
        Pair { method, ..self }
    }

    /// The same pair with a *collision envelope*: [`Pair::overlap`] and [`Pair::contacts`] count bodies that come this
    /// near as touching. An envelope that is negative or NaN counts as 0.
    ///
    /// ```
    /// use impinge::{Pair, Pose, Round, glam::DVec3};
    /// let ball = Round::sphere(1.0)?;
    /// let mut pair = Pair::new(ball.clone(), ball).with_envelope(0.5);
    /// assert!(pair.overlap(&Pose::IDENTITY, &Pose::at(DVec3::X * 2.25)?).overlap);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_envelope(self, envelope: f64) -> Pair {
        Pair { envelope: envelope.max(0.0), ..self }
    }

    /// The first body.
    ///
    /// ```
    /// use impinge::{Convex, Method, Pair, Round, glam::DVec3};
    /// let pair = Pair::new(Round::sphere(1.0)?, Convex::hull(&[DVec3::ZERO])?).with_envelope(0.5);
    /// assert_eq!((pair.a().kind(), pair.b().kind()), ("round", "convex"));
    /// assert_eq!((pair.method(), pair.envelope()), (Method::Auto, 0.5));
    /// # Ok::<(), impinge::BuildError>(())
    /// ```
    pub fn a(&self) -> &Model {
        &self.a
    }

    /// The second body.
    pub fn b(&self) -> &Model {
        &self.b
    }

    /// The engine that answers; see [`Pair::with_method`].
    pub fn method(&self) -> Method {
        self.method
    }

    /// How near counts as touching; see [`Pair::with_envelope`].
    pub fn envelope(&self) -> f64 {
        self.envelope
    }

    /// Forgets the last query.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Pair, Pose, Round};
    /// let mut pair = Pair::new(Round::sphere(1.0)?, Round::cuboid(DVec3::ONE)?);
    /// let aside = Pose::at(DVec3::new(3.0, 0.5, 0.25))?;
    /// let first = pair.distance(&Pose::IDENTITY, &aside);
    /// pair.forget();
    /// assert_eq!(pair.distance(&Pose::IDENTITY, &aside), first, "to the last bit: it starts as it did at first");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn forget(&mut self) {
        self.memory.forget();
        self.contacts = ManifoldMemory::default();
    }

    /// Puts another body in the place of `a`, and gives the old one back.
    ///
    /// A pair keeps the bodies that it was made with: one that was [deformed](crate::Mesh::deform) elsewhere is another
    /// body. Where its tree was only refitted, what is remembered of its triangles serves on; else it is forgotten.
    ///
    /// To deform without copying, keep two bodies and deform them by turns: the one that comes back is the next.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use impinge::{glam::DVec3, Mesh, Model, Pair, Pose};
    /// let corners = |z: f64| [[0., 0., z], [1., 0., z], [0., 1., z]].map(DVec3::from_array).to_vec();
    /// let floor = Mesh::new(corners(0.0), vec![[0, 1, 2]])?;
    /// let mut spare = Arc::new(floor.clone());
    /// let mut pair = Pair::new(floor.clone(), floor);
    /// for step in 1..5 {
    ///     let z = 0.25 * f64::from(step);
    ///     Arc::make_mut(&mut spare).deform(&corners(z))?;
    ///     let Model::Mesh(old) = pair.replace_b(spare) else { unreachable!() };
    ///     spare = old;
    ///     assert!(pair.distance(&Pose::IDENTITY, &Pose::IDENTITY).interval.contains(z));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn replace_a(&mut self, a: impl Into<Model>) -> Model {
        let old = std::mem::replace(&mut self.a, a.into());
        self.memory.replaced(&old, &self.a);
        self.contacts = ManifoldMemory::default();
        old
    }

    /// Puts another body in the place of `b`; see [`Pair::replace_a`].
    ///
    /// ```
    /// use impinge::{glam::DVec3, Pair, Pose, Round};
    /// let mut pair = Pair::new(Round::sphere(1.0)?, Round::sphere(1.0)?);
    /// pair.replace_b(Round::sphere(2.0)?);
    /// assert!(pair.distance(&Pose::IDENTITY, &Pose::at(DVec3::X * 5.0)?).interval.contains(2.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn replace_b(&mut self, b: impl Into<Model>) -> Model {
        let old = std::mem::replace(&mut self.b, b.into());
        self.memory.replaced(&old, &self.b);
        self.contacts = ManifoldMemory::default();
        old
    }

    /// Do they touch?
    ///
    /// ```
    /// use impinge::{glam::DVec3, Mesh, Pair, Pose};
    /// let corners = [[0., 0., 0.], [4., 0., 0.], [0., 4., 0.], [0., 0., 4.]].map(DVec3::from_array);
    /// let body = Mesh::new(corners.to_vec(), vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
    /// let mut pair = Pair::new(body.clone(), body);
    /// assert!(pair.overlap(&Pose::IDENTITY, &Pose::at(DVec3::X * 4.0)?).overlap, "a corner touches a corner");
    /// assert!(!pair.overlap(&Pose::IDENTITY, &Pose::at(DVec3::X * 4.5)?).overlap);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn overlap(&mut self, pose_a: &Pose, pose_b: &Pose) -> Overlap {
        let query = query(&self.a, &self.b, pose_a, pose_b, self.method);
        overlap_of(&query, pose_a, self.envelope, &mut self.memory)
    }

    /// Which triangles, pieces or convex bodies touch?
    ///
    /// ```
    /// use impinge::{glam::DVec3, Limit, Mesh, Pair, Pose};
    /// let corners = [[0., 0., 0.], [4., 0., 0.], [0., 4., 0.], [0., 0., 4.]].map(DVec3::from_array);
    /// let body = Mesh::new(corners.to_vec(), vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
    /// let mut pair = Pair::new(body.clone(), body);
    /// let contacts = pair.contacts(&Pose::IDENTITY, &Pose::at(DVec3::new(4.0, 0.0, 0.0))?, Limit::All);
    /// assert!(contacts.touching() && contacts.complete);
    /// assert!(contacts.iter().all(|contact| contact.points[0][0] == DVec3::X * 4.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn contacts(&mut self, pose_a: &Pose, pose_b: &Pose, limit: Limit) -> Contacts {
        let mut stats = Stats::default();
        let limit = limit.most();
        let query = query(&self.a, &self.b, pose_a, pose_b, self.method);
        let Touching { mut pairs, contained } =
            query.touching(limit, self.envelope, Context::new(&mut self.memory, &mut stats));
        pairs.sort_unstable();
        let complete = pairs.len() < limit;
        let (a, b) = (self.a.clone(), self.b.clone());
        let semantics = query.semantics();
        let poses = [*pose_a, *pose_b];
        Contacts { pairs, contained, complete, semantics, stats, a, b, poses, envelope: self.envelope }
    }

    /// How far apart?
    ///
    /// ```
    /// use impinge::{glam::DVec3, Mesh, Pair, Pose};
    /// let corners = [[0., 0., 0.], [4., 0., 0.], [0., 4., 0.], [0., 0., 4.]].map(DVec3::from_array);
    /// let body = Mesh::new(corners.to_vec(), vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
    /// let mut pair = Pair::new(body.clone(), body);
    /// let apart = pair.distance(&Pose::IDENTITY, &Pose::at(DVec3::X * 6.0)?);
    /// assert!(apart.interval.contains(2.0));
    /// assert_eq!(apart.witness.map(|near| near.points), Some([DVec3::X * 4.0, DVec3::X * 6.0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn distance(&mut self, pose_a: &Pose, pose_b: &Pose) -> Distance {
        let query = query(&self.a, &self.b, pose_a, pose_b, self.method);
        distance_of(&query, pose_a, Precision::EXACT, &mut self.memory)
    }

    /// How far apart, as exactly as asked? Of two meshes, what is nearer by less than the margins is not looked for.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Mesh, Pair, Pose, Precision};
    /// let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]].map(DVec3::from_array);
    /// let body = Mesh::new(corners.to_vec(), vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
    /// let mut pair = Pair::new(body.clone(), body);
    /// let rough = Precision { relative: 0.1, absolute: 0.0 };
    /// let far = pair.distance_to(&Pose::IDENTITY, &Pose::at(DVec3::X * 3.0)?, rough);
    /// assert!(far.interval.contains(2.0) && far.interval.upper <= 1.1 * far.interval.lower + 1e-9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn distance_to(&mut self, pose_a: &Pose, pose_b: &Pose, precision: Precision) -> Distance {
        let query = query(&self.a, &self.b, pose_a, pose_b, self.method);
        distance_of(&query, pose_a, precision, &mut self.memory)
    }

    /// Closer than `tolerance`? A tolerance that is negative or NaN counts as 0.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Mesh, Pair, Pose};
    /// let corners = [[0., 0., 0.], [4., 0., 0.], [0., 4., 0.], [0., 0., 4.]].map(DVec3::from_array);
    /// let body = Mesh::new(corners.to_vec(), vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
    /// let mut pair = Pair::new(body.clone(), body);
    /// let aside = Pose::at(DVec3::X * 6.0)?;
    /// assert!(pair.within(&Pose::IDENTITY, &aside, 2.125).within);
    /// assert!(!pair.within(&Pose::IDENTITY, &aside, 1.875).within);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn within(&mut self, pose_a: &Pose, pose_b: &Pose, tolerance: f64) -> Within {
        let query = query(&self.a, &self.b, pose_a, pose_b, self.method);
        within_of(&query, pose_a, tolerance, &mut self.memory)
    }

    /// How deep are they in each other: the smallest translation that separates them?
    ///
    /// ```
    /// use impinge::{glam::DVec3, DepthKind, Pair, Pose, Round};
    /// let cube = Round::cuboid(DVec3::splat(2.0))?;
    /// let mut pair = Pair::new(cube.clone(), cube);
    /// let deep = pair.penetration(&Pose::IDENTITY, &Pose::at(DVec3::new(0.0, 0.0, 1.75))?);
    /// assert!(deep.interval.contains(0.25) && deep.kind == DepthKind::Exact);
    /// assert_eq!(deep.direction, Some(DVec3::Z));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn penetration(&mut self, pose_a: &Pose, pose_b: &Pose) -> Penetration {
        let query = query(&self.a, &self.b, pose_a, pose_b, self.method);
        penetration_of(&query, pose_a, &mut self.memory)
    }
}

/// Its bodies and options; not what it remembers.
impl std::fmt::Debug for Pair {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut shown = f.debug_struct("Pair");
        shown.field("a", &self.a).field("b", &self.b).field("method", &self.method).field("envelope", &self.envelope);
        shown.finish_non_exhaustive()
    }
}

#[inline(always)]
fn query<'q>(a: &'q Model, b: &'q Model, pose_a: &Pose, pose_b: &Pose, method: Method) -> Query<'q> {
    Query { a, b, b_in_a: Relative::new(pose_a, pose_b), method }
}

fn overlap_of(query: &Query<'_>, pose_a: &Pose, envelope: f64, memory: &mut Memory) -> Overlap {
    let mut stats = Stats::default();
    let witness = match query.nearest(envelope, Context::new(memory, &mut stats)) {
        Outcome::Beyond => None,
        Outcome::Touching(CommonPoint::OfTriangles(contact, _)) => {
            Some(Touch::Surfaces(placed_contact(pose_a, contact)))
        }
        Outcome::Contained(containment) => Some(Touch::Contained(containment)),
        Outcome::Touching(CommonPoint::OfBodies(witness)) => Some(Touch::Common(pose_a.apply(witness.points[0]))),
        // Whether bodies touch is decided exactly.
        Outcome::Apart(WitnessedGap { interval, witness }) => (interval.lower <= envelope && envelope > 0.0)
            .then(|| Touch::Common(pose_a.apply(witness.points[0].midpoint(witness.points[1])))),
    };
    Overlap { overlap: witness.is_some(), witness, semantics: query.semantics(), stats }
}

#[inline(always)]
fn distance_of(query: &Query<'_>, pose_a: &Pose, precision: Precision, memory: &mut Memory) -> Distance {
    let mut stats = Stats::default();
    if let Some((interval, witness)) = query.tracked(Context::new(memory, &mut stats)) {
        let (witness, semantics) = (Some(placed_witness(pose_a, witness)), Semantics::Solid);
        return Distance { interval, witness, contained: None, penetrating: false, semantics, stats };
    }
    let (interval, witness, contained) = match query.nearest_to(precision, Context::new(memory, &mut stats)) {
        Outcome::Beyond => (Interval::INFINITE, None, None),
        Outcome::Apart(WitnessedGap { interval, witness }) => (interval, Some(placed_witness(pose_a, witness)), None),
        Outcome::Touching(CommonPoint::OfTriangles(contact, features)) => {
            (Interval::ZERO, Some(touch_witness(pose_a, &contact, features)), None)
        }
        Outcome::Contained(containment) => (Interval::ZERO, None, Some(containment)),
        Outcome::Touching(CommonPoint::OfBodies(witness)) => {
            (Interval::ZERO, Some(placed_witness(pose_a, witness)), None)
        }
    };
    let penetrating = interval.upper == 0.0;
    Distance { interval, witness, contained, penetrating, semantics: query.semantics(), stats }
}

fn within_of(query: &Query<'_>, pose_a: &Pose, tolerance: f64, memory: &mut Memory) -> Within {
    let mut stats = Stats::default();
    let tolerance = tolerance.max(0.0);
    let (within, witness, contained) = match query.nearest(tolerance, Context::new(memory, &mut stats)) {
        Outcome::Beyond => (false, None, None),
        Outcome::Touching(CommonPoint::OfTriangles(contact, features)) => {
            (true, Some(touch_witness(pose_a, &contact, features)), None)
        }
        Outcome::Contained(containment) => (true, None, Some(containment)),
        Outcome::Touching(CommonPoint::OfBodies(witness)) => (true, Some(placed_witness(pose_a, witness)), None),
        Outcome::Apart(WitnessedGap { interval, witness }) => {
            // Whether bodies touch is decided exactly.
            let within = interval.lower <= tolerance && tolerance > 0.0;
            (within, within.then(|| placed_witness(pose_a, witness)), None)
        }
    };
    Within { within, tolerance, witness, contained, semantics: query.semantics(), stats }
}

fn penetration_of(query: &Query<'_>, pose_a: &Pose, memory: &mut Memory) -> Penetration {
    let mut stats = Stats::default();
    let semantics = query.semantics();
    let Some(deep) = query.deepest(Context::new(memory, &mut stats)) else {
        let (interval, kind) = (Interval::ZERO, DepthKind::Exact);
        return Penetration { interval, direction: None, witness: None, kind, semantics, stats };
    };
    Penetration {
        interval: deep.interval,
        direction: Some(pose_a.rotate(deep.normal)),
        witness: deep.witness.map(|w| placed_witness(pose_a, w)),
        kind: deep.kind,
        semantics,
        stats,
    }
}

/// Answer to `contacts`.
///
/// ```
/// use impinge::{glam::DVec3, Limit, Pair, Parts, Pose, Round};
/// let posts = [0.0, 2.0, 4.0].map(|x| [DVec3::X * x, DVec3::X * x + DVec3::Z]);
/// let posts = Parts::from_hulls(posts.iter().map(|post| &post[..]))?;
/// let mut pair = Pair::new(Round::sphere(1.5)?, posts);
/// let contacts = pair.contacts(&Pose::at(DVec3::X)?, &Pose::IDENTITY, Limit::All);
/// assert!(contacts.pairs.iter().eq(&[[0, 0], [0, 1]]) && contacts.complete, "the ball, and the posts 0 and 1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Contacts {
    /// Pairs of touching triangles or pieces, of `a` and of `b`, by their indices as given, in ascending order; a
    /// single convex body has the index 0.
    pub pairs: Pairs,
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
    envelope: f64,
}

impl Contacts {
    /// Whether the bodies overlap.
    pub fn touching(&self) -> bool {
        !self.pairs.is_empty() || self.contained.is_some()
    }

    /// The contacts with their points and normals, computed as they are asked for.
    pub fn iter(&self) -> impl Iterator<Item = Contact> + '_ {
        let [pose_a, pose_b] = &self.poses;
        let query = query(&self.a, &self.b, pose_a, pose_b, Method::Auto);
        let refinement = Refinement::new(query, &self.pairs, self.envelope);
        let contact = move |pair| Some(refinement.refined(query.contact(pair, self.envelope)?));
        self.pairs.iter().filter_map(move |&pair| Some(placed_contact(pose_a, contact(pair)?)))
    }

    /// The contacts of triangles as `overlap` tells them: with the normal of `a`'s triangle, and without a depth.
    pub(crate) fn plain(&self) -> impl Iterator<Item = Contact> + '_ {
        let [pose_a, pose_b] = &self.poses;
        let query = query(&self.a, &self.b, pose_a, pose_b, Method::Auto);
        let contact = move |pair| query.contact(pair, self.envelope);
        self.pairs.iter().filter_map(move |&pair| Some(placed_contact(pose_a, contact(pair)?)))
    }
}

fn placed_contact(pose_a: &Pose, contact: Contact) -> Contact {
    Contact {
        points: contact.points.iter().map(|pair| pair.map(|x| pose_a.apply(x))).collect(),
        normal: pose_a.rotate(contact.normal),
        segment: contact.segment.map(|ends| ends.map(|x| pose_a.apply(x))),
        ..contact
    }
}

#[inline(always)]
fn placed_witness(pose_a: &Pose, witness: Witness) -> Witness {
    witness.placed(pose_a)
}

/// A common point of two overlapping triangles.
fn touch_witness(pose_a: &Pose, contact: &Contact, features: [Feature; 2]) -> Witness {
    Witness { points: contact.points[0].map(|x| pose_a.apply(x)), features }
}

/// Do `a` and `b` touch? Without memory; see [`Pair::overlap`].
///
/// ```
/// use impinge::{glam::DVec3, Model, Pose, Round};
/// let ball = Model::from(Round::sphere(1.0)?);
/// let aside = Pose::at(DVec3::X * 2.0)?;
/// assert!(impinge::overlap(&ball, &Pose::IDENTITY, &ball, &aside).overlap);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn overlap(a: &Model, pose_a: &Pose, b: &Model, pose_b: &Pose) -> Overlap {
    overlap_of(&query(a, b, pose_a, pose_b, Method::Auto), pose_a, 0.0, &mut Memory::default())
}

/// Which triangles of `a` and `b` touch? Without memory; see [`Pair::contacts`].
///
/// ```
/// use impinge::{glam::DVec3, Limit, Model, Pose, Round};
/// let ball = Model::from(Round::sphere(1.0)?);
/// let aside = Pose::at(DVec3::X * 2.0)?;
/// assert!(impinge::contacts(&ball, &Pose::IDENTITY, &ball, &aside, Limit::All).touching());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn contacts(a: &Model, pose_a: &Pose, b: &Model, pose_b: &Pose, limit: Limit) -> Contacts {
    Pair::new(a, b).contacts(pose_a, pose_b, limit)
}

/// How far are `a` and `b` apart? Without memory; see [`Pair::distance`].
///
/// ```
/// use impinge::{glam::DVec3, Model, Pose, Round};
/// let ball = Model::from(Round::sphere(1.0)?);
/// let aside = Pose::at(DVec3::X * 5.0)?;
/// assert!(impinge::distance(&ball, &Pose::IDENTITY, &ball, &aside).interval.contains(3.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn distance(a: &Model, pose_a: &Pose, b: &Model, pose_b: &Pose) -> Distance {
    distance_of(&query(a, b, pose_a, pose_b, Method::Auto), pose_a, Precision::EXACT, &mut Memory::default())
}

/// How deep are `a` and `b` in each other? Without memory; see [`Pair::penetration`].
///
/// ```
/// use impinge::{glam::DVec3, Model, Pose, Round};
/// let ball = Model::from(Round::sphere(1.0)?);
/// let aside = Pose::at(DVec3::X * 1.5)?;
/// assert!(impinge::penetration(&ball, &Pose::IDENTITY, &ball, &aside).interval.contains(0.5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn penetration(a: &Model, pose_a: &Pose, b: &Model, pose_b: &Pose) -> Penetration {
    penetration_of(&query(a, b, pose_a, pose_b, Method::Auto), pose_a, &mut Memory::default())
}

/// Are `a` and `b` closer than `tolerance`? Without memory; see [`Pair::within`].
///
/// ```
/// use impinge::{glam::DVec3, Model, Pose, Round};
/// let ball = Model::from(Round::sphere(1.0)?);
/// let aside = Pose::at(DVec3::X * 5.0)?;
/// assert!(!impinge::within(&ball, &Pose::IDENTITY, &ball, &aside, 2.5).within);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn within(a: &Model, pose_a: &Pose, b: &Model, pose_b: &Pose, tolerance: f64) -> Within {
    within_of(&query(a, b, pose_a, pose_b, Method::Auto), pose_a, tolerance, &mut Memory::default())
}

#[cfg(test)]
mod tests {
    use super::Pair;

    /// A world has one for each two bodies whose boxes meet. What only some questions need is made when they are asked.
    #[test]
    fn a_pair_is_small() {
        assert!(size_of::<Pair>() <= 720, "{} bytes", size_of::<Pair>());
    }
}
