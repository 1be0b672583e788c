//! Whether this run would have found a clash of an earlier report again, had nothing changed: only then is it resolved.
//!
//! It would not have found the clash where this run reports other kinds, leaves the pair out by a rule, has both bodies
//! in one set, looks less far than the two were apart, or was not given the file of one of them. Where a file was read
//! and no longer has a body, the clashes of that body are resolved; but not where the body is only divided otherwise,
//! so that there are pieces of it now, or it was a piece of a body that there is now.

use std::collections::{BTreeSet, HashMap};

use super::baseline::Old;
use super::findings::Findings;
use super::kind::ReportedKind;

/// What this run asked about.
pub(crate) struct Asked<'r> {
    findings: &'r Findings,
    /// Bodies by their names.
    places: HashMap<&'r str, u32>,
    /// The bodies whose pieces are bodies.
    whole: BTreeSet<&'r str>,
}

impl<'r> Asked<'r> {
    pub(crate) fn new(findings: &'r Findings) -> Asked<'r> {
        let names = || findings.assembly.bodies.iter().map(|body| body.name.as_str());
        Asked { findings, places: names().zip(0..).collect(), whole: names().filter_map(whole_of).collect() }
    }

    /// Whether it would have been reported again.
    pub(crate) fn about(&self, old: &Old) -> bool {
        let kinds = &self.findings.settings.kinds;
        self.kind_now(old).is_some_and(|kind| kinds.contains(&kind)) && self.about_pair(&old.a, &old.b)
    }

    /// Of which kind it would be, were nothing changed but the lengths asked for.
    fn kind_now(&self, old: &Old) -> Option<ReportedKind> {
        let limits = &self.findings.settings.limits;
        match old.distance.as_ref().and_then(|distance| distance.lower) {
            Some(apart) if apart > limits.reach() => None,
            Some(apart) => Some(if apart <= limits.tolerance { ReportedKind::Touch } else { ReportedKind::Clearance }),
            None if old.kind == ReportedKind::Clearance && limits.clearance.is_none() => None,
            None => Some(old.kind),
        }
    }

    fn about_pair(&self, a: &str, b: &str) -> bool {
        let assembly = &self.findings.assembly;
        match [a, b].map(|name| self.places.get(name).copied()) {
            [Some(i), Some(j)] => {
                let [x, y] = [i, j].map(|k| assembly.bodies[k as usize].against);
                let one_set = assembly.two_sets && x == y;
                !one_set && !self.findings.rules.ignore(&assembly.bodies, [i, j])
            }
            places => [a, b].into_iter().zip(places).all(|(name, place)| place.is_some() || self.is_gone(name)),
        }
    }

    /// Whether a body that is not there would be, were it still in its file.
    fn is_gone(&self, name: &str) -> bool {
        let in_file =
            |label: &String| name.strip_prefix(label.as_str()).is_some_and(|n| n.is_empty() || n.starts_with('/'));
        let divided = self.whole.contains(name) || whole_of(name).is_some_and(|whole| self.places.contains_key(whole));
        !divided && self.findings.assembly.labels.iter().any(in_file)
    }
}

/// The body that one with this name is a numbered piece of.
fn whole_of(name: &str) -> Option<&str> {
    let (whole, number) = name.rsplit_once('/')?;
    number.bytes().all(|digit| digit.is_ascii_digit()).then_some(whole)
}
