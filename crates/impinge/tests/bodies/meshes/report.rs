//! What a mesh reports about itself: flaws of its triangles, bounds, memory.

use glam::DVec3;
use impinge::{Builder, Feature, Limit, Mesh, MeshReport, Model, Pair, Pose};
use impinge_testing::shapes;
use impinge_testing::shapes::{copies, cuboid, grid, point, ring, sphere, torus, triangle};
use impinge_testing::soup::Soup;

fn mesh(soup: &Soup) -> Mesh {
    Mesh::new(soup.vertices.clone(), soup.triangles.clone()).unwrap()
}

fn report(soup: &Soup) -> MeshReport {
    mesh(soup).report().clone()
}

fn cube() -> Soup {
    cuboid(DVec3::ZERO, DVec3::ONE)
}

#[test]
fn a_clean_solid() {
    let r = report(&cube());
    assert!(r.closed && r.manifold && r.oriented, "{r:?}");
    assert_eq!((r.vertices, r.triangles, r.merged_vertices, r.unused_vertices), (8, 12, 0, 0));
    assert_eq!((r.duplicate_triangles, r.degenerate_triangles, r.components), (0, 0, 1));
    assert_eq!((r.open_edges, r.nonmanifold_edges, r.misoriented_edges), (0, 0, 0));
    assert!((r.area - 24.0).abs() < 1e-12 && (r.volume.unwrap() - 8.0).abs() < 1e-12, "{r:?}");
}

#[test]
fn volume_does_not_depend_on_the_place() {
    let far = report(&cube().map(|p| p + DVec3::new(1e6, -1e6, 1e6)));
    assert!((far.volume.unwrap() - 8.0).abs() < 1e-6, "{far:?}");
    let n = 48;
    let exact = 0.5 * f64::from(n) * (std::f64::consts::TAU / f64::from(n)).sin() * (4.0 - 1.0) * 0.5;
    assert!((report(&ring(n, 2.0, 1.0, 0.5)).volume.unwrap() - exact).abs() < 1e-12);
}

#[test]
fn an_open_surface() {
    let r = report(&grid(3, 1.0));
    assert!(!r.closed && r.manifold && r.oriented && r.volume.is_none(), "{r:?}");
    assert_eq!((r.open_edges, r.components), (12, 1));
    assert!((r.area - 9.0).abs() < 1e-12);
    let mesh = mesh(&grid(3, 1.0));
    assert!(!mesh.is_solid() && mesh.into_solid().is_err());
}

#[test]
fn duplicates_and_degenerates_are_kept_and_counted() {
    let mut soup = cube();
    soup.triangles.extend([[0, 4, 6], [6, 0, 4], [0, 0, 1], [3, 3, 3]]);
    soup.vertices.push(DVec3::splat(9.0));
    let r = report(&soup);
    assert_eq!((r.triangles, r.duplicate_triangles, r.degenerate_triangles, r.unused_vertices), (16, 2, 2, 1), "{r:?}");
    let built = mesh(&soup);
    assert_eq!((built.triangle_count(), built.vertex_count()), (16, 9));
    assert_eq!(built.triangle(13), Some(soup.triangle(13)));
    assert_eq!(built.triangle(16), None);
    let collinear = report(&triangle([DVec3::ZERO, DVec3::X, DVec3::X * 3.0]));
    assert_eq!(collinear.degenerate_triangles, 1, "{collinear:?}");
}

/// Equal vertices need no table where the file had no indices, and a small one where there are few of them.
#[test]
fn equal_vertices_cost_little() {
    let grid = shapes::torus(1.0, 0.3, 40, 20);
    let whole = mesh(&grid);
    let corners: Vec<DVec3> = grid.corners().into_iter().flatten().collect();
    let in_order = (0..corners.len() as u32 / 3).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    let soup = Mesh::new(corners, in_order).unwrap();
    assert_eq!(soup.tree_bytes(), whole.tree_bytes());
    let mut seam = grid.clone();
    seam.vertices.push(seam.vertices[0]);
    let last = seam.vertices.len() as u32 - 1;
    let moved = seam.triangles.iter_mut().find(|t| t[0] == 0).unwrap();
    moved[0] = last;
    let seam = mesh(&seam);
    assert_eq!(seam.report().merged_vertices, 1);
    assert!(seam.tree_bytes() <= whole.tree_bytes() + 64, "{} {}", seam.tree_bytes(), whole.tree_bytes());
    let away = Pose::at(DVec3::X * 9.0).unwrap();
    for (k, mesh) in [whole, soup, seam].into_iter().enumerate() {
        let count = mesh.vertex_count() as u32;
        let far = Pair::new(mesh.clone(), mesh.clone()).distance(&Pose::IDENTITY, &away);
        for feature in far.witness.unwrap().features {
            let (triangle, vertices) = match feature {
                Feature::Vertex { triangle, vertex } => (triangle, vec![vertex]),
                Feature::Edge { triangle, vertices } => (triangle, vertices.to_vec()),
                other => (other.triangle().unwrap(), Vec::new()),
            };
            assert!(vertices.iter().all(|v| *v < count && (k != 1 || v / 3 == triangle)), "{k}: {feature:?}");
        }
    }
}

/// A triangle that is given again, its corners in another order, keeps its own order, winding and vertices.
#[test]
fn copies_keep_their_own_corners() {
    let (p, q, r) = (DVec3::ZERO, DVec3::X, DVec3::Y);
    let orders = [[p, q, r], [q, r, p], [r, p, q], [p, r, q], [r, q, p], [q, p, r]];
    let soup = orders.iter().fold(Soup::default(), |all, &t| all.and(&triangle(t)));
    let built = mesh(&soup);
    for (i, corners) in orders.iter().enumerate() {
        assert_eq!(built.triangle(i as u32), Some(*corners));
    }
    let needle =
        mesh(&triangle([DVec3::new(0.25, 0.25, -1.0), DVec3::new(0.25, 0.25, 1.0), DVec3::new(0.5, 0.25, 1.0)]));
    for (i, corners) in orders.iter().enumerate() {
        let found = Pair::new(mesh(&triangle(*corners)), needle.clone());
        let found = { found }.contacts(&Pose::IDENTITY, &Pose::IDENTITY, Limit::All);
        let normals: Vec<DVec3> = found.iter().map(|c| c.normal).collect();
        assert_eq!(normals, [if i < 3 { DVec3::Z } else { DVec3::NEG_Z }], "{i}");
    }
    let found = Pair::new(built, needle).contacts(&Pose::IDENTITY, &Pose::IDENTITY, Limit::All);
    let told: Vec<(u32, DVec3)> = found.iter().map(|c| (c.pair[0], c.normal)).collect();
    let own = |i: u32| if i < 3 { DVec3::Z } else { DVec3::NEG_Z };
    assert_eq!(told, (0..6).map(|i| (i, own(i))).collect::<Vec<_>>(), "each copy pushes to its own side");
}

#[test]
fn merged_vertices_make_one_component() {
    let shared = sphere(2, 1.0);
    let corners: Vec<DVec3> = shared.corners().into_iter().flatten().collect();
    let n = shared.triangles.len();
    let apart = Soup { triangles: (0..n as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect(), vertices: corners };
    let r = report(&apart);
    assert_eq!(r.merged_vertices, 3 * n - shared.vertices.len(), "{r:?}");
    assert!(r.closed && r.oriented && r.components == 1, "{r:?}");
    let zeros = report(&cube().map(|p| if p.x < 0.0 { DVec3::new(-0.0, p.y, p.z) } else { p }));
    assert!(zeros.closed, "{zeros:?}");
    let (mut signs, flat) = (cube(), [DVec3::ZERO, DVec3::new(-0.0, 0.0, -0.0), DVec3::X, DVec3::Y]);
    signs.vertices = flat.to_vec();
    signs.triangles = vec![[0, 2, 3], [1, 3, 2]];
    assert!(report(&signs).closed, "plus and minus zero are one place: {:?}", report(&signs));
}

#[test]
fn what_is_not_manifold_or_not_oriented() {
    let mut flipped = cube();
    flipped.triangles[0].swap(1, 2);
    let r = report(&flipped);
    assert!(r.closed && !r.oriented && r.misoriented_edges == 3 && r.volume.is_none(), "{r:?}");
    assert!(mesh(&flipped).is_solid(), "an inside needs no winding");
    let fin = cube().and(&triangle([DVec3::splat(-1.0), DVec3::new(1.0, -1.0, -1.0), DVec3::new(0.0, -3.0, -3.0)]));
    let r = report(&fin);
    assert!(!r.closed && !r.manifold && r.nonmanifold_edges == 1, "{r:?}");
    let two = report(&cube().and(&cuboid(DVec3::X * 5.0, DVec3::ONE)));
    assert!(two.closed && two.manifold && two.components == 2, "{two:?}");
    assert!((two.volume.unwrap() - 16.0).abs() < 1e-12);
}

#[test]
fn bounds_hold_the_triangles() {
    let soup = torus(2.0, 0.5, 20, 10).map(|p| p + DVec3::splat(7.0));
    let [low, high] = mesh(&soup).bounds().unwrap();
    assert!(soup.vertices.iter().all(|p| p.cmpge(low).all() && p.cmple(high).all()));
    assert_eq!(mesh(&point(DVec3::ONE)).bounds(), Some([DVec3::ONE; 2]));
}

#[test]
fn a_tree_takes_at_most_a_hundred_bytes_a_triangle() {
    let soups =
        [torus(2.0, 0.5, 200, 50), sphere(5, 1.0), grid(80, 1.0), copies(20_000, [DVec3::ZERO, DVec3::X, DVec3::Y])];
    for soup in &soups {
        for builder in [Builder::Auto, Builder::Sah, Builder::Ploc] {
            let mesh = Mesh::with_builder(soup.vertices.clone(), soup.triangles.clone(), builder).unwrap();
            let each = mesh.tree_bytes() as f64 / mesh.triangle_count() as f64;
            assert!(each <= 100.0, "{builder}: {each} bytes a triangle of {}", mesh.triangle_count());
        }
    }
}

/// Triangles at scales that shrink by a constant factor make a deep tree; its descent has to do with a small stack.
#[test]
fn deep_trees_need_no_deep_stack() {
    let soup = {
        let n = 30_000;
        let at = |i: u32, p: DVec3| (DVec3::ONE + p) * 2f64.powf(-f64::from(i) * 250.0 / f64::from(n));
        let vertices = (0..n).flat_map(|i| [DVec3::ZERO, DVec3::X * 1e-3, DVec3::Y * 1e-3].map(|p| at(i, p))).collect();
        Soup { vertices, triangles: (0..n).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect() }
    };
    let work = move || {
        for builder in [Builder::Sah, Builder::Ploc] {
            let body: Model =
                Mesh::with_builder(soup.vertices.clone(), soup.triangles.clone(), builder).unwrap().into();
            let mut pair = Pair::new(body.clone(), body);
            let away = Pose::at(DVec3::new(0.0, 0.0, -3.0)).unwrap();
            assert!(pair.overlap(&Pose::IDENTITY, &Pose::IDENTITY).overlap);
            assert!(!pair.overlap(&Pose::IDENTITY, &away).overlap);
            assert!(pair.distance(&Pose::IDENTITY, &away).interval.lower > 1.9);
        }
    };
    std::thread::Builder::new().stack_size(256 * 1024).spawn(work).unwrap().join().unwrap();
}

#[test]
fn models_and_pairs_travel_between_threads() {
    fn travels<T: Send + Sync>() {}
    travels::<Model>();
    travels::<Mesh>();
    travels::<Pair>();
}
