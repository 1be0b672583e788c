//! How a body moves: the trait [`Motion`].

use std::fmt::Debug;

use glam::DVec3;

use super::rates::Rates;
use super::steady::Steady;
use super::swept_box::{SpanBounds, swept_box};
use crate::bound::Aabb;
use crate::math::Pose;
use crate::model::Model;

/// How a body moves: one of the four traits that users may implement. The library implements it for [`Steady`]
/// (standing still, straight, turning about an axis, screw, between two poses), [`TimedPoses`](crate::TimedPoses),
/// [`SplinePoses`](crate::SplinePoses), [`SampledPoses`](crate::SampledPoses), [`Ballistic`](crate::Ballistic),
/// [`ChainLink`](crate::ChainLink) and [`LinkMotion`](crate::LinkMotion) of a [`Robot`](crate::Robot).
///
/// Implementations are trusted: no contact is missed as long as [`Motion::rates`] bounds what [`Motion::pose`] does.
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

    /// Bounds on the body's velocities between two times, `from ≤ to`.
    fn rates(&self, from: f64, to: f64) -> Rates;

    /// Bounds between two times on how fast velocities change: first that of the centre that [`Motion::rates`] names,
    /// then the spin. Infinite where nothing better is known, and where velocities jump.
    fn accelerations(&self, _from: f64, _to: f64) -> [f64; 2] {
        [f64::INFINITY; 2]
    }

    /// The acceleration of that centre, where it is constant between two times (free fall).
    fn fall(&self, _from: f64, _to: f64) -> Option<DVec3> {
        None
    }

    /// The motion from a time on as a steady one, and until when it is steady; `None` where it is not steady then.
    ///
    /// Queries about steady motions are answered in closed form. The motion returned has to be the one that
    /// [`Motion::pose`] describes, up to rounding.
    fn steady(&self, _from: f64) -> Option<(Steady, f64)> {
        None
    }

    /// The motion itself, where it is steady at all times, so that [`Motion::steady`] need not copy it.
    fn always_steady(&self) -> Option<&Steady> {
        None
    }

    /// Until when, from a time on, the motion goes on without a jump of its velocities. Searches ask for bounds up to
    /// that time, so that no jump lies within. Any later time is right too, and may cost time.
    fn smooth_until(&self, from: f64) -> f64 {
        self.steady(from).map_or(f64::INFINITY, |(_, until)| until)
    }

    /// Between two times, how far any point of the body that is within `radius` of its origin may be from where
    /// [`Motion::pose`] puts it. Zero unless the true motion is not known.
    fn margin(&self, _from: f64, _to: f64, _radius: f64) -> f64 {
        0.0
    }

    /// A box that contains the body at every time between two; `None` where the body has no bounds.
    fn swept_box(&self, model: &Model, from: f64, to: f64) -> Option<Aabb> {
        box_by_bounds(self, model, from, to)
    }
}

/// The box that follows from what a motion says about its speeds and accelerations.
pub(crate) fn box_by_bounds<M: Motion + ?Sized>(motion: &M, model: &Model, from: f64, to: f64) -> Option<Aabb> {
    let bounds = SpanBounds {
        pose: &|t| motion.pose(t),
        rates: motion.rates(from, to),
        accelerations: motion.accelerations(from, to),
        margin: motion.margin(from, to, model.reach()),
    };
    swept_box(&bounds, model, from, to)
}
