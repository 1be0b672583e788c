//! The least translation that separates two unions of convex pieces, exactly, by branch and bound.
//!
//! Shifts of `b` that let piece `i` of `a` overlap piece `j` of `b` are the inside of the Minkowski difference of the
//! two, a polytope; those that let the unions overlap are the union of all of these. (Inner points of a union are
//! limits of inner points of its pieces, so nothing is lost at common faces.) The least translation is the shortest
//! vector outside all the polytopes.
//!
//! A vector outside a polytope lies beyond the plane of one of its facets. So a search node is some planes to be beyond
//! of, and its bound the length of the shortest vector that is ([`super::shortest`]). If that vector lies in none of
//! the polytopes, it is free; otherwise the node has a child for each facet of the one it lies deepest in. Nodes are
//! opened shortest first, hence the first free vector is the shortest of all, and at any time no free vector is shorter
//! than the bound of the node opened.
//!
//! Planes are moved out by a clearance, so that bodies moved by the result are apart by that much and can be seen to
//! be; a gap into which a body fits with less to spare counts as closed. Bounds are those of the moved planes.
//!
//! Cost: exponential in the number of polytopes that meet near the answer, of which there are few as a rule; at most
//! [`MOST_NODES`] nodes of at most [`MOST_PLANES`] planes, and [`MOST_FACETS`] facets. No heap but the memory's.

use glam::DVec3;

use super::shortest::{Beyond, shortest_on};
use super::sum_facets;
use crate::answer::Stats;
use crate::math::Relative;
use crate::model::Convex;
use crate::narrow::context::Context;
use crate::narrow::convex::polyhedra::Polyhedra;
use crate::search::best_first::{BestFirst, LowerBound};

/// Nodes made at most.
pub(crate) const MOST_NODES: usize = 1 << 14;

/// Facets of all Minkowski differences at most.
pub(crate) const MOST_FACETS: usize = 1 << 14;

/// Pairs of edges of two pieces at most.
const MOST_EDGES: usize = 1 << 15;

/// Planes of one node at most.
pub(crate) const MOST_PLANES: usize = 16;

const ROOT: u32 = u32::MAX;

/// One plane more than its parent.
#[derive(Debug, Clone, Copy)]
struct Node {
    parent: u32,
    plane: Beyond,
    shift: DVec3,
}

/// Memory of the search, kept between queries.
#[derive(Debug, Clone, Default)]
pub(crate) struct Branches {
    facets: Vec<Beyond>,
    /// Where the facets of each polytope end.
    ends: Vec<u32>,
    nodes: Vec<Node>,
    /// Nodes to be opened, the shortest first, of equals the first made.
    queue: BestFirst<(LowerBound, u32), ()>,
}

/// What is known of the least translation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LeastShift {
    /// No shorter one separates with the clearance asked for.
    pub(crate) lower: f64,
    /// One of that length that does; `None` where the search found none shorter than was known, or came to a cap.
    pub(crate) shift: Option<DVec3>,
}

/// The least translation of `b`, if shorter than `within`. `None` when there are too many facets or edges. All pieces
/// have volume.
pub(crate) fn least(
    [a, b]: [&[Convex]; 2],
    b_in_a: &Relative,
    within: f64,
    clearance: f64,
    cx: Context<'_, Branches>,
) -> Option<LeastShift> {
    cx.memory.facets.clear();
    cx.memory.ends.clear();
    for p in a {
        for q in b {
            let pair = Polyhedra { a: p, b: q, b_in_a: *b_in_a };
            let apart = b_in_a.apply(q.centre()).distance(p.centre()) - p.radius() - q.radius();
            if apart > within + clearance {
                continue;
            }
            if p.edge_count() * q.edge_count() > MOST_EDGES {
                return None;
            }
            sum_facets::facets(&pair, &mut cx.memory.facets);
            cx.memory.ends.push(cx.memory.facets.len() as u32);
            if cx.memory.facets.len() > MOST_FACETS {
                return None;
            }
        }
    }
    cx.memory.facets.iter_mut().for_each(|plane| *plane = plane.moved(clearance));
    Some(cx.memory.search(within, cx.stats))
}

impl Branches {
    fn search(&mut self, within: f64, stats: &mut Stats) -> LeastShift {
        self.nodes.clear();
        self.queue.clear();
        self.queue.push((LowerBound(0.0), ROOT), ());
        while let Some(((LowerBound(bound), node), ())) = self.queue.pop() {
            stats.iterations += 1;
            let shift = self.nodes.get(node as usize).map_or(DVec3::ZERO, |n| n.shift);
            let Some(facets) = self.deepest(shift) else { return LeastShift { lower: bound, shift: Some(shift) } };
            let mut planes = [Beyond { normal: DVec3::X, offset: 0.0 }; MOST_PLANES];
            let count = self.chain(node, &mut planes);
            if count == MOST_PLANES || self.nodes.len() + facets.len() > MOST_NODES {
                return LeastShift { lower: bound, shift: None };
            }
            for f in facets {
                let plane = self.facets[f];
                let Some(shift) = shortest_on(&plane, &planes[..count]) else { continue };
                let bound = bound.max(shift.length());
                if bound < within {
                    self.queue.push((LowerBound(bound), self.nodes.len() as u32), ());
                    self.nodes.push(Node { parent: node, plane, shift });
                }
            }
        }
        LeastShift { lower: within, shift: None }
    }

    /// The facets of the polytope that `x` lies deepest in; `None` when it lies in none.
    fn deepest(&self, x: DVec3) -> Option<std::ops::Range<usize>> {
        let (mut start, mut most, mut found) = (0, 0.0, None);
        for &end in &self.ends {
            let facets = start..end as usize;
            start = facets.end;
            let mut least = f64::INFINITY;
            for plane in &self.facets[facets.clone()] {
                if plane.holds(x) {
                    least = 0.0;
                    break;
                }
                least = least.min(plane.offset - plane.normal.dot(x));
            }
            if least > most {
                (most, found) = (least, Some(facets));
            }
        }
        found
    }

    /// The planes of a node, from itself to the root; how many there are.
    fn chain(&self, mut node: u32, planes: &mut [Beyond; MOST_PLANES]) -> usize {
        for (count, slot) in planes.iter_mut().enumerate() {
            let Some(at) = self.nodes.get(node as usize) else { return count };
            *slot = at.plane;
            node = at.parent;
        }
        MOST_PLANES
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::narrow::convex::polyhedra::brute;
    use crate::narrow::convex::polyhedra::cases::{Random, at, cuboid, cuboid_at, placed};

    fn solve(a: &[Convex], b: &[Convex], b_in_a: &Relative) -> LeastShift {
        least([a, b], b_in_a, 1e9, 0.0, Context::new(&mut Branches::default(), &mut Stats::default())).unwrap()
    }

    #[test]
    fn single_pieces_have_their_own_depth() {
        let mut r = Random(3);
        for _ in 0..100 {
            let (a, b) = (r.solid(), r.solid());
            let b_in_a = placed(r.rotation(), r.direction() * 0.5);
            let found = solve(std::slice::from_ref(&a), std::slice::from_ref(&b), &b_in_a);
            let way = brute::depth(&Polyhedra { a: &a, b: &b, b_in_a }, &mut Stats::default());
            assert!((found.lower - way.map_or(0.0, |w| w.depth)).abs() < 1e-12, "{found:?} {way:?}");
            assert_eq!(found.shift.unwrap().length(), found.lower);
        }
    }

    /// A box cut into slices has the depth of the box, which no slice has.
    #[test]
    fn slices_are_as_deep_as_the_whole() {
        let (half, b) = (DVec3::new(1.0, 0.8, 0.9), cuboid(DVec3::splat(0.3)));
        let slices: Vec<Convex> = (0..4)
            .map(|k| cuboid_at(DVec3::X * (0.5 * f64::from(k) - 0.75), half * DVec3::new(0.25, 1.0, 1.0)))
            .collect();
        let found = solve(&slices, std::slice::from_ref(&b), &at(DVec3::new(0.1, 0.05, 0.0)));
        assert!((found.lower - 1.05).abs() < 1e-12 && found.shift.unwrap().y > 0.0, "{found:?}");
    }

    /// A cube in the corner of two walls: the shortest way out leaves both at once.
    #[test]
    fn two_walls_are_left_together() {
        let walls = [
            cuboid_at(DVec3::new(-5.0, 0.0, 0.0), DVec3::new(5.0, 9.0, 9.0)),
            cuboid_at(DVec3::new(0.0, -5.0, 0.0), DVec3::new(9.0, 5.0, 9.0)),
        ];
        let b = cuboid(DVec3::ONE);
        let found = solve(&walls, &[b], &at(DVec3::new(0.7, 0.6, 0.0)));
        assert!(found.shift.unwrap().distance(DVec3::new(0.3, 0.4, 0.0)) < 1e-12, "{found:?}");
    }

    #[test]
    fn a_known_way_is_not_found_again() {
        let (a, b) = (cuboid(DVec3::ONE), cuboid(DVec3::ONE));
        let (mut memory, mut stats) = (Branches::default(), Stats::default());
        let found = least([&[a], &[b]], &at(DVec3::X), 1.0, 0.0, Context::new(&mut memory, &mut stats)).unwrap();
        assert!(found.shift.is_none() && found.lower == 1.0);
    }
}
