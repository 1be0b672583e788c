//! How far the points of a body move at most from one pose to the next: what searches that remember have to allow for.
//!
//! The difference of two rotations stretches no vector by more than its Frobenius norm over `√2`: it is zero along the
//! axis of the turn from the one to the other, and stretches all across it alike. So a point at most `radius` away from
//! a centre moves by no more than the centre does, and that times the radius.
//!
//! Invariant: what is returned is no less than the true displacement of any point in the ball. Cost: 18 products.

use std::f64::consts::FRAC_1_SQRT_2;

use glam::DVec3;

use super::body::BodyKind;
use crate::math::{EPS, Relative, normalising_scale};
use crate::model::round::Core;

/// A ball that holds all points of a body, in the body's frame.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MovedBall {
    pub(crate) centre: DVec3,
    pub(crate) radius: f64,
    /// Largest absolute coordinate of the body.
    pub(crate) reach: f64,
    /// A power of two that brings lengths near 1, so that no square vanishes.
    pub(crate) scale: f64,
}

impl MovedBall {
    /// The ball around a body; `None` for a half-space, and for a mesh without triangles.
    pub(crate) fn around(body: &BodyKind<'_>) -> Option<MovedBall> {
        let (centre, radius, reach) = match body {
            BodyKind::Mesh(mesh) if mesh.is_empty() => return None,
            BodyKind::Mesh(mesh) => (mesh.aabb().centre(), mesh.radius(), mesh.aabb().reach()),
            BodyKind::Parts(parts) => {
                let (hull, slack) = (parts.body(parts.root()), parts.slack(parts.root()));
                (hull.centre(), hull.radius() + slack, hull.reach() + slack)
            }
            BodyKind::Solid(solid) => match solid.core {
                Core::Polyhedron(hull) => (hull.centre(), hull.radius() + solid.margin, hull.reach() + solid.margin),
                Core::Smooth(body) => {
                    let radius = body.radius() + solid.margin;
                    (body.centre(), radius, body.centre().abs().max_element() + radius)
                }
                Core::HalfSpace { .. } => return None,
            },
        };
        Some(MovedBall { centre, radius, reach, scale: normalising_scale(reach) })
    }

    /// How far any point of the body is moved at most between two poses.
    #[inline]
    pub(crate) fn displacement(&self, from: &Relative, to: &Relative) -> f64 {
        let turn = to.rotation - from.rotation;
        let norm = [turn.x_axis, turn.y_axis, turn.z_axis].iter().map(|c| c.length_squared()).sum::<f64>().sqrt();
        let centre: DVec3 = turn * (self.centre * self.scale) + (to.translation - from.translation) * self.scale;
        let reach = self.reach + from.translation.abs().element_sum() + to.translation.abs().element_sum();
        let turned = (norm * FRAC_1_SQRT_2 + 16.0 * EPS) * (1.0 + 1e-9) * self.radius;
        centre.length() / self.scale + turned + 16.0 * EPS * reach
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::narrow::convex::polyhedra::cases::{Random, placed};

    /// No corner moves farther, and where the turn is about an axis through the centre the bound is nearly met.
    #[test]
    fn no_point_moves_farther() {
        let mut random = Random(5);
        for size in [1e-160, 1.0, 1e100] {
            let mut tightest: f64 = 0.0;
            for round in 0..300 {
                let centre = if round % 2 == 0 { DVec3::ZERO } else { 3.0 * size * random.vector() };
                let way = if round % 2 == 0 { DVec3::ZERO } else { size * random.vector() };
                let at = size * random.vector();
                let (from, to) = (placed(random.rotation(), at), placed(random.rotation(), at + way));
                let reach = centre.abs().max_element() + size;
                let ball = MovedBall { centre, radius: size, reach, scale: normalising_scale(reach) };
                let most = ball.displacement(&from, &to);
                for _ in 0..50 {
                    let p = centre + size * random.vector().normalize();
                    let moved = (to.apply(p) - from.apply(p)) / size;
                    assert!(moved.length() * size <= most);
                    tightest = tightest.max(moved.length() * size / most);
                }
            }
            assert!(tightest > 0.99, "{tightest}");
        }
    }
}
