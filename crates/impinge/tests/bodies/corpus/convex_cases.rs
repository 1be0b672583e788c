//! Every case of `testdata/cases` that is about convex bodies, through every engine, cold and warm, both ways round.

use impinge::{Convex, DepthKind, Method, Model, Pair, Pose};
use impinge_testing::hulls::size;

use crate::corpus::cases::{Case, Shape};
use crate::verdict::hull_answers::{CASE, Check, Judge, demand};
use crate::verdict::hulls::{Scene, method, methods};

/// Hulls of more points than this are not judged by the oracle.
const SMALL: usize = 100;

fn model(shape: &Shape) -> Model {
    match shape {
        Shape::Hull(points) => Convex::hull(points).unwrap().into(),
        Shape::Round(word, margin) => {
            let round = super::round_words::round(word);
            if *margin > 0.0 { round.with_margin(*margin).unwrap().into() } else { round.into() }
        }
    }
}

fn extent(shape: &Shape) -> f64 {
    match shape {
        Shape::Hull(points) => size(points),
        Shape::Round(word, _) if word.starts_with("half-space") => 0.0,
        Shape::Round(word, margin) => {
            let numbers = word.split_once(':').unwrap().1.split(',').map(|x| x.parse::<f64>().unwrap());
            margin + numbers.fold(0.0, f64::max)
        }
    }
}

fn scene(case: &Case) -> Option<Scene> {
    let [pose_a, pose_b] = case.poses();
    match case.shapes()? {
        [Shape::Hull(a), Shape::Hull(b)] if a.len() <= SMALL && b.len() <= SMALL => {
            Some(Scene::new(a, b, pose_a, pose_b))
        }
        _ => None,
    }
}

/// The case's own numbers.
fn expected(case: &Case, size: f64, [pa, pb]: [&Pose; 2], pair: &mut Pair, engine: Method) -> Check {
    let expect = &case.expect;
    let overlap = pair.overlap(pa, pb).overlap;
    demand(overlap == expect.overlap, || format!("overlap is {overlap}"))?;
    let got = pair.distance(pa, pb);
    demand((got.interval.upper == 0.0) == expect.overlap, || format!("distance {:?}", got.interval))?;
    demand(got.penetrating == expect.overlap, || format!("penetrating {}", got.penetrating))?;
    if let Some(distance) = expect.distance {
        let tolerance = expect.tolerance.unwrap_or(1e-12 * distance.max(size));
        let off = (got.interval.mid() - distance).abs();
        demand(off <= tolerance, || format!("distance {:?}, not {distance:e}", got.interval))?;
    }
    for &(tolerance, near) in &expect.within {
        let within = pair.within(pa, pb, tolerance).within;
        demand(within == near, || format!("within {tolerance:e} is {within}"))?;
    }
    let deep = pair.penetration(pa, pb);
    demand(deep.direction.is_some() == expect.overlap, || format!("penetration {deep:?}"))?;
    if let (Some(depth), true) = (expect.depth, deep.kind != DepthKind::Estimate) {
        let tolerance = expect.depth_tolerance.unwrap_or(1e-12 * depth.max(size));
        let off = (deep.interval.mid() - depth).abs();
        demand(off <= tolerance, || format!("depth {:?}, not {depth:e}", deep.interval))?;
    }
    let estimate = deep.kind == DepthKind::Estimate;
    demand(!estimate || engine == method("v-clip"), || format!("{engine} estimates {deep:?}"))?;
    demand(expect.overlap || deep.interval.upper == 0.0, || format!("apart, and deep: {deep:?}"))
}

#[test]
fn the_convex_cases_are_sound() {
    let cases = crate::corpus::cases::convex();
    assert!(cases.len() >= 90, "only {} cases", cases.len());
    let mut wrong = Vec::new();
    for case in &cases {
        let Some(scene) = scene(case) else { continue };
        let (truth, expect) = (scene.exact(), &case.expect);
        let near = |x: Option<f64>, y: f64, tolerance: Option<f64>| {
            x.is_none_or(|x| (x - y).abs() <= tolerance.unwrap_or(1e-12 * x.max(scene.size())))
        };
        let fits = truth.overlap == expect.overlap
            && near(expect.distance, truth.mid_distance(), expect.tolerance)
            && near(expect.depth, truth.mid_depth(), expect.depth_tolerance);
        if !fits {
            wrong.push(format!("{}: {truth:?}", case.id));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_convex_case_through_every_engine() {
    let cases = crate::corpus::cases::convex();
    let mut wrong = Vec::new();
    let mut before = [Pose::IDENTITY; 2];
    for case in &cases {
        let shapes = case.shapes().unwrap();
        let [a, b] = shapes.each_ref().map(model);
        let [pa, pb] = case.poses();
        let size = shapes.iter().map(extent).fold(0.0, f64::max);
        let judges = scene(case).map(|s| [s.clone(), s.swapped()].map(|s| Judge::with(&s, s.exact(), CASE)));
        for engine in methods() {
            let mut note = |warmth: &str, result: Check| {
                wrong.extend(result.err().map(|e| format!("{}: {engine}, {warmth}: {e}", case.id)));
            };
            let mut pair = Pair::new(&a, &b).with_method(engine);
            note("cold", expected(case, size, [&pa, &pb], &mut pair, engine));
            note("warm", expected(case, size, [&pa, &pb], &mut pair, engine));
            // L04 and C10: a memory of other poses.
            pair.distance(&before[0], &before[1]);
            note("warm from the previous case", expected(case, size, [&pa, &pb], &mut pair, engine));
            let mut back = Pair::new(&b, &a).with_method(engine);
            note("swapped", expected(case, size, [&pb, &pa], &mut back, engine));
            if let Some([there, swapped]) = &judges {
                note("judged", there.all(&mut pair, engine));
                note("judged, swapped", swapped.all(&mut back, engine));
            }
        }
        before = [pa, pb];
    }
    assert!(wrong.is_empty(), "{} failures:\n{}", wrong.len(), wrong.join("\n"));
}
