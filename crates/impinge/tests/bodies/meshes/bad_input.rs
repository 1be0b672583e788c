//! Which input is refused when a mesh or a pose is built, that the error names the place, and which input is accepted.

use glam::{DMat3, DQuat, DVec3};
use impinge::{BuildError, Builder, Limit, Mesh, Method, Model, Pair, Pose, PoseError};

fn v(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

fn corners() -> Vec<DVec3> {
    vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z]
}

fn tetra() -> Vec<[u32; 3]> {
    vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]]
}

#[test]
fn coordinates_that_are_not_finite_are_refused_by_vertex() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -f64::NAN] {
        for vertex in 0..4 {
            for axis in 0..3 {
                let mut vertices = corners();
                vertices[vertex][axis] = bad;
                for builder in [Builder::Auto, Builder::Sah, Builder::Ploc] {
                    let error = Mesh::with_builder(vertices.clone(), tetra(), builder).unwrap_err();
                    let BuildError::NotFinite { vertex: named, position } = error else { panic!("{error:?}") };
                    assert_eq!(named, vertex);
                    assert_eq!(position.map(f64::to_bits), vertices[vertex].to_array().map(f64::to_bits));
                }
            }
        }
    }
    let mut vertices = corners();
    vertices[2].y = f64::NAN;
    let said = Mesh::new(vertices, tetra()).unwrap_err().to_string();
    assert!(said.contains("vertex 2") && said.contains("finite"), "{said}");
}

#[test]
fn the_first_offender_is_named() {
    let mut vertices = corners();
    (vertices[1].z, vertices[3].x) = (f64::INFINITY, f64::NAN);
    assert!(matches!(Mesh::new(vertices, tetra()), Err(BuildError::NotFinite { vertex: 1, .. })));
    let triangles = vec![[0, 1, 2], [0, 9, 2], [7, 1, 2]];
    let error = Mesh::new(corners(), triangles).unwrap_err();
    assert_eq!(error, BuildError::IndexOutOfRange { triangle: 1, index: 9, vertices: 4 });
}

#[test]
fn coordinates_beyond_the_scale_are_refused_by_vertex() {
    for bad in [1e300, -1e300, f64::MAX, f64::MIN] {
        let mut vertices = corners();
        vertices[3].y = bad;
        let error = Mesh::new(vertices, tetra()).unwrap_err();
        assert!(matches!(error, BuildError::TooLarge { vertex: 3, .. }), "{error:?}");
        assert!(error.to_string().contains("vertex 3"), "{error}");
    }
    assert!(Mesh::new(corners().into_iter().map(|p| p * 1e140).collect(), tetra()).is_ok());
}

/// A vertex that no triangle uses belongs to the file, too.
#[test]
fn unused_vertices_are_checked_too() {
    let mut vertices = corners();
    vertices.push(v(0.0, f64::NAN, 0.0));
    assert!(matches!(Mesh::new(vertices, tetra()), Err(BuildError::NotFinite { vertex: 4, .. })));
}

#[test]
fn indices_out_of_range_are_refused_by_triangle() {
    for bad in [4, 5, u32::MAX, u32::MAX - 1, 1 << 31] {
        for slot in 0..3 {
            let mut triangles = tetra();
            triangles[2][slot] = bad;
            let error = Mesh::new(corners(), triangles).unwrap_err();
            assert_eq!(error, BuildError::IndexOutOfRange { triangle: 2, index: bad, vertices: 4 });
            assert!(error.to_string().contains("triangle 2"), "{error}");
        }
    }
    assert!(Mesh::new(vec![], vec![[0, 0, 0]]).is_err());
}

#[test]
fn no_triangles_are_refused() {
    assert_eq!(Mesh::new(vec![], vec![]).unwrap_err(), BuildError::Empty);
    assert_eq!(Mesh::new(corners(), vec![]).unwrap_err(), BuildError::Empty);
    assert_eq!(Mesh::empty().triangle_count(), 0);
}

#[test]
fn an_open_mesh_is_no_solid_and_says_where() {
    let open = tetra()[..3].to_vec();
    let mesh = Mesh::new(corners(), open).unwrap();
    assert!(!mesh.is_solid() && !mesh.report().closed && mesh.report().open_edges == 3);
    let error = mesh.into_solid().unwrap_err();
    assert_eq!(error.open_edges, 3);
    let [p, q] = error.edge;
    assert!([[0, 2], [2, 3], [0, 3]].contains(&[p.min(q), p.max(q)]), "{error:?}");
    assert!((error.triangle as usize) < 3);
    assert!(error.to_string().contains("not closed"), "{error}");
    assert!(Mesh::new(corners(), tetra()).unwrap().into_solid().is_ok());
    let surface = Mesh::new(corners(), tetra()).unwrap().into_surface();
    assert!(!surface.is_solid());
}

#[test]
fn quaternions_that_are_not_unit_are_refused() {
    let new = |x: f64, y: f64, z: f64, w: f64| Pose::new(DVec3::ZERO, DQuat::from_xyzw(x, y, z, w));
    assert_eq!(new(0.0, 0.0, 0.0, 0.0), Err(PoseError::NotUnit { norm: 0.0 }));
    assert_eq!(new(0.0, 0.0, 0.0, 2.0), Err(PoseError::NotUnit { norm: 2.0 }));
    assert!(matches!(new(0.0, 0.0, 0.0, 1.0 + 2e-6), Err(PoseError::NotUnit { .. })));
    assert!(matches!(new(0.5, 0.5, 0.5, 0.6), Err(PoseError::NotUnit { .. })));
    assert!(new(0.0, 0.0, 0.0, 1.0 + 0.9e-6).is_ok());
    assert!(matches!(new(1e200, 0.0, 0.0, 1.0), Err(PoseError::NotUnit { .. })));
    assert!(matches!(new(1e-200, 0.0, 0.0, 0.0), Err(PoseError::NotUnit { .. })));
    for bad in [f64::NAN, f64::INFINITY] {
        assert_eq!(new(bad, 0.0, 0.0, 1.0), Err(PoseError::NotFinite));
        assert_eq!(new(0.0, 0.0, 0.0, bad), Err(PoseError::NotFinite));
    }
    let said = new(0.0, 0.0, 0.0, 2.0).unwrap_err().to_string();
    assert!(said.contains('2') && said.contains("quaternion"), "{said}");
}

#[test]
fn translations_and_matrices_are_checked() {
    for bad in [f64::NAN, f64::INFINITY] {
        assert_eq!(Pose::at(v(0.0, bad, 0.0)), Err(PoseError::NotFinite));
    }
    assert_eq!(Pose::at(v(0.0, 0.0, 1e300)), Err(PoseError::TooLarge));
    let matrix = |m: DMat3| Pose::from_matrix(DVec3::ZERO, m);
    assert!(matches!(matrix(DMat3::ZERO), Err(PoseError::NotARotation { .. })));
    assert!(matches!(matrix(-DMat3::IDENTITY), Err(PoseError::NotARotation { .. })));
    assert!(matches!(matrix(DMat3::IDENTITY * 2.0), Err(PoseError::NotARotation { .. })));
    assert!(matches!(matrix(DMat3::IDENTITY * f64::NAN), Err(PoseError::NotFinite)));
    assert!(matches!(matrix(DMat3::from_diagonal(v(1e200, 1e200, 1e200))), Err(PoseError::NotARotation { .. })));
    assert!(matrix(DMat3::from_rotation_y(1.0)).is_ok());
}

#[test]
fn names_of_methods_and_builders_are_parsed() {
    for name in ["auto", "brute", "tree"] {
        assert_eq!(name.parse::<Method>().unwrap().to_string(), name);
    }
    for name in ["auto", "sah", "ploc"] {
        assert_eq!(name.parse::<Builder>().unwrap().to_string(), name);
    }
    assert!("octopus".parse::<Method>().is_err() && "".parse::<Builder>().is_err());
}

/// A tolerance that is not a length counts as zero; a very large one is accepted.
#[test]
fn within_takes_any_number() {
    let model: Model = Mesh::new(corners(), tetra()).unwrap().into();
    let far = Pose::at(v(5.0, 0.0, 0.0)).unwrap();
    for method in [Method::Auto, Method::Brute, Method::Tree] {
        let mut pair = Pair::new(model.clone(), model.clone()).with_method(method);
        for tolerance in [f64::NAN, -1.0, -0.0, f64::NEG_INFINITY, 0.0, 3.9] {
            assert!(!pair.within(&Pose::IDENTITY, &far, tolerance).within, "{tolerance}");
            assert!(pair.within(&Pose::IDENTITY, &Pose::IDENTITY, tolerance).within, "{tolerance}");
        }
        for tolerance in [4.0, 1e150, f64::MAX, f64::INFINITY] {
            assert!(pair.within(&Pose::IDENTITY, &far, tolerance).within, "{tolerance}");
        }
    }
}

#[test]
fn limits_of_zero_and_of_the_largest_number() {
    let model: Model = Mesh::new(corners(), tetra()).unwrap().into();
    for method in [Method::Auto, Method::Brute, Method::Tree] {
        let mut pair = Pair::new(model.clone(), model.clone()).with_method(method);
        let none = pair.contacts(&Pose::IDENTITY, &Pose::IDENTITY, Limit::UpTo(0));
        assert!(none.pairs.is_empty() && !none.complete);
        let all = pair.contacts(&Pose::IDENTITY, &Pose::IDENTITY, Limit::UpTo(usize::MAX));
        assert_eq!(all.pairs.len(), 16);
        assert!(all.complete);
    }
}

/// The largest coordinates and translations that are accepted, together.
#[test]
fn the_edge_of_the_supported_scale_gives_finite_answers() {
    let model = |scale: f64| -> Model {
        Mesh::new(corners().into_iter().map(|p| p * scale).collect(), tetra()).unwrap().into()
    };
    let (big, small) = (model(9e149), model(1e-300));
    let pose = |x: f64| Pose::new(v(x, -x, x), DQuat::from_rotation_z(0.5)).unwrap();
    for (a, b) in [(&big, &big), (&big, &small), (&small, &small)] {
        for (pa, pb) in [(9e149, -9e149), (0.0, 9e149), (1e-300, -1e-300), (0.0, 1e-310)] {
            for method in [Method::Auto, Method::Brute, Method::Tree] {
                let got = Pair::new(a.clone(), b.clone()).with_method(method).distance(&pose(pa), &pose(pb));
                let i = got.interval;
                assert!(i.lower >= 0.0 && i.lower <= i.upper && i.upper.is_finite(), "{i:?}");
                assert!(got.witness.is_none_or(|w| w.points.iter().all(|p| p.is_finite())), "{got:?}");
            }
        }
    }
}
