//! Any bytes, taken as a soup of triangles and a soup, a hull, a ball or a union: manifolds and contacts are finite and
//! fit their normals; curves of crossings have a pair of triangles for each piece, and finite points.
#![no_main]

use impinge::glam::DVec3;
use impinge::{Convex, KeptPoints, Limit, ManifoldOptions, Manifolds, Mesh, Model, Pair, Parts, Round};
use impinge_fuzz::Bytes;
use libfuzzer_sys::fuzz_target;

fn soup(bytes: &mut Bytes<'_>, kind: u8) -> Option<Model> {
    let (vertices, triangles) = (1 + bytes.byte() % 12, bytes.byte() % 16);
    let points: Vec<DVec3> = (0..vertices).map(|_| bytes.point(kind)).collect();
    let corner = |bytes: &mut Bytes<'_>| u32::from(bytes.byte() % vertices);
    let triangles = (0..triangles).map(|_| [corner(bytes), corner(bytes), corner(bytes)]).collect();
    Mesh::new(points, triangles).ok().map(Model::from)
}

fuzz_target!(|bytes: &[u8]| {
    let mut bytes = Bytes(bytes);
    let (kind, other) = (bytes.byte() % 3, bytes.byte() % 4);
    let Some(a) = soup(&mut bytes, kind) else { return };
    let b = match other {
        0 => soup(&mut bytes, kind),
        1 => Convex::hull(&bytes.points(kind, 12)).ok().map(Model::from),
        2 => Round::sphere(bytes.number(kind)).ok().map(Model::from),
        _ => {
            let pieces: Vec<Vec<DVec3>> = (0..1 + bytes.byte() % 4).map(|_| bytes.points(kind, 6)).collect();
            Parts::from_hulls(pieces.iter().map(|piece| &piece[..])).ok().map(Model::from)
        }
    };
    let Some(b) = b else { return };
    let mut found = Manifolds::new();
    for (a, b) in [(&a, &b), (&b, &a)] {
        let mut pair = Pair::new(a, b);
        let (Some(pa), Some(pb)) = (bytes.pose(kind), bytes.pose(kind)) else { return };
        let contacts = pair.contacts(&pa, &pb, Limit::All);
        for contact in contacts.iter() {
            assert!(contact.normal.is_finite() && contact.depth.is_none_or(|d| d.lower <= d.upper), "{contact:?}");
        }
        let crossings = pair.crossings(&pa, &pb);
        for curve in &crossings.curves {
            assert_eq!(curve.points.len(), curve.pairs.len() + usize::from(!curve.closed), "{curve:?}");
            assert!(curve.points.iter().all(|p| p.is_finite()), "{curve:?}");
            assert!(curve.pairs.iter().all(|pair| contacts.pairs.contains(pair)), "{curve:?}");
        }
        assert!(crossings.faces.iter().flat_map(|face| &face.corners).all(|p| p.is_finite()), "{crossings:?}");
        for prediction in [0.0, bytes.number(kind), f64::NAN] {
            let options = ManifoldOptions { prediction, points: KeptPoints::Four };
            pair.manifolds(&pa, &pb, &options, &mut found);
            for manifold in found.iter() {
                assert!((1..=4).contains(&manifold.points.len()), "{manifold:?}");
                assert!((manifold.normal.length() - 1.0).abs() < 1e-6, "{manifold:?}");
                for point in manifold.points {
                    assert!(point.depth.is_finite() && point.points.iter().all(|p| p.is_finite()), "{manifold:?}");
                }
            }
        }
    }
});
