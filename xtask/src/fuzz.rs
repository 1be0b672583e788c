//! `cargo xtask fuzz`: the targets under `fuzz/`, which need a nightly compiler and `cargo-fuzz`.

use std::path::Path;

use crate::nearest;
use crate::step::Step;

pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<(), String> {
    let (target, seconds) = parsed(arguments)?;
    if Step::nightly("version", "--version").output().is_none() {
        return Err("a nightly compiler is missing; get it with: rustup toolchain install nightly".into());
    }
    if Step::nightly("version", "fuzz").args(["--version"]).output().is_none() {
        return Err("cargo-fuzz is missing; get it with: cargo install cargo-fuzz".into());
    }
    let targets = chosen(target, &targets(root)?)?;
    for target in targets {
        let limit = format!("-max_total_time={seconds}");
        Step::nightly("fuzz", "fuzz").args(["run", &target, "--", &limit]).run()?;
    }
    Ok(())
}

/// `[target] [seconds]`, in that order, either of them left out.
fn parsed(arguments: &[String]) -> Result<(Option<String>, u32), String> {
    let seconds = |word: &String| {
        word.parse::<u32>().ok().filter(|&s| s > 0).ok_or(format!("`{word}` is not a number of seconds"))
    };
    match arguments {
        [] => Ok((None, 60)),
        [one] => Ok(one.parse().ok().filter(|&s| s > 0).map_or((Some(one.clone()), 60), |s| (None, s))),
        [target, time] => Ok((Some(target.clone()), seconds(time)?)),
        [_, _, extra, ..] => Err(format!("`fuzz` takes [target] [seconds], but was given `{extra}` too")),
    }
}

/// Every `fuzz/fuzz_targets/NAME.rs`, sorted.
fn targets(root: &Path) -> Result<Vec<String>, String> {
    let folder = root.join("fuzz").join("fuzz_targets");
    let entries = std::fs::read_dir(&folder).map_err(|e| format!("fuzz/fuzz_targets cannot be read: {e}"))?;
    let name = |path: std::path::PathBuf| match path.extension() {
        Some(extension) if extension == "rs" => path.file_stem().map(|s| s.to_string_lossy().into_owned()),
        _ => None,
    };
    let mut names: Vec<String> = entries.filter_map(|entry| name(entry.ok()?.path())).collect();
    names.sort();
    Ok(names)
}

fn chosen(target: Option<String>, all: &[String]) -> Result<Vec<String>, String> {
    match target {
        None => Ok(all.to_vec()),
        Some(target) if all.contains(&target) => Ok(vec![target]),
        Some(target) => Err(format!("{} There are: {}", nearest::unknown("target", &target, all), all.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &[&str]) -> Result<(Option<String>, u32), String> {
        parsed(&words.iter().map(|&w| w.to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn target_and_seconds_may_be_left_out() {
        assert_eq!(parse(&[]), Ok((None, 60)));
        assert_eq!(parse(&["600"]), Ok((None, 600)));
        assert_eq!(parse(&["stl"]), Ok((Some("stl".into()), 60)));
        assert_eq!(parse(&["stl", "5"]), Ok((Some("stl".into()), 5)));
        assert!(parse(&["stl", "0"]).is_err());
        assert!(parse(&["stl", "5", "6"]).is_err());
    }

    #[test]
    fn an_unknown_target_is_refused_with_the_list() {
        let all = ["obj".to_owned(), "stl".to_owned()];
        assert_eq!(chosen(None, &all), Ok(all.to_vec()));
        assert!(chosen(Some("stk".into()), &all).is_err_and(|e| e.contains("`stl`") && e.ends_with("obj, stl")));
    }
}
