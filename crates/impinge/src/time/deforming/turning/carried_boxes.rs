//! The boxes around the nodes of a body that may deform, at every time of the step, and how fast their sides move.

use glam::DVec3;

use crate::time::movers::carried_body::CarriedBody;
use crate::time::movers::padded_box::PaddedBox;

/// The share by which boxes may be too small once their sides are computed for a time between.
const ROUNDING: f64 = 1e-14;

/// How the corners of a box move within the body: its centre, and half its extents.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct BoxDrift {
    pub(crate) centre: DVec3,
    pub(crate) half: DVec3,
}

impl BoxDrift {
    /// No corner moves faster.
    pub(crate) fn speed(&self) -> f64 {
        self.centre.length() + self.half.length()
    }

    /// The most that a corner moves along a direction.
    pub(crate) fn along(&self, n: DVec3) -> f64 {
        self.centre.dot(n) + self.half.abs().dot(n.abs())
    }
}

impl CarriedBody<'_> {
    /// The box around a node at a time of the step, in the body's frame; `None` where it has no bounds.
    pub(crate) fn padded_box(&self, node: u32, t: f64) -> Option<PaddedBox> {
        if let CarriedBody::Rigid(kind) = self {
            return kind.padded_box(node);
        }
        let [(from, half_from), (to, half_to)] = self.boxes(node)?;
        let (centre, half) = (from * (1.0 - t) + to * t, half_from * (1.0 - t) + half_to * t);
        let padding = ROUNDING * (centre.abs().max_element() + half.element_sum());
        let axes = [DVec3::X, DVec3::Y, DVec3::Z];
        Some(PaddedBox { centre, axes, half, padding, radius: half.length() + padding, endless: false })
    }

    /// How the corners of that box move.
    pub(crate) fn drift(&self, node: u32) -> BoxDrift {
        let Some([(from, half_from), (to, half_to)]) = self.boxes(node) else { return BoxDrift::default() };
        BoxDrift { centre: to - from, half: half_to - half_from }
    }
}
