//! When deforming meshes part: against exact overlap at many times, and known answers.

use glam::{DQuat, DVec3};
use impinge::{ContactInterval, Deforming, Interval, Mesh, Model, Pose, distance, overlap};
use impinge_testing::environment::rounds;
use impinge_testing::random::Random;
use impinge_testing::shapes;
use impinge_testing::soup::Soup;

use super::asked::{contacts_of, impact_and_parting_of};

fn v(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

fn mesh(soup: &Soup) -> Mesh {
    Mesh::new(soup.vertices.clone(), soup.triangles.clone()).unwrap()
}

fn moved(soup: &Soup, by: DVec3) -> Vec<DVec3> {
    soup.vertices.iter().map(|x| *x + by).collect()
}

fn deforming(start: &Soup, end: &[DVec3]) -> Deforming {
    Deforming::new(mesh(start), end).unwrap()
}

fn touch_at(bodies: [(&Soup, &[DVec3]); 2], t: f64) -> bool {
    let [x, y] = bodies.map(|(start, end)| {
        let vertices = start.vertices.iter().zip(end).map(|(s, e)| *s * (1.0 - t) + *e * t).collect();
        Model::from(Mesh::new(vertices, start.triangles.clone()).unwrap())
    });
    overlap(&x, &Pose::IDENTITY, &y, &Pose::IDENTITY).overlap
}

fn leaves(a: &Deforming, b: &Deforming) -> Option<Interval> {
    impact_and_parting_of(a, b, 0.0).leaves
}

fn body(random: &mut Random) -> (Soup, Vec<DVec3>) {
    let place = random.point(3.0);
    let start = match random.below(4) {
        0 => shapes::cuboid(place, DVec3::ONE),
        1 => shapes::tetra(std::array::from_fn(|_| place + random.point(1.5))),
        2 => shapes::sphere(1, 1.0).map(|x| x + place),
        _ => Soup {
            vertices: (0..9).map(|_| place + random.point(1.0)).collect(),
            triangles: vec![[0, 1, 2], [3, 4, 5], [6, 7, 8], [2, 3, 3]],
        },
    };
    let turn = DQuat::from_scaled_axis(random.point(1.5));
    let wobble = [0.0, 0.1, 1.0][random.below(3) as usize];
    let to = random.point(2.0) - place * random.within(0.5, 1.5);
    let end = start.vertices.iter().map(|x| to + turn * (*x - place) + random.point(wobble)).collect();
    (start, end)
}

/// They touch at `lower`, do not at `upper`, and at no sample between the first contact and `lower` are they apart;
/// where they are not said to part, at no sample at all.
#[test]
fn no_parting_is_late_or_early() {
    let mut random = Random::new(81);
    let (mut parted, mut stayed, mut widest) = (0, 0, 0.0f64);
    for round in 0..rounds(700) {
        let ((sa, ea), (sb, eb)) = (body(&mut random), body(&mut random));
        let (a, b) = (deforming(&sa, &ea), deforming(&sb, &eb));
        let impact = impact_and_parting_of(&a, &b, 0.0);
        let leaves = impact.leaves;
        let Some(time) = impact.time.filter(|_| impact.certain) else {
            assert!(leaves.is_none() || impact.time.is_some(), "{round}: {leaves:?}");
            continue;
        };
        let both = [(&sa, &ea[..]), (&sb, &eb[..])];
        let until = leaves.map_or(1.0, |leaves| leaves.lower);
        assert!(
            until >= time.lower && leaves.is_none_or(|l| l.lower <= l.upper && l.upper <= 1.0),
            "{round}: {leaves:?}"
        );
        for k in 0..=200 {
            let t = time.upper + (until - time.upper) * f64::from(k) / 200.0;
            assert!(until <= time.upper || touch_at(both, t), "{round}: apart at {t}, {time:?} {leaves:?}");
        }
        if let Some(leaves) = leaves {
            widest = widest.max(leaves.width());
            assert!(!touch_at(both, leaves.upper), "{round}: touching at {leaves:?}");
            parted += 1;
        } else {
            assert!(touch_at(both, 1.0), "{round}: apart at the end, {time:?}");
            stayed += 1;
        }
    }
    println!("{parted} parted, {stayed} stayed, intervals up to {widest:e}");
    assert!(parted > 100 && stayed > 30 && widest < 1e-9, "{parted} parted, {stayed} stayed, {widest}");
}

/// Every contact, also within a tolerance, against the distance at samples: none is missed, and what is certain holds.
#[test]
fn contacts_over_the_step_hold_at_every_sample() {
    let mut random = Random::new(83);
    let (mut met, mut several) = (0, 0);
    for round in 0..rounds(200) {
        let ((sa, ea), (sb, eb)) = (body(&mut random), body(&mut random));
        let (a, b) = (deforming(&sa, &ea), deforming(&sb, &eb));
        let tolerance = [0.0, 0.0, 0.01, 0.3, 1.0][round as usize % 5];
        let contacts = contacts_of(&a, &b, tolerance);
        let impact = impact_and_parting_of(&a, &b, tolerance);
        assert_eq!(impact.time.map(|time| time.lower), contacts.first().map(|c| c.begins.lower), "{round}");
        met += u32::from(!contacts.is_empty());
        several += u32::from(contacts.len() > 1);
        for k in 0..=200 {
            let t = f64::from(k) / 200.0;
            let [x, y] = [(&sa, &ea), (&sb, &eb)].map(|(start, end)| {
                let vertices = start.vertices.iter().zip(end).map(|(s, e)| *s * (1.0 - t) + *e * t).collect();
                Model::from(Mesh::new(vertices, start.triangles.clone()).unwrap())
            });
            let near = distance(&x, &Pose::IDENTITY, &y, &Pose::IDENTITY).interval;
            let end = |c: &ContactInterval, f: fn(&Interval) -> f64| c.ends.as_ref().map_or(1.0, f);
            let may = contacts.iter().any(|c| c.begins.lower <= t && t <= end(c, |e| e.upper));
            let must = contacts.iter().any(|c| c.certain && c.begins.upper < t && t < end(c, |e| e.lower));
            assert!(may || near.upper > tolerance, "{round}: near at {t}, {tolerance}: {contacts:?}");
            assert!(!must || near.lower <= tolerance + 1e-9, "{round}: {near:?} at {t}, {tolerance}: {contacts:?}");
        }
    }
    println!("{met} met, {several} more than once");
    assert!(met > 80 && several > 3, "{met} met, {several} more than once");
}

/// A comb passes through a plate: between the teeth the bodies are apart for a ten-thousandth of the step, which no
/// steps of a thousandth would see.
#[test]
fn a_short_parting_is_not_passed_over() {
    let plate = shapes::cuboid(DVec3::ZERO, v(0.01, 5.0, 5.0));
    let tooth = |x: f64| shapes::cuboid(v(x, 0.0, 0.0), v(1.0, 0.5, 0.5));
    // Gap between the teeth, less the thickness of the plate, over the speed: 2e-3/20.
    let comb = tooth(-2.0).and(&tooth(-2.0 - 2.0 - 0.022));
    let a = deforming(&comb, &moved(&comb, DVec3::X * 20.0));
    let b = Deforming::still(mesh(&plate));
    let impact = impact_and_parting_of(&a, &b, 0.0);
    assert!((impact.time.unwrap().lower - 0.99 / 20.0).abs() < 1e-9, "{impact:?}");
    let leaves = impact.leaves.unwrap();
    assert!((leaves.lower - 3.01 / 20.0).abs() < 1e-9 && leaves.width() < 1e-9, "{leaves:?}");
    let contacts = contacts_of(&a, &b, 0.0);
    assert_eq!(contacts.len(), 2, "{contacts:?}");
    assert!((contacts[1].begins.lower - 3.012 / 20.0).abs() < 1e-9, "{contacts:?}");
    assert!(contacts[1].ends.is_some_and(|ends| (ends.lower - 5.032 / 20.0).abs() < 1e-9), "{contacts:?}");
}

/// What is inside stays in contact while its surface meets nothing; then it comes out through the wall.
#[test]
fn what_is_inside_parts_when_it_has_come_out() {
    let cube = shapes::cuboid(DVec3::ZERO, DVec3::ONE);
    let small = shapes::cuboid(v(0.0, 0.1, 0.2), DVec3::splat(0.25));
    let b = Deforming::still(mesh(&cube));
    let out = leaves(&deforming(&small, &moved(&small, DVec3::X * 5.0)), &b).unwrap();
    assert!((out.lower - 0.25).abs() < 1e-9 && out.width() < 1e-9, "{out:?}");
    assert_eq!(leaves(&deforming(&small, &moved(&small, DVec3::X * 0.2)), &b), None);
    assert_eq!(leaves(&Deforming::still(mesh(&small)), &b), None);
}

#[test]
fn what_only_touches_parts_at_once() {
    let cube = shapes::cuboid(DVec3::ZERO, DVec3::ONE);
    let beside = shapes::cuboid(DVec3::X * 2.0, DVec3::ONE);
    let b = Deforming::still(mesh(&cube));
    let away = leaves(&deforming(&beside, &moved(&beside, DVec3::X)), &b).unwrap();
    assert!(away.lower == 0.0 && away.upper < 1e-9, "{away:?}");
    // It slides along, flush, until its edge has passed the other's.
    let along = leaves(&deforming(&beside, &moved(&beside, DVec3::Y * 8.0)), &b).unwrap();
    assert!((along.lower - 0.25).abs() < 1e-9 && along.width() < 1e-9, "{along:?}");
    assert_eq!(leaves(&deforming(&beside, &moved(&beside, DVec3::Y)), &b), None);
}

#[test]
fn what_does_not_touch_does_not_part() {
    let cube = shapes::cuboid(DVec3::ZERO, DVec3::ONE);
    let far = shapes::cuboid(DVec3::X * 9.0, DVec3::ONE);
    assert_eq!(leaves(&deforming(&far, &moved(&far, DVec3::Y)), &Deforming::still(mesh(&cube))), None);
    assert_eq!(leaves(&Deforming::still(Mesh::empty()), &Deforming::still(mesh(&cube))), None);
}

/// A needle passes through the corner of a sheet, `deep` from its tip, where the sheet is as wide.
#[test]
fn a_graze_parts() {
    let sheet = shapes::triangle([v(-5.0, -10.0, 0.0), v(5.0, -10.0, 0.0), v(0.0, 0.0, 0.0)]);
    let b = Deforming::still(mesh(&sheet));
    for deep in [1e-2, 1e-4, 1e-6, 1e-8] {
        let needle = shapes::triangle([v(-2.0, -deep, -1.0), v(-2.0, -deep, 1.0), v(-2.0, -deep, 1.0)]);
        let a = deforming(&needle, &moved(&needle, DVec3::X * 4.0));
        let impact = impact_and_parting_of(&a, &b, 0.0);
        let (time, leaves) = (impact.time.unwrap(), impact.leaves.unwrap());
        assert!((time.lower - 0.5 + deep / 8.0).abs() < 1e-9, "{deep}: {impact:?}");
        assert!((leaves.upper - 0.5 - deep / 8.0).abs() < 1e-9 && leaves.width() < 1e-9, "{deep}: {leaves:?}");
    }
    let past = shapes::triangle([v(-2.0, 0.0, -1.0), v(-2.0, 0.0, 1.0), v(-2.0, 0.0, 1.0)]);
    let a = deforming(&past, &moved(&past, DVec3::X * 4.0));
    let impact = impact_and_parting_of(&a, &b, 0.0);
    let (time, leaves) = (impact.time.unwrap(), impact.leaves.unwrap());
    assert!((time.lower - 0.5).abs() < 1e-9 && (leaves.upper - 0.5).abs() < 1e-9, "{impact:?} {leaves:?}");
}

/// Gears of many teeth: contacts change often, and it ends.
#[test]
fn many_changes_end() {
    let gear = |at: DVec3| shapes::sphere(3, 1.0).map(|x| x * (1.0 + 0.05 * (40.0 * x.x.atan2(x.y)).sin()) + at);
    let (sa, sb) = (gear(DVec3::ZERO), gear(DVec3::X * 1.9));
    let turn = |s: &Soup, at: DVec3, angle: f64| -> Vec<DVec3> {
        s.vertices.iter().map(|x| at + DQuat::from_rotation_z(angle) * (*x - at)).collect()
    };
    let a = deforming(&sa, &turn(&sa, DVec3::ZERO, 1.0));
    let b = deforming(&sb, &turn(&sb, DVec3::X * 1.9, 1.3));
    let begin = std::time::Instant::now();
    let leaves = leaves(&a, &b);
    let limit = if cfg!(debug_assertions) { 60 } else { 6 };
    println!("{leaves:?} in {:?}", begin.elapsed());
    assert!(begin.elapsed().as_secs() < limit, "{:?}", begin.elapsed());
}
