//! The id of a box in a store; it is refused for ever once the box is removed.

use std::fmt;

/// The id of a box in a store.
///
/// ```
/// use impinge::{bound::Aabb, broad::{Boxes, Filter, Mobility}, glam::DVec3};
/// let mut boxes = Boxes::new();
/// let unit = |x: f64| Aabb::new(DVec3::X * x, DVec3::X * x + 1.0);
/// for x in [0.0, 0.5, 3.0] {
///     boxes.insert(unit(x), Filter::ALL, Mobility::Moving)?;
/// }
/// let id = boxes.id(2).expect("there are three");
/// boxes.remove(id)?;
/// assert!(id.slot() == 2 && boxes.bounds(id).is_none(), "the id is stale");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct BoxId {
    pub(super) slot: u32,
    pub(super) generation: u32,
}

impl BoxId {
    /// The slot: the number by which pairs name the box, until it is removed.
    pub fn slot(self) -> u32 {
        self.slot
    }
}

impl fmt::Display for BoxId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "box {}.{}", self.slot, self.generation)
    }
}
