//! What memory may change: a pair that remembers, beside one that is new at every pose, for every two kinds of bodies.
//!
//! Yes and no are the same, as are complete lists of contacts and how a depth is told; intervals contain the same
//! truth, so they have numbers in common. All else (witnesses, the last bits, bounds of a depth) may differ.

use impinge::glam::DVec3;
use impinge::{Convex, Interval, Limit, Mesh, Model, Pair, Parts, Pose, Precision, Round};
use impinge_testing::random::Random;
use impinge_testing::shapes;
use impinge_testing::soup::Soup;

fn mesh(soup: &Soup) -> Mesh {
    Mesh::new(soup.vertices.clone(), soup.triangles.clone()).unwrap()
}

fn bodies() -> Vec<Model> {
    let corners = |soup: Soup| Convex::hull(&soup.vertices).unwrap();
    let posts = [0.0, 0.7].map(|x| [DVec3::new(x, 0.0, -0.5), DVec3::new(x, 0.2, 0.5), DVec3::new(x + 0.3, 0.0, 0.0)]);
    vec![
        mesh(&shapes::torus(0.7, 0.3, 14, 8)).into(),
        mesh(&shapes::sphere(2, 0.8)).into(),
        mesh(&shapes::rubble(5, 40)).into(),
        corners(shapes::cuboid(DVec3::ZERO, DVec3::new(0.5, 0.7, 0.3))).into(),
        corners(shapes::sphere(1, 0.6)).into(),
        Round::capsule(0.3, 0.8).unwrap().into(),
        Round::cylinder(0.4, 0.9).unwrap().into(),
        Parts::from_hulls(posts.iter().map(|post| &post[..])).unwrap().into(),
    ]
}

/// The path: small steps, one large step, and the same pose again.
fn way(random: &mut Random) -> Vec<Pose> {
    let mut poses = Vec::new();
    for _ in 0..4 {
        let (start, step, turn) = (random.point(1.6), random.point(0.03), random.rotation());
        poses.extend((0..6).map(|i| Pose::new(start + step * f64::from(i), turn).unwrap()));
        poses.push(*poses.last().unwrap());
    }
    poses
}

#[track_caller]
fn share(x: Interval, y: Interval) {
    assert!(x.lower <= y.upper && y.lower <= x.upper, "{x:?} and {y:?} have no number in common");
}

#[test]
fn memory_changes_no_yes_and_no_list_and_no_truth() {
    let (bodies, here) = (bodies(), &Pose::IDENTITY);
    let mut random = Random::new(21);
    let mut touching = 0;
    for a in &bodies {
        for b in &bodies {
            let mut warm = Pair::new(a, b);
            for pose in &way(&mut random) {
                let cold = || Pair::new(a, b);
                let overlap = cold().overlap(here, pose).overlap;
                touching += usize::from(overlap);
                assert_eq!(warm.overlap(here, pose).overlap, overlap);
                share(warm.distance(here, pose).interval, cold().distance(here, pose).interval);
                let rough = Precision { relative: 0.05, absolute: 0.0 };
                share(warm.distance_to(here, pose, rough).interval, cold().distance(here, pose).interval);
                for tolerance in [0.0, 0.02, 0.3] {
                    assert_eq!(warm.within(here, pose, tolerance).within, cold().within(here, pose, tolerance).within);
                }
                let pairs = |pair: &mut Pair| {
                    pair.contacts(here, pose, Limit::All).iter().map(|contact| contact.pair).collect::<Vec<_>>()
                };
                assert_eq!(pairs(&mut warm), pairs(&mut cold()));
                let (deep, told) = (warm.penetration(here, pose), cold().penetration(here, pose));
                share(deep.interval, told.interval);
                assert_eq!(deep.kind, told.kind);
            }
        }
    }
    assert!(touching > 300, "{touching} poses touch");
}
