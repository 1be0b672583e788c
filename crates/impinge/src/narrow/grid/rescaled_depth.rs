//! The depth of meshes that are larger or smaller than convex bodies may be: in another unit of length.
//!
//! The way out of two meshes begins with that of their hulls, and hulls have coordinates within 1e±50
//! ([`crate::Convex`]). Scaling both meshes and the way between them by one power of two is exact, unless a coordinate
//! vanishes beside another that is 1e300 times as large, and changes neither the direction nor the kind of the answer.
//!
//! Cost: copies of both meshes with their trees, a query; such bodies are rare, and nothing is kept.

use super::dispatch::Query;
use super::grid_depth::Deepest;
use super::memory::Memory;
use crate::answer::{Stats, Witness};
use crate::math::{Interval, Relative, normalising_scale};
use crate::narrow::context::Context;

impl Query<'_> {
    /// The way out of two meshes of which one has no hull; `None` where that is so in every unit: one is smaller than
    /// the other by a factor of 1e50.
    pub(crate) fn deepest_rescaled(&self, stats: &mut Stats) -> Option<Deepest> {
        let (Some(a), Some(b)) = (self.a.mesh(), self.b.mesh()) else { return None };
        let scale = normalising_scale(a.aabb().reach().max(b.aabb().reach()));
        let [a, b] = [a.scaled(scale), b.scaled(scale)];
        a.hull().and(b.hull())?;
        let b_in_a = Relative { translation: self.b_in_a.translation * scale, ..self.b_in_a };
        let rescaled = Query { a: &a.into(), b: &b.into(), b_in_a, method: self.method };
        let deep = rescaled.deepest(Context::new(&mut Memory::default(), stats))?;
        let Interval { lower, upper } = deep.interval;
        let up = |x: f64| if x / scale * scale < x { (x / scale).next_up() } else { x / scale };
        let down = |x: f64| if x / scale * scale > x { (x / scale).next_down() } else { x / scale };
        let placed = |w: Witness| Witness { points: w.points.map(|p| p / scale), ..w };
        Some(Deepest {
            interval: Interval { lower: down(lower), upper: up(upper) },
            witness: deep.witness.map(placed),
            ..deep
        })
    }
}
