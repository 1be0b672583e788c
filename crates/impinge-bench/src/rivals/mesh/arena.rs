//! One mesh against itself: both sides are built, placed and queried in turns, and their answers compared.

use std::time::{Duration, Instant};

use impinge::glam::DVec3;
use impinge::{Builder, Interval, Limit, Mesh, Model, Pair, Pairs, Pose};

use super::super::sides::Options;
use super::super::sides::judge::{At, Judge};
use super::super::sides::parry::{Parry, ParryPoses};
use super::super::sides::placement::{CLASSES, place};
use crate::error::BenchError;
use crate::heap::live_bytes;
use crate::random::Random;
use crate::report::figure;
use crate::shapes::Soup;
use crate::timing::{Side, interleaved};

/// A side that finishes sooner than this is repeated.
const SLOT: Duration = Duration::from_millis(4);

pub(super) struct Arena {
    name: &'static str,
    options: Options,
    soup: Soup,
    model: Model,
    pair: Pair,
    parry: Parry,
    /// Poses by class, in the order of [`CLASSES`].
    poses: Vec<Vec<[Pose; 2]>>,
    bytes: [isize; 2],
    tree_bytes: usize,
}

/// One line of the table: a query on a class of poses. Times in seconds per query.
pub(super) struct Line {
    mesh: &'static str,
    class: &'static str,
    query: &'static str,
    ours: f64,
    dual: f64,
    nested: f64,
    yes: String,
    same: String,
}

impl Line {
    pub(super) fn dual_ratio(&self) -> Option<f64> {
        (!self.dual.is_nan()).then_some(self.dual / self.ours)
    }

    pub(super) fn cells(&self) -> Vec<String> {
        let words = [self.mesh, self.class, self.query].map(str::to_owned);
        let times =
            [self.ours * 1e6, self.dual * 1e6, self.dual / self.ours, self.nested * 1e6, self.nested / self.ours];
        words.into_iter().chain(times.map(figure)).chain([self.yes.clone(), self.same.clone()]).collect()
    }
}

impl Arena {
    pub(super) fn new(name: &'static str, soup: Soup, options: Options) -> Result<Arena, BenchError> {
        let start = live_bytes();
        let mesh = surface(name, &soup)?;
        // The first distance query fits the oriented boxes, which count as memory.
        let model = Model::from(mesh);
        let aside = Pose::at(DVec3::X * (4.0 * soup.radius())).map_err(|error| BenchError::usage(error.to_string()))?;
        impinge::distance(&model, &Pose::IDENTITY, &model, &aside);
        let ours = live_bytes() - start;
        let start = live_bytes();
        let parry = Parry::new(name, &soup)?;
        let bytes = [ours, live_bytes() - start];
        let tree_bytes = if let Model::Mesh(mesh) = &model { mesh.tree_bytes() } else { 0 };
        let mut pair = Pair::new(model.clone(), model.clone());
        let mut poses = vec![Vec::new(); CLASSES.len()];
        let mut random = Random::new(options.seed, 100 + soup.triangles.len() as u64);
        for _ in 0..if options.quick { 6 } else { 24 } {
            let placed = place(&mut pair, soup.radius(), &mut random)?;
            poses.iter_mut().zip(placed).for_each(|(class, pose)| class.push(pose));
        }
        Ok(Arena { name, options, soup, model, pair, parry, poses, bytes, tree_bytes })
    }

    /// Building, both sides with the copy of their arrays: a row of the table.
    pub(super) fn build(&self) -> Result<Vec<String>, BenchError> {
        let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
        let (name, soup) = (self.name, &self.soup);
        let mut sides: [Side<'_>; 3] = [
            Box::new(|| drop(surface(name, soup))),
            Box::new(|| drop(one_thread.install(|| surface(name, soup)))),
            Box::new(|| drop(Parry::new(name, soup))),
        ];
        let times = interleaved(self.options.passes, SLOT, &mut sides);
        let triangles = soup.triangles.len() as f64;
        let bytes = [self.bytes[0] as f64, self.tree_bytes as f64, self.bytes[1] as f64].map(|b| figure(b / triangles));
        let times = [times[0] * 1e3, times[1] * 1e3, times[2] * 1e3, times[2] / times[0]].map(figure);
        Ok([name.to_owned(), soup.triangles.len().to_string()].into_iter().chain(times).chain(bytes).collect())
    }

    /// Every query on every class of poses that it is for.
    pub(super) fn ask(&mut self, judge: &mut Judge) -> Result<Vec<Line>, BenchError> {
        let mut lines = Vec::new();
        for (class, (name, offset)) in CLASSES.into_iter().enumerate() {
            eprintln!("{}: {name}", self.name);
            let poses = std::mem::take(&mut self.poses[class]);
            let theirs: Vec<_> = poses.iter().map(ParryPoses::new).collect();
            lines.push(self.first(name, &poses, &theirs, judge));
            if offset < 0.0 {
                lines.push(self.all(name, &poses, &theirs, judge)?);
            } else {
                lines.push(self.distance(name, &poses, &theirs, judge));
            }
            self.poses[class] = poses;
        }
        Ok(lines)
    }

    fn first(&mut self, class: &'static str, poses: &[[Pose; 2]], theirs: &[ParryPoses], judge: &mut Judge) -> Line {
        let (mut yes, mut dual) = (vec![false; poses.len()], vec![false; poses.len()]);
        let (pair, parry) = (&mut self.pair, &self.parry);
        let mut sides: [Side<'_>; 2] = [
            Box::new(|| {
                for (yes, [a, b]) in yes.iter_mut().zip(poses) {
                    pair.forget();
                    *yes = pair.overlap(a, b).overlap;
                }
            }),
            Box::new(|| dual.iter_mut().zip(theirs).for_each(|(yes, at)| *yes = parry.overlap(parry, at))),
        ];
        let times = interleaved(self.options.passes, SLOT, &mut sides);
        drop(sides);
        let few = self.few().min(theirs.len());
        let (nested, own) = timed(&theirs[..few], |at| self.parry.nested_overlap(&self.parry, at));
        let mut line = self.line(class, "first", &times, nested, poses.len());
        let case = line.case();
        let before = judge.disagreements.len();
        for i in 0..poses.len() {
            self.judged(&case, i, &poses[i], |at| judge.overlap(at, yes[i], Some(dual[i])));
        }
        for i in 0..few {
            self.judged(&case, i, &poses[i], |at| judge.overlap(at, yes[i], own[i]));
        }
        line.yes = format!("{}/{}", yes.iter().filter(|&&y| y).count(), poses.len());
        line.same(judge, before, poses.len() + few);
        line
    }

    fn all(
        &mut self,
        class: &'static str,
        poses: &[[Pose; 2]],
        theirs: &[ParryPoses],
        judge: &mut Judge,
    ) -> Result<Line, BenchError> {
        let (mut found, mut counted) = (vec![Pairs::default(); poses.len()], 0);
        let (pair, parry) = (&mut self.pair, &self.parry);
        let mut sides: [Side<'_>; 2] = [
            Box::new(|| {
                for (found, [a, b]) in found.iter_mut().zip(poses) {
                    pair.forget();
                    *found = pair.contacts(a, b, Limit::All).pairs;
                }
            }),
            Box::new(|| counted = theirs.iter().map(|at| parry.count(parry, at)).sum()),
        ];
        let times = interleaved(self.options.passes, SLOT, &mut sides);
        drop(sides);
        let mut line = self.line(class, "all", &times, f64::NAN, poses.len());
        let case = line.case();
        let before = judge.disagreements.len();
        for (i, (ours, at)) in found.iter().zip(theirs).enumerate() {
            let theirs = self.parry.contacts(&self.parry, at);
            let built = self.judged(&case, i, &poses[i], |at| judge.contacts(at, ours, &theirs));
            built.map_err(|source| BenchError::Build { name: case.clone(), source })?;
        }
        line.yes = format!("{} pairs", found.iter().map(|pairs| pairs.len()).sum::<usize>() / found.len().max(1));
        line.same(judge, before, poses.len());
        Ok(line)
    }

    fn distance(&mut self, class: &'static str, poses: &[[Pose; 2]], theirs: &[ParryPoses], judge: &mut Judge) -> Line {
        let mut found = vec![Interval::ZERO; poses.len()];
        let pair = &mut self.pair;
        let mut sides: [Side<'_>; 1] = [Box::new(|| {
            for (found, [a, b]) in found.iter_mut().zip(poses) {
                pair.forget();
                *found = pair.distance(a, b).interval;
            }
        })];
        let times = interleaved(self.options.passes, SLOT, &mut sides);
        drop(sides);
        let few = self.few().min(theirs.len());
        let (nested, own) = timed(&theirs[..few], |at| self.parry.nested_distance(&self.parry, at));
        let mut line = self.line(class, "distance", &[times[0], f64::NAN], nested, poses.len());
        let case = line.case();
        let before = judge.disagreements.len();
        for i in 0..few {
            self.judged(&case, i, &poses[i], |at| judge.distance(at, found[i], own[i]));
        }
        line.same(judge, before, few);
        line
    }

    /// The number of poses at which parry's own dispatch is queried.
    fn few(&self) -> usize {
        match (self.soup.triangles.len(), self.options.quick) {
            (0..10_000, false) => 6,
            (0..10_000, true) | (10_000..50_000, false) => 2,
            (10_000..50_000, true) | (50_000.., false) => 1,
            (50_000.., true) => 0,
        }
    }

    fn line(&self, class: &'static str, query: &'static str, times: &[f64], nested: f64, n: usize) -> Line {
        let [ours, dual] = [times[0] / n as f64, times[1] / n as f64];
        Line { mesh: self.name, class, query, ours, dual, nested, yes: String::new(), same: String::new() }
    }

    fn judged<T>(&self, case: &str, pose: usize, poses: &[Pose; 2], judge: impl FnOnce(At<'_>) -> T) -> T {
        let corners = |i: u32| -> Option<[DVec3; 3]> {
            let triangle = self.soup.triangles.get(i as usize)?;
            Some(triangle.map(|v| self.soup.vertices[v as usize]))
        };
        judge(At { case, pose, model: &self.model, corners: &corners, poses })
    }
}

impl Line {
    fn case(&self) -> String {
        format!("{} {} {}", self.mesh, self.class, self.query)
    }

    fn same(&mut self, judge: &Judge, before: usize, compared: usize) {
        self.same = format!("{}/{compared}", compared - (judge.disagreements.len() - before));
    }
}

fn surface(name: &str, soup: &Soup) -> Result<Mesh, BenchError> {
    soup.surface(Builder::Auto).map_err(|source| BenchError::Build { name: name.to_owned(), source })
}

/// Seconds per query, from one run, with the answers; NaN where there are no queries.
fn timed<T>(poses: &[ParryPoses], ask: impl FnMut(&ParryPoses) -> T) -> (f64, Vec<T>) {
    let start = Instant::now();
    let answers: Vec<T> = poses.iter().map(ask).collect();
    let seconds = start.elapsed().as_secs_f64();
    (if answers.is_empty() { f64::NAN } else { seconds / answers.len() as f64 }, answers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::torus;

    /// A small torus: both libraries agree with each other on every class and every query.
    #[test]
    fn agrees_with_parry_on_a_small_torus() {
        let options = Options { seed: 11, passes: 1, quick: true };
        let mut arena = Arena::new("torus", torus(20, 12, &mut Random::new(11, 0)), options).unwrap();
        let mut judge = Judge::default();
        let lines = arena.ask(&mut judge).unwrap();
        assert_eq!(lines.len(), 16);
        // 8 classes of 6 poses and 2 of parry's own, 4 classes of 6 contact lists, 4 of 2 distances.
        assert_eq!(judge.compared, 8 * (6 + 2) + 4 * 6 + 4 * 2);
        assert_eq!(judge.unexplained(), 0, "{:?}", judge.disagreements);
        for line in &lines[..4] {
            assert!(line.ours > 0.0 && line.cells().len() == 10, "{:?}", line.cells());
        }
        assert_eq!(lines[0].yes, "0/6", "far");
        assert_eq!(lines[14].yes, "6/6", "deep");
    }

    #[test]
    fn a_build_row_has_every_column() {
        let options = Options { seed: 1, passes: 1, quick: true };
        let arena = Arena::new("torus", torus(8, 6, &mut Random::new(1, 0)), options).unwrap();
        let row = arena.build().unwrap();
        assert_eq!((row.len(), row[1].as_str()), (9, "96"));
    }
}
