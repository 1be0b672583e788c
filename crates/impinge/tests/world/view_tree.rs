//! The tree that views search: it holds every body where it is, whatever changes, and a search looks at few bodies.

use std::sync::atomic::{AtomicUsize, Ordering};

use glam::DVec3;
use impinge::bound::Aabb;
use impinge::{Body, BodyId, Limit, Model, Pose, PoseError, Ray, Round, View, World};
use impinge_testing::random::Random;

fn ball(radius: f64) -> Model {
    Round::sphere(radius).unwrap().into()
}

/// How many bodies a question looks at.
fn looked_at(world: &mut World, ask: impl Fn(&View<'_>)) -> usize {
    let count = AtomicUsize::new(0);
    let rule = |_: BodyId, _: &Body| {
        count.fetch_add(1, Ordering::Relaxed);
        true
    };
    ask(&world.view().with_rule(&rule));
    count.into_inner()
}

/// Rays, points and boxes, against every body in turn, and the most bodies that any of them looks at.
fn check(world: &mut World, r: &mut Random, reach: f64) -> usize {
    let mut most = 0;
    for _ in 0..12 {
        let (from, way, length) = (r.point(reach), r.point(1.0), r.within(0.0, 2.0 * reach));
        let ray = Ray::new(from, way).unwrap().with_length(length).unwrap();
        let bodies: Vec<(BodyId, Body)> = world.bodies().map(|(id, body)| (id, body.clone())).collect();
        let hits = bodies.iter().filter_map(|(id, body)| Some((body.model.ray(&body.pose, &ray)?.distance, *id)));
        let first = hits.min_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1)));
        let view = world.view();
        assert_eq!(view.ray(&ray).map(|found| (found.answer.distance, found.body)), first);
        assert_eq!((view.meets_ray(&ray), view.ray_all(&ray).is_empty()), (first.is_some(), first.is_none()));
        let distance = |body: &Body| body.model.point_distance(&body.pose, from).unwrap().interval;
        let mut distances: Vec<(f64, BodyId)> = bodies.iter().map(|(id, body)| (distance(body).upper, *id)).collect();
        distances.sort_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1)));
        let near = view.near_point(from, f64::INFINITY, Limit::UpTo(5)).unwrap();
        let near: Vec<(f64, BodyId)> = near.iter().map(|found| (found.answer.interval.upper, found.body)).collect();
        assert_eq!(near, distances[..near.len()]);
        assert_eq!(near.len(), bodies.len().min(5));
        assert_eq!(view.point_distance(from).unwrap().map(|found| found.body), distances.first().map(|x| x.1));
        let region = Aabb::new(from - 1.0, from + 1.0);
        let meets = |body: &Body| body.model.outline(&body.pose, body.outline).is_some_and(|b| b.meets(&region));
        let inside: Vec<BodyId> = bodies.iter().filter(|(_, body)| meets(body)).map(|(id, _)| *id).collect();
        let mut shown = Vec::new();
        view.boxes_near(&region, |id| {
            shown.push(id);
            std::ops::ControlFlow::Continue(())
        });
        shown.sort_unstable();
        assert_eq!(shown, inside);
        let looks = [
            looked_at(world, |view| drop(view.ray_all(&ray.with_length(4.0).unwrap()))),
            looked_at(world, |view| assert!(view.point_distance(from).is_ok())),
        ];
        most = looks.into_iter().fold(most, usize::max);
    }
    most
}

fn filled(r: &mut Random, count: usize, reach: f64) -> (World, Vec<BodyId>) {
    let mut world = World::new();
    let add = |_| world.add(Body::new(ball(r.within(0.1, 0.5)), Pose::at(r.point(reach)).unwrap())).unwrap();
    let ids = (0..count).map(add).collect();
    (world, ids)
}

/// Bodies move a little or far, one by one or all, are added and removed, in every order; and the tree stays good.
#[test]
fn the_tree_follows_what_changes() {
    let mut r = Random::new(91);
    let (mut world, mut ids) = filled(&mut r, 600, 8.0);
    assert!(check(&mut world, &mut r, 8.0) < 60);
    for frame in 0..24 {
        let one_in = [1, 7, 100][frame % 3];
        for k in (frame % one_in..ids.len()).step_by(one_in) {
            let far = r.below(20) == 0;
            let at = world.body(ids[k]).unwrap().pose.translation();
            let to = if far { r.point(8.0) } else { (at + r.point(0.3)).clamp(DVec3::splat(-8.0), DVec3::splat(8.0)) };
            world.place(ids[k], Pose::at(to).unwrap()).unwrap();
        }
        for _ in 0..r.below(12) {
            ids.push(world.add(Body::new(ball(0.3), Pose::at(r.point(8.0)).unwrap())).unwrap());
            let gone = ids.swap_remove(r.below(ids.len() as u64) as usize);
            world.remove(gone).unwrap();
        }
        assert!(check(&mut world, &mut r, 8.0) < 120, "{frame}");
    }
    // A copy goes its own way.
    let mut copy = world.clone();
    for id in ids {
        world.remove(id).unwrap();
        if world.len() < 40 {
            check(&mut world, &mut r, 8.0);
        }
    }
    assert!(world.is_empty() && check(&mut copy, &mut r, 8.0) < 120);
}

/// One body, or some, very far away take nothing from the others, also where they fly there step by step.
#[test]
fn far_bodies_do_no_harm() {
    let mut r = Random::new(92);
    for far in [1e6, 1e12, 1e30, 1e140] {
        let (mut world, _) = filled(&mut r, 500, 8.0);
        let strays: Vec<BodyId> = [DVec3::X * far, DVec3::new(-far, far, 1.0)]
            .map(|at| world.add(Body::new(ball(0.5), Pose::at(at).unwrap())).unwrap())
            .to_vec();
        assert!(check(&mut world, &mut r, 8.0) < 60, "{far}");
        let view = world.view();
        let aim = Ray::new(DVec3::X * (far * 0.5), DVec3::X).unwrap();
        let own = world_ray(view.world(), &aim);
        assert_eq!(view.ray(&aim).map(|found| found.body), own);
        assert!(own.is_none_or(|id| id == strays[0]));
    }
    let (mut world, ids) = filled(&mut r, 500, 8.0);
    world.view();
    let mut at = DVec3::X;
    while at.x < 1e12 {
        world.place(ids[0], Pose::at(at).unwrap()).unwrap();
        let from = at - DVec3::X * (0.1 * at.x);
        assert_eq!(world.view().point_distance(at).unwrap().map(|found| found.body), Some(ids[0]));
        let hit = world_ray(&world, &Ray::new(from, DVec3::X).unwrap());
        assert_eq!(world.view().ray(&Ray::new(from, DVec3::X).unwrap()).map(|found| found.body), hit);
        at *= 1.7;
    }
    assert!(check(&mut world, &mut r, 8.0) < 60);
}

fn world_ray(world: &World, ray: &Ray) -> Option<BodyId> {
    let hits = world.bodies().filter_map(|(id, body)| Some((body.model.ray(&body.pose, ray)?.distance, id)));
    hits.min_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1))).map(|(_, id)| id)
}

/// Many bodies in one place, and points: "does anything touch" looks at one, and all are found.
#[test]
fn bodies_in_one_place_are_told_apart() {
    let mut world = World::new();
    let ids: Vec<BodyId> =
        (0..300).map(|_| world.add(Body::new(ball(1.0), Pose::at(DVec3::Y * 5.0).unwrap())).unwrap()).collect();
    let point = world.add(Body::new(Round::point(DVec3::ZERO).unwrap(), Pose::IDENTITY)).unwrap();
    let at = Pose::at(DVec3::Y * 5.5).unwrap();
    assert_eq!(looked_at(&mut world, |view| assert!(view.touches(&ball(0.25), &at))), 1);
    let ray = Ray::new(DVec3::new(-3.0, 5.0, 0.0), DVec3::X).unwrap();
    assert_eq!(looked_at(&mut world, |view| assert!(view.meets_ray(&ray))), 1);
    let view = world.view();
    assert_eq!(view.overlap(&ball(0.25), &at).len(), 300);
    assert_eq!(view.ray(&ray).map(|found| found.body), Some(ids[0]), "the least id of all");
    assert_eq!(view.ray_all(&ray).len(), 600);
    let hit = view.cast(&ball(0.25), &at, DVec3::X).unwrap().unwrap();
    assert_eq!((hit.body, hit.answer.time.upper), (ids[0], 0.0), "the least id of all that touch");
    assert_eq!(view.point_distance(DVec3::Y * 5.0).unwrap().map(|found| found.body), Some(ids[0]));
    assert_eq!(view.point_distance(DVec3::ZERO).unwrap().map(|found| found.body), Some(point));
    assert_eq!(view.contains(DVec3::Y * 5.0).unwrap(), ids);
}

/// Casts of shapes without bounds or points, of motions that are refused, and in worlds without a tree.
#[test]
fn odd_casts_have_answers() {
    let mut world = World::new();
    let start = Pose::IDENTITY;
    for (motion, error) in [
        (DVec3::NAN, PoseError::NotFinite),
        (DVec3::X * f64::INFINITY, PoseError::NotFinite),
        (DVec3::Y * 1e200, PoseError::TooLarge),
    ] {
        assert_eq!(world.view().cast(&ball(1.0), &start, motion), Err(error));
        assert_eq!(world.view().casts(&ball(1.0), &[(start, motion)]), Err(error));
    }
    assert_eq!(world.view().cast(&ball(1.0), &start, DVec3::X), Ok(None));
    let body = world.add(Body::new(ball(1.0), Pose::at(DVec3::Z * -9.0).unwrap())).unwrap();
    let shapes: [Model; 4] =
        [Round::half_space(DVec3::NEG_Z, 0.0).unwrap().into(), impinge::Mesh::empty().into(), ball(1e12), ball(1e-12)];
    let found = shapes.map(|shape| {
        let found = world.view().cast(&shape, &start, DVec3::Z * -20.0).unwrap();
        let alone =
            world.body(body).unwrap().model.cast(&Pose::at(DVec3::Z * -9.0).unwrap(), &shape, &start, DVec3::Z * -20.0);
        assert_eq!(found.map(|found| found.answer), alone.unwrap(), "{shape:?}");
        found.is_some()
    });
    assert_eq!(found, [true, false, true, true]);
    world.remove(body).unwrap();
    let floor = world.add(Body::new(Round::half_space(DVec3::Z, -2.0).unwrap(), start)).unwrap();
    let hit = world.view().cast(&ball(1.0), &start, DVec3::Z * -4.0).unwrap().unwrap();
    assert!(hit.body == floor && hit.answer.time.contains(0.25));
}
