//! An arm with a path: which configurations are clear, is the whole path, and when would it hit?
//!
//! `cargo run -p impinge --example arm`

use std::error::Error;

use impinge::{
    JointKind, JointSpeeds, JointTrajectory, Model, Pair, Pose, Robot, RobotJoint, Round, Span, Steady, SweepOptions,
    glam::DVec3,
};

/// A joint as a robot file gives it: above its link by a height, about an axis.
fn joint(ends: [&str; 2], height: f64, axis: DVec3) -> Result<RobotJoint, Box<dyn Error>> {
    let (name, origin) = (format!("{} to {}", ends[0], ends[1]), RobotJoint::origin([0.0, 0.0, height], [0.0; 3])?);
    let kind = JointKind::Revolute { lower: -3.0, upper: 3.0 };
    Ok(RobotJoint { name, parent: ends[0].into(), child: ends[1].into(), origin, axis, kind })
}

fn main() -> Result<(), Box<dyn Error>> {
    let arm = Robot::new(vec![
        joint(["base", "turret"], 0.2, DVec3::Z)?,
        joint(["turret", "upper arm"], 0.1, DVec3::Y)?,
        joint(["upper arm", "forearm"], 0.5, DVec3::Y)?,
        joint(["forearm", "hand"], 0.4, DVec3::Y)?,
    ])?;
    // A capsule for each link, from its frame up, and a post beside the arm.
    let pill = |height: f64| Round::segment(DVec3::ZERO, DVec3::Z * height)?.with_margin(0.05);
    let links: Vec<Model> =
        [0.2, 0.1, 0.5, 0.4, 0.1].map(|h| pill(h).map(Model::from)).into_iter().collect::<Result<_, _>>()?;
    let post = Model::from(Round::cuboid(DVec3::new(0.1, 0.1, 1.2))?);
    let place = Pose::at(DVec3::new(0.6, 0.0, 0.6))?;

    // Single configurations: where every link is, and whether one touches the post.
    for values in [[0.0, 0.3, 0.4, 0.0], [0.0, 1.2, 0.4, 0.0]] {
        let poses = arm.poses(&values)?;
        let touches =
            links.iter().zip(&poses).filter(|(link, pose)| impinge::overlap(link, &post, pose, &place).overlap);
        println!("{values:?}: {} links touch the post", touches.count());
    }

    // A whole path, from rest to rest as fast as the motors can: links against the post, and against each other.
    let (motors, still) = ([JointSpeeds { rate: 1.5, acceleration: 4.0 }; 4], Steady::still(place));
    for stops in [[[-1.2, 0.9, 0.5, 0.2], [1.2, 0.9, 0.5, 0.2]], [[0.6, 0.4, 0.3, 0.2], [2.6, 1.0, 0.9, 0.2]]] {
        let path = JointTrajectory::trapezoid(0.0, &stops.map(Vec::from), &motors)?;
        let motions = arm.motions(&path)?;
        // Is it ever nearer than 2 cm? The sweep stops as soon as it knows.
        let near = SweepOptions { enough: Some(0.02), ..SweepOptions::default() };
        let apart = |pair: &mut Pair, a: &_, b: &_| pair.sweep_with(a, b, path.span(), &near).interval.lower > 0.02;
        let clear_of_itself =
            arm.pairs().iter().all(|&[i, j]| apart(&mut Pair::new(&links[i], &links[j]), &motions[i], &motions[j]));
        let mut hit: Option<(f64, &str)> = None;
        for (k, link) in links.iter().enumerate() {
            let mut pair = Pair::new(link, &post);
            let swept = pair.sweep_with(&motions[k], &still, path.span(), &near);
            // Only where it comes near does the time matter; nothing after the first hit does.
            let until = hit.map_or(path.span().to(), |(time, _)| time);
            if swept.interval.lower <= 0.02
                && let Some(time) = pair.impact(&motions[k], &still, Span::new(0.0, until)?).time
            {
                hit = Some((time.lower, &arm.links()[k]));
            }
        }
        println!("clear of itself: {clear_of_itself}; first hit: {hit:.3?}");
    }
    Ok(())
}
