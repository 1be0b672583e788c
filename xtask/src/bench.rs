//! `cargo xtask bench`: the figures of the papers and the comparisons, always in the release profile.

use crate::nearest;
use crate::step::Step;

const KINDS: [&str; 2] = ["papers", "rivals"];

pub(crate) fn run(arguments: &[String]) -> Result<(), String> {
    step(arguments)?.run()
}

fn step(arguments: &[String]) -> Result<Step, String> {
    let kind = arguments.first().ok_or("say which bench: cargo xtask bench papers|rivals [name] [args]")?;
    if !KINDS.contains(&kind.as_str()) {
        return Err(nearest::unknown("bench", kind, KINDS) + " There are: papers, rivals");
    }
    let call = Step::cargo("bench", "run").args(["--release", "--package", "impinge-bench", "--"]);
    Ok(call.args(arguments))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(words: &[&str]) -> Result<String, String> {
        let arguments: Vec<String> = words.iter().map(|&w| w.to_owned()).collect();
        step(&arguments).map(|s| s.by_hand())
    }

    #[test]
    fn arguments_travel_to_the_bench() {
        let line = call(&["rivals", "mesh", "--seed", "7"]);
        assert_eq!(line.as_deref(), Ok("cargo run --release --package impinge-bench -- rivals mesh --seed 7"));
    }

    #[test]
    fn a_wrong_or_missing_kind_is_refused() {
        assert!(call(&["rival"]).is_err_and(|e| e.contains("did you mean `rivals`?")));
        assert!(call(&[]).is_err_and(|e| e.contains("papers|rivals")));
    }
}
