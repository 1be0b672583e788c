//! What the lists of encounters say: which features meet, when, where, and across which direction.

use glam::DVec3;

use crate::answer::{Feature, Stats};
use crate::math::Interval;
use crate::narrow::Limit;

/// Which encounters to list.
///
/// ```
/// use impinge::{EncounterOptions, Limit};
/// let thick = EncounterOptions { thickness: 0.01, ..EncounterOptions::default() };
/// assert_eq!((thick.limit, EncounterOptions::default().thickness), (Limit::All, 0.0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(default))]
pub struct EncounterOptions {
    /// Features meet when they are as near as this. With 0, when they touch. Negative or NaN counts as 0.
    pub thickness: f64,
    /// How many to list at most.
    pub limit: Limit,
}

impl Default for EncounterOptions {
    fn default() -> EncounterOptions {
        EncounterOptions { thickness: 0.0, limit: Limit::All }
    }
}

impl EncounterOptions {
    pub(crate) fn near(&self) -> f64 {
        if self.thickness > 0.0 { self.thickness.min(f64::MAX) } else { 0.0 }
    }
}

/// A vertex that meets a face, or two edges that meet, during a step.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MeshEncounter {
    /// When they meet; with a thickness, when they first are as near as that.
    pub time: Interval,
    /// The features of the first mesh and of the second: a vertex and a face, a face and a vertex, or two edges.
    pub features: [Feature; 2],
    /// The vertices of each feature, as given; the last one of a vertex or an edge is repeated.
    pub vertices: [[u32; 3]; 2],
    /// How much of each of these vertices is in the point of the feature: barycentric coordinates, which sum to 1.
    pub weights: [[f64; 3]; 2],
    /// The points of both features then.
    pub points: [DVec3; 2],
    /// The unit normal to both features, from the first to the second as they were before; with a thickness, from point
    /// to point. `None` where nothing tells a direction.
    pub normal: Option<DVec3>,
    /// How far apart the points are then; 0 for features that touch.
    pub distance: f64,
    /// Whether they certainly meet in `time`; if not, `time` ends with the step.
    pub certain: bool,
}

/// The encounters of a step, in the order of time.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MeshEncounters {
    /// By the beginning of their time, then by their features.
    pub list: Vec<MeshEncounter>,
    /// Whether these are all; if not, the limit was reached.
    pub complete: bool,
    /// What it cost.
    pub stats: Stats,
}
