//! Two meshes: which engine answers which question about them.

use super::memory::MeshMemory;
use super::placed::closest_triangles::ClosestTriangles;
use super::placed::placed_meshes::PlacedMeshes;
use super::{brute, inside, mesh_distance, mesh_near, mesh_overlap};
use crate::answer::{Containment, Stats};
use crate::math::Relative;
use crate::model::Mesh;
use crate::narrow::context::Context;
use crate::narrow::method::Method;
use crate::narrow::outcome::Outcome;
use crate::narrow::precision::Precision;
use crate::prim::nearest;

/// How two meshes lie relative to each other, by the triangles that are closest, or by the places of two that touch.
pub(crate) type MeshOutcome = Outcome<ClosestTriangles, [u32; 2]>;

/// One question about two meshes.
pub(crate) struct MeshQuery<'q> {
    pub(crate) a: &'q Mesh,
    pub(crate) b: &'q Mesh,
    placed: Option<PlacedMeshes<'q>>,
    method: Method,
}

impl<'q> MeshQuery<'q> {
    pub(crate) fn new(a: &'q Mesh, b: &'q Mesh, b_in_a: &Relative, method: Method) -> MeshQuery<'q> {
        let empty = a.is_empty() || b.is_empty();
        let placed = (!empty).then(|| PlacedMeshes::new(a, b, *b_in_a));
        MeshQuery { a, b, placed, method }
    }

    pub(crate) fn placed(&self) -> Option<&PlacedMeshes<'q>> {
        self.placed.as_ref()
    }

    /// Up to `limit` pairs of touching triangles, by places in leaf order.
    pub(crate) fn touching(&self, limit: usize, cx: Context<'_, MeshMemory>) -> Vec<[u32; 2]> {
        let mut pairs = Vec::new();
        let Some(placed) = &self.placed else { return pairs };
        if limit == 0 {
            return pairs;
        }
        match self.method {
            Method::Brute => brute::find(placed, limit, &mut pairs, cx.stats),
            _ => mesh_overlap::find(placed, limit, &mut pairs, cx),
        }
        pairs
    }

    /// Up to `limit` pairs of triangles as near as `distance`, by places in leaf order.
    pub(crate) fn near(&self, distance: f64, limit: usize, cx: Context<'_, MeshMemory>) -> Vec<[u32; 2]> {
        let Some(placed) = self.placed.as_ref().filter(|_| limit > 0) else { return Vec::new() };
        let enough = placed.enough(distance);
        match self.method {
            Method::Brute => brute::near(placed, enough, limit, cx.stats),
            _ => mesh_near::find(placed, enough, limit, cx),
        }
    }

    /// Whether one body holds a component of the other. Only for surfaces that are apart.
    pub(crate) fn containment(&self, stats: &mut Stats) -> Option<Containment> {
        let placed = self.placed.as_ref()?;
        let holds = |holder: &Mesh, frame: &Relative, held: &Mesh, moved: &Relative, stats: &mut Stats| {
            let mut is_inside = |x| {
                stats.primitive_tests += 1;
                inside::is_inside(holder, frame, placed.scale, moved.apply(x))
            };
            match (holder.is_solid(), holder.is_solid_by_winding()) {
                (false, _) => false,
                // A component lies either inside as a whole or outside as a whole.
                (true, false) => held.component_points().any(is_inside),
                // A component may reach in through one hole and out through another: so the corners of each triangle
                // are tested, and its point nearest to the middle of the solid.
                (true, true) => {
                    let middle = moved.inverse().apply(frame.apply(holder.aabb().centre()));
                    let foot = |place| nearest(&held.corners(place), &[middle; 3]).points()[0];
                    held.points().iter().any(|&x| is_inside(x))
                        || (0..held.place_count()).any(|place| is_inside(foot(place)))
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
        mut cx: Context<'_, MeshMemory>,
    ) -> MeshOutcome {
        let Some(placed) = &self.placed else { return Outcome::Beyond };
        let found = match self.method {
            Method::Brute => brute::search(placed, cx.stats),
            _ => {
                let enough = enough.map_or(-1.0, |d| placed.enough(d));
                let last = cx.memory.last_places.filter(|_| self.starts_from_last());
                Some(mesh_distance::search(placed, last, enough, precision, cx.lend()))
            }
        };
        let Some(found) = found else { return Outcome::Beyond };
        let seen = found.overlap || found.upper().is_finite();
        if seen {
            cx.memory.last_places = Some(found.places);
        }
        if found.overlap {
            return Outcome::Touching(found.places);
        }
        match self.containment(cx.stats) {
            Some(containment) => Outcome::Contained(containment),
            None if seen => Outcome::Apart(found),
            None => Outcome::Beyond,
        }
    }

    /// Whether the next search starts from the last closest triangles: yes, unless the options of a hull tree forbid
    /// it.
    fn starts_from_last(&self) -> bool {
        self.a.hull_tree().zip(self.b.hull_tree()).is_none_or(|(a, b)| a.and(b).leaf_cache)
    }

    /// Whether the bodies touch, or one contains the other; `Beyond` if neither.
    pub(crate) fn touch(&self, mut cx: Context<'_, MeshMemory>) -> MeshOutcome {
        match self.touching(1, cx.lend()).first() {
            Some(&places) => Outcome::Touching(places),
            None => self.containment(cx.stats).map_or(Outcome::Beyond, Outcome::Contained),
        }
    }
}
