//! The arguments of every query about a pair: the bodies, their poses, the engine, the format.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use impinge::bound::Volume;
use impinge::{Builder, Method, Pose};

use crate::input::engine;
use crate::input::poses::parse_pose;
use crate::input::shape;
use crate::input::units::Units;
use crate::output::format::AnswerFormat;

pub(crate) const EXIT_STATUS: &str = "\
Exit status:
  0    clear
  1    touching, or closer than asked, at any time of a motion; with --poses: in any row
  2    error
  130  interrupted by Ctrl-C: the rows printed are whole, and marked partial
  141  the reader of the output left before the last row, and no row so far touched";

/// The two bodies, where they stand, and how the answer is given.
#[derive(Debug, Args)]
pub(crate) struct PairArgs {
    /// The first body: a file, or a shape in words such as box:1,2,3; --help lists the shapes
    #[arg(value_name = "A", long_help = format!("The first body: a file, or a shape in words\n\n{}", shape::HELP))]
    pub(crate) a: PathBuf,

    /// The second body: a file, or a shape in words
    #[arg(value_name = "B")]
    pub(crate) b: PathBuf,

    /// Where A stands: x,y,z or x,y,z,qx,qy,qz,qw (unit quaternion)
    #[arg(long, value_name = "P", value_parser = parse_pose, allow_hyphen_values = true, help_heading = "Poses")]
    pub(crate) pose_a: Option<Pose>,

    /// Where B stands, written the same way
    #[arg(long, value_name = "P", value_parser = parse_pose, allow_hyphen_values = true, help_heading = "Poses")]
    pub(crate) pose_b: Option<Pose>,

    /// One pose of B a row, same columns, header allowed; one answer a row. `-` reads standard input
    #[arg(long, value_name = "FILE.csv", conflicts_with = "pose_b", help_heading = "Poses")]
    pub(crate) poses: Option<PathBuf>,

    /// Forget between rows what the last one taught (same answers, up to error margins; slower)
    #[arg(long, requires = "poses", help_heading = "Poses")]
    pub(crate) cold: bool,

    /// Take only this part (OBJ object or group, glTF node) of A; otherwise all parts are one body
    #[arg(long, value_name = "NAME", help_heading = "Bodies")]
    pub(crate) part_a: Option<String>,

    /// Take only this part of B
    #[arg(long, value_name = "NAME", help_heading = "Bodies")]
    pub(crate) part_b: Option<String>,

    /// Take the convex hull of each file's points
    #[arg(long, conflicts_with_all = ["surface", "hull_parts", "decompose"], help_heading = "Bodies")]
    pub(crate) hull: bool,

    /// Take each file as the union of the convex hulls of its parts
    #[arg(long, conflicts_with_all = ["surface", "decompose"], help_heading = "Bodies")]
    pub(crate) hull_parts: bool,

    /// Cut each file, a closed mesh, into convex parts: exact, or approximate (V-HACD: it fills small hollows)
    #[arg(long, value_name = "HOW", conflicts_with = "surface", help_heading = "Bodies")]
    pub(crate) decompose: Option<Decompose>,

    /// Demand closed bodies, whose inside counts; --solid=winding takes open ones too, by their winding number
    #[arg(long, value_name = "BY", conflicts_with = "surface", help_heading = "Bodies")]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "closed")]
    pub(crate) solid: Option<Solid>,

    /// Forget every inside: only surfaces touch
    #[arg(long, help_heading = "Bodies")]
    pub(crate) surface: bool,

    /// Unit of files, poses and answers; glTF (metres) is converted to it, other files are in it already
    #[arg(long, value_name = "UNIT", help_heading = "Bodies")]
    pub(crate) units: Option<Units>,

    /// Who answers; every engine gives the same answer to what it can be asked; --help lists them
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = engine::parser(), help_heading = "Engine")]
    #[arg(hide_possible_values = true, long_help = engine::HELP)]
    pub(crate) method: Method,

    /// What the trees of two meshes are made of; every one gives the same answer. `info --tune` says which is best
    #[arg(long, value_name = "NAME", default_value = "auto", help_heading = "Engine")]
    pub(crate) tree: TreeName,

    /// Threads that build trees and answer rows of --poses (same answers) [default: all cores; one for rows from -]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), help_heading = "Engine")]
    pub(crate) threads: Option<u16>,

    /// Print the median and the 95th percentile of nanoseconds per query, on the thread it ran on, to standard error
    #[arg(long, help_heading = "Engine")]
    pub(crate) timing: bool,

    /// text, json (an array with --poses) or jsonl (one object a line)
    #[arg(long, value_name = "FORMAT", default_value = "text", hide_possible_values = true)]
    pub(crate) format: AnswerFormat,
}

/// What is made of a file: the options that every body has.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BodyOptions {
    pub(crate) hull: bool,
    pub(crate) hull_parts: bool,
    pub(crate) decompose: Option<Decompose>,
    pub(crate) solid: Option<Solid>,
    pub(crate) surface: bool,
    pub(crate) units: Option<Units>,
    pub(crate) tree: TreeName,
}

impl PairArgs {
    /// What is made of both files.
    pub(crate) fn body_options(&self) -> BodyOptions {
        let PairArgs { hull, hull_parts, decompose, solid, surface, units, tree, .. } = *self;
        BodyOptions { hull, hull_parts, decompose, solid, surface, units, tree }
    }
}

/// How a solid is cut into convex parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Decompose {
    /// The parts are the solid, up to rounding; at most 4096 triangles
    Exact,
    /// The parts stand for the solid; answers are about them and say so
    Approximate,
}

/// What makes a mesh a solid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Solid {
    /// Its surface is closed
    Closed,
    /// Inside is where the winding number of its triangles is more than a half, holes or not
    Winding,
}

/// A length of 0 or more, for `--tolerance` and `--envelope`.
pub(crate) fn parse_length(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(x) if x.is_finite() && x >= 0.0 => Ok(x),
        Ok(_) => Err("not a finite length of 0 or more".to_owned()),
        Err(_) => Err("not a number".to_owned()),
    }
}

/// What stands around the nodes of a mesh's tree, and how the tree is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TreeName {
    /// What measured best: boxes along the axes for overlap, oriented ones for distance
    Auto,
    /// Boxes along the axes, for every question
    Aabb,
    /// As auto, built top-down by the surface area heuristic
    AabbSah,
    /// As auto, built bottom-up by locally-ordered clustering
    AabbPloc,
    /// Oriented boxes (RAPID)
    Obb,
    /// Spheres swept over points, segments and rectangles (PQP)
    Rss,
    /// Slabs in 7 directions (QuickCD)
    Kdop14,
    /// Slabs in 9 directions
    Kdop18,
    /// Slabs in 13 directions
    Kdop26,
    /// Spheres
    Sphere,
    /// Convex hulls behind oriented boxes (Xavier)
    Hull,
}

impl TreeName {
    pub(crate) fn builder(self) -> Builder {
        match self {
            TreeName::AabbSah => Builder::Sah,
            TreeName::AabbPloc => Builder::Ploc,
            _ => Builder::Auto,
        }
    }

    pub(crate) fn volume(self) -> Volume {
        match self {
            TreeName::Auto | TreeName::AabbSah | TreeName::AabbPloc => Volume::Auto,
            TreeName::Aabb => Volume::Aabb,
            TreeName::Obb => Volume::Obb,
            TreeName::Rss => Volume::SweptSphere,
            TreeName::Kdop14 => Volume::Kdop14,
            TreeName::Kdop18 => Volume::Kdop18,
            TreeName::Kdop26 => Volume::Kdop26,
            TreeName::Sphere => Volume::Sphere,
            TreeName::Hull => Volume::Hull,
        }
    }
}
