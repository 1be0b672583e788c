//! Where a body is at every time, and bounds on how fast it moves.

pub(crate) mod ballistic;
pub(crate) mod chain;
pub(crate) mod elliptic;
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
pub use chain::{ChainLink, Joint};
pub use moving_body::Motion;
pub use rates::Rates;
pub use sampled::{SampleBounds, SampledPoses};
pub use span::Span;
pub use spline::{SplineKey, SplinePoses, SplineTurns};
pub use steady::Steady;
pub use timed::TimedPoses;
