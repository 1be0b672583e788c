//! What can be wrong with a robot, and with the values given for its joints.

/// Why a robot, or values for its joints, are refused.
///
/// ```
/// use impinge::{Robot, RobotError};
/// assert_eq!(Robot::new(vec![]), Err(RobotError::NoJoints));
/// ```
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RobotError {
    /// Nothing to move.
    #[error("the robot has no joints; give one at least")]
    NoJoints,
    /// An axis without a direction.
    #[error("the axis of the joint `{joint}` is zero or not finite")]
    NoAxis {
        /// Its name.
        joint: String,
    },
    /// Limits that leave no value.
    #[error("the joint `{joint}` has the limits {lower} and {upper}; the lower has to be finite and at most the upper")]
    BadLimits {
        /// Its name.
        joint: String,
        /// As given.
        lower: f64,
        /// As given.
        upper: f64,
    },
    /// Two joints of one name.
    #[error("two joints are called `{joint}`; give each a name of its own")]
    SameName {
        /// The name.
        joint: String,
    },
    /// A link that two joints carry.
    #[error("the link `{link}` is carried by `{first}` and by `{second}`; a link hangs on one joint only")]
    TwoJoints {
        /// The link.
        link: String,
        /// A joint.
        first: String,
        /// The other joint.
        second: String,
    },
    /// Links that carry each other.
    #[error("the link `{link}` carries itself, through the joints below it; robots are trees")]
    Cycle {
        /// One of the links.
        link: String,
    },
    /// Two links that no joint carries.
    #[error("no joint carries `{first}` nor `{second}`; a robot has one base, so join them by a fixed joint")]
    TwoBases {
        /// A link.
        first: String,
        /// The other link.
        second: String,
    },
    /// A link that is not there.
    #[error("the robot has no link of the number {link}; it has {count}")]
    NoLink {
        /// As given.
        link: usize,
        /// The number of links.
        count: usize,
    },
    /// A link beyond the supported scale.
    #[error("at rest the link `{link}` lies beyond the supported scale; choose another unit")]
    TooLarge {
        /// The link.
        link: String,
    },
    /// More or fewer values than joints that move.
    #[error("{given} values are given for {expected} joints that move")]
    WrongCount {
        /// As given.
        given: usize,
        /// As many as joints move.
        expected: usize,
    },
    /// A value that is not finite.
    #[error("the value {value} of the joint `{joint}` is not finite")]
    NotFinite {
        /// The name of the joint.
        joint: String,
        /// As given.
        value: f64,
    },
    /// A value beyond the limits of its joint.
    #[error("the joint `{joint}` comes to {value} at the time {time}, beyond its limits {lower} and {upper}")]
    BeyondLimit {
        /// The name of the joint.
        joint: String,
        /// When; 0 for values without a time.
        time: f64,
        /// The value then.
        value: f64,
        /// The limits.
        lower: f64,
        /// The limits.
        upper: f64,
    },
}
