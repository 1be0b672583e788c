//! Robots, as their joints are described, and how their joints move together.

use serde::{Deserialize, Serialize};

use super::form::{Format, written_as};
use crate::error::MotionError;
use crate::math::Pose;
use crate::path::joints::robot::{Robot, RobotJoint};
use crate::path::joints::robot_error::RobotError;
use crate::path::joints::trajectory::{JointPlan, JointTrajectory};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RobotForm {
    format: Format,
    #[serde(default = "in_the_world")]
    base: Pose,
    joints: Vec<RobotJoint>,
}

fn in_the_world() -> Pose {
    Pose::IDENTITY
}

impl From<&Robot> for RobotForm {
    fn from(robot: &Robot) -> RobotForm {
        RobotForm { format: Format, base: robot.base(), joints: robot.joints().cloned().collect() }
    }
}

impl TryFrom<RobotForm> for Robot {
    type Error = RobotError;

    fn try_from(form: RobotForm) -> Result<Robot, RobotError> {
        let robot = Robot::new(form.joints)?;
        if form.base == Pose::IDENTITY { Ok(robot) } else { robot.with_base(form.base) }
    }
}

written_as!(Robot as RobotForm);

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TrajectoryForm {
    format: Format,
    path: JointPlan,
}

impl From<&JointTrajectory> for TrajectoryForm {
    fn from(path: &JointTrajectory) -> TrajectoryForm {
        TrajectoryForm { format: Format, path: path.plan().clone() }
    }
}

impl TryFrom<TrajectoryForm> for JointTrajectory {
    type Error = MotionError;

    fn try_from(form: TrajectoryForm) -> Result<JointTrajectory, MotionError> {
        match &form.path {
            JointPlan::Straight(rows) => JointTrajectory::straight(rows),
            JointPlan::Spline(rows) => JointTrajectory::spline(rows),
            JointPlan::Cubic(knots) => JointTrajectory::cubic(knots),
            JointPlan::Quintic(knots) => JointTrajectory::quintic(knots),
            JointPlan::Trapezoid { start, stops, speeds } => JointTrajectory::trapezoid(*start, stops, speeds),
            JointPlan::Sampled { rows, bounds } => JointTrajectory::sampled(rows, bounds),
        }
    }
}

written_as!(JointTrajectory as TrajectoryForm);
