//! Single encounters of a vertex with a face and of two edges: planted meetings, cases G11 to G18, the labelled corpus.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Instant;

use glam::DVec3;
use impinge::{BuildError, Inclusion, Meeting};
use impinge_testing::environment;
use impinge_testing::random::Random;

type Points = [DVec3; 4];

const KINDS: [Kind; 2] = [Kind::VertexFace, Kind::EdgeEdge];

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    VertexFace,
    EdgeEdge,
}

impl Kind {
    fn ask(self, start: Points, end: Points, near: &Inclusion) -> Option<Meeting> {
        match self {
            Kind::VertexFace => near.vertex_face(start, end).unwrap(),
            Kind::EdgeEdge => near.edge_edge(start, end).unwrap(),
        }
    }

    /// The vector between the features.
    fn gap(self, p: Points, [u, v]: [f64; 2]) -> DVec3 {
        match self {
            Kind::VertexFace => p[0] - (p[1] * (1.0 - u - v) + p[2] * u + p[3] * v),
            Kind::EdgeEdge => p[0] * (1.0 - u) + p[1] * u - (p[2] * (1.0 - v) + p[3] * v),
        }
    }
}

fn near(tolerance: f64) -> Inclusion {
    Inclusion { tolerance, separation: 0.0 }
}

fn at(start: Points, end: Points, t: f64) -> Points {
    std::array::from_fn(|k| start[k] * (1.0 - t) + end[k] * t)
}

/// Small dyadic numbers, so that all of what follows is exact.
fn dyadic(random: &mut Random) -> DVec3 {
    random.grid_point(512) / 64.0
}

/// Features that meet exactly at time `t`, at a place that is exact too: a point is put there by moving one of them.
fn planted(random: &mut Random, kind: Kind) -> (Points, Points, f64) {
    let t = random.below(17) as f64 / 16.0;
    let u = random.below(9) as f64 / 8.0;
    let v = random.below(9) as f64 / 8.0 * if kind == Kind::VertexFace { 1.0 - u } else { 1.0 };
    let mut start: Points = std::array::from_fn(|_| dyadic(random));
    let mut end: Points = std::array::from_fn(|_| dyadic(random));
    match random.below(6) {
        // No motion of the second feature; features in one line or of one point; no motion at all.
        0 => end = [end[0], end[1], start[2], start[3]],
        1 => (start[2], end[2]) = (start[3], end[3]),
        2 => (start[1], end[1]) = (start[0] + (start[3] - start[2]), end[0] + (end[3] - end[2])),
        3 => end = start,
        _ => {}
    }
    let gap = kind.gap(at(start, end, t), [u, v]);
    let moved = if kind == Kind::VertexFace { 1 } else { 2 };
    for k in 0..moved {
        (start[k], end[k]) = (start[k] - gap, end[k] - gap);
    }
    assert_eq!(kind.gap(at(start, end, t), [u, v]), DVec3::ZERO);
    (start, end, t)
}

#[test]
fn planted_meetings_are_found_and_never_late() {
    let mut random = Random::new(11);
    let mut certain = 0;
    for round in 0..20_000 {
        let kind = KINDS[round % 2];
        let (start, end, t) = planted(&mut random, kind);
        let near = near([0.0, 1e-9, 1e-3][round % 3]);
        let met = kind.ask(start, end, &near);
        let met = met.unwrap_or_else(|| panic!("{round}: {kind:?} {start:?} {end:?} meet at {t}"));
        assert!(met.time.lower <= t, "{round}: {met:?} is later than {t}");
        assert!((0.0..=1.0).contains(&met.time.lower) && met.time.lower <= met.time.upper, "{round}: {met:?}");
        let gap = kind.gap(at(start, end, met.time.upper), met.place).length();
        // Of a certain meeting `upper` is up to 2⁻¹² after the time at which the place is met.
        let slack = if met.nearness == 0.0 { 64.0 * met.time.width() } else { 0.0 };
        assert!(gap <= met.nearness + slack + 1e-12, "{round}: {gap} apart at {met:?}");
        certain += u32::from(met.nearness == 0.0);
    }
    assert_eq!(certain, 20_000, "what meets exactly does so for certain");
}

/// What is not said to meet is apart at every sample, by the least distance over a grid of places.
#[test]
fn what_is_apart_is_apart_at_all_samples() {
    let mut random = Random::new(12);
    let (mut apart, mut met) = (0, 0);
    for round in 0..3_000 {
        let kind = KINDS[round % 2];
        let start: Points = std::array::from_fn(|_| random.point(1.0));
        let end: Points = std::array::from_fn(|_| random.point(1.0));
        let found = kind.ask(start, end, &near(1e-6));
        let first = found.map_or(1.0, |met| met.time.lower);
        for step in 0..40 {
            let t = f64::from(step) / 40.0;
            if t >= first {
                break;
            }
            let points = at(start, end, t);
            let sides = |t: f64| crossing_signs(kind, at(start, end, t));
            // A sign that changes between two samples with the features beside each other would be a meeting.
            if t + 0.025 < first
                && let (Some(before), Some(after)) = (sides(t), sides(t + 0.025))
            {
                assert_eq!(before, after, "{round}: {kind:?} cross between {t} and the next sample, {points:?}");
            }
        }
        if found.is_some() { met += 1 } else { apart += 1 }
    }
    assert!(apart > 500 && met > 200, "{apart} apart, {met} met");
}

/// On which side of the face's plane the vertex is, or how the edges pass, where that is well inside of both.
fn crossing_signs(kind: Kind, p: Points) -> Option<bool> {
    let (normal, from) = match kind {
        Kind::VertexFace => ((p[2] - p[1]).cross(p[3] - p[1]), p[1] - p[0]),
        Kind::EdgeEdge => ((p[1] - p[0]).cross(p[3] - p[2]), p[2] - p[0]),
    };
    let normal = normal.try_normalize()?;
    let height = from.dot(normal);
    let inside = match kind {
        Kind::VertexFace => {
            let x = p[0] + normal * height;
            (1..4).all(|k| {
                let (q, r) = (p[k], p[k % 3 + 1]);
                (r - q).cross(x - q).dot(normal) > 0.2
            })
        }
        Kind::EdgeEdge => {
            let (e, f) = (p[1] - p[0], p[3] - p[2]);
            let squared = e.cross(f).length_squared();
            let u = from.cross(f).dot(e.cross(f)) / squared;
            let v = from.cross(e).dot(e.cross(f)) / squared;
            (0.3..0.7).contains(&u) && (0.3..0.7).contains(&v)
        }
    };
    (inside && height.abs() < 0.05).then_some(height > 0.0)
}

#[test]
fn powers_of_two_change_nothing() {
    let mut random = Random::new(13);
    for round in 0..2_000 {
        let kind = KINDS[round % 2];
        let start: Points = std::array::from_fn(|_| random.point(1.0));
        let end: Points = std::array::from_fn(|_| random.point(1.0));
        let met = kind.ask(start, end, &near(1e-7));
        for exponent in [-500, -60, 60, 490] {
            let scale = 2f64.powi(exponent);
            let scaled = kind.ask(start.map(|p| p * scale), end.map(|p| p * scale), &near(1e-7 * scale));
            assert_eq!(met.map(|m| (m.time, m.place)), scaled.map(|m| (m.time, m.place)), "{round}, 2^{exponent}");
            assert_eq!(met.map(|m| m.nearness * scale), scaled.map(|m| m.nearness));
        }
    }
}

#[test]
fn extreme_scales_are_answered() {
    let face = [DVec3::new(-1.0, 0.0, 1.0), DVec3::new(1.0, 0.0, 1.0), DVec3::new(0.0, 0.0, -1.0)];
    for scale in [1e-150, 1e-300, 1e-30, 1e150] {
        let falling = |y: f64| [DVec3::Y * y, face[0], face[1], face[2]].map(|p| p * scale);
        let met = near(0.0).vertex_face(falling(1.0), falling(-1.0)).unwrap().unwrap();
        assert!(met.time.contains(0.5) && met.time.width() < 1e-9, "{scale:e}: {met:?}");
        assert!(near(0.0).vertex_face(falling(1.0), falling(1.0)).unwrap().is_none(), "{scale:e}");
    }
    // The least number there is: the answer is coarse, and not late.
    let falling = |y: f64| [DVec3::Y * y, face[0], face[1], face[2]].map(|p| p * 5e-324);
    assert!(near(0.0).vertex_face(falling(1.0), falling(-1.0)).unwrap().unwrap().time.lower <= 0.5);
    // One point far away, as far as it may be.
    let far = [DVec3::splat(1e150), face[0], face[1], face[2]];
    assert!(near(0.0).vertex_face(far, far).unwrap().is_none());
}

#[test]
fn bad_coordinates_are_refused() {
    let good = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let mut end = good;
        end[2].y = bad;
        let refused = near(0.0).vertex_face(good, end).unwrap_err();
        assert!(matches!(refused, BuildError::NotFinite { vertex: 6, .. }), "{refused}");
        assert!(near(0.0).edge_edge(end, good).is_err());
    }
    let mut far = good;
    far[0].x = 2e150;
    assert!(matches!(near(0.0).edge_edge(far, good), Err(BuildError::TooLarge { vertex: 0, .. })));
    for odd in [f64::NAN, -1.0, f64::INFINITY] {
        let met = Inclusion { tolerance: odd, separation: odd.min(0.0) }.edge_edge(good, good).unwrap();
        assert!(met.is_none_or(|met| met.time.lower >= 0.0));
    }
}

#[test]
fn a_separation_counts_as_meeting() {
    let face = [DVec3::new(-1.0, 0.0, 1.0), DVec3::new(1.0, 0.0, 1.0), DVec3::new(0.0, 0.0, -1.0)];
    let falling = |y: f64| [DVec3::Y * y, face[0], face[1], face[2]];
    let apart = Inclusion { tolerance: 1e-9, separation: 0.24 };
    assert!(apart.vertex_face(falling(1.0), falling(0.25)).unwrap().is_none());
    let met = apart.vertex_face(falling(1.0), falling(0.0)).unwrap().unwrap();
    assert!(met.time.lower <= 0.76 && 0.76 - met.time.lower < 1e-6, "{met:?}");
}

#[test]
fn g11_a_vertex_falls_through_a_face() {
    let face = [DVec3::new(-1.0, 0.0, 1.0), DVec3::new(1.0, 0.0, 1.0), DVec3::new(0.0, 0.0, -1.0)];
    let falling = |y: f64| [DVec3::Y * y, face[0], face[1], face[2]];
    let met = near(0.0).vertex_face(falling(1.0), falling(-1.0)).unwrap().unwrap();
    assert!(met.time.contains(0.5) && met.time.width() < 1e-9 && met.nearness == 0.0, "{met:?}");
    assert!((met.place[0] - 0.25).abs() < 1e-9 && (met.place[1] - 0.5).abs() < 1e-9, "{met:?}");
}

#[test]
fn g13_a_vertex_ends_a_hair_above_the_face() {
    let face = [DVec3::new(-1.0, 0.0, 1.0), DVec3::new(1.0, 0.0, 1.0), DVec3::new(0.0, 0.0, -1.0)];
    let falling = |y: f64| [DVec3::Y * y, face[0], face[1], face[2]];
    for tolerance in [0.0, 1e-9, 1e-6] {
        let met = near(tolerance).vertex_face(falling(1.0), falling(2f64.powi(-60))).unwrap();
        assert!(met.is_none(), "{tolerance}: {met:?}");
        let met = near(tolerance).vertex_face(falling(1.0), falling(0.0)).unwrap().unwrap();
        assert!(met.nearness == 0.0 && met.time.contains(1.0), "{tolerance}: {met:?}");
    }
}

#[test]
fn g14_parallel_edges_pass_through_each_other() {
    let edges = |y: f64| [DVec3::ZERO, DVec3::X, DVec3::new(0.0, y, 0.0), DVec3::new(1.0, y, 0.0)];
    for tolerance in [0.0, 1e-6] {
        let met = near(tolerance).edge_edge(edges(1.0), edges(-1.0)).unwrap().unwrap();
        assert!(met.time.contains(0.5) && met.time.width() < 1e-12 && met.nearness == 0.0, "{met:?}");
    }
}

#[test]
fn g18_what_begins_apart_does_not_meet_at_0() {
    let start = [
        DVec3::new(0.35, 0.0, 0.35),
        DVec3::new(3.4604643638e-01, 2.7847887896e-03, 3.4658121160e-01),
        DVec3::new(3.5000819263e-01, -1.5763377304e-06, 3.5001214242e-01),
        DVec3::new(3.4903882032e-01, -1.5866575093e-03, 3.4560164356e-01),
    ];
    let by = [
        DVec3::ZERO,
        DVec3::new(1.0120300789e-07, -1.4009994248e-04, -8.5653091896e-05),
        DVec3::new(-9.2976239634e-07, 1.4361165221e-06, 5.5168830145e-07),
        DVec3::new(1.1649271683e-04, -3.6172565398e-05, -4.7128237917e-05),
    ];
    let end = std::array::from_fn(|k| start[k] + by[k]);
    for tolerance in [1e-3, 1e-6, 0.0] {
        assert_eq!(near(tolerance).vertex_face(start, end).unwrap(), None);
    }
}

/// Queries with the exact answer to whether they meet.
fn read(path: &Path) -> Vec<(Points, Points, bool)> {
    let mut text = String::new();
    flate2::read::GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').map(str::trim).collect();
        // Denominators are powers of two and every quotient is an `f64`, so both parts are as well.
        let number = |i: usize| cells[i].parse::<f64>().unwrap() / cells[i + 1].parse::<f64>().unwrap();
        (DVec3::new(number(0), number(2), number(4)), cells[6] == "1")
    };
    let rows: Vec<(DVec3, bool)> = text.lines().filter(|line| !line.trim().is_empty()).map(row).collect();
    assert_eq!(rows.len() % 8, 0);
    let query = |r: &[(DVec3, bool)]| (std::array::from_fn(|k| r[k].0), std::array::from_fn(|k| r[k + 4].0), r[0].1);
    rows.chunks(8).map(query).collect()
}

/// The corpus is found through `IMPINGE_CORPUS`; without it this says so and passes.
#[test]
fn no_labelled_query_is_missed() {
    let Some(folder) = environment::corpus() else { return };
    let mut sets: Vec<PathBuf> = std::fs::read_dir(folder.join("ccd")).unwrap().map(|e| e.unwrap().path()).collect();
    sets.sort();
    let (mut all, mut missed, mut false_alarms, mut wrongly_certain, mut certain) = (0, 0, 0, 0, 0);
    for set in &sets {
        for (kind, name) in KINDS.into_iter().zip(["vertex-face", "edge-edge"]) {
            let mut files: Vec<PathBuf> =
                std::fs::read_dir(set.join(name)).unwrap().map(|e| e.unwrap().path()).collect();
            files.sort();
            let (mut times, mut alarms, mut hits) = (Vec::new(), 0, 0);
            for (start, end, label) in files.iter().flat_map(|file| read(file)) {
                let begin = Instant::now();
                let met = kind.ask(start, end, &near(1e-6));
                times.push(begin.elapsed().as_nanos());
                hits += usize::from(label);
                missed += usize::from(label && met.is_none());
                alarms += usize::from(!label && met.is_some());
                let sure = met.is_some_and(|met| met.nearness == 0.0);
                certain += usize::from(sure);
                wrongly_certain += usize::from(!label && sure);
            }
            times.sort_unstable();
            all += times.len();
            false_alarms += alarms;
            let set = set.file_name().unwrap().to_string_lossy();
            let [median, most] = [times[times.len() / 2], times[times.len() - 1]];
            let count = times.len();
            println!(
                "{set} {name}: {count} queries, {hits} meet, {alarms} false alarms; {median} ns, at most {most} ns"
            );
        }
    }
    println!("{all} queries: {missed} missed, {false_alarms} false alarms, {certain} certain");
    assert_eq!(all, 2824);
    assert_eq!((missed, wrongly_certain, false_alarms), (0, 0, 0));
}
