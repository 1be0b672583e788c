//! What a mesh, a hull and a union are made of, and that it makes them again.

use std::collections::BTreeSet;

use impinge::glam::DVec3;
use impinge::{Convex, Deforming, Mesh, Model, Parts};
use impinge_testing::random::Random;

use crate::models;

#[test]
fn a_mesh_is_made_again_from_what_was_given() {
    let mesh = models::mesh();
    let (vertices, triangles) = mesh.as_given();
    assert_eq!((vertices.len(), triangles.len()), (17, 14));
    let made = Mesh::new(vertices, triangles).unwrap();
    assert_eq!(made.as_given().1, mesh.as_given().1);
    assert_eq!((made.vertices(), made.triangles()), (mesh.vertices(), mesh.triangles()));
    models::assert_same_answers(&Model::from(made), &Model::from(mesh), &mut Random::new(1));
}

#[test]
fn the_slices_of_a_mesh_have_each_thing_once() {
    let mesh = models::mesh();
    assert_eq!((mesh.vertices().len(), mesh.triangles().len()), (8, 12), "of 17 and 14");
    let ids: BTreeSet<u32> = mesh.triangle_ids().iter().copied().collect();
    assert_eq!(ids, (0..12).collect(), "of copies the first");
    for (t, &id) in mesh.triangles().iter().zip(mesh.triangle_ids()) {
        assert_eq!(mesh.triangle(id), Some(t.map(|v| mesh.vertices()[v as usize])));
    }
    let volume: f64 = mesh
        .triangles()
        .iter()
        .map(|t| t.map(|v| mesh.vertices()[v as usize]))
        .map(|[p, q, r]| p.dot(q.cross(r)) / 6.0)
        .sum();
    assert!((volume.abs() - 1.0).abs() < 1e-12, "the slices are the whole surface");
    // After it deforms, what was given is where it is now.
    let mut moved = mesh.clone();
    let doubled: Vec<DVec3> = mesh.as_given().0.iter().map(|p| *p * 2.0).collect();
    moved.deform(&doubled).unwrap();
    assert_eq!(moved.as_given().0, doubled);
    let step = Deforming::new(mesh, &doubled).unwrap();
    assert_eq!(step.end_positions(), doubled);
}

/// Every incidence is told from both sides, and Euler's formula holds.
#[test]
fn the_parts_of_a_hull_know_their_neighbours() {
    let mut random = Random::new(2);
    for corners in [1, 2, 3, 4, 8, 40] {
        let body = models::hull(&mut random, corners);
        let (v, e, f) = (body.vertex_count(), body.edge_count(), body.face_count());
        assert!(v + f == e + 2 || corners < 3, "{v} {e} {f}");
        assert_eq!((body.vertices().len(), body.edges().len(), body.faces().len()), (v, e, f));
        for (place, edge) in body.edges().iter().enumerate() {
            let [tail, head] = edge.ends();
            let along = body.vertices()[head as usize] - body.vertices()[tail as usize];
            assert!((along - edge.direction() * edge.length()).length() < 1e-12);
            for end in edge.ends() {
                assert!(body.edges_at(end).unwrap().any(|at| at as usize == place));
            }
            for face in edge.faces().into_iter().flatten() {
                assert!(body.face_sides(face).unwrap().any(|side| side as usize == place));
            }
        }
        for (f, face) in (0..).zip(body.faces()) {
            let corners: Vec<u32> = body.face_corners(f).unwrap().collect();
            let sides: Vec<u32> = body.face_sides(f).unwrap().collect();
            for (k, &side) in sides.iter().enumerate() {
                let mut ends = body.edges()[side as usize].ends();
                let mut two = [corners[k], corners[(k + 1) % corners.len()]];
                ends.sort_unstable();
                two.sort_unstable();
                assert_eq!(ends, two);
            }
            for &v in &corners {
                assert!((face.normal().dot(body.vertices()[v as usize]) - face.offset()).abs() < 1e-12);
            }
        }
        assert_eq!(body.edges_at(v as u32).map(|_| ()), None);
        assert_eq!(body.face_sides(f as u32).map(|_| ()), None);
        let (fans, volume) = (&body, body.volume());
        let signed: f64 = (0..f as u32)
            .map(|face| {
                let at: Vec<DVec3> = fans.face_corners(face).unwrap().map(|v| fans.vertices()[v as usize]).collect();
                (2..at.len()).map(|k| at[0].dot(at[k - 1].cross(at[k])) / 6.0).sum::<f64>()
            })
            .sum();
        assert!((signed - volume).abs() < 1e-12, "{signed} {volume}");
    }
}

#[test]
fn hulls_and_unions_are_made_again_from_their_parts() {
    let mut random = Random::new(3);
    for corners in [1, 2, 3, 4, 8, 40, 200] {
        // Points that are no vertices are left out first: answers name vertices by the points given.
        let body = Convex::hull(models::hull(&mut random, corners).vertices()).unwrap();
        let made = Convex::hull(body.vertices()).unwrap();
        assert_eq!((made.vertices(), made.vertex_ids()), (body.vertices(), body.vertex_ids()));
        models::assert_same_answers(&Model::from(made), &Model::from(body), &mut random);
    }
    let parts = Parts::new((4..12).map(|n| models::hull(&mut random, n)).collect()).unwrap();
    let made = Parts::new(parts.pieces().to_vec()).unwrap();
    models::assert_same_answers(&Model::from(made), &Model::from(parts), &mut random);
}
