//! Rabbitz' algorithm: tests the plane that separated the bodies in the last call, then runs GJK from the last simplex.
//!
//! R. Rabbitz, *Fast collision detection of moving convex polyhedra*, Graphics Gems IV, 1994; Mirtich §3.3. Two bodies
//! that were apart mostly still are, along the same direction: two supports, climbed from the last ones, show it. Only
//! if the direction fails, GJK runs, on the simplex of the last call where its vertices stand now, until it has found a
//! plane with more than the gap asked for, or the origin. Boolean only. A memory of another pair is only a bad start.

use glam::DVec3;

use super::witness_plane::PlaneVerdict;
use crate::answer::Stats;
use crate::narrow::convex::polyhedra::Polyhedra;
use crate::narrow::convex::simplex::gjk;
use crate::narrow::convex::simplex::gjk::{GjkQuestion, GjkStart};
use crate::narrow::convex::simplex::gjk_polyhedra;
use crate::narrow::convex::simplex::minkowski::Difference;
use crate::prim::RegionWalk;

/// What is remembered of a pair.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Rabbitz {
    /// From `b` to `a`, in `a`'s frame.
    direction: Option<DVec3>,
    /// Vertices of the last simplex, the newest last.
    names: [[u32; 2]; 4],
    count: usize,
    vertices: [u32; 2],
}

impl Rabbitz {
    /// Whether they are apart by more than `enough`.
    pub(crate) fn apart(&mut self, pair: &Polyhedra<'_>, enough: f64, stats: &mut Stats) -> PlaneVerdict {
        let m = Difference::of(pair);
        if let Some(d) = self.direction {
            stats.iterations += 1;
            let apex = m.support(d, self.vertices, stats);
            self.vertices = apex.names;
            if apex.w.dot(d) > enough * m.scale {
                return PlaneVerdict::Apart(-d);
            }
        }
        let start = GjkStart { direction: None, names: &self.names[..self.count], points: &[] };
        let found =
            gjk::distance::<RegionWalk, _, _>(&m, &GjkQuestion { enough, ..GjkQuestion::DISTANCE }, &start, stats);
        (self.names, self.count) = (found.simplex.names, found.simplex.count);
        match gjk_polyhedra::decided(pair, &found) {
            Some(false) => {
                self.direction = None;
                PlaneVerdict::Overlap
            }
            Some(true) if found.lower > enough => {
                let d = found.axis.normalize();
                self.direction = Some(d);
                PlaneVerdict::Apart(-d)
            }
            _ => PlaneVerdict::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::DMat3;

    use super::*;
    use crate::narrow::convex::polyhedra::Claim;
    use crate::narrow::convex::polyhedra::brute;
    use crate::narrow::convex::polyhedra::cases::{Random, cuboid, families, gap, placed};

    #[test]
    fn agrees_with_brute_force_whatever_is_remembered() {
        let mut memory = Rabbitz::default();
        families(61, 200, |name, pair| {
            let truth = brute::closest(pair, &mut Stats::default());
            for again in [false, true] {
                let mut stats = Stats::default();
                match (memory.apart(pair, pair.slack(), &mut stats), &truth) {
                    (PlaneVerdict::Apart(n), _) => {
                        assert!(gap(pair, n) > 0.0, "{name}: {n}");
                        assert!(!again || stats.iterations == 1, "{name}: {stats:?}");
                    }
                    (PlaneVerdict::Overlap, Claim::Apart(near)) => {
                        assert!(near.distance() <= 8.0 * pair.slack(), "{name}: {near:?}");
                    }
                    (PlaneVerdict::Overlap, _) => {}
                    (PlaneVerdict::Unknown, _) => panic!("{name}: {truth:?}"),
                }
            }
        });
    }

    #[test]
    fn a_moving_pair_is_seen_apart_by_the_last_direction() {
        let mut r = Random(9);
        let (a, b) = (r.solid(), cuboid(DVec3::splat(0.5)));
        let mut memory = Rabbitz::default();
        let (mut at_once, mut apart) = (0, 0);
        for k in 0..2000 {
            let t = f64::from(k) * 1e-3;
            let turn = DMat3::from_axis_angle(DVec3::new(1.0, 0.5, 0.2).normalize(), t);
            let pair = Polyhedra { a: &a, b: &b, b_in_a: placed(turn, DVec3::new(1.9, t - 1.0, 0.3)) };
            let mut stats = Stats::default();
            if let PlaneVerdict::Apart(_) = memory.apart(&pair, 0.0, &mut stats) {
                apart += 1;
                at_once += usize::from(stats.iterations == 1);
            }
        }
        assert!(apart > 1000 && at_once * 100 > apart * 95, "{at_once} of {apart}");
    }
}
