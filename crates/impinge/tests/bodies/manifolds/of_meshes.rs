//! Manifolds and contacts of two meshes: no edge of a flat surface is felt, corners are told apart, and depths of pairs
//! of triangles agree with dense sampling.

use glam::{DQuat, DVec3};
use impinge::{KeptPoints, Limit, ManifoldOptions, Manifolds, Mesh, Model, Pair, Pose};
use impinge_testing::environment::rounds;
use impinge_testing::random::Random;
use impinge_testing::shapes;

fn predicted(prediction: f64) -> ManifoldOptions {
    ManifoldOptions { prediction, points: KeptPoints::Four }
}

fn cuboid(half: DVec3) -> Model {
    let soup = shapes::cuboid(DVec3::ZERO, half);
    Mesh::new(soup.vertices, soup.triangles).unwrap().into()
}

/// A plane with its edges up, in squares that are cut now one way, now the other.
fn plane(n: u32, pitch: f64) -> Mesh {
    let at = |i: u32| (f64::from(i) - 0.5 * f64::from(n)) * pitch;
    let vertices = (0..(n + 1) * (n + 1)).map(|k| DVec3::new(at(k % (n + 1)), at(k / (n + 1)), 0.0));
    let triangles = (0..n * n).flat_map(|k| {
        let p = k / n * (n + 1) + k % n;
        let [q, r, s] = [p + 1, p + n + 1, p + n + 2];
        if k % 2 == 0 { [[p, q, s], [p, s, r]] } else { [[p, q, r], [q, s, r]] }
    });
    Mesh::new(vertices.collect(), triangles.collect()).unwrap()
}

#[test]
fn a_sliding_box_of_triangles_feels_no_edge() {
    let ground = Model::from(plane(12, 0.37));
    let cube = cuboid(DVec3::new(0.45, 0.35, 0.5));
    let tilt = DQuat::from_scaled_axis(DVec3::new(0.3, -0.2, 0.7));
    let floor = Pose::new(DVec3::new(0.1, 0.2, 0.3), tilt).unwrap();
    let (up, mut found) = (tilt * DVec3::Z, Manifolds::new());
    for swapped in [false, true] {
        let mut pair = if swapped { Pair::new(&cube, &ground) } else { Pair::new(&ground, &cube) };
        let mut ids: Option<Vec<u64>> = None;
        for step in 0..40 {
            for depth in [0.01, 0.0001, -0.005] {
                let s = f64::from(step);
                let at = DVec3::new(0.025 * s - 0.5, 0.013 * s - 0.3, 0.5 - depth);
                let pose = Pose::new(floor.translation() + tilt * at, tilt).unwrap();
                let [pa, pb] = if swapped { [&pose, &floor] } else { [&floor, &pose] };
                pair.manifolds(pa, pb, &predicted(0.02), &mut found);
                let say = format!("{swapped} {step} {depth}: {found:?}");
                assert_eq!((found.len(), found.points().len()), (1, 4), "{say}");
                let manifold = found.iter().next().unwrap();
                let normal = if swapped { -manifold.normal } else { manifold.normal };
                assert!(normal.distance(up) < 1e-6, "{say}");
                assert!(manifold.points.iter().all(|point| (point.depth - depth).abs() < 1e-9), "{say}");
                let mut now: Vec<u64> = manifold.points.iter().map(|point| point.id).collect();
                now.sort_unstable();
                assert_eq!(ids.get_or_insert_with(|| now.clone()), &now, "{say}");
            }
        }
    }
}

/// Equal boxes exactly on each other, and one that sticks out: one manifold, up, and nothing deep beside it.
#[test]
fn boxes_exactly_on_each_other_have_one_manifold() {
    let cube = cuboid(DVec3::ONE);
    let mut found = Manifolds::new();
    for shift in [DVec3::ZERO, DVec3::new(0.5, 0.0, 0.0), DVec3::new(0.5, -0.25, 0.0)] {
        let pose = Pose::at(shift + DVec3::Z * 2.0).unwrap();
        Pair::new(&cube, &cube).manifolds(&Pose::IDENTITY, &pose, &predicted(0.0), &mut found);
        assert_eq!((found.len(), found.points().len()), (1, 4), "{shift}: {found:?}");
        let manifold = found.iter().next().unwrap();
        assert!(manifold.normal == DVec3::Z, "{shift}: {found:?}");
        assert!(manifold.points.iter().all(|point| point.depth.abs() < 1e-12), "{shift}: {found:?}");
    }
}

/// A box on a floor and against a wall of the same mesh has a manifold on each.
#[test]
fn a_box_in_a_corner_has_two_manifolds() {
    let v = [[0., -3., 0.], [4., -3., 0.], [4., 3., 0.], [0., 3., 0.], [0., -3., 4.], [0., 3., 4.]];
    let corner = vec![[0, 1, 2], [0, 2, 3], [0, 3, 5], [0, 5, 4]];
    let corner = Model::from(Mesh::new(v.map(DVec3::from_array).to_vec(), corner).unwrap());
    let cube = cuboid(DVec3::splat(0.5));
    let mut found = Manifolds::new();
    for depth in [0.01, -0.01] {
        let pose = Pose::at(DVec3::new(0.5 - depth, 0.1, 0.5 - depth)).unwrap();
        Pair::new(&corner, &cube).manifolds(&Pose::IDENTITY, &pose, &predicted(0.02), &mut found);
        let mut normals: Vec<DVec3> = found.iter().map(|manifold| manifold.normal).collect();
        normals.sort_by(|p, q| p.x.total_cmp(&q.x));
        assert!(normals.len() == 2, "{depth}: {found:?}");
        assert!(normals[0].distance(DVec3::Z) < 1e-9 && normals[1].distance(DVec3::X) < 1e-9, "{depth}: {found:?}");
        for manifold in found.iter() {
            let deepest = manifold.points.iter().fold(f64::NEG_INFINITY, |x: f64, p| x.max(p.depth));
            assert!((deepest - depth).abs() < 1e-9, "{depth}: {found:?}");
        }
    }
}

/// Balls of triangles in each other: one manifold, along the line of the centres, as deep as the balls less how far the
/// faces of each lie within its ball, 0.0153 at most.
#[test]
fn balls_of_triangles_push_along_their_centres() {
    let soup = shapes::sphere(3, 1.0);
    let ball = Model::from(Mesh::new(soup.vertices, soup.triangles).unwrap());
    let mut random = Random::new(3);
    let mut found = Manifolds::new();
    for _ in 0..rounds(6) {
        let way = random.point(1.0).normalize();
        let pose = Pose::new(way * 1.9, random.rotation()).unwrap();
        Pair::new(&ball, &ball).manifolds(&Pose::IDENTITY, &pose, &predicted(0.0), &mut found);
        let deepest = found.iter().max_by(|p, q| p.depth.upper.total_cmp(&q.depth.upper)).unwrap();
        assert!(deepest.normal.dot(way) > 0.999, "{way} {found:?}");
        assert!((deepest.depth.mid() - 0.1).abs() < 0.031, "{way} {found:?}");
    }
}

/// Along the normal told, no line from one triangle to the other is longer than the depth told, and one is as long.
/// 10⁵ pairs in a long run.
#[test]
fn depths_of_triangles_agree_with_dense_sampling() {
    let mut random = Random::new(21);
    let mut met = 0;
    for round in 0..rounds(2500) {
        let [a, b] = [(); 2].map(|()| Mesh::new((0..3).map(|_| random.point(1.0)).collect(), vec![[0, 1, 2]]).unwrap());
        let contacts = Pair::new(a.clone(), b.clone()).contacts(&Pose::IDENTITY, &Pose::IDENTITY, Limit::All);
        let Some(contact) = contacts.iter().next() else { continue };
        met += 1;
        let (s, t) = (a.triangle(0).unwrap(), b.triangle(0).unwrap());
        let (n, depth, say) = (contact.normal, contact.depth.unwrap(), format!("round {round}: {contact:?}"));
        let [p, q] = contact.points[0];
        assert!(((p - q).dot(n) - depth.mid()).abs() < 1e-9 && (p - q).cross(n).length() < 1e-7, "{say}");
        for (x, triangle) in [(p, s), (q, t)] {
            let on = Pair::new(
                impinge::Round::point(x).unwrap(),
                impinge::Round::triangle(triangle[0], triangle[1], triangle[2]).unwrap(),
            );
            assert!({ on }.distance(&Pose::IDENTITY, &Pose::IDENTITY).interval.lower < 1e-9, "{say}");
        }
        let face = (t[1] - t[0]).cross(t[2] - t[0]);
        for i in 0..=20 {
            for j in 0..=20 - i {
                let p = s[0] + (s[1] - s[0]) * (f64::from(i) / 20.0) + (s[2] - s[0]) * (f64::from(j) / 20.0);
                let along = (p - t[0]).dot(face) / n.dot(face);
                let q = p - n * along;
                let sides = (0..3).map(|k| (t[(k + 1) % 3] - t[k]).cross(q - t[k]).dot(face));
                let inside = sides.clone().all(|x| x >= 0.0);
                assert!(!inside || !along.is_finite() || along <= depth.upper + 1e-9, "{say} {along}");
            }
        }
    }
    assert!(met > 50, "{met}");
}

/// Soups with equal corners, no area and copies: everything is told, in finite numbers.
#[test]
fn degenerate_soups_are_told_in_finite_numbers() {
    let mut random = Random::new(10);
    let mut found = Manifolds::new();
    for _ in 0..rounds(100) {
        let mut soup = || {
            let vertices = (0..8).map(|_| random.grid_point(2)).collect();
            let corner = |random: &mut Random| random.below(8) as u32;
            let t = (0..12).map(|_| [corner(&mut random), corner(&mut random), corner(&mut random)]).collect();
            Model::from(Mesh::new(vertices, t).unwrap())
        };
        let (a, b) = (soup(), soup());
        for pose in [Pose::IDENTITY, Pose::new(random.point(2.0), random.rotation()).unwrap()] {
            let mut pair = Pair::new(&a, &b);
            let contacts = pair.contacts(&Pose::IDENTITY, &pose, Limit::All);
            for contact in contacts.iter() {
                let depth = contact.depth.expect("every contact has a depth");
                assert!(depth.lower.is_finite() && contact.normal.is_finite(), "{contact:?}");
            }
            for prediction in [0.0, 0.1] {
                pair.manifolds(&Pose::IDENTITY, &pose, &predicted(prediction), &mut found);
                assert!(!contacts.touching() || !found.is_empty() || found.contained.is_some());
                for manifold in found.iter() {
                    assert!((manifold.normal.length() - 1.0).abs() < 1e-9, "{manifold:?}");
                    assert!(manifold.points.iter().all(|p| p.depth.is_finite() && p.points[1].is_finite()));
                }
            }
        }
    }
}

/// Contacts in the thousands, more than the cap: a list that says that it is not complete, and curves that are.
#[test]
fn thousands_of_contacts_are_told() {
    let floor = plane(90, 0.1);
    let mut pair = Pair::new(floor.clone(), floor.clone());
    let mut found = Manifolds::new();
    let beside = Pose::at(DVec3::new(0.03, 0.02, 0.0)).unwrap();
    let count = pair.contacts(&Pose::IDENTITY, &beside, Limit::All).pairs.len();
    assert!(count > 1 << 16, "{count}");
    pair.manifolds(&Pose::IDENTITY, &beside, &predicted(0.01), &mut found);
    assert!(!found.complete && !found.is_empty());
    assert!(found.points().iter().all(|point| point.depth.abs() < 1e-9), "in one plane");
    let shared = pair.crossings(&Pose::IDENTITY, &beside);
    assert!(shared.complete && shared.faces.len() > 1 << 14 && shared.curves.is_empty());
    // Waves that cross: some thousand contacts, told completely.
    let wave = |lift: f64| {
        let mut vertices = floor.vertices().to_vec();
        vertices.iter_mut().for_each(|p| p.z = 0.3 * (3.0 * p.x).sin() * (2.0 * p.y).cos() * lift);
        Mesh::new(vertices, floor.triangles().to_vec()).unwrap()
    };
    let mut pair = Pair::new(wave(1.0), wave(-1.0));
    pair.manifolds(&Pose::IDENTITY, &beside, &predicted(0.0), &mut found);
    let curves = pair.crossings(&Pose::IDENTITY, &beside);
    let pieces: usize = curves.curves.iter().map(|curve| curve.pairs.len()).sum();
    assert!(found.complete && !found.is_empty() && curves.complete && pieces > 1000, "{pieces}");
}
