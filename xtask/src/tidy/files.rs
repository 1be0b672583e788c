//! Which files belong to the tree, and their text.

use std::path::Path;
use std::process::Command;

use super::complaint::Source;

/// Folders that hold products, not sources; for a tree without git.
const PRODUCTS: [&str; 6] = [".git", "target", "fuzz/target", "fuzz/corpus", "fuzz/artifacts", "fuzz/coverage"];

/// Relative paths of all files git knows or would add; without git, of all files outside the product folders.
pub(super) fn list(root: &Path) -> Result<Vec<String>, String> {
    let mut paths = match by_git(root) {
        Some(paths) => paths,
        None => {
            let mut found = Vec::new();
            walk(root, "", &mut found).map_err(|e| format!("the source tree cannot be read: {e}"))?;
            found
        }
    };
    paths.sort();
    paths.dedup();
    Ok(paths)
}

fn by_git(root: &Path) -> Option<Vec<String>> {
    let arguments = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    let output = Command::new("git").args(arguments).current_dir(root).output().ok()?;
    let listed = output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())?;
    // A file deleted but not yet committed is still listed.
    let here = |path: &&str| !path.is_empty() && root.join(path).is_file();
    Some(listed.split('\0').filter(here).map(str::to_owned).collect())
}

fn walk(root: &Path, folder: &str, found: &mut Vec<String>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(root.join(folder))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
        let kind = entry.file_type()?;
        if kind.is_dir() && !PRODUCTS.contains(&path.as_str()) {
            walk(root, &path, found)?;
        } else if kind.is_file() {
            found.push(path);
        }
    }
    Ok(())
}

/// The files that are UTF-8; meshes and the like are left out.
pub(super) fn read(root: &Path, paths: &[String]) -> Result<Vec<Source>, String> {
    let mut sources = Vec::new();
    for path in paths {
        let bytes = std::fs::read(root.join(path)).map_err(|e| format!("{path} cannot be read: {e}"))?;
        if let Ok(text) = String::from_utf8(bytes) {
            sources.push(Source { path: path.clone(), text });
        }
    }
    Ok(sources)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_listings_find_this_file() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut walked = Vec::new();
        walk(root, "", &mut walked).unwrap();
        let this = "src/tidy/files.rs".to_owned();
        assert!(walked.contains(&this), "{walked:?}");
        assert!(list(root).unwrap().contains(&this));
        let sources = read(root, &[this]).unwrap();
        assert!(sources[0].text.starts_with("//! Which files"));
    }
}
