//! The names of bodies: `file/part`, whatever the order of the files.
//!
//! A file is named by its stem. Files with the same stem are named with as many of their folders as it takes to tell
//! them apart, and those of one folder with their extension too. Names that are the same even so get a number, in the
//! order of the paths and, in a file, of its parts.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Component, Path, PathBuf};

/// A file, or a shape in words.
#[derive(Debug, Clone)]
pub(crate) struct Origin {
    pub(crate) stem: String,
    /// The whole path; of a shape what was typed.
    pub(crate) place: PathBuf,
}

/// The names of bodies, each given by the number of its origin and the name of its part, which is empty where there is
/// none. Bodies of one origin stand in their order.
pub(crate) fn of(origins: &[Origin], labels: &[String], parts: &[(u32, String)]) -> Vec<String> {
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by_key(|&i| origins.get(parts[i].0 as usize).map(|origin| &origin.place));
    let mut names = vec![String::new(); parts.len()];
    let mut taken = Names::default();
    for i in order {
        let (origin, part) = &parts[i];
        let label = labels.get(*origin as usize).map_or("", String::as_str);
        names[i] = taken.unique(if part.is_empty() { label.to_owned() } else { format!("{label}/{part}") });
    }
    names
}

/// What the names of the bodies of each origin begin with.
pub(crate) fn labels(origins: &[Origin]) -> Vec<String> {
    let mut alike: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (i, origin) in origins.iter().enumerate() {
        alike.entry(&origin.stem).or_default().push(i);
    }
    let mut labels: Vec<String> = origins.iter().map(|origin| origin.stem.clone()).collect();
    for group in alike.into_values().filter(|group| group.len() > 1) {
        let group: Vec<(usize, &Origin)> = group.into_iter().map(|i| (i, &origins[i])).collect();
        let folders: HashSet<Option<&Path>> = group.iter().map(|(_, origin)| origin.place.parent()).collect();
        let with_ending = folders.len() < group.len();
        let deepest = group.iter().map(|(_, origin)| origin.place.components().count()).max().unwrap_or(0);
        for folders in 0..=deepest {
            for &(i, origin) in &group {
                labels[i] = label(origin, folders, with_ending);
            }
            let different: HashSet<&str> = group.iter().map(|(i, _)| labels[*i].as_str()).collect();
            if different.len() == group.len() {
                break;
            }
        }
    }
    labels
}

/// The file, after the last of the folders that it is in.
fn label(origin: &Origin, folders: usize, with_ending: bool) -> String {
    let names = origin.place.components().filter_map(|part| match part {
        Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
        _ => None,
    });
    let mut names: Vec<String> = names.collect();
    let file = names.pop().filter(|_| with_ending).unwrap_or_else(|| origin.stem.clone());
    let mut label = names.split_off(names.len().saturating_sub(folders));
    label.push(file);
    label.join("/")
}

/// Names given out so far.
#[derive(Debug, Default)]
struct Names {
    taken: HashSet<String>,
    /// The last number given to copies of a name.
    last: HashMap<String, u32>,
}

impl Names {
    /// The name, or the first of `name#2`, `name#3`, … that is free.
    fn unique(&mut self, name: String) -> String {
        if self.taken.insert(name.clone()) {
            return name;
        }
        let last = self.last.entry(name.clone()).or_insert(1);
        loop {
            *last += 1;
            let numbered = format!("{name}#{last}");
            if self.taken.insert(numbered.clone()) {
                return numbered;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_of_a_name_are_numbered() {
        let mut names = Names::default();
        let unique = ["a", "a#2", "a", "b", "a", "a#2"].map(|name| names.unique(name.to_owned()));
        assert_eq!(unique, ["a", "a#2", "a#3", "b", "a#4", "a#2#2"]);
    }

    /// Each path gets its name, in whichever order the paths come.
    #[test]
    fn names_do_not_depend_on_the_order_of_files() {
        for expected in [
            &[("/p/pump.obj", "pump"), ("/q/tank.obj", "tank")][..],
            &[("/p/d1/pump.obj", "d1/pump"), ("/p/d2/pump.obj", "d2/pump"), ("/p/d1/tank.obj", "tank")],
            &[("/a/x/pump.obj", "a/x/pump"), ("/b/x/pump.obj", "b/x/pump"), ("/b/y/pump.obj", "b/y/pump")],
            &[("/x/pump.obj", "x/pump"), ("/a/x/pump.obj", "a/x/pump")],
            &[("/p/pump.obj", "pump.obj"), ("/p/pump.stl", "pump.stl"), ("/p/pump.stl.gz", "pump.stl.gz")],
            &[("/p/pump.obj", "p/pump.obj"), ("/p/pump.stl", "p/pump.stl"), ("/q/pump.obj", "q/pump.obj")],
            // A part keeps its name when another file uses the same name for a whole body.
            &[("/p/d1/pump.obj", "d1/pump"), ("/p/d2/pump.obj", "d2/pump"), ("/z/d1.obj/pump", "d1/pump#2")],
            &[("sphere:1", "sphere:1"), ("box:1,2,3", "box:1,2,3")],
        ] {
            for turn in 0..expected.len() {
                let (mut origins, mut parts, mut names) = (Vec::new(), Vec::new(), Vec::new());
                for (path, name) in expected[turn..].iter().chain(&expected[..turn]) {
                    let (place, part) = path.split_once(".obj/").unwrap_or((path, ""));
                    let stem = place.rsplit('/').next().unwrap().split('.').next().unwrap().to_owned();
                    parts.push((origins.len() as u32, part.to_owned()));
                    origins.push(Origin { stem, place: PathBuf::from(place) });
                    names.push(*name);
                }
                assert_eq!(of(&origins, &labels(&origins), &parts), names);
            }
        }
    }
}
