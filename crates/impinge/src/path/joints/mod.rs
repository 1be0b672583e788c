//! Robots: links that joints carry.

pub(crate) mod chain;
pub(crate) mod joint_line;
pub(crate) mod joint_path;
pub(crate) mod link_motion;
pub(crate) mod robot;
pub(crate) mod robot_error;
pub(crate) mod trajectory;
pub(crate) mod vector_ball;
