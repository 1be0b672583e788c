//! An earlier report, to say which clashes are new, which are still there, and which are resolved.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::kind::ReportedKind;
use crate::output::error::{self, Failure};

/// How a clash compares with the earlier report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum State {
    /// Not in the earlier report.
    New,
    /// In both.
    Still,
    /// In the earlier report only.
    Resolved,
}

impl State {
    pub(crate) fn name(self) -> &'static str {
        match self {
            State::New => "new",
            State::Still => "still",
            State::Resolved => "resolved",
        }
    }
}

/// The ends of an interval, `null` where infinite, and of a depth what it is worth.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Ends {
    pub(crate) lower: Option<f64>,
    pub(crate) upper: Option<f64>,
    pub(crate) kind: Option<String>,
}

/// A clash as it was.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Old {
    pub(crate) id: String,
    pub(crate) a: String,
    pub(crate) b: String,
    pub(crate) kind: ReportedKind,
    #[serde(default)]
    status: Option<State>,
    #[serde(default)]
    pub(crate) depth: Option<Ends>,
    #[serde(default)]
    pub(crate) distance: Option<Ends>,
    #[serde(default)]
    pub(crate) points: Option<[[f64; 3]; 2]>,
    #[serde(default)]
    pub(crate) contained: Option<String>,
}

#[derive(Debug, Deserialize)]
struct File {
    clashes: Vec<Old>,
    #[serde(default)]
    partial: bool,
    tolerance: Option<f64>,
    #[serde(default)]
    clearance: Option<f64>,
}

/// The earlier report, by id.
#[derive(Debug, Default)]
pub(crate) struct Baseline {
    clashes: Vec<Old>,
    by_id: HashMap<String, usize>,
}

impl Baseline {
    /// Reads a report in JSON. What was resolved in it then is left out.
    pub(crate) fn read(path: &Path, tolerance: f64, clearance: Option<f64>) -> Result<Baseline, Failure> {
        let file = path.display().to_string();
        let fail = |place: String, problem: String| {
            let help = "give a report that `impinge clash --format json` wrote".to_owned();
            Failure::Read { place, problem, help }
        };
        let bytes = fs::read(path).map_err(|error| fail(file.clone(), format!("cannot be read: {error}")))?;
        let old: File = serde_json::from_slice(&bytes).map_err(|error| match error.line() {
            0 => fail(file.clone(), error.to_string()),
            line => fail(format!("{file}:{line}"), format!("is no clash report: {error}")),
        })?;
        let note = |text: &str| error::note(&format!("{file} {text}"));
        if old.partial {
            note("is partial: what it does not have is taken for new");
        }
        if old.tolerance.is_some_and(|t| t != tolerance) || old.clearance != clearance {
            note("was made with another --tolerance or --clearance: kinds may have changed for that");
        }
        let clashes: Vec<Old> = old.clashes.into_iter().filter(|old| old.status != Some(State::Resolved)).collect();
        let by_id = clashes.iter().enumerate().map(|(i, old)| (old.id.clone(), i)).collect();
        Ok(Baseline { clashes, by_id })
    }

    /// The clash of this id as it was.
    pub(crate) fn get(&self, id: &str) -> Option<&Old> {
        self.by_id.get(id).map(|&i| &self.clashes[i])
    }

    /// All of them, in the order of that report.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Old> {
        self.clashes.iter()
    }
}
