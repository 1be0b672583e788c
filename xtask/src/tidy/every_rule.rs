//! Runs every rule of tidy over the tree.

use std::path::Path;
use std::time::Instant;

use super::complaint::Complaint;
use super::{examples, files, house_map, layout, lines};

pub(crate) fn run(root: &Path) -> Result<(), String> {
    println!("== tidy: cargo xtask tidy");
    let start = Instant::now();
    let paths = files::list(root)?;
    let sources = files::read(root, &paths)?;
    let mut complaints: Vec<Complaint> = sources.iter().flat_map(lines::check).collect();
    complaints.extend(layout::check(&paths, &sources));
    complaints.extend(examples::check(&sources));
    complaints.extend(house_map::check(root)?);
    complaints.sort();
    for complaint in &complaints {
        eprintln!("{complaint}");
    }
    match complaints.len() {
        0 => println!("== tidy: ok, {} files, {:.1} s", paths.len(), start.elapsed().as_secs_f64()),
        n => return Err(format!("tidy failed (complaints above: {n}); repeat it with: cargo xtask tidy")),
    }
    Ok(())
}
