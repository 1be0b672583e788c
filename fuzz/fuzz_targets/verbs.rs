//! Any bytes, taken as two soups and some poses: every verb answers, tree and brute force agree, and on coordinates
//! within the documented span the triangles that meet are exactly those of the oracle.
#![no_main]

use impinge::{Builder, Limit, Mesh, Method, Model, Pair, Pose};
use impinge_fuzz::{Bytes, into_frame_of_a};
use impinge_testing::soup::{Soup, meeting_pairs, surface_distance};
use libfuzzer_sys::fuzz_target;

fn soup(bytes: &mut Bytes<'_>, kind: u8) -> Soup {
    let (vertices, triangles) = (1 + bytes.byte() % 12, bytes.byte() % 16);
    Soup {
        vertices: (0..vertices).map(|_| bytes.point(kind)).collect(),
        triangles: (0..triangles)
            .map(|_| [(); 3].map(|()| u32::from(bytes.byte() % (vertices + vertices / 8))))
            .collect(),
    }
}

fn model(soup: &Soup, builder: Builder, surface: bool) -> Option<Model> {
    let mesh = Mesh::with_builder(soup.vertices.clone(), soup.triangles.clone(), builder).ok()?;
    Some(if surface { mesh.into_surface().into() } else { mesh.into() })
}

fn check(pair: &mut Pair, poses: &[Pose; 2], tolerance: f64) -> (Vec<[u32; 2]>, impinge::Interval) {
    let [pa, pb] = poses;
    let (overlap, distance) = (pair.overlap(pa, pb), pair.distance(pa, pb));
    let (all, some) = (pair.contacts(pa, pb, Limit::All), pair.contacts(pa, pb, Limit::UpTo(2)));
    let interval = distance.interval;
    assert!(interval.lower >= 0.0 && interval.lower <= interval.upper && interval.upper.is_finite());
    assert_eq!(overlap.overlap, interval.upper == 0.0);
    assert_eq!(overlap.overlap, distance.penetrating);
    assert_eq!(overlap.overlap, all.touching());
    assert!(all.complete && some.pairs.len() == all.pairs.len().min(2));
    assert!(some.pairs.iter().all(|p| all.pairs.binary_search(p).is_ok()));
    assert!(all.iter().all(|c| c.points.iter().flatten().all(|p| p.is_finite()) && c.normal.is_finite()));
    let within = pair.within(pa, pb, tolerance).within;
    let known = tolerance.max(0.0);
    assert!(within || known < interval.upper, "within {tolerance:e} of {interval:?}");
    assert!(!within || overlap.overlap || known >= interval.lower, "within {tolerance:e} of {interval:?}");
    (all.pairs.to_vec(), interval)
}

fuzz_target!(|bytes: &[u8]| {
    let mut bytes = Bytes(bytes);
    let (kind, flags) = (bytes.byte() % 3, bytes.byte());
    let (a, b) = (soup(&mut bytes, kind), soup(&mut bytes, kind));
    let builder = [Builder::Sah, Builder::Ploc][usize::from(flags & 1)];
    let (Some(model_a), Some(model_b)) = (model(&a, builder, flags & 2 != 0), model(&b, builder, flags & 2 != 0))
    else {
        return;
    };
    let mut tree = Pair::new(model_a.clone(), model_b.clone()).with_method(Method::Tree);
    for _ in 0..3 {
        let (Some(pa), Some(pb)) = (bytes.pose(kind), bytes.pose(kind)) else { return };
        let (poses, tolerance) = ([pa, pb], bytes.number(kind));
        let mut brute = Pair::new(model_a.clone(), model_b.clone()).with_method(Method::Brute);
        let ((pairs, x), (others, y)) = (check(&mut tree, &poses, tolerance), check(&mut brute, &poses, tolerance));
        if kind == 2 {
            continue;
        }
        assert_eq!(pairs, others);
        assert!(x.lower <= y.upper && y.lower <= x.upper, "{x:?} {y:?}");
        let moved = b.map(into_frame_of_a(&pa, &pb));
        assert_eq!(pairs, meeting_pairs(&a, &moved));
        if pairs.is_empty() && x.upper > 0.0 {
            let exact = surface_distance(&a, &moved).expect("neither is empty");
            assert!(
                exact.compare_root(x.lower).is_ge() && exact.compare_root(x.upper).is_le(),
                "{x:?}, exactly {:e}",
                exact.root()
            );
        }
    }
});
