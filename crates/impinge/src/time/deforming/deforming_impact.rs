//! When do two deforming meshes first touch, or one itself? Searches trees of moving boxes in the order of time, with a
//! certified search for each pair of features at the leaves.
//!
//! Bodies that are apart at time 0 first touch where a vertex meets a face or two edges meet (Wang et al. 2021, §1).
//! The search opens pairs of nodes in the order of the first time at which their boxes meet
//! (`tree/descent/meeting.rs`), until the time of the earliest meeting found. Before that, an exact static test decides
//! whether the bodies touch at time 0.
//!
//! Invariant: no pair of features meets before `time.lower`. Cost: pairs of nodes and features that meet in boxes
//! before the first contact; each pair of features is tested once.

use std::ops::ControlFlow;

use super::features::feature_pair::Features;
use super::features::inclusion::{CellQueue, Meeting, Want};
use super::features::inclusion_query::Inclusion;
use super::snapshot::MeshSnapshot;
use crate::answer::{Contact, Feature, Impact, Semantics, Stats, Witness};
use crate::bound::MovingBox;
use crate::math::simd::{Kernel, Simd, dispatch};
use crate::math::{Interval, Relative};
use crate::model::Deforming;
use crate::model::{Mesh, Model};
use crate::narrow::context::Context;
use crate::narrow::grid::dispatch::Query;
use crate::narrow::grid::memory::Memory;
use crate::narrow::outcome::Outcome;
use crate::narrow::proximity::{CommonPoint, Proximity};
use crate::narrow::{Limit, Method};
use crate::tree::descent::descend::{Order, Scratch, Visitor, descend};
use crate::tree::descent::itself::descend_itself;
use crate::tree::descent::meeting;
use crate::tree::nodes::Leaf;

/// The distance that counts as touching where rounding decides nothing better, as a share of half the extent of the
/// space that the smaller body sweeps.
const FINENESS: f64 = 1.0 / (1u64 << 36) as f64;

impl Deforming {
    /// When do two deforming meshes first touch, between time 0 and time 1?
    ///
    /// A body inside a solid one touches it, when it is so at time 0; later no body gets inside without touching. The
    /// interval contains the time at which the features meet, which is decided exactly on the coordinates of the
    /// vertices. [`Impact::leaves`] is left to [`Deforming::parting_within`].
    pub(crate) fn impact(&self, b: &Deforming) -> Impact {
        let extent = |body: &Deforming| (body.bounds.max * 0.5 - body.bounds.min * 0.5).max_element();
        let near = &Inclusion { tolerance: extent(self).min(extent(b)) * FINENESS, separation: 0.0 };
        let models = [self, b].map(|body| Model::Mesh(body.mesh.clone()));
        let query = Query { a: &models[0], b: &models[1], b_in_a: Relative::IDENTITY, method: Method::Auto };
        let mut impact = no_impact(query.semantics());
        if self.is_empty() || b.is_empty() {
            return impact;
        }
        match query.nearest(0.0, Context::new(&mut Memory::default(), &mut impact.stats)) {
            Outcome::Beyond | Outcome::Apart(_) => {}
            answer => return touching_at_start(impact, answer),
        }
        let first = dispatch(Descent { a: self, b, near, is_itself: false, stats: &mut impact.stats });
        let mut impact = impact_of(impact, self, b, first);
        if let Some(time) = impact.time.filter(|_| !impact.certain)
            && let Some(mut snapshot) = MeshSnapshot::new([self, b], time.lower)
            && let Some(touched) = snapshot.touching_soon(time.lower, &mut impact.stats)
        {
            (impact.time, impact.certain) = (Some(Interval { upper: touched, ..time }), true);
        }
        impact
    }

    /// When does the mesh first touch itself? Features that have a vertex in common do not count.
    ///
    /// ```
    /// use impinge::{glam::DVec3, Deforming, Inclusion, Mesh};
    /// let v = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.], [1., 0., 1.], [0.2, 0.2, 2.]];
    /// let v = v.map(DVec3::from_array).to_vec();
    /// let mut end = v.clone();
    /// end[5].z = -1.0;
    /// let folding = Deforming::new(Mesh::new(v, vec![[0, 1, 2], [3, 4, 5]])?, &end)?;
    /// let time = folding.self_impact(&Inclusion::default()).time.expect("the tip meets the other triangle");
    /// assert!((time.mid() - 2.0 / 3.0).abs() < 1e-9);
    /// # Ok::<(), impinge::BuildError>(())
    /// ```
    pub fn self_impact(&self, near: &Inclusion) -> Impact {
        let mut impact = no_impact(Semantics::Surface);
        if self.is_empty() {
            return impact;
        }
        let contacts = self.mesh().self_contacts(Limit::First);
        impact.stats = contacts.stats;
        if let Some(&pair) = contacts.pairs.first() {
            return touching_at_start(impact, self.touch_of(pair));
        }
        let first = dispatch(Descent { a: self, b: self, near, is_itself: true, stats: &mut impact.stats });
        impact_of(impact, self, self, first)
    }

    /// Where two triangles that touch at time 0 do so.
    fn touch_of(&self, pair: [u32; 2]) -> Proximity {
        let mesh_of_one = |t: u32| Mesh::new(self.mesh().triangle(t).unwrap_or_default().to_vec(), vec![[0, 1, 2]]);
        let [Ok(a), Ok(b)] = pair.map(mesh_of_one) else { return Outcome::Beyond };
        let (a, b) = (Model::from(a), Model::from(b));
        let query = Query { a: &a, b: &b, b_in_a: Relative::IDENTITY, method: Method::Auto };
        match query.nearest(0.0, Context::new(&mut Memory::default(), &mut Stats::default())) {
            Outcome::Touching(CommonPoint::OfTriangles(contact, _)) => Outcome::Touching(CommonPoint::OfTriangles(
                Contact { pair, ..contact },
                pair.map(|triangle| Feature::Face { triangle }),
            )),
            other => other,
        }
    }
}

pub(crate) fn no_impact(semantics: Semantics) -> Impact {
    Impact {
        time: None,
        certain: true,
        separating: false,
        witness: None,
        normal: None,
        leaves: None,
        semantics,
        stats: Stats::default(),
    }
}

/// The impact of bodies that touch at time 0, which an exact test decided.
fn touching_at_start(impact: Impact, answer: Proximity) -> Impact {
    let (witness, normal) = match answer {
        Outcome::Touching(CommonPoint::OfTriangles(contact, features)) => {
            let points = contact.points.first().copied();
            (points.map(|points| Witness { points, features }), contact.normal.try_normalize())
        }
        Outcome::Touching(CommonPoint::OfBodies(witness)) => (Some(witness), None),
        _ => (None, None),
    };
    Impact { time: Some(Interval::ZERO), witness, normal, ..impact }
}

fn impact_of(impact: Impact, a: &Deforming, b: &Deforming, first: Option<First>) -> Impact {
    let Some(First { meeting, features }) = first else { return impact };
    let encounter = features.encounter(a, b);
    let certain = meeting.nearness == 0.0;
    let mut points = encounter.points_at(meeting.time.upper, meeting.place);
    let mut normal = encounter.normal(meeting.time.upper, meeting.place);
    if features.is_swapped() {
        points.reverse();
        normal = normal.map(|n| -n);
    }
    let witness = Some(Witness { points, features: features.names(a, b) });
    Impact { time: Some(meeting.time), certain, witness, normal, ..impact }
}

/// The earliest meeting so far.
struct First {
    meeting: Meeting,
    features: Features,
}

struct Descent<'q> {
    a: &'q Deforming,
    b: &'q Deforming,
    near: &'q Inclusion,
    is_itself: bool,
    stats: &'q mut Stats,
}

impl Kernel for Descent<'_> {
    type Output = Option<First>;

    #[inline(always)]
    fn run<S: Simd>(self) -> Option<First> {
        let Descent { a, b, near, is_itself, stats } = self;
        let swapped = b.trees[0].unit > a.trees[0].unit;
        let (outer, inner) = if swapped { (b, a) } else { (a, b) };
        let want = near.want();
        let metric = meeting::BoxMeeting::new(&outer.trees, &inner.trees, want.separation);
        let mut leaves = Leaves { a, b, is_itself, swapped, want, first: None, cells: CellQueue::default(), tests: 0 };
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
        leaves.first
    }
}

/// Tests the features of triangles at the leaves.
struct Leaves<'q> {
    a: &'q Deforming,
    b: &'q Deforming,
    is_itself: bool,
    swapped: bool,
    want: Want,
    first: Option<First>,
    cells: CellQueue,
    tests: u64,
}

impl Leaves<'_> {
    fn triangles(&mut self, i: u32, j: u32) {
        let around = |mesh: &Deforming, place| MovingBox::around(mesh.corners(place));
        let window = around(self.a, i).meeting(&around(self.b, j), self.want.separation);
        if window.is_none_or(|[from, _]| from >= self.want.before) {
            return;
        }
        for features in Features::of_triangles(self.a, self.b, [i, j]) {
            self.features(features);
        }
    }

    fn features(&mut self, features: Features) {
        if self.is_itself && features.is_joined(self.a) {
            return;
        }
        self.tests += 1;
        let encounter = features.encounter(self.a, self.b);
        if let Some(meeting) = encounter.decided_meeting(&self.want, &mut self.cells) {
            self.want.before = meeting.time.lower;
            self.first = Some(First { meeting, features });
        }
    }
}

impl Visitor<f64> for Leaves<'_> {
    const ORDER: Order = Order::BestFirst;

    #[inline(always)]
    fn cutoff(&self) -> f64 {
        self.want.before
    }

    fn leaves<S: Simd>(&mut self, outer: Leaf, inner: Leaf) -> ControlFlow<()> {
        let (a, b) = if self.swapped { (inner, outer) } else { (outer, inner) };
        let is_same_leaf = self.is_itself && a == b;
        for i in a.places() {
            for j in b.places().filter(|&j| !is_same_leaf || i < j) {
                self.triangles(i, j);
            }
        }
        if self.want.before > 0.0 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}
