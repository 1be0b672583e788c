//! Reads the command line.

use std::path::PathBuf;
use std::str::FromStr;

use crate::auto::Auto;
use crate::digest;
use crate::error::BenchError;
use crate::protocol::{Request, is_workload};
use crate::rivals::Options;
use crate::soak::Soak;
use crate::versus::Versus;

pub(crate) const USAGE: &str = "\
impinge-bench rivals convex --seed 7        beside parry3d-f64, workloads from a seed
impinge-bench papers convex                 figures of the papers
impinge-bench W1 W2 --data DIR --out DIR    the protocol of the rivals folder: CSV rows, answer files
impinge-bench table DIR                     one table of the pass*.csv that the rivals and we left in DIR
impinge-bench threads --data DIR            W5 on one thread and on two, whatever else runs
impinge-bench digest                        a hash of the answers of a fixed set of queries: before and after a change
impinge-bench versus OLD --data DIR         an older impinge-bench and this one on W1 to W7, in turn
impinge-bench auto                          what `impact` costs when it chooses, beside every method, on random motions
impinge-bench soak                          a million boxes, a tenth replaced in each of 1000 frames: pairs and memory

Usage:
  impinge-bench rivals [NAME] [--seed N] [--passes K] [--quick] [--save[=DIR]]
  impinge-bench papers [NAME] [--quick] [--save[=DIR]]
  impinge-bench [W1..W7] [--quick] [--data DIR] [--out DIR]
  impinge-bench table DIR [--save[=DIR]]
  impinge-bench threads [--data DIR] [--rounds N] [--quick] [--save[=DIR]]
  impinge-bench digest [PART]... [--save[=DIR]]      PART: two-bodies, motions, deforming, planes, worlds
  impinge-bench versus DRIVER [W1..W7] [--data DIR] [--rounds N] [--quick] [--save[=DIR]]
  impinge-bench auto [--quick] [--cases N] [--first K] [--each] [--save[=DIR]]
  impinge-bench soak [--boxes N] [--frames N] [--every N]

Without NAME, `rivals` and `papers` list what there is. --save also writes the report as Markdown to the crate's results
folder, or to DIR. The bunny joins `rivals mesh`, and an arm `auto`, when IMPINGE_CORPUS names the corpus.

Exit status: 0 done; 1 a rival disagreed and brute force sided with it, or a soak failed; 2 error.";

/// The run that the command line asks for.
#[derive(Debug, PartialEq)]
pub(crate) enum Command {
    Help,
    Rivals { name: Option<String>, options: Options, save: Option<PathBuf> },
    Papers { name: Option<String>, quick: bool, save: Option<PathBuf> },
    Protocol(Request),
    Table { folder: PathBuf, save: Option<PathBuf> },
    Threads { data: PathBuf, rounds: usize, quick: bool, save: Option<PathBuf> },
    Digest { parts: Vec<String>, save: Option<PathBuf> },
    Versus(Versus, Option<PathBuf>),
    Auto(Auto, Option<PathBuf>),
    Soak(Soak),
}

pub(crate) fn parse(args: impl IntoIterator<Item = String>) -> Result<Command, BenchError> {
    let mut args = args.into_iter().peekable();
    match args.peek().map(String::as_str) {
        Some("help" | "--help" | "-h") => Ok(Command::Help),
        Some(word @ ("rivals" | "papers")) => {
            let papers = word == "papers";
            args.next();
            named(papers, args)
        }
        Some("table") => {
            args.next();
            table(args)
        }
        Some("threads") => {
            args.next();
            threads(args)
        }
        Some("digest") => {
            args.next();
            digest(args)
        }
        Some("versus") => {
            args.next();
            versus(args)
        }
        Some("auto") => {
            args.next();
            auto(args)
        }
        Some("soak") => {
            args.next();
            soak(args)
        }
        _ => protocol(args),
    }
}

fn digest(args: impl Iterator<Item = String>) -> Result<Command, BenchError> {
    let (mut parts, mut save) = (Vec::new(), None);
    for arg in args {
        match arg.as_str() {
            "--help" | "-h" => return Ok(Command::Help),
            part if digest::PARTS.contains(&part) => parts.push(arg),
            _ => save = Some(saving(&arg).ok_or_else(|| unknown(&arg))?),
        }
    }
    Ok(Command::Digest { parts, save })
}

fn auto(mut args: impl Iterator<Item = String>) -> Result<Command, BenchError> {
    let (mut asked, mut save) = (Auto::FULL, None);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--help" | "-h" => return Ok(Command::Help),
            "--quick" => asked.cases = Auto::QUICK.cases,
            "--cases" => asked.cases = number(&arg, args.next())?,
            "--first" => asked.first = number(&arg, args.next())?,
            "--each" => asked.each = true,
            _ => save = Some(saving(&arg).ok_or_else(|| unknown(&arg))?),
        }
    }
    Ok(Command::Auto(asked, save))
}

fn soak(mut args: impl Iterator<Item = String>) -> Result<Command, BenchError> {
    let mut soak = Soak { boxes: 1_000_000, frames: 1000, every: 100, sole_in_process: true };
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--help" | "-h" => return Ok(Command::Help),
            "--boxes" => soak.boxes = number(&arg, args.next())?,
            "--frames" => soak.frames = number(&arg, args.next())?,
            "--every" => soak.every = number(&arg, args.next())?,
            _ => return Err(unknown(&arg)),
        }
    }
    if soak.boxes == 0 || soak.every == 0 {
        return Err(BenchError::usage("--boxes and --every must be at least 1"));
    }
    Ok(Command::Soak(soak))
}

fn versus(mut args: impl Iterator<Item = String>) -> Result<Command, BenchError> {
    let (mut other, mut save) = (None, None);
    let mut asked =
        Versus { other: PathBuf::new(), workloads: vec![], data: PathBuf::from("data"), rounds: 5, quick: false };
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--help" | "-h" => return Ok(Command::Help),
            "--data" => asked.data = folder(&arg, args.next())?,
            "--rounds" => asked.rounds = number(&arg, args.next())?,
            "--quick" => asked.quick = true,
            word if is_workload(word) => asked.workloads.push(arg),
            word if !word.starts_with('-') && other.is_none() => other = Some(PathBuf::from(word)),
            _ => save = Some(saving(&arg).ok_or_else(|| unknown(&arg))?),
        }
    }
    asked.other = other.ok_or_else(|| BenchError::usage("`versus` needs the path of the other driver"))?;
    if asked.rounds == 0 {
        return Err(BenchError::usage("--rounds must be at least 1"));
    }
    Ok(Command::Versus(asked, save))
}

fn threads(mut args: impl Iterator<Item = String>) -> Result<Command, BenchError> {
    let (mut data, mut rounds, mut quick, mut save) = (PathBuf::from("data"), 40, false, None);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--help" | "-h" => return Ok(Command::Help),
            "--data" => data = folder(&arg, args.next())?,
            "--rounds" => rounds = number(&arg, args.next())?,
            "--quick" => quick = true,
            _ => save = Some(saving(&arg).ok_or_else(|| unknown(&arg))?),
        }
    }
    if rounds == 0 {
        return Err(BenchError::usage("--rounds must be at least 1"));
    }
    Ok(Command::Threads { data, rounds, quick, save })
}

/// The folder that `--save` or `--save=DIR` names.
fn saving(arg: &str) -> Option<PathBuf> {
    let results = concat!(env!("CARGO_MANIFEST_DIR"), "/results");
    let folder = if arg == "--save" { Some(results) } else { arg.strip_prefix("--save=") };
    folder.map(PathBuf::from)
}

fn folder(arg: &str, value: Option<String>) -> Result<PathBuf, BenchError> {
    value.map(PathBuf::from).ok_or_else(|| BenchError::usage(format!("{arg} needs a folder")))
}

fn table(args: impl Iterator<Item = String>) -> Result<Command, BenchError> {
    match named(true, args)? {
        Command::Papers { name: Some(folder), quick: false, save } => {
            Ok(Command::Table { folder: folder.into(), save })
        }
        Command::Help => Ok(Command::Help),
        _ => Err(BenchError::usage("table needs the folder with pass*.csv")),
    }
}

fn named(papers: bool, mut args: impl Iterator<Item = String>) -> Result<Command, BenchError> {
    let (mut name, mut options, mut save) = (None, Options::default(), None);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--help" | "-h" => return Ok(Command::Help),
            "--seed" if !papers => options.seed = number(&arg, args.next())?,
            "--passes" if !papers => options.passes = number(&arg, args.next())?,
            "--quick" => options.quick = true,
            _ if name.is_none() && !arg.starts_with('-') => name = Some(arg),
            _ => save = Some(saving(&arg).ok_or_else(|| unknown(&arg))?),
        }
    }
    if options.passes == 0 {
        return Err(BenchError::usage("--passes must be at least 1"));
    }
    Ok(match papers {
        true => Command::Papers { name, quick: options.quick, save },
        false => Command::Rivals { name, options, save },
    })
}

fn protocol(mut args: impl Iterator<Item = String>) -> Result<Command, BenchError> {
    let mut request = Request { workloads: Vec::new(), quick: false, data: "data".into(), out: "results".into() };
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--help" | "-h" => return Ok(Command::Help),
            "--quick" => request.quick = true,
            "--data" => request.data = folder(&arg, args.next())?,
            "--out" => request.out = folder(&arg, args.next())?,
            word if is_workload(word) => request.workloads.push(arg),
            _ => return Err(unknown(&arg)),
        }
    }
    Ok(Command::Protocol(request))
}

fn number<T: FromStr>(arg: &str, value: Option<String>) -> Result<T, BenchError> {
    let value = value.unwrap_or_default();
    value.parse().map_err(|_| BenchError::usage(format!("{arg} needs a whole number, not `{value}`")))
}

fn unknown(arg: &str) -> BenchError {
    BenchError::usage(format!("`{arg}` is not known here"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Result<Command, BenchError> {
        parse(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn reads_a_soak() {
        assert_eq!(
            words("soak --boxes 7").ok(),
            Some(Command::Soak(Soak { boxes: 7, frames: 1000, every: 100, sole_in_process: true }))
        );
        assert!(words("soak --every 0").is_err() && words("soak 7").is_err());
    }

    #[test]
    fn reads_what_the_choice_costs() {
        let asked = Auto { cases: 3, first: 7, each: true };
        assert_eq!(words("auto --cases 3 --first 7 --each").ok(), Some(Command::Auto(asked, None)));
        assert_eq!(words("auto --quick --save=d").ok(), Some(Command::Auto(Auto::QUICK, Some("d".into()))));
        assert!(words("auto --cases x").is_err() && words("auto 7").is_err());
    }

    #[test]
    fn reads_a_comparison_with_an_older_driver() {
        let (workloads, data) = (vec!["W1".into()], "d".into());
        let asked = Versus { other: "old/bench".into(), workloads, data, rounds: 3, quick: true };
        let command = Command::Versus(asked, None);
        assert_eq!(words("versus old/bench W1 --data d --rounds 3 --quick").ok(), Some(command));
        assert!(words("versus").is_err() && words("versus a b").is_err() && words("versus a --rounds 0").is_err());
    }

    #[test]
    fn reads_a_digest() {
        assert_eq!(words("digest --save=d").ok(), Some(Command::Digest { parts: vec![], save: Some("d".into()) }));
        let one = Command::Digest { parts: vec!["planes".into()], save: None };
        assert_eq!(words("digest planes").ok(), Some(one));
        assert!(words("digest 7").is_err());
    }

    #[test]
    fn reads_a_comparison_of_threads() {
        let command = Command::Threads { data: "d".into(), rounds: 3, quick: true, save: Some("there".into()) };
        assert_eq!(words("threads --data d --rounds 3 --quick --save=there").ok(), Some(command));
        assert!(words("threads --rounds 0").is_err() && words("threads d").is_err());
    }

    #[test]
    fn reads_the_protocol() {
        let Ok(Command::Protocol(request)) = words("W3 W4 --quick --data d --out o") else { panic!("a request") };
        assert_eq!(request.workloads, ["W3", "W4"]);
        assert!(request.quick && request.data.ends_with("d") && request.out.ends_with("o"));
    }

    #[test]
    fn reads_a_comparison() {
        let options = Options { seed: 7, passes: 9, quick: true };
        let command = Command::Rivals { name: Some("mesh".into()), options, save: Some("there".into()) };
        assert_eq!(words("rivals mesh --seed 7 --passes 9 --quick --save=there").unwrap(), command);
        assert_eq!(words("papers").unwrap(), Command::Papers { name: None, quick: false, save: None });
        assert_eq!(words("rivals --help").unwrap(), Command::Help);
        assert_eq!(words("table there").unwrap(), Command::Table { folder: "there".into(), save: None });
        assert!(words("table").is_err());
    }

    #[test]
    fn what_is_not_known_is_an_error() {
        for line in
            ["W9", "W3 --data", "rivals mesh --seed x", "rivals mesh --passes 0", "papers --seed 1", "rivals a b"]
        {
            assert!(matches!(words(line), Err(BenchError::Usage(_))), "{line}");
        }
    }
}
