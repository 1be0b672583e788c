//! Lists every encounter of a vertex with a face and of two edges, of two deforming meshes or of one with itself.
//!
//! The features that may meet (`feature_walk.rs`) are tested, each pair once. Without a thickness a certified search
//! leaves out most pairs, and what it does not exclude is decided exactly: each time at which two features meet is an
//! encounter, up to three of two features. Of features that stay in one plane, and of all with a thickness, only the
//! first is told.
//!
//! Invariant: none is missed. Cost: pairs of nodes and of features whose boxes come near, and for each encounter some
//! 20 µs.

use super::feature_walk::{FeatureSink, FeatureWalk};
use super::features::encounter::FeatureEncounter;
use super::features::feature_pair::Features;
use super::features::inclusion::{CellQueue, Want};
use super::mesh_encounter::{EncounterOptions, MeshEncounter, MeshEncounters};
use crate::answer::{Feature, Stats};
use crate::math::Interval;
use crate::model::Deforming;

/// The first time after the step.
const AFTER_STEP: f64 = 1.0 + f64::EPSILON;
/// How near features come before they are tested exactly, as a share of the space that the smaller body sweeps.
const COARSE: f64 = 1.0 / (1u64 << 24) as f64;

impl Deforming {
    /// Every encounter of a vertex with a face and of two edges, of this mesh and another, while both deform from time
    /// 0 to time 1.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Deforming, EncounterOptions, Feature, Mesh};
    /// let floor = [[-9., -9., 0.], [9., -9., 0.], [0., 9., 0.]].map(DVec3::from_array).to_vec();
    /// let floor = Deforming::still(Mesh::new(floor, vec![[0, 1, 2]])?);
    /// let leaf = [[0., 0., 1.], [1., 0., 2.], [0., 1., 4.]].map(DVec3::from_array).to_vec();
    /// let lower: Vec<DVec3> = leaf.iter().map(|v| *v - DVec3::Z * 3.0).collect();
    /// let leaf = Deforming::new(Mesh::new(leaf, vec![[0, 1, 2]])?, &lower)?;
    /// let all = leaf.encounters(&floor, &EncounterOptions::default());
    /// assert!(all.complete && all.list.len() == 2, "two of its corners pass the floor");
    /// let first = &all.list[0];
    /// assert!(first.time.contains(1.0 / 3.0) && first.certain);
    /// assert_eq!(first.features[0], Feature::Vertex { triangle: 0, vertex: 0 });
    /// assert!(first.normal.is_some_and(|n| n.distance(-DVec3::Z) < 1e-12));
    /// assert!((first.weights[1].iter().sum::<f64>() - 1.0).abs() < 1e-12);
    /// # Ok::<(), impinge::BuildError>(())
    /// ```
    pub fn encounters(&self, other: &Deforming, options: &EncounterOptions) -> MeshEncounters {
        listed(self, other, false, options)
    }

    /// Every encounter of features of this mesh with each other; those that have a vertex in common do not count.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Deforming, EncounterOptions, Mesh};
    /// let v = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.], [1., 0., 1.], [0.2, 0.2, 2.]];
    /// let v = v.map(DVec3::from_array).to_vec();
    /// let mut end = v.clone();
    /// end[5].z = -1.0;
    /// let folding = Deforming::new(Mesh::new(v, vec![[0, 1, 2], [3, 4, 5]])?, &end)?;
    /// let all = folding.self_encounters(&EncounterOptions::default());
    /// assert!((all.list[0].time.mid() - 2.0 / 3.0).abs() < 1e-9);
    /// # Ok::<(), impinge::BuildError>(())
    /// ```
    pub fn self_encounters(&self, options: &EncounterOptions) -> MeshEncounters {
        listed(self, self, true, options)
    }
}

fn listed(a: &Deforming, b: &Deforming, is_itself: bool, options: &EncounterOptions) -> MeshEncounters {
    let mut stats = Stats::default();
    let extent = |body: &Deforming| (body.bounds.max * 0.5 - body.bounds.min * 0.5).max_element();
    let near = options.near();
    let want = Want { tolerance: extent(a).min(extent(b)) * COARSE, separation: near, before: AFTER_STEP };
    let (list, cells) = (Vec::new(), CellQueue::default());
    let mut found = Found { bodies: [a, b], want, list, most: options.limit.most(), complete: true, cells };
    if !a.is_empty() && !b.is_empty() {
        FeatureWalk { a, b, is_itself, separation: near }.show(&mut found, &mut stats);
    }
    let Found { mut list, complete, cells, .. } = found;
    stats.iterations += cells.tested;
    let key = |e: &MeshEncounter| (rank(&e.features[0]), rank(&e.features[1]));
    list.sort_by(|x, y| x.time.lower.total_cmp(&y.time.lower).then_with(|| key(x).cmp(&key(y))));
    MeshEncounters { list, complete, stats }
}

/// An order of features.
fn rank(feature: &Feature) -> [u32; 4] {
    match *feature {
        Feature::Vertex { triangle, vertex } => [0, triangle, vertex, 0],
        Feature::Edge { triangle, vertices: [p, q] } => [1, triangle, p, q],
        Feature::Face { triangle } => [2, triangle, 0, 0],
        Feature::Convex { piece, .. } => [3, piece, 0, 0],
    }
}

/// Keeps every encounter, up to a number.
struct Found<'q> {
    bodies: [&'q Deforming; 2],
    want: Want,
    list: Vec<MeshEncounter>,
    most: usize,
    complete: bool,
    cells: CellQueue,
}

impl Found<'_> {
    fn add(&mut self, encounter: MeshEncounter) {
        if self.list.len() >= self.most {
            self.complete = false;
        } else {
            self.list.push(encounter);
        }
    }

    /// An encounter as it is told.
    fn told(
        &self,
        features: Features,
        encounter: &FeatureEncounter,
        (time, certain): (Interval, bool),
        (place, distance): ([f64; 2], f64),
    ) -> MeshEncounter {
        let [a, b] = self.bodies;
        let at = if certain { time.mid() } else { time.lower };
        let mut points = encounter.points_at(at, place);
        let across = if distance > 0.0 { (points[1] - points[0]).try_normalize() } else { None };
        let mut normal = across.or_else(|| encounter.normal(at, place));
        let (vertices, mut weights) = (features.vertices(a, b), encounter.weights(place));
        if features.is_swapped() {
            points.reverse();
            weights.reverse();
            normal = normal.map(|n| -n);
        }
        MeshEncounter { time, features: features.names(a, b), vertices, weights, points, normal, distance, certain }
    }
}

impl FeatureSink for Found<'_> {
    fn before(&self) -> f64 {
        AFTER_STEP
    }

    fn take(&mut self, features: Features, encounter: &FeatureEncounter) {
        let near = self.want.separation;
        if near > 0.0 {
            let met = encounter.is_in_reach(near).then(|| encounter.first_as_near_as(near)).flatten();
            if let Some(met) = met {
                let certain = met.time.upper == met.time.lower;
                self.add(self.told(features, encounter, (met.time, certain), (met.place, met.distance)));
            }
            return;
        }
        if encounter.first_meeting(&self.want, &mut self.cells).is_none() {
            return;
        }
        for time in encounter.exact_meetings() {
            let meeting = encounter.exactly_at(time, 0.0);
            self.add(self.told(features, encounter, (time.interval, time.is_decided), (meeting.place, 0.0)));
        }
    }

    fn is_done(&self) -> bool {
        !self.complete
    }
}
