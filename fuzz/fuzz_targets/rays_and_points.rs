//! Any bytes, taken as triangles, rays and points: an answer to each, and the same from every question. Where
//! twice all coordinates are small integers, exactly the triangles that exact arithmetic says are met.
#![no_main]

use impinge::glam::DVec3;
use impinge::{Mesh, Model, Pose, Ray};
use impinge_fuzz::Bytes;
use impinge_testing::overlap::segment_meets_triangle;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut bytes = Bytes(bytes);
    let kind = bytes.byte() % 3;
    let points = bytes.points(kind, 40);
    let Some((ends, corners)) = points.split_at_checked(3) else { return };
    let count = corners.len() as u32 / 3;
    let triangles: Vec<[u32; 3]> = (0..count).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
    let Ok(mesh) = Mesh::new(corners.to_vec(), triangles) else { return };
    let surface = Model::from(mesh.clone().into_surface());
    let (model, pose) = (Model::from(mesh), Pose::IDENTITY);
    if let Ok(ray) = Ray::new(ends[0], ends[1]) {
        let (first, all) = (model.ray(&pose, &ray), model.ray_all(&pose, &ray));
        assert_eq!(first, all.first().copied(), "{corners:?} {ray:?}");
        assert_eq!(model.meets_ray(&pose, &ray), first.is_some(), "{corners:?} {ray:?}");
        for hit in &all {
            assert!(hit.distance >= 0.0 && !hit.point.is_nan() && !hit.normal.is_nan(), "{corners:?} {ray:?} {hit:?}");
        }
        let small = |p: &DVec3| p.to_array().iter().all(|x| x.abs() <= 64.0 && (2.0 * x).fract() == 0.0);
        if points.iter().all(small) {
            let exact = |p: DVec3| p.to_array().map(|x| (2.0 * x) as i128);
            let (from, along) = (exact(ends[0]), exact(ends[1]));
            let far = [0, 1, 2].map(|i| from[i] + 1024 * along[i]);
            let met = corners.chunks_exact(3).any(|t| {
                segment_meets_triangle(&from, &far, &[exact(t[0]), exact(t[1]), exact(t[2])]).expect("it is exact")
            });
            assert_eq!(first.is_some(), met, "{corners:?} {ray:?}");
        }
    }
    for model in [&model, &surface] {
        if let Ok(answer) = model.point_distance(&pose, ends[2]) {
            assert!(answer.interval.lower <= answer.interval.upper, "{corners:?} {} {answer:?}", ends[2]);
            assert_eq!(Ok(answer.inside), model.contains(&pose, ends[2]), "{corners:?} {}", ends[2]);
        }
    }
});
