//! The adversarial cases about convex bodies, each under its id: what the corpus has no fields for (witnesses, normals,
//! hulls, starts and steps). The plain numbers are in `testdata/cases/hulls.toml`.
#![allow(clippy::excessive_precision, reason = "the digits as published")]

use glam::{DMat3, DQuat, DVec3};
use impinge::{BuildError, Convex, DepthKind, Method, Pair, Pose};
use impinge_testing::random::Random;

use crate::verdict::engines::{DEPTH, DISTANCE, of_convex};
use crate::verdict::families::{cube, cuboid};
use crate::verdict::hull_answers::{CASE, Judge};
use crate::verdict::hulls::Scene;

fn v(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

fn unit() -> Vec<DVec3> {
    cube(DVec3::ZERO, 1.0)
}

/// Asks every engine and every verb about the scene, in both orders of the bodies, and then calls `ask` for the engines
/// named.
fn through(scene: &Scene, engines: &[Method], ask: impl Fn(&mut Pair, Method)) {
    for scene in [scene.clone(), scene.swapped()] {
        let judge = Judge::with(&scene, scene.exact(), CASE);
        for engine in of_convex() {
            let mut pair = scene.pair(engine);
            for warmth in ["cold", "warm"] {
                judge.all(&mut pair, engine).unwrap_or_else(|e| panic!("{engine}, {warmth}: {e}"));
            }
        }
    }
    for &engine in engines {
        ask(&mut scene.pair(engine), engine);
    }
}

fn witnesses(pair: &mut Pair, scene: &Scene) -> [DVec3; 2] {
    pair.distance(&scene.pose_a, &scene.pose_b).witness.unwrap().points
}

/// The direction of the depth, unless the engine only estimates it.
fn direction(pair: &mut Pair, scene: &Scene) -> Option<DVec3> {
    let got = pair.penetration(&scene.pose_a, &scene.pose_b);
    (got.kind != DepthKind::Estimate).then(|| got.direction.unwrap())
}

fn close(p: DVec3, q: DVec3) -> bool {
    p.distance(q) <= 1e-12
}

/// All points whose coordinates are among these numbers.
fn lattice(line: &[f64]) -> Vec<DVec3> {
    let mut points = Vec::new();
    for &x in line {
        for &y in line {
            points.extend(line.iter().map(|&z| v(x, y, z)));
        }
    }
    points
}

#[test]
fn a01_point_over_a_plate() {
    let plate = vec![v(-1.0, -1.0, 0.0), v(1.0, -1.0, 0.0), v(1.0, 1.0, 0.0), v(-1.0, 1.0, 0.0)];
    let scene = Scene::still(plate, vec![v(0.0, 0.0, 0.25)]);
    through(&scene, &DISTANCE, |pair, engine| {
        let [p, q] = witnesses(pair, &scene);
        assert!(close(p, DVec3::ZERO) && close(q, v(0.0, 0.0, 0.25)), "{engine}: {p} {q}");
    });
}

#[test]
fn a07_a08_hulls_of_many_points() {
    let thrice: Vec<DVec3> = unit().into_iter().flat_map(|p| [p; 3]).collect();
    let hull = Convex::hull(&thrice).unwrap();
    assert_eq!((hull.vertex_count(), hull.edge_count()), (8, hull.face_count() + 6));
    let grid: Vec<DVec3> =
        lattice(&[-1.0, -0.5, 0.0, 0.5, 1.0]).into_iter().filter(|p| p.abs().max_element() == 1.0).collect();
    assert_eq!(grid.len(), 98);
    let hull = Convex::hull(&grid).unwrap();
    assert_eq!(hull.vertex_count(), 8, "only the corners are corners");
    assert!([6, 12].contains(&hull.face_count()), "{} faces", hull.face_count());
    for f in 0..hull.face_count() as u32 {
        let c: Vec<DVec3> = hull.face_corners(f).unwrap().map(|i| hull.vertices()[i as usize]).collect();
        let area = (1..c.len() - 1).map(|i| (c[i] - c[0]).cross(c[i + 1] - c[0])).sum::<DVec3>();
        assert!(area.length() >= 4.0 - 1e-12, "face {f} has area {area}");
        assert!(area.dot(c[0]) > 0.0, "face {f} winds inwards");
    }
    for i in 0..8 {
        let id = hull.vertex_id(i).unwrap() as usize;
        assert_eq!(grid[id], hull.vertices()[i as usize], "indices are those given");
    }
    through(&Scene::still(grid, vec![v(0.0, 0.0, 3.0)]), &[], |_, _| {});
    through(&Scene::still(thrice, cube(v(3.0, 0.0, 0.0), 1.0)), &[], |_, _| {});
}

#[test]
fn a11_parallel_faces() {
    let scene = Scene::still(unit(), cube(v(3.0, 0.0, 0.0), 1.0));
    through(&scene, &DISTANCE, |pair, engine| {
        let [p, q] = witnesses(pair, &scene);
        assert_eq!((p.x, q.x), (1.0, 2.0), "{engine}");
    });
}

#[test]
fn a12_point_on_the_border_of_three_regions() {
    let scene = Scene::still(unit(), vec![v(1.0, 1.0, 2.0)]);
    through(&scene, &DISTANCE, |pair, engine| {
        assert_eq!(witnesses(pair, &scene), [v(1.0, 1.0, 1.0), v(1.0, 1.0, 2.0)], "{engine}");
    });
}

#[test]
fn a21_a_body_on_itself() {
    let scene = Scene::still(unit(), unit());
    through(&scene, &DEPTH, |pair, engine| {
        let Some(n) = direction(pair, &scene) else { return };
        assert!((n.abs().max_element() - 1.0).abs() <= 1e-12, "{engine}: {n} is not an axis");
    });
}

#[test]
fn a22_no_points_are_refused() {
    assert_eq!(Convex::hull(&[]).unwrap_err(), BuildError::NoPoints);
}

#[test]
fn a23_vertices_that_are_not_finite_are_named() {
    for (vertex, bad) in [(3, f64::NAN), (5, f64::INFINITY), (0, f64::NEG_INFINITY), (7, -f64::NAN)] {
        for axis in 0..3 {
            let mut points = unit();
            points[vertex][axis] = bad;
            let error = Convex::hull(&points).unwrap_err();
            assert!(matches!(error, BuildError::NotFinite { vertex: named, .. } if named == vertex), "{error:?}");
            assert!(error.to_string().contains(&format!("vertex {vertex}")), "{error}");
        }
    }
}

#[test]
fn b07_parry_49_near_1e_23() {
    let points = [
        [2.3624029e-23f32, 1.3771984e-23, 2.2062083e-24],
        [1.3807439e-23, 1.8596945e-23, -1.784406e-24],
        [1.4174896e-23, -3.200329e-24, 4.664615e-24],
        [1.3685897e-23, 4.6402988e-24, 2.2509113e-24],
    ];
    let hull: Vec<DVec3> = points.iter().map(|p| DVec3::from_array(p.map(f64::from))).collect();
    let scene = Scene::still(hull, vec![DVec3::ZERO]);
    through(&scene, &DISTANCE, |pair, engine| {
        let got = pair.distance(&scene.pose_a, &scene.pose_b).interval;
        assert!((got.mid() - 1.4324476063865836e-23).abs() <= 1e-35, "{engine}: {got:?}");
    });
}

/// A rotation and a place at which feature `fb` of one unit cube faces feature `fa` of another.
fn facing(fa: DVec3, fb: DVec3, random: &mut Random) -> Pose {
    let (out, back) = (fa.normalize(), -fb.normalize());
    let twist = DQuat::from_axis_angle(out, random.within(0.1, 1.4));
    let turn = (twist * DQuat::from_rotation_arc(back, out)).normalize();
    Pose::new(out * 4.0, turn).unwrap()
}

/// The 26 features of a cube: every vector of −1, 0 and 1 but zero.
fn features() -> Vec<DVec3> {
    lattice(&[-1.0, 0.0, 1.0]).into_iter().filter(|d| *d != DVec3::ZERO).collect()
}

#[test]
fn c01_from_every_pair_of_features() {
    let scene = Scene::moved(unit(), unit(), v(3.0, 0.5, 0.25));
    let [a, b] = scene.models();
    let mut random = Random::new(1);
    for engine in DISTANCE {
        let mut pair = Pair::new(&a, &b).with_method(engine);
        for fa in features() {
            for fb in features() {
                let start = facing(fa, fb, &mut random);
                let before = pair.distance(&Pose::IDENTITY, &start);
                assert!(before.interval.lower > 0.1, "{engine}: {before:?}");
                let got = pair.distance(&scene.pose_a, &scene.pose_b);
                assert!((got.interval.mid() - 1.0).abs() <= 1e-12, "{engine} from {fa} {fb}: {got:?}");
                let walks = [Method::LinCanny, Method::LinCannyCells, Method::VClip].contains(&engine);
                assert!(!walks || got.stats.iterations <= 52, "{engine} from {fa} {fb}: {:?}", got.stats);
            }
        }
    }
}

#[test]
fn c02_sliding_past() {
    let scene = Scene::still(unit(), unit());
    let [a, b] = scene.models();
    for engine in of_convex() {
        let mut pair = Pair::new(&a, &b).with_method(engine);
        for step in -160..=160 {
            let y = f64::from(step) / 64.0;
            let pose = Pose::at(v(3.0, y, 0.0)).unwrap();
            let truth = if y.abs() <= 2.0 { 1.0 } else { (y.abs() - 2.0).hypot(1.0) };
            let got = pair.distance(&Pose::IDENTITY, &pose);
            assert!((got.interval.mid() - truth).abs() <= 1e-12, "{engine} at {y}: {got:?}, not {truth}");
            assert!(got.interval.lower <= truth && truth <= got.interval.upper, "{engine} at {y}: {got:?}");
        }
    }
}

#[test]
fn c04_c07_penetrating_after_a_start_elsewhere() {
    let small = cube(DVec3::ZERO, 0.05);
    let deep = [
        (Scene::moved(unit(), unit(), v(1.5, 0.0, 0.0)), v(4.0, 0.0, 0.0), 0.5),
        (Scene::moved(unit(), small, v(0.0, 0.0, -0.9)), v(0.0, 0.0, 2.0), 0.15),
    ];
    for (scene, start, depth) in deep {
        through(&scene, &DEPTH, |pair, engine| {
            pair.forget();
            let before = pair.distance(&Pose::IDENTITY, &Pose::at(start).unwrap());
            assert!(!before.penetrating, "{engine}");
            let got = pair.distance(&scene.pose_a, &scene.pose_b);
            assert!(got.penetrating && got.interval.upper == 0.0, "{engine}: {got:?}");
            let got = pair.penetration(&scene.pose_a, &scene.pose_b);
            let off = (got.interval.mid() - depth).abs();
            assert!(off <= 1e-12 || got.kind == DepthKind::Estimate, "{engine}: {got:?}");
        });
    }
}

/// C10, as far as the public interface allows: a pair whose memory comes from quite another pose.
#[test]
fn c10_a_memory_of_other_poses() {
    let plate = vec![v(-1.0, -1.0, 0.0), v(1.0, -1.0, 0.0), v(1.0, 1.0, 0.0), v(-1.0, 1.0, 0.0)];
    let sliver = vec![DVec3::ZERO, DVec3::X, v(0.5, 1e-12, 0.0), v(0.5, 0.0, 1e-12)];
    let scenes = [
        Scene::still(plate, vec![v(0.0, 0.0, 0.25)]),
        Scene::still(vec![-DVec3::X, DVec3::X], vec![-DVec3::Y, DVec3::Y]),
        Scene::still(sliver, vec![v(0.5, 1.0, 0.0)]),
        Scene::still(unit(), cube(v(3.0, 0.0, 0.0), 1.0)),
        Scene::still(unit(), vec![v(1.0, 1.0, 2.0)]),
        Scene::still(unit(), cube(v(2.0, 2.0, 2.0), 1.0)),
        Scene::still(unit(), unit()),
    ];
    for scene in scenes {
        let judge = Judge::with(&scene, scene.exact(), CASE);
        for engine in of_convex() {
            let mut random = Random::new(10);
            let mut pair = scene.pair(engine);
            for _ in 0..40 {
                let elsewhere = Pose::new(random.point(3.0), random.rotation()).unwrap();
                pair.distance(&Pose::IDENTITY, &elsewhere);
                pair.penetration(&Pose::IDENTITY, &elsewhere);
                judge.all(&mut pair, engine).unwrap_or_else(|e| panic!("{engine}: {e}"));
            }
        }
    }
}

#[test]
fn d01_d04_depth_along_an_axis() {
    let scene = Scene::still(unit(), cube(v(0.0, 0.0, 1.9), 1.0));
    through(&scene, &DEPTH, |pair, engine| {
        let Some(n) = direction(pair, &scene) else { return };
        assert!(close(n, DVec3::Z), "{engine}: {n}");
    });
    let scene = Scene::still(cube(DVec3::ZERO, 0.5), cube(DVec3::splat(0.4), 0.05));
    through(&scene, &DEPTH, |pair, engine| {
        let Some(n) = direction(pair, &scene) else { return };
        assert!((n.max_element() - 1.0).abs() <= 1e-12, "{engine}: {n} is not an axis");
    });
}

/// A box of these full sizes with its corners mapped by the matrix exactly as printed, row by row.
fn printed_box(size: [f64; 3], rows: [[f64; 3]; 3], t: [f64; 3]) -> Vec<DVec3> {
    let matrix = DMat3::from_cols_array_2d(&rows).transpose();
    cuboid(DVec3::from_array(size) * 0.5).into_iter().map(|p| matrix * p + DVec3::from_array(t)).collect()
}

const D06: [[f64; 3]; 3] = [
    [0.94096063217417758029, 0.29296840037289501035, 0.16959541586174811667],
    [-0.23569836841299879326, 0.92661523595848427348, -0.29296840037289506586],
    [-0.2429801799032638987, 0.23569836841299884878, 0.94096063217417758029],
];

#[test]
fn d06_fcl_493_agrees_with_itself() {
    let (ta, tb) = ([0.073242100093223821977, 0.2316538089896212349, 1.3089245921032497399], [0.0, 0.0, 1.25]);
    let rotation = DMat3::from_cols_array_2d(&D06).transpose();
    let pose = |t: [f64; 3]| Pose::from_matrix(DVec3::from_array(t), rotation).unwrap();
    let half = cube(DVec3::ZERO, 0.125);
    let scenes = [
        Scene::still(printed_box([0.25; 3], D06, ta), printed_box([0.25; 3], D06, tb)),
        Scene::new(half.clone(), half, pose(ta), pose(tb)),
    ];
    for scene in scenes {
        for engine in of_convex() {
            let mut pair = scene.pair(engine);
            let (pa, pb) = (&scene.pose_a, &scene.pose_b);
            let (overlap, distance) = (pair.overlap(pa, pb).overlap, pair.distance(pa, pb));
            assert!(distance.interval.mid() <= 1e-15, "{engine}: {distance:?}");
            assert_eq!(overlap, distance.penetrating, "{engine}");
            assert_eq!(overlap, distance.interval.upper == 0.0, "{engine}");
            let deep = pair.penetration(pa, pb);
            assert_eq!(overlap, deep.direction.is_some(), "{engine}: {deep:?}");
            assert!(deep.interval.mid() <= 1e-15 || deep.kind == DepthKind::Estimate, "{engine}: {deep:?}");
        }
    }
}

#[test]
fn d05_d09_d12_by_pose() {
    let boxes = |size: [[f64; 3]; 2], rows: [[[f64; 3]; 3]; 2], t: [[f64; 3]; 2]| {
        let [a, b] = size.map(|s| cuboid(DVec3::from_array(s) * 0.5));
        let pose = |i: usize| {
            let matrix = DMat3::from_cols_array_2d(&rows[i]).transpose();
            Pose::from_matrix(DVec3::from_array(t[i]), matrix).unwrap()
        };
        Scene::new(a, b, pose(0), pose(1))
    };
    let d05 = boxes(
        [[0.363, 0.277, 0.363], [0.363, 0.363, 0.277]],
        [
            [
                [0.9999195703, 0.01021849413, 0.007512347878],
                [-0.01021878248, 0.9999477869, -3.329855922e-17],
                [-0.007511955635, -7.676704888e-05, 0.9999717819],
            ],
            [
                [0.9998670967, -0.01297708324, 0.009868343982],
                [0.01297771517, 0.9999157859, 5.255670031e-17],
                [-0.009867512928, 0.0001280685574, 0.9999513067],
            ],
        ],
        [[1.503354966, -0.8531707835, 0.7700092418], [1.48838308, -1.102020834, 0.4497073799]],
    );
    let d09 = boxes(
        [[0.49, 0.05, 0.21], [0.035, 0.12, 0.03]],
        [
            [[4.8966386501092529215e-12, -1.0, 0.0], [1.0, 4.8966386501092529215e-12, 0.0], [0.0, 0.0, 1.0]],
            [
                [0.83512153565236335595, -0.55006546945762568868, -9.4542360608233572896e-16],
                [0.55006546945762568868, 0.83512153565236313391, 1.1787444236552387666e-15],
                [1.2902271444330665572e-16, -1.4878153530113264589e-15, 1.0],
            ],
        ],
        [
            [-0.43999999999999994671, -0.61499999999858001587, 0.35499999999999998224],
            [-0.40653441507331000704, -0.69166166923735727945, 0.43057093858718892276],
        ],
    );
    let d12 = boxes(
        [[0.3165, 0.2276, 0.1768], [0.4943, 0.3546, 0.0752]],
        [
            [
                [0.44540578475530234748, 0.89532881496493399442, -8.8937407685638678971e-09],
                [-0.89532881496493377238, 0.44540578475530190339, -2.8948680226084145336e-08],
                [-2.1957263975186326105e-08, 2.0856732016652919226e-08, 0.99999999999999955591],
            ],
            [
                [0.44171122913485860728, 0.8971572827861190591, -1.622764514865468214e-09],
                [-0.8971572827861190591, 0.44171122913485860728, -5.1621053952306079594e-09],
                [-3.9144271413829990148e-09, 3.7360349218094348098e-09, 1.0],
            ],
        ],
        [
            [1.2652949075960071568, 1.4551012423210101243, 0.49480006232932938204],
            [1.1304016226141906376, 1.8410802645284281009, 0.44400006232932492933],
        ],
    );
    // The printed matrices are made orthonormal, which changes the poses a little: the answers are near the published
    // numbers.
    for (scene, signed, off) in
        [(d05, 3.5754543092541927e-6, 1e-9), (d09, -0.039152970114506813, 1e-12), (d12, -4.6138748513244e-11, 1e-12)]
    {
        assert!((scene.exact().signed() - signed).abs() <= off, "{:?}", scene.exact());
        through(&scene, &[], |_, _| {});
    }
}

#[test]
fn d18_parry_315() {
    let scene = Scene::still(cube(DVec3::splat(0.5), 0.5), cube(v(1.5, 0.5, 0.5), 0.5));
    through(&scene, &DEPTH, |pair, engine| {
        let deep = pair.penetration(&scene.pose_a, &scene.pose_b);
        let w = deep.witness.unwrap();
        assert_eq!(w.points.map(|p| p.x), [1.0, 1.0], "{engine}");
        assert!(close(deep.direction.unwrap(), DVec3::X), "{engine}: {deep:?}");
    });
    for engine in DISTANCE {
        let got = scene.pair(engine).distance(&scene.pose_a, &scene.pose_b);
        assert!(got.penetrating && got.interval.upper == 0.0, "{engine}: {got:?}");
        if let Some(w) = got.witness {
            assert!(w.points.iter().all(|p| (p.x - 1.0).abs() <= 1e-12), "{engine}: {w:?}");
        }
    }
}
