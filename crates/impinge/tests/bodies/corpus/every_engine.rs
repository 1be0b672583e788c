//! Every case of `testdata/cases` through every engine: methods, builders, volumes, trees of hulls, instruction sets
//! and broad phases; cold, warm, and warm from the case before.

use impinge::broad::Phase;
use impinge::{Body, Builder, Method, Pair, World, cpu};

use super::questions::{OfMeshes, bodies, of_convex, of_meshes};
use super::told;
use crate::verdict::engines::{VOLUMES, hull_trees, hulled};
use crate::verdict::levels::Levels;
use crate::verdict::mesh_answers::{all_verbs, cold};

type Check = Result<(), String>;

/// What went wrong: which case, which engine, how warm the pair was, and what it answered.
#[derive(Default)]
struct Wrong {
    found: Vec<String>,
    checked: usize,
}

impl Wrong {
    fn note(&mut self, id: &str, engine: &str, warmth: &str, check: Check) {
        self.checked += 1;
        self.found.extend(check.err().map(|e| format!("{id}: {engine}, {warmth}: {e}")));
    }

    /// Fails when fewer checks than `least` were made, or when something is wrong.
    fn must_be_none_of(self, least: usize) {
        assert!(self.checked >= least, "only {} checks", self.checked);
        assert!(self.found.is_empty(), "{} failures:\n{}", self.found.len(), self.found.join("\n"));
    }
}

/// Compares the answers with the case: of a pair without memory, of one with it, and of one that remembers the poses of
/// the case before (L04).
fn as_told(question: &OfMeshes, engine: &str, pair: &mut Pair, wrong: &mut Wrong) {
    let (case, size) = (question.case, question.scene.size());
    for warmth in ["cold", "warm", "warm from the previous case"] {
        if warmth.ends_with("case") {
            pair.distance(&question.before[0], &question.before[1]);
        }
        wrong.note(&case.id, engine, warmth, told::of_meshes(case, size, pair));
    }
}

/// Compares the answers with exact arithmetic where that is known, once for each name.
fn exactly(question: &OfMeshes, engine: &str, pair: &mut Pair, warmths: &[&str], wrong: &mut Wrong) {
    let Some(truth) = &question.truth else { return };
    for warmth in warmths {
        wrong.note(&question.case.id, engine, warmth, all_verbs(pair, &question.scene, truth));
    }
}

#[test]
fn every_case_through_every_engine() {
    let (mut wrong, levels) = (Wrong::default(), Levels::take());
    for level in cpu::available() {
        levels.choose(level);
        for question in of_meshes() {
            for builder in [Builder::Auto, Builder::Sah, Builder::Ploc] {
                let models = question.scene.models(builder);
                for method in [Method::Auto, Method::Brute, Method::Tree] {
                    if method == Method::Brute && question.truth.is_none() {
                        continue;
                    }
                    let (mut pair, engine) = (cold(&models, method), format!("{level:?}, {builder}, {method}"));
                    as_told(question, &engine, &mut pair, &mut wrong);
                    if builder == Builder::Auto || method == Method::Tree {
                        exactly(question, &engine, &mut pair, &["exact"], &mut wrong);
                    }
                }
            }
        }
    }
    wrong.must_be_none_of(60 * 3 * 6);
}

/// Methods that do not know meshes leave them to `Auto`.
#[test]
fn every_mesh_case_through_the_methods_of_other_bodies() {
    let mut wrong = Wrong::default();
    for question in of_meshes() {
        let models = question.scene.models(Builder::Auto);
        for method in Method::EACH.iter().filter(|m| ![Method::Auto, Method::Brute, Method::Tree].contains(m)) {
            as_told(question, &method.to_string(), &mut cold(&models, *method), &mut wrong);
        }
    }
    wrong.must_be_none_of(60 * 3 * 14);
}

#[test]
fn every_case_through_every_volume() {
    let mut wrong = Wrong::default();
    for question in of_meshes().iter().filter(|q| q.truth.is_some()) {
        for (builder, volume) in [Builder::Auto, Builder::Binary].into_iter().flat_map(|b| VOLUMES.map(|v| (b, v))) {
            let mut pair = cold(&question.scene.models_in(builder, volume), Method::Tree);
            exactly(question, &format!("{builder}, {volume}"), &mut pair, &["cold", "warm"], &mut wrong);
        }
    }
    wrong.must_be_none_of(32 * 50);
}

#[test]
fn every_case_with_and_without_each_optimisation() {
    let mut wrong = Wrong::default();
    for question in of_meshes().iter().filter(|q| q.truth.is_some()) {
        for builder in [Builder::Auto, Builder::Binary] {
            for (name, options) in hull_trees() {
                let models = question.scene.models(builder).map(|m| hulled(m, options));
                let (mut pair, engine) = (cold(&models, Method::Tree), format!("{builder}, {name}"));
                exactly(question, &engine, &mut pair, &["cold", "warm", "warmer"], &mut wrong);
            }
        }
    }
    wrong.must_be_none_of(72 * 50);
}

#[test]
fn every_convex_case_through_every_engine() {
    let mut wrong = Wrong::default();
    for question in of_convex() {
        let (case, size, [a, b]) = (question.case, question.size, &question.models);
        let [pa, pb] = case.poses();
        for &method in Method::EACH {
            let name = method.to_string();
            let mut note = |warmth: &str, check: Check| wrong.note(&case.id, &name, warmth, check);
            let mut pair = Pair::new(a, b).with_method(method);
            note("cold", told::of_convex(case, size, [&pa, &pb], &mut pair, method));
            note("warm", told::of_convex(case, size, [&pa, &pb], &mut pair, method));
            // L04 and C10: a memory that comes from other poses.
            pair.distance(&question.before[0], &question.before[1]);
            note("warm from the previous case", told::of_convex(case, size, [&pa, &pb], &mut pair, method));
            let mut back = Pair::new(b, a).with_method(method);
            note("swapped", told::of_convex(case, size, [&pb, &pa], &mut back, method));
            if let Some([there, swapped]) = &question.judges {
                note("judged", there.all(&mut pair, method));
                note("judged, swapped", swapped.all(&mut back, method));
            }
        }
    }
    wrong.must_be_none_of(90 * 4 * Method::EACH.len());
}

#[test]
fn every_case_in_a_world_of_every_phase() {
    let mut wrong = Wrong::default();
    for (case, models) in bodies() {
        for phase in Phase::EACH {
            let mut world = World::with_phase(phase.start());
            for (model, pose) in models.iter().zip(case.poses()) {
                world.add(Body::new(model.clone(), pose)).unwrap();
            }
            for warmth in ["cold", "warm"] {
                let met = world.overlap().len() == 1;
                let check = if met == case.expect.overlap { Ok(()) } else { Err(format!("overlap is {met}")) };
                wrong.note(&case.id, &phase.to_string(), warmth, check);
            }
        }
    }
    wrong.must_be_none_of(150 * 2 * Phase::EACH.len());
}
