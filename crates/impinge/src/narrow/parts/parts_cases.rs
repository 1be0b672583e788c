//! Tests of the walks over bodies of parts, against every pair of pieces.

use std::ops::ControlFlow;

use glam::DVec3;

use super::parts_depth::{Exit, penetration};
use super::parts_pair::{NodesGap, PartsQuestion, PartsTrees, PartsWalk, contacts, distance, overlap};
use crate::answer::Stats;
use crate::math::Relative;
use crate::model::{Convex, Parts};
use crate::narrow::body::BodyKind;
use crate::narrow::convex::axes::gauss_map;
use crate::narrow::convex::polyhedra::cases::{Random, cuboid_at, placed};
use crate::narrow::convex::polyhedra::{Claim, Polyhedra};
use crate::narrow::convex::simplex::gjk_polyhedra;

const VARIANT: gjk_polyhedra::Variant = gjk_polyhedra::Variant::SignedVolumes;

/// Some solids and flat things in a row of clumps.
fn compound(random: &mut Random, most: usize) -> Parts {
    let count = 1 + random.index(most);
    let pieces = (0..count).map(|_| {
        let piece = if random.index(6) == 0 { random.flat() } else { random.solid() };
        let shift = 2.5 * random.vector();
        Convex::hull(&piece.vertices().iter().map(|v| 0.6 * *v + shift).collect::<Vec<_>>()).unwrap()
    });
    Parts::new(pieces.collect()).unwrap()
}

/// Two bodies of parts and the tests of two nodes.
struct Scene<'m> {
    a: &'m Parts,
    b: &'m Parts,
    b_in_a: Relative,
}

impl Scene<'_> {
    fn trees(&self) -> PartsTrees<'_> {
        PartsTrees { a: BodyKind::Parts(self.a), b: BodyKind::Parts(self.b) }
    }

    fn pair(&self, [i, j]: [u32; 2], shift: DVec3) -> Polyhedra<'_> {
        let b_in_a = Relative { translation: self.b_in_a.translation + shift, ..self.b_in_a };
        Polyhedra { a: self.a.body(i), b: self.b.body(j), b_in_a }
    }

    fn gap(&self, nodes: [u32; 2]) -> NodesGap<[DVec3; 2]> {
        match gjk_polyhedra::closest(&self.pair(nodes, DVec3::ZERO), VARIANT, &mut Stats::default()) {
            Claim::Apart(near) => {
                let d = near.distance();
                NodesGap { lower: d * (1.0 - 1e-12) - 1e-13, upper: d, near: near.points }
            }
            _ => NodesGap { lower: 0.0, upper: 0.0, near: [DVec3::ZERO; 2] },
        }
    }

    fn depth(&self, nodes: [u32; 2], shift: DVec3) -> Option<Exit> {
        let way = gauss_map::depth(&self.pair(nodes, shift), &mut Stats::default()).ok()?;
        Some(Exit { normal: way.normal, lower: way.lower, depth: way.depth })
    }

    /// Hulls with a margin of more than rounding, pieces as they are.
    fn near(&self, nodes: [u32; 2], slack: f64, shift: DVec3) -> bool {
        let pair = self.pair(nodes, shift);
        match gjk_polyhedra::closest(&pair, VARIANT, &mut Stats::default()) {
            Claim::Apart(near) => self.trees().open(nodes).is_some() && near.distance() <= slack + 1e-12,
            _ => true,
        }
    }

    fn all(&self) -> impl Iterator<Item = [u32; 2]> {
        let counts = [self.a.piece_count() as u32, self.b.piece_count() as u32];
        (0..counts[0]).flat_map(move |i| (0..counts[1]).map(move |j| [i, j]))
    }
}

fn scenes(seed: u64, rounds: usize, most: usize, spread: f64, mut f: impl FnMut(&Scene<'_>)) {
    let mut random = Random(seed);
    for _ in 0..rounds {
        let (a, b) = (compound(&mut random, most), compound(&mut random, most));
        for _ in 0..4 {
            let b_in_a = placed(random.rotation(), spread * random.vector());
            f(&Scene { a: &a, b: &b, b_in_a });
        }
    }
}

#[test]
fn distance_is_the_least_of_all_pairs() {
    let (mut tested, mut all, mut apart) = (0, 0, 0);
    scenes(1, 60, 20, 9.0, |scene| {
        let mut stats = Stats::default();
        let ask = PartsQuestion { within: f64::INFINITY, enough: -1.0, seed: None };
        let mut walk = PartsWalk::default();
        let found = distance(&scene.trees(), &ask, |nodes, _| scene.gap(nodes), &mut walk, &mut stats);
        let truth = scene.all().map(|nodes| scene.gap(nodes).upper).fold(f64::INFINITY, f64::min);
        assert!((found.upper - truth).abs() <= 1e-12 * (1.0 + truth), "{found:?} {truth}");
        assert!(found.lower <= truth);
        let (nodes, near) = found.best.unwrap();
        assert_eq!(scene.gap(nodes).upper, found.upper);
        assert!(truth == 0.0 || (near[0].distance(near[1]) - found.upper).abs() < 1e-12);
        let again = PartsQuestion { seed: Some(nodes), ..ask };
        let again = distance(&scene.trees(), &again, |nodes, _| scene.gap(nodes), &mut walk, &mut Stats::default());
        assert_eq!(again.upper, found.upper);
        let within = |tolerance: f64| {
            let ask = PartsQuestion { within: tolerance, enough: tolerance, seed: None };
            let found = distance(
                &scene.trees(),
                &ask,
                |nodes, _| scene.gap(nodes),
                &mut PartsWalk::default(),
                &mut Stats::default(),
            );
            found.lower <= tolerance
        };
        if truth > 0.0 {
            assert!(within(1.001 * truth) && !within(0.999 * truth));
            (tested, all) = (tested + stats.primitive_tests + stats.volume_tests, all + scene.all().count() as u64);
            apart += 1;
        }
    });
    assert!(apart > 50 && 3 * tested < all, "{apart} apart: {tested} tests of {all}");
}

#[test]
fn contacts_are_those_of_all_pairs() {
    let mut touching = 0;
    scenes(2, 60, 10, 2.0, |scene| {
        let mut found = Vec::new();
        let near = |nodes: [u32; 2], slack: f64| scene.near(nodes, slack, DVec3::ZERO);
        let mut walk = PartsWalk::default();
        let _ = contacts(
            &scene.trees(),
            near,
            |nodes| {
                found.push(nodes);
                ControlFlow::<()>::Continue(())
            },
            &mut walk,
            &mut Stats::default(),
        );
        found.sort_unstable();
        let truth: Vec<[u32; 2]> = scene.all().filter(|&nodes| near(nodes, 0.0)).collect();
        assert_eq!(found, truth);
        let first = overlap(&scene.trees(), None, near, &mut walk, &mut Stats::default());
        assert_eq!(first.is_some(), !truth.is_empty());
        assert!(first.is_none_or(|nodes| truth.contains(&nodes)));
        touching += usize::from(!truth.is_empty());
    });
    assert!((50..230).contains(&touching), "{touching}");
}

#[test]
fn depth_is_caught_between_the_deepest_pair_and_a_way_out() {
    let (mut deep, mut tight) = (0, 0);
    scenes(3, 80, 16, 1.0, |scene| {
        let near = |nodes: [u32; 2], slack: f64, shift: DVec3| scene.near(nodes, slack, shift);
        let depth = |nodes: [u32; 2], shift: DVec3| scene.depth(nodes, shift);
        let found = penetration(&scene.trees(), near, depth, &mut PartsWalk::default(), &mut Stats::default());
        let pairs: Vec<f64> = scene.all().filter_map(|nodes| Some(scene.depth(nodes, DVec3::ZERO)?.lower)).collect();
        let Some(found) = found else {
            assert!(pairs.iter().all(|d| *d < 1e-12));
            return;
        };
        let truth = pairs.iter().copied().fold(0.0, f64::max);
        assert!((found.lower - truth).abs() < 1e-12 && found.lower <= found.upper);
        assert!((scene.depth(found.pieces, DVec3::ZERO).unwrap().lower - truth).abs() < 1e-12);
        let hulls = scene.depth(scene.trees().roots(), DVec3::ZERO).unwrap().depth;
        assert!(found.upper <= hulls + 1e-9, "{found:?} {hulls}");
        let out = found.direction * found.upper;
        for nodes in scene.all() {
            let left = scene.depth(nodes, out).map_or(0.0, |e| e.depth);
            assert!(left < 1e-9, "{left} left after {found:?}");
        }
        deep += 1;
        tight += usize::from(found.upper < found.lower * (1.0 + 1e-9));
    });
    assert!(deep > 50 && 3 * tight > deep, "{deep} deep, {tight} of them exact");
}

/// A pin in the hole of a frame of four bars overlaps no bar, though its hull and the frame's do.
#[test]
fn a_pin_in_a_hole_is_free() {
    let v = DVec3::new;
    let bars = [
        (v(2.5, 0., 0.), v(0.5, 3., 1.)),
        (v(-2.5, 0., 0.), v(0.5, 3., 1.)),
        (v(0., 2.5, 0.), v(3., 0.5, 1.)),
        (v(0., -2.5, 0.), v(3., 0.5, 1.)),
    ];
    let frame = Parts::new(bars.map(|(centre, half)| cuboid_at(centre, half)).to_vec()).unwrap();
    let pin = Parts::new(vec![cuboid_at(DVec3::ZERO, v(1.0, 1.0, 5.0))]).unwrap();
    let scene = Scene { a: &frame, b: &pin, b_in_a: crate::narrow::convex::polyhedra::cases::at(v(0.75, 0.0, 0.0)) };
    let ask = PartsQuestion { within: f64::INFINITY, enough: -1.0, seed: None };
    let found =
        distance(&scene.trees(), &ask, |nodes, _| scene.gap(nodes), &mut PartsWalk::default(), &mut Stats::default());
    assert!((found.upper - 0.25).abs() < 1e-12 && found.best.unwrap().0 == [0, 0]);
    let scene = Scene { b_in_a: crate::narrow::convex::polyhedra::cases::at(v(1.25, 0.0, 0.0)), ..scene };
    let near = |nodes: [u32; 2], slack: f64, shift: DVec3| scene.near(nodes, slack, shift);
    let depth = |nodes: [u32; 2], shift: DVec3| scene.depth(nodes, shift);
    let found = penetration(&scene.trees(), near, depth, &mut PartsWalk::default(), &mut Stats::default()).unwrap();
    assert!((found.lower - 0.25).abs() < 1e-12 && (found.upper - 0.25).abs() < 1e-12, "{found:?}");
    assert!(found.direction.distance(-DVec3::X) < 1e-12);
}
