//! The verbs about two bodies that move.

use super::{Pair, placed_witness, touch_witness};
use crate::answer::{Impact, Stats, Sweep};
use crate::math::Relative;
use crate::narrow::Limit;
use crate::narrow::context::Context;
use crate::narrow::grid::dispatch::Query;
use crate::narrow::outcome::Outcome;
use crate::narrow::proximity::{CommonPoint, WitnessedGap};
use crate::path::{Motion, Span};
use crate::time::deforming::deforming_sweep::NearnessWanted;
use crate::time::deforming::straight_step::StraightStep;
use crate::time::impact_query::{MovingMemory, impact_by};
use crate::time::movers::two_bodies::Movers;
use crate::time::parting::{contacts_over_time, parting};
use crate::time::sweep_query::{closest, pairs_within};
use crate::time::{
    ContactInterval, EncounterOptions, ImpactMethod, ImpactOptions, MeshEncounters, SweepMethod, SweepOptions,
    SweptPair,
};

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
        self.sweep_with(motion_a, motion_b, span, &SweepOptions::default())
    }

    /// As [`Pair::sweep`], with a say in how: the method, how narrow the interval has to be, or what is near enough.
    ///
    /// ```
    /// use std::f64::consts::PI;
    /// use impinge::{glam::DVec3, Pair, Pose, Round, Span, Steady, SweepOptions};
    /// let mut pair = Pair::new(Round::cuboid(DVec3::new(4.0, 0.2, 0.2))?, Round::point(DVec3::Y * 1.5)?);
    /// let blade = Steady::turning(Pose::IDENTITY, DVec3::ZERO, DVec3::Z * PI, 0.0)?;
    /// let post = Steady::still(Pose::IDENTITY);
    /// let near = SweepOptions { enough: Some(0.01), ..SweepOptions::default() };
    /// assert!(pair.sweep_with(&blade, &post, Span::UNIT, &near).interval.upper <= 0.01);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sweep_with(
        &mut self,
        motion_a: &dyn Motion,
        motion_b: &dyn Motion,
        span: Span,
        options: &SweepOptions,
    ) -> Sweep {
        let mut stats = Stats::default();
        let movers = Movers { models: [&self.a, &self.b], motions: [motion_a, motion_b] };
        if options.method != SweepMethod::BySpeed
            && let Some(step) = StraightStep::of(&movers, span)
        {
            return step.sweep(&NearnessWanted { tolerance: options.tolerance, enough: options.enough });
        }
        let closest = closest(&movers, span, options, Context::new(&mut self.memory, &mut stats));
        let (interval, time) = (closest.interval, closest.time);
        let still = Query { a: &self.a, b: &self.b, b_in_a: Relative::IDENTITY, method: self.method };
        let semantics = still.semantics();
        let witness = match closest.answer {
            Some(
                Outcome::Apart(WitnessedGap { witness: near, .. }) | Outcome::Touching(CommonPoint::OfBodies(near)),
            ) => Some(placed_witness(&motion_a.pose(time), near)),
            Some(Outcome::Touching(CommonPoint::OfTriangles(contact, features))) => {
                Some(touch_witness(&motion_a.pose(time), &contact, features))
            }
            _ => None,
        };
        Sweep { interval, time, witness, penetrating: interval.upper == 0.0, semantics, stats }
    }

    /// Which triangles or pieces come as near as `distance` during this motion, and when? In the order of their
    /// indices, and at most as many as the limit says. Containment is not a pair of primitives: a body that is inside
    /// the other all the time has none. A distance that is negative or NaN counts as 0.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Limit, Pair, Parts, Pose, Round, Span, Steady};
    /// let posts = [0.0, 2.0, 4.0].map(|x| [DVec3::X * x, DVec3::X * x + DVec3::Z]);
    /// let posts = Parts::from_hulls(posts.iter().map(|post| &post[..]))?;
    /// let mut pair = Pair::new(Round::sphere(0.5)?, posts);
    /// let ball = Steady::straight(Pose::at(DVec3::new(-2.0, 1.0, 0.0))?, DVec3::X * 5.0, 0.0)?;
    /// let (near, complete) = pair.sweep_pairs(&ball, &Steady::still(Pose::IDENTITY), Span::UNIT, 0.6, Limit::All);
    /// assert_eq!((near.iter().map(|x| x.pair[1]).collect::<Vec<_>>(), complete), (vec![0, 1], true));
    /// assert!(near[0].time < near[1].time);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sweep_pairs(
        &mut self,
        motion_a: &dyn Motion,
        motion_b: &dyn Motion,
        span: Span,
        distance: f64,
        limit: Limit,
    ) -> (Vec<SweptPair>, bool) {
        let mut stats = Stats::default();
        let movers = Movers { models: [&self.a, &self.b], motions: [motion_a, motion_b] };
        let context = Context::new(&mut self.memory, &mut stats);
        pairs_within(&movers, span, distance.max(0.0), limit.most(), context)
    }

    /// When do they first touch during this motion?
    ///
    /// To know only *whether* they touch, or come nearer than a clearance, ask [`Pair::sweep_with`] with
    /// [`SweepOptions::enough`]: it ends as soon as it knows. [`Pair::contacts_over_time`] tells every contact.
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
        self.impact_with(motion_a, motion_b, span, &ImpactOptions::default())
    }

    /// As [`Pair::impact`], with a say in how: the method, how near counts as touching, and whether it matters when
    /// they part again.
    ///
    /// ```
    /// use impinge::{glam::DVec3, ImpactOptions, Pair, Pose, Round, Span, Steady};
    /// let cube = Round::cuboid(DVec3::splat(2.0))?;
    /// let mut pair = Pair::new(cube.clone(), cube);
    /// let through = Steady::straight(Pose::at(DVec3::X * -5.0)?, DVec3::X * 10.0, 0.0)?;
    /// let options = ImpactOptions { parting: true, ..ImpactOptions::default() };
    /// let leaves = pair.impact_with(&through, &Steady::still(Pose::IDENTITY), Span::UNIT, &options).leaves;
    /// assert!((leaves.expect("they part").lower - 0.7).abs() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn impact_with(
        &mut self,
        motion_a: &dyn Motion,
        motion_b: &dyn Motion,
        span: Span,
        options: &ImpactOptions,
    ) -> Impact {
        let mut stats = Stats::default();
        let movers = Movers { models: [&self.a, &self.b], motions: [motion_a, motion_b] };
        if !matches!(options.method, ImpactMethod::BySpeed | ImpactMethod::Bisection)
            && let Some(step) = StraightStep::of(&movers, span)
        {
            return step.impact(options.tolerance, options.parting);
        }
        let memory = &mut MovingMemory { pair: &mut self.memory, search: self.moving.get_or_insert_default() };
        let mut context = Context::new(memory, &mut stats);
        let still = Query { a: &self.a, b: &self.b, b_in_a: Relative::IDENTITY, method: self.method };
        let semantics = still.semantics();
        let contact = impact_by(&movers, span, options, context.lend());
        let leaves = contact.filter(|_| options.parting).and_then(|contact| {
            parting(&movers, contact.time, span, options.tolerance.max(0.0), context.part(|m| m.pair)).ends
        });
        Impact {
            time: contact.map(|contact| contact.time),
            // Between samples nothing is seen.
            certain: contact
                .map_or(options.method != ImpactMethod::Bisection && !movers.have_holes(), |contact| contact.certain),
            separating: contact.is_some_and(|contact| contact.separating),
            witness: contact.and_then(|contact| contact.witness),
            normal: contact.and_then(|contact| contact.normal),
            leaves,
            semantics,
            stats,
        }
    }

    /// Which vertices meet faces, and which edges meet, of two meshes that deform or move straight: every encounter of
    /// the span, with its time, weights, points and normal.
    ///
    /// `None` where a body is no mesh, turns, or moves by a motion with a margin, and where the span is not within the
    /// step, from 0 to 1, in which a body deforms. Times are decided exactly for the vertices where they are when the
    /// span begins and when it ends, in the frame of `a`.
    ///
    /// ```
    /// use impinge::{glam::DVec3, EncounterOptions, Mesh, Pair, Pose, Span, Steady};
    /// let floor = [[-9., -9., 0.], [9., -9., 0.], [0., 9., 0.]].map(DVec3::from_array).to_vec();
    /// let leaf = [[0., 0., 1.], [1., 0., 2.], [0., 1., 4.]].map(DVec3::from_array).to_vec();
    /// let [floor, leaf] = [floor, leaf].map(|v| Mesh::new(v, vec![[0, 1, 2]]));
    /// let pair = Pair::new(leaf?, floor?);
    /// let falling = Steady::straight(Pose::IDENTITY, -DVec3::Z * 3.0, 0.0)?;
    /// let turning = Steady::turning(Pose::IDENTITY, DVec3::ZERO, DVec3::Z, 0.0)?;
    /// let still = Steady::still(Pose::IDENTITY);
    /// let all = pair.encounters(&falling, &still, Span::UNIT, &EncounterOptions::default()).expect("none turns");
    /// assert_eq!(all.list.len(), 2, "two of its corners pass the floor");
    /// assert!(all.list[0].time.contains(1.0 / 3.0) && all.list[0].points[0].z.abs() < 1e-12);
    /// assert!(pair.encounters(&turning, &still, Span::UNIT, &EncounterOptions::default()).is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn encounters(
        &self,
        motion_a: &dyn Motion,
        motion_b: &dyn Motion,
        span: Span,
        options: &EncounterOptions,
    ) -> Option<MeshEncounters> {
        let movers = Movers { models: [&self.a, &self.b], motions: [motion_a, motion_b] };
        StraightStep::of_surfaces(&movers, span).map(|step| step.encounters(options))
    }

    /// When do they touch during this motion: every contact, from when until when?
    ///
    /// ```
    /// use std::f64::consts::TAU;
    /// use impinge::{glam::DVec3, Pair, Pose, Round, Span, Steady};
    /// let blade = Round::cuboid(DVec3::new(4.0, 0.1, 0.1))?;
    /// let mut pair = Pair::new(blade, Round::sphere(0.1)?);
    /// let turning = Steady::turning(Pose::IDENTITY, DVec3::ZERO, DVec3::Z * TAU, 0.0)?;
    /// let post = Steady::still(Pose::at(DVec3::Y * 1.5)?);
    /// let contacts = pair.contacts_over_time(&turning, &post, Span::UNIT);
    /// assert_eq!(contacts.len(), 2);
    /// assert!(contacts[0].begins.upper < 0.25 && contacts[0].ends.is_some_and(|ends| ends.lower > 0.25));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn contacts_over_time(
        &mut self,
        motion_a: &dyn Motion,
        motion_b: &dyn Motion,
        span: Span,
    ) -> Vec<ContactInterval> {
        self.near_over_time(motion_a, motion_b, span, 0.0)
    }

    /// As [`Pair::contacts_over_time`], where bodies as near as `tolerance` count as touching.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Pair, Pose, Round, Span, Steady};
    /// let ball = Round::sphere(1.0)?;
    /// let mut pair = Pair::new(ball.clone(), ball);
    /// let past = Steady::straight(Pose::at(DVec3::new(-5.0, 3.0, 0.0))?, DVec3::X * 10.0, 0.0)?;
    /// let near = pair.near_over_time(&past, &Steady::still(Pose::IDENTITY), Span::UNIT, 3.0);
    /// assert_eq!(near.len(), 1);
    /// assert!((near[0].begins.lower - 0.1).abs() < 1e-9 && near[0].ends.is_some_and(|ends| ends.upper > 0.899));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn near_over_time(
        &mut self,
        motion_a: &dyn Motion,
        motion_b: &dyn Motion,
        span: Span,
        tolerance: f64,
    ) -> Vec<ContactInterval> {
        let movers = Movers { models: [&self.a, &self.b], motions: [motion_a, motion_b] };
        if let Some(step) = StraightStep::of(&movers, span) {
            return step.contacts_over_time(tolerance.max(0.0));
        }
        let memory = &mut MovingMemory { pair: &mut self.memory, search: self.moving.get_or_insert_default() };
        contacts_over_time(&movers, span, tolerance.max(0.0), Context::new(memory, &mut Stats::default()))
    }
}
