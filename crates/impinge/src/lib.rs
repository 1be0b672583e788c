//! Do solid things touch, where, how near, how deep, and when?
//!
//! ```
//! use impinge::{glam::DVec3, Mesh, Pair, Pose};
//!
//! let corners = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]].map(DVec3::from_array);
//! let body = Mesh::new(corners.to_vec(), vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]])?;
//! let mut pair = Pair::new(body.clone(), body);
//! let aside = Pose::at(DVec3::new(3.0, 0.0, 0.0))?;
//! assert!(pair.distance(&Pose::IDENTITY, &aside).interval.contains(2.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Model`] is what a body is; a [`Pose`] is where it stands; a [`Pair`] is two models and what is remembered of
//! their last query. The verbs are [`overlap`], [`contacts`], [`distance`], [`within`] and [`penetration`]; about
//! bodies that move ([`Motion`]), [`Pair::sweep`] and [`Pair::impact`]. Each answer carries its own error. The rooms of
//! the house, lowest first:
//!
//! - `math`: poses, intervals, exact predicates, vector instructions
//! - `answer`, `error`: what the verbs return, and what the door refuses
//! - `search`: the queue of best-first searches, and the pause after a search that failed: it doubles each time
//! - `threads`: work that several threads share, with the same answer on any number of them
//! - `prim`, [`bound`]: triangles, simplices, support mappings, bounding volumes
//! - [`planar`]: polygons that translate, by Minkowski sums
//! - `tree`: the wide box tree, its builders, the one tandem descent
//! - [`broad`]: many boxes: which of them meet
//! - `model`: what a body is: [`Mesh`], [`Convex`], [`Round`], [`Parts`]
//! - `narrow`: two bodies, exactly: the engines that [`Method`] names
//! - `point`: how far one point is from a body, and on which side of its surface
//! - `manifolds`: the points of contact that a solver consumes
//! - `path`: where a body is at every time, and bounds on how fast it moves
//! - `time`: how near two bodies come while they move, and when they first touch
//! - `pair`: the verbs
//! - `ray`: where rays meet the surface of a body
//! - `world`: many bodies, and the verbs over all of them
//! - `written`: models, poses and motions in the forms of `serde`
//! - [`clash`]: what is the matter with bodies of an assembly that should be apart
//!
//! # Features
//!
//! - `rayon`, on by default: work is shared among threads. Without it every question is answered on the thread that
//!   asks, with the same answers.
//! - `serde`: models, answers, options, poses and the motions that numbers tell are written and read. A model is
//!   written as what it was made of, with the number of its format, and is built anew when it is read: the same errors
//!   refuse what no builder takes. `serde_json` reads numbers to the last bit with its feature `float_roundtrip`.
//! - `mint`: poses from and to the matrices of `mint`, and vectors by way of `glam`.
//! - `vhacd`: approximate convex decomposition.

mod answer;
pub mod bound;
pub mod broad;
pub mod clash;
mod error;
mod manifolds;
mod math;
mod model;
mod narrow;
mod pair;
mod path;
pub mod planar;
mod point;
mod prim;
mod ray;
mod search;
mod threads;
mod time;
mod tree;
mod world;
#[cfg(feature = "serde")]
mod written;

pub use glam;

/// Which bodies may meet, and whether a body moves: what a [`Body`] of a [`World`] says of itself.
pub use broad::{Filter, Mobility};

pub use answer::{
    Contact, Containment, DepthKind, Distance, Element, Feature, Impact, Overlap, Penetration, Points, Semantics,
    Stats, Sweep, Touch, Within, Witness,
};
pub use error::{BuildError, MotionError, NotClosed, PointError, RayError, UnknownName};
pub use manifolds::{
    ContactPoint, CrossingCurve, Crossings, KeptPoints, Manifold, ManifoldOptions, Manifolds, SharedFace,
};
pub use math::{Interval, Pose, PoseError};
#[cfg(feature = "vhacd")]
pub use model::Approximation;
pub use model::{Convex, Deforming, Dropped, Edge, Face, Mesh, MeshReport, Model, Outline, Parts, Refit, Round, Shape};
pub use narrow::{Limit, Method, Neighbours, Pairs, Precision, SelfContacts};
pub use pair::{Contacts, Pair, contacts, distance, overlap, penetration, within};
pub use path::{
    Ballistic, ChainLink, Flight, Joint, JointKind, JointKnot, JointSpeeds, JointTrajectory, LinkMotion, Motion, Rates,
    Robot, RobotError, RobotJoint, SampleBounds, SampledPoses, Span, SplineKey, SplinePoses, SplineTurns, Steady,
    TimedPoses,
};
pub use point::PointDistance;
#[doc(hidden)]
pub use prim::Rim;
pub use prim::Support;
pub use ray::{CastHit, Ray, RayHit};
pub use time::{
    ContactInterval, EncounterOptions, ImpactMethod, ImpactOptions, Inclusion, Meeting, MeshEncounter, MeshEncounters,
    SweepMethod, SweepOptions, SweptPair, next_contact,
};
pub use tree::Builder;
pub use world::{
    Advance, Body, BodyId, ContactEvent, DebugFlags, DebugLine, Encounter, EncounterKind, End, EventKind, Found,
    LineKind, Met, PointEvent, Progress, Schedule, View, World, WorldError,
};

/// Which vector instructions are used. All give the same answers; this is for tests and benches.
pub mod cpu {
    pub use crate::math::simd::{Level, available, best, force, level};
}

/// The example of the README, kept true.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

/// The pages of the guide, whose examples run as tests.
#[cfg(doctest)]
mod guide {
    #[doc = include_str!("../../../docs/guide/robot.md")]
    struct Robot;
    #[doc = include_str!("../../../docs/guide/assembly.md")]
    struct Assembly;
    #[doc = include_str!("../../../docs/guide/simulation.md")]
    struct Simulation;
    #[doc = include_str!("../../../docs/guide/other-code.md")]
    struct OtherCode;
    #[doc = include_str!("../../../docs/guide/paper.md")]
    struct Paper;
}
