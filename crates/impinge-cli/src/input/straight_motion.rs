//! The motion from one pose straight to another.

use impinge::glam::DVec3;
use impinge::{Motion, Pose, Span, Steady, TimedPoses};

/// From one pose to another between the times 0 and 1, standing still before and after.
pub(crate) fn between(from: Pose, to: Pose, span: Span) -> Result<Box<dyn Motion>, String> {
    if from == to {
        return Ok(Box::new(Steady::still(from)));
    }
    if span == Span::UNIT {
        return match Steady::between(from, to, DVec3::ZERO, [0.0, 1.0]) {
            Ok(steady) => Ok(Box::new(steady)),
            Err(problem) => Err(problem.to_string()),
        };
    }
    match TimedPoses::new(&[(0.0, from), (1.0, to)], DVec3::ZERO) {
        Ok(timed) => Ok(Box::new(timed)),
        Err(problem) => Err(problem.to_string()),
    }
}
