//! How near two meshes come while one moves straight: the tandem descent over swept boxes.
//!
//! Xavier 1997, §2.2 and §3.3. `b` moves along a vector in `a`'s frame; it is placed half way, and its boxes and
//! triangles reach half the way farther to both sides. The descent is that of the static distance (`mesh_distance.rs`)
//! with a metric for swept boxes, and starts from the closest triangles of the last query. Pairs of leaves are handled
//! in `sweep/swept_leaves.rs`.
//!
//! Whether anything comes as near as a small tolerance is decided as `mesh_overlap.rs` decides whether anything
//! touches: depth first, with tests along axes that separate boxes (`tree/descent/grazing.rs`), and triangles from
//! prisms.
//!
//! Exact up to rounding: a prism is all positions of a triangle, and the weights of the closest corners give the time.

use glam::DVec3;

use super::memory::MeshMemory;
use super::mesh_contact;
use super::mesh_distance::Beginning;
use super::mesh_query::MeshQuery;
use super::placed::closest_triangles::ClosestTriangles;
use super::placed::placed_meshes::PlacedMeshes;
use super::sweep::look_ahead::{Ahead, LookedAhead};
use super::sweep::swept_leaves::{SweptDive, SweptGraze, SweptLeaves};
use super::sweep::swept_meshes::{MeshSweep, SweptTriangles};
use super::sweep::swept_trees::SweptTrees;
use crate::answer::Stats;
use crate::math::Relative;
use crate::math::simd::{Kernel, Simd, dispatch};
use crate::model::Mesh;
use crate::narrow::context::Context;
use crate::narrow::method::Method;
use crate::narrow::outcome::Outcome;
use crate::narrow::proximity::Proximity;
use crate::prim::triangles_overlap;
use crate::tree::descent::descend::descend;
use crate::tree::descent::grazing::{Grazing, SOON_SWEPT};
use crate::tree::descent::separation::Separation;

impl MeshSweep<'_> {
    /// The least distance; with `within`, any pair of triangles that comes as near. `None` when there is none.
    pub(crate) fn nearest(&self, within: f64, mut cx: Context<'_, MeshMemory>) -> (f64, Option<SweptTriangles>) {
        let enough = if within < f64::INFINITY { within * self.placed.scale + self.noise } else { -1.0 };
        let trees = SweptTrees::new(self);
        let graze = trees.is_touch_and_go(enough);
        if graze && (trees.are_roots_apart(enough) || self.is_clear_ahead(within, cx.lend())) {
            cx.stats.volume_tests += 1;
            return (within.next_up(), None);
        }
        let (seed, before) = (cx.memory.last_places, cx.stats.iterations);
        let mut leaves = SweptLeaves::new(&trees, enough);
        // A search for the least distance needs that of two triangles to begin with. A question about a tolerance
        // begins with the last triangles, if there are any; about touching it begins with the bodies as a whole.
        let first = if enough < 0.0 { Some(seed.unwrap_or([0, 0])) } else { seed.filter(|_| enough > self.noise) };
        if let Some(places) = first
            && leaves.evaluate(places, DVec3::ZERO).is_break()
        {
            return self.found(&leaves, within, cx);
        }
        let beginning = if seed.is_some() { Beginning::Nearest } else { Beginning::Dive };
        dispatch(Search { trees: &trees, leaves: &mut leaves, beginning, cx: cx.lend() });
        if graze {
            let clear = leaves.best.is_none() && leaves.complete;
            cx.memory.look_ahead.follow(self, within, clear, cx.stats.iterations - before);
        }
        self.found(&leaves, within, cx)
    }

    /// Whether nothing comes as near as `within`, as the last look ahead has shown or a new one shows.
    fn is_clear_ahead(&self, within: f64, mut cx: Context<'_, MeshMemory>) -> bool {
        match cx.memory.look_ahead.before(self, within) {
            Ahead::Clear => true,
            Ahead::Unknown => false,
            Ahead::Look(long) => {
                let (near, complete) = long.sweep.pairs(long.within, 1, long.patience, cx.lend());
                let seen = match (near.is_empty(), complete) {
                    (true, true) => LookedAhead::Clear,
                    (true, false) => LookedAhead::BrokenOff,
                    (false, _) => LookedAhead::Near,
                };
                cx.memory.look_ahead.looked(self, &long, seen);
                seen == LookedAhead::Clear
            }
        }
    }

    /// How two triangles lie relative to each other at the present pose of the bodies.
    pub(crate) fn at([a, b]: [&Mesh; 2], b_in_a: &Relative, places: [u32; 2]) -> Proximity {
        let placed = PlacedMeshes::new(a, b, *b_in_a);
        if triangles_overlap(&placed.a_triangle(places[0]), &placed.b_triangle(places[1])) {
            return mesh_contact::touching(&placed, places);
        }
        mesh_contact::apart(&placed, &ClosestTriangles::at(&placed, places))
    }

    /// Which of two bodies holds the other, where their surfaces are apart.
    pub(crate) fn contained([a, b]: [&Mesh; 2], b_in_a: &Relative, stats: &mut Stats) -> Proximity {
        let held = MeshQuery::new(a, b, b_in_a, Method::Auto).containment(stats);
        held.map_or(Outcome::Beyond, Outcome::Contained)
    }

    /// What the leaves found, in the bodies' unit, and how near any triangles can come.
    fn found(
        &self,
        leaves: &SweptLeaves<'_>,
        within: f64,
        cx: Context<'_, MeshMemory>,
    ) -> (f64, Option<SweptTriangles>) {
        cx.stats.primitive_tests += leaves.tests;
        let floor = (leaves.lower - self.noise).max(0.0) / self.placed.scale;
        let is_near = |best: &SweptTriangles| leaves.enough < 0.0 || best.lower <= leaves.enough;
        match leaves.best.filter(is_near) {
            Some(best) => {
                cx.memory.last_places = Some(best.places);
                // A search that ended at the first pair near enough says nothing of the others.
                (if leaves.enough < 0.0 { floor } else { 0.0 }, Some(self.in_units(&best)))
            }
            None => (floor.min(within.next_up()), None),
        }
    }

    /// All pairs of triangles that come as near as `within`, up to a limit, and whether these are all. With a small
    /// `within` the search ends after `patience` pairs of nodes, rounded up to a power of two.
    pub(crate) fn pairs(
        &self,
        within: f64,
        limit: usize,
        patience: u64,
        cx: Context<'_, MeshMemory>,
    ) -> (Vec<SweptTriangles>, bool) {
        let trees = SweptTrees::new(self);
        let mut leaves = SweptLeaves::new(&trees, within * self.placed.scale + self.noise);
        leaves.collected = Some(Vec::new());
        (leaves.limit, leaves.patience) = (limit, patience);
        let Context { memory, stats } = cx;
        if trees.is_touch_and_go(leaves.enough) && trees.are_roots_apart(leaves.enough) {
            stats.volume_tests += 1;
            return (Vec::new(), true);
        }
        let cx = Context::new(memory, stats);
        dispatch(Search { trees: &trees, leaves: &mut leaves, beginning: Beginning::Dive, cx });
        stats.primitive_tests += leaves.tests;
        let pairs = leaves.collected.unwrap_or_default().iter().map(|near| self.in_units(near)).collect();
        (pairs, leaves.complete)
    }
}

struct Search<'s, 'q> {
    trees: &'s SweptTrees<'q>,
    leaves: &'s mut SweptLeaves<'q>,
    beginning: Beginning,
    cx: Context<'s, MeshMemory>,
}

impl Kernel for Search<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self) {
        let Search { trees: swept, leaves, beginning, cx: Context { memory, stats } } = self;
        let (trees, sweep) = (&swept.trees, swept.sweep);
        let (outer, inner, frame) = (trees.outer, trees.inner, &trees.frame);
        let mut opened = 0;
        if swept.is_touch_and_go(leaves.enough) {
            stats.volume_tests += 1;
            let scratch = &mut memory.overlap_scratch;
            let boxes = Separation::swept(outer, inner, frame, sweep.to_array());
            let metric = Grazing::new(boxes, SOON_SWEPT, || Some(trees.swept_gap(DVec3::ZERO, sweep)));
            opened += descend::<S, _, _>(outer, inner, frame.scale, &metric, 0.0, &mut SweptGraze(leaves), scratch);
            stats.iterations += opened;
            stats.volume_tests += 8 * opened;
            return;
        }
        let scratch = &mut memory.distance_scratch;
        let mut done = false;
        let to_the_end = leaves.enough >= 0.0;
        if to_the_end || beginning == Beginning::Dive {
            let gap = trees.swept_gap(leaves.direction, sweep);
            let mut dive = SweptDive { leaves, left: if to_the_end { usize::MAX } else { 1 } };
            opened += descend::<S, _, _>(outer, inner, frame.scale, &gap, 0.0, &mut dive, scratch);
            done = dive.left > 0;
        }
        if !done {
            let gap = trees.swept_gap(leaves.direction, sweep);
            opened += descend::<S, _, _>(outer, inner, frame.scale, &gap, 0.0, leaves, scratch);
        }
        stats.iterations += opened;
        stats.volume_tests += 8 * opened;
    }
}
