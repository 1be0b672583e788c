//! A line that is measured from its point nearest to a shape, and the part of it in the shape.

use glam::DVec3;

/// A ray in the frame of a shape, measured from its point nearest to the middle of the shape.
#[derive(Debug, Clone, Copy)]
pub(super) struct NearLine {
    /// That point, from the middle.
    pub(super) start: DVec3,
    /// The unit direction.
    pub(super) unit: DVec3,
}

/// From where to where the line is in a shape, measured from [`NearLine::start`], and through which of its parts it
/// comes and goes. What the parts are is up to the shape; 0 is the curved one.
#[derive(Debug, Clone, Copy)]
pub(super) struct LineSpan {
    pub(super) enter: f64,
    pub(super) leave: f64,
    pub(super) parts: [u8; 2],
}

/// The part of the line in both spans; `None` where there is none.
pub(super) fn common(x: LineSpan, y: LineSpan) -> Option<LineSpan> {
    let (enter, from) = if y.enter > x.enter { (y.enter, y.parts[0]) } else { (x.enter, x.parts[0]) };
    let (leave, to) = if y.leave < x.leave { (y.leave, y.parts[1]) } else { (x.leave, x.parts[1]) };
    (enter <= leave).then_some(LineSpan { enter, leave, parts: [from, to] })
}
