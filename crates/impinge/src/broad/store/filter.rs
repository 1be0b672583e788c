//! Which boxes may meet, wherever they are: by groups, and by whether they move.

/// Which others a box may meet: two boxes may meet when each one's mask has a bit of the other's groups.
///
/// ```
/// use impinge::broad::Filter;
/// let wheel = Filter { group: 0b01, mask: 0b10 };
/// let road = Filter { group: 0b10, mask: 0b01 };
/// assert!(wheel.admits(road) && !wheel.admits(wheel) && Filter::ALL.admits(Filter::ALL));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Filter {
    /// The groups that the box belongs to, one bit each.
    pub group: u32,
    /// The groups that it may meet.
    pub mask: u32,
}

impl Filter {
    /// The box is in every group, and may meet every group.
    pub const ALL: Filter = Filter { group: u32::MAX, mask: u32::MAX };

    /// Whether both agree to meet.
    #[inline(always)]
    pub fn admits(self, other: Filter) -> bool {
        self.group & other.mask != 0 && other.group & self.mask != 0
    }
}

impl Default for Filter {
    fn default() -> Filter {
        Filter::ALL
    }
}

/// Whether a box is expected to move.
///
/// ```
/// use impinge::{bound::Aabb, broad::{plain_pairs, Boxes, Filter, Mobility}, glam::DVec3};
/// let mut boxes = Boxes::new();
/// for mobility in [Mobility::Static, Mobility::Static, Mobility::Moving] {
///     boxes.insert(Aabb::new(DVec3::ZERO, DVec3::ONE), Filter::ALL, mobility)?;
/// }
/// assert_eq!(plain_pairs(&boxes), [[0, 2], [1, 2]], "static boxes do not meet each other");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Mobility {
    /// It may move in every frame.
    #[default]
    Moving,
    /// It seldom moves, and meets no other static box.
    Static,
}

crate::error::named! { Mobility { Moving = "moving", Static = "static" } }
