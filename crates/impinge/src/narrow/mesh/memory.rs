//! What two meshes remember from query to query: each thing, who writes it, who reads it, and when it is dropped.
//!
//! None of it changes whether bodies touch, whether they come as near as a tolerance, or a complete list of contacts.
//! It decides where a search begins and how much of it can be left out, and so which of several answers that are all
//! true is found first: which two of equally near triangles show a distance, and its last bits; where a distance was
//! asked for with margins, which one within these; which triangles show that a tolerance is met; and which contacts are
//! in a list that came to its limit.

use super::distance::front::Front;
use super::hulls::hull_tree::HullMemory;
use super::sweep::look_ahead::LookAhead;
use crate::tree::descent::descend::Scratch;
use crate::tree::descent::grazing::SOON;
use crate::tree::volumes::placed_volumes::PlacedVolumes;

/// What is remembered of two meshes. [`MeshMemory::forget`] drops all of it, except: the thread, the list and the work,
/// which describe how the caller queries; and the room of searches, which holds nothing about the bodies.
#[derive(Debug, Clone, Default)]
pub(crate) struct MeshMemory {
    /// **The last triangles**, by their places in leaf order: the two that were closest, or touched.
    ///
    /// Written by every search that finds a pair (`mesh_query.rs`, `convex_meshes.rs`, `mesh_sweep.rs`). The next
    /// search for a distance begins with them, so that what is farther apart is dropped from its start. Where a body is
    /// replaced by one with the same triangles they are kept, otherwise they are dropped.
    pub(crate) last_places: Option<[u32; 2]>,
    /// **Nothing near**: a tolerance within which the last search found nothing; 0 after a search that found something.
    ///
    /// Written and read by `mesh_distance.rs`: as long as the tolerance is not larger, the next query expects nothing
    /// again and begins with the bodies as a whole. Dropped by any search that does begin with triangles.
    pub(crate) clear_within: f64,
    /// **Whether the last triangles were near enough** in the last query about a tolerance.
    ///
    /// Written by `mesh_distance.rs`: only then does the next query about a tolerance begin with them.
    pub(crate) last_were_near: bool,
    /// **The front**: pairs of nodes that searches for the distance have ruled out, and for how far a motion.
    ///
    /// Written and read by `distance/front.rs`. Dropped when a motion is not coherent, or when too much of it is due.
    pub(crate) front: Front,
    /// **The way ahead**: the stretch of a line that a sweep has shown to be clear.
    ///
    /// Written and read by `mesh_sweep.rs`. Dropped when a step leaves the line.
    pub(crate) look_ahead: LookAhead,
    /// **The hulls**: simplices that GJK ended with, and which hulls are worth comparing (`hulls/`). Used by meshes
    /// that were given hulls.
    pub(crate) hulls: HullMemory,
    /// **One thread**: whether a query starts no other threads, because these have queries of their own. Set when
    /// the memory is made.
    pub(crate) stays_on_thread: bool,
    /// **A list**: whether the queries are items of a list, none of which may learn what those before it cost, so that
    /// the counts do not depend on which thread takes which item. Set where a run of items begins.
    is_in_list: bool,
    /// **Work for contacts**: node pairs opened by long searches for contacts, of all queries together.
    ///
    /// Written by `mesh_overlap.rs`. Once it is as much as fitting oriented boxes takes, they are fitted.
    contact_work: u64,
    /// **Room**: the stack and the queue of a descent by boxes in `f32`, and by distances in `f64`, kept so that no
    /// query allocates. Nothing is read from them that the same query has not written.
    pub(crate) overlap_scratch: Scratch<f32>,
    pub(crate) distance_scratch: Scratch<f64>,
    /// Room for volumes other than boxes where they are placed, in the same way.
    pub(crate) placed_volumes: PlacedVolumes,
}

impl MeshMemory {
    /// For one of several threads that query at the same time.
    pub(crate) fn one_of_many() -> MeshMemory {
        MeshMemory { stays_on_thread: true, ..MeshMemory::default() }
    }

    /// For item `first` of a list of queries and some after it, none of which may learn what those before it cost.
    pub(crate) fn begin_run(&mut self, first: usize) {
        self.is_in_list = true;
        self.contact_work = if first < MANY { 0 } else { u64::MAX };
    }

    /// Whether a query about a tolerance begins with the bodies as a whole: it does unless the last triangles are known
    /// to be near enough.
    pub(crate) fn begins_with_bodies(&self, tolerance: f64) -> bool {
        self.last_places.is_none() || !self.last_were_near || tolerance <= self.clear_within
    }

    /// A search for contacts has opened so many node pairs.
    pub(crate) fn add_contact_work(&mut self, opened: u64) {
        if !self.is_in_list && opened > u64::from(SOON) {
            self.contact_work = self.contact_work.saturating_add(opened);
        }
    }

    /// Whether searches for contacts in trees of so many nodes have taken so long that oriented boxes are to speed them
    /// up. Fitting costs about as much as building the trees, which is wasted if few queries follow.
    pub(crate) fn oriented_boxes_pay(&self, nodes: usize) -> bool {
        self.contact_work >= nodes as u64
    }

    pub(crate) fn forget(&mut self) {
        self.last_places = None;
        self.clear_within = 0.0;
        self.last_were_near = false;
        self.front.forget();
        self.look_ahead.forget();
        self.hulls.forget();
    }
}

/// In a list of more queries than this, oriented boxes save the later queries more than fitting them costs.
pub(crate) const MANY: usize = 1024;
