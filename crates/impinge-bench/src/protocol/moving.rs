//! W6: first time of impact of hulls, and of two meshes, that translate and turn; W7: of a mesh that translates through
//! clutter. The answer is the time before which there is no contact, or 2 when there is none.
//!
//! Each is compared with the reference that the generator wrote beside the queries (`.toi`), which stops when the
//! bodies are 1e-6 apart and so is never late: a time earlier than the reference by more than that gap explains, or
//! later than the contact, is reported on stderr.

use std::time::Duration;

use impinge::{Builder, Model, Pair, Span, Steady};

use super::files::{Motions, read_answers, read_hulls, read_mesh, read_motions};
use super::request::Request;
use crate::error::BenchError;
use crate::timing::per_query_ns;

const BUDGET: Duration = Duration::from_millis(400);

/// How far a time may be from the reference before it is reported.
const FAR: f64 = 1e-4;

pub(super) fn w6(request: &Request) -> Result<(), BenchError> {
    let soups = read_hulls(&request.data.join("w2_hulls.cvx"))?;
    let hulls: Vec<Model> = soups.iter().map(|soup| soup.hull("w2_hulls")).collect::<Result<_, _>>()?;
    let records = read_motions(&request.data.join("w6_convex.mov"), hulls.len())?;
    let pair = |r: &Motions| Pair::new(&hulls[r.bodies[0]], &hulls[r.bodies[1]]);
    run(request, "W6", "convex", "w6_convex.toi", &records, pair)?;
    let mesh = mesh(request, "w6_mesh")?;
    let records = read_motions(&request.data.join("w6_mesh.mov"), usize::MAX)?;
    run(request, "W6", "mesh", "w6_mesh.toi", &records, |_| Pair::new(&mesh, &mesh))
}

pub(super) fn w7(request: &Request) -> Result<(), BenchError> {
    let (mover, clutter) = (mesh(request, "w7_mover")?, mesh(request, "w7_env")?);
    let records = read_motions(&request.data.join("w7_sweep.mov"), usize::MAX)?;
    run(request, "W7", "sweep", "w7_sweep.toi", &records, |_| Pair::new(&mover, &clutter))
}

fn mesh(request: &Request, name: &str) -> Result<Model, BenchError> {
    let soup = read_mesh(&request.data.join(format!("{name}.msh")))?;
    let refused = |source| BenchError::Build { name: name.to_owned(), source };
    Ok(soup.surface(Builder::Auto).map_err(refused)?.into())
}

fn run(
    request: &Request,
    workload: &str,
    case: &str,
    reference: &str,
    records: &[Motions],
    pair: impl Fn(&Motions) -> Pair,
) -> Result<(), BenchError> {
    let mut answers = vec![0.0; records.len()];
    let impact = |r: &Motions| {
        let [a, b]: [&Steady; 2] = [&r.motions[0], &r.motions[1]];
        pair(r).impact(a, b, Span::UNIT)
    };
    let ask = |r: &Motions| impact(r).time.map_or(2.0, |time| time.lower);
    let ns = per_query_ns(records.len(), BUDGET, || {
        for (answer, record) in answers.iter_mut().zip(records) {
            *answer = ask(record);
        }
    });
    request.row(workload, case, "impact", "us/query", ns * 1e-3)?;
    request.answers(workload, case, "toi", "impact", &answers)?;
    let reference = read_answers(&request.data.join(reference))?;
    for (i, (ours, other)) in answers.iter().zip(&reference).enumerate() {
        if (ours - other).abs() > FAR {
            eprintln!("{workload} {case} {i}: impact at {ours}, the reference says {other}");
        }
    }
    let differences = answers.iter().zip(&reference).map(|(ours, other)| ours - other).filter(|d| d.abs() <= FAR);
    let [low, high] = differences.fold([0.0f64; 2], |[low, high], d| [low.min(d), high.max(d)]);
    let work = records
        .iter()
        .map(|r| impact(r).stats)
        .fold([0; 3], |[v, p, i], s| [v + s.volume_tests, p + s.primitive_tests, i + s.iterations]);
    let [volumes, primitives, steps] = work.map(|n| n as f64 / records.len() as f64);
    eprintln!(
        "{workload} {case}: {volumes:.1} volume tests, {primitives:.1} primitive tests, {steps:.1} steps a query"
    );
    eprintln!("{workload} {case}: {low:e} to {high:e} from the reference");
    Ok(())
}
