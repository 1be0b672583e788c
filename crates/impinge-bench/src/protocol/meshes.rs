//! W3 and W4: a mesh against itself at poses from far to deep. First contact, all contacts, building, bytes; distance
//! and "closer than 0.02?" on the separated poses.
//!
//! Variants: `default`, `sah`, `ploc` name the builder and ask cold ([`Pair::forget`] before each query: scratch memory
//! is kept, coherence is not). In W4 the default builder's are `cold` and `warm`; the poses are unrelated, so `warm`
//! shows only that a bad memory does no harm. `step1e-3` and `step1e-4` begin cold at each pose and go on for [`STEPS`]
//! steps that displace `b` by so much and turn it by as many radians: the mean of all queries, the cold ones included.
//! `default-1thread` is the build on one thread: the rivals' builds use one.

use std::time::Duration;

use impinge::glam::DQuat;
use impinge::{Builder, Limit, Mesh, Model, Pair, Pose, Stats};

use super::files::{Poses, read_mesh, read_poses};
use super::request::Request;
use crate::error::BenchError;
use crate::heap::live_bytes;
use crate::random::Random;
use crate::shapes::Soup;
use crate::timing::per_query_ns;

const MODELS: [&str; 4] = ["bunny", "torus20k", "dragon", "torus98k"];
const SEPARATED: [&str; 5] = ["far", "mid", "near", "graze", "linked"];
const OVERLAPPING: [&str; 4] = ["touch", "shallow", "part", "deep"];
const BUILDERS: [(&str, Builder); 3] = [("default", Builder::Auto), ("sah", Builder::Sah), ("ploc", Builder::Ploc)];
const BUDGET: Duration = Duration::from_millis(300);
const TOLERANCE: f64 = 0.02;

/// Queries of one motion by small steps.
const STEPS: usize = 64;

pub(super) fn run(request: &Request, w3: bool, w4: bool) -> Result<(), BenchError> {
    for model in MODELS {
        let soup = read_mesh(&request.data.join(format!("w3_{model}.msh")))?;
        let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
        for (variant, builder) in BUILDERS {
            let built = Built::new(model, &soup, builder)?;
            if w3 {
                built.rows(request, variant)?;
                if builder == Builder::Auto {
                    let one_thread_built = one_thread.install(|| Built::new(model, &soup, builder))?;
                    request.row("W3", &format!("{model}_build"), "default-1thread", "ms", one_thread_built.ms)?;
                }
            }
            let surface = Model::from(built.mesh);
            for class in SEPARATED.iter().chain(&OVERLAPPING) {
                let path = request.data.join(format!("w3_{model}_{class}.pos"));
                if !path.exists() {
                    continue;
                }
                let case = Case {
                    request,
                    name: format!("{model}_{class}"),
                    variant,
                    poses: read_poses(&path)?,
                    pair: Pair::new(surface.clone(), surface.clone()),
                };
                case.ask(SEPARATED.contains(class), w3, w4)?;
            }
        }
    }
    Ok(())
}

/// A mesh, and what building it took.
struct Built {
    name: String,
    mesh: Mesh,
    ms: f64,
    bytes: isize,
}

impl Built {
    /// The time includes the copy of the arrays, as the rivals' does. The bytes are the whole mesh, vertices included.
    fn new(model: &str, soup: &Soup, builder: Builder) -> Result<Built, BenchError> {
        let (mut built, mut before) = (Ok(Mesh::empty()), 0);
        let ns = per_query_ns(1, BUDGET, || {
            built = Ok(Mesh::empty());
            before = live_bytes();
            built = soup.surface(builder);
        });
        let bytes = live_bytes() - before;
        let mesh = built.map_err(|source| BenchError::Build { name: model.to_owned(), source })?;
        Ok(Built { name: format!("{model}_build"), mesh, ms: ns * 1e-6, bytes })
    }

    fn rows(&self, request: &Request, variant: &str) -> Result<(), BenchError> {
        let triangles = self.mesh.triangle_count() as f64;
        request.row("W3", &self.name, variant, "ms", self.ms)?;
        request.row("W3", &self.name, variant, "bytes/tri", self.bytes as f64 / triangles)?;
        request.row("W3", &self.name, variant, "tree bytes/tri", self.mesh.tree_bytes() as f64 / triangles)
    }
}

/// One model in one class of poses, with one builder.
struct Case<'a> {
    request: &'a Request,
    name: String,
    variant: &'a str,
    poses: Vec<Poses>,
    pair: Pair,
}

impl Case<'_> {
    fn ask(mut self, separated: bool, w3: bool, w4: bool) -> Result<(), BenchError> {
        let variant = self.variant;
        if w3 {
            self.measure("W3", "first", variant, |pair, [a, b]| {
                pair.forget();
                let answer = pair.overlap(a, b);
                (f64::from(u8::from(answer.overlap)), answer.stats)
            })?;
            if !separated {
                self.measure("W3", "all", variant, |pair, [a, b]| {
                    pair.forget();
                    let answer = pair.contacts(a, b, Limit::All);
                    (answer.pairs.len() as f64, answer.stats)
                })?;
            }
        }
        if w4 && separated {
            let default = variant == "default";
            self.distances(if default { "cold" } else { variant }, true)?;
            if default {
                self.distances("warm", false)?;
                self.steps("step1e-3", 1e-3)?;
                self.steps("step1e-4", 1e-4)?;
            }
        }
        Ok(())
    }

    fn distances(&mut self, variant: &str, forget: bool) -> Result<(), BenchError> {
        self.measure("W4", "dist", variant, |pair, [a, b]| {
            if forget {
                pair.forget();
            }
            let answer = pair.distance(a, b);
            (answer.interval.upper, answer.stats)
        })?;
        self.measure("W4", "tol0.02", variant, |pair, [a, b]| {
            if forget {
                pair.forget();
            }
            let answer = pair.within(a, b, TOLERANCE);
            (f64::from(u8::from(answer.within)), answer.stats)
        })
    }

    /// Distances along short motions that begin at the poses.
    fn steps(&mut self, variant: &str, step: f64) -> Result<(), BenchError> {
        let mut random = Random::new(48, 4);
        let mut motions = Vec::new();
        for [a, b] in &self.poses {
            let (way, axis) = (random.direction() * step, random.direction());
            for k in (0..STEPS).map(|k| k as f64) {
                let turn = DQuat::from_axis_angle(axis, step * k);
                motions.push([*a, Pose::new(b.translation() + way * k, turn * b.rotation())?]);
            }
        }
        let pair = &mut self.pair;
        let ns = per_query_ns(motions.len(), BUDGET, || {
            for motion in motions.chunks(STEPS) {
                pair.forget();
                for [a, b] in motion {
                    std::hint::black_box(pair.distance(a, b));
                }
            }
        });
        self.request.row("W4", &format!("{}_dist", self.name), variant, "us/query", ns * 1e-3)
    }

    fn measure(
        &mut self,
        workload: &str,
        query: &str,
        variant: &str,
        mut ask: impl FnMut(&mut Pair, &Poses) -> (f64, Stats),
    ) -> Result<(), BenchError> {
        let mut answers = vec![(0.0, Stats::default()); self.poses.len()];
        let (poses, pair) = (&self.poses, &mut self.pair);
        let ns = per_query_ns(poses.len(), BUDGET, || {
            for (answer, poses) in answers.iter_mut().zip(poses) {
                *answer = ask(pair, poses);
            }
        });
        let case = format!("{}_{query}", self.name);
        let mean = |of: fn(&Stats) -> u64| {
            answers.iter().map(|(_, stats)| of(stats) as f64).sum::<f64>() / answers.len().max(1) as f64
        };
        self.request.row(workload, &case, variant, "us/query", ns * 1e-3)?;
        self.request.row(workload, &case, variant, "BV tests", mean(|s| s.volume_tests))?;
        self.request.row(workload, &case, variant, "tri tests", mean(|s| s.primitive_tests))?;
        let values: Vec<f64> = answers.iter().map(|(value, _)| *value).collect();
        self.request.answers(workload, &self.name, query, variant, &values)
    }
}
