//! The pairs that came and went in a frame.
//!
//! A pair is known by its slots. Where a slot has a new box, the pairs of the old one are gone and those of the new one
//! are added, even when the numbers are the same: a reader applies `removed` first, then `added`.

/// The pairs that came and those that went.
///
/// ```
/// use impinge::{bound::Aabb, broad::{Boxes, Filter, Mobility, PairSet, Phase}, glam::DVec3};
/// let mut boxes = Boxes::new();
/// let unit = |x: f64| Aabb::new(DVec3::X * x, DVec3::X * x + 1.0);
/// for x in [0.0, 0.5, 3.0] {
///     boxes.insert(unit(x), Filter::ALL, Mobility::Moving)?;
/// }
/// let mut phase = Phase::Auto.start();
/// phase.refresh(&boxes);
/// let mut set = PairSet::new();
/// let events = set.update(phase.as_mut(), &boxes);
/// assert!(events.added == [[0, 1]] && events.removed.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Events {
    /// Pairs that meet now and did not before.
    pub added: Vec<[u32; 2]>,
    /// Pairs that met before; they come before those added.
    pub removed: Vec<[u32; 2]>,
}

impl Events {
    pub(super) fn clear(&mut self) {
        self.added.clear();
        self.removed.clear();
    }
}
