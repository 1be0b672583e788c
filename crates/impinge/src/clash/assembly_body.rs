//! A body of an assembly: its model, its pose, and which other bodies it is compared with.

use crate::broad::Filter;
use crate::math::Pose;
use crate::model::Model;

/// A body of an assembly.
///
/// ```
/// use impinge::{clash::AssemblyBody, glam::DVec3, Filter, Pose, Round};
/// let bolt = AssemblyBody::at(Round::cylinder(0.1, 1.0)?, Pose::at(DVec3::Z)?);
/// // In group 1, and compared with all groups but its own: no bolt is compared with another bolt.
/// let bolt = AssemblyBody { filter: Filter { group: 1 << 1, mask: !(1 << 1) }, ..bolt };
/// assert!(!bolt.filter.admits(bolt.filter));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct AssemblyBody {
    /// Its shape.
    pub model: Model,
    /// Where it stands.
    pub pose: Pose,
    /// Which other bodies it is compared with.
    pub filter: Filter,
}

impl AssemblyBody {
    /// A body that stands where its coordinates say, and is compared with every other.
    pub fn in_place(model: impl Into<Model>) -> AssemblyBody {
        AssemblyBody::at(model, Pose::IDENTITY)
    }

    /// A body that stands at a pose, and is compared with every other.
    pub fn at(model: impl Into<Model>, pose: Pose) -> AssemblyBody {
        AssemblyBody { model: model.into(), pose, filter: Filter::ALL }
    }
}
