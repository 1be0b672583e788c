//! A call of the driver: what it asks for, and how its rows and answers are written.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use crate::error::BenchError;

/// Every workload of the protocol; those impinge answers are in `workloads.rs`.
pub(crate) const WORKLOADS: [&str; 7] = ["W1", "W2", "W3", "W4", "W5", "W6", "W7"];

/// One call of the driver.
#[derive(Debug, PartialEq)]
pub(crate) struct Request {
    /// Empty: all of them.
    pub(crate) workloads: Vec<String>,
    /// Leave out what is not the default engine in W1; part of the protocol.
    pub(crate) quick: bool,
    pub(crate) data: PathBuf,
    pub(crate) out: PathBuf,
}

impl Request {
    pub(super) fn wants(&self, workload: &str) -> bool {
        self.workloads.is_empty() || self.workloads.iter().any(|w| w == workload)
    }

    /// One CSV row on stdout: `workload,case,peer,variant,metric,value`.
    pub(super) fn row(
        &self,
        workload: &str,
        case: &str,
        variant: &str,
        metric: &str,
        value: f64,
    ) -> Result<(), BenchError> {
        writeln!(std::io::stdout(), "{workload},{case},impinge,{variant},{metric},{value:.6}")
            .map_err(BenchError::write("stdout".as_ref()))
    }

    /// One `f64` per query, so that peers can be compared query by query.
    pub(super) fn answers(
        &self,
        workload: &str,
        case: &str,
        query: &str,
        variant: &str,
        values: &[f64],
    ) -> Result<(), BenchError> {
        let folder = self.out.join("answers");
        fs::create_dir_all(&folder).map_err(BenchError::write(&folder))?;
        let path = folder.join(format!("{workload}.{case}.{query}.impinge-{variant}.f64"));
        let bytes: Vec<u8> = values.iter().flat_map(|x| x.to_le_bytes()).collect();
        fs::write(&path, bytes).map_err(BenchError::write(&path))
    }
}

/// Whether `word` names a workload of the protocol.
pub(crate) fn is_workload(word: &str) -> bool {
    WORKLOADS.contains(&word)
}
