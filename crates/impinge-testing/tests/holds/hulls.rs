//! The oracle for convex hulls against answers known otherwise: tests of the tests.

use glam::DVec3;
use impinge_testing::hulls::{Truth, exact, truth};
use impinge_testing::random::Random;
use impinge_testing::shapes;
use impinge_testing::soup::{Soup, lies_inside, meeting_pairs, surface_distance};

fn v(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

fn cube(centre: DVec3, half: f64) -> Vec<DVec3> {
    shapes::cuboid(centre, DVec3::splat(half)).vertices
}

fn holds(t: &Truth, signed: f64) {
    let [lower, upper] = if t.overlap { t.depth } else { t.distance };
    let value = if t.overlap { -signed } else { signed };
    assert!(lower <= value && value <= upper, "{t:?}, not {signed}");
    assert!(upper - lower <= 1e-13 * upper.max(t.size), "{t:?} is wide");
}

#[test]
fn boxes_in_closed_form() {
    let mut random = Random::new(1);
    for _ in 0..500 {
        let half = || DVec3::ONE;
        let (c, d) = (random.grid_point(3), random.grid_point(3) * 0.25);
        let by = c + d;
        let gap = by.abs() - half() * 2.0;
        let signed = if gap.max_element() > 0.0 { gap.max(DVec3::ZERO).length() } else { gap.max_element() };
        let (a, b) = (cube(DVec3::ZERO, 1.0), cube(by, 1.0));
        assert_eq!(truth(&a, &b).overlap, signed <= 0.0);
        holds(&truth(&a, &b), signed);
        holds(&exact(&b, &a), signed);
    }
}

#[test]
fn points_segments_and_polygons() {
    let plate = [v(-1.0, -1.0, 0.0), v(1.0, -1.0, 0.0), v(1.0, 1.0, 0.0), v(-1.0, 1.0, 0.0)];
    holds(&truth(&plate, &[v(0.0, 0.0, 0.25)]), 0.25);
    holds(&truth(&plate, &[v(0.5, 0.5, 0.0)]), 0.0);
    holds(&truth(&plate, &[v(0.5, 4.0, 4.0)]), 5.0);
    holds(&truth(&[-DVec3::X, DVec3::X], &[-DVec3::Y, DVec3::Y]), 0.0);
    holds(&truth(&[-DVec3::X, DVec3::X], &[v(3.0, 0.0, 0.0), v(2.0, 0.0, 0.0)]), 1.0);
    holds(&truth(&[-DVec3::X, DVec3::X], &[v(3.0, 0.0, 0.0), v(1.0, 0.0, 0.0)]), 0.0);
    holds(&truth(&plate, &plate.map(|p| p + v(3.0, 0.0, 0.0))), 1.0);
    holds(&truth(&plate, &plate.map(|p| p + v(1.0, 0.5, 0.0))), 0.0);
    holds(&truth(&plate, &plate.map(|p| p + v(1.0, 0.5, 2.0))), 2.0);
    holds(&truth(&plate, &[v(0.0, 0.0, -0.25), v(0.0, 0.0, 1.0)]), -0.25);
    holds(&truth(&plate, &cube(v(0.0, 0.0, 0.5), 1.0)), -0.5);
    holds(&truth(&[v(1.0, 2.0, 3.0); 10], &[DVec3::ZERO]), 14f64.sqrt());
    holds(&truth(&[DVec3::ONE], &[DVec3::ONE]), 0.0);
    holds(&truth(&cube(DVec3::ZERO, 1.0), &cube(v(0.0, 0.0, -0.9), 0.05)), -0.15);
}

#[test]
fn scale_and_place_do_not_matter() {
    for scale in [1e-40, 1e-12, 1.0, 1e12, 1e40] {
        let (a, b) = (cube(DVec3::ZERO, scale), cube(v(3.0 * scale, 0.0, 0.0), scale));
        holds(&truth(&a, &b), 3.0 * scale - scale - scale);
    }
    let far = v(2f64.powi(49), -(2f64.powi(48)), 0.0);
    let (a, b) = (cube(far, 1.0), cube(far + v(1.5, 0.0, 0.0), 1.0));
    holds(&truth(&a, &b), -0.5);
}

fn tetra(random: &mut Random, grid: bool) -> Soup {
    let mut one = || if grid { random.grid_point(2) } else { random.point(1.0) };
    shapes::tetra([one(), one(), one(), one()])
}

/// Tetrahedra, flat ones included, against the exact oracle for meshes, which shares only the triangle's formulas.
#[test]
fn tetrahedra_agree_with_the_mesh_oracle() {
    let mut random = Random::new(2);
    let mut met = 0;
    for round in 0..3000 {
        let grid = round % 2 == 0;
        let (a, b) = (tetra(&mut random, grid), tetra(&mut random, grid));
        let by = if grid { random.grid_point(2) } else { random.point(0.8) };
        let b = b.map(|p| p + by);
        let overlap = !meeting_pairs(&a, &b).is_empty() || lies_inside(&a, &b) || lies_inside(&b, &a);
        let (fast, slow) = (truth(&a.vertices, &b.vertices), exact(&a.vertices, &b.vertices));
        assert_eq!((fast.overlap, slow.overlap), (overlap, overlap), "{a:?} {b:?}");
        met += u32::from(overlap);
        if overlap {
            assert!(fast.depth[0] <= slow.depth[1] && slow.depth[0] <= fast.depth[1]);
        } else {
            let square = surface_distance(&a, &b).unwrap();
            for t in [fast, slow] {
                assert!(square.compare_root(t.distance[0]).is_ge() && square.compare_root(t.distance[1]).is_le());
            }
            assert!(slow.distance[1] - slow.distance[0] <= 1e-15 * slow.distance[1]);
        }
    }
    assert!((500..2500).contains(&met), "a lopsided sample: {met}");
}

/// Moving `b` by the depth along no direction parts the bodies sooner, and along one it does.
#[test]
fn no_direction_parts_sooner_than_the_depth() {
    let mut random = Random::new(3);
    for _ in 0..300 {
        let a: Vec<DVec3> = (0..12).map(|_| random.point(1.0)).collect();
        let b: Vec<DVec3> = (0..12).map(|_| random.point(1.0)).collect();
        let t = truth(&a, &b);
        if !t.overlap {
            continue;
        }
        let mut least = f64::INFINITY;
        for _ in 0..20_000 {
            let n = random.point(1.0).normalize();
            let height = |p: &DVec3| n.dot(*p);
            let h = a.iter().map(height).fold(f64::MIN, f64::max) - b.iter().map(height).fold(f64::MAX, f64::min);
            assert!(h >= t.depth[0], "{h} along {n} is less than {t:?}");
            least = least.min(h);
        }
        assert!(least <= t.depth[1] + 0.1, "{least} is the least found, {t:?}");
    }
}
