//! A box around a body at a pose, in constant time: all that the broad phases know of a body.
//!
//! Cohen, Lin, Manocha and Ponamgi, *I-COLLIDE*, 1995, §3.1, compare two: a cube that holds the body however it is
//! turned, which only has to be moved; and the smallest box, which is fitted again when the body turns. Fitting takes
//! six supports of a convex body. A mesh is taken as the boxes of its tree's uppermost nodes, turned: looser than the
//! smallest box by some per cent, whatever the number of triangles.
//!
//! Invariant: the box holds the body as every engine places it; faces are moved out by more than the rounding.

use glam::{DMat3, DVec3};

use super::convex::parts::Parts;
use super::convex::polyhedron::Convex;
use super::kinds::Model;
use super::mesh::deforming_mesh::Deforming;
use super::round::{Core, Round};
use crate::bound::Aabb;
use crate::math::{EPS, Pose};
use crate::prim::Support;

/// Which box represents a body in a broad phase.
///
/// ```
/// use impinge::{glam::DVec3, Model, Outline, Pose, Round};
/// let pill = Model::from(Round::capsule(0.5, 2.0)?);
/// let [fitted, cube] = [Outline::Fitted, Outline::Cube].map(|outline| pill.outline(&Pose::IDENTITY, outline));
/// // The cube holds the body however it is turned, so it need not be made anew when the body turns.
/// assert!(fitted.is_some_and(|b| b.max.distance(DVec3::new(0.5, 0.5, 1.5)) < 1e-12));
/// assert!(cube.is_some_and(|b| b.max.cmpge(DVec3::splat(1.5)).all()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Outline {
    /// A small box, fitted whenever the body moves.
    #[default]
    Fitted,
    /// A cube that holds the body however it is turned: for bodies that spin fast, or are round.
    Cube,
}

crate::error::named! { Outline { Fitted = "fitted", Cube = "cube" } }

/// So few vertices are turned in less time than six of them are found; of boxes in a world a quarter of it.
const FEW: usize = 16;

impl Model {
    /// A box around the body at a pose; `None` where it has no bounds (a half-space), [`Aabb::EMPTY`] where it has no
    /// points. Of a mesh that deforms it holds the whole step.
    ///
    /// ```
    /// use impinge::{glam::{DQuat, DVec3}, Model, Outline, Pose, Round};
    /// let pill = Model::from(Round::capsule(0.5, 2.0)?);
    /// let lying = Pose::new(DVec3::X * 10.0, DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2))?;
    /// let bounds = pill.outline(&lying, Outline::Fitted).expect("a pill has an end");
    /// assert!((bounds.max - DVec3::new(11.5, 0.5, 0.5)).abs().max_element() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn outline(&self, pose: &Pose, outline: Outline) -> Option<Aabb> {
        let tight = match self {
            Model::Mesh(mesh) if mesh.is_empty() => return Some(Aabb::EMPTY),
            Model::Mesh(mesh) => mesh.tree().outline(&pose.rotation_matrix()),
            Model::Deforming(body) if body.is_empty() => return Some(Aabb::EMPTY),
            Model::Deforming(body) => of_deforming(body, &pose.rotation_matrix()),
            Model::Convex(body) => of_convex(body, &pose.rotation_matrix()),
            Model::Round(round) => of_round(round, &pose.rotation_matrix())?,
            Model::Parts(parts) => of_parts(parts, &pose.rotation_matrix()),
        };
        let turned = match outline {
            Outline::Fitted => tight,
            Outline::Cube => self.cube(pose)?,
        };
        let shift = pose.translation();
        let out = DVec3::splat(64.0 * EPS * (self.reach() + shift.abs().max_element()));
        Some(Aabb { min: turned.min + shift - out, max: turned.max + shift + out })
    }

    /// The cube, before it is moved.
    fn cube(&self, pose: &Pose) -> Option<Aabb> {
        let (centre, radius) = self.ball()?;
        let middle = pose.rotate(centre);
        Some(Aabb { min: middle - radius, max: middle + radius })
    }

    /// A ball around the body in its own frame.
    fn ball(&self) -> Option<(DVec3, f64)> {
        match self {
            Model::Mesh(mesh) => {
                let b = mesh.aabb();
                Some((b.centre(), (b.max * 0.5 - b.min * 0.5).length()))
            }
            Model::Deforming(body) => {
                let b = &body.bounds;
                Some((b.centre(), (b.max * 0.5 - b.min * 0.5).length()))
            }
            Model::Convex(body) => Some((body.centre(), body.radius())),
            Model::Round(round) => {
                let (centre, radius) = match round.core() {
                    Core::Polyhedron(body) => (body.centre(), body.radius()),
                    Core::Smooth(body) => (body.centre(), body.radius()),
                    Core::HalfSpace { .. } => return None,
                };
                Some((centre, radius + round.margin()))
            }
            Model::Parts(parts) => {
                let root = parts.body(parts.root());
                Some((root.centre(), root.radius() + parts.slack(parts.root())))
            }
        }
    }

    /// The radius of a ball around the body; infinite where it has no bounds.
    pub(crate) fn radius(&self) -> f64 {
        self.ball().map_or(f64::INFINITY, |(_, radius)| radius)
    }

    /// No point of the body is farther from its own origin; 0 where it has no bounds.
    pub(crate) fn reach(&self) -> f64 {
        self.ball().map_or(0.0, |(centre, radius)| centre.length() + radius)
    }

    /// No point of the body is farther from a point of its frame; infinite where it has no bounds.
    pub(crate) fn radius_about(&self, centre: DVec3) -> f64 {
        self.ball().map_or(f64::INFINITY, |(middle, radius)| middle.distance(centre) + radius)
    }
}

impl Model {
    /// The radius that counts when the body turns about a point of its frame: the margin of a round body is the same
    /// all around, so it is that of the core. Infinite where the body has no bounds.
    pub(crate) fn turning_radius(&self, centre: DVec3) -> f64 {
        let margin = if let Model::Round(round) = self { round.margin() } else { 0.0 };
        self.ball().map_or(f64::INFINITY, |(middle, radius)| {
            middle.distance(centre) + (radius - margin).max(0.0) + 8.0 * EPS * radius
        })
    }

    /// No point of the body reaches farther along a unit direction of its own frame, up to rounding; infinite where it
    /// has no bounds that way.
    pub(crate) fn reach_along(&self, d: DVec3) -> f64 {
        match self {
            Model::Mesh(mesh) if mesh.is_empty() => f64::NEG_INFINITY,
            Model::Mesh(mesh) => mesh.tree().outline(&onto(d)).max.x,
            Model::Deforming(body) if body.is_empty() => f64::NEG_INFINITY,
            Model::Deforming(body) => of_deforming(body, &onto(d)).max.x,
            Model::Convex(body) => d.dot(body.vertex(body.support(d, 0))),
            Model::Round(round) => {
                let core = match round.core() {
                    Core::Polyhedron(body) => d.dot(body.vertex(body.support(d, 0))),
                    Core::Smooth(body) => d.dot(Support::support(body, d)),
                    Core::HalfSpace { normal, offset } if (normal - d).length_squared() < 1e-24 => offset,
                    Core::HalfSpace { .. } => f64::INFINITY,
                };
                core + round.margin()
            }
            Model::Parts(parts) => {
                let (root, slack) = (parts.body(parts.root()), parts.slack(parts.root()));
                d.dot(root.vertex(root.support(d, 0))) + slack
            }
        }
    }

    /// The outward normal, in the body's frame, of a body that is a half-space.
    pub(crate) fn floor(&self) -> Option<DVec3> {
        match self {
            Model::Round(round) => match round.core() {
                Core::HalfSpace { normal, .. } => Some(normal),
                _ => None,
            },
            _ => None,
        }
    }
}

/// The extents along the axes of the world, given the farthest point along a direction of the body.
fn by_supports(turn: &DMat3, mut farthest: impl FnMut(DVec3) -> DVec3) -> Aabb {
    let rows = turn.transpose();
    let [x, y, z] = [rows.x_axis, rows.y_axis, rows.z_axis];
    let high = DVec3::new(x.dot(farthest(x)), y.dot(farthest(y)), z.dot(farthest(z)));
    let low = DVec3::new(x.dot(farthest(-x)), y.dot(farthest(-y)), z.dot(farthest(-z)));
    Aabb { min: low, max: high }
}

/// The turn that takes a unit direction to the first axis.
fn onto(d: DVec3) -> DMat3 {
    let (across, beyond) = d.any_orthonormal_pair();
    DMat3::from_cols(d, across, beyond).transpose()
}

/// Vertices move straight: what holds them at both ends holds them in between.
fn of_deforming(body: &Deforming, turn: &DMat3) -> Aabb {
    let [start, end] = &body.trees;
    start.outline(turn).join(&end.outline(turn))
}

fn of_convex(body: &Convex, turn: &DMat3) -> Aabb {
    if body.vertex_count() > FEW {
        return by_supports(turn, |d| body.vertex(body.support(d, 0)));
    }
    let first = *turn * body.vertex(0);
    (1..body.vertex_count() as u32).fold(Aabb { min: first, max: first }, |all, v| {
        let p = *turn * body.vertex(v);
        Aabb { min: all.min.min(p), max: all.max.max(p) }
    })
}

fn of_round(round: &Round, turn: &DMat3) -> Option<Aabb> {
    let core = match round.core() {
        Core::Polyhedron(body) => of_convex(body, turn),
        Core::Smooth(body) => by_supports(turn, |d| Support::support(body, d)),
        Core::HalfSpace { .. } => return None,
    };
    Some(Aabb { min: core.min - round.margin(), max: core.max + round.margin() })
}

fn of_parts(parts: &Parts, turn: &DMat3) -> Aabb {
    let root = of_convex(parts.body(parts.root()), turn);
    let slack = parts.slack(parts.root());
    Aabb { min: root.min - slack, max: root.max + slack }
}
