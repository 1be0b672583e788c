//! Oriented boxes with a padding, and balls: volumes around nodes that searches through time bound.

use glam::DVec3;

use crate::math::Relative;
use crate::model::round::Core;
use crate::narrow::body::BodyKind;
use crate::narrow::solid::Solid;

/// The share of its half extents by which an oriented box may be too small: its axes are orthonormal up to `2⁻²²`.
const SKEW: f64 = 2e-6;

/// A box with a padding around it, or a ball, which is a box without extents. It holds a node or a piece of a body.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PaddedBox {
    pub(crate) centre: DVec3,
    /// Unit axes of the box, and half its extents along them.
    pub(crate) axes: [DVec3; 3],
    pub(crate) half: DVec3,
    /// How far the body may reach beyond the box; the radius of a ball.
    pub(crate) padding: f64,
    /// No point of the box and its padding is farther from the centre.
    pub(crate) radius: f64,
    /// Whether it stands for the border of a half-space, which is unbounded: there is a gap only along the normal.
    pub(crate) endless: bool,
}

impl PaddedBox {
    pub(crate) fn ball(centre: DVec3, radius: f64) -> PaddedBox {
        PaddedBox { centre, axes: [DVec3::ZERO; 3], half: DVec3::ZERO, padding: radius, radius, endless: false }
    }

    /// The second largest of its half extents, padding included: how large a box looks along its longest side.
    pub(crate) fn breadth(&self) -> f64 {
        let DVec3 { x, y, z } = self.half;
        x.min(y).max(z.min(x.max(y))) + self.padding
    }

    /// Half of how far the box reaches along a direction, without the padding.
    #[inline(always)]
    pub(crate) fn extent(&self, d: DVec3) -> f64 {
        let [x, y, z] = self.axes;
        x.dot(d).abs() * self.half.x + y.dot(d).abs() * self.half.y + z.dot(d).abs() * self.half.z
    }

    /// The point of the border of a half-space that is nearest to the centre of a box. The half-space does not turn, so
    /// its border moves along its normal as this point does.
    pub(crate) fn foot((normal, height): (DVec3, f64), other: &PaddedBox) -> PaddedBox {
        let centre = other.centre - normal * (normal.dot(other.centre) - height);
        PaddedBox { centre, axes: [DVec3::ZERO; 3], half: DVec3::ZERO, padding: 0.0, radius: 0.0, endless: true }
    }

    /// The same box in another frame.
    #[inline(always)]
    pub(crate) fn placed(&self, place: &Relative) -> PaddedBox {
        PaddedBox { centre: place.apply(self.centre), axes: self.axes.map(|x| place.rotation * x), ..*self }
    }
}

impl BodyKind<'_> {
    /// The box around a node, in the body's frame; `None` where it has no bounds.
    pub(crate) fn padded_box(&self, node: u32) -> Option<PaddedBox> {
        match self {
            BodyKind::Solid(solid) => ball(solid, 0.0),
            BodyKind::Parts(parts) => ball(&Solid::polyhedron(parts.body(node)), parts.slack(node)),
            BodyKind::Mesh(mesh) => {
                let tree = mesh.tree();
                let (centre, axes, half) = mesh.oriented()[node as usize / 8].unit_axes(node as usize % 8);
                let half = half * tree.unit;
                let padding = SKEW * half.element_sum();
                let centre = tree.centre + centre * tree.unit;
                Some(PaddedBox { centre, axes, half, padding, radius: half.length() + padding, endless: false })
            }
        }
    }
}

fn ball(solid: &Solid<'_>, slack: f64) -> Option<PaddedBox> {
    let (centre, radius) = match solid.core {
        Core::Polyhedron(body) => (body.centre(), body.radius()),
        Core::Smooth(body) => (body.centre(), body.radius()),
        Core::HalfSpace { .. } => return None,
    };
    Some(PaddedBox::ball(centre, radius + solid.margin + slack))
}
