//! Solids cut into convex pieces: the volume stays, every point keeps its side, and bad meshes are refused by name.

use impinge::glam::DVec3;
use impinge::{BuildError, Convex, Mesh, Parts};
use impinge_testing::planes;
use impinge_testing::random::Random;
use impinge_testing::shapes;
use impinge_testing::soup::Soup;

fn mesh(soup: &Soup) -> Mesh {
    Mesh::new(soup.vertices.clone(), soup.triangles.clone()).unwrap()
}

/// The signed distance by the planes of the triangles: right near the surface and inside.
fn height(piece: &Convex, p: DVec3) -> f64 {
    let face = |f: u32| {
        let c: Vec<DVec3> = piece.face_corners(f).unwrap().map(|v| piece.vertices()[v as usize]).collect();
        let sum = (2..c.len()).fold(DVec3::ZERO, |n, k| n + (c[k - 1] - c[0]).cross(c[k] - c[0]));
        sum.normalize().dot(p - c[0])
    };
    (0..piece.face_count() as u32).map(face).fold(f64::NEG_INFINITY, f64::max)
}

fn volume(piece: &Convex) -> f64 {
    let centre = piece.vertices()[0];
    let face = |f: u32| {
        let c: Vec<DVec3> = piece.face_corners(f).unwrap().map(|v| piece.vertices()[v as usize] - centre).collect();
        (2..c.len()).map(|k| c[0].dot(c[k - 1].cross(c[k])) / 6.0).sum::<f64>()
    };
    (0..piece.face_count() as u32).map(face).sum()
}

/// How often the ray along a fixed skew direction crosses the surface.
fn is_inside(soup: &Soup, p: DVec3) -> bool {
    let d = DVec3::new(0.5773, 0.3118, 0.7547);
    let hit = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|v| soup.vertices[v as usize] - p);
        let sides = [a.cross(b).dot(d), b.cross(c).dot(d), c.cross(a).dot(d)];
        let through = sides.iter().all(|s| *s > 0.0) || sides.iter().all(|s| *s < 0.0);
        let n = (b - a).cross(c - a);
        through && n.dot(a) / n.dot(d) > 0.0
    };
    soup.triangles.iter().filter(|t| hit(t)).count() % 2 == 1
}

/// Cuts the solid, and compares volumes and the sides of random points.
fn check(name: &str, soup: &Soup) -> usize {
    let mesh = mesh(soup);
    let parts = Parts::decompose(&mesh).unwrap_or_else(|e| panic!("{name}: {e}"));
    assert!(parts.is_exact());
    let (expected, sum) = (mesh.report().volume.unwrap().abs(), parts.pieces().iter().map(volume).sum::<f64>());
    assert!((expected - sum).abs() <= 1e-9 * expected, "{name}: {sum}, not {expected}");
    let low = soup.vertices.iter().fold(DVec3::INFINITY, |m, v| m.min(*v));
    let high = soup.vertices.iter().fold(DVec3::NEG_INFINITY, |m, v| m.max(*v));
    let extent = (high - low).max_element();
    let mut random = Random::new(5);
    let mut inside = 0;
    for _ in 0..600 {
        let p = low + (high - low) * (0.5 * (random.point(1.05) + DVec3::ONE));
        let nearest = parts.pieces().iter().map(|piece| height(piece, p)).fold(f64::INFINITY, f64::min);
        if nearest.abs() > 1e-9 * extent {
            assert_eq!(nearest < 0.0, is_inside(soup, p), "{name} at {p}");
        }
        let within = parts.pieces().iter().filter(|piece| height(piece, p) < -1e-9 * extent).count();
        assert!(within <= 1, "{name}: pieces overlap at {p}");
        inside += usize::from(nearest < 0.0);
    }
    assert!(inside > 5, "{name}: only {inside} points inside");
    parts.piece_count()
}

/// A prism over a polygon without holes, counterclockwise.
fn extrude(outline: &[[f64; 2]], height: f64) -> Soup {
    let n = outline.len() as u32;
    let corner = |c: &[f64; 2], z: f64| DVec3::new(c[0], c[1], z);
    let mut soup = Soup {
        vertices: outline.iter().map(|c| corner(c, 0.0)).chain(outline.iter().map(|c| corner(c, height))).collect(),
        triangles: (0..n).flat_map(|i| [[i, (i + 1) % n, n + i], [(i + 1) % n, n + (i + 1) % n, n + i]]).collect(),
    };
    let points: Vec<impinge::glam::DVec2> = outline.iter().map(|c| (*c).into()).collect();
    for piece in impinge::planar::Polygon::new(&points).unwrap().pieces() {
        let place = |k: usize| points.iter().position(|p| *p == piece[k]).unwrap() as u32;
        for k in 2..piece.len() {
            let [a, b, c] = [place(0), place(k - 1), place(k)];
            soup.triangles.extend([[a, c, b], [a + n, b + n, c + n]]);
        }
    }
    soup
}

fn joined(soups: &[Soup]) -> Soup {
    let mut all = Soup::default();
    for soup in soups {
        let base = all.vertices.len() as u32;
        all.vertices.extend(&soup.vertices);
        all.triangles.extend(soup.triangles.iter().map(|t| t.map(|v| v + base)));
    }
    all
}

fn turned_inside_out(mut soup: Soup) -> Soup {
    soup.triangles.iter_mut().for_each(|t| t.swap(0, 1));
    soup
}

#[test]
fn solids_are_cut_into_few_pieces() {
    let unit = DVec3::ONE;
    assert_eq!(check("cube", &shapes::cuboid(DVec3::ZERO, unit)), 1);
    assert_eq!(check("sphere", &shapes::sphere(3, 2.0)), 1);
    assert_eq!(check("inside out", &turned_inside_out(shapes::cuboid(DVec3::ZERO, unit))), 1);
    assert_eq!(check("L", &extrude(&[[0., 0.], [3., 0.], [3., 1.], [1., 1.], [1., 3.], [0., 3.]], 2.0)), 2);
    let u = [[0., 0.], [5., 0.], [5., 4.], [4., 4.], [4., 1.], [1., 1.], [1., 4.], [0., 4.]];
    assert_eq!(check("U", &extrude(&u, 1.0)), 3);
    assert_eq!(check("two", &joined(&[shapes::cuboid(DVec3::ZERO, unit), shapes::cuboid(unit * 5.0, unit)])), 2);
    let hollow = [shapes::cuboid(DVec3::ZERO, unit * 2.0), turned_inside_out(shapes::cuboid(DVec3::ZERO, unit))];
    assert!(check("hollow", &joined(&hollow)) <= 8);
    assert!(check("ring", &shapes::ring(12, 2.0, 1.0, 1.0)) <= 16);
    let plus = [
        [1., 0.],
        [2., 0.],
        [2., 1.],
        [3., 1.],
        [3., 2.],
        [2., 2.],
        [2., 3.],
        [1., 3.],
        [1., 2.],
        [0., 2.],
        [0., 1.],
        [1., 1.],
    ];
    assert!(check("plus", &extrude(&plus, 1.0)) <= 3);
}

#[test]
fn curved_solids_are_cut() {
    println!("{} pieces", check("torus", &shapes::torus(3.0, 1.0, 12, 8)));
    println!("{} pieces", check("fine torus", &shapes::torus(3.0, 1.0, 24, 12)));
    let star: Vec<[f64; 2]> = (0..14)
        .map(|k| {
            let (angle, r) = (f64::from(k) * std::f64::consts::TAU / 14.0, if k % 2 == 0 { 3.0 } else { 1.0 });
            [r * angle.cos(), r * angle.sin()]
        })
        .collect();
    println!("{} pieces", check("star", &extrude(&star, 1.5)));
}

#[test]
fn random_prisms_are_cut_anywhere() {
    let mut random = Random::new(9);
    for k in 0..45 {
        let outline = planes::simple(&mut random, 50);
        let mut outline: Vec<[f64; 2]> = outline.iter().map(|c| [c[0] as f64, c[1] as f64]).collect();
        let points: Vec<impinge::glam::DVec2> = outline.iter().map(|c| (*c).into()).collect();
        let polygon = impinge::planar::Polygon::new(&points).unwrap();
        outline = polygon.corners().iter().map(|c| [c.x, c.y]).collect();
        let mut soup = extrude(&outline, 20.0);
        let (turn, shift) = (random.rotation(), random.point(100.0));
        let size = [1e-6, 1.0, 1e6][k % 3];
        soup.vertices.iter_mut().for_each(|v| *v = size * (turn * *v + shift));
        check(&format!("prism {k}"), &soup);
    }
}

#[cfg(feature = "vhacd")]
#[test]
fn approximations_are_near_and_say_so() {
    use impinge::Approximation;
    let how = Approximation { resolution: 40, most_pieces: 32, ..Approximation::default() };
    let cube = shapes::cuboid(DVec3::new(1e6, 0.0, 0.0), DVec3::splat(3.0));
    let parts = Parts::approximate(&mesh(&cube), &how).unwrap();
    assert_eq!((parts.is_exact(), parts.piece_count()), (false, 1));
    assert!((volume(&parts.pieces()[0]) - 216.0).abs() < 1e-3);
    for (name, soup) in [
        ("torus", shapes::torus(3.0, 1.0, 48, 24)),
        ("ring", shapes::ring(12, 2.0, 1.0, 1.0)),
        ("U", extrude(&[[0., 0.], [5., 0.], [5., 4.], [4., 4.], [4., 1.], [1., 1.], [1., 4.], [0., 4.]], 1.0)),
    ] {
        let parts = Parts::approximate(&mesh(&soup), &how).unwrap();
        assert!((2..=32).contains(&parts.piece_count()), "{name}: {}", parts.piece_count());
        let (sum, expected) = (parts.pieces().iter().map(volume).sum::<f64>(), mesh(&soup).report().volume.unwrap());
        assert!((0.95..1.25).contains(&(sum / expected)), "{name}: {sum}, not {expected}");
        for v in &soup.vertices {
            assert!(parts.pieces().iter().any(|piece| height(piece, *v) < 1e-6), "{name}: {v} is outside");
        }
    }
    let hull = Parts::approximate(&mesh(&shapes::torus(3.0, 1.0, 12, 8)), &Approximation { most_pieces: 1, ..how });
    assert_eq!(hull.unwrap().piece_count(), 1);
    let refused = |how: Approximation| Parts::approximate(&mesh(&cube), &how).is_err();
    assert!(refused(Approximation { concavity: f64::NAN, ..how }) && refused(Approximation { resolution: 1, ..how }));
    let open = Soup { triangles: cube.triangles[1..].to_vec(), ..cube.clone() };
    assert!(matches!(Parts::approximate(&mesh(&open), &how), Err(BuildError::NotClosed(_))));
}

#[test]
fn what_has_no_inside_is_refused() {
    let cube = shapes::cuboid(DVec3::ZERO, DVec3::ONE);
    let open = Soup { triangles: cube.triangles[1..].to_vec(), ..cube.clone() };
    assert!(matches!(Parts::decompose(&mesh(&open)), Err(BuildError::NotClosed(_))));
    assert!(matches!(Parts::decompose(&Mesh::empty()), Err(BuildError::Empty)));
    let mut twisted = cube.clone();
    twisted.triangles[0].swap(0, 1);
    assert!(matches!(Parts::decompose(&mesh(&twisted)), Err(BuildError::NotDecomposed { .. })));
    let sheet = Soup { vertices: cube.vertices[..3].to_vec(), triangles: vec![[0, 1, 2], [0, 2, 1]] };
    assert!(matches!(Parts::decompose(&mesh(&sheet)), Err(BuildError::NotDecomposed { .. })));
    let crossing = joined(&[cube.clone(), shapes::cuboid(DVec3::splat(0.5), DVec3::ONE)]);
    assert!(matches!(Parts::decompose(&mesh(&crossing)), Err(BuildError::NotDecomposed { .. })));
    // Closed and with the right volume, but things may touch the rest of it: a sheet of two sides beside the cube, and
    // a tetrahedron that is a needle without thickness.
    let beside = |soup: Soup| joined(&[cube.clone(), soup.map(|v| v + DVec3::splat(3.0))]);
    let needle = Soup {
        vertices: vec![DVec3::ZERO, DVec3::X, DVec3::ZERO, DVec3::ZERO],
        triangles: vec![[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
    };
    for soup in [beside(sheet), beside(needle)] {
        assert!(matches!(Parts::decompose(&mesh(&soup)), Err(BuildError::NotDecomposed { .. })));
    }
    let large = shapes::torus(3.0, 1.0, 64, 64);
    assert!(matches!(Parts::decompose(&mesh(&large)), Err(BuildError::TooMany { .. })));
}
