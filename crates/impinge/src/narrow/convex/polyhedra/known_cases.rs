//! Pairs of convex bodies with known answers: sections A to D of the adversarial cases, sizes, and distances.

use glam::{DMat3, DVec3};

use super::cases::{at, cuboid, cuboid_at};
use super::two_polyhedra::Polyhedra;
use crate::math::{Pose, Relative};
use crate::model::Convex;

pub(crate) struct KnownCase {
    pub(crate) id: String,
    a: Convex,
    b: Convex,
    b_in_a: Relative,
    pub(crate) answer: KnownAnswer,
    /// How exactly the answer is known.
    pub(crate) tolerance: f64,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum KnownAnswer {
    Distance(f64),
    Depth(f64),
}

impl KnownCase {
    pub(crate) fn pair(&self) -> Polyhedra<'_> {
        Polyhedra { a: &self.a, b: &self.b, b_in_a: self.b_in_a }
    }
}

fn hull(points: &[[f64; 3]]) -> Convex {
    Convex::hull(&points.iter().map(|p| DVec3::from_array(*p)).collect::<Vec<_>>()).unwrap()
}

fn pose(rows: [[f64; 3]; 3], t: [f64; 3]) -> Pose {
    let matrix = DMat3::from_cols_array_2d(&rows).transpose();
    Pose::from_matrix(DVec3::from_array(t), matrix).unwrap()
}

pub(crate) fn known() -> Vec<KnownCase> {
    let mut cases = Vec::new();
    let mut add = |id: &str, a: &Convex, b: &Convex, b_in_a: Relative, answer: KnownAnswer| {
        let size = a.radius().max(b.radius());
        let (KnownAnswer::Distance(x) | KnownAnswer::Depth(x)) = answer;
        let tolerance = 1e-12 * x.max(size);
        cases.push(KnownCase { id: id.into(), a: a.clone(), b: b.clone(), b_in_a, answer, tolerance });
    };
    let (still, u) = (at(DVec3::ZERO), cuboid(DVec3::ONE));
    let v = DVec3::new;
    let plate = hull(&[[1., 1., 0.], [-1., 1., 0.], [1., -1., 0.], [-1., -1., 0.]]);
    let crossed = [hull(&[[-1., 0., 0.], [1., 0., 0.]]), hull(&[[0., -1., 0.], [0., 1., 0.]])];
    let sliver = hull(&[[0., 0., 0.], [1., 0., 0.], [0.5, 1e-12, 0.], [0.5, 0., 1e-12]]);
    add("A01", &plate, &hull(&[[0., 0., 0.25]]), still, KnownAnswer::Distance(0.25));
    add("A03", &crossed[0], &crossed[1], still, KnownAnswer::Depth(0.0));
    add("A05", &sliver, &hull(&[[0.5, 1., 0.]]), still, KnownAnswer::Distance(0.999999999999));
    add("A09", &hull(&[[1., 2., 3.]; 10]), &hull(&[[0.; 3]]), still, KnownAnswer::Distance(3.7416573867739413));
    add("A11", &u, &cuboid_at(v(3., 0., 0.), DVec3::ONE), still, KnownAnswer::Distance(1.0));
    add("A12", &u, &hull(&[[1., 1., 2.]]), still, KnownAnswer::Distance(1.0));
    add("A15", &u, &u, at(v(2., 0., 0.)), KnownAnswer::Depth(0.0));
    add("A16", &u, &u, at(v(2., 2., 2.)), KnownAnswer::Depth(0.0));
    add("A19", &u, &u, at(v(1.9999999999999998, 0., 0.)), KnownAnswer::Depth(2.220446049250313e-16));
    add("A21", &u, &u, still, KnownAnswer::Depth(2.0));
    let tiny = cuboid(DVec3::splat(1e-12));
    add("B01", &tiny, &tiny, at(DVec3::X * 3e-12), KnownAnswer::Distance(1e-12));
    let half = DVec3::splat(0.5);
    let far = [cuboid_at(DVec3::X * 1e9, half), cuboid_at(DVec3::X * (1e9 + 2.0), half)];
    add("B03", &far[0], &far[1], still, KnownAnswer::Distance(1.0));
    let (rod, post) = (cuboid(v(1e6, 1e-6, 1e-6)), cuboid(v(1e-6, 1e-6, 1e6)));
    add("B06", &rod, &post, at(DVec3::Y), KnownAnswer::Distance(0.999998));
    add("C04", &u, &u, at(v(1.5, 0., 0.)), KnownAnswer::Depth(0.5));
    add("C07", &u, &cuboid(DVec3::splat(0.05)), at(v(0., 0., -0.9)), KnownAnswer::Depth(0.15));
    add("D01", &u, &u, at(v(0., 0., 1.9)), KnownAnswer::Depth(0.1));
    add("D02", &cuboid(half), &cuboid(half), at(DVec3::Y * 4.0), KnownAnswer::Distance(3.0));
    add("D04", &cuboid(half), &cuboid(DVec3::splat(0.05)), at(DVec3::splat(0.4)), KnownAnswer::Depth(0.15));
    add("D18", &cuboid(half), &cuboid(half), at(DVec3::X), KnownAnswer::Depth(0.0));
    let end = [-0.569999993, -8.10000038, 16.6070004];
    let thin = hull(&[[2.27699995, -7.9000001, 16.3180008], end, end]);
    let point = hull(&[[1.10000002, -7.9000001, 16.5879993]]);
    add("D19", &point, &thin, still, KnownAnswer::Distance(0.17147826590144151));
    let box_of = |x: f64, y: f64, z: f64| cuboid(v(x, y, z) * 0.5);
    add("D09", &box_of(0.49, 0.05, 0.21), &box_of(0.035, 0.12, 0.03), d09(), KnownAnswer::Depth(0.039152970114506816));
    let (first, second) = (box_of(0.3165, 0.2276, 0.1768), box_of(0.4943, 0.3546, 0.0752));
    add("D12", &first, &second, d12(), KnownAnswer::Depth(4.6138748513244e-11));
    for exponent in [-49, -30, -9, 9, 30, 49] {
        let s = 10f64.powi(exponent);
        let (a, b, needle) = (cuboid(DVec3::splat(s)), cuboid(v(0.25, 0.5, 0.75) * s), cuboid(v(1., 1e-12, 1e-12) * s));
        add("size, apart", &a, &b, at(v(3.0, 0.5, 0.25) * s), KnownAnswer::Distance(1.75 * s));
        add("size, deep", &a, &b, at(v(1.0, 0.5, 0.25) * s), KnownAnswer::Depth(0.25 * s));
        add("needle, apart", &needle, &b, at(DVec3::Y * 1.5 * s), KnownAnswer::Distance((1.0 - 1e-12) * s));
        add("needle, deep", &needle, &b, still, KnownAnswer::Depth((0.5 + 1e-12) * s));
        add("very far", &a, &a, at(DVec3::X * 1e140), KnownAnswer::Distance(1e140));
    }
    add("far", &u, &u, at(DVec3::X * 1e15), KnownAnswer::Distance(1e15 - 2.0));
    let away = DVec3::splat(1e15);
    let (near, other) = (cuboid_at(away, DVec3::ONE), cuboid_at(away + DVec3::X * 3.0, DVec3::ONE));
    add("far from the origin", &near, &other, still, KnownAnswer::Distance(1.0));
    let (a, b) = (box_of(0.363, 0.277, 0.363), box_of(0.363, 0.363, 0.277));
    let answer = KnownAnswer::Distance(3.5754543092541927e-6);
    // The matrices are given to ten digits and made exact: the distance is known to about as many.
    cases.push(KnownCase { id: "D05".into(), a, b, b_in_a: d05(), answer, tolerance: 1e-9 });
    cases
}

fn d05() -> Relative {
    Relative::new(
        &pose(
            [
                [0.9999195703, 0.01021849413, 0.007512347878],
                [-0.01021878248, 0.9999477869, -3.329855922e-17],
                [-0.007511955635, -7.676704888e-05, 0.9999717819],
            ],
            [1.503354966, -0.8531707835, 0.7700092418],
        ),
        &pose(
            [
                [0.9998670967, -0.01297708324, 0.009868343982],
                [0.01297771517, 0.9999157859, 5.255670031e-17],
                [-0.009867512928, 0.0001280685574, 0.9999513067],
            ],
            [1.48838308, -1.102020834, 0.4497073799],
        ),
    )
}

fn d09() -> Relative {
    let tilt = 4.896638650109253e-12;
    Relative::new(
        &pose([[tilt, -1., 0.], [1., tilt, 0.], [0., 0., 1.]], [-0.43999999999999995, -0.61499999999858, 0.355]),
        &pose(
            [
                [0.8351215356523634, -0.5500654694576257, -9.454236060823357e-16],
                [0.5500654694576257, 0.8351215356523631, 1.1787444236552388e-15],
                [1.2902271444330666e-16, -1.4878153530113265e-15, 1.],
            ],
            [-0.40653441507331, -0.6916616692373573, 0.4305709385871889],
        ),
    )
}

fn d12() -> Relative {
    Relative::new(
        &pose(
            [
                [0.44540578475530235, 0.895328814964934, -8.893740768563868e-9],
                [-0.8953288149649338, 0.4454057847553019, -2.8948680226084145e-8],
                [-2.1957263975186326e-8, 2.085673201665292e-8, 0.9999999999999996],
            ],
            [1.2652949075960072, 1.4551012423210101, 0.4948000623293294],
        ),
        &pose(
            [
                [0.4417112291348586, 0.8971572827861191, -1.6227645148654682e-9],
                [-0.8971572827861191, 0.4417112291348586, -5.162105395230608e-9],
                [-3.914427141382999e-9, 3.736034921809435e-9, 1.],
            ],
            [1.1304016226141906, 1.841080264528428, 0.44400006232932493],
        ),
    )
}
