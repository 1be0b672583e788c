//! The report as a table of comma-separated values: a header, and one clash a row.

use std::io::{self, Write};

use super::rows::{Length, Report};

const HEADER: &str = "id,a,b,kind,status,was,depth_lower,depth_upper,depth_kind,distance_lower,distance_upper,\
                      ax,ay,az,bx,by,bz,contained,group";

/// A partial report ends with a row that has `partial` for its id and nothing else.
pub(crate) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{HEADER}")?;
    for row in &report.rows {
        let ends = |length: &Option<Length<'_>>| length.map_or([None; 2], |length| [length.lower, length.upper]);
        let [depth, distance] = [&row.depth, &row.distance].map(ends);
        let points = row.points.map_or([None; 6], |[p, q]| [p[0], p[1], p[2], q[0], q[1], q[2]].map(Some));
        let mut cells = vec![row.id.clone(), cell(row.a), cell(row.b), row.kind.name().to_owned()];
        cells.push(row.status.map_or("", |status| status.name()).to_owned());
        cells.push(row.was.map_or("", |kind| kind.name()).to_owned());
        cells.extend(depth.map(number));
        cells.push(row.depth.and_then(|depth| depth.kind).map_or(String::new(), cell));
        cells.extend(distance.map(number));
        cells.extend(points.map(number));
        cells.push(row.contained.map_or(String::new(), cell));
        cells.push(row.group.map_or(String::new(), cell));
        writeln!(out, "{}", cells.join(","))?;
    }
    if report.is_partial() {
        writeln!(out, "partial{}", ",".repeat(HEADER.matches(',').count()))?;
    }
    Ok(())
}

/// The form that reads back to the same number.
fn number(x: Option<f64>) -> String {
    x.map_or(String::new(), |x| format!("{x:?}"))
}

/// In quotes where it has to be.
fn cell(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_and_quotes_are_quoted() {
        assert_eq!(["a", "a,b", "say \"hi\""].map(cell), ["a", "\"a,b\"", "\"say \"\"hi\"\"\""]);
        assert_eq!([Some(0.1), None].map(number), ["0.1", ""]);
    }
}
