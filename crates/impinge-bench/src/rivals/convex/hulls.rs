//! Random hulls apart, touching and overlapping.

use std::time::Duration;

use impinge::{Convex, Method, Model, Pair, Pose};

use super::super::sides::Options;
use super::super::sides::parry::ParryPoses;
use super::super::sides::parry_convex::{Hull, ParryAsk};
use super::super::sides::placement::Approach;
use super::verdict::{Ratios, Verdict};
use crate::agreement::Differences;
use crate::bodies::random_points;
use crate::error::BenchError;
use crate::hull_queries::{QUERIES, Query, moved};
use crate::random::Random;
use crate::report::{Table, figure};
use crate::timing::{Side, interleaved};

const CLASSES: [&str; 3] = ["sep", "touch", "over"];
const ASKED: [ParryAsk; 3] = [Hull::touching, Hull::distance, Hull::signed];
const SLOT: Duration = Duration::from_millis(4);

/// The ratios without and with coherence.
pub(super) fn run(options: Options, table: &mut Table, verdict: &mut Verdict) -> Result<[Ratios; 2], BenchError> {
    let mut random = Random::new(options.seed, 7);
    let bodies = Bodies::new(if options.quick { 16 } else { 64 }, &mut random)?;
    let mut ratios = [Ratios::default(), Ratios::default()];
    for name in CLASSES {
        eprintln!("hulls: {name}");
        let class = Class::new(&bodies, name, if options.quick { 64 } else { 512 }, &mut random)?;
        for (query, theirs) in QUERIES.into_iter().zip(ASKED) {
            let (times, [ours, coherent, parrys]) = class.ask(options, query, theirs);
            let ns = times.map(|seconds| seconds * 1e9 / ours.len() as f64);
            let faster = [ns[2] / ns[0], ns[2] / ns[1]];
            ratios.iter_mut().zip(faster).for_each(|(ratios, x)| ratios.0.push(x));
            let brute = |i: usize| (query.ask)(&mut class.pair(i).with_method(Method::Brute), &class.records[i].at);
            let question = format!("{name} {}", query.name);
            let same = verdict.add(&question, "parry", &Differences::between(&ours, &parrys, brute));
            verdict.add(&question, "our coherent", &Differences::between(&ours, &coherent, brute));
            let yes = if query.name == "bool" { figure(ours.iter().sum()) } else { String::new() };
            let words = [name, query.name].map(str::to_owned);
            table.row(words.into_iter().chain(ns.map(figure)).chain(faster.map(figure)).chain([yes, same]));
        }
    }
    Ok(ratios)
}

/// The hulls of both sides, of the same points.
struct Bodies {
    ours: Vec<Model>,
    parrys: Vec<Hull>,
}

impl Bodies {
    fn new(count: usize, random: &mut Random) -> Result<Bodies, BenchError> {
        let (mut ours, mut parrys) = (Vec::new(), Vec::new());
        for i in 0..count {
            let (points, name) = (random_points(random), format!("hull {i}"));
            parrys.push(Hull::new(&name, &points)?);
            let hull = Convex::hull(&points).map_err(|source| BenchError::Build { name, source })?;
            ours.push(Model::from(hull));
        }
        Ok(Bodies { ours, parrys })
    }

    fn pair(&self, [a, b]: [usize; 2]) -> Pair {
        Pair::new(&self.ours[a], &self.ours[b])
    }
}

/// One query: which hulls, where, and where a moment later.
struct Record {
    hulls: [usize; 2],
    at: [Pose; 2],
    later: [Pose; 2],
}

struct Class<'a> {
    bodies: &'a Bodies,
    records: Vec<Record>,
}

impl Class<'_> {
    fn new<'a>(bodies: &'a Bodies, name: &str, count: usize, random: &mut Random) -> Result<Class<'a>, BenchError> {
        let mut class = Class { bodies, records: Vec::new() };
        for i in 0..count {
            let hulls = [(); 2].map(|()| random.below(bodies.ours.len() as u32) as usize);
            let approach = Approach::new(&mut bodies.pair(hulls), 1.0, random)?;
            let at = approach.poses(match name {
                "sep" => 10f64.powf(random.between(-3.0, 0.0)),
                "touch" => random.between(-1e-7, 1e-7),
                _ => -10f64.powf(random.between(-3.0, -0.3)),
            })?;
            class.records.push(Record { hulls, at, later: moved(i, &at)? });
        }
        Ok(class)
    }

    fn pair(&self, i: usize) -> Pair {
        self.bodies.pair(self.records[i].hulls)
    }

    /// Seconds and answers of all records: ours cold, ours coherent and parry's.
    fn ask(&self, options: Options, query: Query, parry: ParryAsk) -> ([f64; 3], [Vec<f64>; 3]) {
        let mut kept: Vec<Pair> = (0..self.records.len()).map(|i| self.pair(i)).collect();
        let theirs: Vec<_> = self.records.iter().map(|record| ParryPoses::new(&record.at)).collect();
        let mut answers = [(); 3].map(|()| vec![0.0; kept.len()]);
        let [cold, coherent, parrys] = &mut answers;
        let mut away = false;
        let mut sides: [Side<'_>; 3] = [
            Box::new(|| {
                for (answer, record) in cold.iter_mut().zip(&self.records) {
                    *answer = (query.cold)(record.hulls.map(|hull| &self.bodies.ours[hull]), &record.at);
                }
            }),
            Box::new(|| {
                for ((answer, pair), record) in coherent.iter_mut().zip(&mut kept).zip(&self.records) {
                    *answer = (query.ask)(pair, if away { &record.later } else { &record.at });
                }
                away = !away;
            }),
            Box::new(|| {
                for ((answer, at), record) in parrys.iter_mut().zip(&theirs).zip(&self.records) {
                    let [a, b] = record.hulls.map(|hull| &self.bodies.parrys[hull]);
                    *answer = parry(a, b, at);
                }
            }),
        ];
        let times = interleaved(options.passes, SLOT, &mut sides);
        drop(sides);
        for ((answer, pair), record) in answers[1].iter_mut().zip(&mut kept).zip(&self.records) {
            *answer = (query.ask)(pair, &record.at);
        }
        (std::array::from_fn(|side| times[side]), answers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_are_what_they_say_and_agree_with_parry() {
        let options = Options { seed: 1, passes: 1, quick: true };
        let mut random = Random::new(4, 4);
        let bodies = Bodies::new(6, &mut random).unwrap();
        for name in CLASSES {
            let class = Class::new(&bodies, name, 12, &mut random).unwrap();
            for (query, parry) in QUERIES.into_iter().zip(ASKED) {
                let (times, [ours, coherent, parrys]) = class.ask(options, query, parry);
                assert!(times.iter().all(|&t| t > 0.0));
                let brute = |i: usize| (query.ask)(&mut class.pair(i).with_method(Method::Brute), &class.records[i].at);
                for other in [&coherent, &parrys] {
                    let found = Differences::between(&ours, other, brute);
                    assert_eq!(found.against_us(), 0, "{name} {}: {found:?}", query.name);
                }
                match (name, query.name) {
                    ("sep", "bool") => assert!(ours.iter().all(|&x| x == 0.0)),
                    ("over", "bool") => assert!(ours.iter().all(|&x| x == 1.0)),
                    ("touch", "depth") => assert!(ours.iter().all(|&x| x.abs() < 1e-6)),
                    _ => {}
                }
            }
        }
    }
}
