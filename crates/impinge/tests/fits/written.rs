//! What `serde` writes reads back to the same, and what nobody should trust is refused or harmless.

use std::fmt::Debug;
use std::sync::Arc;

use impinge::bound::{Aabb, HullTree, Volume};
use impinge::glam::{DQuat, DVec3};
use impinge::*;
use impinge_testing::random::Random;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, from_str, from_value, json, to_string, to_value};

use crate::models;

/// The value read back, which is written as before.
fn back<T: Serialize + DeserializeOwned>(value: &T) -> T {
    let text = to_string(value).unwrap();
    let read: T = from_str(&text).unwrap();
    assert_eq!(to_string(&read).unwrap(), text);
    read
}

fn same<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
    assert_eq!(&back(value), value);
}

/// Why a document is refused.
fn refusal<T: DeserializeOwned + Debug>(document: Value) -> String {
    from_value::<T>(document).unwrap_err().to_string()
}

#[test]
fn every_model_reads_back_to_the_same_body() {
    let mut random = Random::new(7);
    let mut models = models::all(&mut random);
    models.push(Model::from(models::mesh().into_solid_by_winding()));
    for model in models {
        let read = back(&model);
        assert_eq!(format!("{read:?}"), format!("{model:?}"));
        models::assert_same_answers(&read, &model, &mut random);
    }
}

#[test]
fn a_hull_keeps_the_indices_of_its_points() {
    let points = [DVec3::ZERO, DVec3::X * 0.5, DVec3::X, DVec3::Y, DVec3::Z, DVec3::ZERO];
    let hull = Convex::hull(&points).unwrap();
    let read = back(&hull);
    assert_eq!(
        (read.vertices(), read.vertex_ids(), read.dropped()),
        (hull.vertices(), hull.vertex_ids(), hull.dropped())
    );
    models::assert_same_answers(&Model::from(read), &Model::from(hull), &mut Random::new(8));
}

#[test]
fn documents_have_names_that_are_kept() {
    let brick = Model::from(Round::cuboid(DVec3::new(1.0, 2.0, 3.0)).unwrap().with_margin(0.5).unwrap());
    let written = json!({"round": {"format": 1, "shape": {"box": {"sides": [1.0, 2.0, 3.0]}}, "margin": 0.5}});
    assert_eq!(to_value(&brick).unwrap(), written);
    let sheet = Model::from(Mesh::new(vec![DVec3::ZERO, DVec3::X, DVec3::Y], vec![[0, 1, 2]]).unwrap());
    let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let written = json!({"mesh": {
        "format": 1, "inside": "enclosed", "builder": "auto", "vertices": corners, "triangles": [[0, 1, 2]],
    }});
    assert_eq!(to_value(&sheet).unwrap(), written);
    let pose = Pose::at(DVec3::X).unwrap();
    let written = json!({"translation": [1.0, 0.0, 0.0], "rotation": [0.0, 0.0, 0.0, 1.0]});
    assert_eq!(to_value(pose).unwrap(), written);
    assert_eq!(to_value(Interval::INFINITE).unwrap(), json!({"lower": "inf", "upper": "inf"}));
    assert_eq!(to_value(Method::VClip).unwrap(), json!("v-clip"));
}

/// What is written by hand needs no more than what a builder needs.
#[test]
fn what_a_builder_does_not_need_may_be_left_out() {
    let ball = json!({"round": {"format": 1, "shape": {"sphere": {"radius": 1}}}});
    assert!(matches!(from_value(ball).unwrap(), Model::Round(round) if round.margin() == 1.0));
    let corners = json!([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]);
    let hull = json!({"format": 1, "vertices": corners});
    assert_eq!(from_value::<Convex>(hull.clone()).unwrap().vertex_ids(), [0, 1, 2, 3]);
    assert!(from_value::<Parts>(json!({"format": 1, "pieces": [hull]})).unwrap().is_exact());
    let faces = json!([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]);
    assert!(from_value::<Mesh>(json!({"format": 1, "vertices": corners, "triangles": faces})).unwrap().is_solid());
}

#[test]
fn poses_motions_and_options_read_back() {
    let mut random = Random::new(9);
    for _ in 0..50 {
        let mut pose = || Pose::new(random.point(10.0), random.rotation()).unwrap();
        let (first, second, third) = (pose(), pose(), pose());
        same(&first);
        let steady = Steady::between(first, second, DVec3::ONE, [0.5, 2.0]).unwrap();
        same(&steady);
        let path = TimedPoses::new(&[(0.0, first), (1.5, second), (2.0, third)], DVec3::Y).unwrap();
        same(&path);
        same(&SampledPoses::new(&[(0.0, first), (1.5, second)], DVec3::X, SampleBounds::speeds(1e3, 1e2)).unwrap());
        let spin = random.point(3.0);
        let flight = Flight { spin, moments: DVec3::new(1.0, 2.0, 2.5), axes: random.rotation(), ..Flight::at(first) };
        same(&Ballistic::new(flight).unwrap());
        same(&flight);
        let ray = Ray::new(random.point(5.0), random.point(1.0)).unwrap();
        same(&ray);
        same(&ray.with_length(3.0).unwrap());
    }
    same(&Span::new(-1.0, 2.0).unwrap());
    same(&SplineKey { time: 0.5, arrives: DVec3::X, value: DVec3::Y, leaves: DVec3::Z });
    same(&SplineTurns::Steady(vec![(0.0, DQuat::IDENTITY)]));
    same(&Aabb::EMPTY);
    same(&Rates::STILL);
    for method in Method::EACH {
        same(method);
    }
    same(&[Limit::All, Limit::First, Limit::UpTo(7)].to_vec());
    same(&[Volume::SweptSphere, Volume::Kdop18].to_vec());
    same(&[Outline::Cube, Outline::Fitted].to_vec());
    same(&[Neighbours::Folded, Neighbours::LeftOut].to_vec());
    same(&[Builder::Sah, Builder::Auto].to_vec());
    same(&(Precision { relative: 0.1, absolute: 0.0 }, HullTree::PLAIN));
    same(&ImpactOptions { method: ImpactMethod::BySpeed, parting: true, ..ImpactOptions::default() });
    same(&ManifoldOptions { prediction: 0.02, points: KeptPoints::All });
    // What is left out is as by default.
    let sparse = json!({"method": "by-speed"});
    let options: SweepOptions = from_value(sparse).unwrap();
    assert_eq!(options, SweepOptions { method: SweepMethod::BySpeed, ..SweepOptions::default() });
}

#[test]
fn robots_and_trajectories_read_back() {
    let mut random = Random::new(12);
    let joint = |k: usize, parent: usize, origin: Pose, kind: JointKind| RobotJoint {
        name: format!("joint {k}"),
        parent: format!("link {parent}"),
        child: format!("link {}", k + 1),
        origin,
        axis: DVec3::new(0.3, 0.4, 1.2),
        kind,
    };
    let kinds = [
        JointKind::Continuous,
        JointKind::Revolute { lower: -1.5, upper: f64::INFINITY },
        JointKind::Fixed,
        JointKind::Prismatic { lower: -4.0, upper: 4.0 },
    ];
    let mut place = || Pose::new(random.point(1.0), random.rotation()).unwrap();
    let joints: Vec<RobotJoint> = (0..4).rev().map(|k| joint(k, k / 2, place(), kinds[k])).collect();
    same(&joints);
    let robot = Robot::new(joints).unwrap();
    same(&robot);
    same(&robot.with_base(place()).unwrap());
    let rows = [(0.5, vec![0.0, 1.0, 2.0]), (1.0, vec![0.5, 1.0, -1.0]), (3.0, vec![1.0, 0.25, 0.0])];
    let stops: Vec<Vec<f64>> = rows.iter().map(|(_, values)| values.clone()).collect();
    let speeds = [JointSpeeds { rate: 8.0, acceleration: 4.0 }; 3];
    let free = [JointSpeeds { rate: 8.0, acceleration: f64::INFINITY }; 3];
    let knot = |(time, values): &(f64, Vec<f64>)| JointKnot {
        time: *time,
        values: values.clone(),
        rates: vec![0.5, 0.0, -0.5],
        accelerations: vec![0.0, 1.0, 0.0],
    };
    let knots: Vec<JointKnot> = rows.iter().map(knot).collect();
    let paths = [
        JointTrajectory::straight(&rows),
        JointTrajectory::spline(&rows),
        JointTrajectory::cubic(&knots),
        JointTrajectory::quintic(&knots),
        JointTrajectory::trapezoid(0.5, &stops, &speeds),
        JointTrajectory::sampled(&rows, &free),
    ];
    for path in paths {
        let path = path.unwrap();
        same(&path);
        let read = back(&path);
        for k in 0..8 {
            let t = 0.4 * f64::from(k);
            assert_eq!((read.values(t), read.rates(t)), (path.values(t), path.rates(t)));
        }
        same(&robot.motion(4, &path).map(|motion| motion.pose(1.25)).unwrap());
    }
    let written = json!({"format": 1, "path": {"straight": [[0.0, [1.0]]]}});
    assert_eq!(to_value(JointTrajectory::straight(&[(0.0, vec![1.0])]).unwrap()).unwrap(), written);

    // The doors are those of the constructors.
    let mut circle = to_value(&robot).unwrap();
    let k = robot.joints().position(|joint| joint.name == "joint 0").unwrap();
    circle["joints"][k]["parent"] = circle["joints"][k]["child"].clone();
    assert!(refusal::<Robot>(circle).contains("robots are trees"));
    let mut wrong = to_value(&robot).unwrap();
    wrong["joints"][1]["kind"] = json!({"revolute": {"lower": 1.0, "upper": -1.0}});
    assert!(refusal::<Robot>(wrong).contains("limits"));
    assert!(refusal::<Robot>(json!({"format": 1, "joints": []})).contains("no joints"));
    assert!(refusal::<Robot>(json!({"format": 2, "joints": []})).contains("format 2"));
    let late = json!({"format": 1, "path": {"spline": [[1.0, [0.0]], [0.0, [1.0]]]}});
    assert!(refusal::<JointTrajectory>(late).contains("not later"));
}

#[test]
fn answers_read_back() {
    let mut random = Random::new(10);
    let models = models::all(&mut random);
    for (k, model) in models.iter().enumerate() {
        let other = &models[(7 * k + 3) % models.len()];
        let pose = Pose::new(random.point(1.5), random.rotation()).unwrap();
        let mut pair = Pair::new(model, other);
        let still = Steady::still(Pose::IDENTITY);
        let passing = Steady::between(pose, Pose::IDENTITY, DVec3::ZERO, [0.0, 1.0]).unwrap();
        same(&pair.overlap(&Pose::IDENTITY, &pose));
        same(&pair.distance(&Pose::IDENTITY, &pose));
        same(&pair.within(&Pose::IDENTITY, &pose, 0.5));
        same(&pair.penetration(&Pose::IDENTITY, &pose));
        same(&pair.sweep(&still, &passing, Span::UNIT));
        same(&pair.impact(&still, &passing, Span::UNIT));
        same(&pair.contacts_over_time(&still, &passing, Span::UNIT));
        let contacts = pair.contacts(&Pose::IDENTITY, &pose, Limit::All);
        same(&contacts.pairs);
        let (mut found, options) = (Manifolds::new(), ManifoldOptions { prediction: 0.5, ..Default::default() });
        pair.manifolds(&Pose::IDENTITY, &pose, &options, &mut found);
        same(&found.points().to_vec());
        same(&contacts.iter().collect::<Vec<Contact>>());
        same(&model.ray_all(&pose, &Ray::new(DVec3::Z * 5.0, -DVec3::Z).unwrap()));
        if let Ok(near) = model.point_distance(&pose, DVec3::ONE) {
            same(&near);
        }
    }
    same(models::mesh().report());
    same(&models::mesh().self_contacts(Limit::All));
}

#[test]
fn what_a_world_says_reads_back() {
    let mut world = World::new();
    let ball = Round::sphere(1.0).unwrap();
    world.add(Body::new(ball.clone(), Pose::IDENTITY)).unwrap();
    let rolling = world.add(Body::new(ball, Pose::at(DVec3::X * 5.0).unwrap())).unwrap();
    let met = world.distance(9.0);
    let read: Vec<Met<Distance>> = back(&met);
    assert_eq!((read[0].a, read[0].b, &read[0].answer), (met[0].a, met[0].b, &met[0].answer));
    assert!(world.body(read[0].b).is_some(), "an id that was read is the id of the body");
    let unknown: BodyId = from_value(json!({"slot": 4000000000u32, "generation": 7})).unwrap();
    assert!(world.body(unknown).is_none() && world.remove(unknown).is_err());
    let roll = Steady::straight(Pose::at(DVec3::X * 5.0).unwrap(), -DVec3::X * 5.0, 0.0).unwrap();
    world.set_motion(rolling, Some(Arc::new(roll))).unwrap();
    let advance = Advance::new(Schedule::Queue);
    same(&advance);
    same(&Advance::new(Schedule::Fixed { interval: 0.5 }));
    let mut encounters = Vec::new();
    let progress = world.advance(Span::UNIT, &advance, |_, encounter| encounters.push(encounter.clone()));
    assert_eq!(encounters.len(), 1);
    same(&encounters);
    same(&progress);
    let events: Vec<ContactEvent> = world.events(9.0);
    assert_eq!(events.len(), 1);
    same(&events);
    same(&world.view().ray(&Ray::new(DVec3::Z * 9.0, -DVec3::Z).unwrap()));
    same(&[Mobility::Static, Mobility::Moving].to_vec());
    same(&Filter { group: 1, mask: 6 });
}

#[test]
fn a_format_that_is_not_known_is_refused() {
    for model in models::all(&mut Random::new(11)) {
        let mut document = to_value(&model).unwrap();
        document[model.kind()]["format"] = json!(2);
        let why = refusal::<Model>(document.clone());
        assert!(why.contains("format 2") && why.contains("reads format 1 only"), "{why}");
        document[model.kind()].as_object_mut().unwrap().remove("format");
        assert!(refusal::<Model>(document).contains("missing field `format`"));
    }
}

/// The door is that of the builders, and says the same.
#[test]
fn what_no_builder_takes_is_refused() {
    let sheet = |vertices: Value, triangles: Value| {
        let mesh =
            json!({"format": 1, "inside": "enclosed", "builder": "auto", "vertices": vertices, "triangles": triangles});
        refusal::<Mesh>(mesh)
    };
    let corners = json!([[0, 0, 0], [1, 0, 0], [0, 1, 0]]);
    assert_eq!(sheet(corners.clone(), json!([[0, 1, 7]])), "triangle 0 names vertex 7, but there are only 3 vertices");
    assert_eq!(sheet(corners.clone(), json!([])), "the mesh has no triangles");
    assert!(sheet(json!([[1e200, 0, 0]]), json!([[0, 0, 0]])).contains("lies beyond the supported"));
    assert!(sheet(corners.clone(), json!([[0, 1, -2]])).contains("invalid value"));
    assert!(sheet(corners, json!([[0, 1]])).contains("invalid length"));

    let hull = |vertices: Value, ids: Value| {
        let dropped = json!({"copies": 0, "inside": 0});
        refusal::<Convex>(json!({"format": 1, "vertices": vertices, "ids": ids, "dropped": dropped}))
    };
    assert_eq!(hull(json!([]), json!([])), "there are no points to take the hull of");
    assert_eq!(hull(json!([[0, 0, 0]]), json!([1, 2])), "the hull has 1 vertices, but 2 indices of them");
    assert_eq!(hull(json!([[0, 0, 0], [1, 0, 0]]), json!([4, 4])), "two vertices of the hull have the index 4");

    let ball =
        |radius: f64, margin: f64| json!({"format": 1, "shape": {"sphere": {"radius": radius}}, "margin": margin});
    assert!(refusal::<Round>(ball(-1.0, 0.0)).contains("the radius is -1, but has to be positive"));
    assert!(refusal::<Round>(ball(1.0, -1.0)).contains("the margin is -1"));
    let unknown = json!({"format": 1, "shape": {"torus": {"radius": 1}}, "margin": 0});
    assert!(refusal::<Round>(unknown).contains("unknown variant `torus`"));
    assert!(refusal::<Parts>(json!({"format": 1, "exact": true, "pieces": []})).contains("no pieces"));

    let place = |w: f64| json!({"translation": [0, 0, 0], "rotation": [0, 0, 0, w]});
    assert!(refusal::<Pose>(place(2.0)).contains("the quaternion has length 2"));
    let row = |time: f64| json!([time, place(1.0)]);
    assert!(refusal::<TimedPoses>(json!({"centre": [0, 0, 0], "rows": []})).contains("no poses"));
    let reversed = json!({"centre": [0, 0, 0], "rows": [row(1.0), row(0.0)]});
    assert!(refusal::<TimedPoses>(reversed).contains("not later"));
    assert!(refusal::<Ray>(json!({"origin": [0, 0, 0], "direction": [0, 0, 0]})).contains("zero"));
    assert!(refusal::<Span>(json!({"from": 1, "to": 0})).contains("end later"));
    assert!(refusal::<Method>(json!("gjkk")).contains("'gjkk' is none of auto, brute"));
    assert!(refusal::<Interval>(json!({"lower": "infinite", "upper": 0})).contains("\"inf\""));
}

#[test]
fn a_body_of_ones_own_cannot_be_written() {
    #[derive(Debug)]
    struct Dot;
    impl Support for Dot {
        fn support(&self, _: DVec3) -> DVec3 {
            DVec3::ZERO
        }
        fn centre(&self) -> DVec3 {
            DVec3::ZERO
        }
        fn radius(&self) -> f64 {
            0.0
        }
    }
    let why = to_string(&Model::from(Round::custom(Arc::new(Dot)).unwrap())).unwrap_err();
    assert!(why.to_string().contains("cannot be written"));
}

/// Changes a leaf, leaves out an entry, or doubles one, somewhere in the document.
fn spoil(document: &mut Value, random: &mut Random) {
    let numbers =
        [json!(0), json!(-1), json!(3), json!(-0.5), json!(1e-320), json!(1e30), json!(1e308), json!(4294967295u64)];
    let others = [json!(null), json!("inf"), json!([]), json!({}), json!([0, 0, 0]), json!(true), json!("winding")];
    match document {
        Value::Array(list) if !list.is_empty() && random.below(8) > 0 => {
            let at = random.below(list.len() as u64) as usize;
            match random.below(10) {
                0 => drop(list.remove(at)),
                1 => list.push(list[at].clone()),
                _ => spoil(&mut list[at], random),
            }
        }
        Value::Object(map) if !map.is_empty() && random.below(20) > 0 => {
            let key = map.keys().nth(random.below(map.len() as u64) as usize).cloned().unwrap();
            spoil(map.get_mut(&key).unwrap(), random);
        }
        leaf => {
            let odd = if leaf.is_number() && random.below(8) > 0 { &numbers[..] } else { &others[..] };
            *leaf = odd[random.below(odd.len() as u64) as usize].clone();
        }
    }
}

/// Whatever a document says, it is refused, or gives a body that answers.
#[test]
fn spoilt_documents_are_refused_or_harmless() {
    let mut random = Random::new(12);
    let documents: Vec<Value> = models::all(&mut random).iter().map(|model| to_value(model).unwrap()).collect();
    let (mut refused, mut read) = (0, 0);
    for round in 0..if std::env::var_os("IMPINGE_LONG").is_some() { 20_000 } else { 400 } {
        let mut document = documents[round % documents.len()].clone();
        for _ in 0..1 + random.below(2) {
            spoil(&mut document, &mut random);
        }
        let Ok(model) = from_value::<Model>(document) else {
            refused += 1;
            continue;
        };
        read += 1;
        let other = Round::cuboid(DVec3::ONE).unwrap();
        let mut pair = Pair::new(model.clone(), other);
        let pose = Pose::new(random.point(1.5), random.rotation()).unwrap();
        let distance = pair.distance(&Pose::IDENTITY, &pose).interval;
        assert!(distance.lower <= distance.upper, "{model:?} {distance:?}");
        assert_eq!(pair.overlap(&Pose::IDENTITY, &pose).overlap, distance.upper == 0.0);
        pair.contacts(&Pose::IDENTITY, &pose, Limit::UpTo(5)).iter().for_each(drop);
        pair.impact(&Steady::still(Pose::IDENTITY), &Steady::still(pose), Span::UNIT);
        assert!(format!("{model:?}").len() < 2000);
        let _ = (model.outline(&pose, Outline::Cube), model.point_distance(&pose, DVec3::ONE));
        let written = to_value(&model).unwrap();
        assert_eq!(to_value(from_value::<Model>(written.clone()).unwrap()).unwrap(), written);
    }
    assert!(refused > 50 && read > 50, "{refused} refused, {read} read");
}
