//! Encounters with small whole coordinates, many of them degenerate or in one plane: all are decided, as high-precision
//! arithmetic decides them.

use glam::DVec3;
use impinge::{Deforming, Inclusion, Interval, Mesh};
use impinge_testing::encounter::{MovingPoint, first_encounter};
use impinge_testing::environment::rounds;
use impinge_testing::overlap::triangles_meet;
use impinge_testing::random::Random;

use super::asked::impact_of;

/// Points with small coordinates, some of them equal, at rest, or in one plane with the others.
fn points<const N: usize>(random: &mut Random) -> [MovingPoint; N] {
    let size = 1 + random.below(4);
    let kind = random.below(6);
    let mut coordinate = || random.below(2 * size + 1) as i64 - size as i64;
    let mut points: [MovingPoint; N] = std::array::from_fn(|_| std::array::from_fn(|_| [0; 3].map(|_| coordinate())));
    for point in &mut points {
        match kind {
            0 => (point[0][2], point[1][2]) = (0, 0),
            1 => (point[0][2], point[1][2]) = (point[0][0], point[1][0]),
            2 => {
                for end in point {
                    (end[1], end[2]) = (end[0], -end[0]);
                }
            }
            3 if random.below(2) == 0 => point[1] = point[0],
            _ => {}
        }
    }
    for k in 1..N {
        if random.below(5) == 0 {
            points[k] = points[k - 1];
        }
    }
    points
}

fn at(points: &[MovingPoint; 4], end: usize) -> [DVec3; 4] {
    points.map(|p| DVec3::from_array(p[end].map(|x| x as f64)))
}

fn contains(interval: Interval, t: f64) -> bool {
    interval.lower <= t + 1e-15 && interval.upper >= t - 1e-15
}

#[test]
fn single_encounters_are_decided() {
    let mut random = Random::new(31);
    let mut met = [0; 2];
    for round in 0..rounds(400) {
        let points = points::<4>(&mut random);
        let (start, end) = (at(&points, 0), at(&points, 1));
        for is_face in [false, true] {
            let near = Inclusion { tolerance: [0.0, 1e-6][round as usize % 2], separation: 0.0 };
            let found = if is_face { near.vertex_face(start, end) } else { near.edge_edge(start, end) }.unwrap();
            let truth = first_encounter(&points, is_face);
            assert_eq!(found.is_some(), truth.is_some(), "{round} {is_face} {points:?}: {found:?}, truly {truth:?}");
            let Some((found, truth)) = found.zip(truth) else { continue };
            assert!(contains(found.time, truth), "{round} {is_face} {points:?}: {found:?}, truly {truth}");
            assert!(found.nearness == 0.0 && found.time.width() < 1e-6);
            met[usize::from(is_face)] += 1;
        }
    }
    assert!(met.iter().all(|met| *met > 40), "{met:?}");
}

fn triangle(points: &[MovingPoint; 3]) -> Deforming {
    let at = |end: usize| points.map(|p| DVec3::from_array(p[end].map(|x| x as f64))).to_vec();
    Deforming::new(Mesh::new(at(0), vec![[0, 1, 2]]).unwrap(), &at(1)).unwrap()
}

/// The first time at which a vertex of one meets the other, or two edges meet.
fn first_of_triangles(a: &[MovingPoint; 3], b: &[MovingPoint; 3]) -> Option<f64> {
    let mut all = Vec::new();
    for (one, other) in [(a, b), (b, a)] {
        all.extend(one.iter().map(|v| ([*v, other[0], other[1], other[2]], true)));
    }
    for i in 0..3 {
        for j in 0..3 {
            all.push(([a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3]], false));
        }
    }
    let near = all.iter().filter(|(points, is_face)| !are_always_apart(points, *is_face));
    near.filter_map(|(points, is_face)| first_encounter(points, *is_face)).min_by(f64::total_cmp)
}

/// Whether all points of the one feature are beyond all of the other along an axis, at both ends and so always.
fn are_always_apart(points: &[MovingPoint; 4], is_face: bool) -> bool {
    let (one, other) = points.split_at(if is_face { 1 } else { 2 });
    let beyond = |a: &[MovingPoint], b: &[MovingPoint], axis: usize| {
        [0, 1].iter().all(|&end| a.iter().all(|p| b.iter().all(|q| p[end][axis] > q[end][axis])))
    };
    (0..3).any(|axis| beyond(one, other, axis) || beyond(other, one, axis))
}

/// Triangles, some of them with equal corners, so that they stand for edges and vertices.
#[test]
fn triangles_points_and_segments_are_decided() {
    let mut random = Random::new(32);
    let (mut hits, mut misses) = (0, 0);
    for round in 0..rounds(3750) {
        let both = points::<6>(&mut random);
        let (mut a, mut b) = ([both[0], both[1], both[2]], [both[3], both[4], both[5]]);
        for t in [&mut a, &mut b] {
            match random.below(4) {
                0 => (t[1], t[2]) = (t[0], t[0]),
                1 => t[2] = t[1],
                _ => {}
            }
        }
        let start = |t: &[MovingPoint; 3]| t.map(|p| p[0].map(i128::from));
        let touching = triangles_meet(&start(&a), &start(&b)).unwrap();
        let truth = if touching { Some(0.0) } else { first_of_triangles(&a, &b) };
        let impact = impact_of(&triangle(&a), &triangle(&b));
        assert_eq!(impact.time.is_some(), truth.is_some(), "{round} {a:?} {b:?}: {impact:?}, truly {truth:?}");
        assert!(impact.certain, "{round}");
        match impact.time.zip(truth) {
            None => misses += 1,
            Some((time, truth)) => {
                assert!(contains(time, truth), "{round} {a:?} {b:?}: {time:?}, truly {truth}");
                assert!(time.width() < 1e-6);
                hits += 1;
            }
        }
    }
    assert!(hits > 1000 && misses > 1000, "{hits} {misses}");
}
