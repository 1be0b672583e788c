//! Motions that are told by numbers: steady ones, those through poses at times, and free flight.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::form::written_as;
use crate::error::MotionError;
use crate::math::Pose;
use crate::path::{Ballistic, Flight, SampleBounds, SampledPoses, Steady, TimedPoses};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SteadyForm {
    pose: Pose,
    centre: DVec3,
    velocity: DVec3,
    spin: DVec3,
    start: f64,
}

impl From<&Steady> for SteadyForm {
    fn from(motion: &Steady) -> SteadyForm {
        SteadyForm {
            pose: *motion.pose_at_start(),
            centre: motion.centre(),
            velocity: motion.velocity(),
            spin: motion.spin(),
            start: motion.start(),
        }
    }
}

impl TryFrom<SteadyForm> for Steady {
    type Error = MotionError;

    fn try_from(form: SteadyForm) -> Result<Steady, MotionError> {
        Steady::new(form.pose, form.centre, form.velocity, form.spin, form.start)
    }
}

written_as!(Steady as SteadyForm);

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TimedPosesForm {
    centre: DVec3,
    rows: Vec<(f64, Pose)>,
}

impl From<&TimedPoses> for TimedPosesForm {
    fn from(path: &TimedPoses) -> TimedPosesForm {
        let rows = path.times().iter().copied().zip(path.poses().iter().copied()).collect();
        TimedPosesForm { centre: path.centre(), rows }
    }
}

impl TryFrom<TimedPosesForm> for TimedPoses {
    type Error = MotionError;

    fn try_from(form: TimedPosesForm) -> Result<TimedPoses, MotionError> {
        TimedPoses::new(&form.rows, form.centre)
    }
}

written_as!(TimedPoses as TimedPosesForm);

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SampledPosesForm {
    bounds: SampleBounds,
    path: TimedPosesForm,
}

impl From<&SampledPoses> for SampledPosesForm {
    fn from(motion: &SampledPoses) -> SampledPosesForm {
        SampledPosesForm { bounds: motion.bounds(), path: motion.path().into() }
    }
}

impl TryFrom<SampledPosesForm> for SampledPoses {
    type Error = MotionError;

    fn try_from(form: SampledPosesForm) -> Result<SampledPoses, MotionError> {
        SampledPoses::new(&form.path.rows, form.path.centre, form.bounds)
    }
}

written_as!(SampledPoses as SampledPosesForm);

/// A flight as it begins.
#[derive(Serialize, Deserialize)]
#[serde(transparent)]
struct BallisticForm(Flight);

impl From<&Ballistic> for BallisticForm {
    fn from(motion: &Ballistic) -> BallisticForm {
        BallisticForm(*motion.flight())
    }
}

impl TryFrom<BallisticForm> for Ballistic {
    type Error = MotionError;

    fn try_from(form: BallisticForm) -> Result<Ballistic, MotionError> {
        Ballistic::new(form.0)
    }
}

written_as!(Ballistic as BallisticForm);
