//! Any bytes, taken as a soup of triangles and a soup, a hull or a ball: manifolds and contacts are finite, fit their
//! normals, and are there whenever the bodies touch.
#![no_main]

use impinge::glam::DVec3;
use impinge::{Convex, KeptPoints, Limit, ManifoldOptions, Manifolds, Mesh, Model, Pair, Round};
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
    let (kind, other) = (bytes.byte() % 3, bytes.byte() % 3);
    let Some(a) = soup(&mut bytes, kind) else { return };
    let b = match other {
        0 => soup(&mut bytes, kind),
        1 => Convex::hull(&bytes.points(kind, 12)).ok().map(Model::from),
        _ => Round::sphere(bytes.number(kind)).ok().map(Model::from),
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
