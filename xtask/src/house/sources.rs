//! The crates of the workspace and their files of Rust, as they lie on the disk.

use std::collections::BTreeMap;
use std::path::Path;

/// A member of the workspace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Package {
    pub(super) name: String,
    /// Relative to the workspace, with `/` between the names.
    pub(super) folder: String,
}

impl Package {
    /// The name by which other crates call its library.
    pub(super) fn library_name(&self) -> String {
        self.name.replace('-', "_")
    }
}

/// What the house is drawn from.
#[derive(Debug, Default)]
pub(super) struct Sources {
    pub(super) packages: Vec<Package>,
    /// Text by path, relative to the workspace.
    pub(super) texts: BTreeMap<String, String>,
}

/// Reads every member of the workspace at `root`.
pub(super) fn read(root: &Path) -> Result<Sources, String> {
    let manifest = text_of(root, "Cargo.toml")?;
    let mut sources = Sources::default();
    for folder in member_folders(root, &manifest)? {
        let own = text_of(root, &format!("{folder}/Cargo.toml"))?;
        let name = own.lines().find_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'));
        let name = name.ok_or_else(|| format!("{folder}/Cargo.toml has no line `name = \"…\"`"))?.to_owned();
        gather(root, &folder, &mut sources.texts)?;
        sources.packages.push(Package { name, folder });
    }
    Ok(sources)
}

fn text_of(root: &Path, path: &str) -> Result<String, String> {
    std::fs::read_to_string(root.join(path)).map_err(|e| format!("{path} cannot be read: {e}"))
}

/// The folders in `members = ["a", "b/*"]`, in order of their names; those with a star stand for all below.
fn member_folders(root: &Path, manifest: &str) -> Result<Vec<String>, String> {
    let list = manifest.lines().find_map(|line| line.strip_prefix("members = ["));
    let list = list.ok_or("Cargo.toml has no line `members = […]`")?;
    let mut folders = Vec::new();
    for entry in list.split('"').skip(1).step_by(2) {
        let Some(above) = entry.strip_suffix("/*") else {
            folders.push(entry.to_owned());
            continue;
        };
        let names = names_in(root, above)?.into_iter().map(|name| format!("{above}/{name}"));
        folders.extend(names.filter(|folder| root.join(folder).join("Cargo.toml").is_file()));
    }
    Ok(folders)
}

fn names_in(root: &Path, folder: &str) -> Result<Vec<String>, String> {
    let failed = |e: std::io::Error| format!("the folder {folder} cannot be read: {e}");
    let mut names = Vec::new();
    for entry in std::fs::read_dir(root.join(folder)).map_err(failed)? {
        names.push(entry.map_err(failed)?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

fn gather(root: &Path, folder: &str, texts: &mut BTreeMap<String, String>) -> Result<(), String> {
    for name in names_in(root, folder)? {
        let path = format!("{folder}/{name}");
        if root.join(&path).is_dir() {
            if name != "target" {
                gather(root, &path, texts)?;
            }
        } else if name.ends_with(".rs") {
            let text = text_of(root, &path)?;
            texts.insert(path, text);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_workspace_is_read() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let sources = read(&root).unwrap();
        assert!(sources.packages.contains(&Package { name: "impinge-io".into(), folder: "crates/impinge-io".into() }));
        assert!(sources.texts["xtask/src/house/sources.rs"].starts_with("//! The crates"));
        assert!(sources.texts.keys().all(|path| !path.starts_with("fuzz/") && !path.contains("/target/")));
    }
}
