//! One table out of the CSV rows that all drivers of the rivals folder, ours among them, wrote in interleaved passes.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::error::BenchError;
use crate::report::{Report, Table, figure};
use crate::timing::median;

/// What is compared: title, workload, end of the case's name, metric.
const GROUPS: [(&str, &str, &str, &str); 6] = [
    ("First contact, µs", "W3", "_first", "us/query"),
    ("All contacts, µs", "W3", "_all", "us/query"),
    ("Distance, µs", "W4", "_dist", "us/query"),
    ("Closer than 0.02, µs", "W4", "_tol0.02", "us/query"),
    ("Building, ms", "W3", "_build", "ms"),
    ("Memory, bytes a triangle, the mesh included", "W3", "_build", "bytes/tri"),
];

/// Values of all passes, by workload, case and metric, then by peer and variant.
type Figures = BTreeMap<[String; 3], BTreeMap<String, Vec<f64>>>;

/// The report on `pass*.csv` in `folder`.
pub(crate) fn run(folder: &Path) -> Result<Report, BenchError> {
    let figures = read(folder)?;
    let mut report = Report::new("w3-w4", "Beside coal, FCL and parry on the same files");
    report.add(
        "Medians over the passes, in which the drivers take turns. *Fastest rival* is the best of all other peers and \
         variants in that row; the ratio is its figure over ours. Ours is the default builder, cold: nothing is \
         remembered between poses.",
    );
    for (title, workload, end, metric) in GROUPS {
        let mut table = Table::new(2, &["case", "fastest rival", "its figure", "impinge", "ratio"]);
        let mut ratios = Vec::new();
        for ([w, case, m], peers) in &figures {
            let Some(case) = case.strip_suffix(end).filter(|_| w == workload && m == metric) else { continue };
            let ours = ["impinge default", "impinge cold"].iter().find_map(|&name| peers.get(name));
            let rivals = peers.iter().filter(|(name, _)| !name.starts_with("impinge "));
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

/// A row `workload,case,peer,variant,metric,value`; other lines are remarks.
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
