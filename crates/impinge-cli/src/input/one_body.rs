//! The options of a question about one body.

use std::path::PathBuf;

use clap::Args;
use impinge::Pose;

use crate::input::body;
use crate::input::body::Body;
use crate::input::options::{BodyOptions, Decompose, Solid, TreeName};
use crate::input::poses::parse_pose;
use crate::input::shape;
use crate::input::units::Units;
use crate::output::error::Failure;

/// The body, where it stands, and what is made of its file.
#[derive(Debug, Args)]
pub(crate) struct OneBodyArgs {
    /// The body: a file, or a shape in words such as box:1,2,3; --help lists the shapes
    #[arg(value_name = "FILE", long_help = format!("The body: a file, or a shape in words\n\n{}", shape::HELP))]
    file: PathBuf,

    /// Where the body stands: x,y,z or x,y,z,qx,qy,qz,qw (unit quaternion)
    #[arg(long, value_name = "P", value_parser = parse_pose, allow_hyphen_values = true, help_heading = "Poses")]
    pub(crate) pose: Option<Pose>,

    /// Take only this part (OBJ object or group, glTF node); otherwise all parts are one body
    #[arg(long, value_name = "NAME", help_heading = "Bodies")]
    part: Option<String>,

    /// Take the convex hull of the file's points
    #[arg(long, conflicts_with_all = ["surface", "hull_parts", "decompose"], help_heading = "Bodies")]
    hull: bool,

    /// Take the file as the union of the convex hulls of its parts
    #[arg(long, conflicts_with_all = ["surface", "decompose"], help_heading = "Bodies")]
    hull_parts: bool,

    /// Cut the file, a closed mesh, into convex parts: exact, or approximate (V-HACD: it fills small hollows)
    #[arg(long, value_name = "HOW", conflicts_with = "surface", help_heading = "Bodies")]
    decompose: Option<Decompose>,

    /// Demand a closed body, whose inside counts; --solid=winding takes open ones too, by their winding number
    #[arg(long, value_name = "BY", conflicts_with = "surface", help_heading = "Bodies")]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "closed")]
    solid: Option<Solid>,

    /// Forget the inside: all distances are 0 or more
    #[arg(long, help_heading = "Bodies")]
    surface: bool,

    /// Unit of the file, what is asked and answers; glTF (metres) is converted to it, other files are in it already
    #[arg(long, value_name = "UNIT", help_heading = "Bodies")]
    pub(crate) units: Option<Units>,
}

/// Reads the file, or makes the shape.
pub(crate) fn load(args: &OneBodyArgs) -> Result<Body, Failure> {
    let OneBodyArgs { hull, hull_parts, decompose, solid, surface, units, .. } = *args;
    let options = BodyOptions { hull, hull_parts, decompose, solid, surface, units, tree: TreeName::Auto };
    body::load(&args.file, args.part.as_deref(), "--part", &options)
}
