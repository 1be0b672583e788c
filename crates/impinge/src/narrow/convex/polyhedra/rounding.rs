//! What rounding does to the distance of two polyhedra, and what their sizes and centres alone decide.

use super::two_polyhedra::Polyhedra;
use crate::math::{EPS, Interval};

/// Below this a computed distance cannot be distinguished from 0: its square has lost digits, or is 0.
const FAINT: f64 = 1e-150;

impl Polyhedra<'_> {
    /// How far a computed distance may be from that of the true bodies; see `Placed::noise` for the count.
    #[inline(always)]
    pub(crate) fn noise(&self, distance: f64) -> f64 {
        let (reach, shift) = (self.b.reach(), self.b_in_a.translation.abs().max_element());
        let placing = match (self.b_in_a.is_rotated(), shift > 0.0) {
            (true, _) => 64.0 * reach + 8.0 * shift,
            (false, true) => 2.0 * reach + 8.0 * shift,
            (false, false) => 0.0,
        };
        EPS * (placing + 24.0 * (self.a.radius() + self.b.radius()) + 12.0 * distance)
    }

    /// What rounding may add to or take from a distance of features near each other: points nearer than this touch.
    ///
    /// Differences and their products round relative to the bodies' sizes; a rotated `b` has corners that are off their
    /// planes by the rounding of its coordinates.
    pub(crate) fn slack(&self) -> f64 {
        let turned = if self.b_in_a.is_rotated() { self.b.reach() } else { 0.0 };
        EPS * (8.0 * (self.a.radius() + self.b.radius()) + 4.0 * turned)
    }

    /// The interval around a computed distance that is at least `lower`.
    #[inline(always)]
    pub(crate) fn interval(&self, distance: f64, lower: f64) -> Interval {
        let noise = self.noise(distance);
        let lower = if distance < FAINT { 0.0 } else { (lower.min(distance) - noise).max(0.0) };
        Interval { lower, upper: (distance + noise).max(FAINT) }
    }

    /// Whether the balls around the bodies have more than `enough` between them.
    #[inline(always)]
    pub(crate) fn balls_are_apart(&self, enough: f64) -> bool {
        let reach = enough + self.a.radius() + self.b.radius();
        self.b_in_a.apply(self.b.centre()).distance_squared(self.a.centre()) > reach * reach * (1.0 + 16.0 * EPS)
    }

    /// A lower bound on the distance: that of the balls around the bodies, negative where these meet.
    pub(crate) fn gap_of_balls(&self) -> f64 {
        let between = self.b_in_a.apply(self.b.centre()).distance(self.a.centre());
        between * (1.0 - 16.0 * EPS) - self.a.radius() - self.b.radius() - self.noise(between)
    }

    /// Whether the bodies are so far apart that to each other they are points, and products of lengths might overflow.
    #[inline(always)]
    pub(crate) fn are_worlds_apart(&self) -> bool {
        self.b_in_a.translation.abs().max_element() > 1e17 * (self.a.reach() + self.b.reach())
    }
}
