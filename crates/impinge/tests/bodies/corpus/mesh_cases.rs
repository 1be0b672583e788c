//! Every case of `testdata/cases` through every engine: methods, builders, instruction sets, cold and warm.

use impinge::cpu;
use impinge::{Builder, Limit, Method, Pair};

use crate::corpus::cases::Case;
use crate::verdict::mesh_answers::{all_verbs, cold};
use crate::verdict::meshes::{Scene, Truth};

/// The largest product of triangle counts for which brute force and the exact verdict are asked.
const SMALL: usize = 30_000;

fn is_small(scene: &Scene) -> bool {
    scene.a.triangles.len() * scene.b.triangles.len() <= SMALL
}

/// What the case itself says, whoever answers.
fn expected(case: &Case, scene: &Scene, pair: &mut Pair) -> Result<(), String> {
    let (pa, pb) = (&scene.pose_a, &scene.pose_b);
    let mut wrong = Vec::new();
    let overlap = pair.overlap(pa, pb).overlap;
    if overlap != case.expect.overlap {
        wrong.push(format!("overlap is {overlap}"));
    }
    let got = pair.distance(pa, pb).interval;
    if (got.upper == 0.0) != case.expect.overlap {
        wrong.push(format!("distance {got:?} with overlap {}", case.expect.overlap));
    }
    if let Some(distance) = case.expect.distance {
        let tolerance = case.tolerance(scene);
        let fits = got.mid() == distance
            || ((got.mid() - distance).abs() <= tolerance && got.width() <= tolerance.max(1e-12 * scene.size()));
        if !fits {
            wrong.push(format!("distance {got:?} is not {distance:e} within {tolerance:e}"));
        }
    }
    if let Some(count) = case.expect.contacts {
        let found = pair.contacts(pa, pb, Limit::All).pairs.len();
        if found != count {
            wrong.push(format!("{found} contacts, not {count}"));
        }
    }
    for &(tolerance, near) in &case.expect.within {
        if pair.within(pa, pb, tolerance).within != near {
            wrong.push(format!("within {tolerance:e} is not {near}"));
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("; ")) }
}

#[test]
fn the_corpus_is_sound() {
    let cases = crate::corpus::cases::all();
    assert!(cases.len() >= 60, "only {} cases", cases.len());
    let mut ids: Vec<&str> = cases.iter().map(|c| c.id.as_str()).collect();
    ids.sort_unstable();
    for pair in ids.windows(2) {
        assert_ne!(pair[0], pair[1], "an id must be one case's");
    }
    let mut wrong = Vec::new();
    for case in &cases {
        assert!(!case.source.is_empty(), "{}: where does the answer come from?", case.id);
        let scene = case.scene();
        if is_small(&scene) {
            wrong.extend(agrees(case, &scene, &scene.truth()).err().map(|e| format!("{}: {e}", case.id)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The case's answer against exact arithmetic on its coordinates.
fn agrees(case: &Case, scene: &Scene, truth: &Truth) -> Result<(), String> {
    let (exact, expect) = (truth.distance(), &case.expect);
    let near = expect.distance.is_none_or(|d| d == exact || (d - exact).abs() <= case.tolerance(scene));
    let count = expect.contacts.is_none_or(|n| n == truth.pairs.len());
    let within = expect.within.iter().all(|&(t, near)| near == (exact <= t));
    if expect.overlap == truth.overlap() && near && count && within {
        return Ok(());
    }
    Err(format!("exactly: overlap {}, distance {exact:e}, {} contacts", truth.overlap(), truth.pairs.len()))
}

#[test]
fn every_case_through_every_engine() {
    let cases = crate::corpus::cases::all();
    let scenes: Vec<Scene> = cases.iter().map(Case::scene).collect();
    let truths: Vec<Option<Truth>> = scenes.iter().map(|s| is_small(s).then(|| s.truth())).collect();
    let mut wrong = Vec::new();
    for level in cpu::available() {
        cpu::force(Some(level));
        for (i, case) in cases.iter().enumerate() {
            let (scene, truth) = (&scenes[i], &truths[i]);
            let before = &scenes[i.checked_sub(1).unwrap_or(cases.len() - 1)];
            for builder in [Builder::Auto, Builder::Sah, Builder::Ploc] {
                let models = scene.models(builder);
                for method in [Method::Auto, Method::Brute, Method::Tree] {
                    if matches!(method, Method::Brute) && !is_small(scene) {
                        continue;
                    }
                    let mut note = |warmth: &str, result: Result<(), String>| {
                        wrong.extend(
                            result.err().map(|e| format!("{}: {level:?}, {builder}, {method}, {warmth}: {e}", case.id)),
                        );
                    };
                    let mut pair = cold(&models, method);
                    note("cold", expected(case, scene, &mut pair));
                    note("warm", expected(case, scene, &mut pair));
                    // L04: a memory of the previous case's poses.
                    pair.distance(&before.pose_a, &before.pose_b);
                    note("warm from the previous case", expected(case, scene, &mut pair));
                    let distinct = matches!(builder, Builder::Auto) || matches!(method, Method::Tree);
                    if let (true, Some(truth)) = (distinct, truth) {
                        note("exact", all_verbs(&mut pair, scene, truth));
                    }
                }
            }
        }
    }
    cpu::force(None);
    assert!(wrong.is_empty(), "{} failures:\n{}", wrong.len(), wrong.join("\n"));
}
