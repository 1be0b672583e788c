//! W2: random hulls apart, touching and overlapping. Boolean, distance, and signed distance: minus the depth where they
//! overlap.
//!
//! Variants: `cold` asks without memory, by the free functions; for the signed distance, two questions, by a new
//! [`Pair`] each time. `warm` keeps one pair for
//! each query and asks by turns at the pose of the file and at one a little off it: `a` displaced by 1e-3 and turned by
//! 1e-3 radian, in random directions. Its answers are those at the pose of the file.

use std::time::Duration;

use impinge::{Method, Model, Pair};

use super::files::{Poses, Record, read_hulls, read_records};
use super::peers;
use super::request::Request;
use crate::error::BenchError;
use crate::hull_queries::{QUERIES, Query, moved};
use crate::timing::per_query_ns;

const CLASSES: [&str; 3] = ["sep", "touch", "over"];
const BUDGET: Duration = Duration::from_millis(400);

pub(super) fn run(request: &Request) -> Result<(), BenchError> {
    let soups = read_hulls(&request.data.join("w2_hulls.cvx"))?;
    let hulls: Vec<Model> = soups.iter().map(|soup| soup.hull("w2_hulls")).collect::<Result<_, _>>()?;
    for name in CLASSES {
        let records = read_records(&request.data.join(format!("w2_{name}.prs")), hulls.len())?;
        let class = Class { request, name, hulls: &hulls, records };
        for query in QUERIES {
            let question = format!("w2.{name}.{}", query.name);
            let brute = |i: usize| (query.ask)(&mut class.pair(i).with_method(Method::Brute), &class.records[i].poses);
            let cold = class.cold(query)?;
            peers::compare(request, &question, &cold, brute)?;
            let warm = class.warm(query)?;
            peers::tell(&question, "our warm", &cold, &warm, brute);
        }
    }
    Ok(())
}

/// The records of one class.
struct Class<'a> {
    request: &'a Request,
    name: &'static str,
    hulls: &'a [Model],
    records: Vec<Record>,
}

impl Class<'_> {
    fn pair(&self, i: usize) -> Pair {
        let [a, b] = self.records[i].hulls;
        Pair::new(&self.hulls[a], &self.hulls[b])
    }

    fn cold(&self, query: Query) -> Result<Vec<f64>, BenchError> {
        let mut answers = vec![0.0; self.records.len()];
        let ns = per_query_ns(answers.len(), BUDGET, || {
            for (i, answer) in answers.iter_mut().enumerate() {
                *answer = (query.cold)(self.records[i].hulls.map(|hull| &self.hulls[hull]), &self.records[i].poses);
            }
        });
        self.write(query.name, "cold", ns, answers)
    }

    fn warm(&self, query: Query) -> Result<Vec<f64>, BenchError> {
        let moved: Vec<Poses> =
            self.records.iter().enumerate().map(|(i, r)| moved(i, &r.poses)).collect::<Result<_, _>>()?;
        let mut pairs: Vec<Pair> = (0..self.records.len()).map(|i| self.pair(i)).collect();
        let mut answers = vec![0.0; pairs.len()];
        let mut ask_all = |away: bool| {
            for (i, (pair, answer)) in pairs.iter_mut().zip(&mut answers).enumerate() {
                *answer = (query.ask)(pair, if away { &moved[i] } else { &self.records[i].poses });
            }
        };
        let mut away = true;
        ask_all(!away);
        let ns = per_query_ns(self.records.len(), BUDGET, || {
            ask_all(away);
            away = !away;
        });
        ask_all(false);
        self.write(query.name, "warm", ns, answers)
    }

    fn write(&self, query: &str, variant: &str, ns: f64, answers: Vec<f64>) -> Result<Vec<f64>, BenchError> {
        self.request.row("W2", &format!("{}_{query}", self.name), variant, "ns/query", ns)?;
        self.request.answers("w2", self.name, query, variant, &answers)?;
        Ok(answers)
    }
}
