//! Where a body is at every time, and bounds on how fast it moves.

pub(crate) mod ballistic;
pub(crate) mod elliptic;
pub(crate) mod joints;
pub(crate) mod moving_body;
pub(crate) mod rates;
pub(crate) mod sampled;
pub(crate) mod span;
pub(crate) mod spline;
pub(crate) mod steady;
pub(crate) mod steady_motion;
pub(crate) mod swept_box;
pub(crate) mod timed;

pub use ballistic::{Ballistic, Flight};
pub use joints::chain::{ChainLink, Joint};
pub use joints::link_motion::LinkMotion;
pub use joints::robot::{JointKind, Robot, RobotJoint};
pub use joints::robot_error::RobotError;
pub use joints::trajectory::{JointKnot, JointSpeeds, JointTrajectory};
pub use moving_body::Motion;
pub use rates::Rates;
pub use sampled::{SampleBounds, SampledPoses};
pub use span::Span;
pub use spline::{SplineKey, SplinePoses, SplineTurns};
pub use steady::Steady;
pub use timed::TimedPoses;
