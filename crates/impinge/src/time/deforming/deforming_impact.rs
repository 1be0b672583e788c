//! When do two deforming meshes first touch, or one itself? A certified search for each pair of features that may meet,
//! in the order of time.
//!
//! Bodies that are apart at time 0 first touch where a vertex meets a face or two edges meet (Wang et al. 2021, §1).
//! The search goes through the features that may meet (`feature_walk.rs`) until the time of the earliest meeting found.
//! Before that, an exact static test decides whether the bodies touch at time 0.
//!
//! Invariant: no pair of features meets before `time.lower`. Cost: pairs of nodes and features that meet in boxes
//! before the first contact; each pair of features is tested once.

use super::feature_walk::{FeatureSink, FeatureWalk};
use super::features::encounter::FeatureEncounter;
use super::features::feature_pair::Features;
use super::features::inclusion::{CellQueue, Meeting, Want};
use super::features::inclusion_query::Inclusion;
use super::snapshot::MeshSnapshot;
use crate::answer::{Contact, Feature, Impact, Semantics, Stats, Witness};
use crate::math::{Interval, Relative};
use crate::model::Deforming;
use crate::model::{Mesh, Model};
use crate::narrow::context::Context;
use crate::narrow::grid::dispatch::Query;
use crate::narrow::grid::memory::Memory;
use crate::narrow::outcome::Outcome;
use crate::narrow::proximity::{CommonPoint, Proximity};
use crate::narrow::{Limit, Method};

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
        let first = first_of([self, b], false, near, &mut impact.stats);
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
        let first = first_of([self, self], true, near, &mut impact.stats);
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

/// The first meeting of features of two meshes, or of one.
fn first_of([a, b]: [&Deforming; 2], is_itself: bool, near: &Inclusion, stats: &mut Stats) -> Option<First> {
    let want = near.want();
    let mut search = FirstMeeting { want, first: None, cells: CellQueue::default() };
    FeatureWalk { a, b, is_itself, separation: want.separation }.show(&mut search, stats);
    stats.iterations += search.cells.tested;
    search.first
}

/// Keeps the earliest meeting.
struct FirstMeeting {
    want: Want,
    first: Option<First>,
    cells: CellQueue,
}

impl FeatureSink for FirstMeeting {
    fn before(&self) -> f64 {
        self.want.before
    }

    fn take(&mut self, features: Features, encounter: &FeatureEncounter) {
        if let Some(meeting) = encounter.decided_meeting(&self.want, &mut self.cells) {
            self.want.before = meeting.time.lower;
            self.first = Some(First { meeting, features });
        }
    }

    fn is_done(&self) -> bool {
        self.want.before <= 0.0
    }
}
