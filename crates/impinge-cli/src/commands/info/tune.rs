//! `impinge info --tune`: which tree answers fastest for the user's own model.
//!
//! The model is queried against itself at seeded poses, from crossing to clear of each other, without memory from one
//! pose to the next. Every tree gets the same poses: they are taken one by one, each by all trees, until all are done
//! or the time is up. The times hold for this machine and differ from run to run; the answers do not.

use std::time::{Duration, Instant};

use clap::ValueEnum as _;
use impinge::glam::{DQuat, DVec3};
use impinge::{Mesh, Model, Pair, Pose};
use impinge_io::Part;
use serde::Serialize;

use crate::input::body;
use crate::input::options::TreeName;
use crate::output::error::Failure;

/// Poses asked about, if there is time.
const POSES: usize = 48;

/// No tree is built after this, and none asked after twice this.
const TIME: Duration = Duration::from_millis(2500);

/// A query this long is asked once.
const LONG: Duration = Duration::from_millis(50);

/// `within` asks for this part of the model's size.
const TOLERANCE: f64 = 0.02;

/// The measurements, under their names in JSON.
#[derive(Debug, Serialize)]
pub(super) struct TuneJson {
    poses: usize,
    trees: Vec<TreeJson>,
    left_out: Vec<String>,
    best: BestJson,
}

/// Mean nanoseconds a query.
#[derive(Debug, Serialize)]
struct TreeJson {
    tree: String,
    build_seconds: f64,
    bytes: usize,
    overlap_ns: u64,
    distance_ns: u64,
    within_ns: u64,
}

#[derive(Debug, Serialize)]
struct BestJson {
    overlap: String,
    distance: String,
    within: String,
}

/// A tree under test.
struct Candidate {
    name: String,
    model: Model,
    build: Duration,
    bytes: usize,
    /// Of overlap, distance and within.
    spent: [Duration; 3],
}

pub(super) fn tune(part: &Part, file: &str) -> Result<TuneJson, Failure> {
    let start = Instant::now();
    let mut left_out = Vec::new();
    let mut candidates: Vec<Candidate> = Vec::new();
    for &tree in TreeName::value_variants() {
        let name = tree.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned());
        if start.elapsed() > TIME && !candidates.is_empty() {
            left_out.push(name);
            continue;
        }
        let begun = Instant::now();
        let mesh = body::build(part.clone(), tree).map_err(|problem| Failure::build(file.to_owned(), problem))?;
        candidates.push(Candidate::new(name, mesh, begun));
    }
    let Some([low, high]) = candidates.first().and_then(|c| c.bounds()) else {
        return Err(Failure::build(file.to_owned(), impinge::BuildError::Empty));
    };
    let mut poses = 0;
    'poses: for pose in seeded_poses(low, high) {
        let before: Vec<_> = candidates.iter().map(|candidate| candidate.spent).collect();
        for turn in 0..candidates.len() {
            // The tree that comes first finds the caches colder: the trees take turns at being first.
            let k = (turn + poses) % candidates.len();
            if turn > 0 && start.elapsed() > 2 * TIME {
                // A pose counts when all trees were measured at it; trees for which no time was left at the first pose
                // are left out.
                if poses == 0 {
                    left_out.extend(candidates.drain(k..).map(|candidate| candidate.name));
                    poses = 1;
                } else {
                    candidates.iter_mut().zip(before).for_each(|(candidate, spent)| candidate.spent = spent);
                }
                break 'poses;
            }
            candidates[k].ask(&pose, TOLERANCE * (high - low).length());
        }
        poses += 1;
        if start.elapsed() > 2 * TIME {
            break;
        }
    }
    let best = |verb: usize| {
        let least = candidates.iter().min_by_key(|c| c.spent[verb]);
        // The first tree is the default: another one has to be faster by more than two runs of one tree differ.
        let default =
            candidates.first().filter(|c| least.is_some_and(|least| c.spent[verb] <= least.spent[verb] * 11 / 10));
        default.or(least).map_or_else(String::new, |c| c.name.clone())
    };
    let best = BestJson { overlap: best(0), distance: best(1), within: best(2) };
    let trees = candidates.iter().map(|c| c.measured(poses)).collect();
    Ok(TuneJson { poses, trees, left_out, best })
}

impl Candidate {
    fn new(name: String, mesh: Mesh, begun: Instant) -> Candidate {
        let aside = mesh.bounds().and_then(|[low, high]| Pose::at((high - low) * 2.0).ok()).unwrap_or_default();
        let model = Model::from(mesh);
        // The first distance of bodies that are apart fits the volumes.
        impinge::distance(&model, &Pose::IDENTITY, &model, &aside);
        let bytes = if let Model::Mesh(mesh) = &model { mesh.tree_bytes() } else { 0 };
        Candidate { name, model, build: begun.elapsed(), bytes, spent: [Duration::ZERO; 3] }
    }

    fn bounds(&self) -> Option<[DVec3; 2]> {
        if let Model::Mesh(mesh) = &self.model { mesh.bounds() } else { None }
    }

    fn ask(&mut self, pose: &Pose, tolerance: f64) {
        let mut pair = Pair::new(self.model.clone(), self.model.clone());
        let still = Pose::IDENTITY;
        let verbs: [&dyn Fn(&mut Pair) -> bool; 3] =
            [&|pair| pair.overlap(&still, pose).overlap, &|pair| pair.distance(&still, pose).penetrating, &|pair| {
                pair.within(&still, pose, tolerance).within
            }];
        for (spent, ask) in self.spent.iter_mut().zip(verbs) {
            // The first run warms the caches and the second is measured; where the first takes long, it is the one that
            // counts.
            let mut timed = || {
                pair.forget();
                let begun = Instant::now();
                std::hint::black_box(ask(&mut pair));
                begun.elapsed()
            };
            let first = timed();
            *spent += if first < LONG { timed() } else { first };
        }
    }

    fn measured(&self, poses: usize) -> TreeJson {
        let mean = |spent: Duration| u64::try_from(spent.as_nanos() / poses.max(1) as u128).unwrap_or(u64::MAX);
        let [overlap_ns, distance_ns, within_ns] = self.spent.map(mean);
        let build_seconds = self.build.as_secs_f64();
        TreeJson { tree: self.name.clone(), build_seconds, bytes: self.bytes, overlap_ns, distance_ns, within_ns }
    }
}

impl TuneJson {
    pub(super) fn in_words(&self) -> Vec<String> {
        let mut lines = vec![
            format!("trees, mean of {} poses against itself (ns a query)", self.poses),
            "  tree         overlap   distance     within  build (s)       bytes".to_owned(),
        ];
        lines.extend(self.trees.iter().map(|t| {
            format!(
                "  {:<9} {:>10} {:>10} {:>10} {:>10.3} {:>11}",
                t.tree, t.overlap_ns, t.distance_ns, t.within_ns, t.build_seconds, t.bytes
            )
        }));
        if !self.left_out.is_empty() {
            lines.push(format!("  not measured, for want of time: {}", self.left_out.join(", ")));
        }
        let BestJson { overlap, distance, within } = &self.best;
        lines.push(format!("best: --tree {overlap} for overlap, {distance} for distance, {within} for within"));
        lines
    }
}

/// The second body turned about the model's middle and moved away from it: by a fifth of its size to one and a half.
fn seeded_poses(low: DVec3, high: DVec3) -> impl Iterator<Item = Pose> {
    let (middle, size) = ((low + high) * 0.5, (high - low).length());
    let mut seed = 4u64;
    let mut random = move || {
        // SplitMix64: the same poses on every machine.
        seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (seed ^ (seed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 * 0.5f64.powi(52) - 1.0
    };
    (0..POSES).filter_map(move |i| {
        let turn = DQuat::from_xyzw(random(), random(), random(), random());
        let turn = if turn.length_squared() > 1e-3 { turn.normalize() } else { DQuat::IDENTITY };
        let way = DVec3::new(random(), random(), random()).normalize_or(DVec3::X);
        let far = size * [0.2, 0.4, 0.6, 0.8, 1.0, 1.5][i % 6];
        Pose::new(middle + way * far - turn * middle, turn).ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn poses_are_the_same_every_time() {
        let poses = || seeded_poses(DVec3::splat(-1.0), DVec3::splat(3.0)).collect::<Vec<_>>();
        assert_eq!(poses().len(), POSES);
        assert_eq!(poses(), poses());
    }
}
