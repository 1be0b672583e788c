//! The adversarial cases that meshes can pose, each under its id. All bodies are closed sets.
//!
//! Every case is asked of every verb, method and builder, cold and warm, both ways round, and compared with the exact
//! verdict on its coordinates; then with the published answer, within `1e-12 · max(answer, body size)`.
#![allow(clippy::excessive_precision, reason = "the digits as published")]

use glam::{DMat3, DVec3};
use impinge::{Builder, Mesh, Method, Pose};
use impinge_testing::shapes::{copies, cuboid, point, tetra, triangle};
use impinge_testing::soup::Soup;

use crate::verdict::mesh_answers::{all_verbs, cold};
use crate::verdict::meshes::Scene;

fn v(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

fn cube(x: f64, y: f64, z: f64, half: f64) -> Soup {
    cuboid(v(x, y, z), DVec3::splat(half))
}

fn unit() -> Soup {
    cube(0.0, 0.0, 0.0, 1.0)
}

/// Asks every engine, and compares with the published distance within the default tolerance.
fn published(scene: &Scene, distance: f64) {
    published_within(scene, distance, 1e-12 * distance.max(scene.size()));
}

fn published_within(scene: &Scene, distance: f64, tolerance: f64) {
    for scene in [scene.clone(), scene.swapped()] {
        let truth = scene.truth();
        assert!((truth.distance() - distance).abs() <= tolerance, "the oracle says {}", truth.distance());
        for builder in [Builder::Auto, Builder::Sah, Builder::Ploc] {
            let models = scene.models(builder);
            for method in [Method::Auto, Method::Brute, Method::Tree] {
                let mut pair = cold(&models, method);
                for warmth in ["cold", "warm"] {
                    let say = |e| format!("{warmth}, {method}, {builder}: {e}");
                    all_verbs(&mut pair, &scene, &truth).map_err(say).unwrap();
                    let got = pair.distance(&scene.pose_a, &scene.pose_b).interval;
                    assert!((got.mid() - distance).abs() <= tolerance, "{warmth}, {method}, {builder}: {got:?}");
                }
            }
        }
    }
}

#[test]
fn a11_parallel_faces() {
    published(&Scene::at_origin(unit(), cube(3.0, 0.0, 0.0, 1.0)), 1.0);
    let scene = Scene::moved(unit(), unit(), 3.0, 0.0, 0.0);
    published(&scene, 1.0);
    let [a, b] = scene.models(Builder::Auto);
    let [p, q] = impinge::distance(&a, &scene.pose_a, &b, &scene.pose_b).witness.unwrap().points;
    assert_eq!((p.x, q.x), (1.0, 2.0));
}

#[test]
fn a12_point_on_the_border_of_three_regions() {
    let scene = Scene::at_origin(unit(), point(v(1.0, 1.0, 2.0)));
    published(&scene, 1.0);
    let [a, b] = scene.models(Builder::Auto);
    let witness = impinge::distance(&a, &scene.pose_a, &b, &scene.pose_b).witness.unwrap();
    assert_eq!(witness.points, [v(1.0, 1.0, 1.0), v(1.0, 1.0, 2.0)]);
}

#[test]
fn a15_face_on_face() {
    published(&Scene::at_origin(unit(), cube(2.0, 0.0, 0.0, 1.0)), 0.0);
    published(&Scene::moved(unit(), unit(), 2.0, 0.0, 0.0), 0.0);
}

#[test]
fn a16_vertex_on_vertex() {
    published(&Scene::at_origin(unit(), cube(2.0, 2.0, 2.0, 1.0)), 0.0);
    published(&Scene::moved(unit(), unit(), 2.0, 2.0, 2.0), 0.0);
}

#[test]
fn a19_overlap_of_one_ulp() {
    // A box given by its corners, the near face at 1.9999999999999998 − 1, and its neighbour one ulp the other way.
    let near =
        |x: f64| cuboid(DVec3::ZERO, DVec3::ONE).map(|p| if p.x < 0.0 { v(x, p.y, p.z) } else { v(3.0, p.y, p.z) });
    published(&Scene::at_origin(unit(), near(0.9999999999999998)), 0.0);
    published(&Scene::at_origin(unit(), near(1.0f64.next_up())), 2.220446049250313e-16);
    published(&Scene::moved(unit(), unit(), 1.9999999999999998, 0.0, 0.0), 0.0);
    published(&Scene::moved(unit(), unit(), 2.0f64.next_up(), 0.0, 0.0), 2.0f64.next_up() - 2.0);
}

#[test]
fn a01_a03_a05_a09_flat_bodies_as_triangles() {
    let plate = Soup {
        vertices: vec![v(-1.0, -1.0, 0.0), v(1.0, -1.0, 0.0), v(1.0, 1.0, 0.0), v(-1.0, 1.0, 0.0)],
        triangles: vec![[0, 1, 2], [0, 2, 3]],
    };
    published(&Scene::at_origin(plate, point(v(0.0, 0.0, 0.25))), 0.25);
    let along = |axis: DVec3| triangle([-axis, axis, axis]);
    published(&Scene::at_origin(along(DVec3::X), along(DVec3::Y)), 0.0);
    let sliver = tetra([DVec3::ZERO, DVec3::X, v(0.5, 1e-12, 0.0), v(0.5, 0.0, 1e-12)]);
    published(&Scene::at_origin(sliver, point(v(0.5, 1.0, 0.0))), 0.999999999999);
    published(&Scene::at_origin(copies(10, [v(1.0, 2.0, 3.0); 3]), point(DVec3::ZERO)), 3.7416573867739413);
}

#[test]
fn a07_every_vertex_three_times() {
    let corners: Vec<DVec3> = unit().corners().into_iter().flatten().collect();
    let triangles = (0..12).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    let soup = Soup { vertices: corners, triangles };
    let mesh = Mesh::new(soup.vertices.clone(), soup.triangles.clone()).unwrap();
    assert!(mesh.is_solid() && mesh.report().merged_vertices == 28, "{:?}", mesh.report());
    published(&Scene::at_origin(soup, cube(3.0, 0.0, 0.0, 1.0)), 1.0);
}

#[test]
fn a21_a_body_on_itself() {
    published(&Scene::at_origin(unit(), unit()), 0.0);
}

#[test]
fn b01_tiny_cubes() {
    published(&Scene::at_origin(cube(0.0, 0.0, 0.0, 1e-12), cube(3e-12, 0.0, 0.0, 1e-12)), 1e-12);
    published(&Scene::moved(cube(0.0, 0.0, 0.0, 1e-12), cube(0.0, 0.0, 0.0, 1e-12), 3e-12, 0.0, 0.0), 1e-12);
}

#[test]
fn b03_far_from_the_origin() {
    published_within(&Scene::at_origin(cube(1e9, 0.0, 0.0, 0.5), cube(1e9 + 2.0, 0.0, 0.0, 0.5)), 1.0, 0.0);
    let half = cube(0.0, 0.0, 0.0, 0.5);
    let poses = [1e9, 1e9 + 2.0].map(|x| Pose::at(v(x, 0.0, 0.0)).unwrap());
    published_within(&Scene::new(half.clone(), half, poses[0], poses[1]), 1.0, 0.0);
}

#[test]
fn b06_needles() {
    let a = cuboid(DVec3::ZERO, v(1e6, 1e-6, 1e-6));
    published_within(&Scene::at_origin(a.clone(), cuboid(DVec3::Y, v(1e-6, 1e-6, 1e6))), 0.999998, 1e-12);
    published_within(&Scene::moved(a, cuboid(DVec3::ZERO, v(1e-6, 1e-6, 1e6)), 0.0, 1.0, 0.0), 0.999998, 1e-12);
}

#[test]
fn b07_parry_49_near_1e_23() {
    let points = [
        [2.3624029e-23f32, 1.3771984e-23, 2.2062083e-24],
        [1.3807439e-23, 1.8596945e-23, -1.784406e-24],
        [1.4174896e-23, -3.200329e-24, 4.664615e-24],
        [1.3685897e-23, 4.6402988e-24, 2.2509113e-24],
    ];
    let hull = tetra(points.map(|p| DVec3::from_array(p.map(f64::from))));
    published(&Scene::at_origin(hull, point(DVec3::ZERO)), 1.4324476063865836e-23);
}

#[test]
fn d02_fcl_508() {
    published(&Scene::at_origin(cube(0.0, 4.0, 0.0, 0.5), cube(0.0, 0.0, 0.0, 0.5)), 3.0);
    published(&Scene::moved(cube(0.0, 0.0, 0.0, 0.5), cube(0.0, 0.0, 0.0, 0.5), 0.0, 4.0, 0.0), 3.0);
}

/// A box of these full sizes with its corners mapped by the matrix exactly as printed, row by row.
fn printed_box(size: [f64; 3], rows: [[f64; 3]; 3], t: [f64; 3]) -> Soup {
    let half = DVec3::from_array(size) * 0.5;
    let matrix = DMat3::from_cols_array_2d(&rows).transpose();
    cuboid(DVec3::ZERO, half).map(|p| matrix * p + DVec3::from_array(t))
}

#[test]
fn d05_coal_604() {
    let a = printed_box(
        [0.363, 0.277, 0.363],
        [
            [0.9999195703, 0.01021849413, 0.007512347878],
            [-0.01021878248, 0.9999477869, -3.329855922e-17],
            [-0.007511955635, -7.676704888e-05, 0.9999717819],
        ],
        [1.503354966, -0.8531707835, 0.7700092418],
    );
    let b = printed_box(
        [0.363, 0.363, 0.277],
        [
            [0.9998670967, -0.01297708324, 0.009868343982],
            [0.01297771517, 0.9999157859, 5.255670031e-17],
            [-0.009867512928, 0.0001280685574, 0.9999513067],
        ],
        [1.48838308, -1.102020834, 0.4497073799],
    );
    published_within(&Scene::at_origin(a, b), 3.5754543092541927e-6, 1e-12);
}

const D06: [[f64; 3]; 3] = [
    [0.940_960_632_174_177_6, 0.292_968_400_372_895_04, 0.169_595_415_861_748_1],
    [-0.235_698_368_412_998_8, 0.926_615_235_958_484_2, -0.292_968_400_372_895_04],
    [-0.242_980_179_903_263_9, 0.235_698_368_412_998_84, 0.940_960_632_174_177_6],
];

#[test]
fn d06_fcl_493() {
    let (ta, tb) = ([0.07324210009322382, 0.23165380898962123, 1.3089245921032497], [0.0, 0.0, 1.25]);
    let scene = Scene::at_origin(printed_box([0.25; 3], D06, ta), printed_box([0.25; 3], D06, tb));
    published_within(&scene, 0.0, 1e-15);
    let rotation = DMat3::from_cols_array_2d(&D06).transpose();
    let pose = |t: [f64; 3]| Pose::from_matrix(DVec3::from_array(t), rotation).unwrap();
    let cube = cube(0.0, 0.0, 0.0, 0.125);
    published_within(&Scene::new(cube.clone(), cube, pose(ta), pose(tb)), 0.0, 1e-15);
}

#[test]
fn d18_parry_315() {
    let scene = Scene::at_origin(cube(0.5, 0.5, 0.5, 0.5), cube(1.5, 0.5, 0.5, 0.5));
    published(&scene, 0.0);
    let [a, b] = scene.models(Builder::Auto);
    let witness = impinge::distance(&a, &scene.pose_a, &b, &scene.pose_b).witness.unwrap();
    assert_eq!(witness.points.map(|p| p.x), [1.0, 1.0]);
}

#[test]
fn d19_parry_76_degenerate_triangle() {
    let twice = v(-0.569999993, -8.10000038, 16.6070004);
    let segment = triangle([v(2.27699995, -7.9000001, 16.3180008), twice, twice]);
    published(&Scene::at_origin(point(v(1.10000002, -7.9000001, 16.5879993)), segment), 0.17147826590144151);
}

#[test]
fn d01_d04_d09_d12_penetrating_boxes_overlap() {
    published(&Scene::at_origin(unit(), cube(0.0, 0.0, 1.9, 1.0)), 0.0);
    published(&Scene::at_origin(cube(0.0, 0.0, 0.0, 0.5), cube(0.4, 0.4, 0.4, 0.05)), 0.0);
    let (c, s) = (0.83512153565236335595, 0.55006546945762568868);
    let a = printed_box(
        [0.49, 0.05, 0.21],
        [[4.8966386501092529215e-12, -1.0, 0.0], [1.0, 4.8966386501092529215e-12, 0.0], [0.0, 0.0, 1.0]],
        [-0.43999999999999994671, -0.61499999999858001587, 0.35499999999999998224],
    );
    let b = printed_box(
        [0.035, 0.12, 0.03],
        [
            [c, -s, -9.4542360608233572896e-16],
            [s, 0.83512153565236313391, 1.1787444236552387666e-15],
            [1.2902271444330665572e-16, -1.4878153530113264589e-15, 1.0],
        ],
        [-0.40653441507331000704, -0.69166166923735727945, 0.43057093858718892276],
    );
    published(&Scene::at_origin(a, b), 0.0);
    let a = printed_box(
        [0.3165, 0.2276, 0.1768],
        [
            [0.44540578475530234748, 0.89532881496493399442, -8.8937407685638678971e-09],
            [-0.89532881496493377238, 0.44540578475530190339, -2.8948680226084145336e-08],
            [-2.1957263975186326105e-08, 2.0856732016652919226e-08, 0.99999999999999955591],
        ],
        [1.2652949075960071568, 1.4551012423210101243, 0.49480006232932938204],
    );
    let b = printed_box(
        [0.4943, 0.3546, 0.0752],
        [
            [0.44171122913485860728, 0.8971572827861190591, -1.622764514865468214e-09],
            [-0.8971572827861190591, 0.44171122913485860728, -5.1621053952306079594e-09],
            [-3.9144271413829990148e-09, 3.7360349218094348098e-09, 1.0],
        ],
        [1.1304016226141906376, 1.8410802645284281009, 0.44400006232932492933],
    );
    published(&Scene::at_origin(a, b), 0.0);
}
