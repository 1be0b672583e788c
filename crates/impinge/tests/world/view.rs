//! Views of a world answer as the verbs about one body do, asked of every body in turn; with every filter, while bodies
//! are added, removed, moved and changed.

use std::ops::ControlFlow;
use std::sync::Arc;

use glam::DVec3;
use impinge::bound::Aabb;
use impinge::broad::Phase;
use impinge::{
    Body, BodyId, CastHit, Convex, Filter, Interval, Limit, Mesh, Mobility, Model, Motion, Outline, Pair, Pose, Ray,
    Round, Span, Steady, View, World,
};
use impinge_testing::random::Random;
use impinge_testing::shapes;

fn model(r: &mut Random) -> Model {
    match r.below(9) {
        0 | 1 => Round::sphere(r.within(0.1, 0.6)).unwrap().into(),
        2 => Round::cuboid(DVec3::new(r.within(0.1, 1.0), 0.5, r.within(0.1, 2.0))).unwrap().into(),
        3 => Round::cylinder(r.within(0.1, 0.5), r.within(0.1, 2.0)).unwrap().into(),
        4 => Convex::hull(&(0..12).map(|_| r.point(0.6)).collect::<Vec<_>>()).unwrap().into(),
        5 => {
            let cube = shapes::cuboid(DVec3::splat(0.5), DVec3::ONE);
            Mesh::new(cube.vertices, cube.triangles).unwrap().into()
        }
        6 => {
            let torus = shapes::torus(0.6, 0.2, 12, 8);
            Mesh::new(torus.vertices, torus.triangles).unwrap().into_surface().into()
        }
        7 => {
            let hulls: Vec<Vec<DVec3>> =
                (0..3).map(|k| (0..6).map(|_| DVec3::X * 0.4 * f64::from(k) + r.point(0.3)).collect()).collect();
            impinge::Parts::from_hulls(hulls.iter().map(Vec::as_slice)).unwrap().into()
        }
        _ => Mesh::empty().into(),
    }
}

fn body(r: &mut Random) -> Body {
    let (model, turn) = (model(r), r.rotation());
    Body {
        mobility: if r.below(3) == 0 { Mobility::Static } else { Mobility::Moving },
        outline: if r.below(3) == 0 { Outline::Cube } else { Outline::Fitted },
        filter: Filter { group: 1 << r.below(3), mask: if r.below(3) == 0 { 0b011 } else { u32::MAX } },
        sensor: r.below(4) == 0,
        user_data: u128::from(r.below(2)),
        ..Body::new(model, Pose::new(r.point(4.0), turn).unwrap())
    }
}

/// A view, and what it should see.
type Seen<'w> = (View<'w>, Vec<(BodyId, &'w Body)>);

fn odd(_: BodyId, body: &Body) -> bool {
    body.user_data == 1
}

/// Views of every kind. What each sees is told from the fields of the bodies.
fn views<'w>(world: &'w mut World, ignored: [BodyId; 2]) -> Vec<Seen<'w>> {
    let view = world.view();
    let world: &'w World = view.world();
    let some = Filter { group: 0b110, mask: 0b101 };
    let [eye, other] = ignored;
    let own = world.body(eye).unwrap().clone();
    let met = |id: BodyId, body: &Body| {
        let both_static = [own.mobility, body.mobility] == [Mobility::Static; 2];
        id != eye && id != other && !both_static && own.filter.admits(body.filter)
    };
    let with = |view: View<'w>, sees: &dyn Fn(BodyId, &Body) -> bool| {
        (view, world.bodies().filter(|(id, body)| sees(*id, body)).collect::<Vec<_>>())
    };
    vec![
        with(view, &|_, _| true),
        with(view.with_filter(some), &|_, body| some.admits(body.filter)),
        with(view.without_sensors(), &|_, body| !body.sensor),
        with(view.with_rule(&odd), &odd),
        with(view.seen_by(eye).unwrap().without_sensors(), &|id, body| met(id, body) && !body.sensor),
    ]
}

fn check_rays((view, bodies): &Seen<'_>, r: &mut Random) {
    for _ in 0..12 {
        let aim = r.point(3.0);
        let ray = Ray::new(r.point(8.0), if r.below(4) == 0 { DVec3::X } else { aim }).unwrap();
        let ray = if r.below(3) == 0 { ray.with_length(r.within(0.0, 9.0)).unwrap() } else { ray };
        let all = bodies.iter().flat_map(|(id, body)| {
            let hits = body.model.ray_all(&body.pose, &ray);
            hits.into_iter().map(|hit| (hit, *id)).collect::<Vec<_>>()
        });
        let mut all: Vec<_> = all.collect();
        all.sort_by(|(x, a), (y, b)| x.distance.total_cmp(&y.distance).then(a.cmp(b)));
        let found: Vec<_> = view.ray_all(&ray).iter().map(|found| (found.answer, found.body)).collect();
        assert_eq!(found, all);
        let firsts = bodies.iter().filter_map(|(id, body)| Some((body.model.ray(&body.pose, &ray)?, *id)));
        let first = firsts.min_by(|(x, a), (y, b)| x.distance.total_cmp(&y.distance).then(a.cmp(b)));
        assert_eq!(view.ray(&ray).map(|found| (found.answer, found.body)), first);
        assert_eq!(view.rays(&[ray, ray])[1].map(|found| (found.answer, found.body)), first);
        assert_eq!(view.meets_ray(&ray), first.is_some());
    }
}

fn check_points((view, bodies): &Seen<'_>, r: &mut Random) {
    for _ in 0..12 {
        let (point, most) = (r.point(5.0), r.within(0.0, 3.0));
        let distances = bodies.iter().filter_map(|(id, body)| {
            let answer = body.model.point_distance(&body.pose, point).ok()?;
            Some((answer.interval, *id))
        });
        let mut distances: Vec<(Interval, BodyId)> = distances.collect();
        distances.sort_by(|(x, a), (y, b)| x.upper.total_cmp(&y.upper).then(a.cmp(b)));
        let nearest = view.point_distance(point).unwrap().map(|found| (found.answer.interval, found.body));
        assert_eq!(nearest, distances.first().copied());
        assert_eq!(view.point_distances(&[point]).unwrap()[0].map(|f| f.body), distances.first().map(|f| f.1));
        for (most, limit, count) in [
            (most, Limit::All, usize::MAX),
            (f64::INFINITY, Limit::UpTo(4), 4),
            (most, Limit::First, 1),
            (f64::NAN, Limit::All, usize::MAX),
            (most, Limit::UpTo(0), 0),
        ] {
            let found = view.near_point(point, most, limit).unwrap();
            let found: Vec<_> = found.iter().map(|found| (found.answer.interval, found.body)).collect();
            let near = distances.iter().filter(|(interval, _)| interval.lower <= most.max(0.0));
            assert_eq!(found, near.take(count).copied().collect::<Vec<_>>());
        }
        let holds = |body: &Body| body.model.contains(&body.pose, point).unwrap();
        let holding: Vec<BodyId> = bodies.iter().filter(|(_, body)| holds(body)).map(|(id, _)| *id).collect();
        assert_eq!(view.contains(point).unwrap(), holding);
    }
}

fn check_regions((view, bodies): &Seen<'_>, r: &mut Random) {
    for k in 0..6 {
        let (at, half) = (r.point(4.0), DVec3::new(r.within(0.1, 3.0), r.within(0.1, 3.0), r.within(0.1, 3.0)));
        let mut region = Aabb::new(at - half, at + half);
        let mut cuboid = (Round::cuboid(half * 2.0).unwrap(), Pose::at(at).unwrap());
        if k == 0 {
            // Without an end on one side: all bodies are within ±100.
            region.max.x = f64::INFINITY;
            let wide = DVec3::new(100.0 - region.min.x, 2.0 * half.y, 2.0 * half.z);
            cuboid = (Round::cuboid(wide).unwrap(), Pose::at(DVec3::new(100.0 - wide.x / 2.0, at.y, at.z)).unwrap());
        }
        let cuboid = (Model::from(cuboid.0), cuboid.1);
        let touches = |body: &Body| impinge::overlap(&cuboid.0, &cuboid.1, &body.model, &body.pose).overlap;
        let inside: Vec<BodyId> = bodies.iter().filter(|(_, body)| touches(body)).map(|(id, _)| *id).collect();
        assert_eq!(view.in_box(&region), inside);
        let mut shown = Vec::new();
        view.boxes_near(&region, |id| {
            shown.push(id);
            ControlFlow::Continue(())
        });
        assert!(inside.iter().all(|id| shown.contains(id)) && shown.len() <= bodies.len());

        let planes: Vec<(DVec3, f64)> = (0..r.below(5)).map(|_| (r.point(2.0), r.within(-2.0, 2.0))).collect();
        let models = planes.iter().map(|&(normal, offset)| Model::from(Round::half_space(normal, offset).unwrap()));
        let models: Vec<Model> = models.collect();
        let touches = |body: &Body| {
            let has_points = body.model.outline(&body.pose, body.outline) != Some(Aabb::EMPTY);
            let touches = |plane| impinge::overlap(plane, &Pose::IDENTITY, &body.model, &body.pose).overlap;
            has_points && models.iter().all(touches)
        };
        let inside: Vec<BodyId> = bodies.iter().filter(|(_, body)| touches(body)).map(|(id, _)| *id).collect();
        assert_eq!(view.in_frustum(&planes), inside);
    }
}

fn check_shapes((view, bodies): &Seen<'_>, r: &mut Random) {
    for _ in 0..4 {
        let (shape, turn) = (model(r), r.rotation());
        let pose = Pose::new(r.point(4.0), turn).unwrap();
        let touches = |body: &Body| impinge::overlap(&shape, &pose, &body.model, &body.pose).overlap;
        let touching: Vec<BodyId> = bodies.iter().filter(|(_, body)| touches(body)).map(|(id, _)| *id).collect();
        assert_eq!(view.overlap(&shape, &pose).iter().map(|found| found.body).collect::<Vec<_>>(), touching);
        assert_eq!(view.touches(&shape, &pose), !touching.is_empty());
        let distances = bodies.iter().map(|(id, body)| {
            let answer = impinge::distance(&shape, &pose, &body.model, &body.pose);
            (answer.interval, *id)
        });
        let near = distances.filter(|(interval, _)| interval.upper.is_finite());
        let nearest = near.min_by(|(x, a), (y, b)| x.upper.total_cmp(&y.upper).then(a.cmp(b)));
        assert_eq!(view.distance(&shape, &pose).map(|found| (found.answer.interval, found.body)), nearest);
    }
}

fn check_casts((view, bodies): &Seen<'_>, r: &mut Random) {
    for k in 0..3 {
        let shape: Model = Round::sphere(0.2).unwrap().into();
        let start = Pose::at(r.point(6.0)).unwrap();
        let (velocity, spin) = (r.point(12.0), if k == 0 { r.point(1.0) } else { DVec3::ZERO });
        let way = Steady::new(start, DVec3::X * 0.3, velocity, spin, 2.0).unwrap();
        let span = Span::new(2.0, 3.0).unwrap();
        let still = |body: &Body| Steady::still(body.pose);
        let impacts = bodies.iter().filter_map(|(id, body)| {
            let impact = Pair::new(&shape, &body.model).impact(&way, &still(body), span);
            Some((impact.time?, *id))
        });
        let impacts: Vec<(Interval, BodyId)> = impacts.collect();
        let first = impacts.iter().min_by(|(x, a), (y, b)| x.upper.total_cmp(&y.upper).then(a.cmp(b)));
        let found = view.impact(&shape, &way, span);
        let time = found.as_ref().and_then(|found| found.answer.time);
        assert_eq!(found.as_ref().map(|found| found.body), first.map(|first| first.1));
        if let (Some(time), Some((first, _))) = (time, first) {
            let earliest = impacts.iter().map(|(time, _)| time.lower).fold(f64::INFINITY, f64::min);
            assert!(time.upper == first.upper && time.lower == first.lower.min(earliest), "{time:?} {first:?}");
        }
        assert_eq!(view.impacts(&shape, &[way; 2], span)[1].as_ref().map(|f| f.body), first.map(|first| first.1));
        let (motion, start) = match k {
            // Where a body is, and at rest.
            0 => (DVec3::ZERO, bodies.first().map_or(start, |(_, body)| body.pose)),
            1 => (velocity, bodies.last().map_or(start, |(_, body)| body.pose)),
            _ => (velocity, start),
        };
        let hits = bodies.iter().filter_map(|(id, body)| {
            let hit = body.model.cast(&body.pose, &shape, &start, motion).unwrap();
            assert_eq!(hit, Pair::new(&body.model, &shape).cast(&body.pose, &start, motion).unwrap());
            Some((hit?, *id))
        });
        let hits: Vec<(CastHit, BodyId)> = hits.collect();
        let first = hits.iter().min_by(|(x, a), (y, b)| x.time.upper.total_cmp(&y.time.upper).then(a.cmp(b)));
        let found = view.cast(&shape, &start, motion).unwrap();
        assert_eq!(found, view.casts(&shape, &[(start, motion); 2]).unwrap()[1]);
        assert_eq!(found.map(|found| found.body), first.map(|first| first.1));
        if let (Some(found), Some((first, _))) = (found, first) {
            let earliest = hits.iter().map(|(hit, _)| hit.time.lower).fold(f64::INFINITY, f64::min);
            let time = Interval { lower: first.time.lower.min(earliest), ..first.time };
            assert_eq!(found.answer, CastHit { time, ..*first });
        }
        let sweeps = bodies.iter().map(|(id, body)| {
            let sweep = Pair::new(&shape, &body.model).sweep(&way, &still(body), span);
            (sweep.interval, *id)
        });
        let near = sweeps.filter(|(interval, _)| interval.upper.is_finite());
        let nearest = near.min_by(|(x, a), (y, b)| x.upper.total_cmp(&y.upper).then(a.cmp(b)));
        let found = view.sweep(&shape, &way, span);
        assert_eq!(found.map(|found| (found.answer.interval, found.body)), nearest);
    }
}

fn checked(seed: u64, [worlds, frames]: [usize; 2], check: impl Fn(&Seen<'_>, &mut Random)) {
    for (round, &phase) in Phase::EACH.iter().enumerate().take(worlds) {
        let mut r = Random::new(seed + 100 * round as u64);
        let mut world = World::with_phase(phase.start());
        let mut ids: Vec<BodyId> = (0..30).map(|_| world.add(body(&mut r)).unwrap()).collect();
        if round % 2 == 0 {
            let floor = Round::half_space(DVec3::new(0.2, 0.1, 1.0), -3.0).unwrap();
            world.add(Body { mobility: Mobility::Static, ..Body::new(floor, Pose::IDENTITY) }).unwrap();
        }
        for _ in 0..frames {
            world.ignore(ids[0], ids[1], true).unwrap();
            for seen in views(&mut world, [ids[0], ids[1]]) {
                check(&seen, &mut r);
            }
            if r.below(2) == 0 {
                world.overlap();
            }
            for id in &mut ids {
                match r.below(8) {
                    0 => {
                        world.remove(*id).unwrap();
                        *id = world.add(body(&mut r)).unwrap();
                    }
                    1 => drop(world.replace(*id, model(&mut r)).unwrap()),
                    2 | 3 => {
                        let at = world.body(*id).unwrap().pose.translation() + r.point(0.4);
                        world.place(*id, Pose::at(at).unwrap()).unwrap();
                    }
                    _ => {}
                }
            }
        }
    }
}

#[test]
fn rays_are_those_of_each_body() {
    checked(1, [6, 2], check_rays);
}

#[test]
fn points_are_those_of_each_body() {
    checked(2, [6, 2], check_points);
}

#[test]
fn regions_are_those_of_each_body() {
    checked(3, [6, 2], check_regions);
}

#[test]
fn shapes_are_those_of_each_body() {
    checked(4, [6, 2], check_shapes);
}

#[test]
fn casts_are_those_of_each_body() {
    checked(5, [3, 2], check_casts);
}

/// What a view cannot use is refused or leaves nothing, as the documentation says; and nothing of it takes long.
#[test]
fn odd_questions_have_answers() {
    let mut world = World::new();
    let empty = world.view();
    let ray = Ray::new(DVec3::ZERO, DVec3::X).unwrap();
    assert!(empty.ray(&ray).is_none() && empty.point_distance(DVec3::ZERO).unwrap().is_none());
    assert!(empty.in_frustum(&[]).is_empty() && empty.in_box(&Aabb::EMPTY).is_empty());
    let at = |x: f64| Pose::at(DVec3::X * x).unwrap();
    let ids = [0.0, 5.0, 1e12].map(|x| world.add(Body::new(Round::sphere(1.0).unwrap(), at(x))).unwrap());
    let floor = world.add(Body::new(Round::half_space(DVec3::Z, -2.0).unwrap(), Pose::IDENTITY)).unwrap();
    let view = world.view();
    let all = [&ids[..], &[floor]].concat();

    let everywhere = Aabb::new(DVec3::NEG_INFINITY, DVec3::INFINITY);
    assert_eq!(view.in_box(&everywhere), all);
    let high = Aabb::new(DVec3::new(f64::NEG_INFINITY, -1.0, -1.0), DVec3::new(f64::INFINITY, 1.0, 1.0));
    assert_eq!(view.in_box(&high), ids);
    assert_eq!(view.in_box(&Aabb::new(DVec3::ZERO, DVec3::ZERO)), [ids[0]], "a point");
    assert_eq!(view.in_box(&Aabb::new(DVec3::X, DVec3::X * 4.0)), ids[..2], "a segment that touches two");
    let not_a_box = [
        Aabb::new(DVec3::NAN, DVec3::ONE),
        Aabb::new(DVec3::ZERO, DVec3::new(1.0, f64::NAN, 1.0)),
        Aabb::new(DVec3::ONE, DVec3::ZERO),
    ];
    for region in not_a_box {
        assert!(view.in_box(&region).is_empty());
        view.boxes_near(&region, |id| panic!("{id}"));
    }
    let infinity = f64::INFINITY;
    for (normal, offset, found) in [
        (DVec3::ZERO, 0.0, &all[..]),
        (DVec3::ZERO, -1.0, &[]),
        (DVec3::X, infinity, &all),
        (DVec3::X, -infinity, &[]),
        (DVec3::X, f64::NAN, &[]),
        (DVec3::NAN, 0.0, &[]),
        (DVec3::X * infinity, 0.0, &[]),
        (DVec3::X * 1e-300, 1e-300, &[ids[0], floor]),
        (DVec3::X * 1e300, 1e300, &[ids[0], floor]),
        (DVec3::X * 1e-300, 1e100, &all),
        (DVec3::X * 1e-300, -1e100, &[]),
    ] {
        let mut expected = found.to_vec();
        expected.sort_unstable();
        assert_eq!(view.in_frustum(&[(normal, offset)]), expected, "{normal} {offset}");
    }
    for point in [DVec3::NAN, DVec3::X * infinity, DVec3::X * 1e200] {
        assert!(view.point_distance(point).is_err() && view.contains(point).is_err());
        assert!(view.near_point(point, 1.0, Limit::All).is_err() && view.point_distances(&[point]).is_err());
    }
    let far = Ray::new(DVec3::X * -1e140, DVec3::X).unwrap();
    assert_eq!(view.ray(&far).map(|found| found.body), bodies_ray(&world, &far));
    assert_eq!(world.view().ray(&ray.with_length(0.0).unwrap()), None);
}

/// The body that a ray meets first, each asked in turn.
fn bodies_ray(world: &World, ray: &Ray) -> Option<BodyId> {
    let hits = world.bodies().filter_map(|(id, body)| Some((body.model.ray(&body.pose, ray)?.distance, id)));
    hits.min_by(|x, y| x.0.total_cmp(&y.0).then(x.1.cmp(&y.1))).map(|(_, id)| id)
}

/// Bodies with a motion are taken where they are placed, also in a reaction while the world advances.
#[test]
fn a_reaction_looks_around() {
    let mut world = World::new();
    let ball = Round::sphere(0.5).unwrap();
    let wall = world.add(Body::new(ball.clone(), Pose::IDENTITY)).unwrap();
    let start = Pose::at(DVec3::X * -3.0).unwrap();
    let roll: Arc<dyn Motion> = Arc::new(Steady::straight(start, DVec3::X * 4.0, 0.0).unwrap());
    let mover = world.add(Body { motion: Some(roll), ..Body::new(ball, start) }).unwrap();
    let mut met = 0;
    world.advance(Span::UNIT, &impinge::Advance::new(impinge::Schedule::Queue), |world, _| {
        met += 1;
        assert_eq!(world.view().contains(DVec3::X * -3.0).unwrap(), [mover]);
        world.remove(wall).unwrap();
        assert!(world.view().contains(DVec3::ZERO).unwrap().is_empty());
        assert!(world.view().seen_by(wall).is_err(), "the id is stale");
    });
    assert_eq!((met, world.view().contains(DVec3::X).unwrap()), (1, vec![mover]));
}
