//! The lines that show a world lie where it is, are those asked for, and are the same every time.

use glam::DVec3;
use impinge::bound::Aabb;
use impinge::{
    Body, BodyId, Convex, DebugFlags, DebugLine, Limit, LineKind, Mesh, Model, Outline, Parts, Pose, Round, World,
};
use impinge_testing::random::Random;
use impinge_testing::shapes;

fn models(r: &mut Random) -> Vec<Model> {
    let torus = shapes::torus(0.6, 0.2, 12, 8);
    let pieces = [[DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z], [DVec3::ONE, DVec3::X, DVec3::Y, DVec3::Z]];
    vec![
        Round::sphere(0.5).unwrap().into(),
        Round::cuboid(DVec3::ONE).unwrap().into(),
        Round::capsule(0.3, 1.0).unwrap().into(),
        Round::cone(0.3, 1.0).unwrap().with_margin(0.1).unwrap().into(),
        Convex::hull(&(0..12).map(|_| r.point(0.6)).collect::<Vec<_>>()).unwrap().into(),
        Mesh::new(torus.vertices, torus.triangles).unwrap().into(),
        Parts::from_hulls(pieces.iter().map(|piece| &piece[..])).unwrap().into(),
        Mesh::empty().into(),
        Round::half_space(DVec3::Z, -3.0).unwrap().into(),
    ]
}

fn full(seed: u64) -> (World, Vec<BodyId>) {
    let mut r = Random::new(seed);
    let models = models(&mut r);
    let mut world = World::new();
    let body = |k: usize, r: &mut Random| {
        let turn = r.rotation();
        Body::new(models[k % models.len()].clone(), Pose::new(r.point(1.5), turn).unwrap())
    };
    let ids = (0..27).map(|k| world.add(body(k, &mut r)).unwrap()).collect();
    (world, ids)
}

fn of(lines: &[DebugLine], kind: LineKind) -> Vec<DebugLine> {
    lines.iter().filter(|line| line.kind == kind).copied().collect()
}

#[test]
fn lines_are_those_asked_for_and_no_others() {
    let (mut world, _) = full(1);
    let all = world.debug_lines(DebugFlags::ALL);
    let flags = [
        (DebugFlags::BOXES, LineKind::Box),
        (DebugFlags::OUTLINES, LineKind::Outline),
        (DebugFlags::CONTACTS, LineKind::Contact),
        (DebugFlags::NORMALS, LineKind::Normal),
        (DebugFlags::TREE, LineKind::Tree),
    ];
    for (flag, kind) in flags {
        let lines = world.debug_lines(flag);
        assert!(!lines.is_empty() && lines == of(&all, kind), "{kind:?}");
    }
    assert!(world.debug_lines(DebugFlags::default()).is_empty());
    assert!(world.clone().debug_lines(DebugFlags::ALL) == full(1).0.debug_lines(DebugFlags::ALL));
    assert!(all.iter().all(|line| line.ends.iter().all(|end| end.is_finite())));
}

#[test]
fn lines_lie_on_their_bodies() {
    let (mut world, ids) = full(2);
    let lines = world.debug_lines(DebugFlags::ALL);
    for id in ids {
        let body = world.body(id).unwrap();
        let own = |kind| of(&lines, kind).into_iter().filter(|line| line.body == Some(id)).collect::<Vec<_>>();
        let bounds = body.model.outline(&body.pose, Outline::Fitted);
        let drawn = Aabb::new(DVec3::INFINITY, DVec3::NEG_INFINITY);
        let around = own(LineKind::Box).iter().flat_map(|line| line.ends).fold(drawn, |b, p| b.join(&Aabb::new(p, p)));
        let has_box = bounds.is_some_and(|b| b != Aabb::EMPTY);
        assert_eq!(own(LineKind::Box).len(), if has_box { 12 } else { 0 });
        assert!(!has_box || bounds == Some(around));
        for end in own(LineKind::Outline).iter().flat_map(|line| line.ends) {
            let distance = body.model.point_distance(&body.pose, end).unwrap().interval;
            assert!(distance.lower < 1e-9 && distance.upper > -1e-9, "{} {distance:?}", body.model.kind());
        }
        assert_eq!(own(LineKind::Outline).is_empty(), bounds == Some(Aabb::EMPTY));
    }
}

#[test]
fn crosses_are_at_the_contacts() {
    let (mut world, _) = full(3);
    let lines = world.debug_lines(DebugFlags::CONTACTS | DebugFlags::NORMALS);
    let (crosses, normals) = (of(&lines, LineKind::Contact), of(&lines, LineKind::Normal));
    let mut places: Vec<DVec3> = Vec::new();
    for met in world.contacts(Limit::UpTo(64)) {
        for contact in met.answer.iter() {
            places.extend(contact.points.iter().map(|[p, q]| *p * 0.5 + *q * 0.5));
        }
    }
    assert!(places.len() > 20 && crosses.len() == 3 * places.len() && normals.len() <= places.len());
    for (cross, place) in crosses.chunks(3).zip(&places) {
        assert!(cross.iter().all(|line| line.ends[0].midpoint(line.ends[1]).distance(*place) < 1e-12));
    }
    assert!(normals.iter().all(|line| places.contains(&line.ends[0])));
}
