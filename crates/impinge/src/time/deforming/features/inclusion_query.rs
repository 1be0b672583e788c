//! Public: when a moving vertex meets a moving triangle, or one moving edge another.

use glam::DVec3;

use super::encounter::FeatureEncounter;
use super::inclusion::{CellQueue, Meeting, Want};
use crate::error::BuildError;
use crate::model::mesh::triangle_mesh::validate_positions;

/// How near two features have to come to meet, when their points move straight from time 0 to time 1.
///
/// Whether features meet, and when, is decided exactly on the coordinates given, degenerate features and such in one
/// plane included; the interval of the time is at most 2⁻²¹ wide, mostly 2⁻⁴⁰. With a separation the time found is
/// never later than the true one, and no meeting is missed; where rounding or the tolerance leaves it open whether
/// features meet, they count as meeting, and [`Meeting::nearness`] says how near they certainly come.
///
/// ```
/// use impinge::{glam::DVec3, Inclusion};
/// let face = [[-1., 0., 1.], [1., 0., 1.], [0., 0., -1.]].map(DVec3::from_array);
/// let falling = |y: f64| [DVec3::Y * y, face[0], face[1], face[2]];
/// let met = Inclusion::default().vertex_face(falling(1.0), falling(-1.0))?.expect("it falls through");
/// assert!(met.time.contains(0.5) && met.time.width() < 1e-9 && met.nearness == 0.0);
/// assert!(Inclusion::default().vertex_face(falling(1.0), falling(0.5))?.is_none());
/// # Ok::<(), impinge::BuildError>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct Inclusion {
    /// With a separation, features that come this much nearer may count as meeting; a smaller value takes longer.
    /// Without one it does not change which features meet.
    pub tolerance: f64,
    /// Features count as meeting when they are as near as this in every coordinate of some frame.
    pub separation: f64,
}

impl Inclusion {
    /// When does a vertex, the first point, meet the face whose corners the others are?
    ///
    /// # Errors
    /// A coordinate is not finite or beyond the supported scale; the points are named in the order given, those of the
    /// start first.
    pub fn vertex_face(&self, start: [DVec3; 4], end: [DVec3; 4]) -> Result<Option<Meeting>, BuildError> {
        Ok(self.meeting(&FeatureEncounter::vertex_face(moving(start, end)?)))
    }

    /// When does the edge between the first two points meet that between the others?
    ///
    /// # Errors
    /// As [`Inclusion::vertex_face`].
    pub fn edge_edge(&self, start: [DVec3; 4], end: [DVec3; 4]) -> Result<Option<Meeting>, BuildError> {
        Ok(self.meeting(&FeatureEncounter::edge_edge(moving(start, end)?)))
    }

    fn meeting(&self, encounter: &FeatureEncounter) -> Option<Meeting> {
        encounter.decided_meeting(&self.want(), &mut CellQueue::default())
    }

    /// The question in lengths; negative values and NaN count as 0.
    pub(crate) fn want(&self) -> Want {
        let length = |x: f64| if x > 0.0 { x.min(f64::MAX) } else { 0.0 };
        Want { tolerance: length(self.tolerance), separation: length(self.separation), before: AFTER_STEP }
    }
}

/// The first time that is no longer within a step.
const AFTER_STEP: f64 = 1.0 + f64::EPSILON;

fn moving(start: [DVec3; 4], end: [DVec3; 4]) -> Result<[[DVec3; 2]; 4], BuildError> {
    validate_positions(&[start, end].concat())?;
    Ok([0, 1, 2, 3].map(|k| [start[k], end[k]]))
}
