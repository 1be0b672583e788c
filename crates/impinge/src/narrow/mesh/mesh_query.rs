//! Two meshes: which engine answers which question about them.

use glam::DVec3;

use super::distance::front::Front;
use super::hulls::hull_tree::{HullMemory, Hulls};
use super::mesh_distance;
use super::mesh_distance::Found;
use super::placed::placed_meshes::Placed;
use super::sweep::look_ahead::LookAhead;
use super::{brute, inside, mesh_near, mesh_overlap};
use crate::answer::{Containment, Stats};
use crate::bound::HullTree;
use crate::math::Relative;
use crate::model::Mesh;
use crate::narrow::method::Method;
use crate::narrow::precision::Precision;
use crate::prim::nearest;
use crate::tree::descent::descend::{Scratch, TreeFrame, Volumes};
use crate::tree::descent::gap::OrientedGap;
use crate::tree::descent::grazing::SOON;
use crate::tree::nodes::Tree;
use crate::tree::volumes::placed_volumes::PlacedVolumes;
use crate::tree::volumes::volume_pair::VolumePair;

/// What is remembered between queries. It speeds the next one up and never changes its answer.
#[derive(Debug, Clone, Default)]
pub(crate) struct MeshMemory {
    /// Places of the triangles that were last closest or touching.
    pub(crate) last: Option<[u32; 2]>,
    /// The tolerance at which nothing was near when one was last asked about, else 0: within it these triangles are not
    /// asked either.
    pub(crate) lost: f64,
    /// Whether these triangles were near enough when a tolerance was last asked about: only then are they asked first.
    pub(crate) helped: bool,
    /// Pairs of leaves that can be closest after a small motion.
    pub(crate) front: Front,
    /// What is clear ahead of steps on one line.
    pub(crate) ahead: LookAhead,
    /// Whether queries stay on the thread that asks.
    pub(crate) alone: bool,
    /// Whether they are items of a list.
    listed: bool,
    /// Node pairs opened by long searches for contacts.
    toil: u64,
    /// Pairs of slots that an impatient descent left to others.
    pub(crate) left: Vec<[u32; 2]>,
    pub(crate) boxes: Scratch<f32>,
    pub(crate) volumes: Scratch<f64>,
    pub(crate) placed_volumes: PlacedVolumes,
    pub(crate) hulls: HullMemory,
}

impl MeshMemory {
    /// Of a thread of many.
    pub(crate) fn one_of_many() -> MeshMemory {
        MeshMemory { alone: true, ..MeshMemory::default() }
    }

    /// Of item `first` of a list of queries and some after it, of which none may learn what those before it cost.
    pub(crate) fn begin_run(&mut self, first: usize) {
        self.listed = true;
        self.toil = if first < MANY { 0 } else { u64::MAX };
    }

    /// Whether a question about a tolerance begins with a look at the whole bodies.
    pub(crate) fn looks(&self, tolerance: f64) -> bool {
        self.last.is_none() || !self.helped || tolerance <= self.lost
    }

    /// A search for contacts has opened so many node pairs.
    pub(crate) fn has_searched(&mut self, opened: u64) {
        if !self.listed && opened > u64::from(SOON) {
            self.toil = self.toil.saturating_add(opened);
        }
    }

    pub(crate) fn forget(&mut self) {
        self.last = None;
        self.lost = 0.0;
        self.helped = false;
        self.front.forget();
        self.ahead.forget();
        self.hulls.forget();
    }
}

/// In a list of more queries than this the others are worth fitting oriented boxes for.
pub(crate) const MANY: usize = 1024;

/// The trees of a query: the outer has the larger unit.
pub(crate) struct Trees<'q> {
    pub(crate) outer: &'q Tree,
    pub(crate) inner: &'q Tree,
    pub(crate) frame: TreeFrame,
    /// Whether the outer tree is `b`'s.
    pub(crate) swapped: bool,
    inner_in_outer: Relative,
    placed: &'q Placed<'q>,
}

impl<'q> Trees<'q> {
    pub(crate) fn new(placed: &'q Placed<'q>) -> Trees<'q> {
        let (a, b) = (placed.a.tree(), placed.b.tree());
        let swapped = b.unit > a.unit;
        let (outer, inner) = if swapped { (b, a) } else { (a, b) };
        let inner_in_outer = if swapped { placed.b_in_a.inverse() } else { placed.b_in_a };
        let frame = TreeFrame::new(outer, inner, &inner_in_outer);
        Trees { outer, inner, frame, swapped, inner_in_outer, placed }
    }

    /// The volumes that both trees have besides the boxes of their nodes; `None` when not both have the same.
    #[inline(never)]
    pub(crate) fn worn(
        &'q self,
        placed_volumes: &'q mut PlacedVolumes,
        memory: &'q mut HullMemory,
    ) -> Option<Worn<'q>> {
        let (a, b) = (self.placed.a, self.placed.b);
        if let Some((a, b)) = a.hull_tree().zip(b.hull_tree()) {
            return self.hulls(a.and(b), memory).map(Worn::Hulls);
        }
        let (a, b) = (a.fitted_volumes()?, b.fitted_volumes()?);
        let wear = if self.swapped { [b, a] } else { [a, b] };
        VolumePair::new([self.outer, self.inner], wear, &self.inner_in_outer, &self.frame, placed_volumes)
            .map(Worn::Fitted)
    }

    /// The hulls of both trees; `None` when they are too far apart for them.
    fn hulls(&'q self, options: HullTree, memory: &'q mut HullMemory) -> Option<Hulls<'q>> {
        let (outer, inner) = if self.swapped { (self.placed.b, self.placed.a) } else { (self.placed.a, self.placed.b) };
        let own = |v: DVec3| v.abs().max_element() / self.outer.unit;
        let centres = own(self.outer.centre) + own(self.inner.centre);
        let reach = centres + own(self.inner_in_outer.translation) + self.frame.reach();
        Hulls::new(self, [outer.hull_slots()?, inner.hull_slots()?], options, reach, memory)
    }

    /// A vector of `a`'s frame in the frame and unit of the outer tree.
    pub(crate) fn in_outer(&self, v: DVec3) -> DVec3 {
        (if self.swapped { self.placed.b_in_a.rotation.transpose() * v } else { v }) / self.outer.unit
    }

    /// As [`Trees::gap`], with one body swept from `−sweep` to `sweep`, in the frame and unit of the outer tree.
    pub(crate) fn swept_gap(&self, direction: DVec3, sweep: DVec3) -> OrientedGap<'q, true> {
        let (a, b) = (self.placed.a.oriented(), self.placed.b.oriented());
        match self.swapped {
            true => OrientedGap::swept(b, a, &self.frame, self.placed.b_in_a.rotation.transpose() * -direction, sweep),
            false => OrientedGap::swept(a, b, &self.frame, direction, sweep),
        }
    }

    /// Whether searches for contacts have taken so long that oriented boxes are to speed them up. Fitting them is about
    /// the work of building the trees: who asks little more pays that once again for nothing.
    pub(crate) fn are_worth_fitting(&self, memory: &MeshMemory) -> bool {
        memory.toil >= (self.outer.nodes() + self.inner.nodes()) as u64
    }

    /// The gaps of the oriented boxes, where `f32` tells them apart.
    pub(crate) fn close_gap(&self) -> Option<OrientedGap<'q>> {
        Some(self.gap(DVec3::ZERO)).filter(OrientedGap::is_close)
    }

    /// The gaps of the oriented boxes; `direction` leads from `a` to `b` and has length 1 or 0.
    pub(crate) fn gap(&self, direction: DVec3) -> OrientedGap<'q> {
        let (a, b) = (self.placed.a.oriented(), self.placed.b.oriented());
        match self.swapped {
            true => OrientedGap::new(b, a, &self.frame, self.placed.b_in_a.rotation.transpose() * -direction),
            false => OrientedGap::new(a, b, &self.frame, direction),
        }
    }
}

/// The volumes of two trees.
#[allow(clippy::large_enum_variant, reason = "a box would be an allocation in every query")]
pub(crate) enum Worn<'q> {
    Fitted(VolumePair<'q>),
    Hulls(Hulls<'q>),
}

impl Worn<'_> {
    pub(crate) fn volumes(&self) -> &dyn Volumes {
        match self {
            Worn::Fitted(volumes) => volumes,
            Worn::Hulls(hulls) => hulls,
        }
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

    /// Up to `limit` pairs of triangles as near as `distance`, by places in leaf order.
    pub(crate) fn near(
        &self,
        distance: f64,
        limit: usize,
        memory: &mut MeshMemory,
        stats: &mut Stats,
    ) -> Vec<[u32; 2]> {
        let Some(placed) = self.placed.as_ref().filter(|_| limit > 0) else { return Vec::new() };
        let enough = placed.enough(distance);
        match self.method {
            Method::Brute => brute::near(placed, enough, limit, stats),
            _ => mesh_near::find(placed, enough, limit, memory, stats),
        }
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
                // It may reach in through a hole, and through another out of it: of each triangle its corners are
                // asked about, and what is nearest to the middle of the solid.
                (true, true) => {
                    let middle = moved.inverse().apply(frame.apply(outer.aabb().centre()));
                    let foot = |place| nearest(&inner.corners(place), &[middle; 3]).points()[0];
                    inner.points().iter().any(|&x| is_inside(x))
                        || (0..inner.place_count()).any(|place| is_inside(foot(place)))
                }
            }
        };
        let (fixed, moved) = (&Relative::IDENTITY, &placed.b_in_a);
        let b_in_a = holds(self.a, fixed, self.b, moved, stats);
        match (b_in_a, holds(self.b, moved, self.a, fixed, stats)) {
            (true, true) => Some(Containment::Mutual),
            (true, false) => Some(Containment::BInA),
            (false, true) => Some(Containment::AInB),
            (false, false) => None,
        }
    }

    /// The least distance, as exactly as asked; with `enough`, any distance found to be possibly as small.
    pub(crate) fn closest(
        &self,
        enough: Option<f64>,
        precision: Precision,
        memory: &mut MeshMemory,
        stats: &mut Stats,
    ) -> Closest {
        let Some(placed) = &self.placed else { return Closest::Nothing };
        let found = match self.method {
            Method::Brute => brute::search(placed, stats),
            _ => {
                let enough = enough.map_or(-1.0, |d| placed.enough(d));
                let last = memory.last.filter(|_| self.starts_from_last());
                Some(mesh_distance::search(placed, last, enough, precision, memory, stats))
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

    /// Whether the triangles last closest start the next search: unless a tree of hulls is to do without.
    fn starts_from_last(&self) -> bool {
        self.a.hull_tree().zip(self.b.hull_tree()).is_none_or(|(a, b)| a.and(b).leaf_cache)
    }

    /// Whether the bodies overlap, said as a distance of zero.
    pub(crate) fn touch(&self, memory: &mut MeshMemory, stats: &mut Stats) -> Closest {
        match self.touching(1, memory, stats).first() {
            Some(&places) => Closest::Overlap(places),
            None => self.containment(stats).map_or(Closest::Nothing, Closest::Contained),
        }
    }
}
