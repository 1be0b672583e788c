//! A body at its pose: its triangles and its box in the world.

use glam::DVec3;

use crate::bound::Aabb;
use crate::math::{Pose, Relative};
use crate::model::{Convex, Mesh, Model, Outline};

pub(super) use crate::prim::Triangle;

/// A model and its pose.
#[derive(Debug, Clone, Copy)]
pub(super) struct BodyAt<'m> {
    pub(super) model: &'m Model,
    pub(super) pose: Pose,
    /// Whether the pose is the identity: then coordinates are used as they are, without any rounding.
    in_place: bool,
}

impl<'m> BodyAt<'m> {
    pub(super) fn new(model: &'m Model, pose: &Pose) -> BodyAt<'m> {
        BodyAt { model, pose: *pose, in_place: *pose == Pose::IDENTITY }
    }

    pub(super) fn is_in_place(&self) -> bool {
        self.in_place
    }

    pub(super) fn mesh(&self) -> Option<&'m Mesh> {
        self.model.mesh().map(|mesh| &**mesh)
    }

    /// Whether it has no inside, so that nothing can be deep in it.
    pub(super) fn is_surface(&self) -> bool {
        self.mesh().is_some_and(|mesh| !mesh.is_solid())
    }

    /// Whether it is a convex solid with a margin of 0 or more; a mesh is not, whatever its form.
    pub(super) fn is_convex_shape(&self) -> bool {
        matches!(self.model, Model::Round(_) | Model::Convex(_))
    }

    /// The polyhedron that the shape is, without its margin; `None` of smooth shapes, and of bodies that are no shapes.
    pub(super) fn polyhedron(&self) -> Option<&'m Convex> {
        match self.model {
            Model::Convex(convex) => Some(convex),
            Model::Round(round) => round.polyhedron(),
            Model::Mesh(_) | Model::Deforming(_) | Model::Parts(_) => None,
        }
    }

    /// The margin around the polyhedron, or around the smooth shape.
    pub(super) fn margin(&self) -> f64 {
        match self.model {
            Model::Round(round) => round.margin(),
            _ => 0.0,
        }
    }

    /// The point of the world where the body's point stands.
    pub(super) fn to_world(self, p: DVec3) -> DVec3 {
        if self.in_place { p } else { self.pose.apply(p) }
    }

    /// The body's point that stands at this point of the world.
    pub(super) fn to_body(self, p: DVec3) -> DVec3 {
        if self.in_place { p } else { Relative::new(&self.pose, &Pose::IDENTITY).apply(p) }
    }

    /// A triangle of a mesh, in the world.
    pub(super) fn triangle(&self, i: u32) -> Option<Triangle> {
        let triangle = self.mesh()?.triangle(i)?;
        Some(if self.in_place { triangle } else { triangle.map(|p| self.pose.apply(p)) })
    }

    /// All triangles of a mesh, in the world.
    pub(super) fn triangles(&self) -> impl Iterator<Item = Triangle> {
        let count = self.mesh().map_or(0, Mesh::triangle_count) as u32;
        (0..count).filter_map(|i| self.triangle(i))
    }

    /// The box around the body in the world: the least one of a mesh at the identity, else one that is not much larger.
    /// `None` of a body without end, and of an empty one.
    pub(super) fn bounds(&self) -> Option<Aabb> {
        match self.mesh() {
            Some(mesh) if self.in_place => mesh.bounds().map(|[min, max]| Aabb::new(min, max)),
            _ => self.model.outline(&self.pose, Outline::Fitted),
        }
    }
}
