//! What the environment asks of the tests: meshes from a folder beside the project, and more random cases.

use std::path::{Path, PathBuf};

/// The folder that `IMPINGE_CORPUS` names. Without it, says that the test is skipped.
pub fn corpus() -> Option<PathBuf> {
    let folder = std::env::var_os("IMPINGE_CORPUS").map(PathBuf::from);
    if folder.is_none() {
        println!("skipped: IMPINGE_CORPUS is not set");
    }
    folder
}

/// Every file of a mesh below a folder, in the order of names.
pub fn mesh_files(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    entries.sort();
    let below = |path: PathBuf| if path.is_dir() { mesh_files(&path) } else { vec![path] };
    entries.into_iter().flat_map(below).filter(|path| is_mesh(path)).collect()
}

fn is_mesh(path: &Path) -> bool {
    let name = path.file_name().and_then(|n| n.to_str()).unwrap_or("").to_ascii_lowercase();
    let name = name.trim_end_matches(".gz");
    [".stl", ".obj", ".ply", ".off", ".glb", ".gltf"].iter().any(|end| name.ends_with(end))
}

/// Whether `IMPINGE_LONG` asks for many more random cases.
pub fn is_long() -> bool {
    std::env::var_os("IMPINGE_LONG").is_some()
}

/// How many random cases to try: 40 times as many where the environment asks for it.
pub fn rounds(few: u32) -> u32 {
    if is_long() { few * 40 } else { few }
}
