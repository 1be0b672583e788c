//! The box of each body in the source of near pairs: around where it is placed, or around its way through a window.
//!
//! Bodies without a motion have the box around where they are placed, always. Those with one have it while a verb asks
//! about them, and the box of their way while the world moves on; only they change their boxes when one follows the
//! other, and none does where windows follow windows. Both kinds of boxes are wider by half of the reach of the world,
//! or of that of the window.

use super::body::Body;
use super::error::WorldError;
use super::state::{BoxesAround, World};
use crate::broad::{NearPairs, Space};
use crate::path::Steady;

impl World {
    /// Fits the box of the body in a slot to where it is placed; on an error it is as it was.
    pub(super) fn rebox(&mut self, at: u32) -> Result<(), WorldError> {
        let Some(placed) = &mut self.slots[at as usize].body else { return Ok(()) };
        let Body { model, pose, filter, outline, motion, .. } = &placed.body;
        let bounds = model.outline(pose, *outline);
        let space = Space::reaching(bounds, self.reach);
        if motion.is_some() && self.boxes_around != BoxesAround::Placed && self.near.contains(at) {
            // Its box is that of its way, and stays so until a verb asks.
            NearPairs::accepts(&space)?;
        } else {
            self.near.put(at, space, *filter, placed.mobility_in_time())?;
        }
        placed.bounds = bounds;
        placed.still = Steady::still(placed.body.pose);
        self.listed = false;
        Ok(())
    }

    /// Fits the box anew where nothing can refuse it: the body had one there before, or only the reach has changed.
    pub(super) fn rebox_known(&mut self, at: u32) {
        let fitted = self.rebox(at);
        debug_assert!(fitted.is_ok(), "{fitted:?}");
    }

    /// Puts the box of a body around where it is placed, as it was when the body was placed there.
    pub(super) fn box_where_placed(&mut self, at: u32) {
        let Some(placed) = &self.slots[at as usize].body else { return };
        let space = Space::reaching(placed.bounds, self.reach);
        let put = self.near.put(at, space, placed.body.filter, placed.mobility_in_time());
        debug_assert!(put.is_ok(), "{put:?}");
    }

    /// Puts the boxes of bodies with a motion around where these are placed.
    pub(super) fn box_movers_where_placed(&mut self) {
        if std::mem::replace(&mut self.boxes_around, BoxesAround::Placed) != BoxesAround::Placed {
            let movers = std::mem::take(&mut self.movers);
            movers.iter().for_each(|&at| self.box_where_placed(at));
            self.movers = movers;
        }
    }

    /// Puts the box of a body around the space of its way through a window; unbounded where that is too far out to be
    /// a box. Returns what it is.
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
