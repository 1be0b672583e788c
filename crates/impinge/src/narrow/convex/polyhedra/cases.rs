//! Convex bodies and placements that the engines are tried on.

use glam::{DMat3, DQuat, DVec3};

use super::placed_polyhedron::PlacedPolyhedron;
use super::two_polyhedra::{Claim, Polyhedra, WayOut};
use crate::math::Relative;
use crate::model::Convex;

/// SplitMix64: the same numbers on every machine.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Below `n`.
    pub(crate) fn index(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    /// In `[−1, 1)`.
    pub(crate) fn signed(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub(crate) fn vector(&mut self) -> DVec3 {
        DVec3::new(self.signed(), self.signed(), self.signed())
    }

    pub(crate) fn direction(&mut self) -> DVec3 {
        loop {
            let v = self.vector();
            if v.length_squared() > 0.01 && v.length_squared() <= 1.0 {
                return v.normalize();
            }
        }
    }

    pub(crate) fn rotation(&mut self) -> DMat3 {
        let angle = std::f64::consts::PI * self.signed();
        DMat3::from_quat(DQuat::from_axis_angle(self.direction(), angle))
    }

    /// A hull of 4 to 60 points, in a cube or on a sphere, of size about 1, sometimes squeezed.
    pub(crate) fn solid(&mut self) -> Convex {
        let count = 4 + self.index(57);
        let squeeze = match self.index(4) {
            0 => DVec3::new(1.0, 0.1 + 0.9 * self.signed().abs(), 0.05 + self.signed().abs()),
            _ => DVec3::ONE,
        };
        let sphere = self.index(2) == 0;
        let points: Vec<DVec3> =
            (0..count).map(|_| if sphere { self.direction() } else { self.vector() } * squeeze).collect();
        Convex::hull(&points).unwrap()
    }

    /// A polygon, a segment or a point.
    pub(crate) fn flat(&mut self) -> Convex {
        let count = [1, 2, 3, 4, 9][self.index(5)];
        let turn = self.rotation();
        // In the plane z = 0 exactly, or up to rounding in any other.
        let exact = self.index(2) == 0;
        let points: Vec<DVec3> = (0..count)
            .map(|_| {
                let v = self.vector();
                let p = if count < 3 { v } else { DVec3::new(v.x, v.y, 0.0) };
                if exact { p } else { turn * p }
            })
            .collect();
        Convex::hull(&points).unwrap()
    }
}

pub(crate) fn cuboid(half: DVec3) -> Convex {
    Convex::hull(&corners(DVec3::ZERO, half)).unwrap()
}

/// A cube or box of given centre, in its own coordinates.
pub(crate) fn cuboid_at(centre: DVec3, half: DVec3) -> Convex {
    Convex::hull(&corners(centre, half)).unwrap()
}

fn corners(centre: DVec3, half: DVec3) -> Vec<DVec3> {
    let sign = |i: usize, k: usize| if i >> k & 1 == 0 { -1.0 } else { 1.0 };
    (0..8).map(|i| centre + half * DVec3::new(sign(i, 0), sign(i, 1), sign(i, 2))).collect()
}

pub(crate) fn at(translation: DVec3) -> Relative {
    Relative { rotation: DMat3::IDENTITY, translation }
}

pub(crate) fn placed(rotation: DMat3, translation: DVec3) -> Relative {
    Relative { rotation, translation }
}

/// A regular prism with `n` sides, of radius 1, from −1 to 1.
pub(crate) fn prism(n: usize) -> Convex {
    let ring = |z: f64| {
        (0..n).map(move |k| {
            let angle = std::f64::consts::TAU * k as f64 / n as f64;
            DVec3::new(angle.cos(), angle.sin(), z)
        })
    };
    Convex::hull(&ring(-1.0).chain(ring(1.0)).collect::<Vec<_>>()).unwrap()
}

/// A cone over a regular polygon with `n` sides: a vertex of degree `n` and a face with `n` edges.
pub(crate) fn cone(n: usize) -> Convex {
    let ring = (0..n).map(|k| {
        let angle = std::f64::consts::TAU * k as f64 / n as f64;
        DVec3::new(angle.cos(), angle.sin(), -1.0)
    });
    Convex::hull(&ring.chain([DVec3::Z]).collect::<Vec<_>>()).unwrap()
}

/// Calls `f` with a pair of bodies for each family in turn, `rounds` times, and the name of the family.
pub(crate) fn families(seed: u64, rounds: usize, mut f: impl FnMut(&str, &Polyhedra<'_>)) {
    let mut r = Random(seed);
    let boxes = [cuboid(DVec3::ONE), cuboid(DVec3::new(1.0, 0.5, 0.25)), cuboid(DVec3::new(0.3, 0.7, 1.1))];
    let needle = |r: &mut Random| {
        let points: Vec<DVec3> = (0..12).map(|_| r.vector() * DVec3::new(1.0, 1e-4, 1e-4)).collect();
        Convex::hull(&points).unwrap()
    };
    for _ in 0..rounds {
        let (a, b) = (r.solid(), r.solid());
        for (name, far) in [("apart", 2.5), ("near", 1.5), ("overlapping", 0.8), ("deep", 0.1)] {
            let b_in_a = placed(r.rotation(), r.direction() * far * (0.8 + 0.4 * r.signed()));
            f(name, &Polyhedra { a: &a, b: &b, b_in_a });
        }
        let turn = r.rotation();
        let n = r.direction();
        for exponent in [-12, -10, -8, -6] {
            let gap = 10f64.powi(exponent) * if r.index(2) == 0 { 1.0 } else { -1.0 };
            let pair = Polyhedra { a: &a, b: &b, b_in_a: placed(turn, DVec3::ZERO) };
            let [sa, sb] = pair.placed();
            let (v, w) = (sa.farthest(n, DVec3::ZERO).0, sb.farthest(-n, DVec3::ZERO).0);
            let touching = sa.vertex(v) - sb.vertex(w) + n * gap;
            f("vertices nearly touching", &Polyhedra { b_in_a: placed(turn, touching), ..pair });
            let face = r.index(a.face_count()) as u32;
            let m = a.face(face).normal;
            let w = sb.farthest(-m, DVec3::ZERO).0;
            let mut middle = DVec3::ZERO;
            for h in a.face_edges(face) {
                middle += a.vertex(a.tail(*h)) / a.face_edges(face).len() as f64;
            }
            let touching = middle - sb.vertex(w) + m * gap;
            f("vertex nearly on face", &Polyhedra { b_in_a: placed(turn, touching), ..pair });
        }
        let (i, j) = (r.index(3), r.index(3));
        let fifteen = |r: &mut Random| r.index(24) as f64 * std::f64::consts::PI / 12.0;
        let turn = DMat3::from_euler(glam::EulerRot::XYZ, fifteen(&mut r), fifteen(&mut r), fifteen(&mut r));
        let lattice = DVec3::new(r.index(9) as f64, r.index(9) as f64, r.index(9) as f64) * 0.5 - DVec3::splat(2.0);
        f("boxes by 15 degrees", &Polyhedra { a: &boxes[i], b: &boxes[j], b_in_a: placed(turn, lattice) });
        let turn = DMat3::from_euler(glam::EulerRot::XYZ, fifteen(&mut r), 0.0, 0.0);
        f("boxes about one axis", &Polyhedra { a: &boxes[i], b: &boxes[j], b_in_a: placed(turn, lattice) });
        f("boxes on a lattice", &Polyhedra { a: &boxes[i], b: &boxes[j], b_in_a: at(lattice) });
        let (p, q) = (needle(&mut r), needle(&mut r));
        let b_in_a = placed(r.rotation(), r.direction() * r.signed() * if r.index(2) == 0 { 1.0 } else { 1e-4 });
        f("needles", &Polyhedra { a: &p, b: &q, b_in_a });
        f("needle and solid", &Polyhedra { a: &a, b: &p, b_in_a });
        f("needles abreast", &Polyhedra { a: &p, b: &q, b_in_a: at(r.vector() * 4e-4) });
        f("the same", &Polyhedra { a: &a, b: &a, b_in_a: at(DVec3::ZERO) });
        f("the same, shifted", &Polyhedra { a: &a, b: &a, b_in_a: at(r.vector() * 2.0) });
        let (flat, other) = (r.flat(), r.flat());
        let b_in_a = placed(r.rotation(), r.vector());
        f("solid and flat", &Polyhedra { a: &a, b: &flat, b_in_a });
        f("flat and solid", &Polyhedra { a: &flat, b: &boxes[i], b_in_a: at(lattice * 0.5) });
        f("flat and flat", &Polyhedra { a: &flat, b: &other, b_in_a });
        f("flat and flat, abreast", &Polyhedra { a: &flat, b: &other, b_in_a: at(DVec3::new(r.signed(), 0.0, 0.0)) });
        f("flat and itself", &Polyhedra { a: &flat, b: &flat, b_in_a: at(DVec3::ZERO) });
    }
}

/// Calls `f` with faces almost on each other: tilted by 10⁻⁶ to 10⁻¹⁴, apart or overlapping by 10⁻⁷ to 10⁻¹⁴.
pub(crate) fn flush(seed: u64, rounds: usize, mut f: impl FnMut(&str, &Polyhedra<'_>)) {
    let mut r = Random(seed);
    let half = [DVec3::ONE, DVec3::new(1.0, 0.5, 0.25), DVec3::new(0.3, 0.7, 1.1)];
    for _ in 0..rounds {
        let (h, k) = (half[r.index(3)], half[r.index(3)]);
        let (a, b) = if r.index(4) == 0 { (prism(6), prism(17)) } else { (cuboid(h), cuboid(k)) };
        let tops = [&a, &b].map(|body| body.vertices().iter().fold(0.0, |z: f64, v| z.max(v.z)));
        let about = DMat3::from_rotation_z([0.0, 0.0, 0.3, std::f64::consts::FRAC_PI_4][r.index(4)]);
        let tilt = 10f64.powi(-6 - r.index(9) as i32);
        let tilt = DMat3::from_quat(DQuat::from_axis_angle(r.direction(), tilt));
        let gap = 10f64.powi(-7 - r.index(8) as i32) * [1.0, -1.0][r.index(2)];
        let aside = DVec3::new(r.signed(), r.signed(), 0.0) * [0.0, 0.8, 1.6][r.index(3)];
        let b_in_a = placed(tilt * about, aside + DVec3::Z * (tops[0] + tops[1] + gap));
        f("flush", &Polyhedra { a: &a, b: &b, b_in_a });
    }
}

pub(crate) fn scale(pair: &Polyhedra<'_>) -> f64 {
    pair.a.radius() + pair.b.radius()
}

/// How far `p` is outside the body, by its faces; for a flat body also above its plane.
pub(crate) fn outside(body: &PlacedPolyhedron<'_>, p: DVec3) -> f64 {
    (0..body.convex.face_count() as u32).fold(0.0, |m: f64, f| m.max(body.height(f, p)))
}

/// The gap of the bodies along unit `n`, by all vertices: no points of theirs are nearer.
pub(crate) fn gap(pair: &Polyhedra<'_>, n: DVec3) -> f64 {
    let [a, b] = pair.placed();
    let origin = a.centre();
    -a.farthest(n, origin).1 - b.farthest(-n, origin).1
}

/// The distance by an engine's verdict; 0 when they overlap. The points must prove it, `tolerance` being relative.
pub(crate) fn proven_distance(pair: &Polyhedra<'_>, verdict: &Claim, tolerance: f64) -> Option<f64> {
    match verdict {
        Claim::Overlap => Some(0.0),
        Claim::Unknown => None,
        Claim::Apart(near) => {
            let slack = tolerance * (scale(pair) + near.distance());
            let [a, b] = pair.placed();
            assert!(outside(&a, near.points[0]) <= slack && outside(&b, near.points[1]) <= slack, "{near:?}");
            let d = near.distance();
            let lower = gap(pair, (near.points[1] - near.points[0]) / d);
            // A direction between points at distance d is known to about slack/d only, and the gap along it is
            // smaller than the distance by the bodies' size times that, squared or not.
            assert!(d - lower <= slack * (1.0 + scale(pair) / d), "{d} above, {lower} below: {near:?}");
            Some(d)
        }
    }
}

/// Whether moving `b` by the way separates, and the points say so too.
pub(crate) fn check_way(pair: &Polyhedra<'_>, way: &WayOut, tolerance: f64) {
    let slack = tolerance * scale(pair);
    assert!((way.normal.length() - 1.0).abs() < 1e-12, "{way:?}");
    assert!(way.lower <= way.depth && way.lower >= 0.0 && gap(pair, way.normal) >= -way.depth - slack, "{way:?}");
    let [a, b] = pair.placed();
    assert!(outside(&a, way.points[0]) <= slack, "{} outside of a: {way:?}", outside(&a, way.points[0]));
    assert!(outside(&b, way.points[1]) <= slack, "{} outside of b: {way:?}", outside(&b, way.points[1]));
    let between = way.points[0] - way.points[1];
    assert!(between.distance(way.normal * way.depth) <= slack, "{way:?}: {between}");
}
