//! Makes bodies, poses and motions of what was typed and of what files say.

pub(crate) mod body;
pub(crate) mod body_kind;
pub(crate) mod deforming;
pub(crate) mod engine;
pub(crate) mod motion;
pub(crate) mod one_body;
pub(crate) mod options;
pub(crate) mod poses;
pub(crate) mod rows;
pub(crate) mod shape;
pub(crate) mod shape_size;
pub(crate) mod straight_motion;
pub(crate) mod timed_poses;
pub(crate) mod units;
