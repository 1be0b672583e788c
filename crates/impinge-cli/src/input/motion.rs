//! How the bodies of a query move: what can be typed, and the motions it means.

use std::path::{Path, PathBuf};

use clap::Args;
use impinge::glam::DVec3;
use impinge::{Motion, MotionError, Pose, Span, SplineKey, SplinePoses, SplineTurns, Steady, TimedPoses};
use impinge_io::{Key, Keyframes, Splines, Turns};

use crate::input::body::must_exist;
use crate::input::options::PairArgs;
use crate::input::poses::parse_pose;
use crate::input::straight_motion::between;
use crate::input::timed_poses;
use crate::input::units::Units;
use crate::output::error::Failure;

/// What moves how. Without any of these a body stands at its pose.
#[derive(Debug, Args)]
pub(crate) struct MotionArgs {
    /// Where A begins, at time 0, written like --pose-a [default: --pose-a]
    #[arg(long, value_name = "P", value_parser = parse_pose, allow_hyphen_values = true, help_heading = "Motion")]
    #[arg(conflicts_with = "pose_a")]
    pub(crate) from_a: Option<Pose>,

    /// Where A ends, at time 1: its origin moves straight, and it turns the shorter way round, both at a constant speed
    #[arg(long, value_name = "P", value_parser = parse_pose, allow_hyphen_values = true, help_heading = "Motion")]
    pub(crate) to_a: Option<Pose>,

    /// Where B begins, at time 0
    #[arg(long, value_name = "P", value_parser = parse_pose, allow_hyphen_values = true, help_heading = "Motion")]
    #[arg(conflicts_with = "pose_b")]
    pub(crate) from_b: Option<Pose>,

    /// Where B ends, at time 1; with --poses each row is one
    #[arg(long, value_name = "P", value_parser = parse_pose, allow_hyphen_values = true, help_heading = "Motion")]
    #[arg(conflicts_with = "poses")]
    pub(crate) to_b: Option<Pose>,

    /// A passes through the poses of this file: t,x,y,z or t,x,y,z,qx,qy,qz,qw a row, header allowed
    #[arg(long, value_name = "FILE.csv", help_heading = "Motion", conflicts_with_all = ["from_a", "to_a", "pose_a"])]
    pub(crate) motion_a: Option<PathBuf>,

    /// B passes through the poses of this file
    #[arg(long, value_name = "FILE.csv", help_heading = "Motion")]
    #[arg(conflicts_with_all = ["from_b", "to_b", "pose_b", "poses"])]
    pub(crate) motion_b: Option<PathBuf>,

    /// A, a glTF file, moves by its animation of this name or number from 0, in seconds
    #[arg(long, value_name = "NAME", help_heading = "Motion")]
    #[arg(conflicts_with_all = ["from_a", "to_a", "pose_a", "motion_a"])]
    pub(crate) animation_a: Option<String>,

    /// B moves by its animation
    #[arg(long, value_name = "NAME", help_heading = "Motion")]
    #[arg(conflicts_with_all = ["from_b", "to_b", "pose_b", "motion_b", "poses"])]
    pub(crate) animation_b: Option<String>,
}

/// A motion that a file gives.
enum Timed {
    Poses(TimedPoses),
    Spline(SplinePoses),
}

impl Timed {
    fn times(&self) -> &[f64] {
        match self {
            Timed::Poses(poses) => poses.times(),
            Timed::Spline(spline) => spline.times(),
        }
    }

    fn boxed(self) -> Box<dyn Motion> {
        match self {
            Timed::Poses(poses) => Box::new(poses),
            Timed::Spline(spline) => Box::new(spline),
        }
    }
}

/// Both motions, and the time that they take together.
#[derive(Debug)]
pub(crate) struct Motions {
    a: Box<dyn Motion>,
    b: Way,
    pub(crate) span: Span,
}

#[derive(Debug)]
enum Way {
    Known(Box<dyn Motion>),
    /// From a pose to that of each row.
    From(Pose),
}

impl MotionArgs {
    /// The poses between which a body moves in a unit of time.
    pub(crate) fn ends(&self, pair: &PairArgs) -> [[Pose; 2]; 2] {
        let ends = |from: Option<Pose>, still: Option<Pose>, to: Option<Pose>| {
            let from = from.or(still).unwrap_or_default();
            [from, to.unwrap_or(from)]
        };
        [ends(self.from_a, pair.pose_a, self.to_a), ends(self.from_b, pair.pose_b, self.to_b)]
    }

    /// The motions.
    pub(crate) fn motions(&self, pair: &PairArgs) -> Result<Motions, Failure> {
        let read = |file: &Option<PathBuf>| -> Result<Option<Timed>, Failure> {
            Ok(file.as_deref().map(timed_poses::read).transpose()?.map(Timed::Poses))
        };
        let animated = |name: &Option<String>, file: &Path, part: &Option<String>| {
            name.as_deref().map(|name| animation(file, name, part.as_deref(), pair.units)).transpose()
        };
        let a = read(&self.motion_a)?.or(animated(&self.animation_a, &pair.a, &pair.part_a)?);
        let b = read(&self.motion_b)?.or(animated(&self.animation_b, &pair.b, &pair.part_b)?);
        let [ends_a, ends_b] = self.ends(pair);
        let moves = [ends_a[0] != ends_a[1], ends_b[0] != ends_b[1] || pair.poses.is_some()];
        let span = span([&a, &b], moves)?;
        let motion = |timed: Option<Timed>, [from, to]: [Pose; 2], option: &str| match timed {
            Some(timed) => Ok(timed.boxed()),
            None => between(from, to, span).map_err(|problem| Failure::Motion {
                place: option.to_owned(),
                problem,
                help: "choose a larger unit".to_owned(),
            }),
        };
        Ok(Motions {
            a: motion(a, ends_a, "--to-a")?,
            b: match pair.poses {
                Some(_) => Way::From(ends_b[0]),
                None => Way::Known(motion(b, ends_b, "--to-b")?),
            },
            span,
        })
    }
}

/// The motion that a glTF file has for its own mesh, in metres.
pub(crate) fn animated(file: &Path, name: &str, part: Option<&str>) -> Result<Box<dyn Motion>, Failure> {
    animation(file, name, part, None).map(Timed::boxed)
}

/// The motion that a glTF file has for its own mesh, in the unit asked for.
fn animation(file: &Path, name: &str, part: Option<&str>, units: Option<Units>) -> Result<Timed, Failure> {
    must_exist(file)?;
    let animation = impinge_io::read_animation(file, name, part)?;
    let sized = |v: DVec3| units.map_or(v, |units| units.of_metres(v));
    let refused = |problem: String| Failure::Motion {
        place: format!("{}, animation `{name}`", file.display()),
        problem,
        help: "export the animation again, or give the motion as a CSV file of timed poses".to_owned(),
    };
    let pose = |key: &Key| {
        let pose = Pose::new(sized(key.translation), key.rotation).map_err(|problem| refused(problem.to_string()))?;
        Ok((key.time, pose))
    };
    let centre = sized(animation.centre);
    match &animation.keyframes {
        Keyframes::Poses(keys) => {
            let rows = keys.iter().map(pose).collect::<Result<Vec<_>, Failure>>()?;
            TimedPoses::new(&rows, centre).map(Timed::Poses).map_err(|problem| refused(problem.to_string()))
        }
        Keyframes::Splines(splines) => {
            let motion = spline(splines, centre, sized);
            motion.map(Timed::Spline).map_err(|problem| refused(problem.to_string()))
        }
    }
}

fn spline(splines: &Splines, centre: DVec3, sized: impl Fn(DVec3) -> DVec3) -> Result<SplinePoses, MotionError> {
    let path: Vec<SplineKey<DVec3>> = splines
        .path
        .iter()
        .map(|key| SplineKey {
            time: key.time,
            arrives: sized(key.arrives),
            value: sized(key.value),
            leaves: sized(key.leaves),
        })
        .collect();
    let turns = match &splines.turns {
        Turns::Steady(keys) => SplineTurns::Steady(keys.clone()),
        Turns::Spline(keys) => SplineTurns::Spline(
            keys.iter()
                .map(|key| SplineKey { time: key.time, arrives: key.arrives, value: key.value, leaves: key.leaves })
                .collect(),
        ),
    };
    SplinePoses::new(centre, &path, &turns)
}

/// All the time that files give, and from 0 to 1 where a body moves between two poses, or none moves.
fn span(timed: [&Option<Timed>; 2], moves: [bool; 2]) -> Result<Span, Failure> {
    let ends = |timed: &Timed| timed.times().first().copied().zip(timed.times().last().copied());
    let known = timed.map(|timed| timed.as_ref().and_then(ends));
    let unit = known == [None; 2];
    let spans =
        known.into_iter().zip(moves).filter_map(|(known, moves)| known.or((moves || unit).then_some((0.0, 1.0))));
    let (from, to) =
        spans.fold((f64::INFINITY, f64::NEG_INFINITY), |(from, to), (first, last)| (from.min(first), to.max(last)));
    Span::new(from, to).map_err(|problem| Failure::Motion {
        place: "the motions".to_owned(),
        problem: problem.to_string(),
        help: "give times that ascend".to_owned(),
    })
}

impl Motions {
    pub(crate) fn a(&self) -> &dyn Motion {
        self.a.as_ref()
    }

    /// Where `b` begins that moves to the pose of each row, and how long that takes.
    pub(crate) fn begins(&self) -> Option<(Pose, Span)> {
        match self.b {
            Way::Known(_) => None,
            Way::From(from) => Some((from, self.span)),
        }
    }

    /// The motion of `b`, to the pose of a row where rows are asked about: those to which there is none were refused
    /// when they were read.
    pub(crate) fn with_b<T>(&self, row: &Pose, ask: impl FnOnce(&dyn Motion) -> T) -> T {
        match &self.b {
            Way::Known(motion) => ask(motion.as_ref()),
            Way::From(from) => match between(*from, *row, self.span) {
                Ok(motion) => ask(motion.as_ref()),
                Err(_) => ask(&Steady::still(*row)),
            },
        }
    }
}
