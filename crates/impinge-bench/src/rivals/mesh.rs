//! Triangle meshes beside parry3d-f64: a ball, tori of 20 k and 98 k triangles and, where there is a corpus, the bunny;
//! at poses from far to deep. Both sides get surfaces: parry's mesh-mesh queries know no inside.

mod arena;

use std::path::Path;

use super::sides::Options;
use super::sides::judge::Judge;
use crate::error::BenchError;
use crate::random::Random;
use crate::report::{Report, Table, figure};
use crate::shapes::{Soup, sphere, torus};
use crate::timing::median;
use arena::Arena;

/// Where the bunny is in a corpus.
const BUNNY: &str = "meshes/stanford/bunny_5k.obj.gz";

pub(super) fn run(options: Options) -> Result<(Report, bool), BenchError> {
    let title = format!("Mesh against mesh: impinge and parry3d-f64 (seed {})", options.seed);
    let mut report = Report::new("rivals-mesh", title);
    let mut building = Table::new(
        1,
        &[
            "mesh",
            "triangles",
            "impinge ms",
            "1 thread ms",
            "parry ms",
            "ratio",
            "impinge B/tri",
            "its tree",
            "parry B/tri",
        ],
    );
    let mut asking = Table::new(
        3,
        &["mesh", "class", "query", "impinge µs", "parry dual µs", "ratio", "parry own µs", "ratio", "yes", "same"],
    );
    let (mut judge, mut ratios) = (Judge::default(), Vec::new());
    for (name, soup) in subjects(options.seed, &mut report)? {
        eprintln!("{name}: building");
        let mut arena = Arena::new(name, soup, options)?;
        building.row(arena.build()?);
        for line in arena.ask(&mut judge)? {
            ratios.extend(line.dual_ratio());
            asking.row(line.cells());
        }
    }
    report.add(format!(
        "Medians of {} rounds in which the sides take turns. `dual` walks both trees at once over parry's public tree; \
         `own` is parry's dispatch, on few poses because it is slow. Ratio: parry's time over ours. `same`: answers \
         that agree, \
         of those compared. Bytes are the whole mesh; `its tree` is our tree alone.",
        options.passes
    ));
    report.add(building);
    report.add(asking);
    let worst = ratios.iter().copied().fold(f64::INFINITY, f64::min);
    report.add(format!("Ratio to `dual`: median {}, least {}.", figure(median(ratios)), figure(worst)));
    report.add(verdict(&judge));
    Ok((report, judge.unexplained() == 0))
}

fn subjects(seed: u64, report: &mut Report) -> Result<Vec<(&'static str, Soup)>, BenchError> {
    let mut all = Vec::new();
    match std::env::var_os("IMPINGE_CORPUS") {
        Some(corpus) => {
            let part = impinge_io::read(&Path::new(&corpus).join(BUNNY))?.merged();
            all.push(("bunny", Soup { vertices: part.vertices, triangles: part.triangles }.normalised()));
        }
        None => report.add("The bunny is left out: IMPINGE_CORPUS is not set."),
    }
    all.push(("ball5k", sphere(4)));
    all.push(("torus20k", torus(100, 100, &mut Random::new(seed, 1))));
    all.push(("torus98k", torus(224, 219, &mut Random::new(seed, 2))));
    Ok(all)
}

fn verdict(judge: &Judge) -> String {
    let (differ, open) = (judge.disagreements.len(), judge.unexplained());
    let mut text = format!("{} answers compared, {differ} differ", judge.compared);
    if differ == 0 {
        return text + ".";
    }
    text += &format!("; decided by brute force, {} in our favour, {open} against us:\n\n", differ - open);
    let mut table = Table::new(6, &["case", "pose", "impinge", "parry", "brute force", "verdict"]);
    for d in &judge.disagreements {
        let verdict = if d.explained { "parry is wrong" } else { "IMPINGE IS WRONG" };
        let cells = [&d.case, &d.pose.to_string(), &d.ours, &d.theirs, &d.brute, verdict];
        table.row(cells.map(str::to_owned));
    }
    text + &table.to_string()
}
