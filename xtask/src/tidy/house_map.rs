//! Every file says what it is for, and the map in `ARCHITECTURE.md` is what the code draws.

use std::path::Path;

use xtask::house::{DOCUMENT, House};

use super::complaint::Complaint;

pub(super) fn check(root: &Path) -> Result<Vec<Complaint>, String> {
    let house = House::read(root)?;
    let mut found: Vec<Complaint> = house.without_purpose().map(|(path, what)| Complaint::new(path, 1, what)).collect();
    let document = std::fs::read_to_string(root.join(DOCUMENT)).unwrap_or_default();
    match house.with_map(&document) {
        Ok(drawn) if drawn == document => {}
        Ok(drawn) => {
            let differs = |(now, then): (&str, &str)| now != then;
            let line = document.lines().zip(drawn.lines()).position(differs).map_or(0, |at| at + 1);
            let what = "the map is not what the code draws: write it with `cargo xtask house --map`";
            found.push(Complaint::new(DOCUMENT, line, what));
        }
        Err(what) => found.push(Complaint::new(DOCUMENT, 0, what)),
    }
    Ok(found)
}
