//! Rays, points, boxes and casts in worlds of many bodies beside parry3d-f64: its tree of boxes, and its queries about
//! the bodies in the leaves.
//!
//! Both worlds have the same bodies at the same poses. Parry's tree is built with its better builder, and its leaves
//! are asked with the best answer so far where its queries take one; ours is the view of a world.

use std::hint::black_box;
use std::time::Duration;

use impinge::View;

use super::both_worlds::{BothWorlds, Theirs, kinds};
use super::sides::Options;
use super::world_frames::frames;
use super::world_questions::{BALL, COUNT, KINDS, Questions};
use crate::error::BenchError;
use crate::random::Random;
use crate::report::{Report, Table, figure};
use crate::timing::{Side, interleaved, seconds_of};

const SLOT: Duration = Duration::from_millis(20);
/// Rounds for each that is asked for: the least of few times is still disturbed.
const ROUNDS: usize = 4;
/// Answers that differ by more, for worlds of this size, count as different.
const SAME: f64 = 1e-5;

pub(super) fn run(options: Options) -> Result<(Report, bool), BenchError> {
    let title = format!("Queries of worlds: impinge and parry3d-f64 (seed {})", options.seed);
    let mut report = Report::new("rivals-queries", title);
    report.add(format!(
        "Nanoseconds a question, one thread, one after another, in {} rounds in which the sides take turns: the least \
         time of each question counts, and the mean of all {COUNT} is told; `worst` is the slowest question, of ours \
         and of parry's. Ratio: parry's time over ours. `all cores`: the batch of ours, per question. Bodies: spheres, \
         boxes, capsules, cylinders, cones and hulls of about size 1, about 2 apart; `in one place`: within a cube of \
         side 1; `of many sizes`: 0.02, 0.1, 0.5 and 5; `one far away`: one more at a distance of 1e9. `ray`: the \
         first hit, through the whole world; `any`: whether there is one; `short`: rays of length 5; `point`: the \
         nearest body; `box`: the bodies whose boxes meet one of side 6; `cast`: the first body that a ball of radius \
         {BALL} meets on a way of length 20. `same`: both find nothing, or the same within {SAME}.",
        ROUNDS * options.passes
    ));
    let heads =
        ["bodies", "question", "found", "impinge ns", "parry ns", "ratio", "all cores ns", "worst", "parry's", "same"];
    let mut table = Table::new(2, &heads);
    let follow = ["bodies", "moved", "impinge ms", "of it the view", "parry ms", "ratio", "bytes a body", "parry's"];
    let mut followed = Table::new(2, &follow);
    let mut all_same = true;
    for kind in kinds(options.quick) {
        let mut random = Random::new(options.seed, 81);
        let mut worlds = BothWorlds::new(&kind, &mut random)?;
        let questions = Questions::new(worlds.half, &mut random)?;
        for question in KINDS {
            eprintln!("{}, {question}", kind.name);
            let row = measured(question, options, &worlds.ours.view(), &worlds.theirs, &questions);
            all_same &= row.same == COUNT;
            table.row([
                kind.name.to_owned(),
                question.to_owned(),
                row.found.to_string(),
                figure(row.nanoseconds[0]),
                figure(row.nanoseconds[1]),
                figure(row.nanoseconds[1] / row.nanoseconds[0]),
                row.nanoseconds.get(2).map_or("-".to_owned(), |ns| figure(*ns)),
                figure(row.worst[0]),
                figure(row.worst[1]),
                format!("{}/{COUNT}", row.same),
            ]);
        }
        let bytes = [worlds.ours.view().bytes(), worlds.theirs.tree.total_memory_size()];
        for (moved, one_in) in [("all", 1), ("1 %", 100)] {
            eprintln!("{}, {moved} move", kind.name);
            let frame = frames(&mut worlds, one_in, 3 * options.passes, &mut random);
            let [ours, theirs] = bytes.map(|bytes| (bytes / worlds.len()).to_string());
            let ratio = figure(frame.theirs / frame.ours);
            let times = [figure(frame.ours), figure(frame.view), figure(frame.theirs), ratio];
            followed.row([kind.name.to_owned(), moved.to_owned()].into_iter().chain(times).chain([ours, theirs]));
        }
    }
    report.add(table);
    report.add(
        "Milliseconds until a world can be asked again, the least of some frames: in each all bodies or one in a \
         hundred are placed anew, up to 0.17 away, and one point is asked. Ours: `World::place`, which keeps the boxes \
         for pairs too, and the view. Parry's: its boxes, `insert_or_update_partially`, and `refit`, or \
         `refit_partial` for few. Memory is that of the tree that is searched, without bodies and shapes.",
    );
    report.add(followed);
    Ok((report, all_same))
}

/// What came of one kind of question.
struct Measured {
    /// A question: ours, parry's, ours on all threads.
    nanoseconds: Vec<f64>,
    /// The slowest question: ours, parry's.
    worst: [f64; 2],
    found: usize,
    same: usize,
}

fn measured(kind: &str, options: Options, view: &View<'_>, theirs: &Theirs, questions: &Questions) -> Measured {
    let mut sides = [Asked::default(), Asked::default()];
    for _ in 0..=ROUNDS * options.passes {
        sides[0].ask_all(|k| questions.ask(kind, view, k));
        sides[1].ask_all(|k| questions.ask_parry(kind, theirs, k));
    }
    let mut nanoseconds: Vec<f64> = sides.iter().map(Asked::mean).collect();
    if questions.ask_all(kind, view) {
        let mut side: [Side<'_>; 1] = [Box::new(|| {
            questions.ask_all(kind, view);
        })];
        nanoseconds.extend(interleaved(options.passes, SLOT, &mut side).iter().map(|s| s * 1e9 / COUNT as f64));
    }
    // Boxes of bodies that touch a box only just may be told or not: ours are larger by rounding.
    let slack = if kind == "box" { 1.0 } else { SAME };
    let same = |x: &f64, y: &f64| x == y || (x - y).abs() <= slack;
    let [mine, other] = &sides;
    Measured {
        nanoseconds,
        worst: [mine.worst(), other.worst()],
        found: mine.answers.iter().filter(|x| x.is_finite()).count(),
        same: mine.answers.iter().zip(&other.answers).filter(|(x, y)| same(x, y)).count(),
    }
}

/// What one side answers, and the least seconds that each question took.
struct Asked {
    answers: [f64; COUNT],
    least: [f64; COUNT],
}

impl Default for Asked {
    fn default() -> Asked {
        Asked { answers: [0.0; COUNT], least: [f64::INFINITY; COUNT] }
    }
}

impl Asked {
    fn ask_all(&mut self, ask: impl Fn(usize) -> f64) {
        for (k, (answer, least)) in self.answers.iter_mut().zip(&mut self.least).enumerate() {
            *least = least.min(seconds_of(|| *answer = black_box(ask(k))));
        }
    }

    /// Nanoseconds of a question.
    fn mean(&self) -> f64 {
        self.least.iter().sum::<f64>() * 1e9 / COUNT as f64
    }

    /// Nanoseconds of the slowest question.
    fn worst(&self) -> f64 {
        self.least.iter().copied().fold(0.0, f64::max) * 1e9
    }
}
