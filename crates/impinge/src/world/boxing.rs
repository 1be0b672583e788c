//! Sets the box of each body in the source of near pairs: around where it is placed, or around its way through a
//! window.
//!
//! A body without a motion always has the box around where it is placed. A body with a motion has that box when a verb
//! asks, and the box of its way while the world advances; only these bodies change boxes between the two, and none does
//! so between one window and the next. Both kinds of boxes are wider by half of the world's reach, or of the window's.

use super::body::Body;
use super::error::WorldError;
use super::state::{BoxesAround, World};
use crate::broad::{NearPairs, Space};
use crate::path::Steady;

impl World {
    /// Fits the box of the body in a slot to where it is placed; on an error the box is as it was.
    pub(super) fn rebox(&mut self, at: u32) -> Result<(), WorldError> {
        let Some(placed) = &mut self.slots[at as usize].body else { return Ok(()) };
        let Body { model, pose, filter, outline, motion, .. } = &placed.body;
        let bounds = model.outline(pose, *outline);
        let space = Space::reaching(bounds, self.reach);
        if motion.is_some() && self.boxes_around != BoxesAround::Placed && self.near.contains(at) {
            // Its box is the one around its way, until a verb asks.
            NearPairs::accepts(&space)?;
        } else {
            self.near.put(at, space, *filter, placed.mobility_in_time())?;
        }
        placed.bounds = bounds;
        placed.still = Steady::still(placed.body.pose);
        self.listed = false;
        self.changed.add(at, self.slots.len());
        Ok(())
    }

    /// Fits the box anew where the store cannot refuse it: the body had one there before, or only the reach has
    /// changed.
    pub(super) fn rebox_known(&mut self, at: u32) {
        let fitted = self.rebox(at);
        debug_assert!(fitted.is_ok(), "{fitted:?}");
    }

    /// Puts the box of a body around where it is placed, as when it was placed there.
    pub(super) fn box_where_placed(&mut self, at: u32) {
        let Some(placed) = &self.slots[at as usize].body else { return };
        let space = Space::reaching(placed.bounds, self.reach);
        let put = self.near.put(at, space, placed.body.filter, placed.mobility_in_time());
        debug_assert!(put.is_ok(), "{put:?}");
    }

    /// Does the same for every body with a motion.
    pub(super) fn box_movers_where_placed(&mut self) {
        if std::mem::replace(&mut self.boxes_around, BoxesAround::Placed) != BoxesAround::Placed {
            let movers = std::mem::take(&mut self.movers);
            movers.iter().for_each(|&at| self.box_where_placed(at));
            self.movers = movers;
        }
    }

    /// Puts the box of a body around the space of its way through a window; the space is unbounded where it is too far
    /// out for a box. Returns the space that the body got.
    pub(super) fn box_for_window(&mut self, at: u32, space: Space) -> Space {
        let Some(placed) = &self.slots[at as usize].body else { return space };
        let (filter, mobility) = (placed.body.filter, placed.mobility_in_time());
        if self.near.put(at, space, filter, mobility).is_ok() {
            return space;
        }
        let put = self.near.put(at, Space::Unbounded, filter, mobility);
        debug_assert!(put.is_ok(), "{put:?}");
        Space::Unbounded
    }
}
