//! Any bytes, taken as bodies of convex pieces: given ones, or those that small closed meshes are cut into. The pieces
//! answer as they do one by one, and what was cut exactly answers as the mesh does.
#![no_main]

use impinge::glam::{DQuat, DVec3};
use impinge::{
    Approximation, BuildError, Convex, DepthKind, Limit, Mesh, Method, Model, Pair, Parts, Pose, Round, distance,
    overlap, penetration,
};
use impinge_fuzz::Bytes;
use impinge_testing::shapes;
use impinge_testing::soup::Soup;
use libfuzzer_sys::fuzz_target;

const METHODS: [Method; 6] =
    [Method::Auto, Method::Brute, Method::VClip, Method::Gjk, Method::EnhancedGjk, Method::LinCanny];

/// The surface of some of the 3 × 3 × 3 cubes of side 1 about the origin.
fn voxels(bytes: &mut Bytes<'_>) -> Soup {
    let filled = bytes.word();
    let is_filled =
        |c: [i32; 3]| c.iter().all(|x| (0..3).contains(x)) && filled >> (c[0] + 3 * c[1] + 9 * c[2]) & 1 == 1;
    let mut soup = Soup::default();
    for i in 0..27 {
        let c = [i % 3, i / 3 % 3, i / 9];
        if !is_filled(c) {
            continue;
        }
        let (low, middle) = (soup.vertices.len() as u32, DVec3::from_array(c.map(|x| f64::from(x) - 1.0)));
        let cube = shapes::cuboid(middle, DVec3::splat(0.5));
        for (side, pair) in cube.triangles.chunks(2).enumerate() {
            // Sides come by axis, the low end first.
            let mut next = c;
            next[side / 2] += if side % 2 == 0 { -1 } else { 1 };
            if !is_filled(next) {
                soup.triangles.extend(pair.iter().map(|t| t.map(|v| v + low)));
            }
        }
        soup.vertices.extend(cube.vertices);
    }
    soup
}

/// Some tetrahedra, which may cross each other.
fn tetrahedra(bytes: &mut Bytes<'_>, kind: u8) -> Soup {
    (0..1 + bytes.byte() % 3).fold(Soup::default(), |soup, _| {
        soup.and(&shapes::tetra([bytes.point(kind), bytes.point(kind), bytes.point(kind), bytes.point(kind)]))
    })
}

/// A ball with dents: every vertex of a sphere at its own distance from the centre.
fn dented(bytes: &mut Bytes<'_>, kind: u8) -> Soup {
    let mut soup = shapes::sphere(1, 1.0);
    soup.vertices.iter_mut().for_each(|v| *v *= 0.25 + bytes.length(kind).min(4.0));
    soup
}

/// A closed mesh, and how far apart its pieces and it may answer.
fn solid(bytes: &mut Bytes<'_>, kind: u8) -> Option<(Mesh, f64)> {
    let soup = match bytes.byte() % 4 {
        0 => tetrahedra(bytes, kind),
        1 => dented(bytes, kind.min(1)),
        _ => voxels(bytes),
    };
    let (turn, scale) = (bytes.rotation(1), bytes.length(kind.min(1)));
    let turn = if turn.is_finite() { turn.normalize() } else { DQuat::IDENTITY };
    let soup = soup.map(|v| turn * v * scale);
    let near = 1e-9 * soup.size();
    Some((Mesh::new(soup.vertices, soup.triangles).ok()?, near))
}

fn pieces(bytes: &mut Bytes<'_>, kind: u8) -> Option<Parts> {
    let hulls: Vec<Convex> =
        (0..1 + bytes.byte() % 6).filter_map(|_| Convex::hull(&bytes.points(kind, 8)).ok()).collect();
    Parts::new(hulls).ok()
}

/// What a body is, in points.
fn corners(model: &Model) -> String {
    let rows = |points: &[DVec3]| format!("{:?}", points.iter().map(|p| p.to_array()).collect::<Vec<_>>());
    match model {
        Model::Parts(parts) => parts.pieces().iter().map(|p| rows(p.vertices()) + "\n    ").collect(),
        Model::Convex(hull) => rows(hull.vertices()),
        other => format!("{other:?}"),
    }
}

/// All verbs of one pair agree with each other, and nothing is not a number.
fn ask([a, b]: [&Model; 2], method: Method, [pa, pb]: &[Pose; 2]) -> bool {
    let say = |what: String| format!("{method}: {what}\n  {} at {pa:?}\n  {} at {pb:?}", corners(a), corners(b));
    let mut pair = Pair::new(a, b).with_method(method);
    let (yes, distance) = (pair.overlap(pa, pb).overlap, pair.distance(pa, pb));
    let (deep, all) = (pair.penetration(pa, pb), pair.contacts(pa, pb, Limit::All));
    let (i, d) = (distance.interval, deep.interval);
    assert!(i.lower >= 0.0 && i.lower <= i.upper && i.upper.is_finite(), "{}", say(format!("{i:?}")));
    let sound = d.lower >= 0.0 && d.lower <= d.upper && (d.upper.is_finite() || yes);
    assert!(sound, "{}", say(format!("depth {d:?}")));
    let same = [i.upper == 0.0, distance.penetrating, deep.direction.is_some(), all.touching()];
    assert_eq!(same, [yes; 4], "{}", say(format!("{distance:?} {deep:?} {:?}", all.pairs)));
    assert_eq!(yes, pair.within(pa, pb, 0.0).within, "{}", say("within 0".into()));
    assert!(pair.within(pa, pb, i.upper).within, "{}", say(format!("not within the upper end of {i:?}")));
    let finite = all.iter().all(|c| c.points.iter().flatten().all(|p| p.is_finite()) && c.normal.is_finite());
    assert!(finite, "{}", say("contacts that are no points".into()));
    yes
}

/// Bodies of parts against their pieces, taken one by one.
fn check_pieces(a: &Parts, b: &Parts, poses: &[Pose; 2], methods: [Method; 2]) {
    let [pa, pb] = poses;
    let models = |parts: &Parts| parts.pieces().iter().map(|p| Model::from(p.clone())).collect::<Vec<_>>();
    let (pieces_a, pieces_b) = (models(a), models(b));
    let grid = || pieces_a.iter().flat_map(|p| pieces_b.iter().map(move |q| (p, q)));
    let met = grid().any(|(p, q)| overlap(p, pa, q, pb).overlap);
    let (lower, upper) = grid()
        .map(|(p, q)| distance(p, pa, q, pb).interval)
        .fold((f64::INFINITY, f64::INFINITY), |(low, high), i| (low.min(i.lower), high.min(i.upper)));
    for method in methods {
        let wholes = [Model::from(a.clone()), Model::from(b.clone())];
        let say = || format!("{method}\n  {} at {pa:?}\n  {} at {pb:?}", corners(&wholes[0]), corners(&wholes[1]));
        assert_eq!(ask([&wholes[0], &wholes[1]], method, poses), met, "{}", say());
        let mut pair = Pair::new(&wholes[0], &wholes[1]).with_method(method);
        let i = pair.distance(pa, pb).interval;
        assert!(i.lower <= upper && lower <= i.upper, "{i:?}, by pieces [{lower:e}, {upper:e}]: {}", say());
        let deep = pair.penetration(pa, pb);
        let Some(way) = deep.direction.filter(|_| deep.kind == DepthKind::PerPiece) else { continue };
        assert!((way.length() - 1.0).abs() <= 1e-9, "{method}: {deep:?}");
        let reach = |p: &Model| if let Model::Convex(c) = p { c.vertices().iter().fold(0.0, size) } else { 0.0 };
        let unit = pieces_a.iter().chain(&pieces_b).map(reach).fold(0.0, f64::max) + deep.interval.upper;
        let Ok(there) = Pose::new(pb.translation() + way * deep.interval.upper, pb.rotation()) else { continue };
        let unit = unit + pa.translation().length() + pb.translation().length();
        for (p, q) in grid() {
            let left = penetration(p, pa, q, &there).interval;
            assert!(left.lower <= 1e-9 * unit, "{deep:?} leaves them {left:?} deep: {}", say());
        }
    }
}

fn size(most: f64, p: &DVec3) -> f64 {
    most.max(p.length())
}

/// The pieces of a mesh against the mesh itself.
fn check_cut(mesh: &Mesh, parts: &Parts, probe: &Model, poses: &[Pose; 2], near: f64) {
    let [pa, pb] = poses;
    let (whole, cut) = (Model::from(mesh.clone()), Model::from(parts.clone()));
    let (x, y) = (distance(&whole, pa, probe, pb).interval, distance(&cut, pa, probe, pb).interval);
    assert!(x.lower <= y.upper + near && y.lower <= x.upper + near, "the mesh says {x:?}, its pieces {y:?}");
    ask([&whole, &cut], Method::Auto, poses);
    ask([&cut, probe], Method::Auto, poses);
}

fn probe(bytes: &mut Bytes<'_>, kind: u8) -> Option<Model> {
    Some(match bytes.byte() % 4 {
        0 => Round::sphere(bytes.length(kind)).ok()?.into(),
        1 => Convex::hull(&bytes.points(kind, 6)).ok()?.into(),
        2 => Round::cylinder(bytes.length(kind), bytes.length(kind)).ok()?.into(),
        _ => Round::point(bytes.point(kind)).ok()?.into(),
    })
}

fuzz_target!(|bytes: &[u8]| {
    let mut bytes = Bytes(bytes);
    let (kind, what) = (bytes.byte() % 3, bytes.byte());
    let methods = [0; 2].map(|_| METHODS[usize::from(bytes.byte()) % METHODS.len()]);
    if what % 4 == 0 {
        let (Some(a), Some(b)) = (pieces(&mut bytes, kind), pieces(&mut bytes, kind)) else { return };
        for _ in 0..2 {
            let (Some(pa), Some(pb)) = (bytes.pose(kind), bytes.pose(kind)) else { return };
            match kind {
                2 => drop(ask([&a.clone().into(), &b.clone().into()], methods[0], &[pa, pb])),
                _ => check_pieces(&a, &b, &[pa, pb], methods),
            }
        }
        return;
    }
    let Some((mesh, near)) = solid(&mut bytes, kind) else { return };
    let probe = probe(&mut bytes, kind.min(1));
    let (Some(pa), Some(pb)) = (bytes.pose(kind.min(1)), bytes.pose(kind.min(1))) else { return };
    let poses = [pa, pb];
    let cut = match what % 4 {
        1 => {
            let how = Approximation { resolution: 8 + u32::from(bytes.byte() % 16), concavity: 0.01, most_pieces: 8 };
            Parts::approximate(&mesh, &how)
        }
        _ => Parts::decompose(&mesh),
    };
    let parts = match cut {
        Ok(parts) => parts,
        Err(error) => {
            let known = matches!(error, BuildError::NotClosed(_) | BuildError::NotDecomposed { .. });
            return assert!(known || kind == 2, "{error:?}");
        }
    };
    assert_eq!(parts.is_exact(), what % 4 != 1);
    match probe {
        Some(probe) if parts.is_exact() => check_cut(&mesh, &parts, &probe, &poses, near),
        Some(probe) => drop(ask([&parts.clone().into(), &probe], methods[0], &poses)),
        None => {}
    }
    let parts = Model::from(parts);
    ask([&parts, &parts], methods[1], &poses);
});
