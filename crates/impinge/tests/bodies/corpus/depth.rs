//! How deep real models are in each other: the way out of the answer is free, and no longer than that of the hulls.
//!
//! The corpus is found through `IMPINGE_CORPUS`; without it these tests say so and pass.

use std::time::{Duration, Instant};

use glam::DVec3;
use impinge::{Convex, DepthKind, Mesh, Pair, Pose};
use impinge_testing::environment;
use impinge_testing::random::Random;

fn model(name: &str) -> Option<Mesh> {
    let folder = environment::corpus()?;
    let part = impinge_io::read(&folder.join("meshes").join(name)).unwrap().merged();
    Some(Mesh::new(part.vertices, part.triangles).unwrap())
}

const MODELS: [&str; 8] = [
    "stanford/bunny_5k.obj.gz",
    "mech/chain_link.obj.gz",
    "mech/gear.obj.gz",
    "mech/nut_big.obj.gz",
    "mech/sprocket_20teeth.obj.gz",
    "mech/piston_crank.stl.gz",
    "mech/not_convex.obj.gz",
    "fcl/rob.obj.gz",
];

#[test]
fn models_leave_each_other() {
    let mut random = Random::new(11);
    for name in MODELS {
        let Some(mesh) = model(name) else { return };
        // A closed mesh as it is; any other made a solid by winding number.
        let mesh = if mesh.is_solid() { mesh } else { mesh.into_solid_by_winding() };
        let [low, high] = mesh.bounds().unwrap();
        let (size, hull) = ((high - low).max_element(), Convex::hull(mesh.hull().unwrap().vertices()).unwrap());
        let mut pair = Pair::new(mesh.clone(), mesh);
        let (mut met, mut time, mut gained) = (0, Duration::ZERO, 0.0);
        let mut poses = vec![Pose::IDENTITY];
        poses.extend((0..8).map(|i| {
            let turn = random.rotation();
            let centre = (low + high) * 0.5;
            let at = centre - turn * centre + random.point(1.0).normalize_or(DVec3::X) * (0.15 * f64::from(i) * size);
            Pose::new(at, turn).unwrap()
        }));
        for pose in poses {
            let say = format!("{name} at {pose:?}");
            if !pair.overlap(&Pose::IDENTITY, &pose).overlap {
                continue;
            }
            met += 1;
            let start = Instant::now();
            let deep = pair.penetration(&Pose::IDENTITY, &pose);
            time += start.elapsed();
            let (i, way) = (deep.interval, deep.direction.unwrap());
            assert!(i.lower <= i.upper && i.upper.is_finite() && i.upper > 0.0, "{say}: {deep:?}");
            assert!(matches!(deep.kind, DepthKind::Exact | DepthKind::UpperBound), "{say}: {deep:?}");
            let moved = Pose::new(pose.translation() + way * i.upper, pose.rotation()).unwrap();
            assert!(!pair.overlap(&Pose::IDENTITY, &moved).overlap, "{say}: {deep:?}");
            let hulls = Pair::new(hull.clone(), hull.clone()).penetration(&Pose::IDENTITY, &pose);
            assert!(i.upper <= hulls.interval.upper + 1e-9 * size, "{say}: {deep:?} and hulls {hulls:?}");
            for share in [0.3, 0.9, 0.999] {
                let away = random.point(1.0).normalize_or(DVec3::Y) * (share * i.lower);
                let short = Pose::new(pose.translation() + away, pose.rotation()).unwrap();
                assert!(pair.overlap(&Pose::IDENTITY, &short).overlap, "{say}: {deep:?}, free by {away}");
            }
            gained += i.upper / hulls.interval.upper;
            println!("  {:?} [{:.4}, {:.4}] of {:.4}", deep.kind, i.lower, i.upper, hulls.interval.upper);
        }
        assert!(met >= 3, "{name}: {met}");
        let (met, each) = (f64::from(met), time / met);
        println!("{name}: {met} depths, {each:?} each, {:.2} of the hulls'", gained / met);
    }
}
