//! The verbs about two bodies that move.

use super::{Pair, placed_witness};
use crate::answer::{Impact, Stats, Sweep};
use crate::math::Interval;
use crate::motion::{Motion, Movers, Span, impact, least_distance};

impl Pair {
    /// How near do they come during this motion?
    ///
    /// ```
    /// use impinge::{glam::DVec3, Pair, Pose, Round, Span, Steady};
    /// let ball = Round::sphere(1.0)?;
    /// let mut pair = Pair::new(ball.clone(), ball);
    /// let still = Steady::still(Pose::IDENTITY);
    /// let passing = Steady::straight(Pose::at(DVec3::new(-5.0, 3.0, 0.0))?, DVec3::X * 10.0, 0.0)?;
    /// let sweep = pair.sweep(&still, &passing, Span::UNIT);
    /// assert!(sweep.interval.contains(1.0) && sweep.interval.width() < 1e-6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sweep(&mut self, motion_a: &dyn Motion, motion_b: &dyn Motion, span: Span) -> Sweep {
        let mut stats = Stats::default();
        let movers = Movers { models: [&self.a, &self.b], motions: [motion_a, motion_b] };
        let least = least_distance(&movers, span, 1e-7, &mut self.memory, &mut stats);
        let [pose_a, pose_b] = movers.poses(least.time);
        let semantics = super::query(&self.a, &self.b, &pose_a, &pose_b, self.method).semantics();
        Sweep {
            interval: least.interval,
            time: least.time,
            witness: least.witness.map(|w| placed_witness(&pose_a, w)),
            penetrating: least.interval.upper == 0.0,
            semantics,
            stats,
        }
    }

    /// When do they first touch during this motion, and when do they part?
    ///
    /// ```
    /// use impinge::{glam::DVec3, Pair, Pose, Round, Span, Steady};
    /// let cube = Round::cuboid(DVec3::splat(2.0))?;
    /// let mut pair = Pair::new(cube.clone(), cube);
    /// let right = Steady::straight(Pose::at(DVec3::X * -5.0)?, DVec3::X * 10.0, 0.0)?;
    /// let left = Steady::straight(Pose::at(DVec3::X * 5.0)?, DVec3::X * -10.0, 0.0)?;
    /// let time = pair.impact(&right, &left, Span::UNIT).time.expect("they meet half way");
    /// assert!(time.lower <= 0.4 && 0.4 - time.lower < 1e-6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn impact(&mut self, motion_a: &dyn Motion, motion_b: &dyn Motion, span: Span) -> Impact {
        let mut stats = Stats::default();
        let movers = Movers { models: [&self.a, &self.b], motions: [motion_a, motion_b] };
        let mut own = std::mem::take(&mut self.moving);
        let struck = impact(&movers, span, 0.0, &mut self.memory, &mut own, &mut stats);
        let semantics = movers.query(span.from()).semantics();
        self.moving = own;
        Impact {
            time: struck.map(|s| s.time),
            certain: struck.is_none_or(|s| s.certain),
            separating: struck.is_some_and(|s| s.separating),
            witness: struck.and_then(|s| s.witness),
            normal: struck.and_then(|s| s.normal),
            leaves: None::<Interval>,
            semantics,
            stats,
        }
    }
}
