//! A body of a world: its model, its pose, and its id.

use std::fmt;
use std::sync::Arc;

use glam::DVec3;

use crate::bound::Aabb;
use crate::broad::{Filter, Mobility};
use crate::math::Pose;
use crate::model::{Model, Outline};
use crate::path::{Motion, Steady};

/// The id of a body in a world.
///
/// ```
/// use impinge::{glam::DVec3, Body, Pose, Round, World};
/// let mut world = World::new();
/// let ball = Round::sphere(1.0)?;
/// let a = world.add(Body::new(ball.clone(), Pose::IDENTITY))?;
/// assert!(world.body(a).is_some());
/// world.remove(a)?;
/// let b = world.add(Body::new(ball, Pose::IDENTITY))?;
/// assert!(a != b && world.body(a).is_none(), "an id is never given twice");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BodyId {
    pub(super) slot: u32,
    pub(super) generation: u32,
}

impl fmt::Display for BodyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "body {}.{}", self.slot, self.generation)
    }
}

/// What a body is, where it is placed, and which others it may meet.
///
/// ```
/// use impinge::{Body, Filter, Mobility, Pose, Round};
/// let floor = Round::half_space(impinge::glam::DVec3::Z, 0.0)?;
/// let body = Body { mobility: Mobility::Static, ..Body::new(floor, Pose::IDENTITY) };
/// assert_eq!(body.filter, Filter::ALL);
/// # Ok::<(), impinge::BuildError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Body {
    /// Its shape.
    pub model: Model,
    /// Where it is placed.
    pub pose: Pose,
    /// Which others it may meet.
    pub filter: Filter,
    /// Static bodies are kept apart from moving ones, and do not meet each other.
    pub mobility: Mobility,
    /// Which kind of box is put around it in the broad phase.
    pub outline: Outline,
    /// How it moves in [`World::advance`](crate::World::advance); without a motion it stands still there. The other
    /// verbs take it where it is placed. A mesh that deforms does so from time 0 to time 1, with or without a motion.
    pub motion: Option<Arc<dyn Motion>>,
    /// A sensor tells what touches it and is never pushed: [`World::contacts`](crate::World::contacts) and
    /// [`World::penetration`](crate::World::penetration), from which a solver works, leave it out. All other verbs,
    /// events and encounters tell of it.
    pub sensor: bool,
    /// Whatever the caller wants to know it by; the world does not look at it.
    pub user_data: u128,
}

impl Body {
    /// A body that moves and may meet every other.
    pub fn new(model: impl Into<Model>, pose: Pose) -> Body {
        let (filter, mobility, outline) = (Filter::ALL, Mobility::Moving, Outline::Fitted);
        Body { model: model.into(), pose, filter, mobility, outline, motion: None, sensor: false, user_data: 0 }
    }

    pub(super) fn may_meet(&self, other: &Body) -> bool {
        let both_static = self.mobility == Mobility::Static && other.mobility == Mobility::Static;
        !both_static && self.filter.admits(other.filter)
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Slot {
    /// The generation of the body in the slot, or of the last one that was in it.
    pub(crate) generation: u32,
    /// The generation of the next body: greater than all that were ever given, also to bodies whose adding was undone.
    pub(crate) next: u32,
    pub(crate) body: Option<PlacedBody>,
}

/// A body in its slot, with what follows from it.
#[derive(Debug, Clone)]
pub(crate) struct PlacedBody {
    pub(crate) body: Body,
    /// The motion of a body that has none of its own: it stands still where it is placed.
    pub(crate) still: Steady,
    /// The box around the body where it is placed; `None` where it has no bounds.
    pub(crate) bounds: Option<Aabb>,
    /// The stamp of this model in this slot; no two are the same.
    pub(crate) model_stamp: u64,
    /// The stamp of its motion.
    pub(crate) motion_stamp: u64,
}

impl PlacedBody {
    /// Puts a body into a slot under these stamps, without a box as yet.
    pub(super) fn new(body: Body, model_stamp: u64, motion_stamp: u64) -> PlacedBody {
        let still = Steady::still(body.pose);
        PlacedBody { body, still, bounds: None, model_stamp, motion_stamp }
    }

    /// How it moves in time.
    pub(super) fn motion(&self) -> &dyn Motion {
        self.body.motion.as_deref().unwrap_or(&self.still)
    }

    /// Whether nothing of it moves in time.
    pub(super) fn is_still(&self) -> bool {
        self.body.motion.is_none() && !matches!(self.body.model, Model::Deforming(_))
    }

    /// The mobility in time: that of the body, if nothing of it moves.
    pub(super) fn mobility_in_time(&self) -> Mobility {
        if self.is_still() { self.body.mobility } else { Mobility::Moving }
    }

    /// A lower bound on the distance of the two bodies, from their boxes.
    pub(super) fn gap(&self, other: &PlacedBody) -> f64 {
        let (Some(x), Some(y)) = (self.bounds, other.bounds) else { return 0.0 };
        (x.min.max(y.min) - x.max.min(y.max)).max(DVec3::ZERO).length() * (1.0 - 1e-15)
    }
}
