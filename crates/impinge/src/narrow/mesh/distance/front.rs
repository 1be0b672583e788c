//! Front tracking: what a search for the distance of two meshes has ruled out stays ruled out until they have moved far
//! enough.
//!
//! Lin §5.2 and Xavier §3.2 keep where the last descent stopped, its *front* or *cut*, and look at all of it again.
//! Here each part of the front is looked at only when it has to be. A pair of nodes that was `d` apart when the
//! bodies had travelled `s` in all is at least `d − (s' − s)` apart when they have travelled `s'`: so with `d + s` as
//! its key it cannot be nearer than `u` before `u + s'` has come up to the key. One pass over the keys finds the parts
//! that are due and adds their children at the end; over the front of a first search, which is no more than the pair of
//! the roots, it *is* the search.
//!
//! A part of the front is a pair of nodes that was opened, with a mark for each of the eight children that it still
//! stands for; these are tested together. A child nearer than the best distance becomes a part of its own, or, if both
//! are leaves, its triangles are looked at.
//!
//! What is *travelled* is the sum, over all queries, of how far any point of `b` has moved in `a`'s frame at most.
//!
//! Invariant: every pair of leaves is under a part of the front, marked or deeper; a marked child is not nearer than
//! the key less what is travelled.
//!
//! A front pays while steps are small. When too much of it is due it is given up, and the next is begun only after some
//! queries, twice as many each time: on motions without coherence little is lost.
//!
//! Cost: some percent of a search while the steps are some thousandths of the bodies. Memory: 20 bytes a part, and at
//! most [`MOST`] of them.

use super::distance_leaves::{DistanceAsk, DistanceLeaves, Measuring};
use crate::answer::Stats;
use crate::math::Relative;
use crate::math::simd::{Kernel, Simd, dispatch};
use crate::narrow::context::Context;
use crate::narrow::displacement::MovedBall;
use crate::narrow::mesh::placed::closest_triangles::ClosestTriangles;
use crate::narrow::mesh::placed::placed_meshes::PlacedMeshes;
use crate::narrow::mesh::placed::tree_pair::TreePair;
use crate::narrow::precision::Precision;
use crate::search::backoff::Backoff;
use crate::tree::descent::descend::{Metric, Visitor};
use crate::tree::nodes::WIDTH;

/// Most parts of a front.
const MOST: usize = 1 << 14;

/// Meshes of fewer triangles than this are searched as fast without a front. So two roots that are leaves never become
/// a part of one.
const SMALL: u32 = 64;

/// Most queries that pass before another front is begun.
const LONGEST_PAUSE: u16 = 256;

/// A motion this small, in radii of `b`, is coherent.
const LITTLE: f64 = 0.05;

/// Keys compared at a time.
const RUN: usize = 32;

/// The front, and how well it has served.
#[derive(Debug, Clone)]
pub(crate) struct Front {
    keys: Vec<f64>,
    parts: Vec<FrontPart>,
    travelled: f64,
    /// Where `b` was last, and whether it has moved little since.
    last: Option<Relative>,
    coherent: bool,
    /// How many pairs the search that began the front has opened.
    first: usize,
    /// Queries to let pass before the next front.
    pause: Backoff<1, LONGEST_PAUSE>,
}

impl Default for Front {
    fn default() -> Self {
        let (keys, parts) = (Vec::new(), Vec::new());
        Front { keys, parts, travelled: 0.0, last: None, coherent: false, first: 0, pause: Backoff::NEW }
    }
}

/// A pair of slots (node·8 + child) that was opened, and which of the eight children it still stands for.
#[derive(Debug, Clone, Copy)]
struct FrontPart {
    outer: u32,
    inner: u32,
    children: u8,
}

/// How far any point of `b` is moved at most between two poses.
fn displacement(placed: &PlacedMeshes<'_>, from: &Relative) -> f64 {
    let b = placed.b.aabb();
    let ball = MovedBall { centre: b.centre(), radius: placed.b.radius(), reach: b.reach(), scale: placed.scale };
    ball.displacement(from, &placed.b_in_a)
}

/// The first key that has come due. When the next one has not, most of the others have not either: so they are compared
/// many at a time.
#[inline(always)]
fn first_due(keys: &[f64], due: f64) -> Option<usize> {
    let is_due = |key: &&f64| **key <= due;
    if keys.first().is_some_and(|key| is_due(&key)) {
        return Some(0);
    }
    let chunk = keys.chunks(RUN).position(|run| run.iter().filter(is_due).count() > 0)?;
    keys[chunk * RUN..].iter().position(|key| is_due(&key)).map(|k| chunk * RUN + k)
}

impl Front {
    pub(crate) fn forget(&mut self) {
        self.clear();
        (self.travelled, self.last, self.coherent, self.pause) = (0.0, None, false, Backoff::NEW);
    }

    fn clear(&mut self) {
        self.keys.clear();
        self.parts.clear();
    }

    fn push(&mut self, key: f64, part: FrontPart) {
        self.keys.push(key);
        self.parts.push(part);
    }

    /// Whether `b` had moved little between the last two queries.
    pub(crate) fn is_coherent(&self) -> bool {
        self.coherent
    }

    pub(crate) fn is_begun(&self) -> bool {
        !self.parts.is_empty()
    }

    /// The answer to a distance query, or to whether anything is within `enough`, by the front; `first` is a pair of
    /// triangles to begin with. `None` where the motion is not coherent, or has not been for long.
    pub(crate) fn search(
        placed: &PlacedMeshes<'_>,
        first: &ClosestTriangles,
        enough: f64,
        precision: Precision,
        cx: Context<'_, Front>,
    ) -> Option<ClosestTriangles> {
        let Context { memory: front, stats } = cx;
        front.coherent = false;
        let step = displacement(placed, &front.last.replace(placed.b_in_a)?);
        front.coherent = step <= LITTLE * placed.b.radius();
        front.travelled += step;
        let small = placed.a.place_count() < SMALL && placed.b.place_count() < SMALL;
        let has_volumes = placed.a.fitted_volumes().is_some() || placed.a.hull_tree().is_some();
        if small || has_volumes || !front.coherent {
            front.clear();
            return None;
        }
        if front.parts.is_empty() {
            if front.pause.sits_out() || enough >= 0.0 {
                return None;
            }
            front.travelled = 0.0;
            front.first = 0;
            front.push(0.0, FrontPart { outer: 0, inner: 0, children: u8::MAX });
        }
        let found = dispatch(Track { placed, first, enough, precision, front, stats });
        if found.is_none() {
            front.give_up();
        }
        found
    }

    /// Waits for longer before the next attempt.
    fn give_up(&mut self) {
        self.clear();
        self.pause.failed();
    }
}

struct Track<'q> {
    placed: &'q PlacedMeshes<'q>,
    first: &'q ClosestTriangles,
    enough: f64,
    precision: Precision,
    front: &'q mut Front,
    stats: &'q mut Stats,
}

impl Kernel for Track<'_> {
    type Output = Option<ClosestTriangles>;

    #[inline(always)]
    fn run<S: Simd>(self) -> Option<ClosestTriangles> {
        let Track { placed, first, enough, precision, front, stats } = self;
        let trees = TreePair::new(placed);
        let (outer, inner, unit) = (trees.outer, trees.inner, trees.outer.unit);
        let ask = DistanceAsk { first: *first, enough, precision, points: Measuring::Late };
        let mut leaves = DistanceLeaves::<true>::new(&trees, &ask);
        let to_outer = leaves.to_outer();
        let gap = trees.gap(leaves.direction());
        let noise = 4.0 * placed.noise(first.upper().min(f64::MAX)) / placed.scale;
        let most = if front.first == 0 { usize::MAX } else { (front.first / 2).max(64) };
        let mut opened = 0;
        let mut at = 0;
        'due: while at < front.keys.len() {
            // Distances in the bodies' own unit; squared ones in units of the outer tree.
            let cutoff = leaves.cutoff();
            let due = (cutoff.sqrt() * unit + front.travelled) * (1.0 + 1e-12) + noise;
            let Some(next) = first_due(&front.keys[at..], due) else { break };
            at += next;
            if opened >= most || front.parts.len() >= MOST {
                return None;
            }
            let part = front.parts[at];
            let mut left = part.children;
            opened += 1;
            let (o, i) = (part.outer as usize, part.inner as usize);
            let (o_child, i_child) = (outer.child(o), inner.child(i));
            let (o_leaf, i_leaf) = (o_child.as_leaf(), i_child.as_leaf());
            let larger = || outer.size(o) >= inner.size(i) * trees.frame.scale as f32;
            let open_outer = i_leaf.is_some() || (o_leaf.is_none() && larger());
            let index = if open_outer { o_child.index() } else { i_child.index() };
            let bounds = match open_outer {
                true => gap.outer_children::<S>(index, i, cutoff),
                false => gap.inner_children::<S>(o, index, cutoff),
            };
            let mut rest = f64::INFINITY;
            let mut marked = u32::from(part.children);
            while marked != 0 {
                let k = marked.trailing_zeros();
                marked &= marked - 1;
                let bound = bounds.bound[k as usize];
                if bound > leaves.cutoff() {
                    rest = rest.min(bound);
                    continue;
                }
                let slot = (index * WIDTH) as u32 + k;
                let [x, y] = if open_outer { [slot, part.inner] } else { [part.outer, slot] };
                let pair = (outer.child(x as usize).as_leaf(), inner.child(y as usize).as_leaf());
                if let (Some(p), Some(q)) = pair {
                    if leaves.leaves::<S>(p, q).is_break() {
                        // The key of this part is still valid for the children that are left.
                        front.parts[at].children = left;
                        break 'due;
                    }
                    rest = rest.min(bound.max(leaves.least() * to_outer));
                } else {
                    left &= !(1 << k);
                    front.push(
                        bound.sqrt() * unit + front.travelled,
                        FrontPart { outer: x, inner: y, children: u8::MAX },
                    );
                }
            }
            if left != 0 && rest < f64::INFINITY {
                front.keys[at] = rest.sqrt() * unit + front.travelled;
                front.parts[at].children = left;
                at += 1;
            } else {
                front.keys.swap_remove(at);
                front.parts.swap_remove(at);
            }
        }
        if front.first == 0 {
            front.first = opened;
        }
        stats.iterations += opened as u64;
        stats.volume_tests += 8 * opened as u64;
        stats.primitive_tests += leaves.tests();
        leaves.found()
    }
}
