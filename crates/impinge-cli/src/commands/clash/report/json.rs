//! The report as JSON, with the names of `docs/json.md`.

use std::io::{self, Write};

use serde::Serialize;

use super::rows::{ClashRow, Length, Report};
use crate::commands::clash::found::kind::ReportedKind;

#[derive(Serialize)]
struct Head<'r> {
    verb: &'static str,
    bodies: usize,
    pairs: u64,
    near: Option<u64>,
    tested: u64,
    ignored: u64,
    tolerance: f64,
    clearance: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    units: Option<&'static str>,
    partial: bool,
    stopped: Option<&'static str>,
    counts: Counts,
    #[serde(skip_serializing_if = "Option::is_none")]
    states: Option<States>,
    groups: Vec<GroupJson<'r>>,
}

#[derive(Serialize)]
struct Counts {
    duplicate: usize,
    contained: usize,
    hard: usize,
    touch: usize,
    clearance: usize,
}

#[derive(Serialize)]
struct States {
    new: usize,
    still: usize,
    resolved: usize,
    unasked: usize,
}

#[derive(Serialize)]
struct GroupJson<'r> {
    kind: ReportedKind,
    body: &'r str,
    count: usize,
}

#[derive(Serialize)]
struct RowJson<'r> {
    id: &'r str,
    a: &'r str,
    b: &'r str,
    kind: ReportedKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    status: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    was: Option<ReportedKind>,
    depth: Option<LengthJson<'r>>,
    distance: Option<LengthJson<'r>>,
    points: Option<[[f64; 3]; 2]>,
    contained: Option<&'r str>,
    group: Option<&'r str>,
}

#[derive(Serialize)]
struct LengthJson<'r> {
    lower: Option<f64>,
    upper: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'r str>,
}

impl<'r> From<Length<'r>> for LengthJson<'r> {
    fn from(Length { lower, upper, kind }: Length<'r>) -> LengthJson<'r> {
        LengthJson { lower, upper, kind }
    }
}

fn head<'r>(report: &'r Report<'_>) -> Head<'r> {
    let (settings, assembly) = (&report.findings.settings, &report.findings.assembly);
    let [duplicate, contained, hard, touch, clearance] = report.counts;
    Head {
        verb: "clash",
        bodies: assembly.bodies.len(),
        pairs: assembly.pairs(),
        near: report.totals.near,
        tested: report.totals.tested,
        ignored: report.totals.ignored,
        tolerance: settings.limits.tolerance,
        clearance: settings.limits.clearance,
        units: settings.units.map(|units| units.name()),
        partial: report.is_partial(),
        stopped: report.totals.stopped.map(|stopped| stopped.name()),
        counts: Counts { duplicate, contained, hard, touch, clearance },
        states: report.states.map(|[new, still, resolved, unasked]| States { new, still, resolved, unasked }),
        groups: report
            .groups
            .iter()
            .map(|group| GroupJson { kind: group.kind, body: report.name(group.body), count: group.count })
            .collect(),
    }
}

fn row<'r>(row: &'r ClashRow<'_>) -> RowJson<'r> {
    RowJson {
        id: &row.id,
        a: row.a,
        b: row.b,
        kind: row.kind,
        status: row.status.map(|status| status.name()),
        was: row.was,
        depth: row.depth.map(LengthJson::from),
        distance: row.distance.map(LengthJson::from),
        points: row.points,
        contained: row.contained,
        group: row.group,
    }
}

/// One object, its clashes one a line.
pub(crate) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut start = serde_json::to_vec(&head(report))?;
    // Removes the closing brace, so that the list can be added.
    start.pop();
    out.write_all(&start)?;
    out.write_all(b",\"clashes\":[")?;
    for (i, clash) in report.rows.iter().enumerate() {
        out.write_all(if i == 0 { b"\n" } else { b",\n" })?;
        serde_json::to_writer(&mut *out, &row(clash))?;
    }
    out.write_all(if report.rows.is_empty() { b"]}\n" } else { b"\n]}\n" })
}

/// One clash a line, and the rest of the object in the last.
pub(crate) fn write_lines(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    for clash in &report.rows {
        serde_json::to_writer(&mut *out, &row(clash))?;
        out.write_all(b"\n")?;
    }
    serde_json::to_writer(&mut *out, &head(report))?;
    out.write_all(b"\n")
}
