//! Two meshes: which engine answers which question about them.

use super::front::Front;
use super::mesh_distance::{self, Found};
use super::{Method, Placed, brute, inside, mesh_overlap};
use crate::answer::{Containment, Stats};
use crate::math::Relative;
use crate::model::Mesh;
use crate::tree::{Dressed, Frame, Scratch, Tree, Wardrobe};

/// What is remembered between queries. It speeds the next one up and never changes its answer.
#[derive(Debug, Clone, Default)]
pub(crate) struct MeshMemory {
    /// Places of the triangles that were last closest or touching.
    pub(super) last: Option<[u32; 2]>,
    /// Pairs of leaves that can be closest after a small motion.
    pub(super) front: Front,
    /// Whether queries stay on the thread that asks.
    pub(super) alone: bool,
    /// Pairs of slots that an impatient descent left to others.
    pub(super) left: Vec<[u32; 2]>,
    pub(super) boxes: Scratch<f32>,
    pub(super) volumes: Scratch<f64>,
    pub(super) wardrobe: Wardrobe,
}

impl MeshMemory {
    pub(crate) fn one_of_many() -> MeshMemory {
        MeshMemory { alone: true, ..MeshMemory::default() }
    }

    pub(crate) fn forget(&mut self) {
        self.last = None;
        self.front.forget();
    }
}

/// The trees of a query: the outer has the larger unit.
pub(super) struct Trees<'q> {
    pub(super) outer: &'q Tree,
    pub(super) inner: &'q Tree,
    pub(super) frame: Frame,
    /// Whether the outer tree is `b`'s.
    pub(super) swapped: bool,
    inner_in_outer: Relative,
    placed: &'q Placed<'q>,
}

impl<'q> Trees<'q> {
    pub(super) fn new(placed: &'q Placed<'q>) -> Trees<'q> {
        let (a, b) = (placed.a.tree(), placed.b.tree());
        let swapped = b.unit > a.unit;
        let (outer, inner) = if swapped { (b, a) } else { (a, b) };
        let inner_in_outer = if swapped { placed.b_in_a.inverse() } else { placed.b_in_a };
        let frame = Frame::new(outer, inner, &inner_in_outer);
        Trees { outer, inner, frame, swapped, inner_in_outer, placed }
    }

    /// The metric of the volumes that both trees wear; `None` when they wear none, or not the same.
    pub(super) fn dressed(&self, wardrobe: &'q mut Wardrobe) -> Option<Dressed<'q>> {
        let (a, b) = (self.placed.a.dressing()?, self.placed.b.dressing()?);
        let wear = if self.swapped { [b, a] } else { [a, b] };
        Dressed::new([self.outer, self.inner], wear, &self.inner_in_outer, &self.frame, wardrobe)
    }
}

/// The least distance between two surfaces.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Closest {
    /// One body is empty, or nothing is as near as was enough.
    Nothing,
    /// The surfaces have a common point, in the triangles at these places.
    Overlap([u32; 2]),
    /// One body holds the other.
    Contained(Containment),
    /// The surfaces are apart.
    Apart(Found),
}

/// One question about two meshes.
pub(crate) struct MeshQuery<'q> {
    pub(crate) a: &'q Mesh,
    pub(crate) b: &'q Mesh,
    placed: Option<Placed<'q>>,
    method: Method,
}

impl<'q> MeshQuery<'q> {
    pub(crate) fn new(a: &'q Mesh, b: &'q Mesh, b_in_a: &Relative, method: Method) -> MeshQuery<'q> {
        let empty = a.is_empty() || b.is_empty();
        let placed = (!empty).then(|| Placed::new(a, b, *b_in_a));
        MeshQuery { a, b, placed, method }
    }

    pub(crate) fn placed(&self) -> Option<&Placed<'q>> {
        self.placed.as_ref()
    }

    /// Up to `limit` pairs of touching triangles, by places in leaf order.
    pub(crate) fn touching(&self, limit: usize, memory: &mut MeshMemory, stats: &mut Stats) -> Vec<[u32; 2]> {
        let mut pairs = Vec::new();
        let Some(placed) = &self.placed else { return pairs };
        if limit == 0 {
            return pairs;
        }
        match self.method {
            Method::Brute => brute::find(placed, limit, &mut pairs, stats),
            _ => {
                mesh_overlap::find(placed, limit, &mut pairs, memory, stats);
            }
        }
        pairs
    }

    /// Whether one body holds a component of the other. Only for surfaces that are apart.
    pub(crate) fn containment(&self, stats: &mut Stats) -> Option<Containment> {
        let placed = self.placed.as_ref()?;
        let holds = |outer: &Mesh, frame: &Relative, inner: &Mesh, moved: &Relative, stats: &mut Stats| {
            let mut is_inside = |x| {
                stats.primitive_tests += 1;
                inside::is_inside(outer, frame, placed.scale, moved.apply(x))
            };
            match (outer.is_solid(), outer.is_solid_by_winding()) {
                (false, _) => false,
                // A component lies inside wholly or not at all.
                (true, false) => inner.component_points().any(is_inside),
                // It may reach in through a hole.
                (true, true) => inner.points().iter().any(|&x| is_inside(x)),
            }
        };
        let (fixed, moved) = (&Relative::IDENTITY, &placed.b_in_a);
        if holds(self.a, fixed, self.b, moved, stats) {
            Some(Containment::BInA)
        } else if holds(self.b, moved, self.a, fixed, stats) {
            Some(Containment::AInB)
        } else {
            None
        }
    }

    /// The least distance; with `enough`, any distance found to be possibly as small.
    pub(crate) fn closest(&self, enough: Option<f64>, memory: &mut MeshMemory, stats: &mut Stats) -> Closest {
        let Some(placed) = &self.placed else { return Closest::Nothing };
        let found = match self.method {
            Method::Brute => brute::search(placed, stats),
            _ => {
                let enough = enough.map_or(-1.0, |d| d * placed.scale + placed.noise(d * placed.scale));
                Some(mesh_distance::search(placed, memory.last, enough, memory, stats))
            }
        };
        let Some(found) = found else { return Closest::Nothing };
        let seen = found.overlap || found.upper().is_finite();
        if seen {
            memory.last = Some(found.places);
        }
        if found.overlap {
            return Closest::Overlap(found.places);
        }
        match self.containment(stats) {
            Some(containment) => Closest::Contained(containment),
            None if seen => Closest::Apart(found),
            None => Closest::Nothing,
        }
    }

    /// Whether the bodies overlap, said as a distance of zero.
    pub(crate) fn touch(&self, memory: &mut MeshMemory, stats: &mut Stats) -> Closest {
        match self.touching(1, memory, stats).first() {
            Some(&places) => Closest::Overlap(places),
            None => self.containment(stats).map_or(Closest::Nothing, Closest::Contained),
        }
    }
}
