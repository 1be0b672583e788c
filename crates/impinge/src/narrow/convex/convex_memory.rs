//! What is remembered of two convex bodies between questions, and the engines that go on from it.

use std::sync::Arc;

use glam::DVec3;

use super::axes::rabbitz::Rabbitz;
use super::axes::separating_vector::SeparatingVector;
use super::axes::witness_plane::{Sides, WitnessPlane};
use super::features::lin_canny_cells::ConstantSizeCells;
use super::polyhedra::{Cell, Polyhedra};
use super::simplex::gjk_polyhedra::Recall;
use super::witnesses::ConvexOutcome;
use crate::answer::Stats;
use crate::math::Relative;
use crate::model::convex::polyhedron::NONE;
use crate::narrow::method::Method;

/// Regions of constant size, made when they are first asked for, and the last ones visited.
#[derive(Debug, Clone)]
pub(super) struct Regions {
    pub(super) bodies: Arc<[ConstantSizeCells; 2]>,
    pub(super) places: [u32; 2],
}

impl Regions {
    pub(super) fn of(pair: &Polyhedra<'_>) -> Regions {
        let bodies = Arc::new([ConstantSizeCells::new(pair.a), ConstantSizeCells::new(pair.b)]);
        Regions { bodies, places: [NONE; 2] }
    }
}

/// What is remembered of two convex bodies. Anything may be in it: it is only ever a start.
#[derive(Debug, Clone, Default)]
pub(crate) struct Recollection {
    /// The closest features of polyhedra.
    pub(crate) cells: Option<[Cell; 2]>,
    pub(crate) recall: Recall,
    /// The last way out of bodies that overlapped.
    pub(crate) way_out: Option<DVec3>,
    pub(super) separation: Separation,
    pub(super) regions: Option<Regions>,
    /// Whether polyhedra overlapped: then no features are closest, and the simplex is the better start.
    pub(super) overlapping: bool,
    /// The last pose and how the bodies stood there.
    pub(super) last: Option<(Relative, ConvexOutcome)>,
}

impl Recollection {
    /// Goes back to features that were closest, from wherever a question about another pose has led.
    pub(crate) fn return_to(&mut self, cells: Option<[Cell; 2]>) {
        if let Some(cells) = cells {
            (self.cells, self.overlapping, self.last) = (Some(cells), false, None);
        }
    }

    /// Whether nothing is remembered of polyhedra.
    pub(crate) fn is_blank(&self) -> bool {
        self.cells.is_none() && self.recall.is_blank()
    }
}

/// What the engines that only tell whether bodies are apart remember.
#[derive(Debug, Clone, Copy, Default)]
pub(super) enum Separation {
    #[default]
    Nothing,
    Plane(WitnessPlane),
    Vector(SeparatingVector),
    Rabbitz(Rabbitz),
}

impl Separation {
    /// Whether they are apart by more than `enough`.
    #[inline(never)]
    pub(super) fn apart(&mut self, pair: &Polyhedra<'_>, method: Method, enough: f64, stats: &mut Stats) -> bool {
        *self = match (method, *self) {
            (Method::WitnessPlane, Separation::Plane(_)) => *self,
            (Method::WitnessPlane, _) => Separation::Plane(WitnessPlane::default()),
            (Method::SeparatingVector, Separation::Vector(_)) => *self,
            (Method::SeparatingVector, _) => Separation::Vector(SeparatingVector::default()),
            (_, Separation::Rabbitz(_)) => *self,
            _ => Separation::Rabbitz(Rabbitz::default()),
        };
        let sides = match self {
            Separation::Plane(plane) => plane.apart(pair, enough, true, stats),
            Separation::Vector(vector) => vector.apart(pair, enough, stats),
            Separation::Rabbitz(rabbitz) => rabbitz.apart(pair, enough, stats),
            Separation::Nothing => Sides::Unknown,
        };
        matches!(sides, Sides::Apart(_))
    }
}
