//! Meshes that translate against brute force: every triangle of the one against every prism of the other, by the
//! prism's faces.

use glam::{DMat3, DVec3};

use crate::answer::Stats;
use crate::math::Relative;
use crate::model::Mesh;
use crate::narrow::context::Context;
use crate::narrow::mesh::memory::MeshMemory;
use crate::narrow::mesh::sweep::swept_meshes::MeshSweep;
use crate::prim::{Triangle, nearest, triangles_overlap};

/// Where corners are.
#[derive(Clone, Copy, PartialEq)]
enum Corners {
    Anywhere,
    /// At multiples of an eighth, so that much touches exactly.
    OnGrid,
}

struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn vector(&mut self) -> DVec3 {
        DVec3::new(self.unit(), self.unit(), self.unit()) * 2.0 - 1.0
    }

    /// Coordinates that are multiples of an eighth, so that much touches exactly.
    fn on_grid(&mut self) -> DVec3 {
        (self.vector() * 8.0).round() / 8.0
    }

    /// Triangles about as large as `size`.
    fn soup(&mut self, count: u32, size: f64, corners: Corners) -> Mesh {
        let mut points = Vec::new();
        for _ in 0..count {
            let middle = if corners == Corners::OnGrid { self.on_grid() } else { self.vector() };
            for _ in 0..3 {
                points.push(middle + (if corners == Corners::OnGrid { self.on_grid() } else { self.vector() }) * size);
            }
        }
        let triangles = (0..count).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
        Mesh::new(points, triangles).unwrap().into_surface()
    }
}

fn between(a: &Triangle, b: &Triangle) -> f64 {
    if triangles_overlap(a, b) { 0.0 } else { nearest(a, b).squared.sqrt() }
}

/// How near a triangle that moves by `way` comes to another: by the faces of its prism, and 0 inside.
fn least(a: &Triangle, b: &Triangle, way: DVec3) -> f64 {
    let end = b.map(|x| x + way);
    // A corner is inside if on its way back it comes through the triangle.
    if triangles_overlap(&[a[0], a[0] - way, a[0] - way], b) {
        return 0.0;
    }
    (0..3).fold(between(a, b).min(between(a, &end)), |least, k| {
        let l = (k + 1) % 3;
        least.min(between(a, &[b[k], b[l], end[l]])).min(between(a, &[b[k], end[l], end[k]]))
    })
}

/// The translations: none, along an axis, any, long, across the whole world, and each of these reversed.
fn way(r: &mut Random, kind: u32, corners: Corners) -> DVec3 {
    let any = if corners == Corners::OnGrid { r.on_grid() } else { r.vector() };
    let straight = match kind % 6 {
        0 => DVec3::ZERO,
        1 => DVec3::Z * any.z,
        2 => any * 0.1,
        3 => any,
        4 => any * 8.0,
        _ => any * 1e3,
    };
    if kind % 12 < 6 { straight } else { -straight }
}

fn trial(seed: u64, corners: Corners) {
    let r = &mut Random(seed);
    let mut memory = MeshMemory::default();
    for round in 0..120 {
        let (a, b) = (r.soup(18, 0.4, corners), r.soup(24, 0.3, corners));
        let turned = corners == Corners::Anywhere && round % 2 == 0;
        let rotation =
            if turned { DMat3::from_axis_angle(r.vector().normalize(), 3.0 * r.unit()) } else { DMat3::IDENTITY };
        let shift = if corners == Corners::OnGrid { r.on_grid() } else { r.vector() };
        let (start, way) = (Relative { rotation, translation: shift * 2.0 }, way(r, round, corners));
        let mut all = Vec::new();
        for i in 0..a.place_count() {
            for j in 0..b.place_count() {
                all.push(([i, j], least(&a.corners(i), &b.corners(j).map(|x| start.apply(x)), way)));
            }
        }
        let brute = all.iter().fold(f64::INFINITY, |m, x| m.min(x.1));
        let noise = 1e-13 * (4.0 + way.length());
        let sweep = MeshSweep::new(&a, &b, &start, way, 0.0);
        if round % 3 > 0 {
            memory.forget();
        }
        let stats = &mut Stats::default();
        let (floor, near) = sweep.nearest(f64::INFINITY, Context::new(&mut memory, stats));
        let near = near.unwrap();
        let what = || format!("{seed} {round} {way} brute {brute}, {floor} {near:?}");
        assert!(floor <= brute + noise && near.lower <= brute + noise, "{}", what());
        assert!(near.upper >= brute - noise && near.upper - floor <= noise, "{}", what());
        for within in [0.0, 1e-3, 0.05, 1.0] {
            let (floor, near) = sweep.nearest(within, Context::new(&mut memory, stats));
            let what = || format!("{seed} {round} {way} within {within}, brute {brute}, {floor} {near:?}");
            assert!(floor <= brute + noise, "{}", what());
            assert!(near.is_some() || brute > within - noise, "{}", what());
            assert!(near.is_none() || brute <= within + noise, "{}", what());
            assert!(near.is_none_or(|near| near.upper >= brute - noise), "{}", what());
            let (pairs, complete) = sweep.pairs(within, usize::MAX, u64::MAX, Context::new(&mut memory, stats));
            assert!(complete, "{}", what());
            for (places, least) in &all {
                let found = pairs.iter().any(|near| near.places == *places);
                assert!(found || *least > within - noise, "{} {places:?} {least}", what());
                assert!(!found || *least <= within + noise, "{} {places:?} {least}", what());
            }
        }
    }
}

#[test]
fn agrees_with_every_triangle_against_every_prism() {
    (1..5).for_each(|seed| trial(seed, Corners::Anywhere));
}

/// On a grid many triangles only touch: at the start, at the end or in between.
#[test]
fn agrees_on_a_grid() {
    (5..9).for_each(|seed| trial(seed, Corners::OnGrid));
}

/// A corner that moves away from, up to or just past a triangle touches it at the start, at the end, or in between.
#[test]
fn touches_at_an_end_only() {
    let triangle = |z: f64| [DVec3::new(-1.0, -1.0, z), DVec3::new(1.0, -1.0, z), DVec3::new(0.0, 1.0, z)].to_vec();
    let floor = Mesh::new(triangle(0.0), vec![[0, 1, 2]]).unwrap().into_surface();
    let tip = vec![DVec3::ZERO, DVec3::new(0.1, 0.0, 1.0), DVec3::new(0.0, 0.1, 1.0)];
    let tip = Mesh::new(tip, vec![[0, 1, 2]]).unwrap().into_surface();
    let mut memory = MeshMemory::default();
    let mut ask = |height: f64, way: DVec3, within: f64| {
        let start = Relative { translation: DVec3::Z * height, ..Relative::IDENTITY };
        MeshSweep::new(&floor, &tip, &start, way, 0.0).nearest(within, Context::new(&mut memory, &mut Stats::default()))
    };
    for length in [0.0, 1e-3, 1.0, 1e6] {
        let up = DVec3::Z * length;
        assert!(ask(0.0, up, 0.0).1.is_some_and(|near| near.time <= 1e-9 || length == 0.0), "{length}");
        assert!(ask(length, -up, 0.0).1.is_some_and(|near| near.time >= 1.0 - 1e-9 || length == 0.0), "{length}");
        assert!(ask(0.25, up, 0.0).1.is_none() && ask(0.25 + length, -up, 0.2).1.is_none(), "{length}");
        assert!(ask(0.25, up, 0.25).1.is_some() && ask(0.25 + length, -up, f64::INFINITY).1.is_some(), "{length}");
        assert!(ask(0.0, DVec3::X * length, 0.0).1.is_some(), "{length}");
    }
}
