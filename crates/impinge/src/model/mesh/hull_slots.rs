//! A convex hull for every slot of a mesh's tree: the volumes of Xavier's trees.
//!
//! P. Xavier, *Fast Swept-Volume Distance for Robust Collision Detection*, 1997, §2.1: every interior node has a convex
//! hull of what is below it, of a bounded number of vertices (`bounded_hull.rs`); a leaf has the corners of its
//! triangles. Gilbert's algorithm needs no more of a hull than its vertices, so only these are kept, four to a block.
//!
//! Hulls are in the tree's own unit, in which the body lies within ±1: so the limit on the size of convex bodies does
//! not concern them. What is smaller than [`POINT`] there is a point.
//!
//! They are built bottom-up, a level of the tree at a time, in parallel: the vertices of a hull are among those of the
//! hulls below. The exact ones are handed up, the capped ones are kept.
//!
//! Invariant: every triangle lies in the hulls of all slots above it, up to [`SLACK`].

use std::sync::{Arc, OnceLock};

use glam::DVec3;

use super::bounded_hull;
use crate::bound::HullTree;
use crate::prim::Triangle;
use crate::threads::share;
use crate::tree::nodes::{Below, Tree, WIDTH};

/// How far a triangle may stick out of its hull, in the tree's unit: hulls leave out what is within `90ε` of their
/// extent, which is at most 4, and their corners are rounded.
pub(crate) const SLACK: f64 = 1.0 / (1u64 << 42) as f64;

/// Extents below this are none.
const POINT: f64 = 1e-40;

/// Which hulls a mesh was given, and these once they are built.
#[derive(Debug, Clone, Default)]
pub(crate) struct HullChoice {
    asked: Option<HullTree>,
    built: OnceLock<Arc<HullSlots>>,
}

impl HullChoice {
    pub(crate) fn of(options: HullTree) -> HullChoice {
        HullChoice { asked: Some(options), built: OnceLock::new() }
    }

    /// The same hulls, to be built anew.
    pub(crate) fn unbuilt(&self) -> HullChoice {
        HullChoice { asked: self.asked, built: OnceLock::new() }
    }

    pub(crate) fn asked(&self) -> Option<HullTree> {
        self.asked
    }

    /// The hulls, built if they are not yet; `None` when the mesh was given none.
    pub(crate) fn on(&self, tree: &Tree, triangle: impl Fn(u32) -> Triangle + Sync) -> Option<&HullSlots> {
        let options = self.asked?;
        Some(self.built.get().unwrap_or_else(|| {
            // Not within the lock: a rayon thread that waits for others may start another query of this mesh, which
            // takes the lock too.
            let built = Arc::new(HullSlots::of(tree, triangle, options.vertex_cap));
            self.built.get_or_init(|| built)
        }))
    }

    pub(crate) fn bytes(&self) -> usize {
        self.built.get().map_or(0, |hulls| hulls.bytes())
    }
}

/// Four points, `[axis][point]`; missing ones repeat the last.
type Four = [[f64; 4]; 3];

/// A hull by its vertices.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HullVertices<'t> {
    fours: &'t [Four],
    count: u32,
    /// A point inside.
    pub(crate) centre: DVec3,
    /// No vertex is farther from it.
    pub(crate) radius: f64,
}

impl HullVertices<'_> {
    pub(crate) fn count(&self) -> u32 {
        self.count
    }

    pub(crate) fn get(&self, v: u32) -> Option<DVec3> {
        (v < self.count).then(|| self.lane(v as usize / 4, v as usize % 4))
    }

    #[inline(always)]
    fn lane(&self, four: usize, lane: usize) -> DVec3 {
        let f = &self.fours[four];
        DVec3::new(f[0][lane], f[1][lane], f[2][lane])
    }

    /// A vertex farthest along `d`, and where it is; of equal ones always the same.
    #[inline(always)]
    pub(crate) fn farthest(&self, d: DVec3) -> (u32, DVec3) {
        let (mut most, mut found) = ([f64::NEG_INFINITY; 4], [0u64; 4]);
        for (k, f) in self.fours.iter().enumerate() {
            for lane in 0..4 {
                let height = d.x * f[0][lane] + d.y * f[1][lane] + d.z * f[2][lane];
                let more = height > most[lane];
                most[lane] = if more { height } else { most[lane] };
                found[lane] = if more { k as u64 } else { found[lane] };
            }
        }
        let lane = (1..4).fold(0, |best, lane| if most[lane] > most[best] { lane } else { best });
        let four = found[lane] as usize;
        // Lanes that repeat the last point are called by its name.
        (((4 * four + lane) as u32).min(self.count - 1), self.lane(four, lane))
    }
}

#[derive(Debug, Clone, Copy)]
struct SlotHull {
    centre: DVec3,
    radius: f64,
    first: u32,
    count: u32,
    leaf: bool,
}

/// The hulls of a tree: those of a node's children lie together, in the order of its slots.
#[derive(Debug)]
pub(crate) struct HullSlots {
    /// First hull of each node, and the number of all.
    first: Vec<u32>,
    slots: Vec<SlotHull>,
    fours: Vec<Four>,
    /// The slot (node·8 + child) that each node is below; the root is below itself.
    above: Vec<u32>,
}

/// The exact hull of a node, to be handed up, and the one to be kept.
#[derive(Default, Clone)]
struct Hulled {
    exact: Vec<DVec3>,
    kept: Vec<DVec3>,
}

impl HullSlots {
    fn of(tree: &Tree, triangle: impl Fn(u32) -> Triangle + Sync, cap: usize) -> HullSlots {
        let scale = tree.unit.recip();
        let corners = |place: u32| triangle(place).map(|x| (x - tree.centre) * scale);
        let leaf = |leaf: crate::tree::nodes::Leaf| distinct(leaf.places().flat_map(corners).collect());
        let (above, levels) = levels(tree);
        let mut hulled = vec![Hulled::default(); tree.nodes()];
        for level in levels.iter().rev() {
            let done = share::results(level.len(), |k| {
                let mut points = Vec::new();
                for below in tree.below(level[k] as usize) {
                    match below {
                        Below::Leaf(l) => points.extend(leaf(l)),
                        Below::Node(n) => points.extend_from_slice(&hulled[n].exact),
                    }
                }
                wrap(&points, cap)
            });
            for (&node, new) in level.iter().zip(done) {
                hulled[node as usize] = new;
                for below in tree.below(node as usize) {
                    if let Below::Node(n) = below {
                        hulled[n].exact = Vec::new();
                    }
                }
            }
        }
        let mut all =
            HullSlots { first: Vec::with_capacity(tree.nodes() + 1), slots: Vec::new(), fours: Vec::new(), above };
        for node in 0..tree.nodes() {
            all.first.push(all.slots.len() as u32);
            for below in tree.below(node) {
                match below {
                    Below::Leaf(l) => all.push(&leaf(l), true),
                    Below::Node(n) => all.push(&hulled[n].kept, false),
                }
            }
        }
        all.first.push(all.slots.len() as u32);
        all.fours.shrink_to_fit();
        all.slots.shrink_to_fit();
        all
    }

    fn push(&mut self, points: &[DVec3], leaf: bool) {
        let Some(last) = points.len().checked_sub(1) else { return };
        let share = 1.0 / points.len() as f64;
        let centre = points.iter().fold(DVec3::ZERO, |sum, p| sum + *p * share);
        let radius = points.iter().fold(0.0, |r: f64, p| r.max(p.distance(centre)));
        self.slots.push(SlotHull { centre, radius, first: self.fours.len() as u32, count: points.len() as u32, leaf });
        for k in (0..points.len()).step_by(4) {
            let four = [0, 1, 2, 3].map(|lane| points[(k + lane).min(last)]);
            self.fours.push([four.map(|p| p.x), four.map(|p| p.y), four.map(|p| p.z)]);
        }
    }

    #[inline(always)]
    fn slot(&self, slot: u32) -> &SlotHull {
        &self.slots[self.first[slot as usize / WIDTH] as usize + slot as usize % WIDTH]
    }

    /// The hull in a slot (node·8 + child).
    #[inline(always)]
    pub(crate) fn vertices(&self, slot: u32) -> HullVertices<'_> {
        let SlotHull { centre, radius, first, count, .. } = *self.slot(slot);
        let fours = &self.fours[first as usize..first as usize + count.div_ceil(4) as usize];
        HullVertices { fours, count, centre, radius }
    }

    pub(crate) fn is_leaf(&self, slot: u32) -> bool {
        self.slot(slot).leaf
    }

    /// Children of a node.
    pub(crate) fn children(&self, node: usize) -> u32 {
        self.first[node + 1] - self.first[node]
    }

    /// The slot that a node is below.
    pub(crate) fn above(&self, node: usize) -> u32 {
        self.above[node]
    }

    /// Number of hulls.
    pub(crate) fn len(&self) -> usize {
        self.slots.len()
    }

    fn bytes(&self) -> usize {
        let tables = (self.first.len() + self.above.len()) * size_of::<u32>();
        self.fours.len() * size_of::<Four>() + self.slots.len() * size_of::<SlotHull>() + tables
    }
}

/// The slot above each node, and the nodes of each level that hang from a slot.
fn levels(tree: &Tree) -> (Vec<u32>, Vec<Vec<u32>>) {
    let mut above = vec![0; tree.nodes()];
    let mut depth = vec![0; tree.nodes()];
    let mut levels: Vec<Vec<u32>> = Vec::new();
    for node in 0..tree.nodes() {
        for (k, below) in tree.below(node).enumerate() {
            let Below::Node(n) = below else { continue };
            (above[n], depth[n]) = ((node * WIDTH + k) as u32, depth[node] + 1);
            if levels.len() < depth[n] {
                levels.push(Vec::new());
            }
            levels[depth[n] - 1].push(n as u32);
        }
    }
    (above, levels)
}

/// The points, each once.
fn distinct(mut points: Vec<DVec3>) -> Vec<DVec3> {
    let mut kept = 0;
    for k in 0..points.len() {
        if !points[..kept].contains(&points[k]) {
            points[kept] = points[k];
            kept += 1;
        }
    }
    points.truncate(kept);
    points
}

fn wrap(points: &[DVec3], cap: usize) -> Hulled {
    let Some(&first) = points.first() else { return Hulled::default() };
    if points.iter().all(|p| (*p - first).abs().max_element() < POINT) {
        return Hulled { exact: vec![first], kept: vec![first] };
    }
    let (exact, extremes) = bounded_hull::extremes(points);
    let cap = cap.max(bounded_hull::FEWEST);
    let kept = if exact.len() <= cap { exact.clone() } else { extremes.wrapped(cap) };
    Hulled { exact, kept }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::mesh::triangle_mesh::Mesh;
    use crate::tree::Builder;

    /// Splitmix64, in `[−1, 1)`.
    fn number(state: &mut u64) -> f64 {
        *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let x = (*state ^ (*state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((x ^ (x >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// Directions to measure along: the planes of the kept hull, and some others.
    fn directions(kept: &[DVec3], state: &mut u64) -> Vec<DVec3> {
        let mut all: Vec<DVec3> = (0..30).map(|_| DVec3::new(number(state), number(state), number(state))).collect();
        if kept.iter().any(|p| (*p - kept[0]).abs().max_element() > POINT) {
            let hull = crate::model::hull::of_points::hull(kept);
            let corners = |facet: &[u32]| facet.iter().map(|&v| kept[v as usize]).collect::<Vec<_>>();
            all.extend(hull.facets().map(|facet| crate::model::hull::newell::normal(&corners(facet))));
        }
        all.into_iter().map(DVec3::normalize_or_zero).collect()
    }

    /// Every corner lies behind every plane of the hull of every slot above it, within [`SLACK`].
    fn contains_what_is_below(mesh: &Mesh, cap: usize) -> usize {
        let tree = mesh.tree();
        let hulls = HullSlots::of(tree, |place| mesh.corners(place), cap);
        let (mut state, mut checked) = (7, 0);
        for node in 0..tree.nodes() {
            for (k, below) in tree.below(node).enumerate() {
                let slot = (node * WIDTH + k) as u32;
                let mut places = Vec::new();
                let mut open = vec![below];
                while let Some(next) = open.pop() {
                    match next {
                        Below::Leaf(leaf) => places.extend(leaf.places()),
                        Below::Node(n) => open.extend(tree.below(n)),
                    }
                }
                let hull = hulls.vertices(slot);
                assert_eq!(hulls.is_leaf(slot), matches!(below, Below::Leaf(_)));
                if let Below::Node(n) = below {
                    assert!(hulls.above(n) == slot && hull.count as usize <= cap.max(8));
                }
                let kept: Vec<DVec3> = (0..hull.count).map(|v| hull.get(v).unwrap()).collect();
                assert!(hull.get(hull.count).is_none());
                assert!(kept.iter().all(|p| p.distance(hull.centre) <= hull.radius));
                let scale = tree.unit.recip();
                let corners: Vec<DVec3> =
                    places.iter().flat_map(|&p| mesh.corners(p)).map(|x| (x - tree.centre) * scale).collect();
                for d in directions(&kept, &mut state) {
                    let (v, at) = hull.farthest(d);
                    assert_eq!(hull.get(v), Some(at));
                    let height = d.dot(at);
                    assert!(kept.iter().all(|p| d.dot(*p) <= height));
                    let out = corners.iter().fold(f64::NEG_INFINITY, |m, p| m.max(d.dot(*p))) - height;
                    assert!(out <= SLACK, "{out} out of slot {slot} along {d}, cap {cap}");
                    checked += 1;
                }
            }
        }
        checked
    }

    #[test]
    fn every_triangle_lies_in_the_hulls_above_it() {
        let mut state = 3;
        let mut checked = 0;
        for round in 0..24 {
            let turn = glam::DQuat::from_xyzw(0.3, number(&mut state), number(&mut state), 0.2).normalize();
            let stretch = [[1.0, 1.0, 1.0], [1.0, 1.0, 0.0], [1.0, 1e-7, 1e-9], [1.0, 0.0, 0.0]][round % 4];
            let size = [1.0, 1e-30, 1e140][round % 3];
            let mut point = |r: f64| {
                let p = DVec3::new(number(&mut state), number(&mut state), number(&mut state)) * r;
                turn * (p * DVec3::from_array(stretch)) * size
            };
            let mut vertices = Vec::new();
            for i in 0..300 {
                let at = point(1.0) + DVec3::splat(size) * [0.0, 100.0][round % 2];
                let r = [0.05, 0.3, 1e-60, 0.0][i % 4];
                vertices.extend([at, at + point(r), at + point(r)]);
            }
            let triangles = (0..300).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
            let builder = [Builder::Auto, Builder::Binary][round / 12];
            let mesh = Mesh::with_builder(vertices, triangles, builder).unwrap();
            for cap in [0, 20, 32, 64, usize::MAX] {
                checked += contains_what_is_below(&mesh, cap);
            }
        }
        assert!(checked > 100_000, "only {checked}");
    }

    #[test]
    fn smooth_bodies_too() {
        let (rings, sides) = (60, 30);
        let vertex = |i: u32| {
            let (u, v) = (f64::from(i / sides) * 0.10472, f64::from(i % sides) * 0.20944);
            let r = 1.0 + 0.4 * v.cos();
            DVec3::new(r * u.cos(), r * u.sin(), 0.4 * v.sin())
        };
        let quad = |i: u32| {
            let (ring, side) = (i / sides, i % sides);
            let at = |r: u32, s: u32| (r % rings) * sides + s % sides;
            let [p, q, r, s] = [at(ring, side), at(ring + 1, side), at(ring + 1, side + 1), at(ring, side + 1)];
            [[p, q, r], [p, r, s]]
        };
        let triangles = (0..rings * sides).flat_map(quad).collect();
        let mesh = Mesh::new((0..rings * sides).map(vertex).collect(), triangles).unwrap();
        for cap in [8, 32] {
            assert!(contains_what_is_below(&mesh, cap) > 10_000);
        }
    }
}
