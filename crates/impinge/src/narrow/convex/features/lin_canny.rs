//! Lin-Canny: the closest features of two convex polyhedra, by walking from feature to feature while they come nearer.
//!
//! M. Lin and J. Canny, *A fast algorithm for incremental distance calculation*, ICRA 1991; Lin §5.1, Mirtich §3.1, the
//! slides' applicability criteria. Theorem: if the closest points of two features lie in each other's Voronoi regions,
//! they are the closest points of the bodies. So: take the closest points of the current features; if one lies beyond a
//! plane of the other's region, go to the neighbour across that plane; else done. Figure: `docs/figures/voronoi.svg`.
//!
//! | pair | stays when | else goes to |
//! |---|---|---|
//! | V-V | each in the other's region | the edge of the worst violated plane |
//! | V-E | vertex in the edge's region, foot in the vertex's | an end, a face; an edge of the vertex |
//! | V-F | vertex over the face, no edge of it descends | the nearest edge of the face; its steepest edge |
//! | E-E | each closest point in the other's region | an end, a face |
//! | E-F | parallel, one over the other, no face descends | its nearer end, or an edge of the face; a vertex |
//! | F-F | parallel, one over the other | the lowest vertex |
//!
//! Parallel features keep together as much of each as is level, and the closest points are the middle of what lies over
//! each other ([`crate::narrow::convex::polyhedra::facing`]).
//!
//! **Invariant.** The distance of the two features, as closed sets, decreases with each step, or stays and their
//! dimension drops, or (level features) stays and rises without return. Planes count as violated beyond a tolerance of
//! some roundings, so that closest points computed twice cannot send the walk back and forth; what that hides near
//! contact is looked for there ([`super::lin_canny_level`]).
//!
//! **Penetration** (Lin §5.1). A vertex below a face is inside the body, or lies outside it over another face: the
//! pseudo-Voronoi regions of the inside decide which ([`RegionSide::tunnel`]). An edge that passes through a face is
//! penetration too. The original ran forever in both cases.
//!
//! **Termination.** Rounding may still make a ring. Each step depends on the pair of features alone, so R. Brent's
//! method (one remembered pair, replaced at powers of two) finds any ring; that, or the cap, is [`Claim::Unknown`],
//! never "penetrating" as the 1997 text has it. Cost: constant while the same features stay closest.

use glam::DVec3;

use super::lin_canny_cells::ConstantSizeCells;
use super::lin_canny_level;
use super::lin_canny_regions::RegionSide;
use crate::answer::Stats;
use crate::math::EPS;
use crate::model::convex::polyhedron::NONE;
use crate::narrow::convex::polyhedra::facing;
use crate::narrow::convex::polyhedra::placed_polyhedron::PlacedPolyhedron;
use crate::narrow::convex::polyhedra::segments::{along, closest_on_segment, closest_parameters};
use crate::narrow::convex::polyhedra::{Claim, ClosestFeatures, HullFeature, Polyhedra};

/// Distance, relative to the bodies' size, below which the distances of level neighbours are compared.
const NEAR: f64 = 1.0 / 64.0;

enum Step {
    /// These are the closest features.
    Stay,
    /// The bodies have a common point, up to rounding.
    Overlap,
    To(HullFeature, HullFeature),
}

impl Step {
    /// The same with the bodies exchanged.
    fn swapped(self) -> Step {
        if let Step::To(x, y) = self { Step::To(y, x) } else { self }
    }
}

/// Walks from `start`, any two features, to the closest ones, and returns where it ended.
pub(crate) fn walk(pair: &Polyhedra<'_>, start: [HullFeature; 2], stats: &mut Stats) -> (Claim, [HullFeature; 2]) {
    walk_in(pair, [None; 2], &mut [NONE; 2], start, stats)
}

/// The same, with regions of constant size for the bodies that come with them; `places` are remembered sub-cells.
pub(crate) fn walk_in(
    pair: &Polyhedra<'_>,
    cells: [Option<&ConstantSizeCells>; 2],
    places: &mut [u32; 2],
    start: [HullFeature; 2],
    stats: &mut Stats,
) -> (Claim, [HullFeature; 2]) {
    let sides = [
        RegionSide::new(pair.a, pair.b_in_a, cells[0], places[0]),
        RegionSide::new(pair.b, pair.b_in_a.inverse(), cells[1], places[1]),
    ];
    let walked = Walk { pair, a: &sides[0], b: &sides[1], tolerance: tolerance(pair) }.run(start, stats);
    *places = [sides[0].place(), sides[1].place()];
    walked
}

/// What rounding may do to the distance of a point from a plane, some times over.
fn tolerance(pair: &Polyhedra<'_>) -> f64 {
    let between = pair.b_in_a.apply(pair.b.centre()).distance(pair.a.centre());
    pair.slack() + 8.0 * EPS * between
}

struct Walk<'w, 'm> {
    pair: &'w Polyhedra<'m>,
    a: &'w RegionSide<'m>,
    b: &'w RegionSide<'m>,
    tolerance: f64,
}

impl Walk<'_, '_> {
    fn run(&self, start: [HullFeature; 2], stats: &mut Stats) -> (Claim, [HullFeature; 2]) {
        let mut at = [start[0].or_first(self.pair.a), start[1].or_first(self.pair.b)];
        let cap = 64 + 4 * (self.pair.a.edge_count() + self.pair.b.edge_count()) as u64;
        let mut remembered = at;
        for taken in 1..=cap {
            stats.iterations += 1;
            stats.primitive_tests += 2;
            match self.step(at) {
                Step::Stay => return (self.apart(at), at),
                Step::Overlap => return (Claim::Overlap, at),
                Step::To(x, y) => at = [x, y],
            }
            if at == remembered {
                break;
            }
            if taken.is_power_of_two() {
                remembered = at;
            }
        }
        (Claim::Unknown, at)
    }

    fn step(&self, at: [HullFeature; 2]) -> Step {
        let (a, b) = (self.a, self.b);
        match at {
            [HullFeature::Vertex(v), HullFeature::Vertex(w)] => self.vertex_vertex(v, w),
            [HullFeature::Vertex(v), HullFeature::Edge(e)] => self.vertex_edge(a, b, v, e),
            [HullFeature::Edge(e), HullFeature::Vertex(v)] => self.vertex_edge(b, a, v, e).swapped(),
            [HullFeature::Vertex(v), HullFeature::Face(f)] => self.vertex_face(a, b, v, f),
            [HullFeature::Face(f), HullFeature::Vertex(v)] => self.vertex_face(b, a, v, f).swapped(),
            [HullFeature::Edge(e), HullFeature::Edge(g)] => self.edge_edge(e, g),
            [HullFeature::Edge(e), HullFeature::Face(f)] => self.edge_face(a, b, e, f),
            [HullFeature::Face(f), HullFeature::Edge(e)] => self.edge_face(b, a, e, f).swapped(),
            [HullFeature::Face(f), HullFeature::Face(g)] => self.face_face(f, g),
        }
    }

    /// The closest points of features that stay: of parallel ones the middle of what lies over each other.
    fn apart(&self, features: [HullFeature; 2]) -> Claim {
        let [a, b] = &self.pair.placed();
        let foot = |body: &PlacedPolyhedron<'_>, f: u32, x: DVec3| x - body.normal(f) * body.height(f, x);
        let points = match features {
            [HullFeature::Edge(e), HullFeature::Face(f)] => {
                facing::middle_over(a.ends(e), b, f, DVec3::ZERO, self.tolerance).map(|x| [x, foot(b, f, x)])
            }
            [HullFeature::Face(f), HullFeature::Edge(e)] => {
                facing::middle_over(b.ends(e), a, f, DVec3::ZERO, self.tolerance).map(|x| [foot(a, f, x), x])
            }
            [HullFeature::Face(f), HullFeature::Face(g)] => self.middle_of_faces(f, g).map(|x| [x, foot(b, g, x)]),
            [HullFeature::Edge(e), HullFeature::Edge(g)] => {
                let (mine, theirs) = (a.ends(e), b.ends(g));
                facing::parallel_middle(mine, theirs, self.tolerance).map(|x| [x, closest_on_segment(theirs, x)])
            }
            _ => None,
        };
        Claim::Apart(
            points.map_or_else(|| self.pair.closest_points(features), |points| ClosestFeatures { points, features }),
        )
    }

    /// The middle, on face `f` of `a`, of what lies over face `g` of `b`.
    fn middle_of_faces(&self, f: u32, g: u32) -> Option<DVec3> {
        let [a, b] = &self.pair.placed();
        let shift = b.normal(g) * b.height(g, a.corner(f));
        facing::outline_mean([a, b], [f, g], shift, self.tolerance)
    }

    fn vertex_vertex(&self, v: u32, w: u32) -> Step {
        let (p, q) = (self.a.body.vertex(v), self.b.body.vertex(w));
        let (q_in_a, p_in_b) = (self.a.from_other.apply(q), self.b.from_other.apply(p));
        if let Some(h) = self.a.edge_towards(v, q_in_a - p, self.tolerance) {
            return Step::To(HullFeature::Edge(h.edge()), HullFeature::Vertex(w));
        }
        if let Some(h) = self.b.edge_towards(w, p_in_b - q, self.tolerance) {
            return Step::To(HullFeature::Vertex(v), HullFeature::Edge(h.edge()));
        }
        self.stay([HullFeature::Vertex(v), HullFeature::Vertex(w)], p, q_in_a)
    }

    /// The vertex `v` of `x` and the edge `e` of `y`.
    fn vertex_edge(&self, x: &RegionSide<'_>, y: &RegionSide<'_>, v: u32, e: u32) -> Step {
        let corner = x.body.vertex(v);
        let p = y.from_other.apply(corner);
        if let Some(feature) = y.beside_edge(e, p, self.tolerance) {
            return Step::To(HullFeature::Vertex(v), feature);
        }
        let foot = y.on_edge(e, p);
        let seen = x.from_other.apply(foot);
        if let Some(h) = x.edge_towards(v, seen - corner, self.tolerance) {
            return Step::To(HullFeature::Edge(h.edge()), HullFeature::Edge(e));
        }
        if std::ptr::eq(x, self.a) {
            self.stay([HullFeature::Vertex(v), HullFeature::Edge(e)], corner, seen)
        } else {
            self.stay([HullFeature::Edge(e), HullFeature::Vertex(v)], foot, p).swapped()
        }
    }

    fn edge_edge(&self, e: u32, g: u32) -> Step {
        let (a, b) = (self.a, self.b);
        let mine = a.body.edge(e).ends.map(|v| a.body.vertex(v));
        let theirs = b.body.edge(g).ends.map(|v| a.from_other.apply(b.body.vertex(v)));
        let [s, t] = closest_parameters(mine[1] - mine[0], theirs[1] - theirs[0], theirs[0] - mine[0]);
        let (p, q) = (along(mine, s), along(theirs, t));
        if let Some(feature) = a.beside_edge(e, q, self.tolerance) {
            return Step::To(feature, HullFeature::Edge(g));
        }
        if let Some(feature) = b.beside_edge(g, b.from_other.apply(p), self.tolerance) {
            return Step::To(HullFeature::Edge(e), feature);
        }
        self.stay([HullFeature::Edge(e), HullFeature::Edge(g)], p, q)
    }

    /// The vertex `v` of `x` and the face `f` of `y`.
    fn vertex_face(&self, x: &RegionSide<'_>, y: &RegionSide<'_>, v: u32, f: u32) -> Step {
        let p = y.from_other.apply(x.body.vertex(v));
        if let Some(e) = y.out_of_face(f, p, self.tolerance) {
            return Step::To(HullFeature::Vertex(v), HullFeature::Edge(e));
        }
        let height = y.body.height(f, p);
        if height.abs() <= self.tolerance {
            return Step::Overlap;
        }
        if height < 0.0 {
            return y.tunnel(f, p, self.tolerance).map_or(Step::Overlap, |seen| Step::To(HullFeature::Vertex(v), seen));
        }
        let down = -(x.from_other.rotation * y.body.face(f).normal);
        match x.steepest(v, down, 2.0 * self.tolerance) {
            Some(h) => Step::To(HullFeature::Edge(h.edge()), HullFeature::Face(f)),
            None => Step::Stay,
        }
    }

    /// The edge `e` of `x` and the face `f` of `y`.
    fn edge_face(&self, x: &RegionSide<'_>, y: &RegionSide<'_>, e: u32, f: u32) -> Step {
        let edge = x.body.edge(e);
        let ends = edge.ends.map(|v| y.from_other.apply(x.body.vertex(v)));
        let Some(part) = facing::clip_face(y.body, f, ends, self.tolerance) else {
            return Step::To(HullFeature::Edge(e), HullFeature::Edge(y.nearest_edge(f, ends)));
        };
        let heights = part.range.map(|s| y.body.height(f, along(ends, s)));
        let (low, high) = (heights[0].min(heights[1]), heights[0].max(heights[1]));
        if low <= self.tolerance && high >= -self.tolerance {
            return Step::Overlap;
        }
        let rise = y.body.height(f, ends[1]) - y.body.height(f, ends[0]);
        if rise.abs() > 4.0 * self.tolerance {
            let nearer = usize::from((rise < 0.0) == (low > 0.0));
            return match part.at[nearer] {
                None => Step::To(HullFeature::Vertex(edge.ends[nearer]), HullFeature::Face(f)),
                Some(h) => Step::To(HullFeature::Edge(e), HullFeature::Edge(h.edge())),
            };
        }
        if high < 0.0 {
            let middle = along(ends, 0.5 * (part.range[0] + part.range[1]));
            let seen = y.tunnel(f, middle, self.tolerance);
            return seen.map_or(Step::Overlap, |seen| Step::To(HullFeature::Edge(e), seen));
        }
        for face in edge.faces.into_iter().filter(|&g| g != NONE) {
            let (vertex, lowest, level) = self.lowest(x, face, y, f);
            if lowest < low - 8.0 * self.tolerance {
                return Step::To(HullFeature::Vertex(vertex), HullFeature::Face(f));
            }
            if level {
                return Step::To(HullFeature::Face(face), HullFeature::Face(f));
            }
        }
        Step::Stay
    }

    fn face_face(&self, f: u32, g: u32) -> Step {
        let (a, b) = (self.a, self.b);
        let (vertex, _, level) = self.lowest(a, f, b, g);
        let middle = if level { self.middle_of_faces(f, g) } else { None };
        let Some(middle) = middle else { return Step::To(HullFeature::Vertex(vertex), HullFeature::Face(g)) };
        let height = b.body.height(g, b.from_other.apply(middle));
        if height.abs() <= self.tolerance {
            return Step::Overlap;
        }
        if height < 0.0 {
            let p = b.from_other.apply(middle);
            return b.tunnel(g, p, self.tolerance).map_or(Step::Overlap, |seen| Step::To(HullFeature::Face(f), seen));
        }
        Step::Stay
    }

    /// Points `p` of `a` and `q` of `b` are closest by the plane tests.
    fn stay(&self, at: [HullFeature; 2], p: DVec3, q: DVec3) -> Step {
        let (w, distance) = (q - p, p.distance(q));
        if distance <= self.tolerance {
            return Step::Overlap;
        }
        if distance < NEAR * (self.pair.a.radius() + self.pair.b.radius()) {
            let (band, limit) = (2.0 * self.tolerance, distance - 2.0 * self.tolerance);
            if let Some([x, y]) = lin_canny_level::nearer(self.pair, [self.a, self.b], at, w, band, limit) {
                return Step::To(x, y);
            }
        }
        Step::Stay
    }

    /// The vertex of face `g` of `x` lowest over face `f` of `y`, its height, and whether the faces are level.
    ///
    /// Whether they are level is always computed for `a`'s face over `b`'s, whichever body is `x`, so that all states
    /// agree.
    fn lowest(&self, x: &RegionSide<'_>, g: u32, y: &RegionSide<'_>, f: u32) -> (u32, f64, bool) {
        let (vertex, low, high) = y.heights(f, x, g);
        let tilt = if std::ptr::eq(x, self.a) {
            high - low
        } else {
            let (_, low, high) = x.heights(g, y, f);
            high - low
        };
        let opposed = (x.from_other.rotation * y.body.face(f).normal).dot(x.body.face(g).normal) < 0.0;
        (vertex, low, opposed && tilt <= 8.0 * self.tolerance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Convex;
    use crate::narrow::convex::polyhedra::brute;
    use crate::narrow::convex::polyhedra::cases::{
        Random, at, cone, cuboid, families, flush, placed, prism, proven_distance, scale,
    };
    use crate::narrow::convex::polyhedra::known_cases::{KnownAnswer, known};

    fn random_cell(r: &mut Random, body: &Convex) -> HullFeature {
        let kind = r.index(3);
        let count = [body.vertex_count(), body.edge_count(), body.face_count()][kind];
        // A random starting feature; sometimes its number is out of range.
        let k = r.index(count + 2) as u32;
        [HullFeature::Vertex(k), HullFeature::Edge(k), HullFeature::Face(k)][kind]
    }

    fn true_distance(pair: &Polyhedra<'_>) -> f64 {
        let truth = brute::closest(pair, &mut Stats::default());
        if let Claim::Apart(near) = truth { near.distance() } else { 0.0 }
    }

    /// Whether the walk ends, in which case it must be right.
    fn ends(
        name: &str,
        pair: &Polyhedra<'_>,
        truth: f64,
        start: [HullFeature; 2],
        cut: [Option<&ConstantSizeCells>; 2],
    ) -> bool {
        let (verdict, _) = walk_in(pair, cut, &mut [NONE; 2], start, &mut Stats::default());
        let Some(d) = proven_distance(pair, &verdict, 1e-11) else { return false };
        let error = (d - truth).abs();
        assert!(error <= 1e-12 * (scale(pair) + truth), "{name} from {start:?}: {verdict:?}, not {truth}");
        true
    }

    #[test]
    fn agrees_with_brute_force_from_any_start() {
        let mut r = Random(3);
        let mut counts = std::collections::BTreeMap::<String, [u32; 2]>::new();
        families(21, 150, |name, pair| {
            let truth = true_distance(pair);
            for k in 0..8 {
                let random = [random_cell(&mut r, pair.a), random_cell(&mut r, pair.b)];
                let start = if k == 0 { pair.extremes() } else { random };
                let count = counts.entry(name.into()).or_default();
                count[0] += 1;
                count[1] += u32::from(!ends(name, pair, truth, start, [None; 2]));
            }
        });
        for (name, [all, gave_up]) in counts {
            assert_eq!(gave_up, 0, "{name}: {gave_up} of {all} gave up");
        }
    }

    #[test]
    fn faces_almost_on_each_other() {
        let mut r = Random(15);
        flush(16, 1000, |name, pair| {
            let truth = true_distance(pair);
            for _ in 0..8 {
                let start = [random_cell(&mut r, pair.a), random_cell(&mut r, pair.b)];
                assert!(ends(name, pair, truth, start, [None; 2]), "{name} from {start:?}");
            }
        });
    }

    #[test]
    fn regions_of_constant_size_give_the_same_answers() {
        let mut r = Random(8);
        let bodies = [prism(100), cone(57), prism(6), cone(7), r.solid(), cuboid(DVec3::ONE), r.flat()];
        let cut: Vec<ConstantSizeCells> = bodies.iter().map(ConstantSizeCells::new).collect();
        for _ in 0..3000 {
            let (i, j) = (r.index(bodies.len()), r.index(bodies.len()));
            let b_in_a = placed(r.rotation(), r.direction() * (1.2 + 1.2 * r.signed()));
            let pair = Polyhedra { a: &bodies[i], b: &bodies[j], b_in_a };
            let start = [random_cell(&mut r, pair.a), random_cell(&mut r, pair.b)];
            assert!(ends("cut", &pair, true_distance(&pair), start, [Some(&cut[i]), Some(&cut[j])]));
        }
    }

    /// Case C01: from each of the 26 × 26 starts, in at most 52 steps.
    #[test]
    fn c01_every_start() {
        let cube = cuboid(DVec3::ONE);
        let pair = Polyhedra { a: &cube, b: &cube, b_in_a: at(DVec3::new(3.0, 0.5, 0.25)) };
        let features = || {
            (0..8).map(HullFeature::Vertex).chain((0..12).map(HullFeature::Edge)).chain((0..6).map(HullFeature::Face))
        };
        let mut flush = 0;
        for start in features().flat_map(|x| features().map(move |y| [x, y])) {
            let mut stats = Stats::default();
            let (Claim::Apart(near), ended) = walk(&pair, start, &mut stats) else { panic!("{start:?}") };
            assert_eq!(near.distance(), 1.0, "{start:?}");
            assert!(stats.iterations <= 52, "{start:?}: {} steps", stats.iterations);
            if let [HullFeature::Face(_), HullFeature::Face(_)] = ended {
                assert!(near.points[0].distance(DVec3::new(1.0, 0.25, 0.125)) < 1e-15, "{near:?}");
                flush += 1;
            }
        }
        assert!(flush > 100, "{flush}");
    }

    /// Case C02: tracked across the borders of regions.
    #[test]
    fn c02_sliding() {
        let cube = cuboid(DVec3::ONE);
        let mut features = [HullFeature::Vertex(0); 2];
        for k in -160..=160 {
            let y = f64::from(k) / 64.0;
            let pair = Polyhedra { a: &cube, b: &cube, b_in_a: at(DVec3::new(3.0, y, 0.0)) };
            let mut stats = Stats::default();
            let (Claim::Apart(near), ended) = walk(&pair, features, &mut stats) else { panic!("{y}") };
            let beyond = (y.abs() - 2.0).max(0.0);
            assert!((near.distance() - (1.0 + beyond * beyond).sqrt()).abs() < 1e-15, "{y}: {near:?}");
            assert!(k == -160 || stats.iterations <= 6, "{y}: {} steps", stats.iterations);
            features = ended;
        }
    }

    /// Cases C04 and C07, and a vertex below a face that lies beyond the body on the other side.
    #[test]
    fn c04_c07_penetration_is_found_from_every_start() {
        let (cube, small) = (cuboid(DVec3::ONE), cuboid(DVec3::splat(0.05)));
        let features = || {
            (0..8).map(HullFeature::Vertex).chain((0..12).map(HullFeature::Edge)).chain((0..6).map(HullFeature::Face))
        };
        for start in features().flat_map(|x| features().map(move |y| [x, y])) {
            let deep = Polyhedra { a: &cube, b: &cube, b_in_a: at(DVec3::new(1.5, 0.0, 0.0)) };
            let inside = Polyhedra { a: &cube, b: &small, b_in_a: at(DVec3::new(0.0, 0.0, -0.9)) };
            let same = Polyhedra { a: &cube, b: &cube, b_in_a: at(DVec3::ZERO) };
            for pair in [deep, inside, same] {
                assert!(matches!(walk(&pair, start, &mut Stats::default()).0, Claim::Overlap), "{start:?}");
            }
            let beyond = Polyhedra { a: &cube, b: &small, b_in_a: at(DVec3::new(0.1, 0.2, -1.5)) };
            let (Claim::Apart(near), _) = walk(&beyond, start, &mut Stats::default()) else { panic!("{start:?}") };
            assert!((near.distance() - 0.45).abs() < 1e-15, "{start:?}: {near:?}");
        }
    }

    #[test]
    fn known_answers_from_every_kind_of_start() {
        let mut r = Random(14);
        for case in known() {
            let pair = case.pair();
            for _ in 0..20 {
                let start = [random_cell(&mut r, pair.a), random_cell(&mut r, pair.b)];
                let d = match walk(&pair, start, &mut Stats::default()).0 {
                    Claim::Apart(near) => near.distance(),
                    Claim::Overlap => 0.0,
                    Claim::Unknown => panic!("{} from {start:?}", case.id),
                };
                let truth = if let KnownAnswer::Distance(d) = case.answer { d } else { 0.0 };
                assert!((d - truth).abs() <= case.tolerance, "{} from {start:?}: {d}, not {truth}", case.id);
            }
        }
    }
}
