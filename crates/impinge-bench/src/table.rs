//! One table out of the CSV rows that all drivers of the rivals folder, ours among them, wrote in interleaved passes.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::error::BenchError;
use crate::report::{Report, Table, figure};
use crate::timing::median;

/// What is compared: title, workload, end of the case's name, metric, and which of ours.
const GROUPS: [(&str, &str, &str, &str, &[&str]); 22] = [
    ("Tracking, warm, ns", "W1", "", "ns/query", &["warm"]),
    ("Tracking, cold, ns", "W1", "", "ns/query", &["cold"]),
    ("Boolean of random hulls, ns", "W2", "_bool", "ns/query", &["cold"]),
    ("Boolean of random hulls with coherence, ns", "W2", "_bool", "ns/query", &["warm"]),
    ("Distance of random hulls, ns", "W2", "_dist", "ns/query", &["cold"]),
    ("Distance of random hulls with coherence, ns", "W2", "_dist", "ns/query", &["warm"]),
    ("Signed distance of random hulls, ns", "W2", "_depth", "ns/query", &["cold"]),
    ("Signed distance of random hulls with coherence, ns", "W2", "_depth", "ns/query", &["warm"]),
    ("First contact, µs", "W3", "_first", "us/query", DEFAULT),
    ("All contacts, µs", "W3", "_all", "us/query", DEFAULT),
    ("Distance, µs", "W4", "_dist", "us/query", DEFAULT),
    ("Distance with coherence, steps of 1e-3, µs", "W4", "_dist", "us/query", &["step1e-3"]),
    ("Distance with coherence, steps of 1e-4, µs", "W4", "_dist", "us/query", &["step1e-4"]),
    ("Closer than 0.02, µs", "W4", "_tol0.02", "us/query", DEFAULT),
    ("Building, ms", "W3", "_build", "ms", DEFAULT),
    ("Building on one thread beside coal's tree of oriented boxes, ms", "W3", "_build", "ms", &[ALONE.0]),
    ("Memory, bytes a triangle, the mesh included", "W3", "_build", "bytes/tri", DEFAULT),
    ("All pairs of moving boxes, ms a frame", "W5", "", "ms/frame", &["auto"]),
    ("All pairs of moving boxes on two threads, ms a frame", "W5", "", "ms/frame", &["auto-2threads"]),
    ("Memory, bytes a box", "W5", "", "bytes/body", &["auto"]),
    ("First time of impact, translating and turning, µs", "W6", "", "us/query", &["impact"]),
    ("First time of impact, translating, µs", "W7", "", "us/query", &["impact"]),
];

/// The default builder, cold.
const DEFAULT: &[&str] = &["default", "cold"];

/// A variant of ours that is compared with one rival, not with the fastest.
const ALONE: (&str, &str) = ("default-1thread", "coal obb");

/// Peers in single precision: their answers differ, but not about boxes.
const SINGLE: [&str; 2] = ["parry-f32 ", "bullet "];

/// What of the rivals finds the first impact: the others sample, interpolate or clamp rotations, and by the report of
/// the rivals folder are late or miss impacts.
const NEVER_LATE: [&str; 2] = [" nonlinear", " cast_shapes"];

/// Values of all passes, by workload, case and metric, then by peer and variant.
type Figures = BTreeMap<[String; 3], BTreeMap<String, Vec<f64>>>;

/// The report on `pass*.csv` in `folder`.
pub(crate) fn run(folder: &Path) -> Result<Report, BenchError> {
    let figures = read(folder)?;
    let has = |names: &[&str]| figures.keys().any(|[workload, ..]| names.contains(&workload.as_str()));
    let (meshes, boxes) = (has(&["W3", "W4"]), has(&["W5"]));
    let name = match (has(&["W1", "W2"]), meshes) {
        (true, true) => "w1-w4",
        (false, true) => "w3-w4",
        _ => "w1-w2",
    };
    let name = if boxes { "w5" } else { name };
    let times = has(&["W6", "W7"]);
    let name = if times { "w6-w7" } else { name };
    let mut report = Report::new(name, "Beside coal, FCL and parry on the same files");
    report.add(
        "Medians over the passes, in which the drivers take turns. *Fastest rival* is the best of all other peers and \
         variants in that row, right or wrong, those in single precision left out but of boxes; the ratio is its \
         figure over ours.",
    );
    report.add(if times {
        "Ours is `Pair::impact`, cold, its time certified not to be late. Of the rivals only those stand here that are \
         not late either, by the report of the `rivals` folder: parry's casts. FCL samples or advances past impacts, \
         Bullet clamps rotations, parry's sweep interpolates."
    } else if boxes {
        "Ours is `Phase::Auto`. Boxes are moved, the phase is refreshed and every pair is shown, as by the rivals; those \
         that show only what has changed are left out."
    } else if meshes {
        "Ours is the default builder, cold: nothing is remembered between poses. With coherence: from each pose 64 small \
         steps, the cold query that begins them included, beside the rivals' cold figures: none of theirs remembers."
    } else {
        "Ours is the default engine. With coherence: W1 is one motion; in W2 each pair is kept and asked by turns at its \
         pose and at one 1e-3 off it. The rivals' are the same rows in both tables: what of theirs remembers is a variant."
    });
    for (title, workload, end, metric, variants) in GROUPS {
        let mut table = Table::new(2, &["case", "fastest rival", "its figure", "impinge", "ratio"]);
        let mut ratios = Vec::new();
        for ([w, case, m], peers) in &figures {
            let Some(case) = case.strip_suffix(end).filter(|_| w == workload && m == metric) else { continue };
            let ours = variants.iter().find_map(|variant| peers.get(&format!("impinge {variant}")));
            let rivals = peers.iter().filter(|(name, _)| {
                let single = SINGLE.iter().any(|single| name.starts_with(single));
                let late = ["W6", "W7"].contains(&w.as_str()) && !NEVER_LATE.iter().any(|right| name.ends_with(right));
                let other = variants.contains(&ALONE.0) && name.as_str() != ALONE.1;
                !name.starts_with("impinge ") && !name.ends_with("-delta") && (!single || w == "W5") && !late && !other
            });
            let best = rivals.map(|(name, x)| (median(x.clone()), name)).min_by(|x, y| x.0.total_cmp(&y.0));
            if let (Some(ours), Some((theirs, name))) = (ours, best) {
                let ours = median(ours.clone());
                ratios.push(theirs / ours);
                table.row([case.to_owned(), name.clone(), figure(theirs), figure(ours), figure(theirs / ours)]);
            }
        }
        if ratios.is_empty() {
            continue;
        }
        let worst = ratios.iter().copied().fold(f64::INFINITY, f64::min);
        report.add(format!("## {title}"));
        report.add(table);
        report.add(format!("Ratio: median {}, least {}.", figure(median(ratios)), figure(worst)));
    }
    Ok(report)
}

fn read(folder: &Path) -> Result<Figures, BenchError> {
    let failed = |source| BenchError::Read { path: folder.to_owned(), source };
    let mut figures = Figures::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.starts_with("pass") && name.ends_with(".csv") {
            let text = fs::read_to_string(&path).map_err(|source| BenchError::Read { path, source })?;
            text.lines().for_each(|line| add(&mut figures, line));
        }
    }
    if figures.is_empty() {
        return Err(BenchError::usage(format!("no rows in {}/pass*.csv", folder.display())));
    }
    Ok(figures)
}

/// A row `workload,case,peer,variant,metric,value`; other lines are comments.
fn add(figures: &mut Figures, line: &str) {
    let cells: Vec<&str> = line.split(',').collect();
    if let [workload, case, peer, variant, metric, value] = cells[..]
        && let Ok(value) = value.parse()
    {
        let key = [workload, case, metric].map(str::to_owned);
        figures.entry(key).or_default().entry(format!("{peer} {variant}")).or_default().push(value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ours_stands_beside_the_fastest_in_double_precision() {
        let folder = std::env::temp_dir().join(format!("impinge-bench-{}-table", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let rows = [
            "coal,warm,ns/query,900",
            "parry-f32,warm,ns/query,1",
            "fcl,cold,ns/query,800",
            "impinge,warm,ns/query,80",
        ];
        let text: String = rows.iter().map(|row| format!("W1,180_01,{row}\n")).collect();
        fs::write(folder.join("pass1.csv"), text).unwrap();
        let report = run(&folder);
        fs::remove_dir_all(&folder).unwrap();
        let report = report.unwrap();
        assert_eq!(report.name, "w1-w2");
        assert!(report.body.contains("| 180_01 | fcl cold      |        800 |    80.0 |  10.0 |"), "{}", report.body);
        assert!(!report.body.contains("cold, ns"), "there is no cold row of ours");
    }

    #[test]
    fn rows_become_medians() {
        let mut figures = Figures::new();
        for line in ["W3,a_first,coal,obb,us/query,4", "# coal failed", "W3,a_first,coal,obb,us/query,6", "W3,x"] {
            add(&mut figures, line);
        }
        let key = ["W3", "a_first", "us/query"].map(str::to_owned);
        assert_eq!(figures.len(), 1);
        assert_eq!(figures[&key]["coal obb"], [4.0, 6.0]);
    }
}
