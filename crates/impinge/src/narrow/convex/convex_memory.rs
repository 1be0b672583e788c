//! The memory of two convex bodies between queries, from which engines start.

use std::sync::Arc;

use super::axes::rabbitz::Rabbitz;
use super::axes::separating_vector::SeparatingVector;
use super::axes::witness_plane::{PlaneVerdict, WitnessPlane};
use super::features::lin_canny_cells::ConstantSizeCells;
use super::polyhedra::{HullFeature, Polyhedra};
use super::simplex::gjk_polyhedra::SimplexMemory;
use super::witnesses::ConvexOutcome;
use crate::answer::Stats;
use crate::math::Relative;
use crate::model::convex::polyhedron::NONE;
use crate::narrow::method::Method;

/// Regions of constant size, made when they are first needed, and the last ones visited.
#[derive(Debug, Clone)]
pub(super) struct RegionsMemory {
    pub(super) bodies: Arc<[ConstantSizeCells; 2]>,
    pub(super) places: [u32; 2],
}

impl RegionsMemory {
    pub(super) fn of(pair: &Polyhedra<'_>) -> RegionsMemory {
        let bodies = Arc::new([ConstantSizeCells::new(pair.a), ConstantSizeCells::new(pair.b)]);
        RegionsMemory { bodies, places: [NONE; 2] }
    }
}

/// What is remembered of two convex bodies. It only decides where an engine starts, so any content gives right answers.
#[derive(Debug, Clone, Default)]
pub(crate) struct ConvexMemory {
    /// The closest features of polyhedra.
    pub(crate) features: Option<[HullFeature; 2]>,
    pub(crate) simplex: SimplexMemory,
    pub(super) separation: SeparatorMemory,
    pub(super) regions: Option<RegionsMemory>,
    /// Whether polyhedra overlapped: then there are no closest features, and the simplex is the better start.
    pub(super) overlapping: bool,
    /// The last pose and the outcome there.
    pub(super) last: Option<(Relative, ConvexOutcome)>,
}

impl ConvexMemory {
    /// Nothing but the features that were closest.
    #[inline]
    pub(crate) fn of_features(features: Option<[HullFeature; 2]>) -> ConvexMemory {
        ConvexMemory { features, ..ConvexMemory::default() }
    }

    /// Keeps an outcome for the next query at the same pose.
    pub(crate) fn keep(&mut self, b_in_a: &Relative, outcome: ConvexOutcome) {
        self.last = Some((*b_in_a, outcome));
    }

    /// Restores features that were closest, after queries at other poses have replaced them.
    pub(crate) fn return_to(&mut self, features: Option<[HullFeature; 2]>) {
        if let Some(features) = features {
            (self.features, self.overlapping, self.last) = (Some(features), false, None);
        }
    }

    /// Whether nothing is remembered of polyhedra.
    pub(crate) fn is_blank(&self) -> bool {
        self.features.is_none() && self.simplex.is_blank()
    }
}

/// The memory of those engines that only decide whether bodies are apart.
#[derive(Debug, Clone, Copy, Default)]
pub(super) enum SeparatorMemory {
    #[default]
    Nothing,
    Plane(WitnessPlane),
    Vector(SeparatingVector),
    Rabbitz(Rabbitz),
}

impl SeparatorMemory {
    /// Whether they are apart by more than `enough`.
    #[inline(never)]
    pub(super) fn apart(&mut self, pair: &Polyhedra<'_>, method: Method, enough: f64, stats: &mut Stats) -> bool {
        *self = match (method, *self) {
            (Method::WitnessPlane, SeparatorMemory::Plane(_)) => *self,
            (Method::WitnessPlane, _) => SeparatorMemory::Plane(WitnessPlane::default()),
            (Method::SeparatingVector, SeparatorMemory::Vector(_)) => *self,
            (Method::SeparatingVector, _) => SeparatorMemory::Vector(SeparatingVector::default()),
            (_, SeparatorMemory::Rabbitz(_)) => *self,
            _ => SeparatorMemory::Rabbitz(Rabbitz::default()),
        };
        let sides = match self {
            SeparatorMemory::Plane(plane) => plane.apart(pair, enough, stats),
            SeparatorMemory::Vector(vector) => vector.apart(pair, enough, stats),
            SeparatorMemory::Rabbitz(rabbitz) => rabbitz.apart(pair, enough, stats),
            SeparatorMemory::Nothing => PlaneVerdict::Unknown,
        };
        matches!(sides, PlaneVerdict::Apart(_))
    }
}
