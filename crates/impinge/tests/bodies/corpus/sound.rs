//! The cases themselves: each says where its answer comes from, and no answer contradicts exact arithmetic.

use super::cases;
use super::questions::{OfMeshes, of_convex, of_meshes};
use crate::verdict::meshes::Truth;

#[test]
fn the_corpus_is_sound() {
    let questions = of_meshes();
    assert!(questions.len() >= 60, "only {} cases", questions.len());
    let mut ids: Vec<&str> = cases::all().iter().map(|c| c.id.as_str()).collect();
    ids.sort_unstable();
    for pair in ids.windows(2) {
        assert_ne!(pair[0], pair[1], "an id must be one case's");
    }
    for case in cases::all() {
        assert!(!case.source.is_empty(), "{}: where does the answer come from?", case.id);
    }
    let judged = questions.iter().filter_map(|q| q.truth.as_ref().map(|truth| agrees(q, truth)));
    let wrong: Vec<String> = judged.filter_map(Result::err).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Compares the case's answer with exact arithmetic on its coordinates.
fn agrees(question: &OfMeshes, truth: &Truth) -> Result<(), String> {
    let (exact, case, expect) = (truth.distance(), question.case, &question.case.expect);
    let tolerance = case.tolerance(question.scene.size());
    let near = expect.distance.is_none_or(|d| d == exact || (d - exact).abs() <= tolerance);
    let count = expect.contacts.is_none_or(|n| n == truth.pairs.len());
    let within = expect.within.iter().all(|&(t, near)| near == (exact <= t));
    if expect.overlap == truth.overlap() && near && count && within {
        return Ok(());
    }
    let (overlap, contacts) = (truth.overlap(), truth.pairs.len());
    Err(format!("{}: exactly: overlap {overlap}, distance {exact:e}, {contacts} contacts", case.id))
}

#[test]
fn the_convex_cases_are_sound() {
    let questions = of_convex();
    assert!(questions.len() >= 90, "only {} cases", questions.len());
    let mut wrong = Vec::new();
    for question in questions {
        let Some([judge, _]) = &question.judges else { continue };
        let (truth, case, expect) = (&judge.truth, question.case, &question.case.expect);
        let near = |x: Option<f64>, y: f64, tolerance: f64| x.is_none_or(|x| (x - y).abs() <= tolerance);
        let fits = truth.overlap == expect.overlap
            && near(expect.distance, truth.mid_distance(), case.tolerance(judge.scene.size()))
            && near(expect.depth, truth.mid_depth(), case.depth_tolerance(judge.scene.size()));
        if !fits {
            wrong.push(format!("{}: {truth:?}", case.id));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
