//! `cargo xtask figures`: draws every figure anew. A test says which file is not what its program draws.

use std::path::Path;

use super::{chord, descent, levels, prism, voronoi};

/// The name of a figure, and what draws it.
type Figure = (&'static str, fn() -> String);

const FIGURES: [Figure; 5] = [
    ("voronoi", voronoi::draw),
    ("descent", descent::draw),
    ("chord", chord::draw),
    ("prism", prism::draw),
    ("levels", levels::draw),
];

const FOLDER: &str = "docs/figures";

pub(crate) fn run(root: &Path) -> Result<(), String> {
    let folder = root.join(FOLDER);
    std::fs::create_dir_all(&folder).map_err(|e| format!("{FOLDER} cannot be made: {e}"))?;
    for (name, draw) in FIGURES {
        let path = folder.join(name).with_extension("svg");
        std::fs::write(&path, draw()).map_err(|e| format!("{} cannot be written: {e}", path.display()))?;
        println!("{FOLDER}/{name}.svg");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_what_their_programs_draw() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(FOLDER);
        let mut names: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        let mut drawn = FIGURES.map(|(name, _)| std::ffi::OsString::from(format!("{name}.svg")));
        drawn.sort();
        assert_eq!(names, drawn, "{FOLDER} has other files than there are figures");
        for (name, draw) in FIGURES {
            let kept = std::fs::read_to_string(folder.join(name).with_extension("svg")).unwrap();
            assert!(kept == draw(), "{FOLDER}/{name}.svg is not what is drawn now; draw it with: cargo xtask figures");
        }
    }
}
