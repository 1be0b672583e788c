//! Rays: against exact arithmetic on small integers, against the verb `overlap` with a segment, and through the seams
//! of closed meshes.

use impinge::glam::{DQuat, DVec3};
use impinge::{Convex, Feature, Mesh, Model, Parts, Pose, Ray, RayHit, Round, overlap};
use impinge_testing::overlap::{cross, dot, minus, segment_meets_triangle};
use impinge_testing::random::Random;
use impinge_testing::{environment, shapes};

type P = [i128; 3];

fn integers(p: DVec3) -> P {
    p.to_array().map(|x| x as i128)
}

/// From `origin` to some point of the grid.
fn direction(random: &mut Random, origin: DVec3) -> DVec3 {
    loop {
        let d = random.grid_point(3) - origin;
        if d != DVec3::ZERO {
            return d;
        }
    }
}

/// The distance along the ray of a triangle that is met, where the ray is not in its plane.
fn exact_distance(o: &P, d: &P, t: &[P; 3], length: f64) -> Option<f64> {
    let n = cross(&minus(&t[1], &t[0]), &minus(&t[2], &t[0]));
    let across = dot(d, &n);
    (across != 0).then(|| dot(&minus(&t[0], o), &n) as f64 / across as f64 * length)
}

/// Small integers make rays that pass exactly through vertices and edges, lie in planes, and begin on triangles.
#[test]
fn small_integers_are_decided_exactly() {
    let mut random = Random::new(22);
    let (mut met, mut missed, mut flat) = (0, 0, 0);
    for _ in 0..environment::rounds(20_000) {
        let count = 1 + random.below(12) as usize;
        let corners: Vec<DVec3> = (0..3 * count).map(|_| random.grid_point(3)).collect();
        let triangles: Vec<[u32; 3]> = (0..count as u32).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
        let model = Model::from(Mesh::new(corners.clone(), triangles).unwrap().into_surface());
        let origin = random.grid_point(5);
        let along = direction(&mut random, origin);
        let ray = Ray::new(origin, along).unwrap();
        let (o, d) = (integers(origin), integers(along));
        let far = [0, 1, 2].map(|i| o[i] + 64 * d[i]);
        let exact: Vec<[P; 3]> = corners.chunks(3).map(|c| [integers(c[0]), integers(c[1]), integers(c[2])]).collect();
        let hit: Vec<usize> = (0..count).filter(|&k| segment_meets_triangle(&o, &far, &exact[k]).unwrap()).collect();
        let case = format!("{corners:?} {origin} {along}");
        let first = model.ray(&Pose::IDENTITY, &ray);
        assert_eq!(model.meets_ray(&Pose::IDENTITY, &ray), !hit.is_empty(), "{case}");
        assert_eq!(first.is_some(), !hit.is_empty(), "{case}");
        let all = model.ray_all(&Pose::IDENTITY, &ray);
        assert!(all.windows(2).all(|w| w[0].distance <= w[1].distance), "{case}");
        let Some(first) = first else {
            missed += 1;
            assert!(all.is_empty(), "{case}");
            continue;
        };
        met += 1;
        assert_eq!((all[0].distance, all[0].feature), (first.distance, first.feature), "{case}");
        let distances: Vec<Option<f64>> =
            hit.iter().map(|&k| exact_distance(&o, &d, &exact[k], along.length())).collect();
        if distances.iter().any(Option::is_none) {
            flat += 1;
            let bound = distances.iter().flatten().copied().fold(f64::INFINITY, f64::min);
            assert!(first.distance <= bound + 1e-12, "{case}: {first:?}");
            continue;
        }
        let least = distances.iter().flatten().copied().fold(f64::INFINITY, f64::min);
        assert!((first.distance - least).abs() <= 1e-12 * (1.0 + least), "{case}: {first:?}, exactly {least}");
        for hit in &all {
            assert!(distances.iter().flatten().any(|x| (x - hit.distance).abs() < 1e-12), "{case}: {hit:?}");
            assert!(hit.point.distance(ray.at(hit.distance)) < 1e-12, "{case}: {hit:?}");
        }
        for x in distances.iter().flatten() {
            assert!(all.iter().any(|hit| (x - hit.distance).abs() < 1e-12), "{case}: {x}");
        }
    }
    assert!(met > 5000 && missed > 2000 && flat > 100, "{met} {missed} {flat}");
}

/// Triangles without extent are met where they are, by rays whose unit direction is rounded.
#[test]
fn points_and_segments_are_met() {
    let at = DVec3::new(0.5, 0.25, -0.5);
    for t in [[at; 3], [at, at, at + DVec3::Z], [at - DVec3::Y, at, at + DVec3::Y]] {
        let model = Model::from(Mesh::new(t.to_vec(), vec![[0, 1, 2]]).unwrap());
        for along in [DVec3::new(0.75, 0.0, -0.75), DVec3::new(1.0, 2.0, 0.0), DVec3::new(3.0, -1.0, 0.5), DVec3::X] {
            for steps in [1.0, 2.0, 4.0] {
                let hit = model.ray(&Pose::IDENTITY, &Ray::new(at - along * steps, along).unwrap());
                let distance = hit.unwrap_or_else(|| panic!("{t:?} {along}")).distance;
                assert!((distance - along.length() * steps).abs() < 1e-12, "{t:?} {along}: {distance}");
            }
            assert!(model.ray(&Pose::IDENTITY, &Ray::new(at + along, along).unwrap()).is_none(), "{t:?} {along}");
        }
    }
}

/// A ray that starts inside a closed mesh meets it, whichever vertex, edge or seam it heads for.
#[test]
fn no_ray_leaves_a_closed_mesh_through_a_seam() {
    let mut random = Random::new(7);
    let rounds = if environment::is_long() { 10_000_000 } else { 100_000 };
    let soup = shapes::sphere(3, 1.0);
    let mesh = Mesh::new(soup.vertices.clone(), soup.triangles.clone()).unwrap();
    assert!(mesh.is_solid());
    let model = Model::from(mesh);
    let pose = Pose::new(DVec3::new(0.1, 7.0, -3.0), random.rotation()).unwrap();
    for round in 0..rounds {
        let t = soup.triangles[random.below(soup.triangles.len() as u64) as usize].map(|v| soup.vertices[v as usize]);
        let share = random.within(0.0, 1.0);
        let aim = match round % 3 {
            0 => t[0],
            1 => t[0] + (t[1] - t[0]) * share,
            _ => random.point(2.0),
        };
        let from = random.point(0.3);
        let (from, aim) = if round % 2 == 0 { (from, aim) } else { (pose.apply(from), pose.apply(aim)) };
        let place = if round % 2 == 0 { &Pose::IDENTITY } else { &pose };
        let Ok(ray) = Ray::new(from, aim - from) else { continue };
        let hit = model.ray(place, &ray).unwrap_or_else(|| panic!("{from} to {aim} meets nothing"));
        let centre = place.apply(DVec3::ZERO);
        assert!((0.9..1.0 + 1e-9).contains(&hit.point.distance(centre)), "{from} to {aim}: {hit:?}");
        assert!(hit.normal.dot(ray.direction()) > 0.0 && model.meets_ray(place, &ray), "{from} to {aim}: {hit:?}");
    }
}

/// The first hit of a ray of some kind of body: nothing before it touches, and the point lies on the body.
fn as_overlap_says(model: &Model, pose: &Pose, ray: &Ray, hit: Option<RayHit>, what: &str) {
    let touches = |from: f64, to: f64| {
        let segment = Round::segment(ray.at(from), ray.at(to)).unwrap();
        overlap(model, pose, &segment.into(), &Pose::IDENTITY).overlap
    };
    let Some(hit) = hit else {
        return assert!(!touches(0.0, 50.0), "{what}: {ray:?} meets nothing, but overlaps");
    };
    assert!(hit.distance >= 0.0 && (hit.normal.length() - 1.0).abs() < 1e-9, "{what}: {hit:?}");
    assert!(hit.point.distance(ray.at(hit.distance)) <= 1e-7, "{what}: {hit:?}");
    let near = 1e-6 * (1.0 + hit.distance);
    assert!(touches((hit.distance - near).max(0.0), hit.distance + near), "{what}: {ray:?} {hit:?}");
    if hit.normal.dot(ray.direction()) < 0.0 && hit.distance > near {
        assert!(!touches(0.0, hit.distance - near), "{what}: {ray:?} {hit:?} is late");
    }
}

fn bodies() -> Vec<(&'static str, Model)> {
    let torus = shapes::torus(1.0, 0.4, 24, 16);
    let points: Vec<DVec3> = shapes::sphere(2, 1.0).vertices;
    let cube = |at: DVec3| Convex::hull(&shapes::cuboid(at, DVec3::splat(0.5)).vertices).unwrap();
    vec![
        ("torus", Mesh::new(torus.vertices, torus.triangles).unwrap().into()),
        ("hull", Convex::hull(&points).unwrap().into()),
        ("flat hull", Convex::hull(&[DVec3::X, DVec3::Y, -DVec3::X, -DVec3::Y]).unwrap().into()),
        ("sphere", Round::sphere(0.9).unwrap().into()),
        ("capsule", Round::capsule(0.5, 1.2).unwrap().into()),
        ("box", Round::cuboid(DVec3::new(1.0, 2.0, 0.5)).unwrap().into()),
        ("box with a margin", Round::cuboid(DVec3::new(1.0, 2.0, 0.5)).unwrap().with_margin(0.2).unwrap().into()),
        ("cylinder", Round::cylinder(0.6, 1.5).unwrap().into()),
        ("cone", Round::cone(0.8, 1.5).unwrap().into()),
        ("ellipsoid", Round::ellipsoid(DVec3::new(1.2, 0.4, 0.7)).unwrap().into()),
        ("half-space", Round::half_space(DVec3::new(0.0, 0.6, 0.8), -0.3).unwrap().into()),
        ("parts", Parts::new(vec![cube(DVec3::ZERO), cube(DVec3::X), cube(DVec3::new(0.3, 0.9, 0.0))]).unwrap().into()),
    ]
}

#[test]
fn every_kind_of_body_agrees_with_overlap() {
    let mut random = Random::new(3);
    for (what, model) in bodies() {
        let (mut met, mut missed) = (0, 0);
        for _ in 0..environment::rounds(1500) {
            let pose = Pose::new(random.point(1.0), random.rotation()).unwrap();
            let (from, aim) = (random.point(6.0), random.point(1.5));
            let Ok(ray) = Ray::new(from, aim - from) else { continue };
            // Rays that begin inside are the subject of the next test.
            let point = Model::from(Round::point(from).unwrap());
            if overlap(&model, &pose, &point, &Pose::IDENTITY).overlap {
                continue;
            }
            let hit = model.ray(&pose, &ray);
            if hit.is_some() {
                met += 1;
            } else {
                missed += 1;
            }
            as_overlap_says(&model, &pose, &ray, hit, what);
            assert_eq!(model.meets_ray(&pose, &ray), hit.is_some(), "{what}");
            assert_eq!(model.ray_all(&pose, &ray).first().copied(), hit, "{what}");
        }
        assert!(met > 50 && missed > 20, "{what}: {met} {missed}");
    }
}

/// From outside through a solid: as many hits into it as out of it, in turn, each within the other's side.
#[test]
fn ways_through_solids_begin_and_end() {
    let mut random = Random::new(5);
    for (what, model) in bodies() {
        if ["half-space", "flat hull"].contains(&what) {
            continue;
        }
        for _ in 0..environment::rounds(500) {
            let pose = Pose::new(DVec3::ZERO, random.rotation()).unwrap();
            let from = random.point(1.0).normalize_or(DVec3::X) * 8.0;
            let ray = Ray::new(from, random.point(0.8) - from).unwrap();
            let all = model.ray_all(&pose, &ray);
            assert!(all.len() % 2 == 0, "{what}: {all:?}");
            for pair in all.chunks(2) {
                assert!(pair[0].normal.dot(ray.direction()) < 1e-6, "{what}: {all:?}");
                assert!(pair[1].normal.dot(ray.direction()) > -1e-6, "{what}: {all:?}");
                let middle = ray.at(0.5 * (pair[0].distance + pair[1].distance));
                // From inside, the first hit is the one where the ray leaves.
                if pair[1].distance - pair[0].distance > 1e-3 {
                    let inner = Ray::new(middle, ray.direction()).unwrap();
                    let out = model.ray(&pose, &inner).expect("it leaves");
                    assert!(out.point.distance(pair[1].point) < 1e-6, "{what}: {out:?} {all:?}");
                }
            }
        }
    }
}

#[test]
fn walls_between_parts_are_no_surface() {
    let cube = |x: f64| Convex::hull(&shapes::cuboid(DVec3::X * x, DVec3::splat(0.5)).vertices).unwrap();
    let model = Model::from(Parts::new(vec![cube(0.0), cube(1.0), cube(1.5), cube(4.0)]).unwrap());
    let ray = Ray::new(DVec3::new(-3.0, 0.1, 0.2), DVec3::X).unwrap();
    let distances: Vec<f64> = model.ray_all(&Pose::IDENTITY, &ray).iter().map(|hit| hit.distance).collect();
    assert_eq!(distances, [2.5, 5.0, 6.5, 7.5]);
    let last = model.ray_all(&Pose::IDENTITY, &ray)[3];
    assert!(matches!(last.feature, Feature::Convex { piece: 3, .. }) && last.normal == DVec3::X, "{last:?}");
}

/// Poses, lengths and batches.
#[test]
fn poses_lengths_and_batches() {
    let mut random = Random::new(9);
    let torus = shapes::torus(1.0, 0.4, 32, 20);
    let model = Model::from(Mesh::new(torus.vertices, torus.triangles).unwrap());
    let (mut rays, mut hits) = (Vec::new(), Vec::new());
    let pose = Pose::new(DVec3::new(3.0, -2.0, 5.0), DQuat::from_rotation_y(0.7)).unwrap();
    for _ in 0..2000 {
        let (from, aim) = (random.point(3.0), random.point(1.0));
        let ray = Ray::new(from, aim - from).unwrap();
        let moved = Ray::new(pose.apply(from), pose.apply(aim) - pose.apply(from)).unwrap();
        let (hit, after) = (model.ray(&Pose::IDENTITY, &ray), model.ray(&pose, &moved));
        if let (Some(x), Some(y)) = (hit, after) {
            assert!((x.distance - y.distance).abs() < 1e-9 && pose.apply(x.point).distance(y.point) < 1e-9);
            assert!(model.ray(&Pose::IDENTITY, &ray.with_length(x.distance * 0.999).unwrap()).is_none());
            let longer = model.ray(&Pose::IDENTITY, &ray.with_length(x.distance * 1.001).unwrap());
            assert_eq!(longer.map(|hit| hit.distance), Some(x.distance));
        }
        rays.push(ray);
        hits.push(hit);
    }
    assert!(hits.iter().flatten().count() > 300);
    assert_eq!(model.rays(&Pose::IDENTITY, &rays), hits);
}

/// Hostile numbers are refused or answered.
#[test]
fn hostile_rays_are_refused_or_answered() {
    let bad = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e200];
    for x in bad {
        assert!(Ray::new(DVec3::splat(x), DVec3::X).is_err(), "{x}");
    }
    for d in [DVec3::ZERO, DVec3::NAN, DVec3::INFINITY, DVec3::new(0.0, f64::NAN, 1.0)] {
        assert!(Ray::new(DVec3::ZERO, d).is_err(), "{d}");
    }
    assert!(Ray::new(DVec3::ZERO, DVec3::X).unwrap().with_length(f64::NAN).is_err());
    let extreme = [0.0, -0.0, 5e-324, 1e-300, 1e-30, 1.0, -1.0, 3.5, 1e20, 1e149, -1e150, 1e150];
    let mut random = Random::new(1);
    let mut pick = || extreme[random.below(extreme.len() as u64) as usize];
    let mut point = || DVec3::new(pick(), pick(), pick());
    let bodies = bodies();
    for round in 0..environment::rounds(20_000) as usize {
        let (_, model) = &bodies[round % bodies.len()];
        let Ok(ray) = Ray::new(point(), point()) else { continue };
        let Ok(pose) = Pose::at(point()) else { continue };
        for hit in model.ray_all(&pose, &ray).iter().chain(&model.ray(&pose, &ray)) {
            assert!(hit.distance >= 0.0 && !hit.point.is_nan() && !hit.normal.is_nan(), "{ray:?} {hit:?}");
        }
        model.meets_ray(&pose, &ray.with_length(pick_length(round)).unwrap());
    }
    // Meshes of extreme sizes.
    for size in [1e-150, 1e-30, 1e30, 1e149] {
        let soup = shapes::sphere(1, size);
        let model = Model::from(Mesh::new(soup.vertices, soup.triangles).unwrap());
        let hit = model.ray(&Pose::IDENTITY, &Ray::new(DVec3::ZERO, DVec3::new(0.3, 0.2, 0.9)).unwrap());
        assert!(hit.is_some_and(|hit| (0.8..=1.0 + 1e-9).contains(&(hit.distance / size))), "{size}: {hit:?}");
        let from = DVec3::new(0.0, 0.0, -3.0 * size);
        let hit = model.ray(&Pose::IDENTITY, &Ray::new(from, DVec3::new(0.01, 0.02, 1.0)).unwrap());
        assert!(hit.is_some_and(|hit| (1.9..2.2).contains(&(hit.distance / size))), "{size}: {hit:?}");
    }
}

fn pick_length(round: usize) -> f64 {
    [0.0, 5e-324, 1.0, 1e300, f64::INFINITY][round % 5]
}
