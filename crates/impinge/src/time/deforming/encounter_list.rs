//! Lists every encounter of a vertex with a face and of two edges, of two deforming meshes or of one with itself.
//!
//! The trees of moving boxes leave the triangles that come near at the same time (`tree/descent/meeting.rs`). Their
//! features are tested, each pair once. Without a thickness a certified search leaves out most pairs, and what it does
//! not exclude is decided exactly: each time at which two features meet is an encounter, up to three of two features.
//! Of features that stay in one plane, and of all with a thickness, only the first is told.
//!
//! Invariant: none is missed. Cost: pairs of nodes and of features whose boxes come near, and for each encounter some
//! 20 µs.

use std::ops::ControlFlow;

use super::features::encounter::FeatureEncounter;
use super::features::feature_pair::Features;
use super::features::inclusion::{CellQueue, Want};
use super::mesh_encounter::{EncounterOptions, MeshEncounter, MeshEncounters};
use crate::answer::{Feature, Stats};
use crate::bound::MovingBox;
use crate::math::simd::{Kernel, Simd, dispatch};
use crate::model::Deforming;
use crate::tree::descent::descend::{Order, Scratch, Visitor, descend};
use crate::tree::descent::itself::descend_itself;
use crate::tree::descent::meeting;
use crate::tree::nodes::Leaf;

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
    let mut found = Found { list: Vec::new(), most: options.limit.most(), complete: true };
    if !a.is_empty() && !b.is_empty() {
        let extent = |body: &Deforming| (body.bounds.max * 0.5 - body.bounds.min * 0.5).max_element();
        let near = options.near();
        let want = Want { tolerance: extent(a).min(extent(b)) * COARSE, separation: near, before: AFTER_STEP };
        dispatch(Descent { a, b, is_itself, want, found: &mut found, stats: &mut stats });
    }
    let Found { mut list, complete, .. } = found;
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

struct Found {
    list: Vec<MeshEncounter>,
    most: usize,
    complete: bool,
}

impl Found {
    fn is_full(&self) -> bool {
        self.list.len() >= self.most
    }

    fn add(&mut self, encounter: MeshEncounter) {
        if self.is_full() {
            self.complete = false;
        } else {
            self.list.push(encounter);
        }
    }
}

struct Descent<'s, 'q> {
    a: &'q Deforming,
    b: &'q Deforming,
    is_itself: bool,
    want: Want,
    found: &'s mut Found,
    stats: &'s mut Stats,
}

impl Kernel for Descent<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self) {
        let Descent { a, b, is_itself, want, found, stats } = self;
        let swapped = b.trees[0].unit > a.trees[0].unit;
        let (outer, inner) = if swapped { (b, a) } else { (a, b) };
        let metric = meeting::BoxMeeting::new(&outer.trees, &inner.trees, want.separation);
        let mut leaves = Leaves { a, b, is_itself, swapped, want, found, cells: CellQueue::default(), tests: 0 };
        let mut scratch = Scratch::default();
        let mut opened = 0;
        if is_itself {
            let nodes = 0..a.trees[0].nodes();
            (opened, _) = descend_itself::<S, _, _>(&a.trees[0], nodes, &metric, 0.0, &mut leaves, &mut scratch);
        } else if let Some(from) = metric.of_roots() {
            let (outer, inner) = (&outer.trees[0], &inner.trees[0]);
            opened = descend::<S, _, _>(outer, inner, metric.scale, &metric, from, &mut leaves, &mut scratch);
        }
        stats.volume_tests += 1 + 8 * opened;
        stats.primitive_tests += leaves.tests;
        stats.iterations += opened + leaves.cells.tested;
    }
}

/// Tests the features of triangles at the leaves.
struct Leaves<'s, 'q> {
    a: &'q Deforming,
    b: &'q Deforming,
    is_itself: bool,
    swapped: bool,
    want: Want,
    found: &'s mut Found,
    cells: CellQueue,
    tests: u64,
}

impl Leaves<'_, '_> {
    fn triangles(&mut self, i: u32, j: u32) {
        let around = |mesh: &Deforming, place| MovingBox::around(mesh.corners(place));
        if around(self.a, i).meeting(&around(self.b, j), self.want.separation).is_none() {
            return;
        }
        for features in Features::of_triangles(self.a, self.b, [i, j]) {
            if !(self.is_itself && features.is_joined(self.a)) {
                self.tests += 1;
                self.features(features);
            }
        }
    }

    fn features(&mut self, features: Features) {
        let encounter = features.encounter(self.a, self.b);
        let near = self.want.separation;
        if near > 0.0 {
            let met = encounter.is_in_reach(near).then(|| encounter.first_as_near_as(near)).flatten();
            if let Some(met) = met {
                let certain = met.time.upper == met.time.lower;
                self.found.add(told(self, features, &encounter, (met.time, certain), (met.place, met.distance)));
            }
            return;
        }
        if encounter.first_meeting(&self.want, &mut self.cells).is_none() {
            return;
        }
        for time in encounter.exact_meetings() {
            let meeting = encounter.exactly_at(time, 0.0);
            self.found.add(told(self, features, &encounter, (time.interval, time.is_decided), (meeting.place, 0.0)));
        }
    }
}

/// An encounter as it is told.
fn told(
    leaves: &Leaves<'_, '_>,
    features: Features,
    encounter: &FeatureEncounter,
    (time, certain): (crate::math::Interval, bool),
    (place, distance): ([f64; 2], f64),
) -> MeshEncounter {
    let (a, b) = (leaves.a, leaves.b);
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

impl Visitor<f64> for Leaves<'_, '_> {
    const ORDER: Order = Order::Any;

    #[inline(always)]
    fn cutoff(&self) -> f64 {
        AFTER_STEP
    }

    fn leaves<S: Simd>(&mut self, outer: Leaf, inner: Leaf) -> ControlFlow<()> {
        let (a, b) = if self.swapped { (inner, outer) } else { (outer, inner) };
        let is_same_leaf = self.is_itself && a == b;
        for i in a.places() {
            for j in b.places().filter(|&j| !is_same_leaf || i < j) {
                self.triangles(i, j);
            }
        }
        if self.found.complete { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}
