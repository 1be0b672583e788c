//! Writes the report once, in the format asked for.

use std::io::{self, BufWriter, Write};

use super::super::found::findings::{Findings, Stopped};
use super::super::found::settings::ClashFormat;
use super::rows::Report;
use super::{csv, json, words};

/// Writes the report, and says whether something clashes; `None` when it was written already. `near` is how many pairs
/// were near, where that is known.
pub(crate) fn close(
    findings: &mut Findings,
    stopped: Option<Stopped>,
    near: Option<u64>,
    out: impl Write,
) -> (Option<bool>, io::Result<()>) {
    let Some((clashes, totals)) = findings.close(stopped, near) else { return (None, Ok(())) };
    let mut out = BufWriter::with_capacity(1 << 16, out);
    let report = Report::new(findings, &clashes, totals);
    let written = match findings.settings.format {
        ClashFormat::Text => words::write(&report, &mut out),
        ClashFormat::Json => json::write(&report, &mut out),
        ClashFormat::Jsonl => json::write_lines(&report, &mut out),
        ClashFormat::Csv => csv::write(&report, &mut out),
    };
    (Some(!clashes.is_empty()), written.and_then(|()| out.flush()))
}
