//! A lower bound on the depth of two solids, by two balls about one point that lie one in each.
//!
//! Let a point lie inside both bodies, `r` below the surface of the one and `s` below that of the other. The balls of
//! these radii about it lie in the bodies, and after a shift shorter than `r + s` they still have a common point: no
//! shorter translation separates the bodies. About the middle between the points that touch last, `r + s` comes near to
//! the depth; for balls and slabs it is the depth.
//!
//! A solid by winding number that is not closed has no such balls: its inside may end where there is no surface.
//!
//! Cost: for each body a test for being inside and a distance to its surface.

use glam::DVec3;

use crate::answer::Stats;
use crate::math::Relative;
use crate::model::round::Core;
use crate::narrow::body::BodyKind;
use crate::narrow::mesh::mesh_solid;
use crate::narrow::solid::Solid;
use crate::prim::Support;

/// A point as a convex body.
#[derive(Debug)]
struct Point(DVec3);

impl Support for Point {
    fn support(&self, _: DVec3) -> DVec3 {
        self.0
    }

    fn centre(&self) -> DVec3 {
        self.0
    }

    fn radius(&self) -> f64 {
        0.0
    }
}

/// A lower bound on how deep the point lies below the surface of a body, all in the body's frame; 0 when outside.
pub(crate) fn buried(body: &BodyKind<'_>, point: DVec3, stats: &mut Stats) -> f64 {
    match body {
        BodyKind::Mesh(mesh) if mesh.is_solid() && mesh.report().closed => {
            let point = Solid { core: Core::Smooth(&Point(point)), margin: 0.0 };
            mesh_solid::buried(mesh, &point, &Relative::IDENTITY, stats)
        }
        BodyKind::Mesh(_) => 0.0,
        BodyKind::Solid(solid) => in_solid(solid, point),
        BodyKind::Parts(parts) => {
            let depth = |piece| in_solid(&Solid::polyhedron(piece), point);
            parts.pieces().iter().map(depth).fold(0.0, f64::max)
        }
    }
}

fn in_solid(solid: &Solid<'_>, point: DVec3) -> f64 {
    match solid.core {
        Core::Polyhedron(convex) if convex.face_count() >= 4 => {
            let inner = (0..convex.face_count() as u32).map(|f| -convex.height(f, point)).fold(f64::INFINITY, f64::min);
            if inner >= 0.0 { inner + solid.margin } else { 0.0 }
        }
        Core::Polyhedron(convex) if convex.vertex_count() == 1 => {
            (solid.margin - point.distance(convex.vertex(0))).max(0.0)
        }
        Core::HalfSpace { normal, offset } => (offset - normal.dot(point) + solid.margin).max(0.0),
        Core::Polyhedron(_) | Core::Smooth(_) => 0.0,
    }
}
