//! Rank 5: where a body is at every time, how fast it can be, and when two that move come near.
//!
//! Time is a plain number; the verbs take the span `[from, to]` they ask about. A motion has a pose at every time, so
//! nothing here fails after the door: outside of what was given a motion goes on as its type says.

mod advance;
mod ballistic;
mod between;
mod boughs;
mod by_speed;
mod chain;
mod chord;
mod clearance;
mod closing;
mod contact_functions;
mod contact_intervals;
#[cfg(test)]
mod contact_trials;
mod crossing;
mod deforming;
mod deforming_contacts;
mod deforming_impact;
mod deforming_parting;
mod deforming_sweep;
mod doubts;
mod earliest;
mod elliptic;
mod facet;
mod feature_pair;
mod features;
mod impact;
mod inclusion;
mod lasting;
mod nearing;
pub mod next_contact;
mod next_parting;
mod parting;
mod pieces;
mod rates;
mod ray_cast;
mod sampled;
mod snapshot;
mod span;
mod spline;
mod staying;
mod steady;
mod stretch;
mod struck;
mod surface;
mod sweep;
mod swept;
mod swept_box;
mod tangent_hull;
mod timed;
mod timeline;
mod triangle_intervals;
mod turned;

use std::fmt::Debug;

use glam::DVec3;

use crate::bound::Aabb;
use crate::math::Pose;
use crate::model::Model;

pub use ballistic::{Ballistic, Flight};
pub(crate) use by_speed::{Movers, least_distance};
pub use chain::{ChainLink, Joint};
pub use deforming::Deforming;
pub use deforming_impact::impact_deforming;
pub use deforming_sweep::sweep_deforming;
pub use features::Inclusion;
pub(crate) use impact::{ImpactMemory, impact, impact_by};
pub use impact::{ImpactMethod, ImpactOptions};
pub use inclusion::Meeting;
pub(crate) use next_parting::Staying;
pub use parting::ContactInterval;
pub(crate) use parting::{contacts_over_time, parting};
pub use rates::Rates;
pub use sampled::{SampleBounds, SampledPoses};
pub use span::Span;
pub use spline::{SplineKey, SplinePoses, SplineTurns};
pub use steady::Steady;
pub use swept::{SweepMethod, SweepOptions, SweptPair};
pub(crate) use swept::{closest, pairs_within};
pub use timed::TimedPoses;

/// How a body moves. One of the four traits that users may implement. Those of the library: [`Steady`] (standing still,
/// straight, turning about an axis, screw, between two poses), [`TimedPoses`], [`SplinePoses`], [`SampledPoses`],
/// [`Ballistic`] and [`ChainLink`].
///
/// Implementations are trusted: nothing is missed as long as [`Motion::rates`] bounds what [`Motion::pose`] does.
///
/// ```
/// use impinge::{glam::DVec3, Motion, Pose, Rates};
/// /// Up and down once in 2π.
/// #[derive(Debug)]
/// struct Bobbing;
/// impl Motion for Bobbing {
///     fn pose(&self, t: f64) -> Pose {
///         Pose::at(DVec3::Z * t.sin()).unwrap_or_default()
///     }
///     fn rates(&self, _: f64, _: f64) -> Rates {
///         Rates { velocity_spread: 1.0, ..Rates::STILL }
///     }
/// }
/// let lifted = Bobbing.pose(0.5 * std::f64::consts::PI);
/// assert_eq!(lifted.translation(), DVec3::Z);
/// ```
pub trait Motion: Debug + Send + Sync {
    /// Where the body is at a time.
    fn pose(&self, t: f64) -> Pose;

    /// Bounds on its velocities between two times, `from ≤ to`.
    fn rates(&self, from: f64, to: f64) -> Rates;

    /// Bounds between two times on how fast velocities change: of the centre that [`Motion::rates`] names, and of the
    /// spin. Infinite where nothing better is known, and where velocities jump.
    fn accelerations(&self, _from: f64, _to: f64) -> [f64; 2] {
        [f64::INFINITY; 2]
    }

    /// The acceleration of that centre, where it is constant between two times.
    fn fall(&self, _from: f64, _to: f64) -> Option<DVec3> {
        None
    }

    /// The motion from a time on as long as it is steady, and until when; `None` where it is not steady.
    ///
    /// Steady motions have answers in closed form. What this returns has to be the motion that [`Motion::pose`]
    /// describes, up to rounding.
    fn steady(&self, _from: f64) -> Option<(Steady, f64)> {
        None
    }

    /// The motion itself, where it is steady at all times: what [`Motion::steady`] would have to copy.
    fn always_steady(&self) -> Option<&Steady> {
        None
    }

    /// Until when, from a time on, the motion goes on as it does then: bounds are asked for up to there, so that jumps
    /// of the velocities are between them. Any later time is right, and may cost time.
    fn smooth_until(&self, from: f64) -> f64 {
        self.steady(from).map_or(f64::INFINITY, |(_, until)| until)
    }

    /// Between two times, how far any point of the body that is no farther than `radius` from its origin may be from
    /// where [`Motion::pose`] puts it. Zero unless the true motion is not known.
    fn margin(&self, _from: f64, _to: f64, _radius: f64) -> f64 {
        0.0
    }

    /// A box that holds the body at every time between two; `None` where the body has no bounds.
    fn swept_box(&self, model: &Model, from: f64, to: f64) -> Option<Aabb> {
        swept_box::swept_box(self, model, from, to)
    }
}
