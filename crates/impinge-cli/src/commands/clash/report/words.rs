//! The report as words: a summary, then the clashes group by group, in columns.

use std::collections::HashMap;
use std::io::{self, Write};

use impinge::Interval;
use impinge::glam::DVec3;

use super::super::found::baseline::State;
use super::super::found::findings::Stopped;
use super::super::found::kind::ReportedKind;
use super::rows::{ClashRow, Length, Report};
use crate::output::text::{number, plural, point, shortest};

pub(crate) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", summary(report))?;
    if let Some([new, still, resolved, unasked]) = report.states {
        let unasked = if unasked > 0 { format!(", {unasked} not asked about again") } else { String::new() };
        writeln!(out, "{new} new, {still} still there, {resolved} resolved{unasked}")?;
    }
    let mut by_group: HashMap<(ReportedKind, &str), Vec<&ClashRow<'_>>> = HashMap::new();
    let mut resolved = Vec::new();
    for row in &report.rows {
        match row.group {
            Some(body) => by_group.entry((row.kind, body)).or_default().push(row),
            None => resolved.push(row),
        }
    }
    for group in &report.groups {
        let body = report.name(group.body);
        let count = plural(group.count as u64, "clash", "clashes");
        writeln!(out, "\n{}: {body} ({count})", group.kind.name())?;
        table(report, by_group.get(&(group.kind, body)).map_or(&[], Vec::as_slice), out)?;
    }
    if !resolved.is_empty() {
        writeln!(out, "\nresolved")?;
        table(report, &resolved, out)?;
    }
    let why = match report.totals.stopped {
        None => return Ok(()),
        Some(Stopped::Interrupted) => "interrupted",
        Some(Stopped::Limit) => "stopped by --limit",
    };
    writeln!(out, "\npartial: {why} after {}", plural(report.totals.tested, "pair", "pairs"))
}

fn summary(report: &Report<'_>) -> String {
    let assembly = &report.findings.assembly;
    let bodies = plural(assembly.bodies.len() as u64, "body", "bodies");
    let pairs = plural(assembly.pairs(), "pair", "pairs");
    let total: usize = report.counts.iter().sum();
    let among = format!("{bodies}, {pairs}, {} looked at closely", report.totals.tested);
    match (total, report.is_partial()) {
        (0, false) => return format!("clear: no clashes among {among}"),
        (0, true) => return format!("no clashes so far among {among}"),
        _ => {}
    }
    let kinds = ReportedKind::EACH.iter().zip(report.counts).filter(|(_, count)| *count > 0);
    let kinds: Vec<String> = kinds.map(|(kind, count)| format!("{count} {}", kind.name())).collect();
    format!("{}: {}\namong {among}", plural(total as u64, "clash", "clashes"), kinds.join(", "))
}

/// Lines of columns as wide as their widest cell.
fn table(report: &Report<'_>, rows: &[&ClashRow<'_>], out: &mut dyn Write) -> io::Result<()> {
    let rows: Vec<[String; 5]> = rows.iter().map(|row| cells(report, row)).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; 5] = std::array::from_fn(width);
    let line = |row: &[String; 5]| {
        let padded: Vec<String> =
            row.iter().zip(widths).filter(|(_, w)| *w > 0).map(|(cell, w)| format!("{cell:w$}")).collect();
        format!("  {}", padded.join("  ")).trim_end().to_owned()
    };
    rows.iter().try_for_each(|row| writeln!(out, "{}", line(row)))
}

fn cells(report: &Report<'_>, row: &ClashRow<'_>) -> [String; 5] {
    let status = row.status.filter(|status| *status != State::Resolved).map_or(String::new(), |status| match row.was {
        Some(was) => format!("{}, was {}", status.name(), was.name()),
        None => status.name().to_owned(),
    });
    let at = row.points.map_or(String::new(), |[p, _]| format!("at {}", point(rounded(p))));
    [row.id.clone(), format!("{} - {}", row.a, row.b), measure(report, row), status, at]
}

/// Points for the reader: six decimals are enough to find the place.
fn rounded(p: [f64; 3]) -> DVec3 {
    let round = |x: f64| if x.abs() < 1e9 { (x * 1e6).round() / 1e6 + 0.0 } else { x };
    DVec3::from_array(p.map(round))
}

fn measure(report: &Report<'_>, row: &ClashRow<'_>) -> String {
    let units = report.findings.settings.units.map_or(String::new(), |units| format!(" {}", units.name()));
    let contained = match row.contained {
        Some("a_in_b") => format!("{} is inside", row.a),
        Some(_) => format!("{} is inside", row.b),
        None => String::new(),
    };
    let length = match (row.depth, row.distance) {
        (Some(depth), _) => Some(format!("depth {}{units}", in_words(depth))),
        (None, Some(distance)) => Some(format!("distance {}{units}", in_words(distance))),
        (None, None) => None,
    };
    let parts: Vec<String> = [Some(contained).filter(|text| !text.is_empty()), length].into_iter().flatten().collect();
    parts.join(", ")
}

/// A depth that is a bound is given by both its ends.
fn in_words(length: Length<'_>) -> String {
    let (Some(lower), Some(upper)) = (length.lower, length.upper) else { return "without bounds".to_owned() };
    match length.kind {
        Some("upper-bound") if lower == 0.0 => format!("at most {}", number(short(upper))),
        Some("upper-bound" | "per-piece") => format!("{} to {}", number(short(lower)), number(short(upper))),
        _ => number(short(shortest(&Interval { lower, upper }))),
    }
}

/// Six digits.
fn short(x: f64) -> f64 {
    format!("{x:.5e}").parse().unwrap_or(x)
}
