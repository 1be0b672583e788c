//! Casts of bodies: when one that moves straight, without turning, first touches one that stands.
//!
//! Two balls have a formula ([`super::two_balls`]), a ball against a mesh has a search of its own
//! ([`super::ball_cast`]), any other convex body too ([`super::convex_cast`]), and two convex bodies are one cast
//! against their difference ([`crate::time::impact::ray_cast`]). These give a bound from below, and mostly a proof that
//! the bodies touch soon after. Where that is missing, a static test a little later, which is exact, shows it. All
//! other pairs are answered as [`crate::Pair::impact`] answers.

use glam::DVec3;

use super::ball_cast::{BallContact, ball_on_mesh};
use super::convex_cast::convex_on_mesh;
use super::mesh_path::MeshPath;
use super::two_balls::{BallMeeting, ball, two_balls};
use crate::answer::{Element, Feature, Stats};
use crate::math::{EPS, Interval, LIMIT, Pose, PoseError, Relative};
use crate::model::closed_form::ClosedForm;
use crate::model::round::Core;
use crate::model::{Mesh, Model};
use crate::narrow::Method;
use crate::narrow::body::BodyKind;
use crate::narrow::context::Context;
use crate::narrow::grid::dispatch::Query;
use crate::narrow::grid::memory::Memory;
use crate::narrow::mesh::mesh_contact::feature;
use crate::narrow::outcome::Outcome;
use crate::narrow::parts::piece::ConvexPiece;
use crate::narrow::proximity::{CommonPoint, Proximity};
use crate::narrow::solid::Solid;
use crate::path::{Span, Steady};
use crate::prim::closest_on;
use crate::threads::share;
use crate::time::ImpactOptions;
use crate::time::impact::facet::element_of;
use crate::time::impact::ray_cast::ray_cast;
use crate::time::impact_query::{ImpactMemory, MovingMemory, impact_by};
use crate::time::movers::two_bodies::Movers;

/// The number of casts that one thread takes at a time.
const GRAIN: usize = 8;
/// The bodies are tested when they have moved on by the first number, as a share
/// of the size of both, and then each time that it has moved on by the second number times as much.
const BEFORE_TEST: [f64; 2] = [1e-11, 16.0];
/// The most tests of that kind.
const MOST_TESTS: usize = 8;

/// The first contact of a body that moves straight.
///
/// ```
/// use impinge::{glam::DVec3, Model, Pose, Round};
/// let wall = Model::from(Round::cuboid(DVec3::new(2.0, 8.0, 8.0))?);
/// let (ball, from) = (Model::from(Round::sphere(0.5)?), Pose::at(DVec3::X * -6.0)?);
/// let hit = wall.cast(&Pose::IDENTITY, &ball, &from, DVec3::X * 9.0)?.expect("the wall is in the way");
/// assert!(hit.time.contains(0.5) && hit.certain && hit.normal == Some(-DVec3::X));
/// assert!(hit.point.is_some_and(|p| p.distance(-DVec3::X) < 1e-6));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CastHit {
    /// The time of the contact as a share of the motion: 0 where it begins, 1 where it ends. No contact before the
    /// lower end. At the upper end the bodies certainly touch, or the motion is over.
    pub time: Interval,
    /// Whether they certainly touch. If not, they pass each other so near that rounding leaves it open.
    pub certain: bool,
    /// Where, on the body that stands, in the world frame, to about 1e-7 of its size; `None` where one body is inside
    /// the other at the start.
    pub point: Option<DVec3>,
    /// The unit normal from the body that stands to the one that moves. `None` where nothing shows it: at the start, or
    /// where [`Pair::impact`](crate::Pair::impact) shows none.
    pub normal: Option<DVec3>,
    /// The part of the body that stands which is touched.
    pub feature: Option<Feature>,
}

impl CastHit {
    /// Whether a body can be cast along a motion.
    pub(crate) fn check_motion(motion: DVec3) -> Result<(), PoseError> {
        match motion.abs().max_element() {
            _ if !motion.is_finite() => Err(PoseError::NotFinite),
            most if most > LIMIT => Err(PoseError::TooLarge),
            _ => Ok(()),
        }
    }
}

impl Model {
    /// When does another body, which moves straight from a pose, first touch this one? `None` where it does not. A
    /// mesh that deforms is taken as it is when its step begins.
    ///
    /// The same answer as [`Pair::impact`](crate::Pair::impact) of such a motion, for less work. A point is cast
    /// exactly by [`Model::ray`].
    ///
    /// ```
    /// use impinge::{glam::DVec3, Mesh, Model, Pose, Round};
    /// let corners = [DVec3::ZERO, DVec3::X * 4.0, DVec3::Y * 4.0].to_vec();
    /// let floor = Model::from(Mesh::new(corners, vec![[0, 1, 2]])?);
    /// let crate_above = (Model::from(Round::cuboid(DVec3::ONE)?), Pose::at(DVec3::new(1.0, 1.0, 3.0))?);
    /// let hit = floor.cast(&Pose::IDENTITY, &crate_above.0, &crate_above.1, DVec3::Z * -5.0)?.expect("it falls");
    /// assert!(hit.time.contains(0.5) && hit.normal.is_some_and(|n| n.distance(DVec3::Z) < 1e-9));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The motion is not finite or beyond ±1e150.
    pub fn cast(&self, pose: &Pose, shape: &Model, from: &Pose, motion: DVec3) -> Result<Option<CastHit>, PoseError> {
        CastHit::check_motion(motion)?;
        Ok(ShapeCast { body: self, shape, poses: [*pose, *from], motion }.answer())
    }

    /// What [`Model::cast`] answers for each of many starts and motions of one shape, on all threads of the current
    /// pool.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Model, Pose, Round};
    /// let (wall, ball) = (Model::from(Round::cuboid(DVec3::ONE)?), Model::from(Round::sphere(0.5)?));
    /// let from = Pose::at(DVec3::X * -6.0)?;
    /// let hits = wall.casts(&Pose::IDENTITY, &ball, &[(from, DVec3::X * 9.0), (from, DVec3::Y)])?;
    /// assert!(hits[0].is_some() && hits[1].is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A motion is not finite or beyond ±1e150.
    pub fn casts(
        &self,
        pose: &Pose,
        shape: &Model,
        motions: &[(Pose, DVec3)],
    ) -> Result<Vec<Option<CastHit>>, PoseError> {
        share::map(motions.len(), GRAIN, |k| self.cast(pose, shape, &motions[k].0, motions[k].1)).into_iter().collect()
    }
}

/// A contact before which there is none, in the frame of the body that stands.
struct CastTouch {
    /// The share of the way.
    share: f64,
    /// A share at which the bodies certainly touch, if one is known.
    upper: Option<f64>,
    normal: DVec3,
    point: DVec3,
    feature: Option<Feature>,
}

/// One cast.
struct ShapeCast<'q> {
    body: &'q Model,
    shape: &'q Model,
    /// Of the body that stands, and of the other at the start.
    poses: [Pose; 2],
    motion: DVec3,
}

impl ShapeCast<'_> {
    fn answer(&self) -> Option<CastHit> {
        if let (Model::Round(body), Model::Round(shape)) = (self.body, self.shape)
            && let (Some(ball), Some(other)) = (ball(body), ball(shape))
            && let Some(meeting) = two_balls([ball, other], [&self.poses[0], &self.poses[1]], self.motion)
        {
            return self.on_ball(ball, meeting);
        }
        if self.passes_far() { None } else { self.of_shapes() }
    }

    /// Whether balls around the origins of both bodies do not meet on the way, by more than rounding.
    fn passes_far(&self) -> bool {
        let from = self.poses[1].translation() - self.poses[0].translation();
        let square = self.motion.length_squared();
        let share = if square > 0.0 { (-from.dot(self.motion) / square).clamp(0.0, 1.0) } else { 0.0 };
        let rounding = 1e-12 * (from.abs().max_element() + self.motion.abs().max_element());
        let [r, s] = [self.body, self.shape].map(|model| model.radius_about(DVec3::ZERO));
        let reach = (r + s) * (1.0 + 1e-9) + rounding;
        (from + self.motion * share).length_squared() > reach * reach
    }

    fn on_ball(&self, (centre, radius): (DVec3, f64), meeting: BallMeeting) -> Option<CastHit> {
        match meeting {
            BallMeeting::Never => None,
            BallMeeting::AtStart => self.by_impact(),
            BallMeeting::Touch { lower, upper, normal } => Some(CastHit {
                time: Interval { lower, upper: upper.unwrap_or(1.0) },
                certain: upper.is_some(),
                point: Some(self.poses[0].apply(centre) + normal * radius),
                normal: Some(normal),
                feature: Some(Feature::Convex { piece: 0, element: Element::Surface }),
            }),
        }
    }

    fn of_shapes(&self) -> Option<CastHit> {
        let placed = Relative::new(&self.poses[0], &self.poses[1]);
        let way = self.poses[0].rotation_matrix().transpose() * self.motion;
        let is_bounded = |solid: &Solid<'_>| !matches!(solid.core, Core::HalfSpace { .. });
        match (BodyKind::of(self.body), BodyKind::of(self.shape)) {
            _ if self.motion == DVec3::ZERO => self.by_impact(),
            (BodyKind::Solid(body), BodyKind::Solid(shape)) if is_bounded(&body) && is_bounded(&shape) => {
                // The body that stands is cast towards the other.
                let found = ray_cast([&body, &shape], &placed, -way, &mut Stats::default())?;
                let (share, point) = (found.share, found.point + found.normal * body.margin);
                let feature = found
                    .corners
                    .map(|(_, names)| Feature::Convex { piece: 0, element: element_of(&body, names, 0, found.normal) });
                let touch = CastTouch { share, upper: found.upper, normal: found.normal, point, feature };
                self.confirmed(&placed, way, touch)
            }
            (BodyKind::Mesh(mesh), BodyKind::Solid(shape)) if is_bounded(&shape) => {
                self.on_mesh(mesh, &shape, &placed, way)
            }
            _ => self.by_impact(),
        }
    }

    fn on_mesh(&self, mesh: &Mesh, shape: &Solid<'_>, placed: &Relative, way: DVec3) -> Option<CastHit> {
        if self.is_inside_at_start(mesh, placed) {
            return self.by_impact();
        }
        if let Model::Round(round) = self.shape
            && let (Some(ClosedForm::Point(centre)), true) = (round.form(), shape.margin > 0.0)
        {
            let path = MeshPath::new(mesh, placed.apply(*centre), way, DVec3::splat(shape.margin))?;
            let found = ball_on_mesh(&path, shape.margin)?;
            return Some(self.ball_hit(&path, &found));
        }
        let piece = ConvexPiece::Solid(*shape);
        let reach = |d: DVec3| {
            piece.farthest(placed.rotation.transpose() * d).map_or(0.0, |p| d.dot(placed.rotation * p)) + shape.margin
        };
        let ends = |axis: DVec3| [-reach(-axis), reach(axis)];
        let sides = [ends(DVec3::X), ends(DVec3::Y), ends(DVec3::Z)];
        let middle = DVec3::from_array(sides.map(|[low, high]| 0.5 * (low + high)));
        let half = DVec3::from_array(sides.map(|[low, high]| 0.5 * (high - low))) * (1.0 + 16.0 * EPS);
        let path = MeshPath::new(mesh, placed.translation + middle, way, half)?;
        let near = Relative { translation: placed.translation + path.unit * path.shift, ..*placed };
        let found = convex_on_mesh(&path, shape, &near, &mut Stats::default())?;
        // As far as the start of the path is off, seen along the path.
        let off = 2.0 * path.off / found.normal.dot(path.unit).abs();
        let share = |way: f64| (way + path.shift) / (path.length + path.shift);
        let upper = found.upper.map(|upper| share(upper + off) * (1.0 + 4.0 * EPS)).filter(|upper| *upper <= 1.0);
        let share = share(found.lower - off) * (1.0 - 4.0 * EPS);
        let (point, part) = closest_on(&mesh.corners(found.place), found.point, path.scale);
        let feature = Some(feature(mesh, found.place, part));
        self.confirmed(placed, way, CastTouch { share: share.max(0.0), upper, normal: found.normal, point, feature })
    }

    /// Whether the shape may be inside of a solid mesh from the beginning, without touching its surface.
    fn is_inside_at_start(&self, mesh: &Mesh, placed: &Relative) -> bool {
        let (middle, bounds) = (placed.translation, mesh.aabb());
        let touches = |shape: f64| {
            (bounds.min - shape).cmple(middle).all() && middle.cmple(bounds.max + shape).all() && mesh.is_solid()
        };
        touches(self.shape.reach()) && matches!(self.nearest(placed, 0.0), Outcome::Contained(_))
    }

    fn ball_hit(&self, path: &MeshPath<'_>, found: &BallContact) -> CastHit {
        let pose = &self.poses[0];
        let share = |length: f64| ((length + path.shift) / (path.length + path.shift)).clamp(0.0, 1.0);
        let time = match found.upper {
            Some(upper) if upper <= 0.0 && path.shift == 0.0 => Interval::ZERO,
            _ => Interval {
                lower: share(found.lower - path.off) * (1.0 - 4.0 * EPS),
                upper: found.upper.map_or(1.0, |upper| (share(upper + path.off) * (1.0 + 4.0 * EPS)).min(1.0)),
            },
        };
        CastHit {
            time,
            certain: found.upper.is_some(),
            point: Some(pose.apply(path.start + found.point)),
            normal: Some(pose.rotate(found.normal)),
            feature: Some(feature(path.mesh, found.place, found.part)),
        }
    }

    /// The contact before which there is none, with a proof a little later that the bodies touch.
    fn confirmed(&self, placed: &Relative, way: DVec3, touch: CastTouch) -> Option<CastHit> {
        let CastTouch { share, mut upper, normal, point, mut feature } = touch;
        if share <= 0.0 {
            return self.by_impact();
        }
        let size = self.body.reach() + self.shape.reach() + placed.translation.length();
        let mut more = BEFORE_TEST[0] * size / normal.dot(way).abs();
        for _ in 0..MOST_TESTS {
            if upper.is_some() {
                break;
            }
            let later = (share + more).max(share.next_up());
            if later > 1.0 || later.is_nan() {
                break;
            }
            let later_at = Relative { translation: placed.translation + way * later, ..*placed };
            match self.nearest(&later_at, 0.0) {
                Outcome::Touching(common) => {
                    (upper, feature) = (Some(later), feature.or_else(|| feature_of(&common)));
                }
                Outcome::Contained(_) => upper = Some(later),
                Outcome::Beyond | Outcome::Apart(_) => more *= BEFORE_TEST[1],
            }
        }
        let pose = &self.poses[0];
        Some(CastHit {
            time: Interval { lower: share, upper: upper.unwrap_or(1.0) },
            certain: upper.is_some(),
            point: Some(pose.apply(point)),
            normal: normal.try_normalize().map(|n| pose.rotate(n)),
            feature,
        })
    }

    /// How near the bodies are, with the shape at a place in the frame of the body.
    fn nearest(&self, placed: &Relative, enough: f64) -> Proximity {
        let query = Query { a: self.body, b: self.shape, b_in_a: *placed, method: Method::Auto };
        query.nearest(enough, Context::new(&mut Memory::default(), &mut Stats::default()))
    }

    /// By the search for the first impact of two moving bodies.
    fn by_impact(&self) -> Option<CastHit> {
        let still = |model: &Model| match model {
            Model::Deforming(body) => body.mesh().clone().into(),
            other => other.clone(),
        };
        let models = [still(self.body), still(self.shape)];
        let moving = Steady::straight(self.poses[1], self.motion, 0.0).ok()?;
        let movers = Movers { models: [&models[0], &models[1]], motions: [&Steady::still(self.poses[0]), &moving] };
        let (mut memory, mut search, mut stats) = (Memory::default(), ImpactMemory::default(), Stats::default());
        let memory = &mut MovingMemory { pair: &mut memory, search: &mut search };
        let found = impact_by(&movers, Span::UNIT, &ImpactOptions::default(), Context::new(memory, &mut stats))?;
        Some(CastHit {
            time: found.time,
            certain: found.certain,
            point: found.witness.map(|near| near.points[0]),
            normal: found.normal,
            feature: found.witness.map(|near| near.features[0]),
        })
    }
}

/// The part of the body that stands which has a common point.
fn feature_of(common: &CommonPoint) -> Option<Feature> {
    match common {
        CommonPoint::OfBodies(witness) => Some(witness.features[0]),
        CommonPoint::OfTriangles(_, features) => Some(features[0]),
    }
}
