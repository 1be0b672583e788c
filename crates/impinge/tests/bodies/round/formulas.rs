//! Rays and points against shapes that have formulas, beside the same shapes known by what they hold: samples along the
//! ray, and the same shape as a body of one's own, which the engines for support mappings answer.

use std::sync::Arc;

use impinge::glam::DVec3;
use impinge::{Element, Feature, Model, Pose, Ray, Round, Support};
use impinge_testing::environment;
use impinge_testing::random::Random;

/// A shape, and how far about a point is beyond its surface: negative inside.
struct Formula {
    name: &'static str,
    model: Model,
    beyond: fn(DVec3) -> f64,
}

/// A copy of a shape by its support alone.
#[derive(Debug)]
struct Copied(fn(DVec3) -> DVec3, f64);

impl Support for Copied {
    fn support(&self, direction: DVec3) -> DVec3 {
        (self.0)(direction / direction.abs().max_element())
    }

    fn centre(&self) -> DVec3 {
        DVec3::ZERO
    }

    fn radius(&self) -> f64 {
        self.1
    }
}

fn rho(p: DVec3) -> f64 {
    p.x.hypot(p.y)
}

fn formulas() -> Vec<Formula> {
    let formula = |name, round: Result<Round, _>, beyond| Formula { name, model: Round::into(round.unwrap()), beyond };
    vec![
        formula("ball", Round::sphere(0.9), |p| p.length() - 0.9),
        formula("capsule", Round::capsule(0.5, 1.2), |p| (p - DVec3::Z * p.z.clamp(-0.6, 0.6)).length() - 0.5),
        formula("box", Round::cuboid(DVec3::new(1.0, 2.0, 0.5)), |p| {
            (p.abs() - DVec3::new(0.5, 1.0, 0.25)).max_element()
        }),
        formula("cylinder", Round::cylinder(0.6, 1.5), |p| (rho(p) - 0.6).max(p.z.abs() - 0.75)),
        formula("cone", Round::cone(0.8, 1.5), |p| (rho(p) - 0.8 / 1.5 * (0.75 - p.z)).max(-0.75 - p.z)),
        formula("flat cone", Round::cone(5.0, 0.5), |p| 0.1 * (rho(p) - 10.0 * (0.25 - p.z)).max(-2.5 - 10.0 * p.z)),
        formula("ellipsoid", Round::ellipsoid(DVec3::new(1.2, 0.4, 0.7)), |p| {
            (p / DVec3::new(1.2, 0.4, 0.7)).length() - 1.0
        }),
        formula("half-space", Round::half_space(DVec3::new(0.0, 0.6, 0.8), -0.3), |p| 0.6 * p.y + 0.8 * p.z + 0.3),
    ]
}

/// From anywhere in any direction; every other time along axes, through axes, in the planes of discs and faces.
fn any_ray(random: &mut Random, k: usize) -> Option<Ray> {
    let snap = |p: DVec3, to: f64| (p * to).round() / to;
    let (from, along) = (random.point(3.0), random.point(1.0));
    let far = [1.0, 1.0, 1e4][k % 3];
    match k % 6 {
        0 => Ray::new(from * far, random.point(1.0) - from * far),
        1 => Ray::new(snap(from, 4.0), snap(along, 2.0)),
        2 => Ray::new(DVec3::new(0.0, 0.0, from.z), snap(along, 4.0)),
        3 => Ray::new(from.with_z(-0.75), along.with_z(0.0)),
        4 => Ray::new(random.point(0.4), along),
        _ => Ray::new(from, DVec3::AXES[k % 3]),
    }
    .ok()
}

#[test]
fn rays_are_in_the_shape_where_samples_are() {
    let mut random = Random::new(41);
    for Formula { name, model, beyond } in formulas() {
        let (mut met, mut missed) = (0, 0);
        for k in 0..environment::rounds(3000) as usize {
            let Some(ray) = any_ray(&mut random, k) else { continue };
            let pose =
                if k % 2 == 0 { Pose::IDENTITY } else { Pose::new(random.point(2.0), random.rotation()).unwrap() };
            let moved = Ray::new(pose.apply(ray.origin()), pose.apply(ray.direction()) - pose.apply(DVec3::ZERO));
            let hits = model.ray_all(&pose, &moved.unwrap());
            assert_eq!(model.ray(&pose, &moved.unwrap()), hits.first().copied(), "{name} {ray:?}");
            // Turned, a ray along a plane may meet it, extremely far away.
            for hit in hits.iter().filter(|hit| hit.distance < 1e9) {
                let tolerance = 1e-9 * (1.0 + ray.origin().length() + hit.distance);
                let p = ray.at(hit.distance);
                assert!(beyond(p).abs() < tolerance && pose.apply(p).distance(hit.point) < tolerance, "{name} {hit:?}");
                let normal = pose.rotation().inverse() * hit.normal;
                assert!((normal.length() - 1.0).abs() < 1e-12, "{name} {ray:?} {hit:?}");
                let step = normal * 1e-5;
                assert!(beyond(p + step) > 0.0 && beyond(p - step) < 1e-5, "{name} {ray:?} {hit:?}");
            }
            // Along the ray, around the shape, in as many steps as it takes to cross it in a few hundred.
            let nearest = (-ray.origin().dot(ray.direction())).max(0.0);
            let within = |distance: f64| {
                let passed = hits.iter().filter(|hit| hit.distance < distance).count();
                (passed + usize::from(beyond(ray.origin()) < 0.0)) % 2 == 1
            };
            for step in 0..400 {
                let distance = nearest + f64::from(step - 200) * 0.02;
                let depth = beyond(ray.at(distance));
                if distance >= 0.0 && depth.abs() > 1e-6 && beyond(ray.origin()).abs() > 1e-6 {
                    assert_eq!(within(distance), depth < 0.0, "{name} {ray:?} at {distance}: {depth} {hits:?}");
                }
            }
            if hits.is_empty() { missed += 1 } else { met += 1 }
        }
        assert!(met > 300 && missed > 100, "{name}: {met} {missed}");
    }
}

/// Outside: nothing nearer by samples on the way, and the foot is on the surface; inside: a ball that is in the shape.
#[test]
fn points_are_as_far_as_samples_say() {
    let mut random = Random::new(43);
    for Formula { name, model, beyond } in formulas() {
        for k in 0..environment::rounds(1500) {
            let mut p = random.point([0.4, 1.0, 3.0, 1e3][k as usize % 4]);
            if k % 5 == 0 {
                p = (p * 2.0).round() / 2.0;
            } else if k % 7 == 0 {
                p = DVec3::new(0.0, p.y, p.z);
            }
            let answer = model.point_distance(&Pose::IDENTITY, p).unwrap();
            let (lower, upper) = (answer.interval.lower, answer.interval.upper);
            let size = 1.0 + p.length();
            assert!(upper - lower <= 1e-12 * size, "{name} {p}: {answer:?}");
            if beyond(p).abs() > 1e-12 * size {
                assert_eq!(answer.inside, beyond(p) < 0.0, "{name} {p}: {answer:?}");
            }
            assert!(beyond(answer.closest).abs() < 1e-11 * size, "{name} {p}: {answer:?}");
            let distance = lower.abs().max(upper.abs());
            assert!((answer.closest.distance(p) - distance).abs() < 1e-11 * size, "{name} {p}: {answer:?}");
            let least = lower.abs().min(upper.abs());
            let is_clear = least > 1e-9 * size;
            for _ in 0..if is_clear { 60 } else { 0 } {
                let q = p + random.point(1.0).normalize_or_zero() * (least * 0.999_999);
                assert_eq!(beyond(q) < 0.0, answer.inside, "{name} {p} {q}: {answer:?}");
            }
        }
    }
}

/// The engines for bodies of one's own find the same distances outside.
#[test]
fn points_are_as_far_as_by_supports() {
    let cone = |d: DVec3| {
        if 1.5 * d.z >= 0.8 * rho(d) { DVec3::Z * 0.75 } else { d.with_z(0.0).normalize() * 0.8 - DVec3::Z * 0.75 }
    };
    let egg = |d: DVec3| {
        let radii = DVec3::new(1.2, 0.4, 0.7);
        radii * (radii * d).normalize()
    };
    let mut random = Random::new(47);
    for (shape, copy) in
        [(Round::cone(0.8, 1.5), Copied(cone, 1.2)), (Round::ellipsoid(DVec3::new(1.2, 0.4, 0.7)), Copied(egg, 1.2))]
    {
        let (shape, copy) = (shape.unwrap(), Round::custom(Arc::new(copy)).unwrap());
        for margin in [0.0, 0.25] {
            let [shape, copy] =
                [&shape, &copy].map(|body| Model::from(Round::clone(body).with_margin(margin).unwrap()));
            for _ in 0..200 {
                let p = random.point(2.5);
                let [x, y] = [&shape, &copy].map(|body| body.point_distance(&Pose::IDENTITY, p).unwrap());
                if x.interval.lower > 1e-9 {
                    let (x, y) = (x.interval, y.interval);
                    assert!(x.lower <= y.upper && y.lower <= x.upper, "{shape:?} {p}: {x:?} {y:?}");
                }
            }
        }
    }
}

/// Points where the nearest one is not unique or hard to find.
#[test]
fn hard_points_of_ellipsoids() {
    let egg = Model::from(Round::ellipsoid(DVec3::new(3.0, 1.0, 2.0)).unwrap());
    let at = |p: DVec3| egg.point_distance(&Pose::IDENTITY, p).unwrap();
    assert!(at(DVec3::ZERO).interval.contains(-1.0));
    assert!(at(DVec3::X * 3.0).interval.contains(0.0) && at(DVec3::X * 5.0).interval.contains(2.0));
    // In the plane across the least axis: off it, by the formula for y = 0.
    for y in [0.0, 1e-300, 1e-160, 1e-30, 1e-12, -1e-12] {
        let answer = at(DVec3::new(1.0, y, 0.5));
        let foot = DVec3::new(9.0 / 8.0, 0.0, 2.0 / 3.0);
        let rest = (1.0 - (foot.x / 3.0).powi(2) - (foot.z / 2.0).powi(2)).sqrt();
        let depth = foot.with_y(rest).distance(DVec3::new(1.0, 0.0, 0.5));
        assert!((answer.interval.mid() + depth).abs() < 1e-11 && answer.inside, "{y}: {answer:?} {depth}");
    }
    for radii in [DVec3::new(1e-50, 1.0, 1e50), DVec3::splat(1e50), DVec3::new(1e-50, 1e-50, 1e-49)] {
        let body = Model::from(Round::ellipsoid(radii).unwrap());
        for p in [DVec3::ZERO, radii, radii * 0.1, DVec3::splat(1e150), DVec3::splat(1e-300), DVec3::Y] {
            let answer = body.point_distance(&Pose::IDENTITY, p).unwrap();
            assert!(answer.closest.is_finite() && answer.interval.lower <= answer.interval.upper, "{radii} {answer:?}");
        }
    }
}

/// Parts of a box are named as its hull names them.
#[test]
fn parts_of_a_box() {
    let sides = DVec3::new(2.0, 4.0, 6.0);
    let brick = Model::from(Round::cuboid(sides).unwrap());
    let element = |p: DVec3| match brick.point_distance(&Pose::IDENTITY, p).unwrap().feature {
        Feature::Convex { element, .. } => element,
        other => panic!("{other:?}"),
    };
    assert_eq!(element(DVec3::new(2.0, -3.0, 4.0)), Element::Vertex(0b101));
    assert_eq!(element(DVec3::new(2.0, -3.0, 0.0)), Element::Edge([0b001, 0b101]));
    let Element::Face(face) = element(DVec3::X * 9.0) else { panic!("a face") };
    let hit = brick.ray(&Pose::IDENTITY, &Ray::new(DVec3::X * 9.0, -DVec3::X).unwrap()).unwrap();
    assert_eq!(hit.feature, Feature::Convex { piece: 0, element: Element::Face(face) });
}
