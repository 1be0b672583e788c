//! A half-space that moves on to flat meshes, and they on to it: the corner that it reaches first says when.

use impinge::glam::DVec3;
use impinge::{Convex, SweepOptions};
use impinge::{ImpactMethod, ImpactOptions, Interval, Mesh, Model, Pair, Parts, Pose, Round, Span, Steady};
use impinge_testing::environment::rounds;
use impinge_testing::random::Random;

/// Two triangles in one plane, at right angles to it or not, and where a half-space with this normal meets them.
#[derive(Debug)]
struct Fall {
    mesh: Mesh,
    corners: Vec<DVec3>,
    poses: [Pose; 2],
    normal: DVec3,
    offset: f64,
    /// Of the mesh relative to the half-space.
    velocity: DVec3,
}

impl Fall {
    fn new(random: &mut Random) -> Fall {
        let size = if random.below(3) == 0 { 20.0 } else { 1.0 };
        let flat = [[-1., -1., 0.], [1., -1., 0.], [1., 1., 0.], [-1., 1., 0.]];
        let corners: Vec<DVec3> = flat.map(|p| DVec3::from_array(p) * size).to_vec();
        let normal = random.rotation() * DVec3::Z;
        let rotation = match random.below(3) {
            // The plane of the mesh is that of the half-space, up to rounding.
            0 => impinge::glam::DQuat::from_rotation_arc(DVec3::Z, normal),
            _ => random.rotation(),
        };
        let place =
            Pose::new(random.point(3.0) + normal * (7.0 + random.within(1.5 * size, 4.0 * size)), rotation).unwrap();
        // Down, and at times much faster to a side.
        let aside = random.point(1.0) * [0.5, 5.0, 500.0][random.below(3) as usize];
        let velocity = aside - normal * (normal.dot(aside) + random.within(2.0, 12.0) * size);
        let mesh = Mesh::new(corners.clone(), vec![[0, 1, 2], [0, 2, 3]]).unwrap();
        let stands = Pose::at(random.point(2.0)).unwrap();
        Fall { mesh, corners, poses: [stands, place], normal, offset: random.within(-0.5, 0.5), velocity }
    }

    /// The time at which the lowest corner comes to the plane, and how far rounding may have put it off.
    fn truth(&self) -> (f64, f64) {
        let height = |p: &DVec3| {
            let there = self.poses[1].apply(*p) - self.poses[0].translation();
            self.normal.dot(there) - self.offset
        };
        let lowest = self.corners.iter().map(height).fold(f64::INFINITY, f64::min);
        let (speed, reach) = (-self.normal.dot(self.velocity), 60.0);
        (lowest / speed, 64.0 * f64::EPSILON * (reach + self.velocity.length()) / speed)
    }

    fn holds(&self, time: Interval, certain: bool, case: &str) {
        let (truth, off) = self.truth();
        assert!(certain, "{case}: {time:?} {truth}");
        assert!(time.lower <= truth + off, "{case}: late by {:e}: {time:?} {truth}", time.lower - truth);
        assert!(time.upper >= truth - off && time.upper <= truth + 1e-9, "{case}: {time:?} {truth}");
        assert!(time.lower >= truth - 1e-6, "{case}: early by {:e}: {time:?} {truth}", truth - time.lower);
    }
}

#[test]
fn flat_meshes_and_half_spaces_meet_when_the_lowest_corner_does() {
    let mut random = Random::new(61);
    for case in 0..rounds(300) {
        let fall = Fall::new(&mut random);
        let (truth, _) = fall.truth();
        let plane: Model = Round::half_space(fall.normal, fall.offset).unwrap().into();
        let mesh: Model = fall.mesh.clone().into();
        let hull: Model = Convex::hull(&fall.corners).unwrap().into();
        let part: Model = Parts::new(vec![Convex::hull(&fall.corners).unwrap()]).unwrap().into();
        let [stands, place] = fall.poses;
        for (kind, body) in [("mesh", &mesh), ("hull", &hull), ("part", &part)] {
            for method in [ImpactMethod::Auto, ImpactMethod::Advancement] {
                let options = ImpactOptions { method, ..ImpactOptions::default() };
                for moves in 0..3 {
                    // The one, the other, or both move.
                    let share = [0.0, 1.0, 0.3][moves];
                    let down = Steady::straight(place, fall.velocity * (1.0 - share), 0.0).unwrap();
                    let up = Steady::straight(stands, fall.velocity * -share, 0.0).unwrap();
                    let name = format!("case {case}, {kind}, {method}, {moves}");
                    let impact = Pair::new(body, &plane).impact_with(&down, &up, Span::UNIT, &options);
                    let turned = Pair::new(&plane, body).impact_with(&up, &down, Span::UNIT, &options);
                    for impact in [impact, turned] {
                        if truth > 1.0 {
                            assert!(impact.time.is_none(), "{name}");
                            continue;
                        }
                        let time = impact.time.unwrap_or_else(|| panic!("{name}: missed at {truth}: {fall:?}"));
                        fall.holds(time, impact.certain, &name);
                    }
                }
            }
            let cast = body.cast(&place, &plane, &stands, -fall.velocity).unwrap();
            match cast {
                Some(hit) => fall.holds(hit.time, hit.certain, &format!("case {case}, {kind}, cast")),
                None => assert!(truth > 1.0, "case {case}: {truth}"),
            }
            let down = Steady::straight(place, fall.velocity, 0.0).unwrap();
            let swept = SweepOptions { enough: Some(0.0), ..SweepOptions::default() };
            let near = Pair::new(&plane, body).sweep_with(&Steady::still(stands), &down, Span::UNIT, &swept);
            assert_eq!(near.interval.lower > 0.0, truth > 1.0, "case {case}, {kind}: {near:?}");
        }
    }
}
