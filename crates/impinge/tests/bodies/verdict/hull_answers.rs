//! Each verb's answer about two hulls against the truth. Every function says what is wrong, or nothing.

use glam::{DMat3, DVec3};
use impinge::{
    Contacts, Convex, DepthKind, Distance, Element, Feature, Limit, Method, Overlap, Pair, Penetration, Pose,
    Semantics, Touch, Within, Witness,
};
use impinge_testing::hulls::Truth;

use super::hulls::Scene;
use super::near::{Solid, polygon, segment};

pub(crate) type Check = Result<(), String>;

pub(crate) fn demand(holds: bool, otherwise: impl FnOnce() -> String) -> Check {
    if holds { Ok(()) } else { Err(otherwise()) }
}

/// How near an answer has to come, over `max(answer, size)`, and whether rounding excuses a wrong boolean.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Strictness {
    pub(crate) distance: f64,
    pub(crate) depth: f64,
    /// Bodies that overlap or miss by less than this over their size may be taken either way.
    pub(crate) rounding: f64,
}

/// What is asked of random bodies.
pub(crate) const RANDOM: Strictness = Strictness { distance: 1e-12, depth: 1e-9, rounding: 1e-13 };
/// What is asked of published cases: an overlap, however slight, is one.
pub(crate) const CASE: Strictness = Strictness { distance: 1e-12, depth: 1e-12, rounding: 0.0 };

/// A scene, its truth, its hulls, and how strict to be.
#[derive(Debug)]
pub(crate) struct Judge {
    pub(crate) scene: Scene,
    pub(crate) truth: Truth,
    pub(crate) strict: Strictness,
    solids: [Solid; 2],
    hulls: [Convex; 2],
    posing: f64,
    ulp: f64,
}

impl Judge {
    pub(crate) fn new(scene: &Scene, strict: Strictness) -> Judge {
        Judge::with(scene, scene.truth(), strict)
    }

    pub(crate) fn with(scene: &Scene, truth: Truth, strict: Strictness) -> Judge {
        Judge {
            truth,
            strict,
            solids: [&scene.a, &scene.b].map(|points| Solid::new(points)),
            hulls: [&scene.a, &scene.b].map(|points| Convex::hull(points).unwrap()),
            posing: scene.posing(),
            ulp: scene.ulp(),
            scene: scene.clone(),
        }
    }

    fn size(&self) -> f64 {
        self.truth.size
    }

    /// Whether rounding may excuse either answer to the question whether the bodies overlap.
    pub(crate) fn doubtful(&self) -> bool {
        let excuse = self.strict.rounding * self.size() + if self.strict.rounding > 0.0 { self.posing } else { 0.0 };
        self.truth.signed().abs() <= excuse && excuse > 0.0
    }

    fn distance_slack(&self) -> f64 {
        self.strict.distance * self.truth.distance[1].max(self.size()) + self.posing
    }

    fn depth_slack(&self) -> f64 {
        self.strict.depth * self.truth.depth[1].max(self.size()) + self.posing
    }

    /// Asks all verbs of one `Pair`, compares each with the truth and with the others, and returns everything that is
    /// wrong.
    pub(crate) fn all(&self, pair: &mut Pair, engine: Method) -> Check {
        let (pa, pb) = (&self.scene.pose_a, &self.scene.pose_b);
        let overlap = pair.overlap(pa, pb);
        let distance = pair.distance(pa, pb);
        let penetration = pair.penetration(pa, pb);
        let contacts = pair.contacts(pa, pb, Limit::All);
        let same = |verb: &str, x: bool| {
            demand(x == overlap.overlap, || format!("{verb} says {x}, overlap says {}", overlap.overlap))
        };
        let mut checks = vec![
            self.overlap(&overlap),
            self.distance(&distance),
            self.penetration(&penetration, engine),
            self.contacts(&contacts),
            same("distance", distance.penetrating),
            same("penetration", penetration.direction.is_some()),
            same("contacts", contacts.touching()),
            same("within 0", pair.within(pa, pb, 0.0).within),
        ];
        let upper = distance.interval.upper;
        let near = pair.within(pa, pb, upper).within;
        checks.push(demand(near, || format!("not within {upper:e}, which is the upper end of the distance")));
        for factor in [0.0, 0.5, 1.0 - 1e-9, 1.0 + 1e-9, 2.0] {
            let tolerance = self.truth.mid_distance() * factor;
            checks.push(self.within(&pair.within(pa, pb, tolerance), tolerance));
        }
        let wrong: Vec<String> = checks.into_iter().filter_map(Result::err).collect();
        demand(wrong.is_empty(), || wrong.join("; "))
    }

    pub(crate) fn overlap(&self, got: &Overlap) -> Check {
        demand(got.semantics == Semantics::Solid, || "convex bodies are solid".into())?;
        let right = got.overlap == self.truth.overlap || self.doubtful();
        demand(right, || format!("overlap {}, but {:?}", got.overlap, self.truth))?;
        match got.witness {
            None => demand(!got.overlap, || "an overlap without a witness".into()),
            Some(Touch::Common(p)) if got.overlap => {
                let slack = self.distance_slack() + 2.0 * self.ulp;
                let off = [0, 1].map(|i| self.solids[i].outside(self.home(i, p)));
                demand(off[0].max(off[1]) <= slack, || format!("the common point {p} is {off:?} off the bodies"))
            }
            ref other => Err(format!("overlap {} with {other:?}", got.overlap)),
        }
    }

    pub(crate) fn distance(&self, got: &Distance) -> Check {
        let (lower, upper) = (got.interval.lower, got.interval.upper);
        let [low, high] = self.truth.distance;
        let say = |s: String| format!("distance: {s}: [{lower:e}, {upper:e}], truly {:?}", self.truth);
        demand(got.semantics == Semantics::Solid, || "convex bodies are solid".into())?;
        demand(0.0 <= lower && lower <= upper && upper.is_finite(), || say("not an interval".into()))?;
        demand(got.penetrating == (upper == 0.0), || say(format!("penetrating is {}", got.penetrating)))?;
        demand(got.penetrating == self.truth.overlap || self.doubtful(), || say("the wrong boolean".into()))?;
        let slack = self.distance_slack();
        let outside = if self.doubtful() { slack } else { 0.0 };
        demand(lower <= high + outside && upper >= low - outside, || say("does not contain the truth".into()))?;
        demand(upper - lower <= slack, || say(format!("wider than {slack:e}")))?;
        demand(lower >= low - slack && upper <= high + slack, || say(format!("off by more than {slack:e}")))?;
        match &got.witness {
            None => demand(got.penetrating, || say("no witness".into())),
            Some(_) if got.penetrating => Ok(()),
            Some(w) => {
                let slack = slack + 2.0 * self.ulp;
                let apart = w.points[0].distance(w.points[1]);
                let off = (apart - self.truth.mid_distance()).abs();
                demand(off <= slack, || say(format!("witnesses {:?} are {apart:e} apart", w.points)))?;
                self.witness(w, slack)
            }
        }
    }

    pub(crate) fn within(&self, got: &Within, tolerance: f64) -> Check {
        let [low, high] = self.truth.distance;
        let say = |s: &str| format!("within {tolerance:e}: {s}: {}, truly {:?}", got.within, self.truth);
        let slack = self.distance_slack();
        if self.doubtful() && tolerance <= slack {
            return Ok(());
        }
        demand(got.within || tolerance < high, || say("they are that near"))?;
        let far = low - tolerance > slack || (tolerance == 0.0 && !self.truth.overlap);
        demand(!got.within || !far, || say("they are farther"))?;
        let Some(w) = &got.witness else { return Ok(()) };
        let apart = w.points[0].distance(w.points[1]);
        let slack = slack + 2.0 * self.ulp;
        demand(apart <= tolerance + slack, || say(&format!("witnesses {:?} are {apart:e} apart", w.points)))?;
        self.witness(w, slack)
    }

    pub(crate) fn penetration(&self, got: &Penetration, engine: Method) -> Check {
        let (lower, upper) = (got.interval.lower, got.interval.upper);
        let [low, high] = self.truth.depth;
        let say = |s: String| format!("penetration: {s}: {got:?}, truly {:?}", self.truth);
        demand(got.semantics == Semantics::Solid, || "convex bodies are solid".into())?;
        demand(0.0 <= lower && lower <= upper && upper.is_finite(), || say("not an interval".into()))?;
        let Some(direction) = got.direction else {
            demand(!self.truth.overlap || self.doubtful(), || say("they overlap".into()))?;
            return demand(upper == 0.0, || say("apart, but deep".into()));
        };
        demand(self.truth.overlap || self.doubtful(), || say("they are apart".into()))?;
        demand((direction.length() - 1.0).abs() <= 1e-12, || say("the direction is not a unit vector".into()))?;
        if got.kind == DepthKind::Estimate {
            let said = engine == Method::VClip && lower == 0.0;
            return demand(said, || say("only V-Clip may estimate, and its lower end is 0".into()));
        }
        demand(got.kind == DepthKind::Exact, || say("not exact".into()))?;
        let slack = self.depth_slack();
        let outside = if self.doubtful() { slack } else { 0.0 };
        demand(lower <= high + outside && upper >= low - outside, || say("does not contain the truth".into()))?;
        demand(lower >= low - slack && upper <= high + slack, || say(format!("off by more than {slack:e}")))?;
        let needed = self.height(direction);
        demand(needed <= high + 2.0 * slack, || say(format!("to part them that way takes {needed:e}")))?;
        let Some(w) = &got.witness else { return Err(say("no witness".into())) };
        let slack = slack + 2.0 * self.ulp;
        let off = (w.points[0] - w.points[1] - direction * self.truth.mid_depth()).length();
        demand(off <= 2.0 * slack, || say(format!("the witnesses do not span the depth: {off:e} off")))?;
        self.witness(w, slack)
    }

    /// How far `b` has to move along the world direction `n` to be beyond `a`.
    fn height(&self, n: DVec3) -> f64 {
        let n = DMat3::from_quat(self.scene.pose_a.rotation()).transpose() * n;
        let most = self.scene.a.iter().map(|p| n.dot(*p)).fold(f64::NEG_INFINITY, f64::max);
        let least = self.scene.moved_b().iter().map(|p| n.dot(*p)).fold(f64::INFINITY, f64::min);
        most - least
    }

    pub(crate) fn contacts(&self, got: &Contacts) -> Check {
        let slack = 1e-9 * self.size() + self.posing + 2.0 * self.ulp;
        for contact in got.iter() {
            let say = |s: String| format!("contacts: {s}: {contact:?}, truly {:?}", self.truth);
            demand(contact.pair == [0, 0], || say("the only pair is [0, 0]".into()))?;
            let unit = (contact.normal.length() - 1.0).abs() <= 1e-9;
            demand(unit, || say("the normal is not a unit vector".into()))?;
            let Some(depth) = contact.depth else { return Err(say("no depth".into())) };
            let [low, high] = self.truth.depth;
            demand(depth.lower <= high + slack && depth.upper >= low - slack, || say("the depth is wrong".into()))?;
            let needed = self.height(contact.normal);
            demand(needed <= high + 2.0 * slack, || say(format!("to part them that way takes {needed:e}")))?;
            demand(!contact.points.is_empty(), || say("no points".into()))?;
            for points in contact.points.iter() {
                for (i, p) in points.iter().enumerate() {
                    let off = self.solids[i].outside(self.home(i, *p));
                    demand(off <= slack, || say(format!("{p} is {off:e} off its body")))?;
                }
                let along = (points[0] - points[1]).dot(contact.normal);
                let fits = along >= -slack && along <= high + slack;
                demand(fits, || say(format!("{points:?} are {along:e} deep")))?;
            }
        }
        Ok(())
    }

    fn pose(&self, body: usize) -> &Pose {
        if body == 0 { &self.scene.pose_a } else { &self.scene.pose_b }
    }

    /// The point of the body that stands at `p`.
    fn home(&self, body: usize, p: DVec3) -> DVec3 {
        let pose = self.pose(body);
        DMat3::from_quat(pose.rotation()).transpose() * (p - pose.translation())
    }

    fn witness(&self, w: &Witness, slack: f64) -> Check {
        for body in 0..2 {
            let p = self.home(body, w.points[body]);
            let say = |s: String| format!("witness {body}: {s}: {w:?}");
            let off = self.solids[body].outside(p);
            // Four times the usual tolerance: for needles that touch within rounding, errors of 2.4e-12 of their size
            // were seen.
            demand(off <= 4.0 * slack, || say(format!("{off:e} off the body")))?;
            let Feature::Convex { piece: 0, element } = w.features[body] else {
                return Err(say("not a feature of a convex body".into()));
            };
            let Some(off) = self.off_element(body, element, p) else { return Err(say("no such feature".into())) };
            demand(off <= 4.0 * slack, || say(format!("{off:e} off its feature")))?;
        }
        Ok(())
    }

    fn off_element(&self, body: usize, element: Element, p: DVec3) -> Option<f64> {
        let points = if body == 0 { &self.scene.a } else { &self.scene.b };
        let at = |i: u32| points.get(i as usize).copied();
        match element {
            Element::Vertex(i) => Some(at(i)?.distance(p)),
            Element::Edge([i, j]) => Some(segment(p, at(i)?, at(j)?)),
            Element::Face(f) => {
                let hull = &self.hulls[body];
                let corners: Vec<DVec3> = hull.face_corners(f)?.map(|v| hull.vertices()[v as usize]).collect();
                Some(polygon(p, &corners))
            }
            Element::Inside => Some(self.solids[body].outside(p)),
            Element::Surface => None,
        }
    }
}
