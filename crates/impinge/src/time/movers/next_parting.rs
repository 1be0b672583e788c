//! Lower bounds on the time until two bodies that touch have parted, from how deep they are and how they move.
//!
//! The counterpart of [`super::next_contact`]. Let `Λ` bound the speed at which any two of their points can move apart.
//! Bodies that are `d` apart are no farther apart than `ε` for `(ε − d)/Λ`. Convex bodies that are `d` deep in each
//! other touch for `d/Λ`, because a motion of every point by less than the depth cannot take the origin out of their
//! difference (notes to Xavier 1997 §3). A convex body that lies `d` below the surface of a mesh also stays inside for
//! `d/Λ`. The two times add up: first the bodies move out of each other, then to the distance `ε`.
//!
//! Bodies that slide on each other are never deep, so these bounds are short. But between two times `τ` apart at which
//! bodies touch, they are never farther apart than `ε + Λ·τ/2`.

use super::two_bodies::Movers;
use crate::math::Interval;
use crate::narrow::context::Context;
use crate::narrow::grid::memory::Memory;

/// A parting in which the distance stays below this share of the smaller body's radius need not be reported.
const UNSEEN: f64 = 1.0 / 1024.0;

/// For how long two bodies go on touching.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct TouchDuration {
    /// They touch for at least this long.
    pub(crate) sure: f64,
    /// If they touch again by the end of this time, they were hardly apart in between.
    pub(crate) near: f64,
}

impl Movers<'_> {
    /// How long bodies that are `distance` apart at `t` stay no farther apart than `envelope`.
    pub(crate) fn next_parting(
        &self,
        [t, until]: [f64; 2],
        distance: Interval,
        envelope: f64,
        context: Context<'_, Memory>,
    ) -> TouchDuration {
        let speed = self.speed(t, until);
        if speed == 0.0 {
            return TouchDuration { sure: until - t, near: until - t };
        }
        let depth = match (distance.upper == 0.0, self.are_convex()) {
            (false, _) => 0.0,
            (true, true) => {
                self.ask(t, context, |query, context| query.deepest(context)).map_or(0.0, |deep| deep.interval.lower)
            }
            (true, false) => self.ask(t, context, |query, context| query.buried(context.stats)),
        };
        let radius = self.smaller_radius();
        // If infinite values made the bound NaN, it counts as 0.
        let within = |way: f64| (way / speed * (1.0 - 1e-12)).max(0.0).min(until - t);
        TouchDuration {
            sure: within(depth + envelope - distance.upper),
            near: within(2.0 * envelope.max(UNSEEN * radius)),
        }
    }
}
