//! An arm with a path: which configurations are clear of a post, and is the whole path, or when does it hit?
//!
//! `cargo run -p impinge --example arm`

use impinge::{
    JointKind, JointSpeeds, JointTrajectory, Model, Pair, Pose, Robot, RobotJoint, Round, Steady, glam::DVec3,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // As a robot file gives it: joints in the frames of the links that they stand on, an axis, limits.
    let joint = |name: &str, [parent, child]: [&str; 2], height: f64, axis: DVec3| -> Result<_, impinge::PoseError> {
        let (name, parent, child) = (name.into(), parent.into(), child.into());
        let kind = JointKind::Revolute { lower: -3.0, upper: 3.0 };
        let origin = RobotJoint::origin([0.0, 0.0, height], [0.0, 0.0, 0.0])?;
        Ok(RobotJoint { name, parent, child, origin, axis, kind })
    };
    let waist = joint("waist", ["base", "upper arm"], 0.3, DVec3::Z)?;
    let elbow = joint("elbow", ["upper arm", "forearm"], 0.5, DVec3::Y)?;
    let arm = Robot::new(vec![waist, elbow])?;
    let bar = |height: f64| Round::segment(DVec3::ZERO, DVec3::Z * height)?.with_margin(0.05).map(Model::from);
    let links = [bar(0.3)?, bar(0.5)?, bar(0.4)?];
    let (post, place) = (Model::from(Round::cuboid(DVec3::new(0.1, 0.1, 2.0))?), Pose::at(DVec3::X * 0.35)?);
    for values in [[0.0, 0.3], [0.0, 1.2]] {
        let poses = arm.poses(&values)?;
        let touch = |k: usize| impinge::overlap(&links[k], &poses[k], &post, &place).overlap;
        println!("at {values:?} a link touches the post: {}", (0..links.len()).any(touch));
    }
    // From rest to rest, as fast as the motors can: low beside the post, and with the forearm raised.
    for height in [1.2, 0.3] {
        let motors = [JointSpeeds { rate: 1.5, acceleration: 4.0 }; 2];
        let path = JointTrajectory::trapezoid(0.0, &[vec![-1.2, height], vec![1.2, height]], &motors)?;
        let (motions, still) = (arm.motions(&path)?, Steady::still(place));
        let hit = |k: usize| Pair::new(&links[k], &post).impact(&motions[k], &still, path.span()).time;
        let first = (0..links.len()).filter_map(hit).map(|time| time.lower).reduce(f64::min);
        println!("with the elbow at {height} the arm first touches the post at {first:.3?}");
        assert_eq!(first.is_some(), height > 1.0);
    }
    Ok(())
}
