//! W1: the distance of a fixed cube and a sphere of F facets that turns D degrees a call.
//!
//! Variants: `cold` and `warm` are the default engine, the first with [`Pair::forget`] before each call. Unless
//! `--quick`, engines by name follow, warm too.

use std::time::Duration;

use impinge::{Method, Model, Pair};

use super::files::{Poses, read_mesh, read_poses};
use super::peers;
use super::request::Request;
use crate::error::BenchError;
use crate::timing::per_query_ns;

const SPHERES: [&str; 4] = ["180", "720", "2880", "20480"];
const DEGREES: [&str; 4] = ["01", "05", "10", "20"];
const ENGINES: [Method; 4] = [Method::VClip, Method::LinCanny, Method::EnhancedGjk, Method::Gjk];
const BUDGET: Duration = Duration::from_millis(100);

pub(super) fn run(request: &Request) -> Result<(), BenchError> {
    let hull = |name: String| -> Result<Model, BenchError> {
        read_mesh(&request.data.join(format!("{name}.msh")))?.hull(&name)
    };
    let cube = hull("w1_cube".to_owned())?;
    for facets in SPHERES {
        let sphere = hull(format!("w1_sphere{facets}"))?;
        for degrees in DEGREES {
            let poses = read_poses(&request.data.join(format!("w1_sphere{facets}_{degrees}.pos")))?;
            let name = format!("{facets}_{degrees}");
            let turn = Turn { request, name, bodies: [&cube, &sphere], poses };
            let cold = turn.measure("cold", Method::Auto, true)?;
            peers::compare(request, &turn.question(), &cold, |i| turn.brute(i))?;
            let engines = ENGINES.into_iter().filter(|_| !request.quick).map(|m| (m.to_string(), m));
            for (variant, method) in [("warm".to_owned(), Method::Auto)].into_iter().chain(engines) {
                let found = turn.measure(&variant, method, false)?;
                peers::tell(&turn.question(), &variant, &cold, &found, |i| turn.brute(i));
            }
        }
    }
    Ok(())
}

/// One sphere at one speed.
struct Turn<'a> {
    request: &'a Request,
    name: String,
    bodies: [&'a Model; 2],
    poses: Vec<Poses>,
}

impl Turn<'_> {
    fn pair(&self, method: Method) -> Pair {
        Pair::new(self.bodies[0], self.bodies[1]).with_method(method)
    }

    fn question(&self) -> String {
        format!("w1.{}.dist", self.name)
    }

    fn brute(&self, i: usize) -> f64 {
        let [a, b] = &self.poses[i];
        self.pair(Method::Brute).distance(a, b).interval.upper
    }

    fn measure(&self, variant: &str, method: Method, forget: bool) -> Result<Vec<f64>, BenchError> {
        let mut pair = self.pair(method);
        let (mut answers, mut steps) = (vec![0.0; self.poses.len()], 0);
        let ns = per_query_ns(self.poses.len(), BUDGET, || {
            steps = 0;
            for (answer, [a, b]) in answers.iter_mut().zip(&self.poses) {
                if forget {
                    pair.forget();
                }
                let found = pair.distance(a, b);
                *answer = found.interval.upper;
                steps += found.stats.iterations;
            }
        });
        self.request.row("W1", &self.name, variant, "ns/query", ns)?;
        self.request.row("W1", &self.name, variant, "steps", steps as f64 / answers.len().max(1) as f64)?;
        self.request.answers("w1", &self.name, "dist", variant, &answers)?;
        Ok(answers)
    }
}
