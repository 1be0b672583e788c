//! Bodies of parts against their pieces, taken one by one by the oracle.

use glam::DVec3;
use impinge::{Convex, DepthKind, Feature, Limit, Method, Model, Pair, Parts, Pose};
use impinge_testing::hulls::{Truth, truth};
use impinge_testing::random::Random;
use impinge_testing::shapes;

use crate::verdict::families::{cube, pose};
use crate::verdict::frames::into_frame_of_a;

const ENGINES: [Method; 6] = [Method::Auto, Method::Brute, Method::Tree, Method::VClip, Method::Gjk, Method::Epa];

type Pieces = Vec<Vec<DVec3>>;

fn random_pieces(random: &mut Random, count: u64, spread: f64) -> Pieces {
    (0..1 + random.below(count))
        .map(|_| {
            let at = random.point(spread);
            (0..4 + random.below(8)).map(|_| at + random.point(0.5)).collect()
        })
        .collect()
}

fn model(pieces: &Pieces) -> Model {
    Parts::new(pieces.iter().map(|p| Convex::hull(p).unwrap()).collect()).unwrap().into()
}

/// The exact answer for every pair of pieces.
struct Grid {
    truths: Vec<([u32; 2], Truth)>,
}

impl Grid {
    fn new(a: &Pieces, b: &Pieces, pa: &Pose, pb: &Pose) -> Grid {
        let place = into_frame_of_a(pa, pb);
        let moved: Pieces = b.iter().map(|piece| piece.iter().map(|p| place(*p)).collect()).collect();
        let mut truths = Vec::new();
        for (i, p) in a.iter().enumerate() {
            for (j, q) in moved.iter().enumerate() {
                truths.push(([i as u32, j as u32], truth(p, q)));
            }
        }
        Grid { truths }
    }

    fn overlapping(&self) -> Vec<[u32; 2]> {
        self.truths.iter().filter(|(_, t)| t.overlap).map(|(pair, _)| *pair).collect()
    }

    fn distance(&self) -> f64 {
        self.truths.iter().map(|(_, t)| t.mid_distance()).fold(f64::INFINITY, f64::min)
    }

    fn deepest(&self) -> f64 {
        self.truths.iter().map(|(_, t)| t.mid_depth()).fold(0.0, f64::max)
    }

    /// Whether some pair touches so nearly that rounding may decide.
    fn doubtful(&self) -> bool {
        self.truths.iter().any(|(_, t)| t.signed().abs() <= 1e-12)
    }
}

fn check(a: &Pieces, b: &Pieces, pa: &Pose, pb: &Pose, models: [&Model; 2], method: Method) {
    let grid = Grid::new(a, b, pa, pb);
    if grid.doubtful() {
        return;
    }
    let mut pair = Pair::new(models[0], models[1]).with_method(method);
    let meeting = grid.overlapping();
    let overlap = !meeting.is_empty();
    assert_eq!(pair.overlap(pa, pb).overlap, overlap, "{method}");
    let contacts = pair.contacts(pa, pb, Limit::All);
    assert_eq!(contacts.pairs.iter().copied().collect::<Vec<_>>(), meeting, "{method}: every pair of pieces, in order");
    assert!(contacts.complete);
    for contact in contacts.iter() {
        let (_, t) = grid.truths.iter().find(|(pair, _)| *pair == contact.pair).unwrap();
        let depth = contact.depth.unwrap();
        assert!((depth.mid() - t.mid_depth()).abs() <= 1e-9, "{method}: {contact:?}, truly {t:?}");
    }
    let got = pair.distance(pa, pb);
    let exact = grid.distance();
    assert_eq!((got.penetrating, got.interval.upper == 0.0), (overlap, overlap), "{method}");
    assert!(
        got.interval.lower <= exact + 1e-13 && exact <= got.interval.upper + 1e-13,
        "{method}: {got:?}, truly {exact}"
    );
    assert!(got.interval.width() <= 1e-11, "{method}: {got:?}");
    for factor in [0.5, 1.0 + 1e-9, 2.0] {
        assert_eq!(pair.within(pa, pb, exact * factor).within, overlap || factor > 1.0, "{method}, {factor}");
    }
    if !overlap {
        let w = got.witness.unwrap();
        assert!((w.points[0].distance(w.points[1]) - exact).abs() <= 1e-11, "{method}: {w:?}");
        for (side, pieces) in [a, b].into_iter().enumerate() {
            let Feature::Convex { piece, .. } = w.features[side] else { panic!("{method}: {w:?}") };
            assert!((piece as usize) < pieces.len(), "{method}: {w:?}");
        }
    }
    let deep = pair.penetration(pa, pb);
    assert_eq!(deep.direction.is_some(), overlap, "{method}");
    let (lower, upper) = (deep.interval.lower, deep.interval.upper);
    assert!(lower <= upper && upper.is_finite(), "{method}: {deep:?}");
    let Some(way) = deep.direction else { return };
    assert!((way.length() - 1.0).abs() <= 1e-9, "{method}: {deep:?}");
    assert!(
        upper >= grid.deepest() - 1e-9,
        "{method}: {deep:?} is less than a pair of pieces needs: {}",
        grid.deepest()
    );
    assert!(deep.kind != DepthKind::Exact || (a.len() == 1 && b.len() == 1), "{method}: {deep:?}");
    // Moved by exactly the upper bound: the pieces of bodies that are not convex may overlap again farther on.
    let there = Pose::new(pb.translation() + way * upper, pb.rotation()).unwrap();
    let left = Grid::new(a, b, pa, &there).deepest();
    assert!(left <= 1e-9 || deep.kind == DepthKind::Estimate, "{method}: {deep:?} leaves them {left} deep");
}

#[test]
fn random_parts() {
    let mut random = Random::new(1);
    let mut met = 0;
    for round in 0..1200 {
        let (a, b) = (random_pieces(&mut random, 6, 1.0), random_pieces(&mut random, 6, 1.0));
        let (ma, mb) = (model(&a), model(&b));
        let (pa, pb) = (pose(&mut random, 1.5), pose(&mut random, 1.5));
        met += usize::from(!Grid::new(&a, &b, &pa, &pb).overlapping().is_empty());
        check(&a, &b, &pa, &pb, [&ma, &mb], ENGINES[round % ENGINES.len()]);
    }
    assert!((150..1000).contains(&met), "{met}");
}

#[test]
fn many_parts() {
    let mut random = Random::new(2);
    for method in ENGINES {
        let (a, b) = (random_pieces(&mut random, 60, 4.0), random_pieces(&mut random, 60, 4.0));
        let (ma, mb) = (model(&a), model(&b));
        for reach in [1.0, 6.0, 12.0] {
            let (pa, pb) = (pose(&mut random, reach), pose(&mut random, reach));
            check(&a, &b, &pa, &pb, [&ma, &mb], method);
        }
    }
}

/// One pair taken through many poses answers as new pairs do.
#[test]
fn parts_remember_without_a_trace() {
    let mut random = Random::new(3);
    let (a, b) = (random_pieces(&mut random, 8, 1.5), random_pieces(&mut random, 8, 1.5));
    let (ma, mb) = (model(&a), model(&b));
    for method in ENGINES {
        let mut warm = Pair::new(&ma, &mb).with_method(method);
        for _ in 0..60 {
            let at = pose(&mut random, 2.5);
            let mut cold = Pair::new(&ma, &mb).with_method(method);
            let (x, y) = (warm.distance(&Pose::IDENTITY, &at), cold.distance(&Pose::IDENTITY, &at));
            assert_eq!(x.penetrating, y.penetrating, "{method}");
            assert!((x.interval.mid() - y.interval.mid()).abs() <= 1e-12, "{method}: {x:?} {y:?}");
            let (x, y) =
                (warm.contacts(&Pose::IDENTITY, &at, Limit::All), cold.contacts(&Pose::IDENTITY, &at, Limit::All));
            assert_eq!(x.pairs.iter().collect::<Vec<_>>(), y.pairs.iter().collect::<Vec<_>>(), "{method}");
        }
    }
}

/// A U of three boxes and a box in its hollow: the hull is hit, the parts are not.
#[test]
fn the_hollow_of_a_u_is_free() {
    let bar =
        |x: f64, z: f64, hx: f64, hz: f64| shapes::cuboid(DVec3::new(x, 0.0, z), DVec3::new(hx, 0.5, hz)).vertices;
    let u: Pieces = vec![bar(-1.5, 1.0, 0.5, 1.0), bar(1.5, 1.0, 0.5, 1.0), bar(0.0, -0.5, 2.0, 0.5)];
    let small: Pieces = vec![cube(DVec3::ZERO, 0.25)];
    let (a, b) = (model(&u), model(&small));
    for method in ENGINES {
        let mut pair = Pair::new(&a, &b).with_method(method);
        let hollow = Pose::at(DVec3::new(0.0, 0.0, 1.0)).unwrap();
        let got = pair.distance(&Pose::IDENTITY, &hollow);
        assert!((got.interval.mid() - 0.75).abs() <= 1e-12 && !got.penetrating, "{method}: {got:?}");
        assert!(!pair.overlap(&Pose::IDENTITY, &hollow).overlap, "{method}");
        let in_the_bar = Pose::at(DVec3::new(1.5, 0.0, 1.0)).unwrap();
        assert!(pair.overlap(&Pose::IDENTITY, &in_the_bar).overlap, "{method}");
        check(&u, &small, &Pose::IDENTITY, &in_the_bar, [&a, &b], method);
    }
}
